"""Codes as bits: compiled feedback is the readable one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpkit.core.arrays import for_reading
from gpkit.games.mastermind.arrays import all_bits, all_codes, bits_of
from gpkit.games.mastermind.codes import Code, code_of_number
from gpkit.games.mastermind.kernel.feedback import answers
from gpkit.games.mastermind.options import Rules
from gpkit.games.mastermind.rules import feedback


def compiled(guesses: list[Code], secrets: list[Code], rules: Rules) -> list[list[int]]:
    found = np.zeros((len(guesses), len(secrets)), dtype=np.int16)
    answers(for_reading(bits_of(guesses, rules)), for_reading(bits_of(secrets, rules)), found)
    return found.tolist()


def test_all_pairs_of_the_classic_game() -> None:
    rules = Rules()
    codes = [code_of_number(number, rules) for number in range(rules.codes)]
    found = np.zeros((len(codes), len(codes)), dtype=np.int16)
    answers(all_bits(rules), all_bits(rules), found)
    assert np.array_equal(found, found.T)
    for guess, code in enumerate(codes):
        assert found[guess, guess:].tolist() == [feedback(code, secret).number for secret in codes[guess:]]


@given(st.data(), st.integers(1, 12), st.integers(1, 26), st.booleans())
def test_pairs_of_any_game(data: st.DataObject, length: int, colours: int, repeats: bool) -> None:
    rules = Rules(length, colours if repeats else max(colours, length), repeats)
    few = data.draw(st.integers(1, rules.colours)) if repeats else rules.colours
    pegs = st.lists(st.integers(0, few - 1), min_size=length, max_size=length, unique=not repeats).map(tuple)
    codes = data.draw(st.lists(pegs, min_size=2, max_size=5))
    expected = [[feedback(guess, secret).number for secret in codes] for guess in codes]
    assert compiled(codes, codes, rules) == expected


@pytest.mark.parametrize("rules", [Rules(3, 4), Rules(3, 5, False), Rules(1, 1)])
def test_lists_hold_every_code(rules: Rules) -> None:
    codes = [code_of_number(number, rules) for number in range(rules.codes)]
    assert [tuple(code) for code in all_codes(rules).tolist()] == codes
    assert np.array_equal(all_bits(rules), bits_of(codes, rules))
