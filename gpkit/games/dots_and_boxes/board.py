"""Boards as text, and edges by name: ``B2 left`` is the edge left of the box in the second column and row.

An open box shows the symbol of its degree as in the graphs of strings and coins (q, t, l, x for 4, 3, 2, 1 undrawn
sides), a closed one the letter of its owner.
"""

import re
from collections.abc import Iterator, Sequence

from gpkit.core.diagnostics import nearest
from gpkit.core.errors import UsageError
from gpkit.core.wording import YOU, counted, does
from gpkit.gamekit.state import NOBODY
from gpkit.games.dots_and_boxes.edges import (
    SIDES,
    boxes_of_edges,
    edges_of_box,
    place_of,
)
from gpkit.games.dots_and_boxes.options import MAX_EDGES, Rules
from gpkit.games.dots_and_boxes.rules import State

OWNERS = "AB"

DEGREE_SIGNS = " xltq"
"""Signs of open boxes, by the number of their undrawn sides."""

_COLUMNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def box_name(box: int, rules: Rules) -> str:
    """The column and the row of a box, such as B2."""
    y, x = divmod(box, rules.width)
    return f"{_COLUMNS[x]}{y + 1}"


def edge_name(edge: int, rules: Rules) -> str:
    """A box and which of its sides; of two boxes the lower or right one, so that the side is top or left.

    >>> edge_name(4, Rules(3, 3)), edge_name(23, Rules(3, 3))
    ('B2 top', 'C3 right')
    """
    box = boxes_of_edges(rules)[edge][-1]
    return f"{box_name(box, rules)} {SIDES[edges_of_box(box, rules).index(edge)]}"


def edge_of_name(text: str, rules: Rules) -> int:
    """The edge of a name; every edge can be named by any box that it touches, and a side by its first letter.

    >>> edge_of_name("b1 bottom", Rules(3, 3)), edge_of_name("B2t", Rules(3, 3))
    (4, 4)

    Raises:
        UsageError: there is no such edge.
    """
    shown = text if len(text) <= 20 else f"{text[:19]}…"
    parts = re.fullmatch(r"\s*([A-Za-z][0-9]{1,2})\s*([A-Za-z]*)\s*", text)
    boxes = {box_name(box, rules): box for box in range(rules.boxes)}
    if parts is None or parts[1].upper() not in boxes:
        raise UsageError(
            f"`{shown}` is not a side: expected a box and one of its sides, from A1 top to "
            f"{box_name(rules.boxes - 1, rules)} right"
        )
    word = parts[2].lower()
    for number, side in enumerate(SIDES):
        if word in (side, side[0]):
            return edges_of_box(boxes[parts[1].upper()], rules)[number]
    close = nearest(word, SIDES)
    hint = f"; did you mean `{close}`?" if close is not None else ""
    raise UsageError(f"`{shown}`: a box has the sides {', '.join(SIDES)}{hint}")


def board_text(state: State, player: int | None = None, names: Sequence[str] = OWNERS) -> str:
    """The board and, below it, the score and who is to draw, in lines that end with a line break.

    Args:
        state: the position, which ``state_of_text`` reads back.
        player: who looks; nothing is hidden from anybody.
        names: of the players.
    """
    rules = state.board
    between, across = " " * (4 * rules.width + 1), "+   " * rules.width + "+"
    grid = [list(between if y % 2 else across) for y in range(2 * rules.height + 1)]
    for edge in state.drawn:
        x, y = place_of(edge, rules)
        grid[y][_cut(x)] = _PICTURES[x % 2][1]
    for box, owner in enumerate(state.owners):
        y, x = divmod(box, rules.width)
        sign = DEGREE_SIGNS[state.undrawn_sides(box)] if owner == NOBODY else OWNERS[owner]
        grid[2 * y + 1][4 * x + 2] = sign
    lines = ["".join(row).rstrip() for row in grid]
    score = ", ".join(f"{name} {state.boxes_of(owner)}" for owner, name in enumerate(lettered(names)))
    lines.append(f"{score}; {_standing(state, names)}")
    return "".join(f"{line}\n" for line in lines)


def lettered(names: Sequence[str]) -> tuple[str, ...]:
    """The names behind the letters that the boxes of the players show.

    >>> lettered(["careful", "chain"]), lettered(OWNERS)
    (('A careful', 'B chain'), ('A', 'B'))
    """
    return tuple(
        letter if letter == name else f"{letter} {name}" for letter, name in zip(OWNERS, names, strict=True)
    )


def _standing(state: State, names: Sequence[str]) -> str:
    if not state.is_terminal:
        mover = names[state.current_player]
        return "your turn" if mover == YOU else f"{mover} is to draw"
    return "a tie" if state.winner is None else f"{does(names[state.winner], 'has')} won"


def state_of_text(text: str) -> State:
    """The position that a text shows, as ``board_text`` writes it.

    The symbols of open boxes may be left out, and the last line, too: then player A is to draw. The players may have
    names there behind their letters, as in traces: ``A careful 1, B chain 0; chain is to draw``. Empty lines above and
    below do not matter.

    Raises:
        UsageError: it is not a board, a closed box has no owner, an open one has, or a symbol is not that of
        the box.
    """
    lines = text.strip("\n").rstrip().split("\n")
    said = lines.pop() if lines and not lines[-1].lstrip().startswith(("+", "|")) else ""
    rules = _size(lines)
    width = 4 * rules.width + 1
    rows = [line.rstrip().ljust(width) for line in lines]
    if max(map(len, rows)) > width:
        raise UsageError(
            f"line {1 + [len(row) > width for row in rows].index(True)} is longer than the first"
        )
    drawn = frozenset(_drawn(rows, rules))
    symbols = [rows[2 * (box // rules.width) + 1][4 * (box % rules.width) + 2] for box in range(rules.boxes)]
    owners = tuple(OWNERS.find(sign) if sign in OWNERS else NOBODY for sign in symbols)
    player = NOBODY if len(drawn) == rules.edges else _mover(said)
    state = State(rules, drawn, owners, player)
    for box, sign in enumerate(symbols):
        sides = state.undrawn_sides(box)
        expected = (DEGREE_SIGNS[sides], " ") if sides else tuple(OWNERS)
        if sign not in expected:
            shown = f"box {box_name(box, rules)} has {counted(sides, 'undrawn side')} and shows `{sign}`"
            raise UsageError(f"{shown}; expected `{'` or `'.join(expected)}`")
    return state


def _mover(said: str) -> int:
    """The player who is to draw by the line below a board, the first where it says nothing.

    >>> _mover("A 1, B 0; B is to draw"), _mover("A you 1, B chain 0; your turn")
    (1, 0)
    """
    mover = re.search(r"(?:^|; )(?:([^;]+) is to draw|your turn)", said)
    second = re.search(r", B (.+) [0-9]+; ", said)
    return int(mover is not None and (mover[1] or YOU) in (OWNERS[1], second and second[1]))


def _size(lines: Sequence[str]) -> Rules:
    """The size of the board whose lines these are."""
    width, more = divmod(len(lines[0].rstrip()) - 1 if lines else 0, 4)
    if more or width < 1 or len(lines) < 3 or len(lines) % 2 == 0:
        raise UsageError(
            "this is not a board: expected lines such as `+---+   +` above and below lines of boxes"
        )
    rules = Rules(width, len(lines) // 2)
    if rules.edges > MAX_EDGES:
        raise UsageError(f"a board of {width}x{rules.height} has more than {MAX_EDGES} edges")
    return rules


_PICTURES = ((" ", "|"), ("+   +", "+---+"))
"""Pictures of edges, undrawn and drawn: vertical ones, then horizontal ones."""


def _cut(x: int) -> slice:
    """The columns of an edge in a line of a board, by the first number of its ``place_of``."""
    return slice(2 * x - 2, 2 * x + 3) if x % 2 else slice(2 * x, 2 * x + 1)


def _drawn(rows: Sequence[str], rules: Rules) -> Iterator[int]:
    """The drawn edges of every box, read from the lines of the board."""
    for box in range(rules.boxes):
        for edge in edges_of_box(box, rules):
            x, y = place_of(edge, rules)
            picture, (empty, full) = rows[y][_cut(x)], _PICTURES[x % 2]
            if picture not in (empty, full):
                name = box_name(box, rules)
                raise UsageError(f"beside box {name} is `{picture}`, not `{full}` or `{empty}`")
            if picture == full:
                yield edge
