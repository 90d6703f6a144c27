"""A game of Battleship step by step: a step is one executed line of the traced program, or the other's whole turn.

The readable rules and the interpreter play it, so every register can be shown; it is the same game that the compiled
engine plays on the same deal.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gpkit.core.errors import UsageError
from gpkit.core.wording import does
from gpkit.gamekit.players import Player
from gpkit.games.battleship.board import SIGNS, Chances, heat_text, shot_text, square_name
from gpkit.games.battleship.fleets import Deals
from gpkit.games.battleship.forms.decisions import chances_table, decision_table
from gpkit.games.battleship.forms.host import Played, Shooter, play_steps, shooter_of, shot_keys
from gpkit.games.battleship.game import GAME
from gpkit.games.battleship.gunnery import is_on_board
from gpkit.games.battleship.options import Rules
from gpkit.games.battleship.picture import board_svg
from gpkit.games.battleship.players import check_players
from gpkit.games.battleship.primitives import FORMULAS, PRIMITIVES
from gpkit.games.battleship.rules import Board, Shot, State
from gpkit.languages.sinking.interpreter import Executed, Position, Registers
from gpkit.languages.sinking.words import vocabulary as words_for
from gpkit.playing.actions import Decision
from gpkit.playing.conditions import Name, Value, Vocabulary
from gpkit.playing.trace import Seated, Step, StepTable, Worth

_NAMES = (
    Name("step", "number", "the number of the step; 0 is before the first line"),
    Name("mine", "number", "1 if the traced program did something, 0 if the other player took a turn"),
    Name("state", "text", "the block: Targeting, Locking or Sinking"),
    Name("line", "number", "the line in its block, from 1; 0 at the return from the end of a block"),
    Name("instruction", "text", "the word of the line, such as Shoot"),
    Name("holds", "number", "of a condition: 1 if it holds, else 0"),
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
    Name("value", "number", "of a formula: its value of the square that it shot at"),
    Name("margin", "number", "its margin over the next best"),
    Name("chance", "number", "of an agent: its belief that there is a ship on the square that it shot at"),
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
    lines = _Lines(traced) if traced.dialect else None
    before = Registers()
    state = GAME.begin(seated.players, deals, rules)
    number = 0
    yield _step(number, ShotView(seated, None, before, state, lines))
    for played in play_steps(shooters, state, shot_keys(deals)):
        mine = played.player == seated.seat
        if not mine and played.step is not None and not played.ends_turn:
            continue  # the other's turn is one step
        number += 1
        yield _step(number, ShotView(seated, played, before, played.state, lines, state))
        state = played.state
        if mine and played.step is not None:
            before = played.step.registers


@dataclass(frozen=True, slots=True)
class _Lines:
    """The traced program as a listing."""

    shooter: Shooter

    def marked(self, place: tuple[int, int]) -> str:
        """The listing with a mark at a line; the place behind a block's last line is its end."""
        program = self.shooter.program
        shown = []
        for block, (name, words) in enumerate(zip(program.names, program.blocks, strict=True)):
            shown.append(f"{name}:")
            shown += [
                f"{'>' if (block, k) == place else ' '} {k + 1:2}  {word}" for k, word in enumerate(words)
            ]
            if (block, len(words)) == place:
                shown.append(">     (the end of the block)")
        return "\n".join(shown)


@dataclass(frozen=True, slots=True)
class ShotView:
    """One step: what was ``played`` (None before the first line), the registers ``before`` it, the ``state`` after it.

    ``seated`` is who sits where, ``earlier`` the state before the step.
    """

    seated: Seated
    played: Played | None
    before: Registers
    state: State
    lines: _Lines | None
    earlier: State | None = None

    @property
    def mine(self) -> Played | None:
        """The step, if it is one of the traced player."""
        return self.played if self.played is not None and self.played.player == self.seated.seat else None

    @property
    def executed(self) -> Executed | None:
        """Instruction that the traced program executed, if it did."""
        return None if self.mine is None else self.mine.step

    @property
    def decision(self) -> Decision | None:
        """Decision of the traced formula, if it shot."""
        return None if self.mine is None else self.mine.decision

    @property
    def chances(self) -> Chances | None:
        """Belief of the traced agent before its shot, by square, if it shot."""
        return None if self.mine is None else self.mine.chances

    @property
    def shot(self) -> Shot | None:
        """The shot of this step that cost a turn."""
        if self.played is None or not self.played.ends_turn:
            return None
        return self.state.boards[self.played.player].shots[-1]

    @property
    def registers(self) -> Registers:
        """The registers of the traced program after the step."""
        return self.before if self.executed is None else self.executed.registers

    def words(self) -> str:
        """Description of the step, in a line."""
        if self.played is None:
            return "before the first line" if self.lines is not None else "before the first shot"
        who = self.seated.names[self.played.player]
        if not self.played.ends_turn and self.played.step is None:
            lines = ", ".join(
                f"{PRIMITIVES.sections[block]} {line + 1}" for block, line in self.played.circle
            )
            return (
                f"{who} ran out of steps before a shot, so it is invalid: its program looped through {lines}"
            )
        shot = self.shot
        if self.executed is None:
            assert shot is not None, "a step of the other player, of a formula or of an agent is its shot"
            return f"{does(who, 'shoots')} at {shot_text(shot, self.state.rules)}"
        return f"{self._place()}: {self._happened(self.executed, shot)}"

    def _place(self) -> str:
        assert self.executed is not None
        block, line = self.executed.place
        name = PRIMITIVES.sections[block]
        return f"{name} {line + 1}" if self.executed.word else f"the end of {name}"

    def _happened(self, executed: Executed, shot: Shot | None) -> str:
        word, registers, rules = executed.word, executed.registers, self.state.rules
        if not word:
            return "on to where the dialect leads"
        if words_for(PRIMITIVES)[word].is_condition:
            return f"{word} {'holds' if executed.holds else 'does not hold'}"
        if word == "Shoot":
            if shot is not None:
                return f"Shoot at {shot_text(shot, rules)}"
            if not is_on_board(registers.target_pos, rules):
                return "Shoot at a place off the board: miss, costs nothing"
            message = "hit" if registers.target_hit else "miss"
            return f"Shoot at {_square(registers.target_pos, rules)}: {message}, known before, costs nothing"
        if word in ("Target", "MoveFwd", "LoadPos"):
            return f"{word}, to {_square(registers.target_pos, rules)}"
        if word.endswith("Dir"):
            return f"{word}, {registers.target_dir}"
        return word

    def table(self) -> StepTable | None:
        """The best squares of a formula or agent; or the registers after the step, changed ones with a star."""
        if self.decision is not None:
            return decision_table(self.decision, self.state.rules)
        if self.chances is not None and self.shot is not None:
            return chances_table(self.chances, self.shot.square, self.state.rules)
        if self.executed is None:
            return None
        after, before = _shown(self.registers, self.state.rules), _shown(self.before, self.state.rules)
        row = tuple(value if value == before[name] else f"{value} *" for name, value in after.items())
        return StepTable(tuple(after), (row,), -1)

    def board(self) -> str:
        """The boards after the step, ships shown; of an agent that shot also what it believed before."""
        boards = self.seated.view.board_text(self.state, names=self.seated.names)
        if self.chances is None:
            return boards
        return f"belief before the shot, in percent\n{heat_text(self._shot_at, self.chances)}\n{boards}"

    def picture(self) -> str:
        """The boards after the step as an SVG document, ships shown, coloured by an agent's belief before its shot."""
        heat = None if self.chances is None else (self._shot_at, self.chances)
        return board_svg(self.state, names=self.seated.names, heat=heat)

    @property
    def _shot_at(self) -> Board:
        """The board that the traced player shoots at."""
        return self.state.boards[self.seated.seat]

    def worth(self) -> Worth | None:
        """Values of the squares before the shot, of a formula or of an agent, to whom they are chances of a ship."""
        if self.decision is not None:
            return self.decision.worth(self.earlier)
        if self.chances is None or self.shot is None or self.earlier is None:
            return None
        values = {square: self.chances[square] for square in self.earlier.legal_actions()}
        return Worth(self.earlier, values, self.shot.square)

    def choice(self) -> int | None:
        """Square at which the traced player shot in this step, if it shot at one."""
        return self.shot.square if self.mine and self.shot is not None and self.shot.square >= 0 else None

    def record(self) -> dict[str, object]:
        """The step for programs to read; squares are written as in ``C4``."""
        executed, shot, rules = self.executed, self.shot, self.state.rules
        return {
            "player": None if self.played is None else self.played.player,
            "block": None if executed is None else PRIMITIVES.sections[executed.place[0]],
            "line": None if executed is None or not executed.word else executed.place[1] + 1,
            "instruction": None if executed is None else executed.word or None,
            "registers": None if self.lines is None else _shown(self.registers, rules),
            "shot": None
            if shot is None
            else {
                "square": square_name(shot.square, rules) if shot.square >= 0 else None,
                "hit": shot.hit,
                "sinks": rules.fleet[shot.sunk] if shot.sunk >= 0 else None,
            },
            "known": ["".join(SIGNS[known] for known in board.known) for board in self.state.boards],
            "scores": list(self.state.returns()) if self.state.is_terminal else None,
            **({} if self.decision is None else {"decision": self._decision(self.decision)}),
            **({} if self.chances is None else {"belief": list(self.chances)}),
        }

    def _decision(self, decision: Decision) -> dict[str, object]:
        return decision.record("square", lambda square: square_name(square, self.state.rules))


def _square(position: Position, rules: Rules) -> str:
    if not is_on_board(position, rules):
        return "off"
    return square_name(position[1] * rules.width + position[0], rules)


def _shown(registers: Registers, rules: Rules) -> dict[str, str]:
    """The registers as people read them."""
    return {
        "TargetPos": _square(registers.target_pos, rules),
        "TempPos": _square(registers.temp_pos, rules),
        "TargetDir": registers.target_dir,
        "TargetHit": str(registers.target_hit).lower(),
        "TempHit": str(registers.temp_hit).lower(),
        "Sunk": str(registers.sunk).lower(),
        "Count": str(registers.count),
    }


def _step(number: int, view: ShotView) -> Step:
    executed, decision = view.executed, view.decision
    values = {"step": float(number), **_values(view)}
    if decision is not None:
        return Step(number, values, view, decision.evaluations, decision.chosen)
    return Step(
        number,
        values,
        view,
        line=None if executed is None else executed.place,
        listing="" if executed is None or view.lines is None else view.lines.marked(executed.place),
    )


def _register_values(registers: Registers, rules: Rules) -> dict[str, Value]:
    """Values of the registers of a sinking program."""
    return {
        "TargetPos": _square(registers.target_pos, rules),
        "TargetX": float(registers.target_pos[0] + 1),
        "TargetY": float(registers.target_pos[1] + 1),
        "TempPos": _square(registers.temp_pos, rules),
        "TargetDir": registers.target_dir,
        "TargetHit": float(registers.target_hit),
        "TempHit": float(registers.temp_hit),
        "Sunk": float(registers.sunk),
        "Count": float(registers.count),
    }


def _values(view: ShotView) -> dict[str, Value]:
    """Values that conditions read of a step, but for its number."""
    state, shot = view.state, view.shot
    rules, board = state.rules, state.boards[view.seated.seat]
    values: dict[str, Value] = {
        **({} if view.lines is None else _register_values(view.registers, rules)),
        "mine": float(any(each is not None for each in (view.executed, view.decision, view.chances))),
        "shot": float(shot is not None),
        "shots": float(board.turns),
        "hits": float(sum(rules.fleet) - sum(board.left)),
        "afloat": float(sum(left > 0 for left in board.left)),
        "over": float(state.is_terminal),
    }
    if state.is_terminal:
        values["score"] = state.returns()[view.seated.seat]
    if shot is not None:
        values |= {
            "square": square_name(shot.square, rules) if shot.square >= 0 else "off",
            "hit": float(shot.hit and not shot.known),
            "sinks": float(rules.fleet[shot.sunk]) if shot.sunk >= 0 else 0.0,
        }
    if view.decision is not None:
        chosen = view.decision.evaluations[view.decision.chosen]
        values |= {**chosen.sensors, "value": chosen.value, "margin": view.decision.margin}
    if view.chances is not None and shot is not None:
        values["chance"] = view.chances[shot.square]
    executed = view.executed
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
