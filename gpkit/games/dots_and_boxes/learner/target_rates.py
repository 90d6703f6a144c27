"""Win rates to be reached, as people write them: ``chain=0.93``, ``greedy``, ``chain=0.6@4x4``."""

import re

from gpkit.core.diagnostics import suggestion
from gpkit.core.errors import UsageError
from gpkit.games.dots_and_boxes.ladder import check_board
from gpkit.games.dots_and_boxes.learner.mixture import TargetRate
from gpkit.games.dots_and_boxes.opponents import POLICIES
from gpkit.games.dots_and_boxes.options import Rules

_FORM = re.compile(r"(?P<opponent>[^=@]+)(=(?P<floor>[^@]*))?(@(?P<board>.*))?")


def read_target_rate(text: str) -> TargetRate:
    """The aim that a text names: an opponent, the win rate to be above, and the board if it is another one.

    >>> str(read_aim("chain=0.6@4x4"))
    'chain on 4x4'

    Raises:
        UsageError: there is no such opponent or board, or the win rate is none.
    """
    parts = _FORM.fullmatch(text)
    if parts is None:
        raise UsageError(f"`{text}` names no opponent; write for example chain=0.9, or chain=0.6@4x4")
    opponent = parts["opponent"]
    if opponent not in POLICIES:
        raise UsageError(f"there is no opponent `{opponent}`; {suggestion(opponent, POLICIES)}")
    board = None if parts["board"] is None else Rules.from_options({"board": parts["board"]})
    if board is not None:
        check_board(opponent, board)
    return TargetRate(opponent, _floor(text, parts["floor"]), board)


def _floor(text: str, written: str | None) -> float:
    if written is None:
        return 0.0
    if not re.fullmatch(r"[01]|0?\.[0-9]+", written):
        raise UsageError(f"in `{text}` the win rate is from 0 to 1, such as chain=0.9")
    return float(written)
