"""Conditions: what they mean, compared with Python's own reading, and what is said of those that are none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpkit.core.errors import LimitError, UsageError
from gpkit.playing.conditions import MAX_CONDITION, Name, Value, Vocabulary, grammar, read_condition

VOCABULARY = Vocabulary(
    (
        Name("turn", "number", "turns taken"),
        Name("rank", "number", "of the card"),
        Name("env.rank", "number", "of the own card"),
        Name("env.depth", "number", "steps from the seven"),
        Name("state", "text", "what the program is in"),
        Name("card", "text", "the card"),
    ),
    words=("Sinking", "Searching"),
)


def holds(text: str, **values: Value) -> bool:
    return read_condition(text, VOCABULARY).holds({k.replace("__", "."): v for k, v in values.items()})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("rank == 7 and turn > 3", True),
        ("rank == 7 and turn > 4", False),
        ("rank != 7 or turn >= 4", True),
        ("not rank == 7", False),
        ("not turn < 4 and not turn > 4", True),
        ("turn or missing_is_unknown == 1", None),
        ("rank - 3 == turn", True),
        ("rank - 3 - 3 == 1", True),
        ("2 + 3 * turn == 14", True),
        ("(2 + 3) * turn == 20", True),
        ("-turn < -3.5e0", True),
        ("--turn == 4", True),
        ("turn % 3 == 1", True),
        ("turn / 8 == .5", True),
        ("turn\t==\n4", True),
        ("card == '7h' and card != \"8h\"", True),
        ("card < '8'", True),
        ("state == Sinking", True),
        ("state == 'Sinking' and not state == Searching", True),
        ("turn", True),
        ("turn - 4", False),
        ("card", True),
        ("''", False),
        ("env.rank == 9 and rank == 7", True),
        ("depth == 2 and env.depth == 2", True),
    ],
)
def test_meaning(text: str, expected: bool | None) -> None:
    values: dict[str, Value] = {"turn": 4.0, "rank": 7.0, "card": "7h", "state": "Sinking"}
    sensors: dict[str, Value] = {"env__rank": 9.0, "env__depth": 2.0}
    if expected is None:
        with pytest.raises(UsageError, match="missing_is_unknown"):
            holds(text, **values, **sensors)
    else:
        assert holds(text, **values, **sensors) is expected


@pytest.mark.parametrize(
    "text",
    [
        "turn == 0",
        "turn != 0",
        "turn < 1",
        "turn + 1 > 0",
        "-turn <= 0",
        "turn",
        "card == ''",
        "card",
        "1 / 0 == 1 / 0",
        "1 % 0 < 5",
    ],
)
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


@pytest.mark.parametrize(
    ("text", "message", "caret"),
    [
        ("trn > 3", "no step has a value `trn`; did you mean `turn`?", 0),
        ("turn > 3 and dpth == 1", "did you mean `depth`?", 13),
        ("turn > zzz", "there are: turn, rank, env.rank, depth, state, card, Sinking, Searching", 7),
        ("turn = 3", "`=` is not allowed here; equality is written ==", 5),
        ("turn > 3 && rank", "write `and`", 9),
        ("turn > 3 | rank", "write `or`", 9),
        ("!turn", "write `not`", 0),
        ("card == '7h", "this string is never closed", 8),
        ("1 < turn < 5", "unexpected `<`: compare twice and join them with `and`", 9),
        ("turn rank", "unexpected `rank`: expected an operator", 5),
        ("turn == )", "unexpected `)`: expected a value", 8),
        ("(turn == 1", "a parenthesis is never closed", 10),
        ("turn >", "ends too early: expected a value", 6),
        ("", "ends too early: expected a value", 0),
        ("or turn", "unexpected `or`: expected a value", 0),
        ("turn == \u00e9", "`\u00e9` is not allowed here", 8),
        ("turn == \x00", "the character U+0000 is not allowed here", 8),
        ("card == 7", "a number is compared with text", 5),
        ("card + 1 == 2", "`+` is for numbers", 5),
        ("-card", "`-` is for numbers", 0),
    ],
)
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
    names = (Name("a.x", "number", ""), Name("b.x", "number", ""))
    vocabulary = Vocabulary(names)
    assert vocabulary.find("x") is None
    assert vocabulary.find("a.x") == names[0]
    assert vocabulary.spellings == ("a.x", "b.x")


def test_no_two_terminals_collide() -> None:
    assert grammar(strict=True).parse("turn == 1 and not card == 'x'").data == "binary"
