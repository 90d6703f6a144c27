"""Games of Mastermind as exports need them."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from gpkit.core.errors import UsageError
from gpkit.export.transcripts import Recorder
from gpkit.games.mastermind.codes import Code, code_of_number
from gpkit.games.mastermind.options import Rules
from gpkit.games.mastermind.parts import uncertainty_of
from gpkit.games.mastermind.primitives import SECTIONS
from gpkit.games.mastermind.state import State
from gpkit.genomes.tree import TreeProgram
from gpkit.playing.decisions import Decision
from gpkit.vm.keyed import HALF, keyed_uniform_readable

MOST_CODES = 4096
"""Players are exported for games of up to so many codes: their size and the time of a guess grow with it."""

_COMPARED = 6_000_000  # pairs of codes, in all games
_LISTED = 2_000  # codes, in all games of a program that can tell any two apart


class MastermindRecorder(Recorder):
    """Plays by the readable rules and the readable interpreter; candidates are those that a program can tell apart."""

    game = "mastermind"
    keyed = "mastermind_keyed"
    folders = (Path(__file__).parents[1] / "lua",)

    def most(self, program: TreeProgram, options: Mapping[str, str]) -> int:
        """Few games of many codes, fewer of a program that draws random numbers."""
        codes = Rules.from_options(options).codes
        draws = program.tree(SECTIONS[0]).draws
        return min(_COMPARED // codes**2, _LISTED // codes) if draws else _COMPARED // codes**2

    def tables(self, options: Mapping[str, str]) -> Mapping[str, Sequence[int]]:
        """By number of codes, from 1, what is not known of them: see ``parts.uncertainty_of``.

        Raises:
            UsageError: an unknown option or value, or more than ``MOST_CODES`` codes.
        """
        codes = Rules.from_options(options).codes
        if codes > MOST_CODES:
            raise UsageError(
                f"{codes:,} codes are too many for a player: up to {MOST_CODES:,}; export a module instead"
            )
        return {"UNCERTAINTY": [uncertainty_of(size) for size in range(1, codes + 1)]}

    def begin(self, options: Mapping[str, str], key: int) -> tuple[State, dict[str, Any]]:
        """The secret of a key hidden."""
        rules = Rules.from_options(options)
        secret = keyed_secret(key, rules)
        return State.begin(secret, rules), {"secret": _plain(secret)}

    def follow(self, state: State, program: TreeProgram, key: int) -> tuple[int, Decision | None]:
        """The code that a program guesses, and its decision where the values say which of two candidates is best.

        Where all are −inf or NaN, none of them do.
        """
        code, found = super().follow(state, program, key)
        return code, found if found is not None and found.values[code] > -math.inf else None

    def seen(self, state: State) -> dict[str, Any]:
        """The guesses and their answers."""
        return {
            "turns": [
                {"guess": _plain(turn.guess), "black": turn.feedback.black, "white": turn.feedback.white}
                for turn in state.turns
            ]
        }

    def count(self, state: State) -> int:
        """The guesses."""
        return len(state.turns)


RECORDER = MastermindRecorder()


def keyed_secret(key: int, rules: Rules) -> Code:
    """The secret of a key of 0 … 2^26 − 1, which every exported player can draw again."""
    return code_of_number(int(keyed_uniform_readable(key, HALF - 1, 0) * rules.codes), rules)


def _plain(code: Code) -> list[int]:
    """A code as players outside write it, whose colours count from 1."""
    return [colour + 1 for colour in code]
