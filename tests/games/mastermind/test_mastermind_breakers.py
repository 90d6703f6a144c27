"""Breakers that look one guess ahead: readable and compiled ones agree; their exact means are the known ones."""

from collections import Counter
from fractions import Fraction

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpkit.games.mastermind.breakers import (
    COSTS,
    best_guess,
    candidates,
    first_guess,
    parts,
    random_guess,
)
from gpkit.games.mastermind.codes import code_of_number, number_of_code
from gpkit.games.mastermind.exact import Distribution, distribution, split
from gpkit.games.mastermind.lookahead import Lookahead, all_numbers, first_guesses
from gpkit.games.mastermind.options import Rules
from gpkit.games.mastermind.rules import State, Turn, feedback

compiled_only = pytest.mark.skipif(
    numba.config.DISABLE_JIT, reason="looks at too many codes for interpreted kernels"
)

SMALL = [Rules(3, 3), Rules(2, 5), Rules(3, 4, False), Rules(1, 3), Rules(4, 2)]


@st.composite
def lefts(draw: st.DrawFn) -> tuple[Rules, list[int]]:
    """Any candidates of a small game, whether guesses can leave them or not."""
    rules = draw(st.sampled_from(SMALL))
    numbers = st.integers(0, rules.codes - 1)
    return rules, sorted(draw(st.lists(numbers, min_size=1, max_size=rules.codes, unique=True)))


@settings(max_examples=60)
@given(lefts(), st.sampled_from(tuple(COSTS)))
def test_readable_and_compiled_breakers_agree(case: tuple[Rules, list[int]], name: str) -> None:
    rules, left = case
    readable = best_guess(name, [code_of_number(number, rules) for number in left], rules)
    assert Lookahead(name, rules)((), np.array(left, dtype=np.int32)) == number_of_code(readable, rules)


@pytest.mark.parametrize("name", COSTS)
@pytest.mark.parametrize("rules", SMALL)
def test_exact_distributions_are_those_of_playing_every_game(name: str, rules: Rules) -> None:
    compiled, found = Lookahead(name, rules), Counter[int]()
    for number in range(rules.codes):
        state = State.begin(code_of_number(number, rules), rules)
        while not state.is_terminal:
            left = candidates(state.observation(), rules)
            numbers = np.array([number_of_code(code, rules) for code in left], dtype=np.int32)
            state = state.apply_action(compiled(state.observation(), numbers))
        found[int(state.returns()[0])] += 1
    exact = distribution(compiled, rules)
    assert {guesses: count for guesses, count in enumerate(exact.secrets, start=1) if count} == found
    assert exact.total == sum(guesses * count for guesses, count in found.items())


@pytest.mark.parametrize("rules", [*SMALL, Rules(4, 6), Rules(4, 5, False)])
def test_first_guesses_are_the_first_of_every_kind(rules: Rules) -> None:
    first: dict[tuple[int, ...], int] = {}
    for number in range(rules.codes):
        kind = tuple(sorted(Counter(code_of_number(number, rules)).values()))
        first.setdefault(kind, number)
    assert first_guesses(rules).tolist() == sorted(first.values())


@compiled_only
@pytest.mark.parametrize("name", COSTS)
def test_first_guess_is_the_best_of_all(name: str) -> None:
    rules = Rules(3, 5)
    everything = [code_of_number(number, rules) for number in range(rules.codes)]
    assert code_of_number(Lookahead(name, rules)((), all_numbers(rules)), rules) == best_guess(
        name, everything, rules
    )


KNOWN = {
    "knuth": ((0, 0, 1, 1), 5801, (1, 6, 62, 533, 694)),
    "irving": ((0, 0, 1, 2), 5696, (1, 10, 54, 645, 583, 3)),
    "entropy": ((0, 1, 2, 3), 5722, (1, 4, 71, 612, 596, 12)),
    "kooi": ((0, 0, 1, 2), 5668, (1, 12, 72, 635, 569, 7)),
}
"""First guess, guesses over all 1296 secrets, and secrets by guesses: as in Kooi (2005), where it has them."""


@compiled_only
@pytest.mark.parametrize("name", KNOWN)
def test_classic_game(name: str) -> None:
    rules, strategy = Rules(), Lookahead(name, Rules())
    guess, total, secrets = KNOWN[name]
    assert code_of_number(strategy((), all_numbers(rules)), rules) == guess
    exact = distribution(strategy, rules)
    assert (exact.total, exact.most, exact.lost) == (total, len(secrets), 0)
    assert exact.secrets[: len(secrets)] == secrets
    assert exact.mean == Fraction(total, 1296)


def test_knuth_told_what_follows_one_white_peg() -> None:
    rules = Rules()
    turns = [Turn((0, 0, 1, 1), feedback((0, 0, 1, 1), (1, 2, 3, 4)))]
    assert turns[0].feedback.number == 1
    left = candidates(turns, rules)
    assert len(left) == 256
    numbers = np.array([number_of_code(code, rules) for code in left], dtype=np.int32)
    chosen = code_of_number(Lookahead("knuth", rules)(tuple(turns), numbers), rules)
    assert chosen == (1, 2, 3, 3), "2344, as printed by Knuth"
    assert max(parts(chosen, left)) == 44


def test_who_guesses_the_same_again_and_again_loses() -> None:
    rules = Rules(2, 3, guesses=4)
    exact = distribution(lambda turns, left: 5, rules)
    assert exact == Distribution((1, 0, 0, 0), 8)
    assert (exact.total, exact.most) == (1 + 8 * 5, 1)


@given(lefts(), st.data())
def test_parts_are_split_by_answer(case: tuple[Rules, list[int]], data: st.DataObject) -> None:
    rules, left = case
    guess = data.draw(st.integers(0, rules.codes - 1))
    code = code_of_number(guess, rules)
    expected: dict[int, list[int]] = {}
    for number in left:
        expected.setdefault(feedback(code, code_of_number(number, rules)).number, []).append(number)
    found = split(guess, np.array(left, dtype=np.int32), rules)
    assert {answer: part.tolist() for answer, part in found} == expected
    assert [answer for answer, _ in found] == sorted(expected)


def test_consistent_guesses() -> None:
    rules = Rules(3, 3)
    left = candidates([Turn((0, 0, 1), feedback((0, 0, 1), (0, 1, 2)))], rules)
    assert first_guess(left) == left[0]
    drawn = Counter(random_guess(left, key, 1) for key in range(400))
    assert set(drawn) == set(left)
    assert max(drawn.values()) < 3 * 400 / len(left)
    assert random_guess(left, 7, 1) == random_guess(left, 7, 1)


SUPER = {
    "knuth": (183_966, (1, 5, 79, 1376, 11371, 18193, 1743)),
    "irving": (180_287, (1, 8, 105, 1477, 13804, 16584, 789)),
    "entropy": (179_863, (1, 9, 113, 1575, 14136, 16014, 919, 1)),
    "kooi": (182_065, (1, 14, 157, 1603, 12700, 16416, 1859, 18)),
}
"""After 11234, as found here; 5.6142, 5.5019 and 5.4890 were found independently while planning, for Kooi 5.5491."""


@compiled_only
@pytest.mark.slow
@pytest.mark.parametrize("name", SUPER)
def test_super_game(name: str) -> None:
    rules = Rules.from_options({"variant": "super"})
    exact = distribution(Lookahead(name, rules, number_of_code((0, 0, 1, 2, 3), rules)), rules)
    total, secrets = SUPER[name]
    assert (exact.total, exact.secrets[: exact.most]) == (total, secrets)
