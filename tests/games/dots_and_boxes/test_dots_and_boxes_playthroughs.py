"""Golden play-throughs: whole games of choices that look random, compared byte for byte with what was reviewed.

Every state shows the board, its graph of strings and coins, and what each policy of the ladder would choose from: the
random one from all legal actions. Actions are drawn from what one of the policies would choose, in turns, so that the
game is a sensible one. Run this file as a program to write them anew, and read the difference.
"""

from pathlib import Path

import pytest

from gpkit.games.dots_and_boxes.board import board_text, edge_name
from gpkit.games.dots_and_boxes.opponents import POLICIES
from gpkit.games.dots_and_boxes.rule_lists import state_graph
from gpkit.games.dots_and_boxes.rules import DotsAndBoxesRules, DotsAndBoxesState
from gpkit.vm.keyed import keyed_word_readable

FOLDER = Path(__file__).parents[2] / "playthroughs"

BOARDS = {"2x2": DotsAndBoxesRules(2, 2), "4x2": DotsAndBoxesRules(4, 2)}
ACTORS = ("safe+min", "control", "safe", "chain")
"""Whose choice each action is, in turns."""


def graph_text(state: DotsAndBoxesState) -> str:
    """Nodes with what they lead to, such as ``l0(3): n t1``."""
    graph = state_graph(state).graph
    names = [
        f"{node.symbol}{number}" + (f"({node.length})" if node.length else "")
        for number, node in enumerate(graph.nodes)
    ]
    around: list[list[str]] = [["n"] * ground for ground in graph.grounds]
    for low, high, edges in graph.links:
        around[low] += [names[high]] * edges
        around[high] += [names[low]] * edges
    return (
        "; ".join(f"{name}: {' '.join(others)}" for name, others in zip(names, around, strict=True)) or "none"
    )


def playthrough(rules: DotsAndBoxesRules, key: int) -> str:
    """A game with everything in every state."""
    state = DotsAndBoxesState.begin(rules)
    lines = [f"game: dots_and_boxes, board: {rules.to_options()['board']}, key: {key}"]
    while not state.is_terminal:
        turn = len(state.drawn)
        lines += ["", f"# after {turn} edges", board_text(state).rstrip(), f"graph {graph_text(state)}"]
        chosen: dict[tuple[int, ...], list[str]] = {}
        for name, policy in POLICIES.items():
            if name != "chain+ex12":  # takes too long to be asked in plain Python
                chosen.setdefault(policy(state), []).append(name)
        assert next(iter(chosen)) == state.legal_actions()
        lines += [f"{', '.join(names)}: {list(edges)}" for edges, names in chosen.items()]
        options = POLICIES[ACTORS[turn % len(ACTORS)]](state)
        action = options[keyed_word_readable(key, 1, turn) % len(options)]
        lines.append(f"action {action}, {edge_name(action, rules)}")
        state = state.apply(action)
    lines += ["", f"# after {len(state.drawn)} edges", board_text(state).rstrip()]
    return "\n".join([*lines, f"returns {list(state.returns())}"]) + "\n"


@pytest.mark.parametrize("board", BOARDS)
def test_playthrough(board: str) -> None:
    expected = (FOLDER / f"dots-and-boxes-{board}.txt").read_text(encoding="utf-8")
    assert playthrough(BOARDS[board], 1) == expected


def test_no_playthrough_is_left_over() -> None:
    expected = {f"dots-and-boxes-{board}.txt" for board in BOARDS}
    assert {path.name for path in FOLDER.glob("dots-and-boxes*.txt")} == expected


if __name__ == "__main__":
    for name, size in BOARDS.items():
        (FOLDER / f"dots-and-boxes-{name}.txt").write_text(playthrough(size, 1), encoding="utf-8")
