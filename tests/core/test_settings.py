"""Settings that are given in Python code: what is no table is refused by its name, and never passed over."""

import tomllib
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gpkit
from gpkit.core.errors import UsageError
from gpkit.core.plain_files import check_named
from gpkit.core.settings import over

TABLE = {"x": [1.0, 2.0, 3.0, 4.0], "y": [1.0, 2.0, 4.0, 8.0]}

NO_TABLES = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.lists(st.integers())


def score(program: Any) -> float:
    return program(x=1.0)


def given_to_problem(tables: dict[str, Any]) -> object:
    return gpkit.problem(score, sensors={"x": (0, 1)}, settings=tables)


def given_to_fit(tables: dict[str, Any]) -> object:
    return gpkit.fit(
        TABLE, "y", population=3, generations=0, size=5, choose="knee", operators="+", settings=tables
    )


PLACES: list[tuple[Callable[[dict[str, Any]], object], list[str]]] = [
    (given_to_problem, ["problem", "population", "front", "limits", "stop", "map", "islands"]),
    (given_to_fit, ["fit", "population", "front", "limits", "stop", "islands"]),
]


@settings(max_examples=40)
@given(NO_TABLES, st.data())
def test_what_should_be_a_table_and_is_none_is_refused_by_name(value: Any, data: st.DataObject) -> None:
    give, tables = data.draw(st.sampled_from(PLACES))
    name = data.draw(st.sampled_from(tables))
    with pytest.raises(UsageError, match=rf"{name} = .*: expected a table"):
        give({name: value})


@given(st.sampled_from(PLACES), st.one_of(st.none(), st.integers(), st.tuples(st.integers())))
def test_keys_that_are_no_texts_are_refused(place: Any, key: Any) -> None:
    give, (table, *_) = place
    with pytest.raises(UsageError, match=rf"{table} has the key .*: expected a string"):
        give({table: {key: 1}})


TABLES = st.dictionaries(
    st.sampled_from("abc"), st.integers() | st.dictionaries(st.sampled_from("xyz"), st.integers())
)


@given(TABLES, TABLES)
def test_settings_go_before_usual_ones_key_by_key(first: dict[str, Any], usual: dict[str, Any]) -> None:
    found = over(first, usual)
    assert set(found) == set(first) | set(usual)
    for name, value in found.items():
        one, other = first.get(name, usual.get(name)), usual.get(name, first.get(name))
        if isinstance(one, dict) and isinstance(other, dict):
            assert value == other | one
        else:
            assert value == (other if isinstance(one, dict) else one)


@pytest.mark.parametrize(("begin", "end"), ["[]", pytest.param("{a=", "}", marks=pytest.mark.release)])
def test_values_of_any_depth_are_checked_or_refused(begin: str, end: str) -> None:
    """Between the depths that TOML takes and those that a check takes there is no gap."""
    told = set()
    for depth in range(1, 1000):
        try:
            values = tomllib.loads(f'x = {begin * depth}"a.b"{end * depth}')
        except RecursionError:
            break
        with suppress(UsageError):
            told.add(check_named(values) == values)
    assert told == {True}
    nested: Any = "a.b"
    for _ in range(5_000):
        nested = [nested]
    with pytest.raises(UsageError, match="it is nested too deeply"):
        check_named(nested)
