"""Commands of Dots and Boxes: rule lists learned, grown, chosen and judged, and positions solved."""

import os
from typing import TYPE_CHECKING, Annotated

from gpkit.api.arguments import command
from gpkit.api.kinds import Kind, Language, PlayerLike

if TYPE_CHECKING:
    from gpkit.games.dots_and_boxes.judging import Judged
    from gpkit.games.dots_and_boxes.solving import Solution


@command
def match(program: PlayerLike, *, board: str = "3x3", language: Language | None = None) -> "Judged":
    """Count where a program's rules match, and how good they are there.

    The counts are of all positions of Dots and Boxes. Classes are positions with the same boxes and chains. `acts in`
    counts the positions in which no rule above matches; a rule after a bar has the precedence of the rule before it, so
    the one before does not count. Over the classes in which a rule matches: the mean of their value (the boxes that the
    player to move gets from here on, less the opponent's, with perfect play), the share in which its edge is one of the
    best, and how many boxes that edge loses against a best one. Rules that look at the score are evaluated at an even
    score.

    >>> import gpkit
    >>> print(gpkit.match("greedy", board="1x2"))
    take: 100.0%

    Args:
        program: a list of rules.
        board: columns and rows of boxes, at most 3x3.
        language: the language, for files without its suffix.

    Raises:
        UsageError: there is no such program or board, the program is no list of rules, or the board is too large.
        SourceError: the program does not parse, or has an error for this game.
    """
    from gpkit.games.dots_and_boxes.judging import judged

    return judged(program, board, language)


@command
def solve(
    position: Annotated[str | os.PathLike[str], Kind("POSITION", "the path of a file", "file")] | None = None,
    *,
    board: str | None = None,
    coins: str | None = None,
) -> "Solution":
    """Solve a position of Dots and Boxes: the value of every edge.

    The value of an edge that can be drawn is the number of boxes that the player to move gets from here on with perfect
    play, less the opponent's. Below the values is a line of perfect play, turn by turn, and the player in control, who
    will be given the first long chain or loop. Empty boards of up to 3x4 boxes take seconds, 3x5 ten minutes and more,
    4x4 half an hour and more, with 640 MiB; larger ones take too long unless many edges are drawn. On 5x5 boards 30
    undrawn edges take seconds at most.

    >>> import gpkit
    >>> found = gpkit.solve(board="1x2")
    >>> print(found)
    With perfect play A, to move, gets as many of the 2 boxes left as B.
    >>> found.to_rows()[0]
    {'edge': 'A1 top', 'value': -2, 'best': False}

    Args:
        position: a file with a board as `gpkit trace` shows it, or with what `coins` takes: strings between coins and
            the ground (at most 4 a coin and 62 in all), which are the undrawn sides of boxes, or the lengths of chains
            and loops, or both.
        board: columns and rows of an empty board, instead of a position.
        coins: strings and coins instead of a position: `a-b b-c c-ground c-ground`; or lengths: `chains 3 4 loop 8`.

    Raises:
        UsageError: none or several of them are named, there is no such file or board, coins are not well said, or the
            game is over.
    """
    from gpkit.games.dots_and_boxes.solving import position_of, solved

    return solved(position_of(None if position is None else os.fspath(position), board, coins))


COMMANDS = {
    "learn": "Learn rules by playing games.",
    "match": "Count where a program's rules match, and how good they are there.",
    "solve": "Solve a position of Dots and Boxes: the value of every edge.",
    "select": "Choose a short rule list out of many rules by its exact win rate.",
    "grow": "Grow a stronger rule list from a weaker one, by its worst win rate.",
}
"""By name the help of each, in the order of the help page; the module of that name has the command."""
