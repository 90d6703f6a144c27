"""The formats that programs are exported to, the subject of an export, and the documents that it consists of."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Protocol, runtime_checkable

from gpkit.core.errors import UsageError
from gpkit.core.primitives import PrimitiveSet
from gpkit.core.registry import Form, find, form, form_of_game, game_entry, has_form, offering
from gpkit.export.embedded import COMMENTS, with_programs


@dataclass(frozen=True, slots=True)
class Subject:
    """A program to export and what is known about it.

    Attributes:
        program: of any language.
        name: a word for file names and headers.
        header: the header of its file: seed, fitness, ...
        primitives: what its game lets it see; None for formulas without a game.
        rules: the options of the game, as text, that differ from the defaults.
        seed: of the inputs that the export is tested with.
        carries_tests: whether a file that could test itself carries the inputs and games for that.
    """

    program: Any
    name: str = "program"
    header: Mapping[str, str] = field(default_factory=dict)
    primitives: PrimitiveSet | None = None
    rules: Mapping[str, str] = field(default_factory=dict)
    seed: int = 1
    carries_tests: bool = True

    @property
    def game(self) -> str | None:
        """The name of the game, or None."""
        return self.primitives.game if self.primitives is not None else None


def record_form(kind: type[Form], subject: Subject) -> Form:
    """The form `record` of the game that a subject is for; without a game, of the first that has its language.

    It is for languages whose programs are whole players of a game, which therefore belong to one.

    Raises:
        UsageError: there is no such game, or it has no such form.
    """
    language = subject.program.language
    game = subject.game or next(iter(offering(language)), None)
    found = None if game is None else form_of_game(kind, "record", game)
    if found is None:
        raise UsageError(f"games of {game or language} cannot be recorded, so their players are not exported")
    return found


def record_part(subject: Subject, name: str) -> Any:
    """A part of the form ``record``, by its name; the game is found as for ``record_form``.

    Raises:
        UsageError: there is no such game, or it has no such part.
    """
    language = subject.program.language
    game = subject.game or next(iter(offering(language)), None)
    entry = None if game is None else game_entry(game)
    module = entry.part("forms.record") if entry and entry.has_part("forms.record") else None
    if not hasattr(module, name):
        raise UsageError(f"games of {game or language} cannot be recorded, so their players are not exported")
    return getattr(module, name)


CONFORMANCE = ".conformance.jsonl"
"""The part after the program's name in the name of its file of conformance."""


HEADER = ".h"
"""The part after the program's name in the name of the header of a C file."""

WRITTEN = "written by gpkit"
"""Words on the first line of a file that was exported."""


@dataclass(frozen=True, slots=True)
class Document:
    """One file of an export: what follows the program's name in its file name, and the text."""

    suffix: str
    text: str


@runtime_checkable
class Exporting(Protocol):
    """Exports of programs of a language: ``forms.FORMAT`` in its folder.

    ``MODES`` are those of the format in which the programs can be written; of the files the first one is the program
    itself, and one of conformance may follow.
    """

    @property
    def MODES(self) -> tuple[str, ...]: ...  # noqa: N802
    def documents(self, subject: Subject, mode: str) -> tuple[Document, ...]: ...


@dataclass(frozen=True, slots=True)
class Exporter:
    """A format, which has a form for each language that it can say.

    Attributes:
        name: as the command line calls it.
        title: the format in one line.
        modes: by name what is written in each; the first is the default.
    """

    name: str
    title: str
    modes: Mapping[str, str]

    @property
    def default_mode(self) -> str:
        """The mode that is taken where none is named."""
        return next(iter(self.modes))

    def modes_of(self, language: str) -> tuple[str, ...]:
        """The modes in which programs of a language can be said; none if the format has no form for it."""
        return self._form(Exporting, language).MODES if has_form(Exporting, self.name, language) else ()

    def form_in(self, kind: type[Form], language: str, mode: str) -> Form:
        """The form for a language, to be used in a mode.

        Raises:
            UsageError: programs of the language cannot be said in this mode.
        """
        self.require_mode(mode)
        able = self._form(Exporting, language).MODES
        if mode not in able:
            raise UsageError(
                f"programs in {language} are exported to {self.name} in the mode {' or '.join(able)}, not `{mode}`"
            )
        return self._form(kind, language)

    def _form(self, kind: type[Form], language: str) -> Form:
        others = [each.name for each in EXPORTERS if has_form(Exporting, each.name, language)]
        fix = f"choose one of {', '.join(others)}" if others else ""
        return form(kind, self.name, language, f"export {{}} to {self.name}", fix)

    def require_mode(self, mode: str) -> None:
        """Check that the format has a mode.

        Raises:
            UsageError: it has not; the message names those it has.
        """
        if mode not in self.modes:
            raise UsageError(f"{self.name} has no mode `{mode}`; there are: {', '.join(self.modes)}")

    def export(self, subject: Subject, mode: str) -> tuple[Document, ...]:
        """The files of a program; code has the program as a comment above it, which can be read back.

        Raises:
            UsageError: the program cannot be said in this mode.
            LimitError: it is too large for the format.
        """
        form = self.form_in(Exporting, subject.program.language, mode)
        main, *others = form.documents(subject, mode)
        if main.suffix in COMMENTS:
            main = replace(main, text=with_programs(main.text, [subject], main.suffix))
        return (main, *others)


EXPORTERS = (
    Exporter(
        "lua",
        "Lua 5.1 to 5.5, LuaJIT and Luau",
        MappingProxyType(
            {
                "module": "The usual choice: each formula as a function of your sensors, or the whole .sink, .rules or "
                ".plan player.",
                "player": "A .tree for Sevens, Mastermind or Battleship with the rules, legal moves and sensors of "
                "the game built in; for a game of your own it asks your host for them.",
                "function": "The formula alone: one function, or a table of them. Your game chooses the best "
                "candidate.",
                "article": "A roster of levels as in P. Hansson's article: several programs make one file.",
                "luau": "The module with types, for Roblox.",
                "nested": "A .sink as functions with nested conditions, to be read; its games cannot be saved.",
            }
        ),
    ),
    Exporter(
        "python",
        "a Python file that needs nothing else",
        MappingProxyType({"module": "A function for each formula, a generator for each plan."}),
    ),
    Exporter(
        "c",
        "a C99 file that needs the standard library alone",
        MappingProxyType(
            {"module": "A function for each formula or tree of an array of numbers; for data, predict(row)."}
        ),
    ),
    Exporter(
        "json",
        "formulas in prefix order, blocks line by line, rules as graphs, plans as lists",
        MappingProxyType({"program": "The program; it can be imported again."}),
    ),
    Exporter(
        "latex",
        "equations and rules for papers, with amsmath",
        MappingProxyType({"equations": "One equation or rule per line."}),
    ),
)


def exporter(name: str) -> Exporter:
    """The exporter of that name.

    Raises:
        UsageError: there is none; the message names the nearest one.
    """
    return find(EXPORTERS, name, "export format")
