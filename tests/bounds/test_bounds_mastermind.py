"""Whole games of Mastermind under rules at their limits."""

import itertools

import pytest
from extremes import checked_play, everybody
from kernel_marks import bounds_checked

from gpkit.core.errors import UsageError
from gpkit.games.mastermind.game import GAME
from gpkit.games.mastermind.rules import MAX_COLOURS, MAX_LENGTH
from gpkit.genomes.tree import Tree, TreeProgram
from gpkit.langkit.operators import MAX_DEPTH
from gpkit.playing.players import player_of_name, player_of_program, player_of_text

pytestmark = [pytest.mark.slow, bounds_checked]

MAKER = player_of_name("codemaker", GAME)
SIZES = [(1, 1), (1, 2), (1, MAX_COLOURS), (2, 12), (4, 6), (MAX_LENGTH, 1), (MAX_LENGTH, MAX_COLOURS)]
"""Pegs and colours: the least and the most."""

LIMITS = [("yes", "1"), ("yes", "999"), ("no", "1"), ("no", "999")]
"""Whether colours repeat, and how many guesses there are."""

REFUSED = ("codes are too many", "plays only the", "without repeats need", "too many")
"""Parts of the messages of players that do not play some sizes."""


@pytest.mark.parametrize(("length", "colours"), SIZES)
def test_everybody_breaks_codes_of_all_sizes(length: int, colours: int) -> None:
    size = {"length": str(length), "colours": str(colours)}
    count = 0
    for agent, (repeats, guesses) in itertools.product(everybody(GAME), LIMITS):
        try:
            checked_play(GAME, [agent, MAKER], {**size, "repeats": repeats, "guesses": guesses}, deals=1)
            count += 1
        except UsageError as error:
            assert any(text in str(error) for text in REFUSED), error
    assert count > 0


@pytest.mark.parametrize(("length", "colours"), [(3, 17), (MAX_LENGTH, 2), (5, 10)])
def test_a_formula_that_draws_breaks_a_code_of_many(length: int, colours: int) -> None:
    """Without and with a table of all feedback, and among as many codes as formulas value."""
    text = "guess: env.possible + env.parts / 100 + math.random()"
    agent = player_of_text(text, GAME, filename="draws.tree")
    checked_play(GAME, [agent, MAKER], {"length": str(length), "colours": str(colours)}, deals=1)


def deepest(depth: int) -> Tree:
    """A sum of sensors that is nested so deeply to the right that all its parts wait for the last."""
    return Tree.from_prefix(["+", "env.parts"] * depth + ["env.expected"], [2, 0] * depth + [0])


def test_the_deepest_formula_values_codes() -> None:
    program = TreeProgram(GAME.offers["arithmetic"].sections, (deepest(MAX_DEPTH - 1),))
    agent = player_of_program(program, GAME, "deepest")
    for colours in ("1", "2", str(MAX_COLOURS)):
        checked_play(GAME, [agent, MAKER], {"length": "1", "colours": colours}, deals=1)
