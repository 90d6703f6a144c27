"""Facts of a step of Battleship, which is a shot or a line of the traced program."""

from collections.abc import Callable

from gpkit.gamekit.facts import Fact, fact, facts_of
from gpkit.games.battleship.board import SIGNS, square_name
from gpkit.games.battleship.primitives import PRIMITIVES
from gpkit.games.battleship.rules import Board, Shot
from gpkit.games.battleship.state import State
from gpkit.languages.sinking.forms.playing import OFF, line_facts
from gpkit.playing.decisions import Valued
from gpkit.playing.trace import Step


def _shot(before: State, after: State, seat: int) -> Shot | None:
    """The shot of a step that cost a turn."""
    shots = after.boards[seat].shots
    return shots[-1] if len(shots) > before.boards[seat].turns else None


@fact("1 if a shot was taken that cost a turn, else 0")
def shot(step: Step) -> int:
    """Whether a shot was taken that cost a turn."""
    return step.seat is not None and _shot(step.before, step.after, step.seat) is not None


@fact("where the shot went", OFF)
def square(before: State, after: State, seat: int) -> str | None:
    """The square of the shot."""
    found = _shot(before, after, seat)
    return None if found is None else OFF if found.square < 0 else square_name(found.square, after.rules)


@fact("1 if it hit, else 0")
def hit(before: State, after: State, seat: int) -> int | None:
    """Whether the shot hit a ship on a square that was not known before."""
    found = _shot(before, after, seat)
    return None if found is None else found.hit and not found.known


@fact("the length of the ship that it sank, else 0")
def sinks(before: State, after: State, seat: int) -> int | None:
    """The length of the ship that the shot sank."""
    found = _shot(before, after, seat)
    return None if found is None else after.rules.fleet[found.sunk] if found.sunk >= 0 else 0


@fact("for an agent: its belief that there is a ship on the square that it shot at")
def chance(action: int, decision: object) -> float | None:
    """The belief of an agent."""
    return decision.values[action] if isinstance(decision, Valued) else None


@fact(
    "what is known of every square of each board: "
    + ", ".join(f"{sign} {known}" for known, sign in SIGNS.items())
)
def known(after: State) -> list[str]:
    """The signs of the squares of each board, row by row."""
    return ["".join(SIGNS[each] for each in board.known) for board in after.boards]


def _own(measure: Callable[[Board], int]) -> Callable[[Step], int]:
    """A fact that measures the board at which the traced player shoots."""
    return lambda step: measure(step.after.boards[step.seated.seat])


FACTS = (
    *line_facts(PRIMITIVES),
    *facts_of(globals()),
    Fact("shots", "number", "turns that the traced program has taken", _own(lambda board: board.turns)),
    Fact(
        "hits",
        "number",
        "squares of ships that it has hit",
        _own(lambda board: sum(board.rules.fleet) - sum(board.left)),
    ),
    Fact(
        "afloat",
        "number",
        "ships that it has not sunk",
        _own(lambda board: sum(left > 0 for left in board.left)),
    ),
)
