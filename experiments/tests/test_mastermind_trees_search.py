"""Strategy trees by search: readable and compiled agree, and the trees that ship are found again."""

from collections import Counter
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kernel_marks import compiled_only

from gpkit.core.arrays import for_reading
from gpkit.games.mastermind.arrays import all_bits, all_numbers
from gpkit.games.mastermind.codes import Code, code_of_number, number_of_code
from gpkit.games.mastermind.exact import distribution
from gpkit.games.mastermind.options import Rules
from gpkit.games.mastermind.players import UNIT
from gpkit.games.mastermind.rules import feedback
from gpkit.games.mastermind.state import State
from gpkit.games.mastermind.trees import follow_tree, tree_of_variant
from gpkit_experiments.mastermind_trees import (
    COLUMNS,
    FLOOR,
    GUESS,
    MANY,
    Beam,
    bounds,
    first_bits,
    floors,
    grow,
    grow_variant,
    hopes,
    promising,
)

SMALL = [Rules(3, 3), Rules(2, 5), Rules(3, 4, False), Rules(4, 2)]


def promising_readable(left: list[Code], room: int, rules: Rules) -> list[Code]:
    """Reference for ``promising``: the guesses that promise the least total over some candidates."""
    ways: dict[tuple[object, ...], tuple[int, Code]] = {}
    for code in (*left, *(code_of_number(number, rules) for number in range(rules.codes))):
        answers = [feedback(code, other) for other in left]
        labels = tuple(
            0 if other == code else 1 + answers.index(answer)
            for other, answer in zip(left, answers, strict=True)
        )
        sizes = Counter(label for label in labels if label)
        alike = tuple(sorted(Counter(answer.number for answer in answers).items()))
        if max(sizes.values(), default=1) == 1:
            return [code]
        hope = UNIT * len(left) + sum(int(hopes(rules)[size]) for size in sizes.values())
        if len(set(labels)) > 1:
            ways.setdefault(alike if len(left) >= MANY else labels, (hope, code))
    return [code for _, code in sorted(ways.values(), key=lambda way: way[0])[:room]]


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
        distribution(partial(follow_tree, grow(beam, code_of_number(first, rules)), rules), rules).total
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


@compiled_only
def test_the_optimal_tree_is_found_again() -> None:
    assert grow_variant("classic") == tree_of_variant("classic")


@compiled_only
@pytest.mark.slow
def test_the_tree_of_the_super_game_is_found_again() -> None:
    assert grow_variant("super") == tree_of_variant("super")
