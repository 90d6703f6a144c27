"""Whole games of Sevens under rules at their limits."""

import pytest
from extremes import checked_play, drawn_options, everybody
from kernel_marks import bounds_checked

from gpkit.core.rng import below, stream
from gpkit.gamekit.players import Player
from gpkit.games.sevens.game import GAME, log_game
from gpkit.genomes.tree import Tree, TreeProgram, leaf, node
from gpkit.langkit.operators import MAX_DEPTH, MAX_NODES
from gpkit.playing.players import player_of_program

pytestmark = [pytest.mark.slow, bounds_checked]

NUMBERS = {"players": ("2", "3", "7"), "laps": ("1", "1000")}
COMBINATIONS = 400


def seated(first: Player, others: list[Player], number: int) -> list[Player]:
    """Agents for two to seven seats: one, and others that the number chooses."""
    rng = stream(number, "bounds seats")
    return [first, *(others[below(rng, len(others))] for _ in range(6))]


def test_everybody_plays_under_drawn_combinations_of_all_options() -> None:
    agents = everybody(GAME)
    for number in range(COMBINATIONS):
        options = drawn_options(GAME, NUMBERS, number)
        table = seated(agents[number % len(agents)], agents, number)[: int(options["players"])]
        checked_play(GAME, table, options, deals=1)


def test_logs_hold_whole_games() -> None:
    """The log is a row for every action, however long the game is."""
    agents = [agent for agent in everybody(GAME, worlds=1) if agent.is_program]
    for number in range(COMBINATIONS):
        options = drawn_options(GAME, NUMBERS, number)
        rules = GAME.make_rules(options)
        table = seated(agents[number % len(agents)], agents, number)[: rules.players]
        log = log_game(table, GAME.deal(stream(number, "bounds"), 1, rules), rules)
        assert len(log) > 0
        assert (log >= -1).all()


def nested(depth: int) -> Tree:
    """A sum of sensors that is nested so deeply to the right that all its parts wait for the last."""
    return Tree.from_prefix(["+", "env.dist"] * depth + ["env.depth"], [2, 0] * depth + [0])


def wide(levels: int) -> Tree:
    """A balanced product of so many levels."""
    tree = leaf("env.block")
    for _ in range(levels):
        tree = node("*", tree, tree)
    return tree


LEVELS = (MAX_NODES // 2).bit_length() - 2
"""Two formulas of so many levels are not too many nodes for a program."""


@pytest.mark.parametrize("tree", [nested(MAX_DEPTH - 1), wide(LEVELS)], ids=["deepest", "longest"])
def test_the_largest_formulas_play(tree: Tree) -> None:
    program = TreeProgram(GAME.offers["arithmetic"].sections, (tree, tree))
    agent = player_of_program(program, GAME, "largest")
    checked_play(GAME, [agent, agent], {"players": "2"}, deals=1)
