"""``gpkit play mastermind``: both sides by script, contradictions are found and shown, and nothing hidden is told."""

from collections.abc import Iterable
from itertools import combinations

import conversations
import pytest
from case_files import case_tables
from hypothesis import given, settings
from hypothesis import strategies as st

from gpkit.core.errors import UsageError
from gpkit.games.mastermind.board import spaced
from gpkit.games.mastermind.forms.talk import contradiction
from gpkit.games.mastermind.game import GAME
from gpkit.games.mastermind.rules import (
    MastermindRules,
    Turn,
    code_of_number,
    code_of_text,
    code_text,
    codes_left,
    feedback,
)
from gpkit.playing.contest import deal_of

SMALL = ("length=2", "colours=4")


def said(opponent: str, typed: Iterable[str], *rules: str, seed: int = 1, seat: int = 0) -> list[str]:
    """What is said in a session in which these lines are typed."""
    options = dict(rule.split("=") for rule in rules)
    return conversations.said(
        conversations.seating_of("mastermind", opponent, **options), typed, seed=seed, seat=seat
    )


def secret_of(seed: int, rules: MastermindRules, game: int = 0) -> str:
    number = int(deal_of(GAME, rules, seed, game).secrets[0])
    return code_text(code_of_number(number, rules), rules)


def test_a_person_finds_the_code() -> None:
    rules = MastermindRules()
    secret = secret_of(7, rules)
    wrong = next(text for text in ("1122", "1123") if text != secret)
    shown = said("codemaker", [wrong, secret], seed=7)
    answer = feedback(code_of_text(wrong, rules), code_of_text(secret, rules))
    assert shown[0].startswith("Mastermind: a code is hidden, 4 pegs of 1 to 6.")
    assert shown[1].endswith(f"{answer.black} black {answer.white} white")
    assert shown[-1] == "You found it in 2 guesses."


def test_the_code_is_told_only_at_the_end() -> None:
    secret = " ".join(secret_of(3, MastermindRules()))
    wrong = next(text for text in ("1 1 1 1", "2 2 2 2") if text != secret)
    shown = said("codemaker", ["?", "", wrong, "", "q"], seed=3)
    assert not any(secret in part for part in shown[:-1])
    assert shown[-1] == f"You gave up; the code is {secret}. The game does not count."
    lost = said("codemaker", [wrong, wrong], "guesses=2", seed=3)
    assert lost[-1] == f"Not found in 2 guesses. The code is {secret}."


def test_two_games_have_a_tally() -> None:
    rules = MastermindRules(2, 4)
    typed = [secret_of(1, rules), "y", secret_of(1, rules, 1), "n"]
    shown = said("codemaker", typed, *SMALL)
    assert shown[-1] == "guesses after 2 games: 1 on average"


def test_what_is_left_and_a_hint() -> None:
    shown = said("codemaker", ["l", "h", "zz", "11", "l", "h", "q"], *SMALL)
    assert shown[1] == "16 of 16 codes are left: 11 12 13 14 21 22 23 24 ..."
    assert shown[2].startswith("champion would choose 12:\n")
    assert shown[4] == "`zz`: peg 1 is `z`; the colours are 1 to 4; the nearest is `4`"
    assert shown[3] == "`gpkit list sensors --game mastermind` explains the columns."
    assert " of 16 codes are left" in shown[6]
    huge = said("codemaker", ["l", "h", "q"], "length=8", "colours=12")
    assert huge[1] == "there are 429,981,696 codes, too many to be listed"
    assert huge[2].startswith(
        "a program evaluates every code for every guess, and 429,981,696 codes are too many: "
    )


@pytest.mark.parametrize("opponent", ["knuth", "consistent-random"])
@pytest.mark.parametrize("secret", ["11", "34", "42"])
def test_a_breaker_finds_the_code_of_a_person(opponent: str, secret: str) -> None:
    shown = said(opponent, [f"= {secret}"] * 10, *SMALL)
    assert shown[0].startswith(f"Mastermind: think of a code, 2 pegs of 1 to 4; {opponent} guesses")
    guesses = [part for part in shown if part.startswith(f"{opponent} guesses ")]
    assert guesses[-1].endswith(" ".join(secret))
    assert shown[-1] == f"{opponent} found your code in {len(guesses)} guess{'es' * (len(guesses) > 1)}."


def test_contradicting_answers_are_shown_and_can_be_changed() -> None:
    shown = said("first-consistent", ["none"] * 4 + ["5", "4", "3 0", "2 0"], *SMALL)
    told = "No code fits since guess 4. Answer 1, 2, 3 or 4 must be wrong:"
    first = shown.index(told)
    assert shown[first + 1].splitlines() == [
        " 1  1 1   ..  0 black 0 white",
        " 2  2 2   ..  0 black 0 white",
        " 3  3 3   ..  0 black 0 white",
        " 4  4 4   ..  0 black 0 white",
    ]
    assert shown[first + 2] == "expected the number of a guess, 1 to 4"
    assert any(part.startswith("`3 0` is impossible") for part in shown)
    assert shown[-1] == "first-consistent found your code in 4 guesses."


def test_only_answers_that_contradict_are_shown() -> None:
    shown = said("first-consistent", ["0 1", "none", "q"], *SMALL)
    assert "No code fits. Answer 1 must be wrong:" in shown
    assert shown[-2] == " 1  1 1   o.  0 black 1 white"


def test_one_answer_that_no_code_gives() -> None:
    rules = ("length=2", "colours=3", "repeats=no")
    shown = said("first-consistent", ["0 1", "1 1", "q"], *rules)
    assert any(part.startswith("`1 1` is impossible") for part in shown)


def test_answers_can_be_changed_before_they_contradict() -> None:
    shown = said("first-consistent", ["none", "c 1", "x", "1 0", "", "c 7", "c", "q"], *SMALL)
    assert " 1  1 1   x.  1 black 0 white" in shown
    assert "expected the number of a guess, 1 to 1" in shown
    lines = [part for part in shown if part.startswith("first-consistent guesses ")]
    assert [line[-3:] for line in lines] == ["1 1", "2 2", "1 2"]


def test_the_own_code_is_held_against_earlier_answers() -> None:
    shown = said("first-consistent", ["none", "= 11", "= 11111", "q"], *SMALL)
    assert (
        "if your code is 11, the answer to guess 1 is 2 black 0 white, but you said 0 black 0 white; `c 1` changes it"
    ) in shown
    assert any("peg 3 is one too many" in part for part in shown)


@st.composite
def histories(draw: st.DrawFn) -> tuple[MastermindRules, tuple[Turn, ...]]:
    rules = draw(
        st.sampled_from([MastermindRules(2, 3), MastermindRules(2, 4), MastermindRules(3, 3, False)])
    )
    codes = st.integers(0, rules.codes - 1).map(lambda number: code_of_number(number, rules))
    answers = st.builds(feedback, codes, codes)
    return rules, tuple(draw(st.lists(st.builds(Turn, codes, answers), min_size=1, max_size=5)))


@settings(max_examples=100)
@given(histories())
def test_a_contradiction_is_as_small_as_it_can_be(history: tuple[MastermindRules, tuple[Turn, ...]]) -> None:
    rules, turns = history
    if len(codes_left(turns, rules)):
        return
    found = [turns[number - 1] for number in contradiction(turns, rules)]
    assert not len(codes_left(found, rules))
    for some in combinations(found, len(found) - 1):
        assert len(codes_left(some, rules))


WORDS = case_tables("typed.toml")["mastermind"]


@settings(max_examples=60)
@given(
    st.sampled_from(["codemaker", "knuth", "consistent-random"]),
    st.lists(st.one_of(st.sampled_from(WORDS), st.text(max_size=8)), max_size=30),
)
def test_nothing_that_is_typed_breaks_the_session(opponent: str, typed: list[str]) -> None:
    for part in said(opponent, typed, *SMALL):
        assert "\x1b" not in part


def test_mistakes() -> None:
    with pytest.raises(UsageError, match="--seat 1: in mastermind only seat 0 plays"):
        said("knuth", [], seat=1)
    with pytest.raises(UsageError, match="531,441 codes are too many"):
        said("knuth", ["q"], "length=6", "colours=9")
    with pytest.raises(UsageError, match="checked against all codes, and 429,981,696 are too many"):
        said("evolutionary", ["q"], "length=8", "colours=12")


def test_the_command(gpkit) -> None:
    done = gpkit(
        "play",
        "mastermind",
        "--vs",
        "kooi",
        "--seed",
        "1",
        stdin=b"= 1123\n= 1123\n= 1123\n= 1123\n= 1123\n= 1123\n",
    )
    assert done.code == 0
    assert "kooi found your code in" in done.out
    assert spaced(code_of_text("1123", MastermindRules()), MastermindRules()) in done.out


def test_enter_shows_the_answers_wherever_an_answer_is_asked_for() -> None:
    first = " 1  1 1 2 3   xoo.  1 black 2 white"
    heard = said("kooi", ["1 2", "c 1", "", "1 1", "q"])
    assert heard.count(first) == 1
    contradictory = said("kooi", ["1 2", "1 0", "", "q"])
    assert contradictory.count(f"{first}\n 2  1 2 1 4   x...  1 black 0 white") == 2
