"""The configuration of a learner: one strict, frozen table of tables that is read from TOML and written back.

The source is A. Knittel, T. Bossomaier and A. Snyder, "Concept accessibility as basis for evolutionary reinforcement
learning of Dots and Boxes" (2007), sections III and IV. What it does not print has a value here all the same: the
rates, what "few" rules are and the probability of a new one then, the first accessibility, the shares of mutations.
Configurations by name, ``PRESETS``, are the runs of the source, and what goes beyond them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Literal

from gpkit.core.codec import Range
from gpkit.core.diagnostics import check_known
from gpkit.core.errors import UsageError
from gpkit.core.settings import from_data, parse_settings
from gpkit.evolution.tables import Share
from gpkit.games.dots_and_boxes.opponents import POLICIES
from gpkit.genomes.graph_operators import EDITS

GAME = "dots_and_boxes"

Weight = Annotated[float, Range(0.0, 1000.0)]


@dataclass(frozen=True, slots=True, kw_only=True)
class PopulationSettings:
    """The rules.

    Attributes:
        size: how many there are at most, after every batch of games.
        deletion: of too many, those of least accessibility f go, or those of least quality Q.
        access: the f with which a rule begins.
    """

    size: Annotated[int, Range(1, 10_000)] = 1000
    deletion: Literal["f", "q"] = "f"
    access: Weight = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceSettings:
    """Choice of the rule that acts among those that match: the best few by Boltzmann's distribution, equation 3.

    Attributes:
        best: so many of the highest quality.
        beta: how much quality counts in the beginning.
        step: added to beta after every 10^4 games.
        beta_end: the most that beta becomes.
        exploration: the share of decisions in which any edge is drawn instead.
    """

    best: Annotated[int, Range(1, 100)] = 10
    beta: Weight = 10.0
    step: Weight = 0.0
    beta_end: Weight = 10.0
    exploration: Share = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RewardSettings:
    """Reward and credit assignment: what the quality and the accessibility of rules learn from.

    Attributes:
        measure: ``score``: a rule that acted moves towards the difference of scores at the end, equation 1;
            ``combined``: and a rule that did not moves towards 0; ``advantage``: every rule that matched moves towards
            how far the value of what it proposes is below that of the best edge, by a table of values of classes.
        rate: the α of the quality; with ``advantage`` the least one.
        access: f grows by 1 with every game in which the rule acted; or with ``gain``, in each class in which the rule
            is the best, by how much it improves on what would be drawn without it.
        forgetting: the α of f, which falls by this share with every game.
        judging: the least rate at which values of classes are learned; a first meeting counts whole.
        begin: the quality with which a rule begins; false is the average reward of all games so far.
        prior: with ``advantage``, as many meetings the quality counts for that a rule begins with.
        boxes: what is rewarded: boxes that are closed, or as controls the loss of them (``flipped``), or other edges
            instead, as many and chosen once at random (``shuffled``).
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
    """New rules for classes in which the others do not do.

    Attributes:
        few: below so many matching rules a class is covered,
        probability: with this probability.
        fault: where the best rule, or any edge where none matches, loses more boxes than this, a rule is made for the
            best edge,
        mending: with this probability; needs ``measure = "advantage"``.
        part: ``position``: such a rule asks for all of the position; ``fragment``: for a random part around its edge.
        more: for fragments, the probability of each further node.
    """

    few: Annotated[int, Range(0, 10_000)] = 1
    probability: Share = 1.0
    fault: Weight = 0.1
    mending: Share = 0.0
    part: Literal["position", "fragment"] = "position"
    more: Share = 0.6


@dataclass(frozen=True, slots=True, kw_only=True)
class ReproductionSettings:
    """Children of rules.

    Attributes:
        every: a batch is so many games; children are made after each,
        children: so many, each by one mutation.
        parents: ``population``: drawn from all rules by Boltzmann's distribution; ``niche``: from those that acted in
            the batch, each decision with the same probability.
        trial: before a new rule is added it is tried in so many decisions that were met last: it begins with what it
            would have learned there, and is added only if they would have gained by it; 0 is no trial.
        credit: after a trial the f of a rule begins as this times what those decisions would have gained by it.
    """

    every: Annotated[int, Range(1, 100_000)] = 10
    children: Annotated[int, Range(0, 100)] = 4
    parents: Literal["population", "niche"] = "population"
    trial: Annotated[int, Range(0, 1_000_000)] = 0
    credit: Weight = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """Everything that decides the course of learning, on 3x3 boxes.

    Attributes:
        seed: of all chance.
        games: how many are played.
        opponent: a policy of ``gpkit.games.dots_and_boxes.opponents``.
        others: more of them; batches are played against the opponent and each of these in turn.
        mutations: the share of each edit of ``gpkit.genomes.graph_operators``; only their proportions matter.
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
        """All against whom is played, in their order."""
        return (self.opponent, *self.others)

    @property
    def against(self) -> str:
        """All opponents, for people."""
        return " and ".join(self.opponents)

    def beta_after(self, games: int) -> float:
        """Weight β of quality after so many games."""
        choice = self.choice
        return min(choice.beta + choice.step * (games // BETA_GAMES), choice.beta_end)


BETA_GAMES = 10_000
"""Beta changes after so many games."""


def parse_config(text: str, presets: Mapping[str, Config], filename: str = "<text>") -> Config:
    """The configuration of a TOML text; a key ``preset`` names the values to start from.

    Raises:
        UsageError: not TOML, an unknown key, a wrong type, a value out of range, or values that contradict each other.
    """
    return parse_settings(text, presets, filename, read=config_from_data, default=Config())


def config_from_data(data: Mapping[str, Any], default: Config) -> Config:
    """The configuration of nested mappings, with the values of ``default`` for missing keys.

    Raises:
        UsageError: as for ``parse_config``.
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
"""``constant``, ``rising-20`` and ``rising-10`` are the schedules of beta of the source's section V; ``quality-only``
and ``combined`` are what it tried before. ``ours`` learns rules by their advantages, and plays best; ``short`` is a
list of 21 rules that people can read; ``memoriser`` has whole positions for rules instead. These three keep a table of
values of classes beside their rules while they learn (``kernel.arrays.Critic``).
"""
