"""Solved positions of Dots and Boxes, on boards of any size or with coins: the answer of ``gpkit solve``."""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, wait
from dataclasses import asdict, dataclass
from itertools import groupby
from threading import Thread

from gpkit.api.progress import remark, watching
from gpkit.core.compilation import compilation
from gpkit.core.errors import UsageError
from gpkit.core.tabular import Lines, Sheet, Tabular
from gpkit.gamekit.state import played
from gpkit.games.dots_and_boxes.board import OWNERS, board_text, edge_name
from gpkit.games.dots_and_boxes.edges import Coins
from gpkit.games.dots_and_boxes.game import GAME
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.games.dots_and_boxes.positions import coins_position, coins_text, read_position, string_name
from gpkit.games.dots_and_boxes.rules import State
from gpkit.games.dots_and_boxes.search import Control, Memory, best_line, control_of, searched_value_of

VALUE = "value"
SECONDS_BETWEEN_LOOKS = 0.1
"""Polling interval of the progress of the search."""


@dataclass(frozen=True, slots=True)
class Solution(Tabular):
    """A position with the value of every edge that can be drawn.

    Attributes:
        state: the position.
        values: for each edge, the boxes that the player to move gets from here on, less the opponent's.
        line: a line of perfect play.
        searched: the number of positions that the search looked at.
    """

    state: State
    values: Mapping[int, int]
    line: Sequence[int]
    searched: int

    @property
    def value(self) -> int:
        """The value of the position for the player to move."""
        return max(self.values.values())

    def __str__(self) -> str:
        """The value in words."""
        state, value = self.state, self.value
        mine, other = OWNERS[state.current_player], OWNERS[1 - state.current_player]
        left = sum(state.undrawn_sides(box) > 0 for box in range(state.rules.boxes))
        if left == 1:
            last = f"the last {_noun(state, 'box', 'coin')}"
            gets = last if value > 0 else f"nothing: {other} gets {last}"
        elif value == 0:
            gets = f"as many of the {left} {_noun(state, 'boxes', 'coins')} left as {other}"
        else:
            more = "more" if value > 0 else "fewer"
            gets = f"{abs(value)} {more} of the {left} {_noun(state, 'boxes', 'coins')} left than {other}"
        return f"With perfect play {mine}, to move, gets {gets}."

    def told(self) -> Iterator[str | Sheet]:
        """The position, the values of its edges, a line of perfect play, and the player in control."""
        state, field, value = self.state, self.state.rules, self.value
        yield Lines(coins_text(state, field) if isinstance(field, Coins) else board_text(state))
        yield f"{self}\n"
        rows = [
            (_name(edge, state), f"{its:+d}" if its else "0", "best" * (its == value))
            for edge, its in sorted(self.values.items(), key=lambda pair: -pair[1])
        ]
        yield Sheet((_noun(state, "edge", "string"), VALUE, ""), rows, right=(VALUE,))
        turns = (
            f"{OWNERS[player]} {', '.join(_name(edge, state) for _, edge in turn)}"
            for player, turn in groupby(_players(state, self.line), key=lambda each: each[0])
        )
        yield f"\nA best line: {'; '.join(turns)}"
        yield _control_text(control_of(state, self.line))

    def to_rows(self) -> list[dict[str, object]]:
        """The edges with their values."""
        value = self.value
        return [
            {"edge": _name(edge, self.state), VALUE: its, "best": its == value}
            for edge, its in self.values.items()
        ]

    def to_json(self) -> dict[str, object]:
        """The answer as JSON values; either ``board`` or ``coins`` is null."""
        state, field, control = self.state, self.state.rules, control_of(self.state, self.line)
        return {
            "board": None if isinstance(field, Coins) else f"{field.width}x{field.height}",
            "coins": list(field.names) if isinstance(field, Coins) else None,
            "drawn": len(state.drawn),
            "player": OWNERS[state.current_player],
            VALUE: self.value,
            "searched": self.searched,
            "edges": self.to_rows(),
            "line": [
                {"player": OWNERS[player], "edge": _name(edge, state)}
                for player, edge in _players(state, self.line)
            ],
            "control": control and asdict(control) | {"player": OWNERS[control.player]},
        }


def solved(state: State) -> Solution:
    """Solve a position; the command line shows how far the search is.

    The search is a kernel that knows no interrupts, so it works beside the thread that waits for them.
    """
    remark(compilation(game=GAME.name))
    memory, edges = Memory.fit_for(state), state.legal_actions()
    values: dict[int, int] = {}
    line: Future[tuple[int, ...]] = Future()

    def search() -> None:
        try:
            for edge in edges:
                values[edge] = searched_value_of(state, edge, memory)
            line.set_result(best_line(state, memory))
        except BaseException as error:
            line.set_exception(error)

    Thread(target=search, daemon=True).start()
    with watching() as show:
        while not wait([line], SECONDS_BETWEEN_LOOKS).done:
            if searched := memory.searched:
                show(f"{len(values)} of {len(edges)} edges, {searched:,} positions searched")
    return Solution(state, values, line.result(), memory.searched)


def position_of(position: str | None, board: str | None, coins: str | None) -> State:
    """The position that is asked for.

    Raises:
        UsageError: none or several are named, there is no such file or board, coins are not well said, or the game is
            over.
    """
    if [position, board, coins].count(None) != 2:
        raise UsageError(
            "name either a file with a position (.board) or an empty board, such as --board 3x4, or coins, such as "
            '--coins "chains 3 4"'
        )
    if board is not None:
        return State.begin(Rules.from_options({"board": board}))
    if coins is not None:
        return coins_position(coins)
    state = read_position(str(position), or_coins=True)
    if state.is_terminal:
        raise UsageError(f"{position}: all edges are drawn")
    return state


def _players(state: State, line: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The edges of a line with who draws each."""
    edges = iter(line)
    return ((before.current_player, edge) for before, edge, _ in played(state, lambda _: next(edges)))


def _control_text(control: Control | None) -> str:
    """Sentence about control."""
    if control is None:
        return "Nobody has to give a long chain or a loop in it."
    there = [
        *(f"a chain of {length}" for length in control.chains),
        *(f"a loop of {length}" for length in control.loops),
    ]
    player, other = OWNERS[control.player], OWNERS[1 - control.player]
    return f"{player} is in control: {other} has to give the first long chain or loop, {' and '.join(there)}."


def _name(edge: int, state: State) -> str:
    """The name of an edge, or of a string."""
    field = state.rules
    return string_name(edge, field) if isinstance(field, Coins) else edge_name(edge, field)


def _noun(state: State, of_board: str, of_coins: str) -> str:
    """The word for something, on boards and of coins."""
    return of_coins if isinstance(state.rules, Coins) else of_board
