"""Exported rule lists have the moves of the compiled matcher in all classes of positions of 3x3 boxes."""

from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from rule_samples import LEVEL_0, LEVEL_1

from gpkit.core.registry import data_folder
from gpkit.export.registry import Subject
from gpkit.games.dots_and_boxes.classes import classes
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.games.dots_and_boxes.rule_lists import choose
from gpkit.genomes.graph import RuleList
from gpkit.languages.rulegraph.forms.lua import rules_text
from gpkit.languages.rulegraph.parser import parse
from gpkit.matching.plan import asks_for_score, plan_of

SHIPPED = sorted((data_folder("programs") / "dots_and_boxes").rglob("*.rules"))
LISTS = {path.stem: path.read_text(encoding="utf-8") for path in SHIPPED} | {
    "everything-0": LEVEL_0,
    "everything-1": LEVEL_1,
}
BOARD = Rules(3, 3)
BATCH = 5_000
LUAS = ("lua54", "luajit21")

MOVES = (Path(__file__).parent / "lua" / "moves.lua").read_text(encoding="utf-8")


def moves_in_lua(
    lua: str, program: RuleList, positions: NDArray[np.int64], score: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The masks of the moves of an exported list, and the rules that act, −1 for none."""
    runtime = import_module(f"lupa.{lua}").LuaRuntime(unpack_returned_tuples=True)
    module = runtime.execute(rules_text(Subject(program), (), ()))
    run = runtime.eval(f"function(...) {MOVES} end")
    words: list[str] = []
    for first in range(0, len(positions), BATCH):
        text = " ".join(map(str, positions[first : first + BATCH].tolist()))
        words += str(run(module, score, text)).split()
    numbers = np.array(words, dtype=np.int64).reshape(-1, 2)
    return numbers[:, 0], numbers[:, 1] - 1


def assert_same(lua: str, program: RuleList, positions: NDArray[np.int64]) -> None:
    """Of several scores where a rule asks for the score."""
    searches = plan_of(program)
    scores = (-2, 0, 1) if asks_for_score(searches) else (0,)
    masks, acting = choose(searches, positions, scores, BOARD)
    for column, score in enumerate(scores):
        moves, rules = moves_in_lua(lua, program, positions, score)
        assert np.array_equal(moves, masks[:, column])
        assert np.array_equal(rules, acting[:, column])


@pytest.mark.parametrize("name", LISTS)
def test_moves_in_some_classes(name: str) -> None:
    positions = classes(BOARD).positions[:-1]
    some = np.random.default_rng(1).choice(positions, 400, replace=False)
    assert_same("luajit21", parse(LISTS[name]).program, some)


@pytest.mark.slow
@pytest.mark.parametrize("lua", LUAS)
@pytest.mark.parametrize("name", LISTS)
def test_moves_in_all_classes(name: str, lua: str) -> None:
    positions = classes(BOARD).positions[:-1]
    assert len(positions) == 195_550
    assert_same(lua, parse(LISTS[name]).program, positions)
