"""A person plays Battleship (``gpkit.playing.conversation``): lays out a fleet, and shoots."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from gpkit.core.errors import UsageError
from gpkit.core.wording import YOU
from gpkit.gamekit.game import Game
from gpkit.gamekit.players import Player
from gpkit.gamekit.state import NOBODY
from gpkit.games.battleship.board import heat_text, shot_text, square_name
from gpkit.games.battleship.fleets import Deals
from gpkit.games.battleship.forms.decisions import chances_table, decision_table
from gpkit.games.battleship.forms.host import Shooter, shooter_of, shot_keys, turns
from gpkit.games.battleship.forms.laying import lay_out
from gpkit.games.battleship.gunnery import square_at
from gpkit.games.battleship.options import Rules
from gpkit.games.battleship.players import check_opponent
from gpkit.games.battleship.primitives import PRIMITIVES
from gpkit.games.battleship.rules import Board, State, announced
from gpkit.languages.sinking.interpreter import Executed
from gpkit.playing.conversation import Advice, Change, Conversation, Dialogue, Line, Mover, advised
from gpkit.playing.players import name_of_adviser, player_of_name
from gpkit.playing.trace import StepTable

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

    title = "Battleship"
    prompt = "shot? "
    best = "likeliest"

    @classmethod
    def rules_of(cls, game: Game, options: Mapping[str, str], opponents: Sequence[Player]) -> Rules:
        """The rules that were chosen; unless they say the mode, a program makes it a duel, a placement does not."""
        mode = "duel" if opponents[0].decides else "solitaire"
        return Rules.from_options({"mode": mode, **options})

    def check(self) -> None:
        """Check that the opponent and the seat fit the rules.

        Raises:
            UsageError: they do not.
        """
        check_opponent(self.others[0], self.rules)
        if self.seat and not self.rules.is_duel:
            raise UsageError(f"--seat {self.seat}: in solitaire nobody else shoots, and your seat is 0")

    @property
    def name(self) -> str:
        """The name of the opponent."""
        return self.names_of_others[0]

    @property
    def page(self) -> str:  # type: ignore[override]
        """Help page: what can be typed while shooting."""
        watched = WATCHED.format(name=self.name) if self.rules.is_duel else ""
        return SHOOTING.format(adviser=name_of_adviser(self._adviser()), watched=watched)

    def commands(self) -> Mapping[str, Callable[[State, Deals], Iterable[Line]]]:
        """Hints, and heat maps of what is believed."""
        asked = {"h": self.hint, "hint": self.hint, "b": self.belief, "belief": self.belief}
        watched = {"w": self.watched, "watched": self.watched} if self.rules.is_duel else {}
        return {**asked, **watched}

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
        """The opponent shoots as its program says, as long as that has steps."""
        if not self.rules.is_duel:
            return super().mover(state, deals)
        other = 1 - self.seat
        shoot = turns(shooter_of(self.others[0]), state.boards[other], shot_keys(deals)[other])

        def move(state: State) -> Change:
            *_, played = shoot(state)
            if not played.ends_turn:
                told = f"{self.name} ran out of steps before a shot, so its program is invalid"
                return Change(state, played.state, NOBODY, (told,))
            shot = played.state.boards[other].shots[-1]
            told = f"{self.name} shoots at {shot_text(shot, self.rules)}"
            return Change(state, played.state, shot.square, (told,))

        return move

    def told(self, before: State, after: State) -> list[str]:
        """Result of the person's shot, in words."""
        return [f"{YOU} shoot at {shot_text(after.boards[self.seat].shots[-1], self.rules)}"]

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

        A program runs as far as its first shot, whose answer is not told; that its first target is a ship does not
        hold for hints.
        """
        rules, adviser = replace(self.rules, found=False), self._adviser()
        name = name_of_adviser(adviser)
        board = replace(state.boards[self.seat], rules=rules)
        boards = tuple(board if each is state.board else each for each in state.boards)
        shoot = turns(shooter_of(adviser), board, shot_keys(deals)[self.seat])
        taken = shoot(replace(state, rules=rules, boards=boards))
        last, rows = taken[-1], tuple(_row(played.step, rules) for played in taken if played.step is not None)
        if not last.ends_turn:
            return Advice((f"{name} would run out of steps before a shot",))
        square = last.state.boards[self.seat].shots[-1].square
        message = f"{name} would shoot at {square_name(square, rules) if square >= 0 else rows[-1][-1]}"
        if last.decision:
            return advised(last.decision, (f"{message}:", decision_table(last.decision, rules)))
        target = (square,) if square in state.legal_actions() else ()
        if last.chances is not None:
            values = {each: float(last.chances[each]) for each in state.legal_actions()}
            return Advice((f"{message}:", chances_table(last.chances, square, rules)), target, values)
        if len(rows) > LONGEST_HINT:
            return Advice((f"{message}, after {len(rows)} lines of its program",), target)
        table = StepTable(("block", "line", "instruction", "target"), rows, len(rows) - 1)
        return Advice((f"{message}:", table), target)

    def _adviser(self) -> Player:
        adviser = self.advising()
        assert adviser is not None, "a program comes with the game"
        return adviser

    def belief(self, state: State, deals: Deals) -> Iterator[Line]:
        """Heat map of the board that the person shoots at."""
        yield f"chances of a ship, in percent:\n{self._chances(self._believer(), state, self.seat, deals)}"

    def watched(self, state: State, deals: Deals) -> Iterator[Line]:
        """Heat map of the person's fleet: what the opponent believes, or whoever reads its shots well."""
        shooter = shooter_of(self.others[0])
        who = self.name if shooter.agent else f"the shots of {self.name}"
        believer = shooter if shooter.agent else self._believer()
        yield f"where {who} expects your ships, in percent:\n{self._chances(believer, state, 1 - self.seat, deals)}"

    def _believer(self) -> Shooter:
        return shooter_of(player_of_name(BELIEVER, self.game))

    def _chances(self, believer: Shooter, state: State, seat: int, deals: Deals) -> str:
        assert believer.agent is not None, "programs have no beliefs"
        chances = believer.agent.chances(state.boards[seat], believer.number, shot_keys(deals)[seat])
        return heat_text(state.boards[seat], chances.tolist())

    def result(self, end: State) -> str:
        """Result of the game, in a sentence."""
        mine = end.boards[self.seat]
        if not self.rules.is_duel:
            return f"You have cleared the board after {_shots(mine)}."
        theirs = end.boards[1 - self.seat]
        if end.returns()[self.seat] == 1:
            return f"You have won after {_shots(mine)}; {self.name} has taken {_shots(theirs)}."
        return f"{self.name} has won after {_shots(theirs)}; you have taken {_shots(mine)}."


def _shots(board: Board) -> str:
    return f"{board.turns} shot{'' if board.turns == 1 else 's'}"


def _row(step: Executed, rules: Rules) -> tuple[str, int, str, str]:
    """Block, line, instruction and target of a step."""
    block, line = step.place
    square = square_at(step.registers.target_pos, rules)
    target = square_name(square, rules) if square >= 0 else "a place off the board"
    return PRIMITIVES.sections[block].capitalize(), line + 1, step.word or "end", target


CONVERSATION = BattleshipConversation
