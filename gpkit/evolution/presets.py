"""Ready configurations, by name."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from gpkit.authoring.game import OwnGame
from gpkit.core.registry import all_games
from gpkit.evolution.config import (
    BloatSettings,
    Config,
    FitnessSettings,
    GuideSettings,
    IslandsSettings,
    LimitsSettings,
    PopulationSettings,
    RaceSettings,
    RefinementSettings,
    SchemeSettings,
    SelectionSettings,
    StopSettings,
)
from gpkit.evolution.forms import arithmetic, decision, execution, sinking

ARTICLE = Config(
    alphabet="article",
    representation=arithmetic.Settings(shape="grow", low_depth=1, high_depth=5),
    population=PopulationSettings(size=200),
    scheme=SchemeSettings(name="article", elites=0, attempts=1),
    operators={"clone": 0.1, "constants": 0.45, "subtree": 0.225, "crossover": 0.225},
    bloat=BloatSettings(penalty=0.0004, free=20),
    fitness=FitnessSettings(deals=50),
    refinement=RefinementSettings(finish=False, simplify=False),
    stop=StopSettings(generations=111),
)
"""Splits, operators and penalty of P. Hansson, "Light Introduction to Genetic Programming", 2013, at level expert."""

FORMULAS = Config(
    alphabet="all",
    representation=arithmetic.Settings(low_depth=2, high_depth=4, constants="one"),
    scheme=SchemeSettings(name="generational", elites=4),
    operators={
        "constants": 0.25,
        "subtree": 0.25,
        "crossover": 0.3,
        "point": 0.1,
        "hoist": 0.05,
        "shrink": 0.05,
    },
    selection=SelectionSettings(name="tournament", size=4),
)
"""Settings with which presets for formulas begin where nothing speaks for others; no preset itself."""

SEVENS = Config(
    alphabet="article",
    representation=arithmetic.Settings(low_depth=2, high_depth=4, constants="one"),
    population=PopulationSettings(size=1000),
    scheme=SchemeSettings(name="generational", elites=6),
    operators={
        "constants": 0.2,
        "subtree": 0.25,
        "crossover": 0.35,
        "point": 0.1,
        "hoist": 0.05,
        "shrink": 0.05,
    },
    selection=SelectionSettings(name="tournament", size=5),
    limits=LimitsSettings(size=30),
    bloat=BloatSettings(penalty=0.0004, free=30),
    fitness=FitnessSettings(deals=60, candidates=5, validation_deals=3000),
    race=RaceSettings(first=15, keep=0.2),
    refinement=RefinementSettings(rounds=8, candidates=40, deals=2000),
    stop=StopSettings(generations=90),
)
"""Strong programs of at most 30 nodes in the article's alphabet, in about four minutes on one core."""

DECISIONS = Config(
    alphabet="decisions",
    representation=decision.Settings(low_depth=3, high_depth=4, max_leaves=15),
    population=PopulationSettings(size=600),
    scheme=SchemeSettings(name="generational", elites=6),
    operators={
        "branch": 0.2,
        "crossover": 0.25,
        "hoist": 0.05,
        "prune": 0.05,
        "swap": 0.0,
        "scale": 0.05,
        "step": 0.1,
        "comparison": 0.02,
        "feature": 0.08,
        "leaf": 0.2,
    },
    selection=SelectionSettings(name="tournament", size=5),
    bloat=BloatSettings(penalty=0.0002, free=40),
    fitness=FitnessSettings(deals=60, candidates=5, validation_deals=3000),
    race=RaceSettings(first=15, keep=0.2),
    refinement=RefinementSettings(rounds=8, candidates=40, deals=2000),
    stop=StopSettings(generations=60),
)
"""Decision trees of at most 15 leaves for each decision of Sevens, in about two and a half minutes on one core."""

BATTLESHIP = Config(
    game="battleship",
    alphabet="bridon",
    representation=sinking.Settings(low_lines=1, high_lines=8, more=0.4),
    population=PopulationSettings(size=250),
    scheme=SchemeSettings(name="generational", elites=2),
    operators={"change": 0.7, "splice": 0.21, "block": 0.09},
    selection=SelectionSettings(name="lexicase", tolerance=0.3, sample=100),
    bloat=BloatSettings(penalty=0.01, free=0),
    fitness=FitnessSettings(opponents=("uniform",), deals=30, blocks=5, candidates=32, validation_deals=2000),
    guide=GuideSettings(
        grade=3.3,
        exercises=(
            "fleet=5 found=yes",
            "fleet=4 found=yes",
            "fleet=3 found=yes",
            "fleet=2 found=yes",
            "board=6x6 fleet=4,3,2",
            "board=7x7 fleet=5,3,3",
        ),
        weight=1.7,
        deals=20,
        blocks=5,
    ),
    islands=IslandsSettings(count=8, interval=10, migrants=2),
    refinement=RefinementSettings(finish=True, rounds=20, candidates=1000, deals=2000, race=150, confirm=6),
    stop=StopSettings(generations=600),
)
"""Programs that find and sink ships, from random ones: eight islands, lexicase selection over games and exercises.

Of 16 runs of a copy for a graphics processor, of at most 530 generations, 15 end at 60 shots or fewer, the median at
58.0 (``tests/data/strength-battleship.json``, ``search``). gpkit's own take about half an hour on one core; those of
five seeds that were named before end at 58.16, 58.07, 58.05, 57.80, 59.88 shots.
"""

SQUARES = replace(
    FORMULAS,
    game="battleship",
    alphabet="placements",
    representation=arithmetic.Settings(low_depth=2, high_depth=4, constants="one", octaves=2.0),
    population=PopulationSettings(size=300),
    limits=LimitsSettings(size=20),
    bloat=BloatSettings(penalty=0.01, free=0),
    fitness=FitnessSettings(opponents=("uniform",), deals=60, candidates=4, validation_deals=1500),
    race=RaceSettings(first=15, keep=0.25),
    refinement=RefinementSettings(rounds=8, candidates=30, deals=1500, race=150),
    stop=StopSettings(generations=40),
)
"""Formulas of at most 20 nodes that value the squares of Battleship, in about three minutes on one core."""

POSTERIOR = replace(
    SQUARES,
    alphabet="posterior",
    population=PopulationSettings(size=100),
    limits=LimitsSettings(size=24),
    bloat=BloatSettings(penalty=0.003, free=0),
    fitness=FitnessSettings(opponents=("uniform",), deals=120, candidates=2, validation_deals=2000),
    race=RaceSettings(first=30, keep=0.25),
    refinement=RefinementSettings(rounds=3, candidates=20, deals=2000, race=200),
    stop=StopSettings(generations=20),
)
"""Formulas of at most 24 nodes over beliefs, in three to six minutes on one core.

More boards than ``SQUARES``, as its formulas differ less. Three seeds found none that is better than the chance alone
(``tests/data/strength-battleship-posterior.json``).
"""

BRIDON = Config(
    game="battleship",
    alphabet="bridon",
    representation=sinking.Settings(low_lines=20, high_lines=20, rate=0.1),
    population=PopulationSettings(size=20),
    scheme=SchemeSettings(name="generational", elites=2, attempts=1),
    operators={"chunk": 1.0},
    selection=SelectionSettings(name="truncation", share=0.1),
    bloat=BloatSettings(penalty=0.0, free=0),
    fitness=FitnessSettings(
        opponents=("uniform",), deals=11, fresh=False, candidates=1, validation_deals=2000
    ),
    refinement=RefinementSettings(finish=False, simplify=False),
    stop=StopSettings(generations=24),
)
"""The loop of J. Bridon and others, Figure 9: 20 programs, 20 times the best tenth kept and bred, on saved games."""

MASTERMIND = replace(
    FORMULAS,
    game="mastermind",
    alphabet="chances",
    population=PopulationSettings(size=100),
    operators={
        "constants": 0.3,
        "subtree": 0.2,
        "crossover": 0.3,
        "point": 0.1,
        "hoist": 0.05,
        "shrink": 0.05,
    },
    limits=LimitsSettings(size=40),
    bloat=BloatSettings(penalty=0.00002, free=0),
    fitness=FitnessSettings(opponents=("codemaker",), exact=True, candidates=1),
    refinement=RefinementSettings(every=5, rounds=6, candidates=20),
    stop=StopSettings(generations=24),
)
"""Code breakers by their exact mean over all secrets of the classic game, in about a minute."""

OWN = replace(
    FORMULAS,
    population=PopulationSettings(size=200),
    limits=LimitsSettings(size=30),
    bloat=BloatSettings(penalty=0.0004, free=10),
    fitness=FitnessSettings(opponents=(), deals=20, hall=3, hall_every=8, candidates=3, validation_deals=200),
    race=RaceSettings(first=5, keep=0.3),
    refinement=RefinementSettings(rounds=3, candidates=20, deals=200),
    stop=StopSettings(generations=30),
)
"""Formulas for a game of one's own, against its usual opponents and former champions; see ``all_presets``."""

BUILD_ORDER = replace(
    FORMULAS,
    game="build_order",
    alphabet="opening",
    population=PopulationSettings(size=300),
    limits=LimitsSettings(size=60),
    bloat=BloatSettings(penalty=0.001, free=0),
    fitness=FitnessSettings(opponents=("enemy",), deals=1, fresh=False, candidates=1, validation_deals=1),
    refinement=RefinementSettings(rounds=4, candidates=30),
    stop=StopSettings(generations=25),
)
"""Formulas that order for the usual goal, in seconds; games without an attack are all alike, so one deal says all."""

PLANS = Config(
    game="build_order",
    alphabet="plans",
    representation=execution.Settings(rehearsals=20),
    population=PopulationSettings(size=300),
    scheme=SchemeSettings(name="generational", elites=4),
    operators={
        "branch": 0.15,
        "crossover": 0.15,
        "splice": 0.15,
        "insert": 0.15,
        "hoist": 0.1,
        "prune": 0.02,
        "exchange": 0.08,
        "action": 0.08,
        "count": 0.06,
        "step": 0.03,
        "comparison": 0.01,
        "feature": 0.02,
    },
    selection=SelectionSettings(name="tournament", size=4),
    limits=LimitsSettings(size=40),
    bloat=BloatSettings(penalty=0.01, free=0),
    fitness=FitnessSettings(opponents=("enemy",), deals=1, fresh=False, candidates=1, validation_deals=1),
    refinement=RefinementSettings(rounds=4, candidates=60),
    stop=StopSettings(generations=40),
)
"""Plans for the usual goal from random ones; what a plan asks for in vain costs ticks, so a small penalty is enough."""

PRESETS = {
    "article": ARTICLE,
    "sevens": SEVENS,
    "decisions": DECISIONS,
    "battleship": BATTLESHIP,
    "squares": SQUARES,
    "posterior": POSTERIOR,
    "bridon": BRIDON,
    "mastermind": MASTERMIND,
    "build_order": BUILD_ORDER,
    "plans": PLANS,
}


class _Ready(Mapping[str, Config]):
    """The ready configurations, of which those for games from outside are made when they are asked for."""

    def __init__(self) -> None:
        self._outside = {entry.name: entry for entry in all_games() if entry.origin}

    def __getitem__(self, name: str) -> Config:
        """The configuration of that name."""
        if name in PRESETS:
            return PRESETS[name]
        game = self._outside[name].load()
        openings = game.openings if isinstance(game, OwnGame) else ""
        return replace(OWN, game=name, rules={"opening": openings} if openings else {})

    def __contains__(self, name: object) -> bool:
        return name in PRESETS or name in self._outside

    def __iter__(self) -> Iterator[str]:
        return iter([*PRESETS, *self._outside])

    def __len__(self) -> int:
        return len(PRESETS) + len(self._outside)


def all_presets() -> Mapping[str, Config]:
    """The ready configurations, and for each game from outside, by its name, the one for games of one's own.

    Where chance does not move, that one mixes openings of no, one and two random actions.
    """
    return _Ready()
