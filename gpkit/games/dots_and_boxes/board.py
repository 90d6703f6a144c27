"""Boards and positions of Dots and Boxes as text that people can read and type.

An open box contains a letter for its number of undrawn sides: q for 4, t for 3, l for 2, and x for 1 (as in state
graphs). A closed box contains the letter of its owner.

A position of coins is typed as strings such as ``a-b`` and ``b-ground``, or as the lengths of chains and loops.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from gpkit.core.diagnostics import nearest
from gpkit.core.errors import UsageError
from gpkit.core.files import read_text
from gpkit.core.wording import YOU, counted, does
from gpkit.gamekit.state import NOBODY
from gpkit.games.dots_and_boxes.rule_lists import state_graph
from gpkit.games.dots_and_boxes.rules import (
    MAX_EDGES,
    MOST_STRINGS,
    SIDES,
    Coins,
    DotsAndBoxesRules,
    DotsAndBoxesState,
    boxes_of_edges,
    edges_of_box,
    place_of,
)

OWNERS = "AB"

DEGREE_SIGNS = " xltq"
"""The symbol of an open box, indexed by its number of undrawn sides."""

_COLUMNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def box_name(box: int, rules: DotsAndBoxesRules) -> str:
    """The column and the row of a box, such as B2."""
    y, x = divmod(box, rules.width)
    return f"{_COLUMNS[x]}{y + 1}"


def edge_name(edge: int, rules: DotsAndBoxesRules) -> str:
    """The name of an edge: a box and a side. If the edge has two boxes, the name refers to the lower or right one.

    >>> edge_name(4, DotsAndBoxesRules(3, 3)), edge_name(23, DotsAndBoxesRules(3, 3))
    ('B2 top', 'C3 right')
    """
    box = boxes_of_edges(rules)[edge][-1]
    return f"{box_name(box, rules)} {SIDES[edges_of_box(box, rules).index(edge)]}"


def edge_of_name(text: str, rules: DotsAndBoxesRules) -> int:
    """The number of the edge with this name.

    The name may refer to either box of the edge, and the side may be shortened to its first letter.

    >>> edge_of_name("b1 bottom", DotsAndBoxesRules(3, 3)), edge_of_name("B2t", DotsAndBoxesRules(3, 3))
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


def board_text(state: DotsAndBoxesState, player: int | None = None, names: Sequence[str] = OWNERS) -> str:
    """The board as text, with the score and the player to draw below it; every line ends with a line break.

    Args:
        state: the position; ``state_of_text`` can read it from the text.
        player: the viewing player, which has no effect because both players see everything.
        names: the names of the players.
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


def marked_text(state: DotsAndBoxesState, player: int | None = None, names: Sequence[str] = OWNERS) -> str:
    """The text from ``board_text``, with column letters above the board and row numbers to its left."""
    *rows, said = board_text(state, player, names).splitlines()
    letters = "".join(f"  {box_name(x, state.board)[0]} " for x in range(state.board.width)).rstrip()
    marked = [f"{f'{1 + y // 2} ' if y % 2 else '  '}{row}" for y, row in enumerate(rows)]
    return "".join(f"{line}\n" for line in (f"  {letters}", *marked, said))


def lettered(names: Sequence[str]) -> tuple[str, ...]:
    """The players' names, each preceded by the letter that marks the player's boxes.

    >>> lettered(["careful", "chain"]), lettered(OWNERS)
    (('A careful', 'B chain'), ('A', 'B'))
    """
    return tuple(
        letter if letter == name else f"{letter} {name}" for letter, name in zip(OWNERS, names, strict=True)
    )


def _standing(state: DotsAndBoxesState, names: Sequence[str]) -> str:
    if not state.is_terminal:
        mover = names[state.current_player]
        return "your turn" if mover == YOU else f"{mover} is to draw"
    return "a tie" if state.winner is None else f"{does(names[state.winner], 'has')} won"


def state_of_text(text: str) -> DotsAndBoxesState:
    """The position that a text in the format of ``board_text`` describes.

    The text may omit the symbols of open boxes. The text may also omit the last line if player A is to draw. In the
    last line, names may follow the players' letters, as in traces: ``A careful 1, B chain 0; chain is to draw``. The
    function ignores empty lines above and below the board, letters above it, and numbers to its left.

    Raises:
        UsageError: the text does not describe a board, a closed box has no owner, an open box has an owner, or a symbol
            is invalid.
    """
    lines = text.strip("\n").rstrip().split("\n")
    said = lines.pop() if lines and not lines[-1].lstrip().startswith(("+", "|")) else ""
    if lines and re.fullmatch("[ A-Z]+", lines[0]):
        lines = [line[2:] for line in lines[1:]]
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
    state = DotsAndBoxesState(rules, drawn, owners, NOBODY if len(drawn) == rules.edges else _mover(said))
    for box, sign in enumerate(symbols):
        sides = state.undrawn_sides(box)
        expected = (DEGREE_SIGNS[sides], " ") if sides else tuple(OWNERS)
        if sign not in expected:
            shown = f"box {box_name(box, rules)} has {counted(sides, 'undrawn side')} and shows `{sign}`"
            raise UsageError(f"{shown}; expected `{'` or `'.join(expected)}`")
    return state


def _mover(said: str) -> int:
    """The player to draw according to the line below a board, or the first player if the line names no player.

    >>> _mover("A 1, B 0; B is to draw"), _mover("A you 1, B chain 0; your turn")
    (1, 0)
    """
    mover = re.search(r"(?:^|; )(?:([^;]+) is to draw|your turn)", said)
    second = re.search(r", B (.+) [0-9]+; ", said)
    return int(mover is not None and (mover[1] or YOU) in (OWNERS[1], second and second[1]))


def _size(lines: Sequence[str]) -> DotsAndBoxesRules:
    """The size of the board that these lines show."""
    width, more = divmod(len(lines[0].rstrip()) - 1 if lines else 0, 4)
    if more or width < 1 or len(lines) < 3 or len(lines) % 2 == 0:
        raise UsageError(
            "this is not a board: expected lines such as `+---+   +` above and below lines of boxes"
        )
    rules = DotsAndBoxesRules(width, len(lines) // 2)
    if rules.edges > MAX_EDGES:
        raise UsageError(f"a board of {width}x{rules.height} has more than {MAX_EDGES} edges")
    return rules


_PICTURES = ((" ", "|"), ("+   +", "+---+"))
"""The text of an undrawn and a drawn edge, first for vertical edges and then for horizontal ones."""


def _cut(x: int) -> slice:
    """The columns that an edge occupies in a line of the board; ``x`` is the first coordinate from ``place_of``."""
    return slice(2 * x - 2, 2 * x + 3) if x % 2 else slice(2 * x, 2 * x + 1)


def _drawn(rows: Sequence[str], rules: DotsAndBoxesRules) -> Iterator[int]:
    """Yield the drawn edges of every box, read from the lines of the board."""
    for box in range(rules.boxes):
        for edge in edges_of_box(box, rules):
            x, y = place_of(edge, rules)
            picture, (empty, full) = rows[y][_cut(x)], _PICTURES[x % 2]
            if picture not in (empty, full):
                name = box_name(box, rules)
                raise UsageError(f"the text beside box {name} is `{picture}`, not `{full}` or `{empty}`")
            if picture == full:
                yield edge


GROUND = "ground"
"""The name of the ground. The ground is not a coin; the other end of a string with only one coin is tied to it."""

CHAIN, LOOP = "chain", "loop"

KINDS = {CHAIN: CHAIN, "chains": CHAIN, LOOP: LOOP, "loops": LOOP}
"""The words that may precede lengths, with the kind that each word denotes."""

LEAST = {CHAIN: 1, LOOP: 2}
"""The minimum lengths of a chain and of a loop. A string has two different ends, so no loop has length 1."""

FORM = "strings such as `a-b` and `b-ground`, or lengths such as `chains 3 4 loops 4 8`"


def coins_of_text(text: str) -> Coins:
    """The coins that a text describes, in the order of their first appearance.

    A word such as ``a-b-ground`` describes one string for each pair of neighbouring names. Lengths follow the word
    ``chains`` or ``loops``; the coins of the n-th chain or loop are named n.1, n.2 and so on. The character # begins a
    comment.

    >>> coins_of_text("a-b b-ground b-ground").strings
    ((0, 1), (1,), (1,))
    >>> coins_of_text("chain 2").names
    ('1.1', '1.2')

    Raises:
        UsageError: the text does not describe coins, or describes too many strings; the message quotes the word.
    """
    pairs: list[tuple[str, str]] = []
    parts, kind = 0, ""
    for word in re.sub("#.*", "", text).replace(",", " ").split():
        shown = f"`{word[:20]}{'…' * (len(word) > 20)}`"
        if word.lower() in KINDS:
            kind = KINDS[word.lower()]
        elif word.isdecimal() and kind:
            least = LEAST[kind]
            if len(word) > 3 or not least <= int(word) <= MAX_EDGES:
                raise UsageError(f"a {kind} of {word[:20]}: expected a length of {least} to {MAX_EDGES}")
            parts += 1
            row = [f"{parts}.{place}" for place in range(1, int(word) + 1)]
            pairs += pairwise([GROUND, *row, GROUND] if kind == CHAIN else [*row, row[0]])
        elif "-" in word:
            kind = ""
            pairs += _row(word, shown)
        else:
            close = nearest(word.lower(), KINDS)
            hint = "" if close is None else f"; did you mean `{close}`?"
            hint = "; a length follows `chains` or `loops`" if word.isdecimal() else hint
            raise UsageError(f"{shown}: expected {FORM}{hint}")
        if len(pairs) > MAX_EDGES:
            raise UsageError(f"{shown}: that makes more than {MAX_EDGES} strings")
    return _coins(pairs)


def _row(word: str, shown: str) -> Iterator[tuple[str, str]]:
    """The strings of a word such as ``a-b-ground``."""
    for one, other in pairwise([_name(name, shown) for name in word.split("-")]):
        if one == other:
            raise UsageError(f"{shown}: both ends of a string are `{one}`")
        yield one, other


def _name(name: str, shown: str) -> str:
    if name.lower() == GROUND:
        return GROUND
    if re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", name) is None:
        raise UsageError(f"{shown}: `{name[:20]}` is not the name of a coin: expected {FORM}")
    if nearest(name.lower(), (GROUND,)) is not None:
        raise UsageError(f"{shown}: did you mean `{GROUND}`, not `{name[:20]}`?")
    return name


def _coins(pairs: Sequence[tuple[str, str]]) -> Coins:
    """The coins with these strings."""
    if not pairs:
        raise UsageError(f"there are no coins: expected {FORM}")
    names = tuple(dict.fromkeys(name for pair in pairs for name in pair if name != GROUND))
    for name, tied in Counter(name for pair in pairs for name in pair if name != GROUND).items():
        if tied > MOST_STRINGS:
            raise UsageError(f"coin `{name}` has {tied} strings; expected at most {MOST_STRINGS}")
    numbers = {name: number for number, name in enumerate(names)}
    return Coins(
        names, tuple(tuple(sorted(numbers[name] for name in pair if name != GROUND)) for pair in pairs)
    )


def string_name(string: int, coins: Coins) -> str:
    """The name of a string: its two ends, followed by a number if an earlier string has the same ends.

    >>> [string_name(string, coins_of_text("b-a a-ground a-ground")) for string in range(3)]
    ['b-a', 'a-ground', 'a-ground/2']
    """
    ends = coins.strings[string]
    number = 1 + coins.strings[:string].count(ends)
    return "-".join([coins.names[coin] for coin in ends] + [GROUND] * (len(ends) == 1)) + (
        f"/{number}" if number > 1 else ""
    )


def coins_text(state: DotsAndBoxesState, coins: Coins) -> str:
    """A position of coins as text: a line for each chain, loop and other coin, each ending with a line break."""
    lines = []
    graph = state_graph(state)
    for number, (node, group) in enumerate(zip(graph.graph.nodes, graph.boxes, strict=True)):
        names = " ".join(coins.names[coin] for coin in group)
        kind = LOOP if graph.ends[number] == (number, number) else CHAIN
        coin = f"coin with {counted(len(edges_of_box(group[0], coins)), 'string')}"
        lines.append(f"{f'{kind} of {node.length}' if node.length else coin}: {names}")
    return "".join(f"{line}\n" for line in lines)


def read_position(path: str, *, or_coins: bool = False) -> DotsAndBoxesState:
    """The position in a file that contains a board or coins.

    The file contains a board if its text starts with ``+`` or its name ends with ``.board``.

    Raises:
        UsageError: the file cannot be read, or does not contain a position.
    """
    text = read_text(path)
    is_board = not or_coins or path.endswith(".board") or text.lstrip().startswith("+")
    try:
        return state_of_text(text) if is_board else coins_position(text)
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from None


def coins_position(text: str) -> DotsAndBoxesState:
    """The initial position of the coins that a text describes, with all strings uncut (see ``coins_of_text``)."""
    return DotsAndBoxesState.begin(coins_of_text(text))
