"""The field: the function that the article prints, and whether programs beat each other in circles."""

from collections.abc import Mapping
from itertools import combinations, pairwise

import numpy as np

from gpkit.analysis.ratings import Order, find_order
from gpkit.core.registry import data_folder
from gpkit.core.statistics import Interval
from gpkit.genomes.tree import TreeProgram
from gpkit.languages.arithmetic.parser import parse
from gpkit.playing.players import player_of_program
from gpkit.playing.tournament import play_tournament
from gpkit_experiments.papers.paper import Claim, Row, below
from gpkit_experiments.papers.sevens.ladder import AT_BEST, Rosters, Strengths
from gpkit_experiments.papers.sevens.study import EASY, HARD, MEDIUM, Study
from gpkit_experiments.papers.strength import Pairing
from gpkit_experiments.papers.units import mean_interval, total

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
