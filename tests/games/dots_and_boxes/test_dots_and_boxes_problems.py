"""Published problems of Dots and Boxes, solved: ``tests/data/problems-dots-and-boxes.json`` says whose they are."""

import json
from pathlib import Path
from typing import Any

import pytest
from kernel_marks import compiled_only

from gpkit.games.dots_and_boxes.board import edge_name, state_of_text
from gpkit.games.dots_and_boxes.positions import coins_of_text
from gpkit.games.dots_and_boxes.rules import State
from gpkit.games.dots_and_boxes.search import Memory, searched_value, searched_value_of

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
