"""Games of Mastermind as exports need them."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict

from gpkit.core.errors import UsageError
from gpkit.core.primitives import RANDOM
from gpkit.export.statements import sensors_of
from gpkit.export.transcripts import Candidate, Decision, Transcript
from gpkit.games.mastermind.codes import Code, code_of_number
from gpkit.games.mastermind.exact import codes_left
from gpkit.games.mastermind.options import Rules
from gpkit.games.mastermind.parts import uncertainty_of
from gpkit.games.mastermind.primitives import SECTIONS
from gpkit.games.mastermind.rules import State, Turn
from gpkit.genomes.tree import TreeProgram
from gpkit.play.mastermind.decisions import Decision as Guesses
from gpkit.play.mastermind.decisions import decide
from gpkit.play.trace import Evaluation
from gpkit.vm.keyed import HALF, keyed_uniform_readable

MOST_CODES = 4096
"""Players are exported for games of up to so many codes: their size and the time of a guess grow with it."""

_COMPARED = 6_000_000  # pairs of codes, in all games
_LISTED = 2_000  # codes, in all games of a program that can tell any two apart


class MastermindRecorder:
    """Plays by the readable rules and the readable interpreter; candidates are those that a program can tell apart."""

    game = "mastermind"
    parts: tuple[str, ...] = ("mastermind", "mastermind_game")
    keyed = "mastermind_keyed"

    def rules(self, options: Mapping[str, str]) -> dict[str, int | bool | str]:
        """Every rule by its name.

        Raises:
            UsageError: an unknown option or value.
        """
        return asdict(Rules.from_options(options))

    def most(self, program: TreeProgram, options: Mapping[str, str]) -> int:
        """Few games of many codes, fewer of a program that draws random numbers.

        Raises:
            UsageError: an unknown option or value.
        """
        codes = Rules.from_options(options).codes
        draws = RANDOM in program.tree(SECTIONS[0]).symbols
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

    def record(self, program: TreeProgram, options: Mapping[str, str], key: int) -> Transcript:
        """The game of that key, in which the program guesses.

        Raises:
            UsageError: an unknown option or value.
        """
        rules = Rules.from_options(options)
        secret = keyed_secret(key, rules)
        state = State.begin(secret, rules)
        actions: list[int] = []
        decisions: list[Decision] = []
        while not state.is_terminal:
            left = codes_left(state.turns, rules)
            found = decide(state.turns, left, program, key, rules)
            if found is None:
                action = int(left[0])
            else:
                action = found.code
                if _is_choice(found):
                    decisions.append(_recorded(found, state.turns))
            actions.append(action)
            state = state.apply(action)
        return Transcript(
            key, {"secret": _plain(secret)}, tuple(actions), len(actions), state.returns(), tuple(decisions)
        )


RECORDER = MastermindRecorder()


def keyed_secret(key: int, rules: Rules) -> Code:
    """The secret of a key of 0 … 2^26 − 1, which every exported player can draw again."""
    return code_of_number(int(keyed_uniform_readable(key, HALF - 1, 0) * rules.codes), rules)


def _is_choice(found: Guesses) -> bool:
    """Whether the values say which of at least two candidates is best; where all are −inf or NaN, none of them do."""
    return len(found.codes) > 1 and found.evaluations[0].value > -math.inf


def _recorded(found: Guesses, turns: Sequence[Turn]) -> Decision:
    """A decision with its candidates in the order in which they are compared: those that can be the secret first."""
    kinds = sorted(
        zip(found.codes, found.evaluations, strict=True),
        key=lambda kind: (-kind[1].sensors["env.possible"], kind[0]),
    )
    seen = [
        {"guess": _plain(turn.guess), "black": turn.feedback.black, "white": turn.feedback.white}
        for turn in turns
    ]
    candidates = tuple(_candidate(code, evaluation) for code, evaluation in kinds)
    return Decision(SECTIONS[0], len(turns), {"turns": seen}, candidates, found.code)


def _candidate(code: int, evaluation: Evaluation) -> Candidate:
    """Candidate that stands for the codes that a program cannot tell from this one."""
    source = evaluation.random()
    random = tuple(source() for _ in range(evaluation.tree.symbols.count(RANDOM)))
    sensors = {name: evaluation.sensors[name] for name in sensors_of(evaluation.tree)}
    return Candidate(code, sensors, random, evaluation.value)


def _plain(code: Code) -> list[int]:
    """A code as players outside write it, whose colours count from 1."""
    return [colour + 1 for colour in code]
