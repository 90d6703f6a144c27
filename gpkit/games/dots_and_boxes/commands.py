"""Commands of Dots and Boxes: they learn, grow, choose and judge rule lists, and solve positions."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from gpkit.api.arguments import command
from gpkit.api.kinds import Count, Kind, Language, PlayerLike, Seed, Within

if TYPE_CHECKING:
    from gpkit.games.dots_and_boxes.judging import Judged
    from gpkit.games.dots_and_boxes.learner.made_lists import MadeList
    from gpkit.games.dots_and_boxes.learner.runs import Lessons
    from gpkit.games.dots_and_boxes.solving import Solution

RuleFiles = Annotated[
    "str | os.PathLike[str] | Sequence[str | os.PathLike[str]]",
    Kind("PROGRAM...", "the path of a file, or several", "program", many=True),
]
"""Programs to take rules from: files, or names of shipped programs."""

ListFile = Annotated["str | os.PathLike[str]", Kind("FILE", "a path", "file", option="-o --output")]
"""The file for the list."""


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

    The presets constant, rising-20, rising-10, quality-only and combined are the runs of A. Knittel and others; ours
    learns rules by their advantages; ordered also sorts them; placed keeps 8000, tries new ones where recent decisions
    lose most, and plays best; short is a list of 21 rules, small makes rules for `gpkit select` to choose from, and
    memoriser uses whole positions as rules. Rules are written in order of their learned quality, so that the first
    match acts: the final rules, and the rules at the best point of the curve.

    With --out DIR, --resume continues from the checkpoint after an interruption, with the same result as an
    uninterrupted run.

    >>> import gpkit
    >>> found = gpkit.learn("dots_and_boxes", "small", games=20)
    >>> found.learner.games, len(found.to_rows())
    (20, 2)

    Args:
        game: the game for which to learn rules, in games against an opponent: dots_and_boxes.
        what: a preset, or a file with a configuration.
        folder: a folder for configuration, checkpoint, rules and curves.
        resume: resume the learner in the folder.
        seed: the seed, instead of the configuration's.
        games: the number of games, instead of the configuration's.

    Returns:
        ``learner`` with its ``rules``; ``course``, with a row for each point; and if the best list is stored,
        ``reached``, its strength.

    Raises:
        UsageError: no game or configuration is named, there is no such one, the folder is in use already, or its
            learner has another configuration.
        CheckpointError: the folder is not that of a learner, is damaged, or is in use.
        KeyboardInterrupt: the user interrupted the learner; with a folder, it can be resumed.
    """
    from gpkit.games.dots_and_boxes.learner.runs import lessons

    place, named = None if folder is None else Path(folder), None if what is None else os.fspath(what)
    return lessons(game, named, place, resume=resume, seed=seed, games=games)


@command
def match(program: PlayerLike, *, board: str = "3x3", language: Language | None = None) -> "Judged":
    """Count where a program's rules match, and how good they are there.

    gpkit counts over all positions of Dots and Boxes. Positions with the same boxes and chains form a class. `acts in`
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

    Returns:
        ``rules`` and their ``worths``, with a row for each rule.

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

    Returns:
        The ``value`` of the position, the ``values`` of the edges, a ``line`` of perfect play, and the number of
        positions ``searched``, with a row for each edge.

    Raises:
        UsageError: none or several of the arguments are given, there is no such file or board, the coins cannot be
            read, or the game is over.
    """
    from gpkit.games.dots_and_boxes.solving import position_of, solved

    return solved(position_of(None if position is None else os.fspath(position), board, coins))


@command
def select(
    programs: RuleFiles,
    *,
    rules: Annotated[int, Within(1, 1000)] = 21,
    steps: Count = 10_000,
    opponent: Annotated[
        "str | Sequence[str]", Kind("OPPONENT", "a name, or several", "opponent", many=True)
    ] = (),
    refine: bool = False,
    board: str = "3x3",
    seed: Seed = 0,
    output: ListFile | None = None,
) -> "MadeList":
    """Choose a short rule list out of many rules by its exact win rate.

    gpkit adds, removes, replaces and moves rules of the programs at random, and keeps a change unless the mean of the
    exact win rates against the opponents falls. `gpkit learn dots_and_boxes small` makes rules that are worth choosing
    from. With --refine --rules 1000, a learned population gets a better order and keeps only the rules that it needs.
    After an interrupt, the command gives the list so far.

    >>> import gpkit
    >>> print(gpkit.select("double-dealer", rules=2, steps=30, board="1x2", opponent="greedy"))
    2 rules, greedy 0.3460

    Args:
        programs: one or more files with rules, or shipped rule lists.
        rules: the most rules in the list.
        steps: the number of changes to try.
        opponent: an opponent from `gpkit list opponents`; may be repeated. Default: safe, safe+min, chain, chain+ex12.
        refine: start with the given rules in their order, as many as `rules` allows, instead of none.
        board: columns and rows of boxes, at most 3x3.
        seed: the same seed gives the same result.
        output: the file for the list. Default: standard output.

    Returns:
        ``program`` has the text of the list, ``rules`` the number of its rules, ``rates`` its win rate against each
        opponent; ``is_interrupted`` says whether somebody interrupted.

    Raises:
        UsageError: there is no such program, opponent or board, a program is no list of rules or looks at the score,
            the board is too large, no rule does better than none, or the file cannot be written.
    """
    from gpkit.games.dots_and_boxes.learner.made_lists import CHOSEN_AGAINST, Task, chosen
    from gpkit.games.dots_and_boxes.learner.selection import Ascent

    task = Task(several(programs), board, seed, output)
    return chosen(task, several(opponent) or CHOSEN_AGAINST, Ascent(rules, steps, seed, refine))


@command
def grow(
    programs: RuleFiles,
    *,
    rules: Annotated[int, Within(1, 1000)] = 300,
    nodes: Annotated[int, Within(1, 25)] = 25,
    rounds: Annotated[int, Within(1, 100_000)] = 100,
    opponent: Annotated[
        "str | Sequence[str]", Kind("NAME[=RATE][@BOARD]", "a name, or several", "opponent", many=True)
    ] = (),
    board: str = "3x3",
    games: Annotated[int, Within(2, 1_000_000)] = 2000,
    seed: Seed = 0,
    output: ListFile | None = None,
) -> "MadeList":
    """Grow a stronger rule list from a weaker one, by its worst win rate.

    The list starts with the rules of the programs in their order, as many as --rules allows. Where it loses most, gpkit
    cuts rules out of positions and mutates them, and adds the best of them or replaces others with them. The objective
    is the smallest exact win rate, each less the RATE of its opponent; on larger BOARDs, win rates are measured over
    --games. After an interrupt, the command gives the list so far.

    >>> import gpkit
    >>> print(gpkit.grow("greedy", rules=4, rounds=1, board="1x2", opponent="greedy=0.5"))
    1 rule, greedy 0.5000

    Args:
        programs: one or more files with rules, or shipped rule lists.
        rules: the most rules in the list.
        nodes: the most boxes and chains in a new rule.
        rounds: the number of changes to try.
        opponent: an opponent, the win rate to beat, and the board if it differs; may be repeated. Default: chain=0.93,
            greedy=0.97, optimal=0.2.
        board: columns and rows of boxes, at most 3x3.
        games: the number of games on each of the other boards, the same for all lists.
        seed: the same seed gives the same result.
        output: the file for the list. Default: standard output.

    Returns:
        As for `select`.

    Raises:
        UsageError: as for `select`; or an opponent cannot be read, or none of them plays on the board.
    """
    from gpkit.games.dots_and_boxes.learner.growth import Growth
    from gpkit.games.dots_and_boxes.learner.made_lists import GROWN_AGAINST, Task, grown

    task = Task(several(programs), board, seed, output)
    return grown(task, several(opponent) or GROWN_AGAINST, games, Growth(rules, nodes, rounds, seed))


def several(given: str | os.PathLike[str] | Sequence[str | os.PathLike[str]]) -> list[str]:
    """The names or paths as a list, even if a single one is given."""
    return [os.fspath(each) for each in ([given] if isinstance(given, str | os.PathLike) else given)]


COMMANDS = (learn, match, solve, select, grow)
"""The commands, in the order of the help page."""
