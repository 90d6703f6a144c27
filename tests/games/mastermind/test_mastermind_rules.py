"""The readable rules, options, codes and feedback as text, boards as text and as pictures.

Codes as bits: compiled feedback is the readable one.
"""

import re
import xml.etree.ElementTree as ElementTree
from itertools import product

import numpy as np
import pytest
from case_files import case_tables
from hypothesis import given
from hypothesis import strategies as st

from gpkit.core.arrays import for_reading
from gpkit.core.errors import UsageError
from gpkit.games.mastermind.board import board_svg, board_text, feedback_of_text, feedback_text, spaced
from gpkit.games.mastermind.kernel.programs import answers
from gpkit.games.mastermind.rules import (
    Code,
    Feedback,
    MastermindRules,
    Turn,
    all_bits,
    all_codes,
    bits_of,
    can_be,
    code_of_number,
    code_of_text,
    code_text,
    feedback,
    is_consistent,
    number_of_code,
)
from gpkit.games.mastermind.state import MastermindState

SMALL = [
    MastermindRules(1, 1),
    MastermindRules(3, 1),
    MastermindRules(2, 3),
    MastermindRules(3, 4),
    MastermindRules(3, 4, False),
    MastermindRules(4, 4, False),
    MastermindRules(2, 5),
]

TYPED = case_tables("typed.toml")


@st.composite
def rules_of(draw: st.DrawFn) -> MastermindRules:
    """Rules of any size."""
    length, repeats = draw(st.integers(1, 12)), draw(st.booleans())
    return MastermindRules(
        length, draw(st.integers(1 if repeats else length, 26)), repeats, draw(st.integers(1, 20))
    )


@st.composite
def codes_of(draw: st.DrawFn, rules: MastermindRules) -> Code:
    """A code of these rules."""
    return code_of_number(draw(st.integers(0, rules.codes - 1)), rules)


@st.composite
def states(draw: st.DrawFn) -> MastermindState:
    """A game of some guesses; some are the code or near it."""
    rules = draw(rules_of())
    state = MastermindState.begin(draw(codes_of(rules)), rules)
    for _ in range(draw(st.integers(0, 5))):
        if not state.is_terminal:
            code = draw(st.one_of(codes_of(rules), st.just(state.secret)))
            state = state.apply(number_of_code(code, rules))
    return state


def all_of(rules: MastermindRules) -> list[Code]:
    return [code_of_number(number, rules) for number in range(rules.codes)]


def feedback_by_pairing(guess: Code, secret: Code) -> Feedback:
    """Feedback as at the table: pegs that are in place are put aside, the others look for a partner one by one."""
    black = [place for place in range(len(guess)) if guess[place] == secret[place]]
    left = [colour for place, colour in enumerate(secret) if place not in black]
    white = 0
    for place, colour in enumerate(guess):
        if place not in black and colour in left:
            left.remove(colour)
            white += 1
    return Feedback(len(black), white)


@pytest.mark.parametrize("rules", [*SMALL, MastermindRules(4, 3)])
def test_feedback_is_what_is_done_at_the_table(rules: MastermindRules) -> None:
    for guess, secret in product(all_of(rules), repeat=2):
        assert feedback(guess, secret) == feedback_by_pairing(guess, secret) == feedback(secret, guess)


@pytest.mark.parametrize("rules", [*SMALL, MastermindRules(4, 2)])
def test_numbers_of_feedback_and_what_can_be(rules: MastermindRules) -> None:
    numbers = [Feedback.of_number(number) for number in range(rules.answers)]
    assert [answer.number for answer in numbers] == list(range(rules.answers))
    assert numbers == sorted(numbers, key=lambda answer: (answer.black + answer.white, answer.black))
    assert numbers[-1] == Feedback(rules.length, 0)
    found = {feedback(guess, secret) for guess, secret in product(all_of(rules), repeat=2)}
    assert found <= {answer for answer in numbers if can_be(answer, rules)}


@pytest.mark.parametrize(
    "rules",
    [
        MastermindRules(),
        MastermindRules(3, 5),
        MastermindRules(3, 4, False),
        MastermindRules(4, 6, False),
        MastermindRules(2, 1),
    ],
)
def test_every_feedback_that_can_be_is_that_of_two_codes(rules: MastermindRules) -> None:
    codes = all_of(rules)
    some = codes[::5] if len(codes) < 500 else codes[::45]
    found = {feedback(guess, secret) for guess in some for secret in codes}
    assert found == {
        answer for answer in map(Feedback.of_number, range(rules.answers)) if can_be(answer, rules)
    }


@pytest.mark.parametrize("rules", SMALL)
def test_codes_are_numbered_in_the_order_of_their_texts(rules: MastermindRules) -> None:
    codes = all_of(rules)
    assert codes == sorted(set(codes))
    assert len(codes) == rules.codes
    texts = [code_text(code, rules) for code in codes]
    assert texts == sorted(texts)


@given(st.data(), rules_of())
def test_codes_round_trip(data: st.DataObject, rules: MastermindRules) -> None:
    number = data.draw(st.integers(0, rules.codes - 1))
    code = code_of_number(number, rules)
    assert number_of_code(code, rules) == number
    text = code_text(code, rules)
    assert code_of_text(text, rules) == code_of_text(" , ".join(text.lower()), rules) == code


def test_digits_are_read_where_letters_are_written() -> None:
    assert code_of_text("1 2 c j", MastermindRules(4, 10)) == (0, 1, 2, 9)
    assert code_of_text("AbCf", MastermindRules()) == (0, 1, 2, 5)


@pytest.mark.parametrize(
    ("text", "options", "message"),
    TYPED["codes"],
)
def test_texts_that_are_no_code(text: str, options: dict[str, str], message: str) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        code_of_text(text, MastermindRules.from_options(options))


@given(rules_of(), st.integers(0, 200))
def test_feedback_round_trips(rules: MastermindRules, number: int) -> None:
    answer = Feedback.of_number(number % rules.answers)
    if can_be(answer, rules):
        short = f"{answer.white}w{answer.black}b"
        assert feedback_of_text(feedback_text(answer), rules) == answer == feedback_of_text(short, rules)
        assert feedback_of_text(f"{answer.black}, {answer.white}", rules) == answer


@pytest.mark.parametrize("text", ["1 white", "1w", " 1 WHITE peg ", "0 black and 1 white", "0 1"])
def test_feedback_may_be_short(text: str) -> None:
    assert feedback_of_text(text, MastermindRules()) == Feedback(0, 1)


@pytest.mark.parametrize(
    ("text", "message"),
    TYPED["answers"],
)
def test_texts_that_are_no_feedback(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        feedback_of_text(text, MastermindRules())


def test_codes_without_repeats_have_colours_in_common() -> None:
    with pytest.raises(UsageError, match="any two codes have 2 pegs or more in common"):
        feedback_of_text("1 black", MastermindRules(4, 6, repeats=False))


@given(rules_of())
def test_options_round_trip(rules: MastermindRules) -> None:
    assert MastermindRules.from_options(rules.to_options()) == rules


def test_variants_and_options() -> None:
    assert MastermindRules.from_options({}) == MastermindRules(4, 6, True, 15)
    assert MastermindRules.from_options({"variant": "super", "repeats": "no"}) == MastermindRules(5, 8, False)
    for options, message in [
        ({"lenght": "4"}, "Mastermind has no rule `lenght`; did you mean `length`"),
        ({"length": "0"}, "length=0: expected a whole number from 1 to 12"),
        ({"length": "7", "repeats": "no"}, "colours=6: .*7 pegs without repeats need at least 7 colours"),
        ({"variant": "clasic"}, "did you mean `classic`"),
    ]:
        with pytest.raises(UsageError, match=message):
            MastermindRules.from_options(options)


def test_a_game_ends_with_the_code_or_the_last_guess() -> None:
    rules = MastermindRules(guesses=3)
    number = number_of_code((0, 0, 1, 1), rules)
    state = MastermindState.begin((0, 1, 2, 3), rules).apply(number)
    assert (state.observation(0), state.is_terminal) == ((Turn((0, 0, 1, 1), Feedback(1, 1)),), False)
    found = state.apply(number_of_code((0, 1, 2, 3), rules))
    assert (found.is_solved, found.is_terminal, found.returns()) == (True, True, (2.0,))
    lost = state.apply(number).apply(1295)
    assert (lost.is_solved, lost.is_terminal, lost.returns()) == (False, True, (4.0,))
    assert list(state.legal_actions()) == list(range(1296))


@given(states())
def test_the_secret_is_always_consistent(state: MastermindState) -> None:
    assert is_consistent(state.secret, state.turns)
    wrong = [turn.guess for turn in state.turns if turn.guess != state.secret]
    assert not any(is_consistent(code, state.turns) for code in wrong)


@given(states(), st.booleans())
def test_boards_show_every_guess_and_hide_the_code(state: MastermindState, reveal: bool) -> None:
    rules, shown = state.rules, reveal or state.is_terminal
    lines = board_text(state, None if reveal else 0).splitlines()
    assert len(lines) == len(state.turns) + 1
    for turn, line in zip(state.turns, lines, strict=False):
        assert " ".join(code_text(turn.guess, rules)) in line
        assert line.endswith(feedback_text(turn.feedback))
        assert (line.count("x"), line.count("o.")) >= (turn.feedback.black, 0)
    assert ("?" in lines[-1]) != shown
    svg = board_svg(state, None if reveal else 0)
    title = ElementTree.fromstring(svg).findtext("{http://www.w3.org/2000/svg}title")  # noqa: S314
    rows = [f"{spaced(turn.guess, rules)}: {feedback_text(turn.feedback)}" for turn in state.turns]
    is_drawn = shown and not state.is_solved
    rows += [f"The code: {spaced(state.secret, rules)}"] * is_drawn
    assert title == ("; ".join(rows) or "No guesses yet")
    assert svg.count('font-weight="bold"') == rules.length * (len(state.turns) + is_drawn)


def test_text_of_a_game() -> None:
    state = MastermindState.begin((0, 1, 2, 3), MastermindRules()).apply(
        number_of_code((0, 0, 1, 1), MastermindRules())
    )
    assert board_text(state, 0) == (
        " 1  1 1 2 2   xo..  1 black 1 white\n    ? ? ? ?   1 guess made, 14 left\n"
    )
    assert board_text(state.apply(number_of_code(state.secret, MastermindRules()))).endswith(
        "    1 2 3 4   found with 2 guesses\n"
    )


def compiled(guesses: list[Code], secrets: list[Code], rules: MastermindRules) -> list[list[int]]:
    found = np.zeros((len(guesses), len(secrets)), dtype=np.int16)
    answers(for_reading(bits_of(guesses, rules)), for_reading(bits_of(secrets, rules)), found)
    return found.tolist()


@pytest.mark.release
def test_all_pairs_of_the_classic_game() -> None:
    rules = MastermindRules()
    codes = [code_of_number(number, rules) for number in range(rules.codes)]
    found = np.zeros((len(codes), len(codes)), dtype=np.int16)
    answers(all_bits(rules), all_bits(rules), found)
    assert np.array_equal(found, found.T)
    for guess in range(0, len(codes), 11):
        assert found[guess].tolist() == [feedback(codes[guess], secret).number for secret in codes]


@given(st.data(), st.integers(1, 12), st.integers(1, 26), st.booleans())
def test_pairs_of_any_game(data: st.DataObject, length: int, colours: int, repeats: bool) -> None:
    rules = MastermindRules(length, colours if repeats else max(colours, length), repeats)
    few = data.draw(st.integers(1, rules.colours)) if repeats else rules.colours
    pegs = st.lists(st.integers(0, few - 1), min_size=length, max_size=length, unique=not repeats).map(tuple)
    codes = data.draw(st.lists(pegs, min_size=2, max_size=5))
    expected = [[feedback(guess, secret).number for secret in codes] for guess in codes]
    assert compiled(codes, codes, rules) == expected


@pytest.mark.parametrize(
    "rules", [MastermindRules(3, 4), MastermindRules(3, 5, False), MastermindRules(1, 1)]
)
def test_lists_hold_every_code(rules: MastermindRules) -> None:
    codes = [code_of_number(number, rules) for number in range(rules.codes)]
    assert [tuple(code) for code in all_codes(rules).tolist()] == codes
    assert np.array_equal(all_bits(rules), bits_of(codes, rules))
