"""A traced game on the server: its steps, made once and kept, so that any of them is at hand."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Lock

from gpkit.core.errors import UsageError
from gpkit.core.primitives import offered
from gpkit.draw.frames import STOP
from gpkit.draw.programs import picture_of_game
from gpkit.draw.render import render_dot
from gpkit.gamekit.view import View, view_of
from gpkit.playing.conditions import read_condition
from gpkit.playing.game_setup import GameSetup, seat_all
from gpkit.playing.persons import seating_of
from gpkit.playing.players import Seating
from gpkit.playing.trace import Step, Tape, Trace, followed
from gpkit.playing.transcript import trace_session
from gpkit.web.play_table import PlayTable

MOST_DRAWN = 200
"""Pictures of programs in steps that are kept."""


@dataclass
class TraceTape:
    """A traced game; requests to it wait for each other.

    Attributes:
        setup: of the game.
        program: whose choices are followed, as it was named; empty for a person's.
        table: of a person's game, its name; else empty.
        seating: the players.
        trace: its names and vocabulary.
        view: of its game.
        tape: its steps.
    """

    setup: GameSetup
    program: str
    table: str
    seating: Seating
    trace: Trace
    view: View
    tape: Tape
    lock: Lock = field(default_factory=Lock)
    _drawn: dict[int, str] = field(default_factory=dict)
    _decisions: list[int] = field(default_factory=list)

    @property
    def last(self) -> int:
        """Number of the last step."""
        with self.lock:
            return self.tape.last

    def step(self, number: int) -> Step:
        """The step of that number, or the last one."""
        with self.lock:
            found = self.tape.get(min(number, self.tape.last))
        assert found is not None, "numbers begin at 0"
        return found

    def find(self, text: str, first: int) -> Step:
        """The first step from a number on at which a condition holds.

        Raises:
            UsageError: the condition cannot be read, or holds at no such step.
        """
        condition = read_condition(text, self.trace.vocabulary)
        with self.lock:
            found = self.tape.find(condition, first)
        if found is None:
            raise UsageError(f"{text} holds in no later step")
        return found

    def decision(self, number: int, *, before: bool = False) -> int | None:
        """The number of the next step in which the traced program decided, or of the last one before."""
        with self.lock:
            if not self._decisions:
                steps = map(self.tape.get, range(self.tape.last + 1))
                self._decisions = [
                    step.number
                    for step in steps
                    # it valued candidates, a rule acted, or a shot ended its lines
                    if step is not None
                    and (step.evaluations or step.values.get(STOP) or (step.line is None and step.listing))
                ]
        place = bisect_left(self._decisions, number) - 1 if before else bisect_right(self._decisions, number)
        return self._decisions[place] if 0 <= place < len(self._decisions) else None

    def drawn(self, number: int) -> str:
        """The traced program as an SVG document, with what counted in a step; empty where nothing did.

        Raises:
            GpkitError: its language has no pictures, or it is too large for one.
        """
        step, deciding = self.step(number), self.seating.players[0].decider
        if deciding is None or deciding.source is None or not (step.evaluations or step.listing):
            return ""
        with self.lock:
            if number not in self._drawn:
                source = deciding.source
                known = offered(self.seating.game.offers, deciding.program.language)
                picture = picture_of_game(source, known, [step], name="", place="", until="")
                if len(self._drawn) >= MOST_DRAWN:
                    self._drawn.clear()
                self._drawn[number] = render_dot(picture.dot, "svg").decode()
            return self._drawn[number]


def traced(setup: GameSetup, called: str, program: str, opponents: Sequence[str]) -> TraceTape:
    """The game that was asked for.

    Args:
        setup: of the game.
        called: whom to follow, as it was named.
        program: the same as it is read: a name, or the path of a program file.
        opponents: likewise.

    Raises:
        UsageError: something that was named does not exist, does not fit, or cannot be followed.
        SourceError: a program does not parse, or has an error for this game.
    """
    seating = seat_all(program, opponents, game=setup.game, options=setup.rules)
    trace = followed(seating, seat=setup.seat, seed=setup.seed, deal=setup.deal)
    return TraceTape(setup, called, "", seating, trace, view_of(setup.game), Tape(trace.steps))


def retold(table: PlayTable, name: str) -> TraceTape:
    """A person's game at the table of a name, which is over.

    Raises:
        UsageError: it is not over yet, or one in which a person answers.
    """
    setup, session = table.setup, table.session
    if session.answers:
        raise UsageError("only games in which you choose actions can be traced, once they are over")
    if not session.state.is_terminal:
        raise UsageError("the game is not over yet: hidden information would show")
    trace, seating = trace_session(session), seating_of(setup.rules, session)
    return TraceTape(setup, "", name, seating, trace, view_of(setup.game), Tape(trace.steps))
