"""Ready configurations of evolution for Battleship, by name."""

from dataclasses import replace

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
from gpkit.languages.arithmetic.forms import evolution as arithmetic
from gpkit.languages.arithmetic.presets import FORMULAS
from gpkit.languages.sinking.forms import evolution as sinking

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
58.0 (``experiments/data/strength-battleship.json``, ``search``). gpkit's own take about half an hour on one core; those
of five seeds fixed in advance end at 58.16, 58.07, 58.05, 57.80, 59.88 shots.
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
(``experiments/data/strength-battleship-posterior.json``).
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

PRESETS = {"battleship": BATTLESHIP, "squares": SQUARES, "posterior": POSTERIOR, "bridon": BRIDON}
