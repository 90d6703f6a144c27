"""Positions of Dots and Boxes in files: boards as ``gpkit play`` and ``gpkit trace`` show them, and coins.

Coins are strings such as ``a-b`` and ``b-ground``, and chains and loops by their lengths.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from gpkit.core.diagnostics import nearest
from gpkit.core.errors import UsageError
from gpkit.core.files import read_text
from gpkit.core.wording import counted
from gpkit.games.dots_and_boxes.board import state_of_text
from gpkit.games.dots_and_boxes.edges import MOST_STRINGS, Coins, edges_of_box
from gpkit.games.dots_and_boxes.options import MAX_EDGES
from gpkit.games.dots_and_boxes.rules import State
from gpkit.games.dots_and_boxes.state_graph import state_graph

GROUND = "ground"
"""Name of the ground, which is no coin: the end of a string that has one coin only."""

CHAIN, LOOP = "chain", "loop"

KINDS = {CHAIN: CHAIN, "chains": CHAIN, LOOP: LOOP, "loops": LOOP}
"""Words before lengths."""

LEAST = {CHAIN: 1, LOOP: 2}
"""The shortest of each; a string has two different ends."""

FORM = "strings such as `a-b` and `b-ground`, or lengths such as `chains 3 4 loops 4 8`"


def coins_of_text(text: str) -> Coins:
    """The coins of a text, in the order in which it names them.

    A word such as ``a-b-ground`` is a row of strings, from one name to the next. Lengths stand behind ``chains`` or
    ``loops``; the coins of the n-th of them are n.1, n.2 and so on. A # begins a comment.

    >>> coins_of_text("a-b b-ground b-ground").strings
    ((0, 1), (1,), (1,))
    >>> coins_of_text("chain 2").names
    ('1.1', '1.2')

    Raises:
        UsageError: it says no such thing, or more strings than there may be; the message names the word.
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
    names = [_name(name, shown) for name in word.split("-")]
    for one, other in pairwise(names):
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
    """The ends of a string; of several with the same ends those after the first have a number, too.

    >>> [string_name(string, coins_of_text("b-a a-ground a-ground")) for string in range(3)]
    ['b-a', 'a-ground', 'a-ground/2']
    """
    ends = coins.strings[string]
    number = 1 + coins.strings[:string].count(ends)
    names = [coins.names[coin] for coin in ends] + [GROUND] * (len(ends) == 1)
    return "-".join(names) + (f"/{number}" if number > 1 else "")


def coins_text(state: State, coins: Coins) -> str:
    """A position of coins: what chains and loops there are and which coins are none, in lines that end with a break."""
    lines = []
    graph = state_graph(state)
    for number, (node, group) in enumerate(zip(graph.graph.nodes, graph.boxes, strict=True)):
        names = " ".join(coins.names[coin] for coin in group)
        kind = LOOP if graph.ends[number] == (number, number) else CHAIN
        coin = f"coin with {counted(len(edges_of_box(group[0], coins)), 'string')}"
        lines.append(f"{f'{kind} of {node.length}' if node.length else coin}: {names}")
    return "".join(f"{line}\n" for line in lines)


def read_position(path: str, *, or_coins: bool = False) -> State:
    """The position in a file, a board or coins; a board has a dot in its first corner, or the suffix of boards.

    Raises:
        UsageError: the file cannot be read, or holds none.
    """
    text = read_text(path)
    is_board = not or_coins or path.endswith(".board") or text.lstrip().startswith("+")
    try:
        return state_of_text(text) if is_board else coins_position(text)
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from None


def coins_position(text: str) -> State:
    """The position in which all strings of a text are there (``coins_of_text``)."""
    return State.begin(coins_of_text(text))
