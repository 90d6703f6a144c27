"""A game of Battleship step by step: a step is one executed line of the traced program, or the other's whole turn.

The readable rules and the interpreter play it, so every register can be shown; it is the same game that the compiled
engine plays on the same deal.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from gpkit.core.errors import UsageError
from gpkit.core.wording import does
from gpkit.gamekit.players import Player
from gpkit.gamekit.state import NOBODY
from gpkit.gamekit.view import Overlay
from gpkit.games.battleship.board import SIGNS, Chances, heat_text, shot_text, square_name
from gpkit.games.battleship.fleets import Deals
from gpkit.games.battleship.forms.decisions import chances_table, decision_table
from gpkit.games.battleship.forms.host import Played, play_steps, shooter_of, shot_keys
from gpkit.games.battleship.game import GAME
from gpkit.games.battleship.gunnery import is_on_board, square_at
from gpkit.games.battleship.options import Rules
from gpkit.games.battleship.picture import board_svg
from gpkit.games.battleship.players import check_players
from gpkit.games.battleship.primitives import FORMULAS, PRIMITIVES
from gpkit.games.battleship.rules import Shot
from gpkit.genomes.linear import LinearProgram, Place
from gpkit.languages.sinking.interpreter import Executed, Position, Registers
from gpkit.languages.sinking.words import vocabulary as words_for
from gpkit.playing.actions import ActionView
from gpkit.playing.conditions import Name, Value, Vocabulary
from gpkit.playing.trace import Seated, Step, StepTable, Worth

_NAMES = (
    Name("step", "number", "the number of the step; 0 is before the first line"),
    Name("mine", "number", "1 if the traced program did something, 0 if the other player took a turn"),
    Name("state", "text", "the block: Targeting, Locking or Sinking"),
    Name("line", "number", "the line's place in its block, from 1; 0 for the return at its end"),
    Name("instruction", "text", "the instruction on the line, such as Shoot"),
    Name("holds", "number", "for a condition: 1 if it holds, else 0"),
    Name("TargetPos", "text", "the square of TargetPos, such as 'C4', or 'off'"),
    Name("TargetX", "number", "its column, from 1"),
    Name("TargetY", "number", "its row, from 1"),
    Name("TempPos", "text", "the square of TempPos"),
    Name("TargetDir", "text", "north, east, south or west"),
    Name("TargetHit", "number", "1 if it is true, else 0"),
    Name("TempHit", "number", "1 if it is true, else 0"),
    Name("Sunk", "number", "1 if the last shot sank a ship, else 0"),
    Name("Count", "number", "the counter"),
    Name("steps", "number", "steps since the last shot that cost a turn"),
    Name("shot", "number", "1 if a shot was taken that cost a turn, else 0"),
    Name("square", "text", "where the shot went"),
    Name("hit", "number", "1 if it hit, else 0"),
    Name("sinks", "number", "the length of the ship that it sank, else 0"),
    Name("shots", "number", "turns that the traced program has taken"),
    Name("hits", "number", "squares of ships that it has hit"),
    Name("afloat", "number", "ships that it has not sunk"),
    Name("over", "number", "1 at the end of the game, else 0"),
    Name("score", "number", "the score of the traced program, at the end"),
    Name("value", "number", "for a formula: its value for the square that it shot at"),
    Name("margin", "number", "its margin over the next best"),
    Name("chance", "number", "for an agent: its belief that there is a ship on the square that it shot at"),
    *(Name(sensor.name, "number", sensor.meaning) for sensor in FORMULAS.sensors),
)

_STATES = tuple(section.capitalize() for section in PRIMITIVES.sections)

VOCABULARY = Vocabulary(
    _NAMES,
    (*_STATES, "north", "east", "south", "west", *words_for(PRIMITIVES), "off"),
    (("Next hit", "hit == 1"), ("A ship is sunk", "sinks > 0"), ("Next miss", "shot == 1 and hit == 0")),
)
"""Vocabulary of conditions about a step of Battleship."""


def check(players: Sequence[Player], rules: Rules, seat: int) -> None:
    """Check that these players can play by these rules, and that somebody shoots from the seat.

    Raises:
        UsageError: the seat is not 0 in solitaire.
    """
    check_players(players, rules)
    if seat and not rules.is_duel:
        raise UsageError("--seat 1: in solitaire the program sits in seat 0")


def vocabulary(rules: Rules) -> Vocabulary:
    """``VOCABULARY``, under any rules."""
    return VOCABULARY


def steps(seated: Seated, deals: Deals, rules: Rules) -> Iterator[Step]:
    """Every line of the traced program, and every whole turn of the other."""
    shooters = [shooter_of(player) for player in seated.players if player.decides]
    traced = shooters[seated.seat]
    program = traced.program if traced.dialect else None
    registers, number = _FIRST, 0
    state = GAME.begin(seated.players, deals, rules)
    yield ShotView(seated, None, state, program=program).step(number)
    for played in play_steps(shooters, state, shot_keys(deals)):
        mine = played.player == seated.seat
        if not mine and played.step is not None and not played.ends_turn:
            continue  # the other's turn is one step
        number += 1
        square = played.state.boards[played.player].shots[-1].square if played.ends_turn else NOBODY
        decision = played.decision if mine else None
        view = ShotView(seated, state, played.state, square, decision, program, played, registers)
        yield view.step(number)
        state, registers = played.state, view.registers


def marked(program: LinearProgram, place: Place) -> str:
    """The listing of a program with a mark at a line; the place behind a block's last line is its end."""
    shown = []
    for block, (name, words) in enumerate(zip(program.names, program.blocks, strict=True)):
        shown.append(f"{name}:")
        shown += [f"{'>' if (block, k) == place else ' '} {k + 1:2}  {word}" for k, word in enumerate(words)]
        if (block, len(words)) == place:
            shown.append(">     (the end of the block)")
    return "\n".join(shown)


_FIRST = Registers()


@dataclass(frozen=True, slots=True)
class ShotView(ActionView):
    """One step; its action is the square of a shot that cost a turn, ``NOBODY`` if there is none or it went off.

    Attributes:
        program: the traced one; None for a formula and an agent.
        played: what happened; None before the first line.
        earlier: the registers before it.
    """

    program: LinearProgram | None = None
    played: Played | None = None
    earlier: Registers = _FIRST

    @property
    def executed(self) -> Executed | None:
        """Instruction that the traced program executed, if it did."""
        return self.played.step if self.played is not None and self.is_mine else None

    @property
    def chances(self) -> Chances | None:
        """Belief of the traced agent before its shot, by square, if it shot."""
        return self.played.chances if self.played is not None and self.is_mine else None

    @property
    def shot(self) -> Shot | None:
        """The shot of this step that cost a turn."""
        if self.played is None or not self.played.ends_turn:
            return None
        shots: tuple[Shot, ...] = self.after.boards[self.played.player].shots
        return shots[-1]

    @property
    def registers(self) -> Registers:
        """The registers of the traced program after the step."""
        return self.earlier if self.executed is None else self.executed.registers

    def words(self) -> str:
        """Description of the step, in a line."""
        if self.played is None:
            return f"before the first {'shot' if self.program is None else 'line'}"
        sections, executed, shot = PRIMITIVES.sections, self.executed, self.shot
        if not self.played.ends_turn and self.played.step is None:
            lines = ", ".join(f"{sections[block]} {line + 1}" for block, line in self.played.circle)
            return f"{self.name} ran out of steps before a shot, so it is invalid: its program looped through {lines}"
        if executed is None:
            assert shot is not None, "the other player, a formula or an agent takes one step per shot"
            return f"{does(self.name, 'shoots')} at {shot_text(shot, self.after.rules)}"
        block, line = executed.place
        place = f"{sections[block]} {line + 1}" if executed.word else f"the end of {sections[block]}"
        return f"{place}: {self._happened(executed, shot)}"

    def _happened(self, executed: Executed, shot: Shot | None) -> str:
        word, registers, rules = executed.word, executed.registers, self.after.rules
        if not word:
            return "continues where the dialect says"
        if words_for(PRIMITIVES)[word].is_condition:
            return f"{word} {'holds' if executed.holds else 'does not hold'}"
        if word == "Shoot":
            if shot is not None:
                return f"Shoot at {shot_text(shot, rules)}"
            if not is_on_board(registers.target_pos, rules):
                return "Shoot at a place off the board: miss, costs nothing"
            message = "hit" if registers.target_hit else "miss"
            return f"Shoot at {_square(registers.target_pos, rules)}: {message}, already known, costs nothing"
        if word in ("Target", "MoveFwd", "LoadPos"):
            return f"{word}, to {_square(registers.target_pos, rules)}"
        if word.endswith("Dir"):
            return f"{word}, {registers.target_dir}"
        return word

    def table(self) -> StepTable | None:
        """The best squares of a formula or agent; or the registers after the step, changed ones with a star."""
        if self.decision is not None:
            return decision_table(self.decision, self.after.rules)
        if self.chances is not None:
            return chances_table(self.chances, self.action, self.after.rules)
        if self.executed is None:
            return None
        after, before = (_shown(each, self.after.rules) for each in (self.registers, self.earlier))
        row = tuple(value if value == before[name] else f"{value} *" for name, value in after.items())
        return StepTable(tuple(after), (row,), -1)

    def board(self) -> str:
        """The boards after the step, ships shown; of an agent that shot also what it believed before."""
        boards = ActionView.board(self)
        if self.chances is None:
            return boards
        heat = heat_text(self.after.boards[self.seated.seat], self.chances)
        return f"belief before the shot, in percent\n{heat}\n{boards}"

    def picture(self, *, is_narrow: bool = False) -> str:
        """The boards after the step as an SVG document, ships shown, coloured by an agent's belief before its shot."""
        chances = () if self.chances is None else self.chances
        values = {square: 100 * chance for square, chance in enumerate(chances)}
        overlay = Overlay(values=values, is_narrow=is_narrow)
        return board_svg(self.after, names=self.seated.names, overlay=overlay, aims=self.seated.seat)

    def worth(self) -> Worth | None:
        """Values of the squares before the shot, of a formula or of an agent, to whom they are chances of a ship."""
        if self.chances is None:
            return ActionView.worth(self)
        values = {square: self.chances[square] for square in self.before.legal_actions()}
        return Worth(self.before, values, self.action)

    def record(self) -> dict[str, object]:
        """The step for programs to read; squares are written as in ``C4``."""
        executed, shot, rules = self.executed, self.shot, self.after.rules
        name = partial(square_name, rules=rules)
        return {
            "player": None if self.played is None else self.played.player,
            "block": None if executed is None else PRIMITIVES.sections[executed.place[0]],
            "line": None if executed is None or not executed.word else executed.place[1] + 1,
            "instruction": None if executed is None else executed.word or None,
            "registers": None if self.program is None else _shown(self.registers, rules),
            "shot": None
            if shot is None
            else {
                "square": name(shot.square) if shot.square >= 0 else None,
                "hit": shot.hit,
                "sinks": rules.fleet[shot.sunk] if shot.sunk >= 0 else None,
            },
            "known": ["".join(SIGNS[known] for known in board.known) for board in self.after.boards],
            "scores": list(self.after.returns()) if self.after.is_terminal else None,
            **({} if self.decision is None else {"decision": self.decision.record("square", name)}),
            **({} if self.chances is None else {"belief": list(self.chances)}),
        }

    def listing(self) -> str:
        """The traced program with a mark at the line that was executed; else empty."""
        program, executed = self.program, self.executed
        return "" if executed is None or program is None else marked(program, executed.place)

    def step(self, number: int) -> Step:
        """The step, with the line that was executed."""
        step = ActionView.step(self, number)
        return step if self.executed is None else replace(step, line=self.executed.place)

    def values(self) -> dict[str, Value]:
        """Values that conditions read of the step, but for its number."""
        executed, shot, decision = self.executed, self.shot, self.decision
        rules, board = self.after.rules, self.after.boards[self.seated.seat]
        values: dict[str, Value] = {
            **({} if self.program is None else _register_values(self.registers, rules)),
            "mine": float(any(each is not None for each in (executed, decision, self.chances))),
            "shot": float(shot is not None),
            "shots": float(board.turns),
            "hits": float(sum(rules.fleet) - sum(board.left)),
            "afloat": float(sum(left > 0 for left in board.left)),
            "over": float(self.after.is_terminal),
        }
        if self.after.is_terminal:
            values["score"] = self.after.returns()[self.seated.seat]
        if shot is not None:
            values |= {
                "square": square_name(shot.square, rules) if shot.square >= 0 else "off",
                "hit": float(shot.hit and not shot.known),
                "sinks": float(rules.fleet[shot.sunk]) if shot.sunk >= 0 else 0.0,
            }
        if decision is not None:
            chosen = decision.evaluations[decision.chosen]
            values |= {**chosen.sensors, "value": chosen.value, "margin": decision.margin}
        if self.chances is not None:
            values["chance"] = self.chances[self.action]
        if executed is not None:
            block, line = executed.place
            values |= {
                "state": _STATES[block],
                "line": float(line + 1) if executed.word else 0.0,
                "instruction": executed.word or None,
                "holds": float(executed.holds),
                "steps": float(executed.count),
            }
        return values


def _square(position: Position, rules: Rules) -> str:
    square = square_at(position, rules)
    return "off" if square < 0 else square_name(square, rules)


def _registers(registers: Registers, rules: Rules) -> dict[str, str | int]:
    """The registers by name, positions as squares."""
    return {
        "TargetPos": _square(registers.target_pos, rules),
        "TempPos": _square(registers.temp_pos, rules),
        "TargetDir": registers.target_dir,
        "TargetHit": registers.target_hit,
        "TempHit": registers.temp_hit,
        "Sunk": registers.sunk,
        "Count": registers.count,
    }


def _shown(registers: Registers, rules: Rules) -> dict[str, str]:
    """The registers as people read them."""
    found = _registers(registers, rules).items()
    return {name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in found}


def _register_values(registers: Registers, rules: Rules) -> dict[str, Value]:
    """Values of the registers of a sinking program."""
    found = _registers(registers, rules)
    values = {name: value if isinstance(value, str) else float(value) for name, value in found.items()}
    x, y = registers.target_pos
    return {"TargetPos": found["TargetPos"], "TargetX": float(x + 1), "TargetY": float(y + 1), **values}
