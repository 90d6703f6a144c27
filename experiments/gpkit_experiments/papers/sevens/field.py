"""The field: the function that the article prints, and whether programs beat each other in circles."""

from collections.abc import Mapping

from gpkit.analysis.cycles import find_order
from gpkit.core.registry import data_folder
from gpkit.core.statistics import mean_interval
from gpkit.genomes.tree import TreeProgram
from gpkit.languages.arithmetic.parser import parse
from gpkit.playing.players import player_of_program
from gpkit.playing.tournament import play_tournament
from gpkit_experiments.papers.paper import Claim, Row, below, exact
from gpkit_experiments.papers.sevens.ladder import AT_BEST, Rosters, Strengths
from gpkit_experiments.papers.sevens.study import EASY, HARD, Study
from gpkit_experiments.papers.strength import Pairing

TOURNAMENT_RUNS = 2
"""Of so many runs the first specimen of each level takes part in the tournament."""


def article_sample() -> TreeProgram:
    """The program of the article's printed function; how it sends is not printed, and is that of ``simple``."""
    path = data_folder("programs") / "sevens" / "medium.tree"
    return parse(path.read_text(encoding="utf-8"), path.name).program


def sample_rows(study: Study, levels: Mapping[str, Strengths]) -> list[Row]:
    """The strength of the printed function, which is of level medium: above easy and below hard, for certain.

    Args:
        study: the reproduction.
        levels: the strength of the levels, by the opponent.
    """
    study.watch("the function that the article prints")
    held_out, sample = study.held_out(study.effort.sample_games), article_sample()
    rows = []
    for opponent, strengths in levels.items():
        (scores,) = held_out.by_deal([Pairing(sample, study.opponent(opponent))], study.executor)
        measured = mean_interval(scores, support=held_out.game.metric(held_out.rules).support)
        claim = Claim(above=strengths[EASY].by_run, below=strengths[HARD].by_run)
        heading = "The function that the article prints, share of games won"
        rows.append(Row(heading, f"against two `{opponent}`", measured, "deals", "of a medium level", claim))
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
    programs |= {name: study.opponent(name) for name in study.game.opponents}
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
    cycles = exact(len(order.cycles), pairs)
    rows = [
        Row(heading, "pairs of which one beats the other", exact(len(order.wins), pairs), "pairs"),
        Row(heading, "circles of wins", cycles, "pairs", "could not find any", below(1.0)),
    ]
    return rows, f"Tournament: {order.verdict}."
