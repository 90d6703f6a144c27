"""Golden play-throughs: whole games of choices that look random, compared byte for byte with what was reviewed.

Every state shows the board, what may be guessed, and how many codes are left; guesses are consistent ones, every third
is any code. Run this file as a program to write them anew, and read the difference.
"""

from pathlib import Path

import pytest

from gpkit.games.mastermind.board import board_text
from gpkit.games.mastermind.rules import MastermindRules, code_of_number, code_text, is_consistent
from gpkit.games.mastermind.state import MastermindState
from gpkit.vm.keyed import keyed_word_readable

FOLDER = Path(__file__).parents[2] / "playthroughs"

GAMES = {
    "mastermind": {},
    "mastermind-variant-super": {"variant": "super"},
    "mastermind-repeats-no": {"repeats": "no"},
    "mastermind-guesses-3": {"guesses": "3"},
    "mastermind-colours-10": {"length": "3", "colours": "10"},
}


def playthrough(rules: MastermindRules, key: int) -> str:
    """A game with everything in every state."""

    def drawn(count: int, turn: int) -> int:
        return keyed_word_readable(key, 1, turn) % count

    codes = [code_of_number(number, rules) for number in range(rules.codes)]
    state = MastermindState.begin(codes[drawn(rules.codes, 0)], rules)
    options = ", ".join(f"{name}: {value}" for name, value in rules.to_options().items())
    lines = [f"game: mastermind, {options}, key: {key}"]
    while not state.is_terminal:
        turn = len(state.turns)
        left = [number for number, code in enumerate(codes) if is_consistent(code, state.turns)]
        lines += ["", f"# after {turn} guesses", board_text(state, 0).rstrip()]
        first, last = (code_text(codes[number], rules) for number in (left[0], left[-1]))
        lines.append(f"legal {state.legal_actions()}, consistent {len(left)}: {first} to {last}")
        options_now = left if turn % 3 else state.legal_actions()
        action = options_now[drawn(len(options_now), turn + 1)]
        lines.append(f"action {action}, {code_text(codes[action], rules)}")
        state = state.apply(action)
    lines += ["", f"# after {len(state.turns)} guesses", board_text(state, 0).rstrip()]
    return "\n".join([*lines, f"returns {list(state.returns())}"]) + "\n"


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.release] * name.endswith("super")) for name in GAMES],
)
def test_playthrough(name: str) -> None:
    expected = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    assert playthrough(MastermindRules.from_options(GAMES[name]), 1) == expected


def test_no_playthrough_is_left_over() -> None:
    assert {path.stem for path in FOLDER.glob("mastermind*.txt")} == set(GAMES)


if __name__ == "__main__":
    for each, given in GAMES.items():
        (FOLDER / f"{each}.txt").write_text(
            playthrough(MastermindRules.from_options(given), 1), encoding="utf-8"
        )
