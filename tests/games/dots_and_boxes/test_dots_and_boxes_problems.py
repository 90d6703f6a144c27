"""Published problems of Dots and Boxes, solved, and recorded endgames: ``tests/data/problems-dots-and-boxes.json`` says
where the problems are from, ``experiments/gpkit_experiments/endgame_times.py`` makes the endgames."""

import json
from pathlib import Path
from typing import Any

import pytest
from kernel_marks import compiled_only

from gpkit.games.dots_and_boxes.board import edge_name, state_of_text
from gpkit.games.dots_and_boxes.coins_text import coins_of_text
from gpkit.games.dots_and_boxes.rules import State
from gpkit.games.dots_and_boxes.search import Memory, searched_value, searched_value_of
from gpkit_experiments.endgame_times import DATA, KINDS, LEFT, SEED, positions

PROBLEMS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[2] / "data" / "problems-dots-and-boxes.json").read_text(encoding="utf-8")
)["problems"]


def test_there_are_twenty_and_each_has_a_source() -> None:
    assert len({problem["name"] for problem in PROBLEMS}) == 20
    assert all("Medworth" in problem["source"] for problem in PROBLEMS)


@compiled_only
@pytest.mark.parametrize("problem", PROBLEMS, ids=[problem["name"] for problem in PROBLEMS])
def test_the_published_answer_is_found(problem: dict[str, Any]) -> None:
    if "coins" in problem:
        state = State.begin(coins_of_text(problem["coins"]))
    else:
        state = state_of_text("\n".join(problem["board"]))
    memory = Memory.fit_for(state)
    assert searched_value(state, memory) == problem["value"]
    if published := problem.get("best"):
        edges = state.legal_actions()
        best = [edge for edge in edges if searched_value_of(state, edge, memory) == problem["value"]]
        assert {edge_name(edge, state.board) for edge in best} <= set(published)


@compiled_only
def test_recorded_endgames_of_30_edges_are_solved_again() -> None:
    recorded = json.loads(DATA.read_text(encoding="utf-8"))
    assert (recorded["seed"], recorded["left"]) == (SEED, LEFT)
    for kind, (_, count) in KINDS.items():
        rows = recorded["kinds"][kind]
        assert len(rows) == count
        assert max(row["seconds"] for row in rows) == recorded["most_seconds"][kind] < 5.0
    for kind in ("random", "safe"):
        for row, state in zip(recorded["kinds"][kind][:5], positions(kind), strict=False):
            assert len(state.legal_actions()) == LEFT
            assert searched_value(state, Memory.fit_for(state)) == row["value"]
