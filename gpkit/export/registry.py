"""Lists the export formats, and checks exported code.

The check runs the code and compares it bit for bit with the interpreter.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from gpkit.core.check_report import EVALUATIONS, GAMES, CheckReport
from gpkit.core.errors import UsageError
from gpkit.core.registry import find
from gpkit.export import c, json, python
from gpkit.export.conformance import plays, recorder_of
from gpkit.export.lua import valued
from gpkit.export.lua.module import levels_text
from gpkit.export.subject import COMMENTS, Document, Exporting, Subject, with_programs
from gpkit.langkit.language import Language, form, form_of


@dataclass(frozen=True, slots=True)
class Exporter:
    """An export format; it has a form for each language that it supports.

    Attributes:
        name: its name on the command line.
        title: a description on one line.
        modes: the modes by name, with their descriptions; the first one is the default.
        find: returns a language's form for the format; None if it has none.
        functions: the form for every language whose programs become functions; None if there is none.
    """

    name: str
    title: str
    modes: Mapping[str, str]
    find: Callable[[Language], Exporting | None] = lambda _: None
    functions: Exporting | None = None

    @property
    def default_mode(self) -> str:
        """The default mode."""
        return next(iter(self.modes))

    def modes_of(self, language: str) -> tuple[str, ...]:
        """The modes that support programs in a language; none if the format has no form for it."""
        found, writer = form_of(language, self.form_for), form_of(language, lambda each: each.functions())
        lacks = () if writer is None else writer.lacks
        if found is None:
            return ()
        own = found.modes or (self.default_mode,)
        return tuple(mode for mode in (*own, *({ROSTER} & {*self.modes})) if mode not in lacks)

    def form_for(self, language: Language) -> Exporting | None:
        """The form for a language: its own form, or ``functions``; None if the format does not support the language."""
        found = self.find(language)
        return self.functions if found is None and language.functions() is not None else found

    def form_in(self, language: str, mode: str) -> Exporting:
        """The form for a language in a mode.

        Raises:
            UsageError: the mode does not support the language.
        """
        self.require_mode(mode)
        others = [each.name for each in EXPORTERS if each.modes_of(language)]
        fix = f"choose one of {', '.join(others)}" if others else ""
        found, able = (
            form(language, self.form_for, f"export {{}} to {self.name}", fix),
            self.modes_of(language),
        )
        if mode not in able:
            raise UsageError(
                f"programs in {language} are exported to {self.name} in the mode {' or '.join(able)}, not `{mode}`"
            )
        return found

    def require_mode(self, mode: str) -> None:
        """Check that the format has a mode.

        Raises:
            UsageError: the format has no such mode; the message lists its modes.
        """
        if mode not in self.modes:
            raise UsageError(f"{self.name} has no mode `{mode}`; there are: {', '.join(self.modes)}")

    def export(self, subject: Subject, mode: str) -> tuple[Document, ...]:
        """The exported files; code begins with a comment that contains the program, so gpkit can read it back.

        Raises:
            UsageError: the mode does not support the program.
            LimitError: the program is too large for the format.
        """
        form_here = self.form_in(subject.program.language, mode)
        if mode == ROSTER:
            main, *others = (Document(".lua", levels([subject])),)
        else:
            main, *others = form_here.documents(subject, mode)
        if main.suffix in COMMENTS:
            main = replace(main, text=with_programs(main.text, [subject], main.suffix))
        return (main, *others)


ROSTER = "roster"
"""The mode of Lua in which the programs of all languages are levels in one file."""

EXPORTERS = (
    Exporter(
        "lua",
        "Lua 5.1 to 5.5, LuaJIT and Luau",
        MappingProxyType(
            {
                "module": "The usual choice: each formula as a function of your sensors, or the whole .sink, .rules or "
                ".plan player.",
                "player": "A .tree for Sevens, Mastermind or Battleship with the rules, legal moves and sensors of "
                "the game built in; for your own game, it gets them from your host program.",
                "function": "The formula alone: one function, or a table of functions. Your game chooses the best "
                "candidate.",
                ROSTER: "Several programs as levels in one file, which knows their sentences; each is a player, or a "
                "module if there is no player.",
                "article": "A roster of levels as in P. Hansson's article: several programs make one file.",
                "luau": "The module with types, for Roblox.",
                "nested": "A .sink program as functions with nested conditions, for people to read; its games cannot "
                "be saved.",
            }
        ),
        lambda each: each.lua(),
        valued.EXPORTING,
    ),
    Exporter(
        "python",
        "a Python file that needs nothing else",
        MappingProxyType({"module": "A function for each formula, a generator for each plan."}),
        lambda each: each.python(),
        python.EXPORTING,
    ),
    Exporter(
        "c",
        "a C99 file that needs the standard library alone",
        MappingProxyType(
            {"module": "A function for each formula or tree of an array of numbers; for data, predict(row)."}
        ),
        functions=c.EXPORTING,
    ),
    Exporter(
        "json",
        "formulas in prefix order, blocks line by line, rules as graphs, plans as lists",
        MappingProxyType({"program": "The program; it can be imported again."}),
        lambda each: json.EXPORTING if each.json() else None,
    ),
    Exporter(
        "latex",
        "equations and rules for papers, with amsmath",
        MappingProxyType({"equations": "One equation or rule per line."}),
        lambda each: each.latex(),
    ),
)

LUA, PYTHON, C, JSON, LATEX = EXPORTERS


def exporter(name: str) -> Exporter:
    """The exporter with this name.

    Raises:
        UsageError: there is no such exporter; the message suggests the nearest name.
    """
    return find(EXPORTERS, name, "export format")


def checkable(language: str) -> tuple[str, ...]:
    """The formats in which gpkit can check exports of a language, by running the exports or reading them back."""
    forms = {each.name: form_of(language, each.form_for) for each in EXPORTERS}
    return tuple(name for name, found in forms.items() if found is not None and found.check is not None)


def require_checkable(subject: Subject, to: str) -> None:
    """Check that gpkit can run exports of a program to this format, or read them back.

    Raises:
        UsageError: gpkit can do neither; the message lists the formats that gpkit can check.
    """
    able = checkable(subject.program.language)
    if to not in able:
        known = ", ".join(able) or "no format"
        raise UsageError(f"an export of {subject.name} to {to} cannot be run; these can be checked: {known}")


def check_export(
    subject: Subject, to: str, mode: str, *, evaluations: int = EVALUATIONS, games: int = GAMES
) -> CheckReport:
    """Run the export of a program in every available host and compare it with the interpreter.

    Args:
        subject: the program.
        to: the exporter's name, such as ``lua``.
        mode: one of the exporter's modes.
        evaluations: the number of evaluations for each formula.
        games: the number of games, if the mode supports them and the game is known.

    Raises:
        UsageError: exports to the format cannot be run, no host for them is installed, or the program cannot be
            exported.
    """
    require_checkable(subject, to)
    check = exporter(to).form_in(subject.program.language, mode).check
    assert check is not None
    return check(subject, mode_of_level(subject) if mode == ROSTER else mode, evaluations, games)


def mode_of_level(subject: Subject) -> str:
    """The mode of a level of a roster: a player, if the language has one and gpkit can record its games."""
    modes = exporter("lua").modes_of(subject.program.language)
    return "player" if "player" in modes and plays(subject) and recorder_of(subject.game) else modes[0]


def levels(subjects: Iterable[Subject]) -> str:
    """The Lua file with these programs as levels.

    Raises:
        UsageError: Lua cannot express a program, or two programs have the same name.
    """
    texts = []
    for subject in subjects:
        mode = mode_of_level(subject)
        form_here = exporter("lua").form_in(subject.program.language, mode)
        texts.append((subject, form_here.documents(subject, mode)[0].text))
    return levels_text(texts)
