"""A person plays Dots and Boxes: a conversation that knows no terminal."""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass

from gpkit.app.seating import Seating
from gpkit.cli.terminal import Part, ask, ask_for_another
from gpkit.core.errors import UsageError
from gpkit.games.dots_and_boxes.board import box_name, string_name, string_of_name
from gpkit.games.dots_and_boxes.game import player_of
from gpkit.games.dots_and_boxes.ladder import check_board, drawn_place
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.games.dots_and_boxes.rules import State
from gpkit.play.dots_and_boxes.decisions import Decision, Matching
from gpkit.play.dots_and_boxes.texts import named_board
from gpkit.play.dots_and_boxes.trace import choice
from gpkit.play.match import deal_of
from gpkit.play.players import Player, names_at_table

YOU = "you"

HELP = """\
B2 top   draw that side: a box by column and row, and top, bottom, left or right, or the first letter as in b2t
Enter    show the board again
h        hint: what the opponent would draw in your place
q        give up and leave
?        this page
Whoever draws the fourth side of a box owns it and draws again. A closed box shows the letter of its owner, A of who
drew first; an open one how many of its sides are undrawn: q 4, t 3, l 2, x 1."""


@dataclass(frozen=True, slots=True)
class Sitting:
    """Who plays: the person's seat, the opponent, and the names by seat."""

    rules: Rules
    seat: int
    opponent: Player
    names: tuple[str, ...]


def session(seating: Seating, lines: Iterator[str], *, seed: int, seat: int) -> Iterator[Part]:
    """Games on the deals of a seed, one after another, with a tally.

    Raises:
        UsageError: the opponent cannot play on this board.
    """
    sitting = _sitting(seating, seat)
    other = sitting.names[1 - seat]
    first = "you draw first" if seat == 0 else f"{other} draws first"
    yield f"Dots and Boxes: {YOU} against {other}; {first}. Type a side such as B2 top; ? helps."
    wins, played = 0.0, 0
    while True:
        end = yield from play_game(
            sitting, int(deal_of(seating.game, sitting.rules, seed, played).keys[0]), lines
        )
        if end is None:
            return
        played += 1
        wins += end.returns()[seat]
        if played > 1:
            yield f"after {played} games: {YOU} {wins:g}, {other} {played - wins:g}"
        if not (yield from ask_for_another(lines)):
            return


def _sitting(seating: Seating, seat: int) -> Sitting:
    (opponent,) = seating.players
    check_board(player_of(opponent.agent), seating.rules)
    (name,) = names_at_table([opponent])
    names = (YOU, f"{name} (program)" if name == YOU else name)
    return Sitting(seating.rules, seat, opponent, names if seat == 0 else names[::-1])


def play_game(sitting: Sitting, key: int, lines: Iterator[str]) -> Generator[Part, None, State | None]:
    """One game on the deal of a key; its end, or None if the person left."""
    state = State.begin(sitting.rules)
    while not state.is_terminal:
        if state.current_player == sitting.seat:
            chosen = yield from _ask(sitting, state, lines)
            if chosen is None:
                return None
            string = chosen
        else:
            decision = choice(sitting.opponent, state)
            string = decision.strings[drawn_place(key, len(state.drawn), len(decision.strings))]
            yield _told(sitting, state, string, decision)
        state = state.apply(string)
    yield f"\n{named_board(state, sitting.names)}\n{result_text(sitting, state)}"
    return state


def _ask(sitting: Sitting, state: State, lines: Iterator[str]) -> Generator[Part, None, int | None]:
    """The string that the person draws; None if the person leaves."""
    yield f"\n{named_board(state, sitting.names)}"
    while True:
        word = yield from ask("side? ", HELP, lines)
        if word is None:
            return None
        if word == "":
            yield f"\n{named_board(state, sitting.names)}"
        elif word.lower() in ("h", "hint"):
            yield hint_text(sitting, state)
        else:
            try:
                return chosen_string(word, state)
            except UsageError as mistake:
                yield str(mistake)


def chosen_string(word: str, state: State) -> int:
    """The undrawn string that a person means.

    Raises:
        UsageError: it is none; the message says why.
    """
    string = string_of_name(word, state.rules)
    if string in state.drawn:
        raise UsageError(f"{string_name(string, state.rules)} is drawn already")
    return string


# What is said.


def hint_text(sitting: Sitting, state: State) -> str:
    """What the opponent would draw in the person's place, and by which rule."""
    decision = choice(sitting.opponent, state)
    strings = ", ".join(string_name(string, state.rules) for string in decision.strings)
    one = "one of " if len(decision.strings) > 1 else ""
    return f"{sitting.names[1 - sitting.seat]} would draw {one}{strings}{_reason(decision.acting)}"


def _told(sitting: Sitting, state: State, string: int, decision: Decision) -> str:
    """What the opponent does, as the person sees it."""
    rules = state.rules
    words = f"{sitting.names[state.current_player]} draws {string_name(string, rules)}"
    closed = state.closed_by(string)
    if closed:
        words += f", which closes {' and '.join(box_name(box, rules) for box in closed)}"
    return words + _reason(decision.proposing(string))


def _reason(rules: Sequence[Matching]) -> str:
    return f" (by {' and '.join(each.title for each in rules)})" if rules else ""


def result_text(sitting: Sitting, end: State) -> str:
    """How the game ended."""
    if end.winner is None:
        return "A tie."
    return "You have won!" if end.winner == sitting.seat else f"{sitting.names[end.winner]} has won."
