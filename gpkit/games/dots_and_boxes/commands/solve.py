"""``gpkit solve``: what a position of Dots and Boxes is worth with perfect play, on boards of any size and of coins."""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, wait
from dataclasses import asdict
from itertools import groupby
from threading import Thread

import click

from gpkit.cli import output
from gpkit.cli.options import json_option
from gpkit.cli.output import announce_kernels, progress
from gpkit.core.errors import UsageError
from gpkit.games.dots_and_boxes.board import OWNERS, board_text, edge_name
from gpkit.games.dots_and_boxes.edges import Coins
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.games.dots_and_boxes.positions import coins_position, coins_text, read_board_or_coins, string_name
from gpkit.games.dots_and_boxes.rules import State
from gpkit.games.dots_and_boxes.search import Control, Memory, best_line, control_of, searched_value_of

SCHEMA = "gpkit/solve/1"
VALUE = "value"
SECONDS_BETWEEN_LOOKS = 0.1
"""Polling interval of the progress of the search."""


@click.command(name="solve")
@click.argument("position", required=False, metavar="[POSITION]")
@click.option("--board", help="Columns and rows of an empty board, instead of a position.")
@click.option(
    "--coins",
    help="Strings and coins instead of a position: `a-b b-c c-ground c-ground`; or lengths: `chains 3 4 loop 8`.",
)
@json_option
def command(position: str | None, board: str | None, coins: str | None, as_json: bool) -> None:
    """Solve a position of Dots and Boxes: the value of every edge that can be drawn, with perfect play.

    The value is the number of boxes that the player to move gets from here on, less the opponent's. Below the
    values is a line of perfect play, turn by turn, and the player in control, who will be given the first
    long chain or loop. A position is a file with a board as `gpkit trace` shows it, or with what --coins
    takes: strings between coins and the ground (at most 4 a coin and 62 in all), which are the undrawn sides
    of boxes, or the lengths of chains and loops, or both. Empty boards of up to 3x4 boxes take seconds, 3x5
    ten minutes and more, 4x4 half an hour and more, with 640 MiB; larger ones take too long unless many edges
    are drawn. On 5x5 boards 30 undrawn edges take seconds at most.
    """
    state = _state(position, board, coins)
    announce_kernels("dots_and_boxes")
    memory = Memory.fit_for(state)
    values, line = _solved(state, memory)
    value = max(values.values())
    if as_json:
        output.json_object(SCHEMA, **_report(state, values, line, memory.searched))
        return
    field = state.rules
    output.say(coins_text(state, field) if isinstance(field, Coins) else board_text(state))
    output.tell(f"{_told(state, value)}\n")
    ranked = sorted(values, key=lambda edge: -values[edge])
    rows = [
        (_name(edge, state), f"{values[edge]:+d}" if values[edge] else "0", "best" * (values[edge] == value))
        for edge in ranked
    ]
    output.table((_noun(state, "edge", "string"), VALUE, ""), rows, right=(VALUE,))
    turns = (
        f"{OWNERS[player]} {', '.join(_name(edge, state) for _, edge in turn)}"
        for player, turn in groupby(_players(state, line), key=lambda each: each[0])
    )
    output.tell(f"\nA best line: {'; '.join(turns)}")
    output.tell(_control_text(control_of(state, line)))


def _report(state: State, values: Mapping[int, int], line: Sequence[int], searched: int) -> dict[str, object]:
    """The answer as plain data; either ``board`` or ``coins`` is null."""
    field = state.rules
    value = max(values.values())
    control = control_of(state, line)
    return {
        "board": None if isinstance(field, Coins) else f"{field.width}x{field.height}",
        "coins": list(field.names) if isinstance(field, Coins) else None,
        "drawn": len(state.drawn),
        "player": OWNERS[state.current_player],
        "value": value,
        "searched": searched,
        "edges": [
            {"edge": _name(edge, state), "value": its, "best": its == value} for edge, its in values.items()
        ],
        "line": [
            {"player": OWNERS[player], "edge": _name(edge, state)} for player, edge in _players(state, line)
        ],
        "control": control and asdict(control) | {"player": OWNERS[control.player]},
    }


def _state(position: str | None, board: str | None, coins: str | None) -> State:
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
    state = read_board_or_coins(str(position))
    if state.is_terminal:
        raise UsageError(f"{position}: all edges are drawn")
    return state


def _solved(state: State, memory: Memory) -> tuple[dict[int, int], tuple[int, ...]]:
    """The values of all edges that can be drawn, and a best line.

    The search is a kernel that knows no interrupts, so it works beside the thread that waits for them.
    """
    edges = state.legal_actions()
    values: dict[int, int] = {}
    found: Future[tuple[int, ...]] = Future()

    def search() -> None:
        try:
            for edge in edges:
                values[edge] = searched_value_of(state, edge, memory)
            line = best_line(state, memory)
        except BaseException as error:
            found.set_exception(error)
        else:
            found.set_result(line)

    Thread(target=search, daemon=True).start()
    with progress() as show:
        while not wait([found], SECONDS_BETWEEN_LOOKS).done:
            if searched := memory.searched:
                show(f"{len(values)} of {len(edges)} edges, {searched:,} positions searched")
    return values, found.result()


def _players(state: State, line: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The edges of a line with who draws each."""
    for edge in line:
        yield state.current_player, edge
        state = state.apply(edge)


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


def _told(state: State, value: int) -> str:
    """The value in words."""
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


def _name(edge: int, state: State) -> str:
    """The name of an edge, or of a string."""
    field = state.rules
    return string_name(edge, field) if isinstance(field, Coins) else edge_name(edge, field)


def _noun(state: State, of_board: str, of_coins: str) -> str:
    """The word for something, on boards and of coins."""
    return of_coins if isinstance(state.rules, Coins) else of_board
