"""Games between policies of the ladder: compiled, and the same in plain Python."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from gpkit.core.errors import UsageError
from gpkit.games.dots_and_boxes.kernel.games import play_deals
from gpkit.games.dots_and_boxes.kernel.opponents import REST_STRINGS
from gpkit.games.dots_and_boxes.opponents import POLICIES
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.games.dots_and_boxes.rules import State
from gpkit.games.dots_and_boxes.solution import TABLE_STRINGS, table
from gpkit.games.dots_and_boxes.tables import box_sides, other_sides, touching
from gpkit.vm.keyed import keyed_word_readable

PERFECT = "optimal"
"""The policy that needs a table of all positions."""


def margins(
    first: str, second: str, keys: NDArray[np.int64], rules: Rules
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Play every deal in both seatings: the first policy draws first, then second.

    Args:
        first, second: names in ``opponents.POLICIES``.
        keys: int64 (deals,), one of at least 0 and below 2^26 for each deal.
        rules: the rules.

    Returns:
        The margins of the first policy, int64 (deals, 2), and the strings of the last deal's games, int64 (2, strings).

    Raises:
        UsageError: a perfect player on a board that is too large for its table.
    """
    check_board(first, rules)
    check_board(second, rules)
    solved = PERFECT in (first, second)
    values = table(rules) if solved else _NO_TABLE
    found = np.zeros((len(keys), 2), dtype=np.int64)
    log = np.zeros((2, rules.strings), dtype=np.int64)
    names = tuple(POLICIES)
    play_deals(
        keys,
        np.array([names.index(first), names.index(second)], dtype=np.int64),
        box_sides(rules),
        touching(rules),
        other_sides(rules),
        values,
        np.empty(1 << REST_STRINGS, dtype=np.int8),
        log,
        found,
    )
    return found, log


_NO_TABLE = np.zeros(1, dtype=np.int8)
_NO_TABLE.setflags(write=False)


def check_board(name: str, rules: Rules) -> None:
    """Check that a policy can play on this board.

    Raises:
        UsageError: it cannot.
    """
    if name == PERFECT and rules.strings > TABLE_STRINGS:
        raise UsageError(
            f"{PERFECT} plays on boards of at most {TABLE_STRINGS} strings, such as 3x3; "
            f"{rules.width}x{rules.height} has {rules.strings}"
        )


def play_readable(first: str, second: str, key: int, rules: Rules) -> Iterator[tuple[State, int]]:
    """Every position of a game in which the first policy draws first, with the string that is drawn next."""
    state = State.begin(rules)
    while not state.is_terminal:
        strings = POLICIES[(first, second)[state.current_player]](state)
        word = keyed_word_readable(key, len(state.drawn), 0)
        string = strings[int(word / (1 << 52) * len(strings))]
        yield state, string
        state = state.apply_action(string)
