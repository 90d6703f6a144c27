"""Conversations in which a person plays Battleship; see ``gpkit.playing.conversation``.

In a duel, the person lays out a fleet ship by ship, by typing or clicking. Once the fleet is laid out, the person
shoots.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from gpkit.core.errors import UsageError
from gpkit.core.wording import counted
from gpkit.gamekit.game import Game
from gpkit.gamekit.players import Player
from gpkit.gamekit.state import NOBODY
from gpkit.games.battleship.arena import DEFAULT_PLACEMENT, drawn_fleet, strategy_of
from gpkit.games.battleship.board import (
    TOWARDS,
    grid_text,
    heat_text,
    laying_svg,
    placement_of_name,
    square_name,
)
from gpkit.games.battleship.forms.view import told_shot
from gpkit.games.battleship.primitives import PRIMITIVES
from gpkit.games.battleship.rules import BattleshipRules, Board, FleetDeals, Placements, announced
from gpkit.games.battleship.state import BattleshipState
from gpkit.languages.sinking.forms.playing import is_of_lines, turns
from gpkit.languages.sinking.interpreter import Executed
from gpkit.playing.conversation import Advice, Answers, Change, Conversation, Dialogue, Line, Mover, ask
from gpkit.playing.decisions import StepTable, decider_of
from gpkit.playing.players import name_of_adviser, player_of_name
from gpkit.vm.keyed import HALF

LAYING = """\
C4       place the next ship from C4, to the right unless it was turned
C4 h     place the next ship from C4 to the right
C4 v     place the next ship from C4 down
t        turn the next ship
b        take the last ship back
c        clear the board
r        place all ships at random; r again moves them, and Enter begins
Enter    show the ships placed so far; before the first ship, begin with a random fleet
q        give up and leave
?        this page
On the board: a digit is a ship of that length, + one of 10 or more. With all ships placed, you take turns shooting."""


START = "start"


@dataclass(frozen=True, slots=True)
class Laid:
    """A fleet that a person is laying out.

    Attributes:
        rules: the rules.
        ships: the placements of the ships laid out so far.
        direction: the direction of the next ship, a key of ``TOWARDS``.
    """

    rules: BattleshipRules
    ships: Placements = ()
    direction: str = "h"

    @property
    def is_full(self) -> bool:
        """Whether all ships are placed."""
        return len(self.ships) == len(self.rules.fleet)

    @property
    def length(self) -> int:
        """The length of the next ship."""
        return self.rules.fleet[len(self.ships)]

    def placement(self, word: str) -> int:
        """The placement of the next ship, from a typed word.

        Raises:
            UsageError: the word does not describe a placement, or the ship does not fit there.
        """
        return placement_of_name(
            word if word[1:][-1:].lower() in TOWARDS else f"{word} {self.direction}", self.ships, self.rules
        )

    def after(self, word: str) -> "Laid":
        """The fleet after a typed word.

        Raises:
            UsageError: the word is neither a command nor a valid place for the next ship.
        """
        if self.is_full and word.lower() not in ("b", "c"):
            raise UsageError("all ships are placed: Enter begins, r moves them, b takes one back")
        if word.lower() == "t":
            return replace(self, direction="v" if self.direction == "h" else "h")
        ships = {"": self.ships, "b": self.ships[:-1], "c": ()}.get(word.lower())
        return replace(self, ships=(*self.ships, self.placement(word)) if ships is None else ships)

    def board(self) -> Board:
        """The board with the ships laid out so far."""
        return Board.of(self.ships, replace(self.rules, fleet=self.rules.fleet[: len(self.ships)]))

    def answers(self) -> Answers:
        """The possible answers: the squares where the next ship can begin, and the other commands."""
        if self.is_full:
            words = {START: "Start", "r": "Throw again", "b": "Take back", "c": "Clear"}
            picture = laying_svg(self.board(), self.rules, {})
            return Answers("This is your fleet", picture, words, line="Start, or throw the ships again.")
        towards = f", {TOWARDS[self.direction]}" if self.length > 1 else ""
        words = {
            **({"t": "Turn"} if towards else {}),
            "r": "Random fleet",
            **({"b": "Take back", "c": "Clear"} if self.ships else {}),
        }
        ghosts = {
            square_name(square, self.rules): self._ghost(square) for square in range(self.rules.squares)
        }
        line = "Choose its first square." if self.ships else "Choose its first square, or a random fleet."
        return Answers(
            f"Place the ship of {self.length}{towards}",
            laying_svg(self.board(), self.rules, ghosts),
            words,
            line=line,
        )

    def _ghost(self, square: int) -> tuple[int, int, str]:
        """The next ship's first and last square on the board if it starts here, and the reason if it does not fit."""
        rules, (y, x) = self.rules, divmod(square, self.rules.width)
        step, room = (1, rules.width - x) if self.direction == "h" else (rules.width, rules.height - y)
        last = square + step * (min(self.length, room) - 1)
        try:
            self.placement(square_name(square, rules))
        except UsageError as why:
            return square, last, str(why).partition(";")[0]
        return square, last, ""


def lay_out(
    draw: Callable[[int], Placements], rules: BattleshipRules, lines: Iterator[str]
) -> Dialogue[Placements | None]:
    """The fleet that the person lays out ship by ship, or a random fleet, or None if the person leaves.

    Args:
        draw: a function that takes the number of a draw, from 0, and returns a random fleet.
        rules: the rules.
        lines: an iterator over the lines that the person types.
    """
    yield (
        f"Your fleet: {', '.join(map(str, rules.fleet))}. Enter places it at random, and A1 h or A1 v places the ship "
        f"of {rules.fleet[0]}."
    )
    laid, throws = Laid(rules), 0
    while throws or not laid.is_full:
        prompt = "start? " if laid.is_full else f"ship of {laid.length}? "
        word = yield from ask(prompt, LAYING, lines, answers=partial(Laid.answers, laid))
        if word is None:
            return None
        if not (word or laid.ships):
            return draw(0)
        if laid.is_full and word.lower() in ("", START):
            break
        try:
            if word.lower() == "r":
                laid, throws = replace(laid, ships=draw(throws)), throws + 1
            else:
                laid = laid.after(word)
        except UsageError as mistake:
            yield str(mistake)
            continue
        if word.lower() == "t":
            yield f"The next ship points {TOWARDS[laid.direction]}."
        elif throws or not laid.is_full:
            yield f"\n{grid_text(laid.board(), reveal=True)}"
    return laid.ships


BELIEVER = "belief"
"""The agent whose beliefs heat maps show."""

LONGEST_HINT = 12
"""The maximum number of program lines that a hint shows."""

SHOOTING = """\
C4       shoot there: the column's letter and the row's number
Enter    show the board again
h        hint: where {adviser} would shoot, and why
b        belief: the chance of a ship on each square that you shoot at
q        give up and leave
{watched}?        this page
On the board: . not shot at, o miss, x hit, # of a ship that sank; a digit: a ship of that length, +: of 10 or more."""

WATCHED = """\
w        watched: the chance of a ship that {name} sees on each square of your board
"""
"""An extra line of the help page in duels."""


class BattleshipConversation(Conversation):
    """A conversation during Battleship: a duel against a program, or solitaire with a placement pattern."""

    prompt = "shot? "
    would = "shoot at"
    best = "likeliest"

    @classmethod
    def rules_of(cls, game: Game, options: Mapping[str, str], opponents: Sequence[Player]) -> BattleshipRules:
        """The chosen rules; the default mode is a duel against programs, and solitaire with placement patterns."""
        return BattleshipRules.from_options(
            {"mode": "duel" if opponents[0].decides else "solitaire", **options}
        )

    @property
    def name(self) -> str:
        """The name of the opponent."""
        return self.names_of_others[0]

    @property
    def page(self) -> str:  # type: ignore[override]
        """The help page for the shooting phase."""
        watched = WATCHED.format(name=self.name) if self.rules.is_duel else ""
        adviser = self.advising()
        assert adviser is not None, "a program comes with the game"
        return SHOOTING.format(adviser=name_of_adviser(adviser), watched=watched)

    def commands(self) -> Mapping[str, Callable[[BattleshipState, FleetDeals], Iterable[Line]]]:
        """The commands, including those for heat maps of beliefs."""
        watched = {"w": self.watched, "watched": self.watched} if self.rules.is_duel else {}
        return {**super().commands(), "b": self.belief, "belief": self.belief, **watched}

    def setting(self) -> str:
        """A phrase that names the opponent in a duel, or the board to clear."""
        return super().setting() if self.rules.is_duel else f"find the fleet that {self.name} has placed"

    def example(self) -> str:
        """An example of a square to type."""
        return "Type a square such as C4; "

    def opening(self, deals: FleetDeals, lines: Iterator[str]) -> Dialogue[BattleshipState | None]:
        """The first state with the deal's fleets; in a duel, the person lays out their own fleet."""
        state: BattleshipState = yield from super().opening(deals, lines)
        if not self.rules.is_duel:
            return state
        fleets = [board.fleet for board in state.boards]
        drawn, (key, extra, shots) = fleets[1 - self.seat], deals.seat(0, 1 - self.seat)

        def draw(throw: int) -> Placements:
            keys = (key + throw) % HALF, extra, shots
            return drawn_fleet(DEFAULT_PLACEMENT, keys, self.rules) if throw else drawn

        own = yield from lay_out(draw, self.rules, lines)
        if own is None:
            return None
        fleets[1 - self.seat] = own
        return BattleshipState.begin(tuple(fleets), self.rules)

    def mover(self, state: BattleshipState, deals: FleetDeals) -> Mover:
        """The function that makes the opponent's moves; a sinking program may run out of steps."""
        (opponent,), other = self.others, 1 - self.seat
        if not is_of_lines(opponent):
            return super().mover(state, deals)
        shoot = turns(opponent, PRIMITIVES, state.boards[other], deals.key(other))

        def move(state: BattleshipState) -> Change:
            *_, last = shoot(state)
            if last.executed is None:
                told = f"{self.name} ran out of steps before a shot, so its program is invalid"
                return Change(state, last.after, NOBODY, (told,))
            return Change(
                state,
                last.after,
                NOBODY if last.action is None else last.action,
                self.told(state, last.after),
            )

        return move

    def moved(self, before: BattleshipState, action: int, after: BattleshipState) -> tuple[str, ...]:
        """A sentence about the opponent's shot."""
        return self.told(before, after)

    def told(self, before: BattleshipState, after: BattleshipState) -> tuple[str, ...]:
        """A sentence about the last shot of either player."""
        seat = before.current_player
        return (told_shot(self.names[seat], seat, after),)

    def task(self, state: BattleshipState) -> str:
        """The number of the next shot and, if sinkings are announced, the ships afloat or sunk."""
        board, rules = state.boards[self.seat], self.rules
        sunk = [shot for shot in board.shots if announced(shot, rules) is not None]
        message = {
            "ship": f", ships afloat: {' '.join(map(str, board.afloat))}",
            "sunk": f", ships sunk: {len(sunk)} of {len(rules.fleet)}",
            "hit": "",
        }
        return f"Your shot {board.turns + 1}{message[rules.announce]}"

    def advice(self, state: BattleshipState, deals: FleetDeals) -> Advice:
        """The shot that the adviser would take next.

        A sinking program starts from its beginning and runs until its first shot. The hint does not reveal whether the
        shot would hit. The rule ``found`` has no effect on hints.
        """
        rules, adviser = replace(self.rules, found=False), self.advising()
        state = replace(
            state, rules=rules, boards=tuple(replace(board, rules=rules) for board in state.boards)
        )
        if adviser is None or not is_of_lines(adviser):
            return super().advice(state, deals)
        lines = turns(adviser, PRIMITIVES, state.board, deals.key(self.seat))(state)
        rows = tuple(_row(line.executed, rules) for line in lines if line.executed is not None)
        says, square = f"{name_of_adviser(adviser)} would", lines[-1].action
        if lines[-1].executed is None:
            return Advice((f"{says} run out of steps before a shot",))
        message = f"{says} shoot at {rows[-1][-1]}"
        target = (square,) if square is not None and square in state.legal_actions() else ()
        if len(rows) > LONGEST_HINT:
            return Advice((f"{message}, after {len(rows)} lines of its program",), target)
        table = StepTable(("block", "line", "instruction", "target"), rows, len(rows) - 1)
        return Advice((f"{message}:", table), target)

    def belief(self, state: BattleshipState, deals: FleetDeals) -> Iterator[Line]:
        """A heat map of the board that the person shoots at."""
        heat = self._heat(player_of_name(BELIEVER, self.game), state, self.seat, deals)
        yield f"chances of a ship, in percent:\n{heat}"

    def watched(self, state: BattleshipState, deals: FleetDeals) -> Iterator[Line]:
        """A heat map of the person's board: the beliefs of the opponent, or of an agent that knows their shots."""
        (opponent,) = self.others
        is_agent = decider_of(opponent) is None
        who = self.name if is_agent else f"the shots of {self.name}"
        heat = self._heat(
            opponent if is_agent else player_of_name(BELIEVER, self.game), state, 1 - self.seat, deals
        )
        yield f"where {who} expects your ships, in percent:\n{heat}"

    def _heat(self, believer: Player, state: BattleshipState, seat: int, deals: FleetDeals) -> str:
        board, agent = state.boards[seat], strategy_of(believer.strategy)
        return heat_text(board, agent.chances(board, believer.number, deals.key(seat)).tolist())

    def result(self, end: BattleshipState) -> str:
        """A sentence about the result of the game."""
        shots = [counted(board.turns, "shot") for board in end.boards]
        mine, theirs = shots[self.seat], shots[self.seat - 1]
        if not self.rules.is_duel:
            return f"You have cleared the board after {mine}."
        if end.returns()[self.seat] == 1:
            return f"You have won after {mine}; {self.name} has taken {theirs}."
        return f"{self.name} has won after {theirs}; you have taken {mine}."


def _row(step: Executed, rules: BattleshipRules) -> tuple[str, int, str, str]:
    """The block, line number, instruction and target of an executed step."""
    block, line = step.place
    square = rules.square_at(step.registers.target_pos)
    target = square_name(square, rules) if square >= 0 else "a place off the board"
    return PRIMITIVES.sections[block].capitalize(), line + 1, step.word or "end", target
