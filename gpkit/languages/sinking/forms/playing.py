"""Sinking programs in games: every line of the program that is followed, and every whole turn of the others.

A game has ``PrimitiveSet.host``, which carries out its own instructions. Its states have ``boards``, by seat what is
shot at; ``shoot(square)``, the state after a shot that cost a turn; and ``give_up()``, that after a program ran out of
steps. Its rules have ``square_at(position)``, which is negative off the board.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple

from gpkit.core.primitives import PrimitiveSet
from gpkit.gamekit.facts import Fact, Kind
from gpkit.gamekit.game import Game
from gpkit.gamekit.players import Player, by_program
from gpkit.genomes.linear import LinearProgram, Place
from gpkit.languages.sinking.interpreter import Executed, Registers, interpret
from gpkit.languages.sinking.printer import marked_text
from gpkit.languages.sinking.words import BLOCKS, DIRECTIONS, REGISTERS, dialect_of, vocabulary
from gpkit.playing.decisions import StepTable, decider_of, explain
from gpkit.playing.trace import Seated, Step

OFF = "off"
"""Instead of a square: there is none at the position."""


class Line(NamedTuple):
    """A line that a program executed, or an action of another player; a program that gave up has neither.

    Attributes:
        after: the state after it.
        executed: the line.
        action: the square of a shot that cost a turn; None off the board.
        decision: of another player.
    """

    after: Any
    executed: Executed | None = None
    action: int | None = None
    decision: Any = None


Turn = Callable[[Any], list[Line]]
"""A player's whole turn, from a state in which it is to shoot."""


def is_of_lines(player: Player) -> bool:
    """Whether a program of lines decides for a player."""
    deciding = decider_of(player)
    return deciding is not None and deciding.program.language == LinearProgram.language


def turns(player: Player, primitives: PrimitiveSet, board: Any, key: int) -> Turn:
    """Turns of a player whose program of lines sees a board for the first time.

    Args:
        player: the player; its dialect is that of its program's header.
        primitives: of the game.
        board: what it shoots at.
        key: of its shots, 26 bits.
    """
    deciding = by_program(player)
    dialect = dialect_of(deciding.header, primitives)
    assert primitives.host is not None, "the game carries out instructions"
    host = primitives.host(board, key, dialect)
    return partial(turn, host, interpret(deciding.program, dialect, primitives, host))


def turn(host: Any, steps: Iterator[Executed], state: Any) -> list[Line]:
    """The lines of a program up to a shot that costs a turn, or until it gives up; the host gets the state's board."""
    host.board = state.board
    lines: list[Line] = []
    for executed in steps:
        if executed.ends_turn:
            square = state.rules.square_at(executed.registers.target_pos)
            return [*lines, Line(state.shoot(square), executed, square if square >= 0 else None)]
        lines.append(Line(state, executed))
    return [*lines, Line(state.give_up())]


def steps(game: Game, seated: Seated, deals: Any, rules: Any) -> Iterator[Step]:
    """The beginning, every line of the program that is followed, and every whole turn of the others."""
    state = game.begin(seated.players, deals, rules)
    taking = {
        seat: turns(player, game.offers[LinearProgram.language], state.boards[seat], deals.key(seat))
        for seat, player in enumerate(seated.players)
        if is_of_lines(player)
    }
    held = _held(Registers(), seated, state) if seated.seat in taking else None
    step = LineStep(0, seated, None, state, told=("before the first line",) if held else (), held=held)
    yield step
    while not state.is_terminal:
        seat = state.current_player
        is_mine = seat == seated.seat
        if seat in taking:
            lines = taking[seat](state)
        else:
            action, decision = explain(game, seated.players[seat], state, deals)
            lines = [Line(state.apply(action), None, action, decision if is_mine else None)]
        for line in lines if is_mine else lines[-1:]:
            executed = line.executed if is_mine else None
            held = _held(executed.registers, seated, state) if executed else step.held
            told = (_told(executed, held),) if executed and held else _gave_up(seated.names[seat], lines)
            step = LineStep(
                step.number + 1,
                seated,
                state,
                line.after,
                line.action,
                line.decision,
                told,
                executed,
                held,
                step.held,
            )
            yield step
        state = step.after


def _held(registers: Registers, seated: Seated, state: Any) -> Mapping[str, str | int]:
    """Contents of registers by name, with positions as squares; and the column and the row of TargetPos, from 1."""
    squares = {each: state.rules.square_at(each) for each in (registers.target_pos, registers.temp_pos)}
    text = partial(seated.view.action_text, state)
    names = {each: OFF if square < 0 else text(square) for each, square in squares.items()}
    values = (names.get(each, each) for each in attrgetter(*Registers.__slots__)(registers))
    x, y = registers.target_pos
    return {**dict(zip(REGISTERS, values, strict=True)), "TargetX": x + 1, "TargetY": y + 1}


def _told(executed: Executed, held: Mapping[str, str | int]) -> str:
    """A line and its outcome, in words; those of an instruction of the game come from the game."""
    (block, line), word, told = executed.place, executed.word, executed.told
    if not word:
        return f"the end of {BLOCKS[block]}: continues where the dialect says"
    if executed.holds is not None:
        told = " holds" if executed.holds else " does not hold"
    elif word == "LoadPos":
        told = f", to {held['TargetPos']}"
    return f"{BLOCKS[block]} {line + 1}: {word}{told}"


def _gave_up(name: str, lines: Sequence[Line]) -> tuple[str, ...]:
    """The sentence about a program that gave up, and which lines it came to again and again; none of another turn."""
    if lines[-1].executed is not None or lines[-1].action is not None:
        return ()
    lately = (line.executed for line in lines[len(lines) // 2 :])
    circle = sorted({each.place for each in lately if each and each.word})
    places = ", ".join(f"{BLOCKS[block]} {line + 1}" for block, line in circle)
    return (f"{name} ran out of steps before a shot, so it is invalid: its program looped through {places}",)


@dataclass(frozen=True)
class LineStep(Step):
    """One step of a game in which a program of lines plays.

    Attributes:
        executed: the line, of the program that is followed.
        held: what its registers hold after the step, by name; None where another player is followed.
        earlier: the same before the step.
    """

    executed: Executed | None = None
    held: Mapping[str, str | int] | None = None
    earlier: Mapping[str, str | int] | None = None

    @cached_property
    def sensors(self) -> Mapping[str, float]:
        """The sensors as in ``Step``; a line has none."""
        return super().sensors if self.executed is None else {}

    @property
    def line(self) -> Place | None:
        """The place of the line that was executed."""
        return None if self.executed is None else self.executed.place

    @property
    def listing(self) -> str:
        """The program with a mark at the line that was executed."""
        return "" if self.line is None else marked_text(by_program(self.seated.followed).program, self.line)

    def table(self) -> StepTable | None:
        """The registers after a line, changed ones with a star; for other steps, the choices."""
        if self.executed is None or self.held is None or self.earlier is None:
            return super().table()
        before, after = (
            [str(value).lower() if isinstance(value, bool) else str(value) for value in held.values()]
            for held in (self.earlier, self.held)
        )
        row = tuple(new if new == old else f"{new} *" for old, new in zip(before, after, strict=True))
        return StepTable(REGISTERS, (row[: len(REGISTERS)],), -1)


def line_facts(primitives: PrimitiveSet) -> tuple[Fact, ...]:
    """The facts of a step that is a line of a program."""
    states = tuple(map(str.capitalize, BLOCKS))
    held: tuple[tuple[str, Kind, str, tuple[str, ...]], ...] = (
        ("TargetPos", "text", "the square of TargetPos, such as 'C4', or 'off'", (OFF,)),
        ("TargetX", "number", "its column, from 1", ()),
        ("TargetY", "number", "its row, from 1", ()),
        ("TempPos", "text", "the square of TempPos", ()),
        ("TargetDir", "text", "north, east, south or west", DIRECTIONS),
        ("TargetHit", "number", "1 if it is true, else 0", ()),
        ("TempHit", "number", "1 if it is true, else 0", ()),
        ("Sunk", "number", "1 if the last shot sank a ship, else 0", ()),
        ("Count", "number", "the counter", ()),
    )
    executed: tuple[tuple[str, Kind, str, Callable[[Executed], Any], tuple[str, ...]], ...] = (
        (
            "state",
            "text",
            "the block: Targeting, Locking or Sinking",
            lambda line: states[line.place[0]],
            states,
        ),
        (
            "line",
            "number",
            "the line's place in its block, from 1; 0 for the return at its end",
            lambda line: line.place[1] + 1 if line.word else 0,
            (),
        ),
        (
            "instruction",
            "text",
            "the instruction on the line, such as Shoot",
            lambda line: line.word or None,
            tuple(vocabulary(primitives)),
        ),
        (
            "holds",
            "number",
            "for a condition: 1 if it holds, else 0",
            lambda line: line.holds is not False,
            (),
        ),
        ("steps", "number", "steps since the last shot that cost a turn", attrgetter("count"), ()),
    )
    return (
        *(Fact(name, kind, told, of, ("executed",), words) for name, kind, told, of, words in executed),
        *(Fact(name, kind, told, itemgetter(name), ("held",), words) for name, kind, told, words in held),
    )
