"""The record of endgames of Dots and Boxes, which ``python -m gpkit_experiments.endgame_times`` writes."""

import json

from kernel_marks import compiled_only

from gpkit.games.dots_and_boxes.search import Memory, searched_value
from gpkit_experiments.endgame_times import DATA, KINDS, LEFT, SEED, positions


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
