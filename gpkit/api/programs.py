"""Programs as Python values that you can read, call, check, print, draw and export."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Literal

from gpkit.analysis.values import Function, canonical, columns_in, content_of, function_of, simplified
from gpkit.api.arguments import command
from gpkit.api.findings import Finding, finding_of
from gpkit.api.games import name_of
from gpkit.api.kinds import NO_DIALECT, NO_RULES, Count, GameLike, Seed, Within
from gpkit.core.check_report import EVALUATIONS, GAMES, CheckReport
from gpkit.core.errors import UsageError
from gpkit.core.files import check_target, write_atomic
from gpkit.core.layout import Table
from gpkit.core.registry import DEFAULT_LANGUAGE, is_game, language_entry, offers_of
from gpkit.gamekit.options import Value, text_of
from gpkit.langkit.checking import findings
from gpkit.langkit.language import check_source, form
from gpkit.playing.named import Named, program_file, read_file

if TYPE_CHECKING:
    from gpkit.api.drawings import Drawing


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Program:
    """A program in one of the languages, as ``load``, ``parse`` and ``evolve`` return it.

    Two programs are equal if they are the same program in the same language, for the same game, with the same dialect
    switches. Names, comments and other header lines do not count. A pickled program is stored as its text.

    >>> import gpkit
    >>> program = gpkit.parse("play:env.depth  +  2*env.selfblock\\nsend: env.dist", game="sevens")
    >>> print(program)
    play: env.depth + 2 * env.selfblock
    send: env.dist
    >>> program.game, program.language
    ('sevens', 'arithmetic')
    >>> gpkit.parse("x * x + 1") == gpkit.parse("x*x + 1.0  // a parabola")
    True

    Attributes:
        named: the program in the form that commands read.
    """

    named: Named
    _functions: list[Any] = field(default_factory=list, init=False)
    _calls: list[Any] = field(default_factory=list, init=False)

    def __eq__(self, other: object) -> bool:
        """Whether the other value is the same program."""
        if not isinstance(other, Program):
            return NotImplemented
        return content_of(self.named) == content_of(other.named)

    def __hash__(self) -> int:
        """The hash; equal programs have the same hash."""
        return hash(content_of(self.named))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the text, the language, the name and the header; unpickling makes the program from these parts."""
        source = self.named.source
        return _read_again, (source.text, self.language, self.name, dict(source.header))

    def __call__(self, /, *unnamed: object, **values: object) -> Any:
        """The value for numbers given by name; for arrays, an array of values, broadcast as in NumPy.

        >>> import gpkit
        >>> parabola = gpkit.parse("x * x + c")
        >>> parabola(x=3, c=1)
        10.0
        >>> parabola(x=[1.0, 2.0], c=1)
        array([2., 5.])

        Args:
            values: the values that the program reads, such as ``depth`` for ``env.depth``; extra values are ignored.

        Returns:
            a float, or float64 of the common shape; for a decision tree with words as leaves, a string or an array of
            strings. A program with several sections returns a mapping from sections to such values. ``math.random()``
            gives the same numbers for arrays of the same size.

        Raises:
            UsageError: a value is missing or not a number, shapes do not fit, or programs of the language act in a game
                and compute nothing.
        """
        if not unnamed and self._calls and self._calls[-1]:
            return self._calls[-1](values)
        if not (unnamed or self._calls) and self.named.language.rows:
            self._calls.append(None)  # only for the first call, as programs of evolution have no other
            if (found := self.named.language.rows(self.named.source.program, values)) is not None:
                return found
        if (meaning := self.named.language.meaning) is not None:
            function = meaning(self.named.source.program)
            if not unnamed:
                self._calls.append(lambda given: function(**given))
            return function(*unnamed, **values)
        function = self._function()
        if not unnamed:
            self._calls.append(function.resolved())
            return self._calls[-1](values)
        named = "=..., ".join((*function.inputs, ""))
        raise UsageError(f"a program takes its values by name: expected program({named.rstrip(', ')})")

    def _function(self) -> Function:
        if not self._functions:
            self._functions.append(function_of(self.named))
        found: Function = self._functions[0]
        return found

    @property
    def inputs(self) -> tuple[str, ...]:
        """The names that a formula or decision tree reads, in the order of their first use.

        Raises:
            UsageError: programs in the language act in a game and compute nothing.
        """
        return self._function().inputs

    def evaluate(self, rows: object, *, columns: Sequence[str] = ()) -> Any:
        """The values for the rows of a table, as if you called the program with the columns.

        >>> import gpkit
        >>> gpkit.parse("x - y").evaluate([[3, 1], [5, 2]], columns=["x", "y"])
        array([2., 3.])

        Args:
            rows: columns by name, a sequence of mappings, a data frame, or an array (rows, columns).
            columns: the names of an array's columns; not needed if the program reads only one column.

        Raises:
            UsageError: the rows have none of these forms; also in the same cases as a call.
        """
        function = self._function()
        return function.resolved()(columns_in(rows, columns, function.inputs))

    @property
    def size(self) -> int:
        """The number of nodes in the program's trees and functions, or of its instructions, rules or steps."""
        program = self.named.source.program
        return len(program) + sum(map(len, getattr(program, "bodies", {}).values()))

    def simplify(self) -> "Program":
        """An equivalent and perhaps smaller program; the program itself if gpkit cannot make it smaller.

        In a formula without a game, gpkit combines constants. For finite inputs, this changes values only by rounding,
        except where a divisor is 0.

        >>> import gpkit
        >>> gpkit.parse("x * 1 + min(2, 3)").simplify().print()
        'x + 2.0'
        >>> gpkit.parse("29693 * (1.6829 / weight) - (x - x)").simplify().print()
        '49970.3497 / weight'

        Raises:
            UsageError: gpkit cannot simplify programs of the language.
        """
        smaller = simplified(self.named)
        text = self.named.language.print_program(smaller, self.header)
        same = smaller == self.named.source.program
        return self if same else _read_again(text, self.language, self.name, self.header)

    def _repr_html_(self) -> str:
        """The program's text as escaped HTML, for a notebook."""
        about = f"{self.name} in {self.language}{f' for {self.game}' if self.game else ''}"
        return f"<pre>{escape(self.print())}</pre><p><small>{escape(about)}</small></p>"

    def __str__(self) -> str:
        """The text in canonical layout, with its comments."""
        return self.print()

    def __repr__(self) -> str:
        """The program's name, with its language and game."""
        return f"<Program {self.name} in {self.language}{f' for {self.game}' if self.game else ''}>"

    @property
    def name(self) -> str:
        """The name in results: the path of the file, the name of a shipped program, or the name given to ``parse``."""
        return self.named.spec

    @property
    def language(self) -> str:
        """The name of the language."""
        return str(self.named.language.name)

    @property
    def header(self) -> Mapping[str, str]:
        """The lines of the header, such as ``// seed: 1``, by key."""
        return MappingProxyType(self.named.source.header)

    @property
    def game(self) -> str | None:
        """The name of the game, as given or from the header; None if it is unknown."""
        return self.header.get("game")

    def print(self) -> str:
        """The text in canonical layout, with its comments, as ``gpkit fmt`` writes it; ``str`` gives the same."""
        return canonical(self.named).removesuffix("\n")

    def check(self) -> Table[Finding]:
        """The findings of ``gpkit check``, in order of position.

        >>> import gpkit
        >>> program = gpkit.parse("play: env.depth / 0\\nsend: env.dist", game="sevens")
        >>> for finding in program.check():
        ...     print(finding.code, finding.message)
        W032 division by zero is always 1.0

        Raises:
            UsageError: the program names a game that does not exist.
        """
        source = self.named.source
        return Table(
            finding_of(each, source.text, self.name) for each in findings(source, self.named.language, None)
        )

    @command
    def draw(self, before: "Program | None" = None) -> "Drawing":
        """A picture of the program, or of its differences from another program.

        >>> import gpkit
        >>> gpkit.parse("guess: env.left - env.possible / 2", game="mastermind").draw()
        guess
        −
        ├─ env.left
        └─ ÷
           ├─ env.possible
           └─ 2.0

        Args:
            before: the other program, in the same language and for the same game.

        Raises:
            UsageError: the programs differ in language or game, or the game that a program needs is unknown.
            SourceError: the program has an error for its game, and its language needs the game for a picture.
        """
        from gpkit.api.drawings import drawing_of
        from gpkit.show.pictures import change_picture, whole_picture

        changed = None if before is None else change_picture(self.named.source, before.named.source)
        return drawing_of(changed or whole_picture(self.named))

    @command
    def export(
        self,
        to: str = "lua",
        mode: str | None = None,
        *,
        rules: Mapping[str, Value] = NO_RULES,
        seed: Seed = 0,
        grid: int | None = None,
        digits: Annotated[int, Within(1, 17)] | None = None,
        tests: bool = True,
    ) -> str:
        """The program in another language, as ``gpkit export`` writes it.

        >>> import gpkit
        >>> print(gpkit.parse("x * x + 1").export("latex"), end="")
        \\begin{align*}
          \\mathit{value} &= \\mathit{x} \\cdot \\mathit{x} + 1
        \\end{align*}

        Args:
            to: ``lua``, ``python``, ``c``, ``json`` or ``latex``.
            mode: a mode of the format, as for ``gpkit export``. Default: the first one.
            rules, seed: the options of the game, for a player, and the seed of the test inputs.
            grid: round the constants to multiples of 2 raised to this power.
            digits: round the constants to this many digits.
            tests: whether a Lua module or a C file contains the test inputs.

        Raises:
            UsageError: there is no such format or mode, or the format cannot express the program.
            SourceError: the program has an error for its game.
        """
        from gpkit.export.exported import exports_of

        return exports_of(
            [replace(self._subject(rules, seed, grid, digits), carries_tests=tests)], to, mode
        ).text

    @command
    def check_export(
        self,
        to: str = "lua",
        mode: str | None = None,
        *,
        rules: Mapping[str, Value] = NO_RULES,
        seed: Seed = 0,
        evaluations: Count = EVALUATIONS,
        games: Count = GAMES,
    ) -> CheckReport:
        """A bit-for-bit comparison of an export with the interpreter, as in ``gpkit export --check``.

        Args:
            to: ``lua``, ``python``, ``c`` or ``json``; ``to``, ``mode``, ``rules`` and ``seed`` are as for ``export``.
            evaluations, games: the number of evaluations of each formula, and the number of games if the mode makes
                choices.

        Returns:
            ``is_equal``, and ``rows`` with the result of each host.

        Raises:
            UsageError, SourceError: gpkit cannot run the format, its host is not installed, or in the same cases as
                ``export``.
        """
        from gpkit.export.exported import exports_of

        return exports_of([self._subject(rules, seed)], to, mode).checked(evaluations, games).reports[0]

    def _subject(
        self, rules: Mapping[str, Value], seed: int, grid: int | None = None, digits: int | None = None
    ) -> Any:
        """The program in the form that exporters take; raises the same errors as ``export``."""
        from gpkit.export.exported import rounded, subject_of

        texts = {name: text_of(value) for name, value in rules.items()}
        return rounded(subject_of(self.named, Path(self.name).stem, None, texts, seed), grid, digits)

    @command
    def to_sympy(self, simplified: bool = False) -> Any:
        """The SymPy expression over symbols such as ``depth`` for ``env.depth``; one for each section.

        Protected operators become ``Piecewise``. ``lambdify`` gives the values of ``evaluate``, except for the sign of
        zeros; functions such as ``log`` and ``sin`` are NumPy's, accurate to two units in the last place.

        >>> parse("x / y").to_sympy()
        Piecewise((x/y, Ne(y, 0)), (1.0, True))

        If ``simplified`` is true, SymPy evaluates the expression; its values then agree within 1e-9.

        Raises:
            UsageError: SymPy is missing, the program draws random numbers, a formula is too deep, or a leaf is a name.
        """
        from gpkit.export.formulas import expressions

        return expressions(self.named.source.program, simplified)

    @command
    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the text as a program file.

        Raises:
            UsageError: the file cannot be written, or it has the suffix of another language.
        """
        check_target(path, (), self.named.language.suffix)
        write_atomic(path, f"{self.print()}\n")


@command
def load(
    path: str | os.PathLike[str],
    *,
    game: GameLike | None = None,
    language: str | None = None,
    dialect: Mapping[str, str] = NO_DIALECT,
) -> Program:
    """Read a program file, a program that comes with gpkit, or the champion of a run.

    >>> import gpkit
    >>> gpkit.load("knuth", game="mastermind")
    <Program knuth in arithmetic for mastermind>

    Args:
        path: the path of a file or of the folder of a run, or a name such as ``champion``.
        game: the game of the program, if the file does not name it, or if several games have a program with this name.
        language: the language of a file, if its suffix does not identify it.
        dialect: header lines that replace those of the file, such as ``{"target": "uniform"}``.

    Raises:
        UsageError: there is no such program, game or language, the language has no dialects, or the file cannot be
            read.
        SourceError: the file does not parse; the message gives the location.
        LimitError: the file is too large.
        GuestError: the file of the game is not a game.
    """
    spec, meant = os.fspath(path), name_of(game)
    file = program_file(spec, meant)
    if Path(file).is_dir():
        from gpkit.evolution.history import program_in

        file = spec = program_in(file)
    return _for_game(read_file(file, language, dialect, spec=spec, game=meant), meant)


@command
def parse(
    text: str | Any,
    *,
    language: str = DEFAULT_LANGUAGE,
    game: GameLike | None = None,
    name: str = "program",
    notation: Literal["gpkit", "pysr", "gplearn", "operon"] = "gpkit",
    columns: Sequence[str] | Mapping[str, str] = (),
    exact: bool = False,
) -> Program:
    """Read a program from a string, or a formula from another tool.

    >>> import gpkit
    >>> gpkit.parse("play: env.depth +\\nsend: env.dist", name="mine")
    Traceback (most recent call last):
    gpkit.core.diagnostics.SourceError: error[E001]: the line ends too early
     --> mine:1:18
      |
    1 | play: env.depth +
      |                  ^
      = expected: a number, a name, `-`, `(`
    >>> print(gpkit.parse("add(X0, inv(X1))", notation="gplearn", columns=["length", "mass"]))
    length + 1.0 / mass

    Args:
        text: the text, as in a program file; or a formula as another tool prints it; or a SymPy expression.
        language: the name of the language: ``arithmetic`` for formulas, ``sinking``, ``rulegraph``.
        game: the game that the program is for, if the text does not name it.
        name: the name of the program in results and messages.
        notation: the tool that printed a formula, if it was not gpkit.
        columns: for formulas of other tools, the names of all columns, where the first is X0 (X1 for Operon); or a
            mapping from the tool's names to new names.
        exact: spell out gplearn's protected division and logarithms, so that values near zero are the same.

    Raises:
        UsageError: there is no such language or game, or a SymPy expression contains an element that has no counterpart
            in gpkit.
        SourceError: the text does not parse, it has an error for its game, such as a sensor that the game lacks, or
            part of it has no counterpart in gpkit; the message gives the location.
        LimitError: the text is too large.
        GuestError: the file of the game is not a game.
    """
    known, meant = language_entry(language).load(), name_of(game)
    is_own = notation == "gpkit" and isinstance(text, str)
    if (exact and notation != "gplearn") or (columns and is_own):
        raise UsageError(
            "columns are for formulas from other tools, and exact is for gplearn's: name `notation`"
        )
    if not is_own:
        read = form(language, lambda each: each.elsewhere(), "read formulas of other tools as {}")
        text = known.print_program(read(text, notation, columns, name, is_exact=exact), {})
    source = known.parse(text, name)
    meant = meant or source.header.get("game")
    if meant is not None and is_game(meant):
        check_source(known, source, offers_of(meant))
    return _for_game(Named(name, source, known), meant)


def _read_again(text: str, language: str, name: str, header: Mapping[str, str]) -> Program:
    """The program with the given text and header."""
    known = language_entry(language).load()
    return Program(Named(name, replace(known.parse(text, name), header=dict(header)), known))


def _for_game(named: Named, game: str | None) -> Program:
    """A program that was read, assigned to the given game if there is one."""
    if game is not None:
        named = replace(named, source=replace(named.source, header={**named.source.header, "game": game}))
    return Program(named)
