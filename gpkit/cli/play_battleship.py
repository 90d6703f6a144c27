"""A person plays Battleship: a conversation that knows no terminal, and shows what the person may know and no more."""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace

from gpkit.app.seating import Seating
from gpkit.cli.terminal import Part, ask, ask_for_another, table_text
from gpkit.core.errors import UsageError
from gpkit.games.battleship.board import (
    beside,
    board_text,
    placement_of_name,
    shot_text,
    square_name,
    square_of_name,
)
from gpkit.games.battleship.fleets import Placements
from gpkit.games.battleship.game import GAME, Deals, check_opponent
from gpkit.games.battleship.gunnery import Gunner, square_at
from gpkit.games.battleship.options import Rules
from gpkit.games.battleship.primitives import PRIMITIVES
from gpkit.games.battleship.rules import Board, State, announced
from gpkit.games.game import Agent
from gpkit.languages.sinking.dialect import dialect_of
from gpkit.languages.sinking.interpreter import Step, interpret
from gpkit.play.battleship.host import GameHost, shot_keys
from gpkit.play.match import deal_of
from gpkit.play.players import Player, names_at_table, player_of_name
from gpkit.play.trace import Table

YOU = "you"

ADVISER = "density"
"""Who gives hints where the opponent only places a fleet."""

LONGEST_HINT = 12
"""Lines of a program that a hint shows."""

SHOOTING = """\
C4       shoot there: the column's letter and the row's number
Enter    show the board again
h        hint: where {adviser} would shoot in your place, and the lines of its program that lead there
q        give up and leave
?        this page
On the board: . not shot at, o miss, x hit, # of a ship that sank; a digit: a ship of that length, +: of 10 or more."""

LAYING = """\
C4 h     the next ship lies from C4 to the right
C4 v     the next ship lies from C4 down
b        take the last ship back
r        lay out the whole fleet at random; so does Enter before the first ship
Enter    show the ships that lie
q        give up and leave
?        this page
On the board: a digit is a ship of that length, + one of 10 or more. When all ships lie you shoot in turns."""


@dataclass(frozen=True, slots=True)
class Sitting:
    """Who plays: the person's seat, and the opponent, which shoots back or only placed a fleet."""

    rules: Rules
    seat: int
    opponent: Player
    name: str
    """Of the opponent."""
    adviser: Player
    """Who gives hints."""

    @property
    def adviser_name(self) -> str:
        """Of who gives hints."""
        return self.name if self.adviser is self.opponent else ADVISER


def session(seating: Seating, lines: Iterator[str], *, seed: int, seat: int) -> Iterator[Part]:
    """Games on the deals of a seed, one after another, with a tally.

    Raises:
        UsageError: the opponent or the seat does not fit the rules that were chosen.
    """
    sitting = _sitting(seating, seat)
    rules = sitting.rules
    task = (
        f"{YOU} in seat {seat}, with {sitting.name}" if rules.is_duel else f"clear a board of {sitting.name}"
    )
    yield f"Battleship: {task}. Type a square such as C4; ? helps."
    scores: list[float] = []
    while True:
        end = yield from play_game(sitting, deal_of(seating.game, rules, seed, len(scores)), lines)
        if end is None:
            return
        scores.append(end.returns()[seat])
        if len(scores) > 1:
            yield f"{seating.game.metric(rules).name} after {len(scores)} games: {_tally(sitting, scores)}"
        if not (yield from ask_for_another(lines)):
            return


def _sitting(seating: Seating, seat: int) -> Sitting:
    """The table; unless the rules that were chosen say the mode, a program makes it a duel, a placement does not."""
    (opponent,) = seating.players
    mode = "solitaire" if opponent.program is None else "duel"
    rules = Rules.from_options({"mode": mode, **seating.options})
    check_opponent(opponent.agent, rules)
    if seat and not rules.is_duel:
        raise UsageError(f"--seat {seat}: in solitaire nobody else shoots, and you sit in seat 0")
    (name,) = names_at_table([opponent])
    adviser = opponent if rules.is_duel else player_of_name(ADVISER, seating.game)
    return Sitting(rules, seat, opponent, f"{name} (program)" if name == YOU else name, adviser)


def play_game(sitting: Sitting, deals: Deals, lines: Iterator[str]) -> Generator[Part, None, State | None]:
    """One game on the first of the deals; its end, or None if the person left."""
    rules = sitting.rules
    agents = [Agent(YOU), sitting.opponent.agent]
    state = GAME.begin(agents if sitting.seat == 0 else agents[::-1], deals, rules)
    if rules.is_duel:
        fleets = [board.fleet for board in state.boards]
        other = 1 - sitting.seat
        own = yield from _lay_out(fleets[other], rules, lines)
        if own is None:
            return None
        fleets[other] = own
        state = State.begin(tuple(fleets), rules)
    return (yield from play_shots(sitting, state, shot_keys(deals), lines))


def play_shots(
    sitting: Sitting, state: State, keys: Sequence[int], lines: Iterator[str]
) -> Generator[Part, None, State | None]:
    """A game from the first shot; its end, or None if the person left.

    Args:
        sitting: who plays.
        state: the game with its fleets laid out.
        keys: by seat the key of the shots.
        lines: what the person types.
    """
    rules, seat, name = sitting.rules, sitting.seat, sitting.name
    if rules.is_duel:
        host, steps = _gunner(sitting.opponent, state.boards[1 - seat], keys[1 - seat])
    while not state.is_terminal:
        if state.current_player == seat:
            square = yield from _ask(sitting, state, keys[seat], lines)
            if square is None:
                return None
            state = state.apply(square)
            yield f"{YOU} shoot at {shot_text(state.boards[seat].shots[-1], rules)}"
            continue
        host.board = state.board
        taken = _until_shot(steps)
        if not taken:
            state = state.give_up()
            yield f"{name} has no steps left for a shot: its program is invalid here"
            continue
        state = state.shoot(square_at(taken[-1].registers.target_pos, rules))
        yield f"{name} shoots at {shot_text(state.boards[1 - seat].shots[-1], rules)}"
    yield f"\n{_boards(sitting, state, reveal=True)}\n{result_text(sitting, state)}"
    return state


def _gunner(player: Player, board: Board, key: int) -> tuple[GameHost, Iterator[Step]]:
    """A program before its first line: the host that must be shown the board at every turn, and its steps."""
    dialect = dialect_of(player.header, PRIMITIVES)
    host = GameHost(board, Gunner.of(key, dialect["target"], board))
    return host, interpret(player.program, dialect, PRIMITIVES, host)


def _until_shot(steps: Iterator[Step]) -> list[Step]:
    """The steps as far as the next shot that costs a turn; none if the program runs out of steps before that."""
    taken = []
    for step in steps:
        taken.append(step)
        if step.ends_turn:
            return taken
    return []


# What the person types.


def _lay_out(
    drawn: Placements, rules: Rules, lines: Iterator[str]
) -> Generator[Part, None, Placements | None]:
    """The person's own fleet, typed ship by ship, or the one that was ``drawn``; None if the person leaves."""
    told = ", ".join(map(str, rules.fleet))
    yield f"Your fleet: {told}. Enter lays it out at random, and A1 h or A1 v lays the ship of {rules.fleet[0]}."
    laid: Placements = ()
    while len(laid) < len(rules.fleet):
        word = yield from ask(f"ship of {rules.fleet[len(laid)]}? ", LAYING, lines)
        if word is None:
            return None
        if word.lower() == "r" or not (word or laid):
            return drawn
        try:
            if word.lower() == "b":
                laid = laid[:-1]
            elif word:
                laid = (*laid, placement_of_name(word, laid, rules))
        except UsageError as mistake:
            yield str(mistake)
        else:
            if len(laid) < len(rules.fleet):
                part = Board.of(laid, replace(rules, fleet=rules.fleet[: len(laid)]))
                yield f"\n{board_text(part, reveal=True)}\nNext comes the ship of {rules.fleet[len(laid)]}."
    return laid


def _ask(sitting: Sitting, state: State, key: int, lines: Iterator[str]) -> Generator[Part, None, int | None]:
    """The square at which the person shoots; None if the person leaves."""
    board = state.boards[sitting.seat]
    screen = f"\n{_boards(sitting, state)}\n{_status(board)}"
    page = SHOOTING.format(adviser=sitting.adviser_name)
    yield screen
    while True:
        word = yield from ask("shot? ", page, lines)
        if word is None:
            return None
        if word == "":
            yield screen
        elif word.lower() in ("h", "hint"):
            yield hint_text(sitting, board, key)
        else:
            try:
                return chosen_square(word, board)
            except UsageError as mistake:
                yield str(mistake)


def chosen_square(word: str, board: Board) -> int:
    """The unshot square that a person means.

    Raises:
        UsageError: there is no such square, or it was shot at before; the message names the nearest unshot one.
    """
    rules = board.rules
    square = square_of_name(word, rules)
    if board.known[square] == "unshot":
        return square
    y, x = divmod(square, rules.width)
    unshot = (other for other, known in enumerate(board.known) if known == "unshot")
    close = min(unshot, key=lambda other: abs(other // rules.width - y) + abs(other % rules.width - x))
    what = {"miss": "a miss", "open": "a hit", "sunk": "of a ship that sank"}[board.known[square]]
    raise UsageError(
        f"{square_name(square, rules)} is known: {what}; the nearest unshot square is {square_name(close, rules)}"
    )


# What is said.


def _boards(sitting: Sitting, state: State, *, reveal: bool = False) -> str:
    """What the person knows of the other's fleet, and beside it the own one; with ``reveal`` all ships."""
    board = board_text(state.boards[sitting.seat], reveal=reveal)
    if not sitting.rules.is_duel:
        return board
    own = board_text(state.boards[1 - sitting.seat], reveal=True)
    return beside([f"{YOU} shoot at", f"{sitting.name} shoots at"], [board, own])


def _status(board: Board) -> str:
    """Which shot comes, and what the person was told of ships that sank."""
    rules = board.rules
    sunk = [shot for shot in board.shots if announced(shot, rules) is not None]
    told = {
        "ship": f", ships afloat: {' '.join(map(str, board.afloat))}",
        "sunk": f", ships sunk: {len(sunk)} of {len(rules.fleet)}",
        "hit": "",
    }
    return f"Your shot {board.turns + 1}{told[rules.announce]}"


def hint_text(sitting: Sitting, board: Board, key: int) -> str:
    """Where the opponent would shoot in the person's place if it began now; it learns no more than the person knows.

    Its program runs as far as its first shot, whose answer is not told; the rule that its first target is a ship does
    not hold for hints.
    """
    rules = replace(board.rules, found=False)
    name = sitting.adviser_name
    _, steps = _gunner(sitting.adviser, replace(board, rules=rules), key)
    taken = _until_shot(steps)
    if not taken:
        return f"{name} would run out of steps before a shot"
    rows = tuple(_row(step, rules) for step in taken)
    advice = f"{name} would shoot at {rows[-1][-1]}"
    if len(rows) > LONGEST_HINT:
        return f"{advice}, after {len(rows)} lines of its program"
    return f"{advice}:\n{table_text(Table(('block', 'line', 'instruction', 'target'), rows, len(rows) - 1))}"


def _row(step: Step, rules: Rules) -> tuple[str, int, str, str]:
    """Block, line, instruction and target of a step."""
    block, line = step.place
    square = square_at(step.registers.target_pos, rules)
    target = square_name(square, rules) if square >= 0 else "a place off the board"
    return PRIMITIVES.sections[block].capitalize(), line + 1, step.word or "end", target


def result_text(sitting: Sitting, end: State) -> str:
    """How the game ended."""
    mine = end.boards[sitting.seat]
    if not sitting.rules.is_duel:
        return f"You have cleared the board after {_shots(mine)}."
    theirs = end.boards[1 - sitting.seat]
    if end.returns()[sitting.seat] == 1:
        return f"You have won after {_shots(mine)}; {sitting.name} has taken {_shots(theirs)}."
    return f"{sitting.name} has won after {_shots(theirs)}; you have taken {_shots(mine)}."


def _shots(board: Board) -> str:
    return f"{board.turns} shot{'' if board.turns == 1 else 's'}"


def _tally(sitting: Sitting, scores: Sequence[float]) -> str:
    total = sum(scores)
    if not sitting.rules.is_duel:
        return f"{total / len(scores):.4g} on average"
    return f"{YOU} {total:g}, {sitting.name} {len(scores) - total:g}"
