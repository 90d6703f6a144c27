"""Conversion of programs to other languages and back; the function is also a shell command."""

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from gpkit.api.arguments import command
from gpkit.api.kinds import NO_RULES, Count, GameLike, Kind, Language, PlayersLike, Rules, Seed, Within
from gpkit.api.progress import argument, refuse
from gpkit.core.check_report import EVALUATIONS, GAMES
from gpkit.core.errors import UsageError

if TYPE_CHECKING:
    from gpkit.export.exported import Exports


@command
def exports(
    programs: PlayersLike,
    to: Annotated[str, Kind("FORMAT", completes="format", option="--to")] | None = None,
    mode: Annotated[str, Kind("MODE", option="--mode")] | None = None,
    *,
    check: bool = False,
    no_vectors: bool = False,
    grid: Annotated[int, Within(-40, 20), Kind("K")] | None = None,
    digits: Annotated[int, Within(1, 17), Kind("K")] | None = None,
    evaluations: Count = EVALUATIONS,
    games: Annotated[int, Within(0, 1_000_000)] = GAMES,
    rules: Rules = NO_RULES,
    game: GameLike | None = None,
    seed: Seed = 0,
    language: Language | None = None,
) -> "Exports":
    """Export programs to another language: one program in any mode, several as one file with levels (--mode roster).

    For the folder of a run, gpkit exports the champion. A program for data becomes a function predict(row).

    A program's header sets its level in a roster (`// level: easy`). With --check, gpkit runs the exported code in
    every host on this machine; the exit code is 1 if results differ.

    Modes of Lua:

    module: The usual choice: each formula as a function of your sensors, or the whole .sink, .rules or .plan player.

    player: A .tree for Sevens, Mastermind or Battleship with the rules, legal moves and sensors of the game built in;
    for your own game, it gets them from your host program.

    function: The formula alone: one function, or a table of functions. Your game chooses the best candidate.

    roster: Several programs as levels in one file, which knows their sentences; each is a player, or a module if there
    is no player.

    article: A roster of levels as in P. Hansson's article: several programs make one file.

    luau: The module with types, for Roblox.

    nested: A .sink program as functions with nested conditions, for people to read; its games cannot be saved.

    >>> import gpkit
    >>> print(gpkit.exports(gpkit.parse("x * x + 1"), "latex").text, end="")
    \\begin{align*}
      \\mathit{value} &= \\mathit{x} \\cdot \\mathit{x} + 1
    \\end{align*}

    Args:
        programs: files, folders of files, folders of runs, or shipped programs such as champion.
        to: the format, such as lua, python, c, json or latex; tree turns exported .lua, .py, .c and .json files back
            into program files.
        mode: for Lua: module, player, function, roster, article, luau, nested; see above. Default: the first.
        check: compare the exported code with the interpreter, in every installed version of Lua; exit code 1 if results
            differ.
        no_vectors: for Lua and C: leave out the self-test.
        grid: before the export, round constants to multiples of 2^K.
        digits: before the export, round constants to K digits; `gpkit fit --digits` also evaluates the rounded formula.
        evaluations: the number of evaluations of each formula to compare.
        games: the number of complete games to compare.
        rules: a rule of the game, one of `gpkit list rules`; may be repeated.
        game: the game, if the programs do not name it: a name, a file with your own game, or an OpenSpiel game such as
            openspiel:hex. It also selects among shipped programs of the same name, such as champion; for a file, write
            ./champion.
        seed: the same seed gives the same result.
        language: the language of files whose suffix does not identify it.

    Returns:
        ``text``, the exported code of a single program; ``files``, the code of every program; and ``reports``, the
        comparisons. ``save`` writes the files.

    Raises:
        UsageError: there is no such program, format or mode, the format cannot express a program, or the host of the
            format is not installed.
        SourceError: a program does not parse, or has an error for its game.
    """
    from gpkit.api.games import name_of
    from gpkit.api.players import several, texts_of
    from gpkit.api.programs import Program
    from gpkit.core.work_folder import is_run
    from gpkit.evolution.history import program_in
    from gpkit.export.exported import TREE, exports_of, read_subjects, rounded, subject_of
    from gpkit.export.registry import EXPORTERS
    from gpkit.playing.named import program_paths

    if to is None:
        known = ", ".join(entry.name for entry in EXPORTERS)
        raise UsageError(f"choose a format with {argument('to')}: {known}, or {TREE}")
    name, texts, given = name_of(game), texts_of(rules), several(programs)
    refuse(
        (not given, "name a program file, or a shipped program such as champion"),
        (
            no_vectors and to not in ("lua", "c", TREE),
            "only lua and c files hold a self-test: leave out {no_vectors}",
        ),
    )
    named = [each.named for each in given if isinstance(each, Program)]
    paths = program_paths(
        program_in(os.fspath(each), name, is_run) for each in given if not isinstance(each, Program)
    )
    subjects = [subject_of(each, Path(each.spec).stem, name, texts, seed) for each in named]
    subjects += [each for path in paths for each in read_subjects(path, language, name, texts, seed)]
    subjects = [replace(rounded(each, grid, digits), carries_tests=not no_vectors) for each in subjects]
    found = exports_of(subjects, to, None if to == TREE else mode, paths)
    if check and to != TREE:
        return found.checked(evaluations, games)
    found.files  # noqa: B018  # now, so that what cannot be said is refused here
    return found
