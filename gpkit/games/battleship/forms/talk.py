"""A person plays Battleship (``gpkit.playing.conversation``): lays out a fleet, and shoots."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from gpkit.core.wording import counted
from gpkit.gamekit.game import Game
from gpkit.gamekit.players import Player
from gpkit.gamekit.state import NOBODY
from gpkit.games.battleship.board import heat_text, square_name
from gpkit.games.battleship.fleets import Deals
from gpkit.games.battleship.forms.laying import lay_out
from gpkit.games.battleship.options import Rules
from gpkit.games.battleship.players import strategy_of
from gpkit.games.battleship.primitives import PRIMITIVES
from gpkit.games.battleship.rules import announced
from gpkit.games.battleship.state import State
from gpkit.games.battleship.view import told_shot
from gpkit.languages.sinking.forms.playing import is_of_lines, turns
from gpkit.languages.sinking.interpreter import Executed
from gpkit.playing.conversation import Advice, Change, Conversation, Dialogue, Line, Mover
from gpkit.playing.decisions import StepTable, decider_of
from gpkit.playing.players import name_of_adviser, player_of_name

BELIEVER = "belief"
"""Agent whose belief is shown."""

LONGEST_HINT = 12
"""Lines of a program that a hint shows."""

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
"""Line of the help page in duels."""


class BattleshipConversation(Conversation):
    """Conversation at Battleship: in a duel against a program, or alone on a board that a placement laid out."""

    prompt = "shot? "
    would = "shoot at"
    best = "likeliest"

    @classmethod
    def rules_of(cls, game: Game, options: Mapping[str, str], opponents: Sequence[Player]) -> Rules:
        """The rules that were chosen; unless they say the mode, a program makes it a duel, a placement does not."""
        return Rules.from_options({"mode": "duel" if opponents[0].decides else "solitaire", **options})

    @property
    def name(self) -> str:
        """The name of the opponent."""
        return self.names_of_others[0]

    @property
    def page(self) -> str:  # type: ignore[override]
        """Help page: what can be typed while shooting."""
        watched = WATCHED.format(name=self.name) if self.rules.is_duel else ""
        adviser = self.advising()
        assert adviser is not None, "a program comes with the game"
        return SHOOTING.format(adviser=name_of_adviser(adviser), watched=watched)

    def commands(self) -> Mapping[str, Callable[[State, Deals], Iterable[Line]]]:
        """Hints, and heat maps of what is believed."""
        watched = {"w": self.watched, "watched": self.watched} if self.rules.is_duel else {}
        return {**super().commands(), "b": self.belief, "belief": self.belief, **watched}

    def setting(self) -> str:
        """A duel, or the board to be cleared."""
        return super().setting() if self.rules.is_duel else f"clear a board of {self.name}"

    def example(self) -> str:
        """A square."""
        return "Type a square such as C4; "

    def opening(self, deals: Deals, lines: Iterator[str]) -> Dialogue[State | None]:
        """The fleets of the deal, the person's own as it is typed."""
        state: State = yield from super().opening(deals, lines)
        if not self.rules.is_duel:
            return state
        fleets = [board.fleet for board in state.boards]
        own = yield from lay_out(fleets[1 - self.seat], self.rules, lines)
        if own is None:
            return None
        fleets[1 - self.seat] = own
        return State.begin(tuple(fleets), self.rules)

    def mover(self, state: State, deals: Deals) -> Mover:
        """The mover of the opponent; a program of lines shoots until it runs out of steps."""
        (opponent,), other = self.others, 1 - self.seat
        if not is_of_lines(opponent):
            return super().mover(state, deals)
        shoot = turns(opponent, PRIMITIVES, state.boards[other], deals.key(other))

        def move(state: State) -> Change:
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

    def moved(self, before: State, action: int, after: State) -> tuple[str, ...]:
        """The shot of an agent, in words."""
        return self.told(before, after)

    def told(self, before: State, after: State) -> tuple[str, ...]:
        """A shot of whomever, in words."""
        seat = before.current_player
        return (told_shot(self.names[seat], seat, after),)

    def task(self, state: State) -> str:
        """Number of the shot that comes, and the announcements of ships that sank."""
        board, rules = state.boards[self.seat], self.rules
        sunk = [shot for shot in board.shots if announced(shot, rules) is not None]
        message = {
            "ship": f", ships afloat: {' '.join(map(str, board.afloat))}",
            "sunk": f", ships sunk: {len(sunk)} of {len(rules.fleet)}",
            "hit": "",
        }
        return f"Your shot {board.turns + 1}{message[rules.announce]}"

    def advice(self, state: State, deals: Deals) -> Advice:
        """The shot that the adviser would take if it began now.

        A program of lines runs as far as its first shot, and the hint does not say what it would hit. The rule
        ``found`` does not apply to hints.
        """
        rules, adviser = replace(self.rules, found=False), self.advising()
        boards = tuple(replace(board, rules=rules) for board in state.boards)
        state = replace(state, rules=rules, boards=boards)
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

    def belief(self, state: State, deals: Deals) -> Iterator[Line]:
        """Heat map of the board that the person shoots at."""
        heat = self._heat(player_of_name(BELIEVER, self.game), state, self.seat, deals)
        yield f"chances of a ship, in percent:\n{heat}"

    def watched(self, state: State, deals: Deals) -> Iterator[Line]:
        """Heat map of the person's fleet: what the opponent believes, or whoever reads its shots well."""
        (opponent,) = self.others
        is_agent = decider_of(opponent) is None
        who = self.name if is_agent else f"the shots of {self.name}"
        believer = opponent if is_agent else player_of_name(BELIEVER, self.game)
        heat = self._heat(believer, state, 1 - self.seat, deals)
        yield f"where {who} expects your ships, in percent:\n{heat}"

    def _heat(self, believer: Player, state: State, seat: int, deals: Deals) -> str:
        board, agent = state.boards[seat], strategy_of(believer.strategy)
        return heat_text(board, agent.chances(board, believer.number, deals.key(seat)).tolist())

    def result(self, end: State) -> str:
        """Result of the game, in a sentence."""
        shots = [counted(board.turns, "shot") for board in end.boards]
        mine, theirs = shots[self.seat], shots[self.seat - 1]
        if not self.rules.is_duel:
            return f"You have cleared the board after {mine}."
        if end.returns()[self.seat] == 1:
            return f"You have won after {mine}; {self.name} has taken {theirs}."
        return f"{self.name} has won after {theirs}; you have taken {mine}."


def _row(step: Executed, rules: Rules) -> tuple[str, int, str, str]:
    """Block, line, instruction and target of a step."""
    block, line = step.place
    square = rules.square_at(step.registers.target_pos)
    target = square_name(square, rules) if square >= 0 else "a place off the board"
    return PRIMITIVES.sections[block].capitalize(), line + 1, step.word or "end", target


CONVERSATION = BattleshipConversation
