"""Values by their types: what is written is read back, and what is none is refused with its place."""

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Generic, Literal, NamedTuple, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpkit.core.codec import LARGEST, Codec, Count, Plain, Range, Real, codec, print_document, read_document

Inner = TypeVar("Inner")


class Spot(NamedTuple):
    name: str
    place: Count


@dataclass(frozen=True)
class Leaf(Generic[Inner]):
    inner: Inner
    share: Annotated[float, Range(0.0, 1.0)]
    spots: tuple[Spot, ...] = ()


@dataclass(frozen=True)
class Whole:
    leaf: Leaf[complex]
    numbers: tuple[Real, ...]
    pair: tuple[str, bool]
    rules: Mapping[str, Plain]
    way: Literal["up", "down"]
    chosen: Count | None
    seed: int
    anything: Any


COMPLEX = {TypeVar: Codec[complex](lambda value: [value.real, value.imag], lambda value: complex(*value))}
WHOLES: Codec[Whole] = codec(Whole, COMPLEX)

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
COUNTS = st.integers(0, LARGEST)
FINITE = st.floats(allow_nan=False, allow_infinity=False)

VALUES = st.builds(
    Whole,
    leaf=st.builds(
        Leaf,
        inner=st.complex_numbers(allow_nan=False, allow_infinity=False),
        share=st.floats(0.0, 1.0),
        spots=st.lists(st.builds(Spot, name=TEXTS, place=COUNTS)).map(tuple),
    ),
    numbers=st.lists(st.floats(allow_nan=False)).map(tuple),
    pair=st.tuples(TEXTS, st.booleans()),
    rules=st.dictionaries(TEXTS, st.booleans() | st.integers() | FINITE | TEXTS),
    way=st.sampled_from(["up", "down"]),
    chosen=st.none() | COUNTS,
    seed=st.integers(),
    anything=st.none() | st.lists(st.integers()),
)


@given(VALUES)
def test_what_is_written_is_read_back(value: Whole) -> None:
    text = json.dumps(WHOLES.write(value), allow_nan=False)
    assert WHOLES.read(json.loads(text)) == value


def test_numbers_that_are_not_finite_are_words() -> None:
    reals = codec(tuple[Real, ...])
    assert reals.write((math.inf, -math.inf, 0.5)) == ["inf", "-inf", 0.5]
    assert math.isnan(reals.read(["nan"])[0])


GOOD = Whole(Leaf(1j, 0.5, (Spot("a", 1),)), (0.5,), ("b", True), {"c": 1}, "up", None, 10**30, None)


@pytest.mark.parametrize(
    ("way", "wrong", "said"),
    [
        (["seed"], 1.0, "seed = 1.0: expected a whole number"),
        (["seed"], True, "seed = true: expected a whole number"),
        (["chosen"], False, "chosen = false: expected a whole number"),
        (["chosen"], LARGEST + 1, "chosen = 9223372036854775808: expected 0 to 9,223,372,036,854,775,807"),
        (["way"], "dwn", 'way = "dwn": expected "up", "down"; did you mean `down`?'),
        (["pair"], ["x"], "pair = a list: expected a list of 2 values"),
        (["pair", 1], 1, "pair[1] = 1: expected true or false"),
        (["numbers"], {}, "numbers = an object: expected a list"),
        (["numbers", 0], "infinity", 'numbers[0] = "infinity": expected a finite number'),
        (["numbers", 0], 10**400, "expected a finite number"),
        (["rules"], [], "rules = a list: expected a table"),
        (["rules", "c"], None, "rules.c = null: expected true, false, a number or a string"),
        (["leaf"], None, "leaf = null: expected a table"),
        (["leaf", "share"], 1.5, "leaf.share = 1.5: expected 0 to 1"),
        (["leaf", "spots", 0], ["a"], "leaf.spots[0] = a list: expected a list of 2 values"),
        (["leaf", "spots", 0, 0], "\ud800", r"leaf.spots[0].name contains \ud800, an unpaired surrogate"),
        (["leaf", "spots", 0, 1], -1, "leaf.spots[0].place = -1: expected 0 to"),
    ],
)
def test_what_is_none_is_refused_with_its_place(way: list[Any], wrong: Any, said: str) -> None:
    data = json.loads(json.dumps(WHOLES.write(GOOD)))
    assert WHOLES.read(data) == GOOD
    holder = data
    for step in way[:-1]:
        holder = holder[step]
    holder[way[-1]] = wrong
    with pytest.raises(ValueError, match=re.escape(said)):
        WHOLES.read(data)


def test_what_is_missing_is_named_and_what_is_more_is_passed_by() -> None:
    data = WHOLES.write(GOOD)
    assert WHOLES.read(data | {"more": 1}) == GOOD
    del data["leaf"]["share"]
    with pytest.raises(ValueError, match=r"^leaf\.share is missing$"):
        WHOLES.read(data)


def test_words_say_what_is_expected() -> None:
    assert codec(tuple[float, ...]).words == "a list of numbers"
    assert codec(Leaf, COMPLEX).words == ""
    said = codec(Annotated[int, Range(2, 100_000)] | None, {None: Codec(lambda _: False, bool)}).words  # type: ignore[arg-type]
    assert said == "a whole number, 2 to 100,000, or false"


def test_a_document_names_its_schema() -> None:
    @dataclass(frozen=True)
    class Note:
        title: str

    text = json.dumps(print_document("note/1", Note("x")))
    assert read_document(text, "note/1", Note) == Note("x")
    with pytest.raises(ValueError, match=r'^schema = "note/1": expected "note/2"$'):
        read_document(text, "note/2", Note)
    for wrong in ("[]", "{", '{"schema": "note/1"}', "[" * 10**5):
        with pytest.raises(ValueError, match=r"."):
            read_document(wrong, "note/1", Note)
