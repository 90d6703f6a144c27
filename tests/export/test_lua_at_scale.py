"""A million evaluations and a thousand whole games: Lua is Python, bit for bit, in every Lua that lupa carries."""

from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest

from gpkit.core.primitives import RANDOM, Alphabet
from gpkit.core.rng import stream
from gpkit.export.conformance import Proof, evaluate_vector, record_games, same_number
from gpkit.export.lua.hosts import Loaded, LupaHost, outcome, runtime_names
from gpkit.export.lua.module import function_text, lua_text
from gpkit.export.registry import check_export
from gpkit.export.subject import Subject
from gpkit.games.sevens.forms.record import RECORDER
from gpkit.games.sevens.primitives import FULL
from gpkit.games.sevens.rules import OPTIONS
from gpkit.genomes.tree import Tree, TreeProgram, random_tree

LUAS = runtime_names()
ROWS = 250
SPECIAL = (0.0, 1.0, -1.0, 0.5, 1e300, -1e300, 5e-324, 2.0**53, float("inf"), float("-inf"), float("nan"))

Rows = list[tuple[list[float], list[float]]]


def generated(rng: np.random.Generator) -> Tree:
    """A random formula of the game's full alphabet, up to eight levels deep, some of them with nasty constants."""
    alphabet = Alphabet("with chance", (*FULL.sensors[:8], RANDOM), FULL.operators)
    tree = random_tree(rng, alphabet, int(rng.integers(2, 9)))
    if rng.random() < 0.5:
        return tree
    symbols = [
        float(rng.choice(SPECIAL[:8])) if isinstance(s, float) and rng.random() < 0.5 else s
        for s in tree.symbols
    ]
    return Tree(tuple(symbols), tree.sizes)


def inputs_for(rng: np.random.Generator, tree: Tree, count: int) -> Rows:
    """Whole numbers as the game gives them, any doubles, and nasty ones."""
    sensors, places = len(tree.reads), tree.symbols.count(RANDOM)
    rows: Rows = []
    for k in range(count):
        if k % 4 == 0:
            values = rng.choice(SPECIAL, sensors)
        elif k % 4 == 1:
            values = rng.normal(size=sensors) * 10.0 ** rng.integers(-20, 20)
        else:
            values = rng.integers(0, 50, sensors).astype(np.float64)
        rows.append((values.tolist(), rng.random(places).tolist()))
    return rows


def compare(formulas: int, seed: int) -> Counter[str]:
    """The number of evaluations that were compared in every Lua."""
    done: Counter[str] = Counter()
    for number in range(formulas):
        rng = stream(seed, "lua at scale", number)
        tree = generated(rng)
        rows = inputs_for(rng, tree, ROWS)
        program = TreeProgram(("value",), (tree,))
        text = function_text(Subject(program))
        sensors = tree.reads
        expected = [evaluate_vector(tree, sensors, values, random) for values, random in rows]
        for lua in LUAS:
            found = Loaded(LupaHost(lua), text, "function", program).evaluate("value", tree, rows)
            for row, value, want in zip(rows, found, expected, strict=True):
                assert same_number(float(value), want), (lua, row, value, want, text)
            done[lua] += len(rows)
    return done


def games(sevens: Callable[..., Subject], count: int, seed: int) -> Counter[str]:
    """The number of whole games that were compared in every Lua: generated players under generated rules."""
    done: Counter[str] = Counter()
    for number in range(count):
        rng = stream(seed, "lua games", number)
        rules = {o.name: str(rng.choice(o.choices)) for o in OPTIONS if o.choices and number % 2}
        rules |= {"players": str(rng.integers(2, 8)), "laps": "30"}
        trees = (generated(rng), generated(rng))
        base = sevens("play: 1.0\nsend: 1.0")
        subject = Subject(TreeProgram(("play", "send"), trees), "generated", {}, base.primitives, rules)
        (transcript,) = record_games(subject, 1, int(rng.integers(1, 1 << 26)))
        text = lua_text(subject, "player", Proof((), ()))
        for lua in LUAS:
            assert Loaded(LupaHost(lua), text, "module", subject.program).play(RECORDER, [transcript]) == [
                outcome(transcript)
            ], (lua, rules)
            done[lua] += 1
    return done


def test_some_evaluations() -> None:
    assert min(compare(20, seed=1).values()) == 20 * ROWS


@pytest.mark.release
def test_some_games(sevens: Callable[..., Subject]) -> None:
    assert min(games(sevens, 10, seed=1).values()) == 10


@pytest.mark.slow
def test_a_million_evaluations() -> None:
    assert min(compare(4000, seed=2).values()) >= 1_000_000


@pytest.mark.slow
def test_a_thousand_games(sevens: Callable[..., Subject]) -> None:
    assert min(games(sevens, 1000, seed=2).values()) >= 1000


@pytest.mark.slow
def test_a_thousand_games_of_each_shipped_program(shipped: Subject) -> None:
    report = check_export(shipped, "lua", "player", evaluations=1000, games=1000)
    assert report.is_equal, report
