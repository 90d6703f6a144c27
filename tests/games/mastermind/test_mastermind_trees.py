"""Strategy trees: text, search, and the optimal one."""

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from case_files import case_tables
from hypothesis import given
from hypothesis import strategies as st

from gpkit.core.errors import UsageError
from gpkit.games.mastermind.kernel.programs import answers
from gpkit.games.mastermind.players import FOLDER, StrategyTree, follow_tree, tree_of_text, tree_of_variant
from gpkit.games.mastermind.rules import (
    Distribution,
    Feedback,
    MastermindRules,
    all_bits,
    all_numbers,
    can_be,
    code_of_number,
    code_text,
    distribution,
    number_of_code,
)
from gpkit.games.mastermind.state import MastermindState
from gpkit_experiments.readable.mastermind import candidates

SMALL = [MastermindRules(3, 3), MastermindRules(2, 5), MastermindRules(3, 4, False), MastermindRules(4, 2)]


def possible(rules: MastermindRules) -> list[Feedback]:
    """All answers but that of the code itself."""
    found = [Feedback.of_number(number) for number in range(rules.answers - 1)]
    return [answer for answer in found if can_be(answer, rules)]


@st.composite
def trees(draw: st.DrawFn, rules: MastermindRules, depth: int = 3) -> StrategyTree:
    guess = code_of_number(draw(st.integers(0, rules.codes - 1)), rules)
    answers = draw(st.lists(st.sampled_from(possible(rules)), unique=True, max_size=3)) if depth else []
    answers.sort(key=lambda answer: answer.number)
    return StrategyTree(guess, tuple((answer, draw(trees(rules, depth - 1))) for answer in answers))


def tree_text(tree: StrategyTree, rules: MastermindRules) -> str:
    """A line for each guess, below the one that it follows and further in, with the answer to that one in front.

    >>> rules = MastermindRules(2, 3)
    >>> print(tree_text(StrategyTree((0, 1), ((Feedback(1, 0), StrategyTree((0, 2))),)), rules), end="")
    12
     1b0w 13
    """
    return "".join(f"{line}\n" for line in _lines(tree, rules, 0, ""))


def _lines(tree: StrategyTree, rules: MastermindRules, depth: int, answer: str) -> Iterator[str]:
    yield f"{' ' * depth}{answer}{code_text(tree.guess, rules)}"
    for after, branch in tree.after:
        yield from _lines(branch, rules, depth + 1, f"{after.black}b{after.white}w ")


def size(tree: StrategyTree) -> int:
    """Number of guesses that a tree names."""
    return 1 + sum(size(branch) for _, branch in tree.after)


@given(st.data(), st.sampled_from([*SMALL, MastermindRules(), MastermindRules(4, 12)]))
def test_texts_give_the_tree_back(data: st.DataObject, rules: MastermindRules) -> None:
    tree = data.draw(trees(rules))
    text = tree_text(tree, rules)
    assert tree_of_text(text, rules) == tree
    assert tree_of_text("# found by nobody\n\n" + text, rules) == tree
    assert len(text.splitlines()) == size(tree)


@pytest.mark.parametrize(
    ("text", "message"),
    case_tables("typed.toml")["trees"],
)
def test_texts_that_are_no_trees_get_a_message(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        tree_of_text(text, MastermindRules())


def test_a_tree_that_is_too_deep_is_refused() -> None:
    lines = ["1122", *(f"{' ' * depth}0b0w 1122" for depth in range(1, 2000))]
    with pytest.raises(UsageError, match="line 101 of the tree, `0b0w 1122`: it starts with 100 spaces"):
        tree_of_text("\n".join(lines), MastermindRules())


def test_off_the_tree_the_first_candidate_is_guessed() -> None:
    rules = MastermindRules()
    follower = partial(follow_tree, tree_of_variant("classic"), rules)
    state = MastermindState.begin((5, 4, 3, 2), rules).apply(number_of_code((0, 1, 2, 3), rules))
    left = candidates(state.turns, rules)
    numbers = np.array([number_of_code(code, rules) for code in left], dtype=np.int32)
    assert follower(state.turns, numbers) == numbers[0]


def test_the_optimal_tree_plays_every_game() -> None:
    """5625 guesses over all secrets, which Koyama and Lai (1993) proved to be the fewest; game by game."""
    rules, tree = MastermindRules(), tree_of_variant("classic")
    follower = partial(follow_tree, tree, rules)
    exact = distribution(follower, rules)
    assert (exact.mean, exact.most, exact.lost) == (Fraction(5625, 1296), 6, 0)
    assert exact.mean == pytest.approx(4.3403, abs=5e-5)
    given = np.zeros((rules.codes, rules.codes), dtype=np.int16)
    answers(all_bits(rules), all_bits(rules), given)
    found = [0] * rules.guesses
    for number in range(rules.codes):
        state, left = MastermindState.begin(code_of_number(number, rules), rules), all_numbers(rules)
        while not state.is_terminal:
            guess = follower(state.turns, left)
            state = state.apply(guess)
            left = left[given[guess, left] == state.turns[-1].feedback.number]
        found[int(state.returns()[0]) - 1] += 1
    assert exact == Distribution(tuple(found))


@pytest.mark.parametrize(
    ("name", "total", "most"),
    [("classic", 5_625, 6), pytest.param("super", 179_113, 7, marks=pytest.mark.release)],
)
def test_the_texts_tell_what_the_trees_need(name: str, total: int, most: int) -> None:
    """4.3403 and 5.4661 guesses on average; the best that look one guess ahead need 4.3735 and 5.4890."""
    rules, tree = MastermindRules.from_options({"variant": name}), tree_of_variant(name)
    exact = distribution(partial(follow_tree, tree, rules), rules)
    assert (exact.total, exact.most, exact.lost) == (total, most, 0)
    assert tree_of_text(tree_text(tree, rules), rules) == tree
    assert (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()[0] == (
        f"# {rules.length} pegs of {rules.colours} colours: {total} guesses over all {rules.codes} codes, "
        f"{float(exact.mean):.4f} on average, at most {most}."
    )
