"""A game of Mastermind step by step: every guess of the traced program, and what it saw of the codes to choose from.

The readable interpreter plays it, so every node's value can be shown; it is the same game that the compiled engine
plays on the same deal.
"""

from collections.abc import Iterator, Sequence
from functools import partial

from gpkit.core.errors import UsageError
from gpkit.gamekit.players import Player
from gpkit.games.mastermind.board import feedback_text
from gpkit.games.mastermind.codes import code_text
from gpkit.games.mastermind.exact import codes_left
from gpkit.games.mastermind.forms.decisions import decision_table, explain
from gpkit.games.mastermind.game import GAME, Deals, check_players
from gpkit.games.mastermind.options import Rules
from gpkit.games.mastermind.primitives import SENSORS
from gpkit.games.mastermind.rules import State, Turn
from gpkit.games.mastermind.view import action_text
from gpkit.playing.actions import ActionView, steps_of
from gpkit.playing.conditions import Name, Value, Vocabulary
from gpkit.playing.trace import Seated, Step, StepTable

_NAMES = (
    Name("step", "number", "the number of the step; 0 is before the first guess"),
    Name("turn", "number", "guesses made before it"),
    Name("player", "text", "name of the player who guessed"),
    Name("mine", "number", "always 1: only the traced program guesses"),
    Name("guess", "text", "the code that was guessed, such as '1123'"),
    Name("black", "number", "pegs of the right colour in the right place"),
    Name("white", "number", "further pegs of a right colour"),
    Name("left", "number", "codes that could be the secret before it"),
    Name("after", "number", "codes that can be the secret after it"),
    Name("forced", "number", "1 if one or two were left, so that there was nothing to choose, else 0"),
    Name("candidates", "number", "kinds of guesses that the program could tell apart"),
    Name("value", "number", "the value of the guess, where the program decided"),
    Name("margin", "number", "its margin over the next best kind"),
    Name("over", "number", "1 at the end of the game, else 0"),
    Name("score", "number", "the number of guesses in the game, at the end"),
)

VOCABULARY = Vocabulary(
    (*_NAMES, *(Name(sensor.name, "number", sensor.meaning) for sensor in SENSORS)),
    examples=(
        ("A black peg", "black > 0"),
        ("Fewer than 10 codes left", "after < 10"),
        ("Its next real choice", "forced == 0"),
    ),
)
"""Vocabulary of conditions about a step of Mastermind; sensors are those of the guess."""


def check(players: Sequence[Player], rules: Rules, seat: int) -> None:
    """Check that the first player is a program and sits where codes are broken.

    Raises:
        UsageError: it is not, or sits where codes are made.
    """
    check_players(players)
    if not players[0].is_program:
        raise UsageError(f"{players[0].name} cannot be traced: trace a .tree file")
    if seat:
        raise UsageError("--seat 1: the code maker makes no decisions to trace; use seat 0")


def vocabulary(rules: Rules) -> Vocabulary:
    """``VOCABULARY``, under any rules."""
    return VOCABULARY


def steps(seated: Seated, deals: Deals, rules: Rules) -> Iterator[Step]:
    """The hidden code, and then every guess until the end."""
    first = GAME.begin([], deals, rules)
    return steps_of(seated, first, GuessView, lambda state: explain(seated.followed, state, deals))


class GuessView(ActionView):
    """One step: a guess and its answer."""

    @property
    def turn(self) -> Turn | None:
        """The guess with its answer; None before the first one."""
        return self.after.turns[-1] if self.before is not None else None

    @property
    def left_before(self) -> int:
        """Number of codes that could be the secret before the guess."""
        return _left(self.after if self.before is None else self.before)

    @property
    def left_after(self) -> int:
        """Number of codes that can be the secret after it."""
        return _left(self.after)

    def words(self) -> str:
        """Description of the step, in a line."""
        if self.turn is None:
            return f"a code is hidden, one of {self.left_before:,}"
        guess = code_text(self.turn.guess, self.after.rules)
        forced = "" if self.decision else ", the first code left"
        found = "found" if self.after.is_solved else f"{self.left_after:,} of {self.left_before:,} codes left"
        return f"guess {guess}{forced}: {feedback_text(self.turn.feedback)}, {found}"

    def table(self) -> StepTable | None:
        """The best guesses of the program with their values and the sensors that it read."""
        return decision_table(self.decision, self.before) if self.decision else None

    def record(self) -> dict[str, object]:
        """The step for programs to read; codes are written as in ``1123``."""
        rules, turn = self.after.rules, self.turn
        return {
            "secret": code_text(self.after.secret, rules),
            "guess": code_text(turn.guess, rules) if turn else None,
            "black": turn.feedback.black if turn else None,
            "white": turn.feedback.white if turn else None,
            "left": self.left_after,
            "decision": self.decision.record("code", partial(action_text, self.before))
            if self.decision
            else None,
            "scores": list(self.after.returns()) if self.after.is_terminal else None,
        }

    def values(self) -> dict[str, Value]:
        """Values that conditions read of a step, but for its number."""
        state, turn, decision = self.after, self.turn, self.decision
        values = {**super().values(), "after": float(self.left_after)}
        if turn is None:
            return values
        values |= {
            "turn": float(len(state.turns) - 1),
            "guess": code_text(turn.guess, state.rules),
            "black": float(turn.feedback.black),
            "white": float(turn.feedback.white),
            "left": float(self.left_before),
            "forced": float(decision is None),
        }
        if decision is not None:
            values |= {**decision.evaluations[0].sensors, "candidates": float(len(decision.actions))}
        return values


def _left(state: State) -> int:
    return len(codes_left(state.turns, state.rules))
