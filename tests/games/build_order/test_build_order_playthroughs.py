"""Golden play-throughs: whole games of orders that look random, compared byte for byte with what was reviewed.

Every state shows the board to the player, its sensors, and what can be ordered. Run this file as a program to write
them anew, and read the difference.
"""

from pathlib import Path

import pytest

from gpkit.games.build_order.forms.view import board_text
from gpkit.games.build_order.game import attack_of
from gpkit.games.build_order.kernel.things import ACTIONS, WAIT
from gpkit.games.build_order.rules import BuildOrderRules, BuildOrderState
from gpkit.games.build_order.sensors import features
from gpkit.vm.keyed import keyed_word_readable

FOLDER = Path(__file__).parents[2] / "playthroughs"

GAMES = {
    "build_order": {"horizon": "150"},
    "build_order-attack": {
        "attack": "160:3",
        "minerals": "500",
        "goal": "zerglings=4,queen=1",
        "horizon": "220",
    },
}


def playthrough(rules: BuildOrderRules, key: int) -> str:
    """A game with everything in every state."""
    state = BuildOrderState.begin(attack_of(key, rules), rules)
    options = ", ".join(f"{name}: {value}" for name, value in rules.to_options().items())
    lines = [f"game: build_order, {options}, key: {key}"]
    number = 0
    while not state.is_terminal:
        legal = [action for action in state.legal_actions() if action != WAIT or number % 4 == 0]
        action = legal[keyed_word_readable(key, 1, number) % len(legal)] if legal else WAIT
        lines += [
            "",
            board_text(state, 0).rstrip(),
            "sensors " + " ".join(f"{value:g}" for value in features(state)),
        ]
        lines += [
            f"legal {' '.join(ACTIONS[each] for each in state.legal_actions())}",
            f"order {ACTIONS[action]}",
        ]
        state = state.apply(action)
        number += 1
    return "\n".join([*lines, "", board_text(state, 0).rstrip(), f"returns {list(state.returns())}"]) + "\n"


@pytest.mark.parametrize("name", GAMES)
def test_playthrough(name: str) -> None:
    expected = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    assert playthrough(BuildOrderRules.from_options(GAMES[name]), 1) == expected


if __name__ == "__main__":
    for each, given in GAMES.items():
        (FOLDER / f"{each}.txt").write_text(
            playthrough(BuildOrderRules.from_options(given), 1), encoding="utf-8"
        )
