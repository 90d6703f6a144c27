"""The levels of play: rosters, strength, formulas of a single terminal, the printed function, circles of wins."""

from collections.abc import Mapping, Sequence
from itertools import combinations, pairwise

import numpy as np

from gpkit.analysis.ratings import Order, find_order
from gpkit.core.registry import data_folder
from gpkit.core.statistics import Interval
from gpkit.genomes.tree import TreeProgram
from gpkit.languages.arithmetic.text import parse
from gpkit.playing.contest import play_tournament
from gpkit.playing.players import player_of_program
from gpkit_experiments.papers.courses import Course, Pairing, Strength, against, fittest, middling, strength
from gpkit_experiments.papers.paper import Claim, Row, above, below
from gpkit_experiments.papers.sevens.study import EASY, HARD, MEDIUM, Study
from gpkit_experiments.papers.units import mean_interval, rate_interval, total

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
        level: rate_interval([single(programs) for programs in runs]) for level, runs in rosters.items()
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


PRINTED = "The function that the article prints, share of games won"

TOURNAMENT_RUNS = 2
"""Of so many runs the first specimen of each level takes part in the tournament."""


def article_sample() -> TreeProgram:
    """The program of the article's printed function; how it sends is not printed, and is that of ``simple``."""
    path = data_folder("programs") / "sevens" / "medium.tree"
    return parse(path.read_text(encoding="utf-8"), path.name).program


def sample_rows(study: Study, levels: Mapping[str, Strengths]) -> list[Row]:
    """The strength of the printed function: it is nearer to medium than to easy and hard, for certain.

    Args:
        study: the reproduction.
        levels: the strength of the levels, by the opponent.
    """
    study.watch("the function that the article prints")
    held_out, sample = study.held_out(study.effort.sample_games), article_sample()
    rows = []
    for opponent, strengths in levels.items():
        (scores,) = held_out.by_deal([Pairing(sample, study.opponent(opponent))], study.executor)
        support = held_out.game.metric(held_out.rules).support
        low, high = (
            mean_interval((strengths[MEDIUM].runs + strengths[other].runs) / 2, support=support)
            for other in (EASY, HARD)
        )
        measured = mean_interval(scores, support=support)
        rows.append(
            Row(
                PRINTED, f"against two `{opponent}`", measured, "deals", "of a medium level", Claim(low, high)
            )
        )
    return rows


def circle_rows(study: Study, rosters: Rosters) -> tuple[list[Row], str]:
    """A tournament of specimens of all levels, the game's opponents and the printed function: no circle of wins.

    Returns:
        The rows, and the result in a sentence.
    """
    study.watch("the tournament")
    programs = {
        f"{level} {number}": specimens[len(specimens) // 2 if level == EASY else 0]
        for level, runs in rosters.items()
        if level != AT_BEST
        for number, specimens in enumerate(runs[:TOURNAMENT_RUNS], start=1)
    }
    programs |= {name: study.opponent(name) for name in study.game.programs}
    programs["printed"] = article_sample()
    held_out = study.held_out(study.effort.tournament_games)
    players = [player_of_program(program, study.game, name) for name, program in programs.items()]
    order = find_order(
        play_tournament(
            held_out.game, players, rules=held_out.rules, seed=held_out.seed, games=held_out.games
        )
    )
    pairs = len(order.wins) + len(order.undecided)
    heading = f"Tournament of {len(players)} programs, wins beyond chance"
    decided = total(np.repeat([1.0, 0.0], [len(order.wins), len(order.undecided)]))
    cycles = Interval(len(order.cycles), len(order.cycles), possible_circles(order), pairs)
    rows = [
        Row(heading, "pairs of which one beats the other", decided, "pairs"),
        Row(
            heading,
            "circles, up to those that could be",
            cycles,
            "pairs",
            "could not find any",
            below(1.0),
            values="summary only: half a minute",
        ),
    ]
    return rows, f"Tournament: {order.verdict}."


def possible_circles(order: Order) -> int:
    """The circles of three that there are or could be, as some pairs are undecided."""
    against = {(loser, winner) for winner, loser in order.wins}
    return sum(
        against.isdisjoint(pairwise((*three, three[0])))
        for ends in combinations(order.programs, 3)
        for three in (ends, ends[::-1])
    )
