"""Both sides of a comparison do the same work: equal values, equal games; the nodes counted are those evaluated."""

import sys
from collections.abc import Callable
from importlib import import_module
from types import ModuleType

import numpy as np
import pytest

from gpkit.core.errors import UsageError
from gpkit.core.rng import stream
from gpkit.games.sevens.rules import SevensRules
from gpkit.genomes.tree import Tree
from gpkit.langkit.formulas import print_formula
from gpkit.languages.arithmetic.compiler import compile_tree
from gpkit.vm.machine import evaluate
from gpkit_experiments.bench import evolution, games, pagie, with_deap
from gpkit_experiments.bench.machine import (
    HAND_COMPILED,
    NODES,
    SENSORS,
    compiled_by_hand,
    drawn,
    hand_compiled,
    in_deap,
    on_machine,
)

ROWS = 500


@pytest.fixture
def rows() -> np.ndarray:
    """Environments with zeros among them, so that divisions are protected."""
    values = stream(0, "test rows").uniform(-5.0, 5.0, (ROWS, len(SENSORS)))
    return np.where(np.abs(values) < 0.5, 0.0, values)


def test_formulas_have_ten_operators() -> None:
    for tree in [*(tree for tree, _ in hand_compiled()), *map(drawn, range(12))]:
        assert len(tree) == NODES
        assert sum(size > 1 for size in tree.sizes) == 10
    assert drawn(3) == drawn(3)
    assert len({drawn(number) for number in range(12)}) == 12
    assert [print_formula(tree) for tree, _ in hand_compiled()] == [text for text, _ in HAND_COMPILED]


@pytest.mark.parametrize(("tree", "kernel"), hand_compiled(), ids=["first", "second", "third"])
def test_the_formula_by_hand_is_the_formula(
    tree: Tree, kernel: Callable[..., None], rows: np.ndarray
) -> None:
    expected = evaluate(compile_tree(tree, SENSORS), rows.T.copy())
    assert np.array_equal(compiled_by_hand(kernel, rows)(), expected, equal_nan=True)


@pytest.mark.parametrize("number", range(6))
def test_machine_and_deap_agree_row_by_row(number: int, rows: np.ndarray) -> None:
    tree = drawn(number)
    expected = evaluate(compile_tree(tree, SENSORS), rows.T.copy())
    for side in (on_machine(tree, rows), in_deap(tree, rows)):
        assert np.array_equal(side(), expected, equal_nan=True)


def test_kernel_and_readable_rules_play_the_same_games() -> None:
    program, rules = games.sevens_program(), SevensRules()
    deals = games.SEVENS.deal(stream(1, "test deals"), 5, rules)
    scores = games.sevens_in_kernel(program, deals, rules)
    assert (scores == games.sevens_by_rules(program, deals, rules)).all()
    assert scores.sum() == len(deals), "equal players in every seat win every deal once"


@pytest.mark.parametrize("name", [games.POLICY, games.RULE_LIST])
def test_dots_and_boxes_is_the_same_by_the_readable_rules(name: str) -> None:
    deals = games.DOTS_AND_BOXES.deal(stream(1, "test deals"), 2, games.BOXES)
    fast = games.boxes_in_kernel(games.boxes_seated(name), deals)
    assert np.array_equal(fast, games.boxes_by_rules(name, deals))


def test_mastermind_is_the_same_by_the_readable_rules() -> None:
    deals = games.MASTERMIND.deal(stream(1, "test deals"), 2, games.CODES)
    assert np.array_equal(games.codes_in_kernel(games.codes_seated(), deals), games.codes_by_rules(deals))


def test_both_sides_evolve_and_count_what_they_evaluate() -> None:
    setting = pagie.Setting(size=40, generations=3, rows=50)
    evolution.check_equal(setting)
    for evolve in (pagie.evolve, with_deap.evolve):
        counted, again = pagie.data(setting.rows), pagie.data(setting.rows)
        error = evolve(counted, setting, 5)
        assert (evolve(again, setting, 5), again.nodes) == (error, counted.nodes), "the seed decides"
        assert 0.0 < error < 10.0
        assert setting.size // 2 <= counted.formulas <= setting.size * (setting.generations + 1)
        assert counted.nodes > counted.formulas


def test_a_missing_deap_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    absent: dict[str, ModuleType | None] = {"deap": None}
    for name, module in absent.items():
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.delitem(sys.modules, "gpkit_experiments.bench.with_deap", raising=False)
    with pytest.raises(UsageError, match=r"needs the package deap: pip install -e '\.\[dev\]'"):
        import_module("gpkit_experiments.bench.with_deap")
