"""The commands of Dots and Boxes, which learn and evaluate rule lists, and solve positions."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from gpkit.api.arguments import command
from gpkit.api.kinds import Kind, Language, PlayerLike, Seed, Within

if TYPE_CHECKING:
    from gpkit.games.dots_and_boxes.learner.folder import Lessons
    from gpkit.games.dots_and_boxes.solving import Judged, Solution


@command
def learn(
    game: Annotated[str, Kind("GAME", completes="game")] | None = None,
    what: Annotated[
        "str | os.PathLike[str]", Kind("CONFIG.toml | PRESET", "a preset, or the path of a file", "learned")
    ]
    | None = None,
    *,
    folder: Annotated["str | os.PathLike[str]", Kind("DIR", "a path", "folder", option="-o --out")]
    | None = None,
    resume: bool = False,
    seed: Seed | None = None,
    games: Annotated[int, Within(1)] | None = None,
) -> "Lessons":
    """Learn rules by playing games.

    The presets constant, rising-20, rising-10, quality-only and combined repeat the runs of A. Knittel and others. The
    preset "ours" learns rules by their advantages, and plays best; "short" learns a list of 21 rules, and "memoriser"
    uses whole positions as rules. The command writes the final rules, and the rules at the best point of the curve.
    Both lists are in order of learned quality, so the first rule that matches acts.

    With --out DIR, --resume continues from the checkpoint after an interruption, with the same result as an
    uninterrupted run.

    >>> import gpkit
    >>> found = gpkit.learn("dots_and_boxes", "short", games=20)
    >>> found.learner.games, len(found.to_rows())
    (20, 2)

    Args:
        game: the game for which to learn rules; only dots_and_boxes has a learner.
        what: a preset, or a file with a configuration.
        folder: a folder for the configuration, the checkpoint, the rules and the curves.
        resume: resume the learner in the folder.
        seed: the seed, instead of the configuration's.
        games: the number of games, instead of the configuration's.

    Returns:
        The ``learner`` with its ``rules``; the ``course`` with a row for each point; and the strength that the best
        list ``reached``, if the list is stored.

    Raises:
        UsageError: no game or configuration is named, the named one does not exist, the folder is in use, or its
            learner has another configuration.
        CheckpointError: the folder does not belong to a learner, is damaged, or is in use.
        KeyboardInterrupt: the user interrupted the learner; with a folder, it can be resumed.
    """
    from gpkit.games.dots_and_boxes.learner.folder import lessons

    place, named = None if folder is None else Path(folder), None if what is None else os.fspath(what)
    return lessons(game, named, place, resume=resume, seed=seed, games=games)


@command
def match(program: PlayerLike, *, board: str = "3x3", language: Language | None = None) -> "Judged":
    """Count the matches of a program's rules, and evaluate the rules.

    gpkit counts over all positions of Dots and Boxes. Positions with the same boxes and chains form a class. `acts in`
    counts the positions in which no earlier rule matches; a rule after a bar has the same precedence as the rule before
    it, so the rule before it does not count. `mean value`, `optimal` and `regret` are averages over the classes in
    which a rule matches: the value of the class (the boxes that the player to move gets from here on, minus the
    opponent's, with perfect play), the share of classes in which the rule's edge is among the best, and the number of
    boxes that this edge loses against a best one. Rules that look at the score are evaluated at an even score.

    >>> import gpkit
    >>> print(gpkit.match("greedy", board="1x2"))
    take: 100.0%

    Args:
        program: a list of rules.
        board: columns and rows of boxes, at most 3x3.
        language: the language, for files without its suffix.

    Returns:
        The ``rules`` and their ``values``, with a row for each rule.

    Raises:
        UsageError: there is no such program or board, the program is not a list of rules, or the board is too large.
        SourceError: the program does not parse, or has an error for this game.
    """
    from gpkit.games.dots_and_boxes.solving import judged

    return judged(program, board, language)


@command
def solve(
    position: Annotated[str | os.PathLike[str], Kind("POSITION", "the path of a file", "file")] | None = None,
    *,
    board: str | None = None,
    coins: str | None = None,
) -> "Solution":
    """Find the value of every edge in a position of Dots and Boxes.

    The value of an edge that can be drawn is the number of boxes that the player to move gets from here on with perfect
    play, minus the opponent's. Below the values are a line of perfect play, turn by turn, and the player in control,
    who gets the first long chain or loop. Empty boards take seconds up to 3x4 boxes, at least ten minutes with 3x5
    boxes, and at least half an hour and 640 MiB with 4x4 boxes. Larger boards take too long unless many edges are
    drawn. On 5x5 boards, positions with 30 undrawn edges take seconds at most.

    >>> import gpkit
    >>> found = gpkit.solve(board="1x2")
    >>> print(found)
    With perfect play A, to move, gets as many of the 2 boxes left as B.
    >>> found.to_rows()[0]
    {'edge': 'A1 top', 'value': -2, 'best': False}

    Args:
        position: a file with a board in the format of `gpkit trace`, or with text in the format of `coins`: strings
            between coins and the ground (at most 4 per coin and 62 in all), which are the undrawn sides of boxes, or
            the lengths of chains and loops, or both.
        board: columns and rows of an empty board, instead of a position.
        coins: strings between coins instead of a position, such as `a-b b-c c-ground c-ground`, or lengths, such as
            `chains 3 4 loop 8`.

    Returns:
        The ``value`` of the position, the ``values`` of the edges, a ``line`` of perfect play, and the number of
        positions ``searched``, with a row for each edge.

    Raises:
        UsageError: none or several of the arguments are given, there is no such file or board, the coins cannot be
            read, or the game is over.
    """
    from gpkit.games.dots_and_boxes.solving import position_of, solved

    return solved(position_of(None if position is None else os.fspath(position), board, coins))


COMMANDS = (learn, match, solve)
"""The commands, in the order of the help page."""
