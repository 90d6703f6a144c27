"""Times of endgames of 5x5 boxes with 30 undrawn edges: writes ``experiments/data/endgames-dots-and-boxes.json``.

Run it as a program: ``python -m gpkit_experiments.endgame_times``. For every position all edges that can be drawn are
solved, and a best line, as ``gpkit solve`` does, with the kernels compiled before; the time is that of the processor.
"""

import json
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from numpy.random import Generator

from gpkit.core.rng import below, stream
from gpkit.gamekit.state import NOBODY
from gpkit.games.dots_and_boxes.opponents import safe_edges
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.games.dots_and_boxes.rules import State
from gpkit.games.dots_and_boxes.search import Memory, best_line, searched_value, searched_value_of

DATA = Path(__file__).parents[1] / "data" / "endgames-dots-and-boxes.json"

RULES, LEFT = Rules(5, 5), 30

SEED, EACH, STEPS = 61001, 200, 100
"""Seed, positions of each kind, and steps towards a harder one."""


def _with(drawn: frozenset[int]) -> State:
    return State(RULES, drawn, (NOBODY,) * RULES.boxes)


def random_positions(rng: Generator) -> Iterator[State]:
    """Positions with any edges drawn."""
    while True:
        yield _with(frozenset(rng.permutation(RULES.edges)[LEFT:].tolist()))


def safe_positions(rng: Generator) -> Iterator[State]:
    """Positions after random edges of which none gave a box: nothing can be taken, and little is settled."""
    while True:
        state = State.begin(RULES)
        while len(state.drawn) < RULES.edges - LEFT and (edges := safe_edges(state)):
            state = state.apply(edges[below(rng, len(edges))])
        if len(state.drawn) == RULES.edges - LEFT:
            yield state


def hard_positions(rng: Generator) -> Iterator[State]:
    """Positions of either kind, changed edge by edge as long as more positions have to be searched."""
    for start in safe_positions(rng):
        state, most = start, _searched(start)
        for _ in range(STEPS):
            drawn, left = sorted(state.drawn), state.legal_actions()
            other = _with(state.drawn - {drawn[below(rng, len(drawn))]} | {left[below(rng, len(left))]})
            if (count := _searched(other)) >= most:
                state, most = other, count
        yield state


def _searched(state: State) -> int:
    """Positions searched for the value of one."""
    memory = Memory.fit_for(state)
    searched_value(state, memory)
    return memory.searched


KINDS: dict[str, tuple[Callable[[Generator], Iterator[State]], int]] = {
    "random": (random_positions, EACH),
    "safe": (safe_positions, EACH),
    "hard": (hard_positions, EACH // 10),
}
"""By name the positions and how many of them are solved."""


def positions(kind: str) -> Iterator[State]:
    """The positions of a kind, as they were recorded."""
    return KINDS[kind][0](stream(SEED, f"endgames {kind}"))


def _solved(state: State) -> dict[str, Any]:
    began = time.process_time()
    memory = Memory.fit_for(state)
    value = max(searched_value_of(state, edge, memory) for edge in state.legal_actions())
    best_line(state, memory)
    return {"value": value, "searched": memory.searched, "seconds": round(time.process_time() - began, 4)}


def main() -> None:
    """Measure and write."""
    _solved(next(positions("random")))
    kinds = {
        kind: [_solved(state) for state in islice(positions(kind), count)]
        for kind, (_, count) in KINDS.items()
    }
    text = {
        "schema": "gpkit/endgames/1",
        "command": "python -m gpkit_experiments.endgame_times",
        "seed": SEED,
        "board": "5x5",
        "left": LEFT,
        "most_seconds": {kind: max(row["seconds"] for row in rows) for kind, rows in kinds.items()},
        "kinds": kinds,
    }
    DATA.write_text(json.dumps(text).replace('{"value"', '\n  {"value"') + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
