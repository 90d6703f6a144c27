"""Runs sinking programs line by line, inside and outside games.

``PrimitiveSet.host`` executes the game's own instructions. The states of the game have ``boards``, with the board at
which each seat shoots; ``shoot(square)``, which returns the state after a shot that cost a turn; and ``give_up()``,
which returns the state after a program ran out of steps. The rules of the game have ``square_at(position)``, which is
negative for positions off the board.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple

from gpkit.core.primitives import HostInstruction, PrimitiveSet
from gpkit.gamekit.facts import Fact, Kind
from gpkit.gamekit.game import Deals, Game
from gpkit.gamekit.players import Player, by_program
from gpkit.gamekit.state import ObservableState
from gpkit.genomes.linear import LinearProgram, Place
from gpkit.langkit.language import Acting
from gpkit.languages.sinking.interpreter import Executed, Outcome, Registers, interpret
from gpkit.languages.sinking.text import (
    BLOCKS,
    DIRECTIONS,
    REGISTERS,
    WORDS,
    dialect_of,
    marked_text,
    vocabulary,
)
from gpkit.playing.decisions import StepTable, decider_of, explain
from gpkit.playing.trace import Seated, Step

OFF = "off"
"""The text that stands for a position off the board."""


class ExecutedLine(NamedTuple):
    """A line that a program executed, another player's action, or the end of a turn because a program ran out of steps.

    Attributes:
        after: the state after the line or the action.
        executed: the executed line; None for another player's action.
        action: the square of a shot that cost a turn; None off the board, or without such a shot.
        decision: the decision of another player.
    """

    after: Any
    executed: Executed | None = None
    action: int | None = None
    decision: Any = None


Turn = Callable[[Any], list[ExecutedLine]]
"""A function that plays a player's turn, beginning at a state in which the player must shoot."""


def is_of_lines(player: Player) -> bool:
    """Whether a sinking program decides for a player."""
    deciding = decider_of(player)
    return deciding is not None and deciding.program.language == LinearProgram.language


def turns(player: Player, primitives: PrimitiveSet, board: object, key: int) -> Turn:
    """A function that plays the turns of a player's sinking program, beginning at the start of the program.

    Args:
        player: the player; the header of its program sets its dialect.
        primitives: the primitive set of the game.
        board: the board at which the program shoots.
        key: the key of the random numbers for its shots, 26 bits.
    """
    deciding = by_program(player)
    dialect = dialect_of(deciding.header, primitives)
    assert primitives.host is not None, "the game executes instructions"
    host = primitives.host(board, key, dialect)
    return partial(turn, host, interpret(deciding.program, dialect, primitives, host))


def turn(host: Any, steps: Iterator[Executed], state: Any) -> list[ExecutedLine]:
    """The lines that a program executes until a shot costs a turn or the steps run out."""
    host.board = state.board
    lines: list[ExecutedLine] = []
    for executed in steps:
        if executed.ends_turn:
            square = state.rules.square_at(executed.registers.target_pos)
            return [*lines, ExecutedLine(state.shoot(square), executed, square if square >= 0 else None)]
        lines.append(ExecutedLine(state, executed))
    return [*lines, ExecutedLine(state.give_up())]


def steps(game: Game, seated: Seated, deals: Deals, rules: object) -> Iterator[Step]:
    """Yield the beginning of the game, every line of the followed program, and every turn of the other players."""
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
            lines = [ExecutedLine(state.apply(action), None, action, decision if is_mine else None)]
        for line in lines if is_mine else lines[-1:]:
            executed = line.executed if is_mine else None
            held = _held(executed.registers, seated, state) if executed else step.held
            step = LineStep(
                step.number + 1,
                seated,
                state,
                line.after,
                line.action,
                line.decision,
                (_told(executed, held),) if executed and held else _gave_up(seated.names[seat], lines),
                executed=executed,
                held=held,
                earlier=step.held,
            )
            yield step
        state = step.after


def _held(registers: Registers, seated: Seated, state: ObservableState) -> Mapping[str, str | int]:
    """The registers by name, with positions as squares; and the column and row of TargetPos, which count from 1."""
    squares = {each: state.rules.square_at(each) for each in (registers.target_pos, registers.temp_pos)}
    text = partial(seated.view.action_text, state)
    names = {each: OFF if square < 0 else text(square) for each, square in squares.items()}
    values = (names.get(each, each) for each in attrgetter(*Registers.__slots__)(registers))
    x, y = registers.target_pos
    return {**dict(zip(REGISTERS, values, strict=True)), "TargetX": x + 1, "TargetY": y + 1}


def _told(executed: Executed, held: Mapping[str, str | int]) -> str:
    """A sentence about a line and its outcome; for the game's own instructions, the game describes the outcome."""
    (block, line), word, told = executed.place, executed.word, executed.told
    if not word:
        return f"the end of {BLOCKS[block]}: continues where the dialect says"
    if executed.holds is not None:
        told = " holds" if executed.holds else " does not hold"
    elif word == "LoadPos":
        told = f", to {held['TargetPos']}"
    return f"{BLOCKS[block]} {line + 1}: {word}{told}"


def _gave_up(name: str, lines: Sequence[ExecutedLine]) -> tuple[str, ...]:
    """A sentence about a program that ran out of steps and the lines of its loop; empty if the turn ended otherwise."""
    if lines[-1].executed is not None or lines[-1].action is not None:
        return ()
    lately = (line.executed for line in lines[len(lines) // 2 :])
    circle = sorted({each.place for each in lately if each and each.word})
    places = ", ".join(f"{BLOCKS[block]} {line + 1}" for block, line in circle)
    return (f"{name} ran out of steps before a shot, so it is invalid: its program looped through {places}",)


@dataclass(frozen=True)
class LineStep(Step):
    """One step of a game with a sinking program.

    Attributes:
        executed: the executed line of the followed program; None for other players' turns.
        held: the values of the followed program's registers after the step, by name; None unless a sinking program is
            followed.
        earlier: the values of these registers before the step.
    """

    executed: Executed | None = None
    held: Mapping[str, str | int] | None = None
    earlier: Mapping[str, str | int] | None = None

    @cached_property
    def sensors(self) -> Mapping[str, float]:
        """The sensors, as in ``Step``; empty if the step executes a line."""
        return super().sensors if self.executed is None else {}

    @property
    def line(self) -> Place | None:
        """The place of the executed line in the program."""
        return None if self.executed is None else self.executed.place

    @property
    def listing(self) -> str:
        """The text of the program, with a mark at the executed line."""
        return "" if self.line is None else marked_text(by_program(self.seated.followed).program, self.line)

    def table(self) -> StepTable | None:
        """The registers after a line, with a star at those that changed; for other steps, the table of candidates."""
        if self.executed is None or self.held is None or self.earlier is None:
            return super().table()
        before, after = (
            [str(value).lower() if isinstance(value, bool) else str(value) for value in held.values()]
            for held in (self.earlier, self.held)
        )
        row = tuple(new if new == old else f"{new} *" for old, new in zip(before, after, strict=True))
        return StepTable(REGISTERS, (row[: len(REGISTERS)],), -1)


def line_facts(primitives: PrimitiveSet) -> tuple[Fact, ...]:
    """The facts about steps that execute a line of a sinking program."""
    states = tuple(map(str.capitalize, BLOCKS))
    held: tuple[tuple[str, Kind, str, tuple[str, ...]], ...] = (
        ("TargetPos", "text", "the square of TargetPos, such as 'C4', or 'off'", (OFF,)),
        ("TargetX", "number", "the column of TargetPos, from 1", ()),
        ("TargetY", "number", "the row of TargetPos, from 1", ()),
        ("TempPos", "text", "the square of TempPos", ()),
        ("TargetDir", "text", "north, east, south or west", DIRECTIONS),
        ("TargetHit", "number", "1 if TargetHit is true, else 0", ()),
        ("TempHit", "number", "1 if TempHit is true, else 0", ()),
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


CONDITION = "If"
"""The prefix of every word that is a condition."""


MOST_LINES = 1000
"""The default maximum number of lines in a block of a program outside games."""


def primitives_of(words: Sequence[str], lines: int = MOST_LINES) -> PrimitiveSet:
    """A primitive set with these actions, without a game; ``lines`` is the largest number of lines in each block."""
    told = tuple(
        HostInstruction(word, "an action", acts=True, shoots=True)
        if not word.startswith(CONDITION)
        else HostInstruction(word, "a condition", is_condition=True)
        for word in words
    )
    return PrimitiveSet("", BLOCKS, (), (), told, capacities=(lines,) * len(BLOCKS))


@dataclass(frozen=True, slots=True)
class _Host:
    sense: Callable[[str], float]

    def execute(self, word: str, registers: Registers, dialect: Mapping[str, str]) -> Outcome:
        """Execute one word: a condition reads a sensor, and an action ends a turn."""
        return (
            Outcome(registers, holds=bool(self.sense(word)))
            if word.startswith(CONDITION)
            else Outcome(registers, ends_turn=True)
        )


def primitives(program: LinearProgram) -> PrimitiveSet:
    """The primitives that a program uses."""
    known = {word.name for word in WORDS}
    return primitives_of(
        tuple(dict.fromkeys(word for block in program.blocks for word in block if word not in known))
    )


def actions(
    program: LinearProgram, sense: Callable[[str], float], draw: Callable[[], float]
) -> Iterator[str]:
    """Yield the actions of a program, which runs repeatedly until it takes a thousand steps without an action."""
    del draw  # no word draws a random number
    using = primitives(program)
    for executed in interpret(program, dialect_of({}, using), using, _Host(sense)):
        if executed.ends_turn:
            yield executed.word


ACTING = Acting(actions, primitives)
