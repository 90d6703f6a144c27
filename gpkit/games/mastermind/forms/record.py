"""A recorder of Mastermind games, which serve to check exported players."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from gpkit.core.errors import UsageError
from gpkit.export.conformance import Recorder
from gpkit.games.mastermind.primitives import SECTIONS
from gpkit.games.mastermind.rules import Code, MastermindRules, code_of_number, uncertainty_of
from gpkit.games.mastermind.state import MastermindState
from gpkit.genomes.tree import TreeProgram
from gpkit.playing.decisions import Decision
from gpkit.vm.keyed import HALF, keyed_uniform_readable

MOST_CODES = 4096
"""The maximum number of codes in a game for an exported player, whose size and time per guess grow with the number."""

_COMPARED = 6_000_000  # pairs of codes, in all games
_LISTED = 2_000  # codes, in all games of a program that can tell any two apart


class MastermindRecorder(Recorder):
    """A recorder that plays games with readable code; the candidates are the codes that a program can tell apart."""

    game = "mastermind"
    keyed = "mastermind_keyed"
    folders = (Path(__file__).parents[1] / "lua",)

    def most(self, program: TreeProgram, options: Mapping[str, str]) -> int:
        """The maximum number of games, which is lower with many codes and for programs that draw random numbers."""
        codes = MastermindRules.from_options(options).codes
        draws = program.parts[SECTIONS[0]].draws
        return min(_COMPARED // codes**2, _LISTED // codes) if draws else _COMPARED // codes**2

    def tables(self, options: Mapping[str, str]) -> Mapping[str, Sequence[int]]:
        """The uncertainty for each number of codes, starting at 1; see ``rules.uncertainty_of``.

        Raises:
            UsageError: an option or a value is unknown, or there are more than ``MOST_CODES`` codes.
        """
        codes = MastermindRules.from_options(options).codes
        if codes > MOST_CODES:
            raise UsageError(
                f"{codes:,} codes are too many for a player: at most {MOST_CODES:,}; export a module instead"
            )
        return {"UNCERTAINTY": [uncertainty_of(size) for size in range(1, codes + 1)]}

    def begin(self, options: Mapping[str, str], key: int) -> tuple[MastermindState, dict[str, Any]]:
        """The game before the first guess; the key determines the secret."""
        rules = MastermindRules.from_options(options)
        secret = keyed_secret(key, rules)
        return MastermindState.begin(secret, rules), {"secret": _plain(secret)}

    def follow(self, state: MastermindState, program: TreeProgram, key: int) -> tuple[int, Decision | None]:
        """The code that a program guesses, and the decision if the values determine the best candidate.

        The decision is None if there is only one candidate, or if all values are −inf or NaN.
        """
        code, found = super().follow(state, program, key)
        return code, found if found is not None and len(found.values) > 1 and found.values[
            code
        ] > -math.inf else None

    def seen(self, state: MastermindState) -> dict[str, Any]:
        """The guesses and their answers."""
        return {
            "turns": [
                {"guess": _plain(turn.guess), "black": turn.feedback.black, "white": turn.feedback.white}
                for turn in state.turns
            ]
        }

    def count(self, state: MastermindState) -> int:
        """The number of guesses."""
        return len(state.turns)


RECORDER: Recorder = MastermindRecorder()


def keyed_secret(key: int, rules: MastermindRules) -> Code:
    """The secret for a key from 0 to 2^26 − 1, which exported players can reproduce."""
    return code_of_number(int(keyed_uniform_readable(key, HALF - 1, 0) * rules.codes), rules)


def _plain(code: Code) -> list[int]:
    """A code in the format of exported players, with colours numbered from 1."""
    return [colour + 1 for colour in code]
