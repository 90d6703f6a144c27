"""Functions that list the things that gpkit offers, and that find faults in a program, an installation or a game."""

import os
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Literal, overload

from gpkit.api.arguments import command
from gpkit.api.kinds import (
    IN_PYTHON,
    NO_DIALECT,
    NO_RULES,
    Columns,
    DataLike,
    Dialect,
    GameLike,
    Kind,
    Language,
    ProgramFiles,
    Rules,
    Seed,
)
from gpkit.api.progress import argument, refuse
from gpkit.core.errors import GpkitError, UsageError
from gpkit.core.layout import Note, Sheet, Table

if TYPE_CHECKING:
    from gpkit.api.findings import Checked, Formatted
    from gpkit.api.health import Installation
    from gpkit.gamekit.game import Game
    from gpkit.user_games.contract.examine import Examined

TEXTS = ("title", "values", "meaning", "operators", "sensors", "instructions")
"""The columns that may take several lines on a narrow terminal."""

LEAVE_OUT = {"programs": ("path",), "sensors": ("shared", "range"), "rules": ("default",)}
"""For each kind, the columns that a narrow terminal leaves out, the least important first."""


class Listing(Table[Mapping[str, str]]):
    """A list of things of one kind, such as games.

    Attributes:
        kind: the kind of the listed things.
        game: the game whose things are listed; None for all games.
    """

    kind: str
    game: str | None

    def to_json(self) -> dict[str, object]:
        """The things as JSON values."""
        return {"kind": self.kind, "items": [*self]}

    def told(self) -> Iterator[str | Sheet]:
        """The things as a table; for languages also a table of the commands that take their programs."""
        if not self:
            from gpkit.core.registry import offers_of

            game = self.game
            in_game = f" in {game}; its programs are in {' or '.join(offers_of(game))}" if game else ""
            yield Note(f"there are no {self.kind}{in_game}")
            return
        columns = ["name", "suffix", "title"] if self.kind == "languages" else [*self[0]]
        rows = [[row[name] for name in columns] for row in self]
        yield Sheet(
            columns,
            rows,
            texts=[name for name in TEXTS if name in columns],
            leave_out=LEAVE_OUT.get(self.kind, ()),
        )
        if self.kind == "languages":
            yield ""
            able = [name for name in self[0] if name not in columns]
            signs = [[name, *(row[name].replace("no", "-") for row in self)] for name in able]
            yield Sheet(["command", *(row["name"] for row in self)], signs)


@command
def list(  # noqa: A001
    kind: Annotated[str, Kind("KIND", completes="thing")] | None = None, *, game: GameLike | None = None
) -> Listing:
    """List all things of a kind; without a kind, list the kinds.

    >>> import gpkit
    >>> [each["name"] for each in gpkit.list("languages")][:3]
    ['arithmetic', 'sinking', 'rulegraph']
    >>> gpkit.list("presets", game="sevens")[0]["name"]
    'article'

    Args:
        kind: games, languages, opponents, rules, papers, operators, sensors, facts, instructions, switches,
            alphabets, presets or programs.
        game: list only the things of this game: a name, a file with your own game, or an OpenSpiel game such as
            openspiel:hex. Default: all games.

    Raises:
        UsageError: there is no such kind or game.
    """
    from gpkit.api.catalogue import KINDS, kinds
    from gpkit.api.games import name_of
    from gpkit.core.diagnostics import suggestion
    from gpkit.core.registry import all_games, game_entry

    if kind is not None and kind not in KINDS:
        raise UsageError(f"there is no kind `{kind}`; {suggestion(kind, KINDS)}")
    name = name_of(game)
    found = Listing(
        kinds() if kind is None else KINDS[kind](tuple(all_games()) if name is None else (game_entry(name),))
    )
    found.kind, found.game = kind or "kinds", name
    return found


@overload
def check(*, explain: str) -> str: ...


@overload
def check(
    paths: ProgramFiles = (),
    *,
    text: str | None = None,
    strict: bool = False,
    output_format: Literal["text", "json", "github"] = "text",
    data: DataLike | None = None,
    words: Columns = (),
    game: GameLike | None = None,
    dialect: Dialect = NO_DIALECT,
    language: Language | None = None,
) -> "Checked": ...


@command
def check(
    paths: ProgramFiles = (),
    *,
    text: Annotated[str, IN_PYTHON] | None = None,
    explain: Annotated[str, Kind("CODE")] | None = None,
    strict: bool = False,
    output_format: Literal["text", "json", "github"] = "text",
    data: DataLike | None = None,
    words: Columns = (),
    game: GameLike | None = None,
    dialect: Dialect = NO_DIALECT,
    language: Language | None = None,
) -> "Checked | str":
    """Find all mistakes in programs, and explain them.

    gpkit checks names against the game that you name, the game in the program's header (`// game: sevens`), or
    otherwise the only game that fits. The exit code is 1 if there are errors; 2 if a file could not be read, and 3 if
    it is too large.

    >>> import gpkit
    >>> [(each.code, each.line) for each in gpkit.check(text="play: env.dept +\\nsend: env.dit", game="sevens")]
    [('E001', 1)]

    Args:
        paths: program files, folders of them, shipped programs by name, or - for standard input.
        text: check this text instead of files; without ``language``, gpkit reads it in a language of the game.
        explain: explain a finding, such as E010, and do nothing else.
        strict: treat warnings as errors: exit code 1.
        output_format: how the shell shows the findings: as text, as JSON, or as annotations for GitHub workflows.
        data: check names against the columns of a table, such as a CSV or Parquet file, instead of a game.
        words: read the cells of this column as words, even if they look like numbers; may be repeated.
        game: the game, if the programs do not name it: a name, a file with your own game, or an OpenSpiel game such as
            openspiel:hex. It also selects among shipped programs of the same name, such as champion; for a file, write
            ./champion.
        dialect: override the header of programs, such as target=uniform or dialect=literal; may be repeated.
        language: the language, for files without its suffix.

    Raises:
        UsageError: there is no such file, finding or table, or it cannot be read.
        LimitError: a file is too large.
    """
    from gpkit.api.findings import Checked
    from gpkit.api.games import name_of
    from gpkit.api.tables import table_for
    from gpkit.core.files import STANDARD_INPUT
    from gpkit.langkit.checking import check_file
    from gpkit.playing.named import program_file, program_paths

    if explain is not None:
        return f"{explain.upper()}: {_explained(explain)}\n"
    named = _files(paths) if text is None else ()
    refuse(
        (text is not None and paths, "a text and files are two things to check: leave one of them out"),
        (words and data is None, "{words} is for the columns of a table: name it, {data}"),
        (
            data is not None and game is not None,
            "{data} and {game} both define the names: leave one of them out",
        ),
    )
    name = name_of(game)
    files = program_paths(program_file(path, name) for path in named)
    table = None if data is None else table_for(data, words)
    is_once = data is None or (isinstance(data, str) and data == STANDARD_INPUT)
    again = None if is_once else partial(table_for, data, words)
    found = [check_file(file, name, dialect, language, table, again) for file in files]
    if text is not None:
        found = [check_file("program", name, dialect, language, table, again, text)]
    return Checked.of(found, output_format, strict=strict)


@command
def fmt(
    paths: ProgramFiles,
    *,
    check: bool = False,
    diff: bool = False,
    game: GameLike | None = None,
    language: Language | None = None,
) -> "Formatted":
    """Format program files, or folders of them, in place; standard input (-) goes to standard output.

    gpkit keeps comments and never changes the meaning of a program. If gpkit cannot parse a file, it leaves that file
    unchanged, formats the others, and reports the error with exit code 2.

    >>> import gpkit, pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "mine.tree"
    >>> _ = path.write_text("A+B  *7")
    >>> [each.changed for each in gpkit.fmt(path)], path.read_text()
    ([True], 'A + B * 7\\n')

    Args:
        paths: program files, folders of them, or - for standard input; with `check` or `diff`, also shipped programs by
            name.
        check: write nothing; exit code 1 if a file would change.
        diff: write nothing; print what would change.
        game: the game of the program, if several games have a program with this name, such as champion: a name, or a
            file with your own game; for a file, write ./champion.
        language: the language, for files without its suffix.

    Raises:
        UsageError: a file cannot be read, or it is a shipped program.
        SourceError: a file cannot be parsed.
    """
    from gpkit.api.findings import Formatted, FormattedFile
    from gpkit.api.games import name_of
    from gpkit.core.files import STANDARD_INPUT, write_atomic
    from gpkit.langkit.checking import text_and_language
    from gpkit.langkit.language import laid_out
    from gpkit.playing.named import program_file, program_paths, shipped_games

    named = _files(paths)
    shipped = [path for path in named if shipped_games(path)]
    if shipped and not (check or diff):
        raise UsageError(
            f"`{shipped[0]}` comes with gpkit and stays unchanged; {argument('diff')} shows how it would be formatted"
        )
    name, found, failures = name_of(game), [], []
    for path in program_paths(program_file(path, name) for path in named):
        try:
            text, known = text_and_language(path, language, name)
            found.append(FormattedFile.of(path, text, laid_out(known, text, path)))
            if found[-1].changed and path != STANDARD_INPUT and not (check or diff):
                write_atomic(path, found[-1].text)
        except GpkitError as error:
            failures.append(error)
    formatted = Formatted(found)
    formatted.asked, formatted.failures = {"check": check, "diff": diff}, failures
    return formatted


def _files(paths: ProgramFiles) -> Sequence[str]:
    """The paths as strings.

    Raises:
        UsageError: there is no path.
    """
    named = [os.fspath(each) for each in ([paths] if isinstance(paths, str | os.PathLike) else paths)]
    if not named:
        raise UsageError("name at least one PATH, or - for standard input")
    return named


@command
def explain(code: str) -> str:
    """The text that explains a finding, as ``gpkit check --explain`` prints it.

    >>> import gpkit
    >>> gpkit.explain("E010").splitlines()[0]
    'An unknown sensor'

    Args:
        code: the code of the finding, such as ``E010``.

    Raises:
        UsageError: no finding has this code.
    """
    return _explained(code)


def _explained(code: str) -> str:
    """The text that explains a finding, as ``explain`` returns it."""
    from gpkit.core.diagnostics import suggestion
    from gpkit.langkit.findings import as_plain_text

    known = explanations()
    if code.upper() not in known:
        fix = suggestion(code.upper(), known, "each finding shows its code in brackets, as in error[E010]")
        raise UsageError(f"there is no finding `{code}`; {fix}")
    return as_plain_text(known[code.upper()])


def explanations() -> Mapping[str, str]:
    """The explanation of every finding by its code, as Markdown."""
    from gpkit.core.registry import all_languages
    from gpkit.langkit.findings import explanations_in

    found = explanations_in("gpkit.langkit") | explanations_in("gpkit.user_languages")
    for entry in all_languages():
        entry.load()  # which says whose it is, if it comes from outside and cannot be imported
        found |= explanations_in(entry.folder)
    return found


@command
def new(
    what: Annotated[str, Kind("LANGUAGE | config | fit | game | language | problem", completes="new")],
    *,
    game: GameLike | None = None,
    preset: Annotated[str, Kind("NAME", completes="preset")] | None = None,
) -> str:
    """Write the text of a program, a configuration or a game to start from, with comments on the names and settings
    that it can use.

    >>> import gpkit
    >>> "population" in gpkit.new("config", game="sevens")
    True

    Args:
        what: a language, for a small program; `game`, `problem` or `language`, for a complete file to edit; `config`,
            for a configuration of `gpkit evolve` (with --game dots_and_boxes, of `gpkit learn`) with every key, its
            meaning, its default and its range; or `fit`, for a configuration of `gpkit fit`.
        game: the game that the text is for: a name, a file with your own game, or an OpenSpiel game such as
            openspiel:hex.
        preset: for a configuration: the preset to start from; for a fit, formulas or trees.

    Raises:
        UsageError: there is no such language, game or preset.
    """
    from gpkit.api.games import name_of
    from gpkit.evolution.config_files import starting_text

    return starting_text(what, name_of(game), preset)


@command
def doctor(
    game: Annotated[
        "str | os.PathLike[str] | Game",
        Kind(
            "GAME | FILE.py",
            "a name, the path of a file, or what gpkit.game returned",
            "game",
            option="--game",
        ),
    ]
    | None = None,
    *,
    rules: Rules = NO_RULES,
    seed: Seed = 0,
) -> "Installation | Examined":
    """Check the installation; the exit code is 1 if something that gpkit needs is missing or unusable.

    If you name a game, gpkit checks whether it meets the requirements. Each report of a fault names the function to fix
    and the actions that lead to the fault; the exit code is 1 if there are faults, 2 if the file cannot be imported.

    >>> import gpkit
    >>> next(each for each in gpkit.doctor() if each.subject == "grammars").ok
    True
    >>> gpkit.doctor("sevens").ok
    True

    Args:
        game: check this game, or the one in this file, by playing it at random.
        rules: a rule of the game, one of `gpkit list rules`; may be repeated.
        seed: the same seed gives the same result.

    Raises:
        UsageError: there is no such game or rule.
        GuestError: the file is not a game.
    """
    refuse((game is None and rules, "{rules} needs {game}"))
    from gpkit.api import health
    from gpkit.api.players import texts_of

    return health.examine() if game is None else health.examined_game(game, texts_of(rules), seed)


@command
def add_sensors(path: str | os.PathLike[str], *, game: str) -> None:
    """Add the sensors in a file to a shipped game, as ``--sensors`` does; the game then runs in plain Python, which is
    slow.

    Args:
        path: the path of a file with functions marked ``@sensor``; this call imports the file.
        game: the game that gets the sensors, until this process ends.

    Raises:
        GuestError: the file cannot be imported, or contains no sensors.
        UsageError: the game is not a shipped game for formulas, or already has a sensor with that name.
    """
    from gpkit.user_games.extra_sensors import add_sensors as add_sensors_of

    add_sensors_of(os.fspath(path), game)
