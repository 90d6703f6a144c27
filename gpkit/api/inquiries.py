"""Questions in Python code: what there is, what is wrong with a program, an installation or a game."""

import os
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated

from gpkit.api.arguments import command
from gpkit.api.kinds import NO_RULES, DataLike, GameLike, Kind, Rules, Seed
from gpkit.core.errors import UsageError
from gpkit.core.tabular import Note, Sheet, Table

if TYPE_CHECKING:
    from gpkit.api.findings import Finding
    from gpkit.app.health import Installed
    from gpkit.user_games.contract.examine import Examined

KindOfThing = Annotated[str, Kind("KIND", completes="thing")]
"""A kind of thing."""

TEXTS = ("title", "values", "meaning", "operators", "sensors", "instructions")
"""The columns that may take several lines on a narrow terminal."""

LEAVE_OUT = {"programs": ("path",), "sensors": ("shared", "range"), "rules": ("default",)}
"""By kind the columns that a narrow terminal goes without, the least important first."""


class Listing(Table[Mapping[str, str]]):
    """Things of one kind, by name.

    Attributes:
        kind: which one.
        game: whose they are; None where all games were asked for.
    """

    kind: str
    game: str | None

    def to_json(self) -> dict[str, object]:
        """The things as JSON values."""
        return {"kind": self.kind, "items": [*self]}

    def told(self) -> Iterator[str | Sheet]:
        """The things as a table; of languages also the commands that take their programs."""
        if not self:
            from gpkit.core.registry import offers_of

            in_game = ""
            if self.game is not None:
                in_game = f" in {self.game}; its programs are in {' or '.join(offers_of(self.game))}"
            yield Note(f"there are no {self.kind}{in_game}")
            return
        columns = ["name", "suffix", "title"] if self.kind == "languages" else [*self[0]]
        rows = [[row[name] for name in columns] for row in self]
        texts = [name for name in TEXTS if name in columns]
        yield Sheet(columns, rows, texts=texts, leave_out=LEAVE_OUT.get(self.kind, ()))
        if self.kind == "languages":
            yield ""
            able = [name for name in self[0] if name not in columns]
            signs = [[name, *(row[name].replace("no", "-") for row in self)] for name in able]
            yield Sheet(["command", *(row["name"] for row in self)], signs)


@command
def list(kind: KindOfThing | None = None, *, game: GameLike | None = None) -> Listing:  # noqa: A001
    """List things of one kind; without one, the kinds.

    >>> import gpkit
    >>> [each["name"] for each in gpkit.list("languages")][:3]
    ['arithmetic', 'sinking', 'rulegraph']
    >>> gpkit.list("presets", game="sevens")[0]["name"]
    'article'

    Args:
        kind: games, languages, opponents, rules, papers, operators, sensors, instructions, switches, alphabets,
            presets or programs.
        game: the game whose things are listed: a name, or a file with a game of your own. Default: all games.

    Raises:
        UsageError: there is no such kind or game.
    """
    from gpkit.api.games import name_of
    from gpkit.app.catalogue import KINDS, kinds
    from gpkit.core.diagnostics import suggestion
    from gpkit.core.registry import all_games, game_entry

    if kind is not None and kind not in KINDS:
        raise UsageError(f"there is no kind `{kind}`; {suggestion(kind, KINDS)}")
    name = name_of(game)
    rows = kinds() if kind is None else KINDS[kind](all_games() if name is None else (game_entry(name),))
    found = Listing(rows)
    found.kind, found.game = kind or "kinds", name
    return found


@command
def check(
    path: str | os.PathLike[str],
    *,
    game: GameLike | None = None,
    language: str | None = None,
    data: DataLike | None = None,
    words: Sequence[str] = (),
) -> "Table[Finding]":
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
    from gpkit.api.findings import finding_of
    from gpkit.api.games import name_of
    from gpkit.api.tables import table_for
    from gpkit.app.players import program_file, program_paths
    from gpkit.langkit.checking import check_file

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
    from gpkit.core.diagnostics import suggestion
    from gpkit.langkit.findings import as_plain_text

    known = explanations()
    if code.upper() not in known:
        fix = suggestion(code.upper(), known, "each finding shows its code in brackets, as in error[E010]")
        raise UsageError(f"there is no finding `{code}`; {fix}")
    return as_plain_text(known[code.upper()])


def explanations() -> Mapping[str, str]:
    """The explanation of every code of a finding, as Markdown."""
    from gpkit.core.registry import all_languages
    from gpkit.langkit.findings import explanations_in

    found = explanations_in("gpkit.langkit") | explanations_in("gpkit.export.lua")
    for entry in all_languages():
        entry.load()  # which says whose it is, if it comes from outside and cannot be imported
        found |= explanations_in(entry.folder)
    return found


@command
def new(
    what: Annotated[str, Kind("LANGUAGE | config | fit | game | problem", completes="new")],
    *,
    game: GameLike | None = None,
    preset: Annotated[str, Kind("NAME", completes="preset")] | None = None,
) -> str:
    """Text of a program, a configuration or a game to start from, with comments on what it can use.

    >>> import gpkit
    >>> "population" in gpkit.new("config", game="sevens")
    True

    Args:
        what: a language, for a small program. Or `game` or `problem`, for a whole game or a problem of your own in a
            file. Or `config`, for a configuration of `gpkit evolve` with every key, its meaning, its default and its
            range, with the game dots_and_boxes of `gpkit learn`; or `fit`, for one of `gpkit fit`.
        game: the game that it is for: a name, or a file with a game of your own.
        preset: for a configuration: the preset to start from; of a fit, formulas or trees.

    Raises:
        UsageError: there is no such language, game or preset.
    """
    from gpkit.api.games import name_of
    from gpkit.app.new_text import starting_text

    return starting_text(what, name_of(game), preset)


@command
def doctor(
    game: GameLike | None = None, *, rules: Rules = NO_RULES, seed: Seed = 0
) -> "Table[Installed] | Examined":
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
    from gpkit.api.games import name_of
    from gpkit.api.players import texts_of
    from gpkit.app import health
    from gpkit.core.registry import game_of
    from gpkit.user_games.contract import examine as contract
    from gpkit.user_games.contract.game_under_test import subject_of

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
    from gpkit.user_games.extra_sensors import add_sensors as add_sensors_of

    add_sensors_of(os.fspath(path), game)
