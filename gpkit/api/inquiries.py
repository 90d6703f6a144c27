"""Questions in Python code: what there is, what is wrong with a program, an installation or a game."""

import os
from collections.abc import Mapping, Sequence
from functools import partial

from gpkit.api.arguments import Seed, command
from gpkit.api.findings import Finding, finding_of
from gpkit.api.games import GameLike, name_of
from gpkit.api.players import texts_of
from gpkit.api.programs import NO_RULES
from gpkit.api.tables import DataLike, table_for
from gpkit.app import health
from gpkit.app.catalogue import KINDS, kinds
from gpkit.app.checking import check_file, explained
from gpkit.app.health import Installed
from gpkit.app.new_text import starting_text
from gpkit.app.players import program_file, program_paths
from gpkit.core.diagnostics import suggestion
from gpkit.core.errors import UsageError
from gpkit.core.registry import all_games, game_entry, game_of
from gpkit.core.tabular import Table
from gpkit.gamekit.options import Value
from gpkit.user_games.contract import examine as contract
from gpkit.user_games.contract.game_under_test import subject_of
from gpkit.user_games.extra_sensors import add_sensors as add_sensors_of


@command
def list(kind: str | None = None, *, game: GameLike | None = None) -> Table[Mapping[str, str]]:  # noqa: A001
    """List things of one kind, or the kinds, as ``gpkit list`` does.

    >>> import gpkit
    >>> [each["name"] for each in gpkit.list("languages")][:3]
    ['arithmetic', 'sinking', 'rulegraph']
    >>> gpkit.list("presets", game="sevens")[0]["name"]
    'article'

    ``from gpkit import *`` leaves it out, as it would take the place of Python's own.

    Args:
        kind: such as ``games``, ``opponents``, ``rules``, ``sensors``; without one the kinds are listed.
        game: whose things are listed; without one those of all games.

    Raises:
        UsageError: there is no such kind or game.
    """
    if kind is None:
        return Table(kinds())
    if kind not in KINDS:
        raise UsageError(f"there is no kind `{kind}`; {suggestion(kind, KINDS)}")
    name = name_of(game)
    return Table(KINDS[kind](all_games() if name is None else (game_entry(name),)))


@command
def check(
    path: str | os.PathLike[str],
    *,
    game: GameLike | None = None,
    language: str | None = None,
    data: DataLike | None = None,
    words: Sequence[str] = (),
) -> Table[Finding]:
    """Find all mistakes in a program file, or in the files of a folder, as ``gpkit check`` does.

    >>> import gpkit, pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "mine.tree"
    >>> _ = path.write_text("play: env.dept +\\nsend: env.dit")
    >>> [(each.code, each.line) for each in gpkit.check(path, game="sevens")]
    [('E001', 1)]

    Args:
        path: the file or folder, or the name of a shipped program.
        game: the game to check names against, if a program does not name its game.
        language: the language of a file, if its suffix does not show the language.
        data: a table; if given, names are checked against its columns instead of a game.
        words: the columns of the table that hold words, even if their cells look like numbers.

    Raises:
        UsageError: there is no such file or table, or it cannot be read.
        LimitError: a file is too large.
    """
    if words and data is None:
        raise UsageError("words are columns of a table: name it, data=...")
    if data is not None and game is not None:
        raise UsageError("data and game both say what names mean: leave one of them out")
    name, found = name_of(game), []
    table = None if data is None else table_for(data, words)
    for file in program_paths([program_file(os.fspath(path), name)]):
        checked = check_file(file, name, {}, language, table, partial(table_for, data, words))
        if checked.failure is not None:
            raise checked.failure
        found += [finding_of(each, checked.text, file) for each in checked.diagnostics]
    return Table(found)


@command
def explain(code: str) -> str:
    """Text that explains a finding, as ``gpkit check --explain`` prints it.

    >>> import gpkit
    >>> gpkit.explain("E010").splitlines()[0]
    'An unknown sensor'

    Args:
        code: such as ``E010``.

    Raises:
        UsageError: no finding has it.
    """
    return explained(code)


@command
def new(what: str, *, game: GameLike | None = None, preset: str | None = None) -> str:
    """Text to start from, as ``gpkit new`` prints it.

    >>> import gpkit
    >>> "population" in gpkit.new("config", game="sevens")
    True

    Args:
        what: a language, ``config`` for a configuration with every key, or ``game`` for a whole game in a file.
        game: that it is for.
        preset: that a configuration starts from.

    Raises:
        UsageError: there is no such language, game or preset.
    """
    return starting_text(what, name_of(game), preset)


@command
def doctor(
    game: GameLike | None = None, *, rules: Mapping[str, Value] = NO_RULES, seed: Seed = 0
) -> Table[Installed] | contract.Examined:
    """Check the installation, or a game of one's own, as ``gpkit doctor`` does.

    >>> import gpkit
    >>> next(each for each in gpkit.doctor() if each.subject == "grammars").ok
    True
    >>> gpkit.doctor("sevens").ok
    True

    Args:
        game: held against the requirements of gpkit, by playing it at random; without one the installation is checked.
        rules: options of the game that differ from the defaults.
        seed: of what is played.

    Raises:
        UsageError: there is no such game or rule.
        GuestError: the file is not a game.
    """
    name = name_of(game)
    if name is None:
        if rules:
            raise UsageError("rules are those of a game: name it, too")
        return Table(health.examine())
    meant = game_of(name)
    return contract.examined(subject_of(meant, meant.make_rules(texts_of(rules))), seed)


@command
def add_sensors(path: str | os.PathLike[str], *, game: str) -> None:
    """Give a shipped game the sensors of a file, as ``--sensors`` does; the game then runs in plain Python, slowly.

    Args:
        path: of a file with functions marked ``@sensor``, which is imported now.
        game: that gets them, until this process ends.

    Raises:
        GuestError: the file cannot be imported, or holds no sensors.
        UsageError: the game is not a shipped one that takes formulas, or has a sensor of that name.
    """
    add_sensors_of(os.fspath(path), game)
