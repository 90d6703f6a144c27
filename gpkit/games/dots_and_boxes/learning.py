"""Configurations of the learner: their fields, the allowed values, and the presets.

The source is A. Knittel, T. Bossomaier and A. Snyder, "Concept accessibility as basis for evolutionary reinforcement
learning of Dots and Boxes" (2007), sections III and IV. The paper does not give all values, so gpkit chooses the rates,
the number of rules that count as "few", the probability of a new rule in that case, the initial accessibility, and the
shares of mutations. ``PRESETS`` contains the paper's runs by name, and further runs that go beyond the paper.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Literal

from gpkit.core.codec import Range
from gpkit.core.diagnostics import check_known
from gpkit.core.errors import UsageError
from gpkit.core.settings import from_data, parse_settings
from gpkit.evolution.config import Share
from gpkit.gamekit.forms import Learning
from gpkit.games.dots_and_boxes.opponents import POLICIES
from gpkit.genomes.graph_operators import EDITS

GAME = "dots_and_boxes"

Weight = Annotated[float, Range(0.0, 1000.0)]


@dataclass(frozen=True, slots=True, kw_only=True)
class PopulationSettings:
    """The settings of the population of rules.

    Attributes:
        size: the maximum number of rules after each batch of games.
        deletion: the criterion for deleting surplus rules: the lowest accessibility f or the lowest quality Q.
        access: the initial accessibility f of a rule.
    """

    size: Annotated[int, Range(1, 10_000)] = 1000
    deletion: Literal["f", "q"] = "f"
    access: Weight = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceSettings:
    """The settings for choosing one of the best matching rules by the Boltzmann distribution, equation 3.

    Attributes:
        best: the number of best rules to choose from.
        beta: the initial weight of quality.
        step: the increase of beta after every 10^4 games.
        beta_end: the maximum beta.
        exploration: the share of decisions in which the learner draws a random edge instead.
    """

    best: Annotated[int, Range(1, 100)] = 10
    beta: Weight = 10.0
    step: Weight = 0.0
    beta_end: Weight = 10.0
    exploration: Share = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RewardSettings:
    """The settings of rewards and credit assignment, which determine the quality and the accessibility of rules.

    Attributes:
        measure: the target of the quality. With ``score``, the quality of a rule that acted moves towards the final
            difference of scores, equation 1. With ``combined``, the quality of every rule that did not act also moves
            towards 0. With ``advantage``, the quality of every rule that matched moves towards the value of its
            proposal minus the value of the best edge, according to a table of class values.
        rate: the learning rate α of the quality; with ``advantage``, the lowest α.
        access: the way in which f grows. With ``use``, f grows by 1 with every game in which the rule acted. With
            ``gain``, f grows in each class where the rule is the best, by the rule's advantage over the edge that would
            be drawn without it.
        forgetting: the rate α of f, which decreases by this share after every game.
        judging: the lowest learning rate for the values of classes; a class takes the outcome of its first visit in
            full.
        begin: the initial quality of a rule, or false for the average reward of all games so far.
        prior: with ``advantage``, the weight of the initial quality, as a number of visits.
        boxes: the source of rewards, which is normally the closing of boxes (``true``). In control experiments, closing
            a box costs a reward (``flipped``), or the rewards are shuffled once over all edges (``shuffled``).
    """

    measure: Literal["score", "combined", "advantage"] = "score"
    rate: Annotated[float, Range(1e-6, 1.0)] = 0.02
    access: Literal["use", "gain"] = "use"
    forgetting: Annotated[float, Range(1e-7, 1.0)] = 0.001
    judging: Annotated[float, Range(1e-6, 1.0)] = 0.01
    begin: Annotated[float, Range(-100.0, 100.0)] | None = None
    prior: Annotated[int, Range(1, 1_000_000)] = 5
    boxes: Literal["true", "flipped", "shuffled"] = "true"


@dataclass(frozen=True, slots=True, kw_only=True)
class CoveringSettings:
    """The settings for new rules in classes where the other rules are not good enough.

    Attributes:
        few: a class with fewer matching rules than this may get a new rule.
        probability: the probability that such a class gets a new rule.
        fault: if the best rule (or any edge, if no rule matches) loses more boxes than this, the learner may make a
            rule for the best edge.
        mending: the probability of making this rule; requires ``measure = "advantage"``.
        part: with ``position``, a new rule matches only the complete position; with ``fragment``, it matches a random
            part of the position around its edge.
        more: for fragments, the probability of adding each further node.
    """

    few: Annotated[int, Range(0, 10_000)] = 1
    probability: Share = 1.0
    fault: Weight = 0.1
    mending: Share = 0.0
    part: Literal["position", "fragment"] = "position"
    more: Share = 0.6


@dataclass(frozen=True, slots=True, kw_only=True)
class ReproductionSettings:
    """The settings for children of rules.

    Attributes:
        every: the number of games in a batch; children are made after each batch.
        children: the number of children, each of which is made by one mutation.
        parents: with ``population``, parents are chosen from all rules by the Boltzmann distribution; with ``niche``,
            from the rules that acted in the batch, with the same probability for every decision.
        trial: the number of most recent decisions on which a new rule is tried first. The rule starts with the quality
            that it would have learned there, and is added only if it would have improved these decisions. The value 0
            means no trial.
        credit: a factor; after a trial, f starts at this factor times the improvement in these decisions.
    """

    every: Annotated[int, Range(1, 100_000)] = 10
    children: Annotated[int, Range(0, 100)] = 4
    parents: Literal["population", "niche"] = "population"
    trial: Annotated[int, Range(0, 1_000_000)] = 0
    credit: Weight = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """The settings of a learner, which plays on 3x3 boxes.

    Attributes:
        seed: the seed of all random numbers.
        games: the number of games to play.
        opponent: the name of a policy in ``gpkit.games.dots_and_boxes.opponents``.
        others: additional opponents; the batches alternate between all opponents.
        mutations: the share of each edit in ``gpkit.genomes.graph_operators``; only the ratios of the shares matter.
    """

    seed: Annotated[int, Range(0)] = 1
    games: Annotated[int, Range(1, 10_000_000)] = 1_000_000
    opponent: str = "chain"
    others: tuple[str, ...] = ()
    population: PopulationSettings = PopulationSettings()
    choice: ChoiceSettings = ChoiceSettings()
    reward: RewardSettings = RewardSettings()
    covering: CoveringSettings = CoveringSettings()
    reproduction: ReproductionSettings = ReproductionSettings()
    mutations: Mapping[str, Annotated[float, Range(0.0)]] = field(
        default_factory=lambda: {name: share for name, (share, _) in EDITS.items()}
    )

    @property
    def opponents(self) -> tuple[str, ...]:
        """All opponents, in order."""
        return (self.opponent, *self.others)

    @property
    def against(self) -> str:
        """The names of all opponents, joined by ``and``."""
        return " and ".join(self.opponents)

    def beta_after(self, games: int) -> float:
        """The weight β of quality after ``games`` games."""
        choice = self.choice
        return min(choice.beta + choice.step * (games // BETA_GAMES), choice.beta_end)


BETA_GAMES = 10_000
"""The number of games between two changes of beta."""


def parse_learner_config(text: str, presets: Mapping[str, Config], filename: str = "<text>") -> Config:
    """The configuration in a TOML document; the key ``preset`` names a preset to start from.

    Raises:
        UsageError: the text is not TOML, or contains an unknown key, a wrong type, a value out of range, or
            contradictory values.
    """
    return parse_settings(text, presets, filename, read=config_from_data, default=Config())


def config_from_data(data: Mapping[str, object], default: Config) -> Config:
    """The configuration from nested mappings; ``default`` provides the values of missing keys.

    Raises:
        UsageError: a key, a type or a value is wrong; see ``parse_learner_config``.
    """
    config = from_data(Config, data, default)
    for name in config.opponents:
        check_known("opponent", name, POLICIES)
    for name in config.mutations:
        if name not in EDITS:
            raise UsageError(f"[mutations] has no `{name}`; there are {', '.join(EDITS)}")
    if not sum(config.mutations.values()) > 0.0:
        raise UsageError("[mutations] needs an edit with a share above 0")
    advantages = {
        'reward.access = "gain"': config.reward.access == "gain",
        "covering.mending": config.covering.mending > 0,
        "reproduction.trial": config.reproduction.trial > 0,
    }
    for name, is_asked_for in advantages.items():
        if is_asked_for and config.reward.measure != "advantage":
            raise UsageError(f'{name} needs reward.measure = "advantage"')
    return config


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
    "short": replace(
        _OURS,
        games=50_000,
        others=(),
        population=replace(_OURS.population, size=21),
        choice=replace(_OURS.choice, exploration=0.1),
        covering=replace(_OURS.covering, more=0.5),
    ),
    "memoriser": replace(_OURS, covering=replace(_OURS.covering, part="position")),
}
"""``constant``, ``rising-20`` and ``rising-10`` are the schedules of beta in section V of the paper; ``quality-only``
and ``combined`` are its earlier attempts. ``ours`` learns rules by their advantages, and is the strongest; ``short``
learns 21 rules, few enough for people to read; ``memoriser`` uses whole positions as rules. While these three presets
learn, they also maintain a table of class values (``kernel.learner.Critic``).
"""


LEARNING = Learning(
    GAME,
    PRESETS,
    best="ours",
    notes={"opponent": f"there are {', '.join(POLICIES)}", "mutations": f"there are {', '.join(EDITS)}"},
)
