"""``gpkit solve``: what a position of Dots and Boxes is worth by perfect play, on boards of any size."""

from concurrent.futures import Future, wait
from threading import Thread

import click

from gpkit.app.positions import read_position
from gpkit.cli import output
from gpkit.cli.options import json_option
from gpkit.cli.progress import Progress, announce_kernels
from gpkit.core.errors import UsageError
from gpkit.games.dots_and_boxes.board import OWNERS, board_text, edge_name
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.games.dots_and_boxes.rules import State
from gpkit.games.dots_and_boxes.search import Memory, searched_value_of

SCHEMA = "gpkit/solve/1"
COLUMNS = ("edge", "value", "")
SECONDS_BETWEEN_LOOKS = 0.1
"""Polling interval of the progress of the search."""


@click.command(name="solve")
@click.argument("position", required=False, metavar="[POSITION.board]")
@click.option(
    "--board", help="Columns and rows of boxes: the empty board of that size in place of a position."
)
@json_option
def command(position: str | None, board: str | None, as_json: bool) -> None:
    """Solve a position of Dots and Boxes: the value of every edge that can be drawn, by perfect play.

    The value is the number of boxes that whoever is to draw gets from here on, less those of the other. A position is a
    text such as `gpkit trace` shows. Empty boards of up to 3x4 boxes take seconds, 3x5 ten minutes and more, 4x4 half
    an hour and more, with 640 MiB; larger ones are out of reach unless many edges are drawn.
    """
    state = _state(position, board)
    announce_kernels("dots_and_boxes")
    memory = Memory.fit_for(state)
    values = _solved(state, memory)
    value = max(values.values())
    if as_json:
        output.json_object(
            SCHEMA,
            board=f"{state.rules.width}x{state.rules.height}",
            drawn=len(state.drawn),
            player=OWNERS[state.current_player],
            value=value,
            searched=memory.searched,
            edges=[
                {"edge": edge_name(edge, state.rules), "value": its, "best": its == value}
                for edge, its in values.items()
            ],
        )
        return
    output.say(board_text(state))
    output.tell(f"{_told(state, value)}\n")
    ranked = sorted(values, key=lambda edge: -values[edge])
    rows = [
        (edge_name(edge, state.rules), _signed(values[edge]), "best" * (values[edge] == value))
        for edge in ranked
    ]
    output.table(COLUMNS, rows, right=COLUMNS[1:2])


def _state(position: str | None, board: str | None) -> State:
    """The position that is asked for.

    Raises:
        UsageError: both or none are named, there is no such file or board, or the game is over.
    """
    if (position is None) == (board is None):
        raise UsageError("name either a file with a position (.board) or an empty board, such as --board 3x4")
    if position is None:
        return State.begin(Rules.from_options({"board": str(board)}))
    state = read_position(position)
    if state.is_terminal:
        raise UsageError(f"{position}: all edges are drawn")
    return state


def _solved(state: State, memory: Memory) -> dict[int, int]:
    """The values of all edges that can be drawn.

    The search is a kernel that knows no interrupts, so it works beside the thread that waits for them.
    """
    edges = state.legal_actions()
    values: dict[int, int] = {}
    found: Future[None] = Future()

    def search() -> None:
        try:
            for edge in edges:
                values[edge] = searched_value_of(state, edge, memory)
        except BaseException as error:
            found.set_exception(error)
        else:
            found.set_result(None)

    Thread(target=search, daemon=True).start()
    with Progress() as progress:
        while not wait([found], SECONDS_BETWEEN_LOOKS).done:
            if searched := memory.searched:
                progress.update(f"{len(values)} of {len(edges)} edges, {searched:,} positions searched")
    found.result()
    return values


def _told(state: State, value: int) -> str:
    """The value in words."""
    mine, other = OWNERS[state.current_player], OWNERS[1 - state.current_player]
    left = sum(state.undrawn_sides(box) > 0 for box in range(state.rules.boxes))
    if left == 1:
        gets = "the last box" if value > 0 else f"nothing: {other} gets the last box"
    elif value == 0:
        gets = f"as many of the {left} boxes left as {other}"
    else:
        gets = f"{abs(value)} {'more' if value > 0 else 'fewer'} of the {left} boxes left than {other}"
    return f"By perfect play {mine}, to draw, gets {gets}."


def _signed(value: int) -> str:
    return f"{value:+d}" if value else "0"
