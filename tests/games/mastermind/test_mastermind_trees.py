"""Strategy trees: text, search, and the optimal one."""

import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kernel_marks import compiled_only

from gpkit.core.arrays import for_reading
from gpkit.core.errors import UsageError
from gpkit.games.mastermind.arrays import all_bits, all_numbers
from gpkit.games.mastermind.codes import code_of_number, number_of_code
from gpkit.games.mastermind.exact import Distribution, distribution
from gpkit.games.mastermind.growing import (
    Beam,
    bounds,
    first_bits,
    floors,
    grow,
    grow_variant,
    hopes,
    promising_readable,
)
from gpkit.games.mastermind.kernel.feedback import answers
from gpkit.games.mastermind.kernel.trees import COLUMNS, FLOOR, GUESS, MANY, promising
from gpkit.games.mastermind.options import Rules
from gpkit.games.mastermind.parts import candidates
from gpkit.games.mastermind.rules import Feedback, State, can_be
from gpkit.games.mastermind.trees import FOLDER, Follower, Tree, tree_of_text, tree_of_variant, tree_text

SMALL = [Rules(3, 3), Rules(2, 5), Rules(3, 4, False), Rules(4, 2)]


def possible(rules: Rules) -> list[Feedback]:
    """All answers but that of the code itself."""
    found = [Feedback.of_number(number) for number in range(rules.answers - 1)]
    return [answer for answer in found if can_be(answer, rules)]


@st.composite
def trees(draw: st.DrawFn, rules: Rules, depth: int = 3) -> Tree:
    guess = code_of_number(draw(st.integers(0, rules.codes - 1)), rules)
    answers = draw(st.lists(st.sampled_from(possible(rules)), unique=True, max_size=3)) if depth else []
    answers.sort(key=lambda answer: answer.number)
    return Tree(guess, tuple((answer, draw(trees(rules, depth - 1))) for answer in answers))


@given(st.data(), st.sampled_from([*SMALL, Rules(), Rules(4, 12)]))
def test_texts_give_the_tree_back(data: st.DataObject, rules: Rules) -> None:
    tree = data.draw(trees(rules))
    text = tree_text(tree, rules)
    assert tree_of_text(text, rules) == tree
    assert tree_of_text("# found by nobody\n\n" + text, rules) == tree
    assert len(text.splitlines()) == tree.size


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there is no tree; its first line is a guess, such as `1234`"),
        ("1122\n1123\n", "line 2 of the tree, `1123`: an answer can be there once only"),
        (
            "1122\n 0b0w 3344\n 0b0w 3345\n",
            "line 3 of the tree, `0b0w 3345`: an answer can be there once only",
        ),
        (
            "1122\n  0b0w 3344\n",
            "line 2 of the tree, `0b0w 3344`: it begins with 2 blanks, expected at most 1",
        ),
        (" 1122\n", "line 1 of the tree, `1122`: it begins with 1 blanks, expected at most 0"),
        ("1122\n 3344\n", "line 2 of the tree, `3344`: every guess but the first has an answer in front"),
        ("0b0w 1122\n", "every guess but the first has an answer in front"),
        ("1122\n 0b0w\n", "every guess but the first has an answer in front"),
        ("1122\n 0b0w 3 3 4 4\n", "expected an answer and a guess, such as `1b0w 1123`"),
        ("1122\n 3b1w 3344\n", "the last one cannot be right elsewhere"),
        ("1122\n 0b0w 3347\n", "peg 4 is `7`"),
    ],
)
def test_texts_that_are_no_trees_get_a_message(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        tree_of_text(text, Rules())


def test_a_tree_that_is_too_deep_is_refused() -> None:
    lines = ["1122", *(f"{' ' * depth}0b0w 1122" for depth in range(1, 2000))]
    with pytest.raises(UsageError, match="line 101 of the tree, `0b0w 1122`: it begins with 100 blanks"):
        tree_of_text("\n".join(lines), Rules())


@settings(max_examples=60)
@given(st.data(), st.sampled_from([*SMALL, Rules(3, 5)]), st.integers(1, 6))
def test_readable_and_compiled_guesses_that_promise_most_agree(
    data: st.DataObject, rules: Rules, room: int
) -> None:
    codes = st.lists(st.integers(0, rules.codes - 1), min_size=3, max_size=rules.codes, unique=True)
    left = sorted(data.draw(codes))
    agree_on(left, room, rules)


def test_they_agree_on_many_candidates() -> None:
    """From ``MANY`` on guesses are alike by how many candidates give each answer."""
    rules = Rules(3, 5)
    assert rules.codes - 25 >= MANY
    agree_on(list(range(25, rules.codes)), 12, rules)


def agree_on(left: list[int], room: int, rules: Rules) -> None:
    """Compare the guesses that promise most over these candidates with those of plain Python."""
    bits, kept = all_bits(rules), np.zeros((room, COLUMNS), dtype=np.int64)
    some, sizes = np.zeros((len(bits) + 1, bits.shape[1]), np.int64), np.zeros(rules.answers, np.int64)
    few = for_reading(np.array(left, dtype=np.int32))
    held = promising(few, bits, first_bits(rules), floors(rules), hopes(rules), some, sizes, kept)
    readable = promising_readable([code_of_number(number, rules) for number in left], room, rules)
    assert kept[:held, GUESS].tolist() == [number_of_code(code, rules) for code in readable]
    assert all(floor >= floors(rules)[len(left)] for floor in kept[:held, FLOOR])


def test_no_tree_is_below_the_floors() -> None:
    assert floors(Rules(4, 6))[:18].tolist() == [0, *range(1, 28, 2), 30, 33, 36]
    assert floors(Rules(1, 3)).tolist() == [0, 1, 3, 6]
    assert np.array_equal(bounds(Rules(), 0.0), floors(Rules()))
    assert bounds(Rules(), 1.0)[100] == 301, "100 · (1.21 + 0.27 · log2 100), rounded up"


def least(left: list[int], turns: int, rules: Rules) -> int:
    """The least total of guesses over these candidates, by trying everything; 10^6 if there are too few turns."""
    if not left or turns == 0:
        return 10**6 if left else 0
    if len(left) == 1:
        return 1
    totals = [10**6]
    for guess in range(rules.codes):
        parts: dict[bytes, list[int]] = {}
        for number in left:
            state = State.begin(code_of_number(number, rules), rules).apply(guess)
            parts.setdefault(str(state.turns[-1].feedback).encode(), []).append(number)
        if max(map(len, parts.values())) < len(left):
            rest = sum(least([n for n in part if n != guess], turns - 1, rules) for part in parts.values())
            totals.append(len(left) + rest)
    return min(totals)


@pytest.mark.parametrize("rules", [Rules(2, 3), Rules(3, 2), Rules(3, 3, False)])
def test_a_search_with_room_for_every_guess_finds_the_best_tree(rules: Rules) -> None:
    everything = list(range(rules.codes))
    beam = Beam(rules, (rules.codes,) * 4)
    total = min(
        distribution(Follower(grow(beam, code_of_number(first, rules)), rules), rules).total
        for first in everything
    )
    assert total == least(everything, 5, rules)


def test_turns_can_be_too_few() -> None:
    rules = Rules(2, 4)
    left = all_numbers(rules)
    assert Beam(rules, (9, 9)).best(left, 2, 999) == (999, -1)
    total, guess = Beam(rules, (9, 9, 9, 9)).best(left, 1, 999)
    assert guess >= 0
    assert Beam(rules, (9, 9, 9, 9)).best(left, 1, total) == (total, -1)


def test_off_the_tree_the_first_candidate_is_guessed() -> None:
    rules = Rules()
    follower = Follower(tree_of_variant("classic"), rules)
    state = State.begin((5, 4, 3, 2), rules).apply(number_of_code((0, 1, 2, 3), rules))
    left = candidates(state.turns, rules)
    numbers = np.array([number_of_code(code, rules) for code in left], dtype=np.int32)
    assert follower(state.turns, numbers) == numbers[0]


def test_the_optimal_tree_plays_every_game() -> None:
    """5625 guesses over all secrets, which Koyama and Lai (1993) proved to be the fewest; game by game."""
    rules, tree = Rules(), tree_of_variant("classic")
    follower, exact = Follower(tree, rules), distribution(Follower(tree, rules), rules)
    assert (exact.mean, exact.most, exact.lost) == (Fraction(5625, 1296), 6, 0)
    assert exact.mean == pytest.approx(4.3403, abs=5e-5)
    given = np.zeros((rules.codes, rules.codes), dtype=np.int16)
    answers(all_bits(rules), all_bits(rules), given)
    found = [0] * rules.guesses
    for number in range(rules.codes):
        state, left = State.begin(code_of_number(number, rules), rules), all_numbers(rules)
        while not state.is_terminal:
            guess = follower(state.turns, left)
            state = state.apply(guess)
            left = left[given[guess, left] == state.turns[-1].feedback.number]
        found[int(state.returns()[0]) - 1] += 1
    assert exact == Distribution(tuple(found))


@pytest.mark.parametrize(("name", "total", "most"), [("classic", 5_625, 6), ("super", 179_113, 7)])
def test_the_texts_tell_what_the_trees_need(name: str, total: int, most: int) -> None:
    """4.3403 and 5.4661 guesses on average; the best that look one guess ahead need 4.3735 and 5.4890."""
    rules, tree = Rules.from_options({"variant": name}), tree_of_variant(name)
    exact = distribution(Follower(tree, rules), rules)
    assert (exact.total, exact.most, exact.lost) == (total, most, 0)
    assert tree_of_text(tree_text(tree, rules), rules) == tree
    assert (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()[0] == (
        f"# {rules.length} pegs of {rules.colours} colours: {total} guesses over all {rules.codes} codes, "
        f"{float(exact.mean):.4f} on average, at most {most}."
    )


@compiled_only
def test_the_optimal_tree_is_found_again() -> None:
    assert grow_variant("classic") == tree_of_variant("classic")


@compiled_only
@pytest.mark.slow
def test_the_tree_of_the_super_game_is_found_again() -> None:
    assert grow_variant("super") == tree_of_variant("super")
