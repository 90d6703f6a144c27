"""A game of Mastermind step by step: every guess of the traced program, and what it saw of the codes to choose from.

The readable interpreter plays it, so every node's value can be shown; it is the same game that the compiled engine
plays on the same deal.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gpkit.core.errors import UsageError
from gpkit.games.mastermind.answers import feedback_text
from gpkit.games.mastermind.board import board_text
from gpkit.games.mastermind.codes import code_of_number, code_text
from gpkit.games.mastermind.exact import codes_left
from gpkit.games.mastermind.game import Deals, check_players
from gpkit.games.mastermind.options import Rules
from gpkit.games.mastermind.picture import board_svg
from gpkit.games.mastermind.primitives import SENSORS
from gpkit.games.mastermind.rules import State, Turn
from gpkit.games.players import Player, ProgramPlayer
from gpkit.play.conditions import Name, Value, Vocabulary
from gpkit.play.mastermind.decisions import Decision, decide, decision_table
from gpkit.play.players import names_at_table
from gpkit.play.trace import Step, Table, Trace

_NAMES = (
    Name("step", "number", "the number of the step; 0 is before the first guess"),
    Name("turn", "number", "guesses made before it"),
    Name("guess", "text", "the code that was guessed, such as '1123'"),
    Name("black", "number", "pegs of the right colour in the right place"),
    Name("white", "number", "further pegs of a right colour"),
    Name("left", "number", "codes that could be the secret before it"),
    Name("after", "number", "codes that can be the secret after it"),
    Name("forced", "number", "1 if one or two were left, so that there was nothing to choose, else 0"),
    Name("candidates", "number", "kinds of guesses that the program could tell apart"),
    Name("value", "number", "the value of the guess, where the program was asked"),
    Name("margin", "number", "how far that is above the next best kind"),
    Name("over", "number", "1 at the end of the game, else 0"),
    Name("score", "number", "the guesses of the game, at the end"),
)

VOCABULARY = Vocabulary((*_NAMES, *(Name(sensor.name, "number", sensor.meaning) for sensor in SENSORS)))
"""Vocabulary of conditions about a step of Mastermind; sensors are those of the guess."""


def trace_game(players: Sequence[Player], deals: Deals, rules: Rules, *, seat: int = 0) -> Trace:
    """The first deal's game with every guess of the first player.

    Raises:
        UsageError: the first player is no program, or sits where codes are made.
    """
    check_players(players)
    followed = players[0]
    if not isinstance(followed, ProgramPlayer):
        raise UsageError(f"{followed.name} is no program that can be followed: trace a .tree file")
    if seat:
        raise UsageError("--seat 1: the code maker does nothing that could be followed; sit in seat 0")
    return Trace(names_at_table(players), 0, VOCABULARY, _steps(followed, deals, rules))


def _steps(player: ProgramPlayer, deals: Deals, rules: Rules) -> Iterator[Step]:
    """The hidden code, and then every guess until the end."""
    key = int(deals.keys[0])
    state = State.begin(code_of_number(int(deals.secrets[0]), rules), rules)
    left = rules.codes
    yield _step(GuessView(state, left, left))
    while not state.is_terminal:
        numbers = codes_left(state.turns, rules)
        decision = decide(state.turns, numbers, player.program, key, rules)
        state = state.apply(int(numbers[0]) if decision is None else decision.code)
        left, before = len(codes_left(state.turns, rules)), len(numbers)
        yield _step(GuessView(state, before, left, decision))


def _step(view: "GuessView") -> Step:
    number, decision = len(view.state.turns), view.decision
    return Step(
        number,
        {"step": float(number), **_values(view)},
        view,
        decision.evaluations if decision else (),
        0 if decision else -1,
    )


@dataclass(frozen=True, slots=True)
class GuessView:
    """One step: the ``state`` after it, how many codes were left before and after it, and what the program decided."""

    state: State
    before: int
    after: int
    decision: Decision | None = None

    @property
    def turn(self) -> Turn | None:
        """The guess with its answer; None before the first one."""
        return self.state.turns[-1] if self.state.turns else None

    def words(self) -> str:
        """Description of the step, in a line."""
        if self.turn is None:
            return f"a code is hidden, one of {self.before:,}"
        guess = code_text(self.turn.guess, self.state.rules)
        forced = "" if self.decision else ", the first that is left"
        found = "found" if self.state.is_solved else f"{self.after:,} of {self.before:,} codes left"
        return f"guess {guess}{forced}: {feedback_text(self.turn.feedback)}, {found}"

    def table(self) -> Table | None:
        """The best guesses of the program with their values and the sensors that it read."""
        return decision_table(self.decision, self.state.rules) if self.decision else None

    def board(self) -> str:
        """The game after the step, the code open."""
        return board_text(self.state)

    def picture(self) -> str:
        """The game after the step as an SVG document, the code open."""
        return board_svg(self.state)

    def record(self) -> dict[str, object]:
        """The step for programs to read; codes are written as in ``1123``."""
        rules, turn = self.state.rules, self.turn
        return {
            "secret": code_text(self.state.secret, rules),
            "guess": code_text(turn.guess, rules) if turn else None,
            "black": turn.feedback.black if turn else None,
            "white": turn.feedback.white if turn else None,
            "left": self.after,
            "decision": self._decision_record(),
            "scores": list(self.state.returns()) if self.state.is_terminal else None,
        }

    def _decision_record(self) -> dict[str, object] | None:
        decision, rules = self.decision, self.state.rules
        if decision is None:
            return None
        kinds = zip(decision.codes, decision.counts, decision.evaluations, strict=True)
        candidates = [
            {
                "code": code_text(code_of_number(code, rules), rules),
                "alike": count,
                "value": each.value,
                "sensors": each.sensors,
            }
            for code, count, each in kinds
        ]
        return {
            "section": decision.evaluations[0].section,
            "chosen": candidates[0]["code"],
            "candidates": candidates,
        }


def _values(view: GuessView) -> dict[str, Value]:
    """Values that conditions read of a step, but for its number."""
    state, turn, decision = view.state, view.turn, view.decision
    values: dict[str, Value] = {"after": float(view.after), "over": float(state.is_terminal)}
    if state.is_terminal:
        values["score"] = state.returns()[0]
    if turn is None:
        return values
    values |= {
        "turn": float(len(state.turns) - 1),
        "guess": code_text(turn.guess, state.rules),
        "black": float(turn.feedback.black),
        "white": float(turn.feedback.white),
        "left": float(view.before),
        "forced": float(decision is None),
    }
    if decision is not None:
        values |= decision.evaluations[0].sensors
        values["candidates"] = float(len(decision.codes))
        values["value"] = decision.evaluations[0].value
        values["margin"] = decision.margin
    return values
