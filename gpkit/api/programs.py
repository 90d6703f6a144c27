"""Programs in Python code: read, checked, printed, drawn, exported."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from gpkit.api.drawings import Drawing
from gpkit.api.games import GameLike, name_of
from gpkit.app.checking import findings
from gpkit.app.export_requests import subject_of
from gpkit.app.exported import exported
from gpkit.app.layout import laid_out
from gpkit.app.pictures import change_picture, program_or_champion, whole_picture
from gpkit.app.players import Named, program_file, read_file
from gpkit.core.files import check_target, write_atomic
from gpkit.core.registry import DEFAULT_LANGUAGE, language_entry
from gpkit.gamekit.options import Value, text_of

NO_RULES: Mapping[str, Value] = MappingProxyType({})
"""The rules of a game as they are, if none is said."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Finding in a program; as a string it is what ``gpkit check`` prints.

    Attributes:
        code: such as ``E010``, which ``gpkit check --explain E010`` explains.
        message: what is wrong.
        help: how to fix it; empty if that is not known.
        line, column: its place, from 1.
        report: the finding with its place in the text.
    """

    code: str
    severity: Literal["error", "warning", "info"]
    message: str
    help: str
    line: int
    column: int
    report: str = field(repr=False)

    def __str__(self) -> str:
        """The finding with its place in the text."""
        return self.report


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Program:
    """Program in one of the languages, as ``load``, ``parse`` and ``evolve`` give it.

    >>> import gpkit
    >>> program = gpkit.parse("play:env.depth  +  2*env.selfblock\\nsend: env.dist", game="sevens")
    >>> print(program)
    play: env.depth + 2 * env.selfblock
    send: env.dist
    >>> program.game, program.language
    ('sevens', 'arithmetic')

    Attributes:
        named: as commands read it.
    """

    named: Named

    def __str__(self) -> str:
        """The text in canonical layout, with its comments."""
        return self.print()

    def __repr__(self) -> str:
        """The name, with the language and the game."""
        return f"<Program {self.name} in {self.language}{f' for {self.game}' if self.game else ''}>"

    @property
    def name(self) -> str:
        """Name in results: the path of the file, the name of a shipped program, or the one that ``parse`` was given."""
        return self.named.spec

    @property
    def language(self) -> str:
        """Name of the language."""
        name: str = self.named.language.name
        return name

    @property
    def header(self) -> Mapping[str, str]:
        """Lines of the header such as ``// seed: 1``, by key."""
        return MappingProxyType(self.named.source.header)

    @property
    def game(self) -> str | None:
        """Name of the game: the one that was given, or that of the header; None if nobody says it."""
        return self.header.get("game")

    def print(self) -> str:
        """The text in canonical layout, with its comments, as ``gpkit fmt`` writes it; ``str`` gives the same."""
        return laid_out(self.named.language, self.named.source.text, self.name).removesuffix("\n")

    def check(self) -> tuple[Finding, ...]:
        """The findings of ``gpkit check`` by place.

        >>> import gpkit
        >>> program = gpkit.parse("play: env.dept\\nsend: env.dist", game="sevens")
        >>> for finding in program.check():
        ...     print(finding.code, finding.message, "-", finding.help)
        E010 `sevens` has no sensor `env.dept` - did you mean `env.depth`?

        Raises:
            UsageError: there is no game of the name that the program has.
        """
        source = self.named.source
        return tuple(
            Finding(
                each.code,
                each.severity,
                each.message,
                each.help,
                each.span.line,
                each.span.column,
                each.render(source.text, self.name),
            )
            for each in findings(source, self.named.language, None)
        )

    def draw(self, before: "Program | None" = None) -> Drawing:
        """Picture of the program, or of what it changed of another one.

        >>> import gpkit
        >>> gpkit.parse("guess: env.left - env.possible / 2", game="mastermind").draw()
        guess
        −
        ├─ env.left
        └─ ÷
           ├─ env.possible
           └─ 2.0

        Args:
            before: the other one, of the same language and game.

        Raises:
            UsageError: they are of different ones, or nobody knows the game that a program needs.
            SourceError: the program has an error for its game, without which its language has no picture.
        """
        if before is not None:
            return Drawing(change_picture(self.named.source, before.named.source))
        return Drawing(whole_picture(self.named))

    def to_lua(
        self,
        mode: str = "module",
        *,
        rules: Mapping[str, Value] = NO_RULES,
        seed: int = 0,
        tests: bool = True,
    ) -> str:
        """Text of a Lua module, as ``gpkit export --to lua`` writes it.

        Args:
            mode: ``module``, ``player``, ``function``, ``article``, ``luau`` or ``nested``.
            rules: options of the game that differ from the defaults, for a player.
            seed: of the inputs that the module tests itself with.
            tests: whether it carries them.

        Raises:
            UsageError: there is no such mode, or the program cannot be said in it.
            SourceError: the program has an error for its game.
        """
        texts = {name: text_of(value) for name, value in rules.items()}
        subject = subject_of(self.named, Path(self.name).stem, None, texts, seed)
        ((_, documents),) = exported([replace(subject, carries_tests=tests)], "lua", mode)
        return documents[0].text

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the text as a program file.

        Raises:
            UsageError: the file cannot be written, or its suffix is that of another language.
        """
        check_target(path, (), self.named.language.suffix)
        write_atomic(path, f"{self.print()}\n")


def load(
    path: str | os.PathLike[str], *, game: GameLike | None = None, language: str | None = None
) -> Program:
    """Read a program file, a program that comes with gpkit, or the champion of a run.

    >>> import gpkit
    >>> gpkit.load("knuth", game="mastermind")
    <Program knuth in arithmetic for mastermind>

    Args:
        path: of the file or of the folder of a run, or a name such as ``champion``.
        game: that the program is for, if the file does not say it, or several games have a program of the name.
        language: of a file whose suffix does not say it.

    Raises:
        UsageError: there is no such program, game or language, or the file cannot be read.
        SourceError: the file does not parse; the message shows the place.
        LimitError: the file is too large.
        GuestError: the file of the game is not a game.
    """
    spec, meant = os.fspath(path), name_of(game)
    file = program_file(spec, meant)
    if Path(file).is_dir():
        return _for_game(program_or_champion(spec, language, meant), meant)
    return _for_game(read_file(file, language, spec=spec), meant)


def parse(
    text: str, *, language: str = DEFAULT_LANGUAGE, game: GameLike | None = None, name: str = "program"
) -> Program:
    """Read the text of a program.

    >>> import gpkit
    >>> gpkit.parse("play: env.depth +\\nsend: env.dist", name="mine")
    Traceback (most recent call last):
    gpkit.core.diagnostics.SourceError: error[E001]: unexpected section `send:`
     --> mine:2:1
      |
    2 | send: env.dist
      | ^^^^^
      = expected: a number, a name, `-`, `(`

    Args:
        text: as in a program file.
        language: its name: ``arithmetic`` for formulas, ``sinking``, ``rulegraph``.
        game: that the program is for, if the text does not say it.
        name: in results and messages.

    Raises:
        UsageError: there is no such language or game.
        SourceError: the text does not parse; the message shows the place.
        LimitError: the text is too large.
        GuestError: the file of the game is not a game.
    """
    known = language_entry(language).load()
    return _for_game(Named(name, known.parse(text, name), known), name_of(game))


def _for_game(named: Named, game: str | None) -> Program:
    """A program that was read, for the game that was given if one was."""
    if game is None:
        return Program(named)
    source = replace(named.source, header={**named.source.header, "game": game})
    return Program(replace(named, source=source))
