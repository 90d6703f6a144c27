"""Endgames of 5x5 boxes as ``data/endgames-dots-and-boxes.json`` has them: random ones, and ones that are safe."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from kernel_marks import compiled_only
from numpy.random import Generator

from gpkit.core.rng import below, stream
from gpkit.gamekit.state import NOBODY
from gpkit.games.dots_and_boxes.opponents import safe_edges
from gpkit.games.dots_and_boxes.rules import DotsAndBoxesRules, DotsAndBoxesState
from gpkit.games.dots_and_boxes.solving import SearchMemory, searched_value

FILE = Path(__file__).parents[1] / "data" / "endgames-dots-and-boxes.json"
RECORDED = json.loads(FILE.read_text(encoding="utf-8"))
RULES, LEFT = DotsAndBoxesRules(5, 5), RECORDED["left"]


def random_positions(rng: Generator) -> Iterator[DotsAndBoxesState]:
    """Positions with any edges drawn."""
    while True:
        drawn = frozenset(rng.permutation(RULES.edges)[LEFT:].tolist())
        yield DotsAndBoxesState(RULES, drawn, (NOBODY,) * RULES.boxes)


def safe_positions(rng: Generator) -> Iterator[DotsAndBoxesState]:
    """Positions after random edges of which none gave a box."""
    while True:
        state = DotsAndBoxesState.begin(RULES)
        while len(state.drawn) < RULES.edges - LEFT and (edges := safe_edges(state)):
            state = state.apply(edges[below(rng, len(edges))])
        if len(state.drawn) == RULES.edges - LEFT:
            yield state


@compiled_only
@pytest.mark.parametrize(("kind", "positions"), [("random", random_positions), ("safe", safe_positions)])
def test_recorded_endgames_of_30_edges_are_solved_again(
    kind: str, positions: Callable[[Generator], Iterator[DotsAndBoxesState]]
) -> None:
    states = positions(stream(RECORDED["seed"], f"endgames {kind}"))
    for row, state in zip(RECORDED["kinds"][kind][:5], states, strict=False):
        assert len(state.legal_actions()) == LEFT
        assert searched_value(state, SearchMemory.fit_for(state)) == row["value"]
