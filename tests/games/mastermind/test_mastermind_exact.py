"""How many guesses strategies need for every secret: parts are followed as games are played."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpkit.gamekit.state import end_of
from gpkit.games.mastermind.rules import (
    Distribution,
    MastermindRules,
    code_of_number,
    distribution,
    feedback,
    first_guesses,
    number_of_code,
    split,
)
from gpkit.games.mastermind.state import MastermindState
from gpkit_experiments.readable.mastermind import candidates

SMALL = [
    MastermindRules(3, 3),
    MastermindRules(2, 5),
    MastermindRules(3, 4, False),
    MastermindRules(1, 3),
    MastermindRules(4, 2),
]


@st.composite
def lefts(draw: st.DrawFn) -> tuple[MastermindRules, list[int]]:
    """Any candidates of a small game, whether guesses can leave them or not."""
    rules = draw(st.sampled_from(SMALL))
    numbers = st.integers(0, rules.codes - 1)
    return rules, sorted(draw(st.lists(numbers, min_size=1, max_size=rules.codes, unique=True)))


@pytest.mark.parametrize("place", [0, -1])
@pytest.mark.parametrize("rules", SMALL)
def test_exact_distributions_are_those_of_playing_every_game(place: int, rules: MastermindRules) -> None:
    """Of who guesses the first code that is left, and of who guesses the last."""
    found = Counter[int]()
    for number in range(rules.codes):
        begin = MastermindState.begin(code_of_number(number, rules), rules)
        end = end_of(begin, lambda state: number_of_code(candidates(state.turns, rules)[place], rules))
        found[int(end.returns()[0])] += 1
    exact = distribution(lambda turns, left: int(left[place]), rules)
    assert {guesses: count for guesses, count in enumerate(exact.secrets, start=1) if count} == found
    assert exact.total == sum(guesses * count for guesses, count in found.items())
    assert exact.mean == Fraction(exact.total, rules.codes)


@pytest.mark.parametrize("rules", [*SMALL, MastermindRules(4, 6), MastermindRules(4, 5, False)])
def test_first_guesses_are_the_first_of_every_kind(rules: MastermindRules) -> None:
    first: dict[tuple[int, ...], int] = {}
    for number in range(rules.codes):
        kind = tuple(sorted(Counter(code_of_number(number, rules)).values()))
        first.setdefault(kind, number)
    assert first_guesses(rules).tolist() == sorted(first.values())


def test_who_guesses_the_same_again_and_again_loses() -> None:
    rules = MastermindRules(2, 3, guesses=4)
    exact = distribution(lambda turns, left: 5, rules)
    assert exact == Distribution((1, 0, 0, 0), 8)
    assert (exact.total, exact.most) == (1 + 8 * 5, 1)


@given(lefts(), st.data())
def test_parts_are_split_by_answer(case: tuple[MastermindRules, list[int]], data: st.DataObject) -> None:
    rules, left = case
    guess = data.draw(st.integers(0, rules.codes - 1))
    code = code_of_number(guess, rules)
    expected: dict[int, list[int]] = {}
    for number in left:
        expected.setdefault(feedback(code, code_of_number(number, rules)).number, []).append(number)
    found = split(guess, np.array(left, dtype=np.int32), rules)
    assert {answer: part.tolist() for answer, part in found} == expected
    assert [answer for answer, _ in found] == sorted(expected)
