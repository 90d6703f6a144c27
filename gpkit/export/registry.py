"""The formats that programs are exported to."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Protocol, runtime_checkable

from gpkit.core.errors import UsageError
from gpkit.core.forms import Form, form, has_form
from gpkit.core.registry import find
from gpkit.export.request import Document, Subject


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
                f"programs of {language} are exported to {self.name} in the mode {' or '.join(able)}, not `{mode}`"
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
        """The files of a program.

        Raises:
            UsageError: the program cannot be said in this mode.
            LimitError: it is too large for the format.
        """
        return self.form_in(Exporting, subject.program.language, mode).documents(subject, mode)


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
        "json",
        "formulas in prefix order, blocks line by line, rules as graphs, plans as lists",
        MappingProxyType({"program": "The program, which reads back."}),
    ),
    Exporter(
        "latex",
        "equations and rules for papers, with amsmath",
        MappingProxyType({"equations": "An equation or a rule a line."}),
    ),
)


def exporter(name: str) -> Exporter:
    """The exporter of that name.

    Raises:
        UsageError: there is none; the message names the nearest one.
    """
    return find(EXPORTERS, name, "export format")
