"""The two sources of random numbers in Lua: published values, and the same numbers in every Lua and in Python."""

from collections.abc import Iterator
from importlib import import_module
from itertools import islice
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sevens_strategies import random_numbers

from gpkit.export.lua.hosts import runtime_names
from gpkit.export.lua.layout import runtime
from gpkit.vm.keyed import HALF, keyed_word_readable

LUAS = runtime_names()


def mrg32k3a(seed: int) -> Iterator[float]:
    """The recurrences of L'Ecuyer (1999), Table I, on whole numbers."""
    x, y = [seed] * 3, [seed] * 3
    while True:
        p = (1403580 * x[1] - 810728 * x[0]) % 4294967087
        q = (527612 * y[2] - 1370589 * y[0]) % 4294944443
        x, y = [*x[1:], p], [*y[1:], q]
        yield (p - q if p > q else p - q + 4294967087) * 2.328306549295727688e-10


def test_the_reference_gives_the_number_published_with_rngstreams() -> None:
    """L'Ecuyer, Simard, Chen, Kelton: RngStreams, test2RngStream.res: after 35 steps from 12345."""
    assert next(islice(mrg32k3a(12345), 35, None)) == pytest.approx(0.07941673614985, abs=5e-15)


@pytest.mark.parametrize("lua", LUAS)
@pytest.mark.parametrize("seed", [12345, 1, 4294944442, 987654321])
def test_default_numbers_are_mrg32k3a(lua: str, seed: int) -> None:
    code = f"""{runtime("random")}
    local random, out = new_random({seed}), {{}}
    for i = 1, 5000 do out[i] = string.format("%.17g", random()) end
    return table.concat(out, " ")"""
    found = import_module(f"lupa.{lua}").LuaRuntime().execute(code)
    assert [float(word) for word in found.split()] == list(islice(mrg32k3a(seed), 5000))


@pytest.mark.parametrize("lua", LUAS)
def test_any_number_is_a_seed(lua: str) -> None:
    run = import_module(f"lupa.{lua}").LuaRuntime().execute(f"{runtime('random')} return new_random")
    for seed in (0, -1, 0.5, 1e300, -1e300, 4294944443):
        source = run(seed)
        assert all(0.0 < source() < 1.0 for _ in range(100))


words = st.integers(0, HALF - 1)


@given(key=words, left=words, right=words)
def test_keyed_numbers_are_those_of_the_machine(key: int, left: int, right: int) -> None:
    expected = keyed_word_readable(key, left, right) / (1 << 52)
    for keyed in KEYED.values():
        assert float(keyed(key, left, right)) == expected


@given(key=words, actions=st.integers(0, 5000), card=st.integers(0, 51))
def test_candidates_draw_the_numbers_of_the_game(key: int, actions: int, card: int) -> None:
    expected = random_numbers(key, actions, card)
    values = [expected() for _ in range(5)]
    for source in SOURCES.values():
        draw = source(key, actions, card)
        assert [draw() for _ in range(5)] == values


def _loaded(name: str) -> dict[str, Any]:
    code = f"{runtime('keyed_uniform')} {runtime('keyed')} return {name}"
    return {lua: import_module(f"lupa.{lua}").LuaRuntime().execute(code) for lua in LUAS}


SHOWN = "function(...) return string.format('%.17g', keyed_uniform(...)) end"
KEYED = _loaded(SHOWN)
SOURCES = _loaded("keyed_source")
