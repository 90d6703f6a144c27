"""Facts about a step of Battleship, which is a shot, or the execution of a line of the traced program."""

from collections.abc import Callable

from gpkit.gamekit.facts import Fact, fact, facts_of
from gpkit.games.battleship.board import SIGNS, square_name
from gpkit.games.battleship.primitives import PRIMITIVES
from gpkit.games.battleship.rules import Board, Shot
from gpkit.games.battleship.state import BattleshipState
from gpkit.languages.sinking.forms.playing import OFF, line_facts
from gpkit.playing.decisions import Valued
from gpkit.playing.trace import Step


def _shot(before: BattleshipState, after: BattleshipState, seat: int) -> Shot | None:
    """The shot that was taken in a step; None if the step took no shot that cost a turn."""
    shots = after.boards[seat].shots
    return shots[-1] if len(shots) > before.boards[seat].turns else None


@fact("1 if a shot was taken that cost a turn, else 0")
def shot(step: Step) -> int:
    """True if the step took a shot that cost a turn."""
    return step.seat is not None and _shot(step.before, step.after, step.seat) is not None


@fact("where the shot went", OFF)
def square(before: BattleshipState, after: BattleshipState, seat: int) -> str | None:
    """The name of the square that the player shot at."""
    found = _shot(before, after, seat)
    return None if found is None else OFF if found.square < 0 else square_name(found.square, after.rules)


@fact("1 if the shot hit a ship, else 0")
def hit(before: BattleshipState, after: BattleshipState, seat: int) -> int | None:
    """True if the shot hit a ship on a square that had not been shot at before."""
    found = _shot(before, after, seat)
    return None if found is None else found.hit and not found.known


@fact("the length of the ship that it sank, else 0")
def sinks(before: BattleshipState, after: BattleshipState, seat: int) -> int | None:
    """The length of the ship that the shot sank; 0 if it sank none."""
    found = _shot(before, after, seat)
    return None if found is None else after.rules.fleet[found.sunk] if found.sunk >= 0 else 0


@fact("an agent's belief that the square it shot at holds a ship, from 0 to 1")
def chance(action: int, decision: object) -> float | None:
    """An agent's estimate of the probability that the square contains a ship."""
    return decision.values[action] if isinstance(decision, Valued) else None


@fact(
    "what is known of every square of each board: "
    + ", ".join(f"{sign} {known}" for known, sign in SIGNS.items())
)
def known(after: BattleshipState) -> list[str]:
    """The symbols of all squares on each board, row by row."""
    return ["".join(SIGNS[each] for each in board.known) for board in after.boards]


def _own(measure: Callable[[Board], int]) -> Callable[[Step], int]:
    """The function for a fact; it applies ``measure`` to the board at which the traced player shoots."""
    return lambda step: measure(step.after.boards[step.seated.seat])


FACTS = (
    *line_facts(PRIMITIVES),
    *facts_of(globals()),
    Fact("shots", "number", "how many turns the traced program has taken", _own(lambda board: board.turns)),
    Fact(
        "hits",
        "number",
        "how many squares of ships it has hit",
        _own(lambda board: sum(board.rules.fleet) - sum(board.left)),
    ),
    Fact(
        "afloat",
        "number",
        "how many ships it has not sunk yet",
        _own(lambda board: sum(left > 0 for left in board.left)),
    ),
)
