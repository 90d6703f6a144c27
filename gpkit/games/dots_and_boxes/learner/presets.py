"""Configurations by name: the runs of the source, and what goes beyond them."""

from collections.abc import Mapping
from dataclasses import replace

from gpkit.games.dots_and_boxes.learner.config import (
    ChoiceSettings,
    Config,
    CoveringSettings,
    OrderingSettings,
    PopulationSettings,
    ReproductionSettings,
    RewardSettings,
)

_CONSTANT = Config(reproduction=ReproductionSettings(parents="niche"))

_OURS = Config(
    others=("chain+ex12",),
    population=PopulationSettings(access=0.0),
    choice=ChoiceSettings(beta=40.0, beta_end=40.0, exploration=0.03),
    reward=RewardSettings(
        measure="advantage", rate=0.002, access="gain", forgetting=1e-4, judging=0.01, begin=-0.3, prior=1
    ),
    covering=CoveringSettings(few=0, fault=0.4, mending=0.3, part="fragment", more=0.9),
    reproduction=ReproductionSettings(children=0, parents="niche", trial=5000, credit=10.0),
)

PRESETS: Mapping[str, Config] = {
    "constant": _CONSTANT,
    "rising-20": replace(_CONSTANT, choice=ChoiceSettings(beta=0.1, step=0.2, beta_end=20.0)),
    "rising-10": replace(_CONSTANT, choice=ChoiceSettings(beta=0.1, step=0.1, beta_end=10.0)),
    "quality-only": replace(_CONSTANT, population=PopulationSettings(deletion="q")),
    "combined": replace(
        _CONSTANT, population=PopulationSettings(deletion="q"), reward=RewardSettings(measure="combined")
    ),
    "ours": _OURS,
    "ordered": replace(_OURS, ordering=OrderingSettings(every=5000)),
    "placed": replace(
        _OURS,
        population=replace(_OURS.population, size=8000),
        choice=ChoiceSettings(best=2, beta=1000.0, beta_end=1000.0, exploration=0.05),
        reward=replace(_OURS.reward, access="replay"),
        covering=replace(_OURS.covering, mending=0.0, replay=250),
        reproduction=replace(_OURS.reproduction, every=5000, trial=200_000, credit=1.0),
        ordering=OrderingSettings(every=50_000),
    ),
    "short": replace(
        _OURS,
        games=50_000,
        others=(),
        population=replace(_OURS.population, size=21),
        choice=replace(_OURS.choice, exploration=0.1),
        covering=replace(_OURS.covering, more=0.5),
    ),
    "small": replace(
        _OURS,
        games=50_000,
        population=replace(_OURS.population, size=400),
        choice=replace(_OURS.choice, exploration=0.1),
        covering=replace(_OURS.covering, mending=0.6, more=0.6),
        reproduction=replace(_OURS.reproduction, nodes=3),
    ),
    "memoriser": replace(_OURS, covering=replace(_OURS.covering, part="position")),
}
"""``constant``, ``rising-20`` and ``rising-10`` are the schedules of beta of the source's section V; ``quality-only``
and ``combined`` are what it tried before. ``ours`` learns rules by their advantages, ``ordered`` puts them in order
besides; ``placed`` keeps 8000, tries new ones where the last decisions lose most and plays best; ``short`` is a list of
21 rules that people can read; ``small`` are rules of at most three boxes and chains, of which ``gpkit select`` chooses
a list; ``memoriser`` has whole positions for rules instead. These six keep a table of values of classes beside their
rules while they learn (``kernel.arrays.Critic``).
"""
