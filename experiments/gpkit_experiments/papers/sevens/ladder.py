"""The levels of play: their rosters, their strength, and how many of their formulas are a single terminal."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from gpkit.core.statistics import Interval
from gpkit.genomes.tree import TreeProgram
from gpkit_experiments.papers.courses import Course, fittest, middling
from gpkit_experiments.papers.paper import Claim, Row, above
from gpkit_experiments.papers.sevens.study import EASY, HARD, MEDIUM, Study
from gpkit_experiments.papers.strength import Pairing, Strength, against, strength
from gpkit_experiments.papers.units import mean_interval

AT_BEST = "easy, at best"
"""The fittest of generation 0, which is not the level easy, but what it could be taken for."""

Rosters = Mapping[str, list[list[TreeProgram]]]
"""For every level the specimens of each run."""

Strengths = Mapping[str, Strength]
"""For every level what its specimens reached."""


def rosters_of(study: Study, courses: Sequence[Course[TreeProgram]]) -> Rosters:
    """The rosters of all levels, the lowest first, and after the level easy what it is at best."""
    count, generations = study.effort.specimens, study.effort.generations
    found = {}
    for level, generation in generations.items():
        populations = [course.populations[generation] for course in courses]
        best = [fittest(population, count) for population in populations]
        if level == EASY:
            found[EASY] = [middling(population, count) for population in populations]
            found[AT_BEST] = best
        else:
            found[level] = best
    return found


def strengths_of(study: Study, rosters: Rosters, opponent: str) -> Strengths:
    """The strength of every level against two of one opponent."""
    study.watch(f"the levels against two `{opponent}`")
    held_out, other = study.held_out(study.effort.games), study.opponent(opponent)
    return {
        level: strength(held_out, against(runs, other), study.executor) for level, runs in rosters.items()
    }


def strength_rows(strengths: Strengths, opponent: str) -> list[Row]:
    """The rows of those strengths; hard and expert claim to be above the level below, with disjoint intervals.

    Medium is above the median of random programs, which is easy, whatever evolution does.
    """
    heading = f"Levels against two `{opponent}`, share of games won"
    return [
        *_ladder(f"{heading}: the algorithm", "runs", {level: s.by_run for level, s in strengths.items()}),
        *_ladder(f"{heading}: these programs", "deals", {level: s.by_deal for level, s in strengths.items()}),
    ]


def _ladder(heading: str, unit: str, intervals: Mapping[str, Interval]) -> list[Row]:
    rows = []
    below: tuple[str, Interval] | None = None
    for level, interval in intervals.items():
        if level == AT_BEST:
            rows.append(Row(heading, level, interval, unit))
            continue
        published, claim = "", None
        if below is not None and below[0] != EASY:
            published, claim = f"above {below[0]}", Claim(above=below[1])
        rows.append(Row(heading, level, interval, unit, published, claim))
        below = level, interval
    return rows


def duel_rows(study: Study, rosters: Rosters) -> list[Row]:
    """Every level alone against two copies of the level below: the same specimens of the same runs meet."""
    held_out = study.held_out(study.effort.games)
    heading = "Each level against two of the level below, share of games won"
    rows = []
    for lower, upper in pairwise(study.effort.generations):
        study.watch(f"{upper} against two of {lower}")
        pairings = [
            [Pairing(program, other) for program, other in zip(mine, others, strict=False)]
            for mine, others in zip(rosters[upper], rosters[lower], strict=True)
        ]
        found = strength(held_out, pairings, study.executor)
        published, claim = ("", None) if lower == EASY else (f"above {lower}", above(held_out.even))
        for unit, interval in (("runs", found.by_run), ("deals", found.by_deal)):
            rows.append(Row(heading, f"{upper} among {lower}", interval, unit, published, claim))
    return rows


def terminal_rows(rosters: Rosters) -> list[Row]:
    """Rows of the share of formulas that are a single terminal: many at easy and medium, fewer at hard."""
    heading = "Formulas that are a single terminal, share of all"
    shares = {
        level: mean_interval([single(programs) for programs in runs], support=(0.0, 1.0))
        for level, runs in rosters.items()
    }
    many = Claim(above=shares[HARD])
    said = {EASY: ("many", many), MEDIUM: ("many", many), HARD: ("more interesting", None)}
    return [
        Row(heading, level, share, "runs", *said.get(level, ("", None))) for level, share in shares.items()
    ]


def single(programs: Sequence[TreeProgram]) -> float:
    """The share of the formulas of programs that are a single terminal."""
    sizes = [len(tree) for program in programs for tree in program.trees]
    return sizes.count(1) / len(sizes)
