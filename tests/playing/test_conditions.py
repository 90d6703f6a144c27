"""Conditions: what they mean, compared with Python's own reading, and what is said of those that are none."""

import pytest
from case_files import case_tables
from hypothesis import given
from hypothesis import strategies as st

from gpkit.core.errors import LimitError, UsageError
from gpkit.gamekit.facts import Fact, Value
from gpkit.playing.trace import MAX_CONDITION, Vocabulary, grammar, read_condition

CASES = case_tables("conditions.toml")

VOCABULARY = Vocabulary(
    (
        Fact("turn", "number", "turns taken", str),
        Fact("rank", "number", "of the card", str),
        Fact("env.rank", "number", "of the own card", str),
        Fact("env.depth", "number", "steps from the seven", str),
        Fact("state", "text", "what the program is in", str),
        Fact("card", "text", "the card", str),
    ),
    words=("Sinking", "Searching"),
)


def holds(text: str, **values: Value) -> bool:
    return read_condition(text, VOCABULARY).holds({k.replace("__", "."): v for k, v in values.items()})


@pytest.mark.parametrize(("text", "expected"), CASES["meaning"])
def test_meaning(text: str, expected: bool) -> None:
    values: dict[str, Value] = {"turn": 4.0, "rank": 7.0, "card": "7h", "state": "Sinking"}
    sensors: dict[str, Value] = {"env__rank": 9.0, "env__depth": 2.0}
    assert holds(text, **values, **sensors) is expected


@pytest.mark.parametrize("text", CASES["unknown"])
def test_what_has_no_value_is_never_true(text: str) -> None:
    assert not holds(text)
    assert not holds(text, turn=None, card=None)
    assert holds(f"not ({text})")


def test_nan_is_not_true_and_equal_to_nothing() -> None:
    assert not holds("turn", turn=float("nan"))
    assert not holds("turn == turn", turn=float("nan"))
    assert not holds("turn % 2 == 0", turn=float("inf"))


def _expressions() -> st.SearchStrategy[str]:
    """Conditions over ``turn`` and ``rank`` that Python reads alike, once texts and missing values are left out."""
    leaves = st.sampled_from(["turn", "rank", "0", "1", "2.5", "7"])
    numbers = st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.tuples(inner, st.sampled_from("+-*"), inner).map(" ".join),
            inner.map("({})".format),
            inner.map("- {}".format),
        ),
        max_leaves=5,
    )
    compared = st.tuples(numbers, st.sampled_from(["==", "!=", "<", "<=", ">", ">="]), numbers).map(" ".join)
    return st.recursive(
        compared,
        lambda inner: st.one_of(
            st.tuples(inner, st.sampled_from(["and", "or"]), inner).map(" ".join),
            inner.map("({})".format),
            inner.map("not {}".format),
        ),
        max_leaves=6,
    )


@given(_expressions(), st.sampled_from([-2.0, 0.0, 1.0, 2.5, 7.0]), st.sampled_from([0.0, 1.0, 7.0]))
def test_precedence_is_that_of_python(text: str, turn: float, rank: float) -> None:
    if len(text) <= MAX_CONDITION:
        expected = eval(text, {"__builtins__": {}}, {"turn": turn, "rank": rank})  # noqa: S307 - the oracle
        assert holds(text, turn=turn, rank=rank) == expected


def test_depth_is_bounded_by_length_alone() -> None:
    assert holds("(" * 490 + "turn" + ")" * 490, turn=1.0)
    assert holds("-" * 900 + "turn == 1", turn=1.0)
    assert holds("not " * 240 + "turn", turn=1.0)


@pytest.mark.parametrize(("text", "message", "caret"), CASES["mistakes"])
def test_mistake_is_shown_where_it_is(text: str, message: str, caret: int) -> None:
    with pytest.raises(UsageError) as raised:
        read_condition(text, VOCABULARY)
    said, shown, mark = str(raised.value).split("\n")
    assert message in said
    assert shown == "  " + text.replace("\x00", " ")
    assert mark.index("^") == caret + 2


def test_code_is_not_a_condition() -> None:
    for text in ("__import__('os').system('ls')", "turn.__class__", "[turn]", "lambda: 1", "turn ** 9"):
        with pytest.raises(UsageError):
            read_condition(text, VOCABULARY)


def test_too_long_is_a_limit() -> None:
    with pytest.raises(LimitError, match="longer than 1000 characters"):
        read_condition("turn" + " " * MAX_CONDITION, VOCABULARY)


def test_short_name_of_two_is_none() -> None:
    names = (Fact("a.x", "number", "", str), Fact("b.x", "number", "", str))
    vocabulary = Vocabulary(names)
    assert vocabulary.find("x") is None
    assert vocabulary.find("a.x") == names[0]
    assert vocabulary.spellings == ("a.x", "b.x")


def test_no_two_terminals_collide() -> None:
    assert grammar(strict=True).parse("turn == 1 and not card == 'x'").data == "binary"
