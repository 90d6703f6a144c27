"""Programs in Python code: values that are read, called, checked, printed, drawn, exported."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from gpkit.analysis.values import Function, canonical, columns_in, content_of, function_of, simplified
from gpkit.api.arguments import command
from gpkit.api.findings import Finding, finding_of
from gpkit.api.games import name_of
from gpkit.api.kinds import NO_DIALECT, NO_RULES, Count, GameLike, Seed
from gpkit.core.check_report import EVALUATIONS, GAMES, CheckReport
from gpkit.core.errors import UsageError
from gpkit.core.files import check_target, write_atomic
from gpkit.core.registry import DEFAULT_LANGUAGE, language_entry
from gpkit.core.tabular import Table
from gpkit.gamekit.options import Value, text_of
from gpkit.langkit.checking import findings
from gpkit.playing.named import Named, program_file, read_file

if TYPE_CHECKING:
    from gpkit.api.drawings import Drawing


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Program:
    """Program in one of the languages, as ``load``, ``parse`` and ``evolve`` give it.

    Programs are equal if they are the same program of one language for one game, by the same switches of a dialect;
    names, comments and other lines of the header do not count. Pickled, a program is its text.

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
        named: as commands read it.
    """

    named: Named
    _functions: list[Function] = field(default_factory=list, init=False)

    def __eq__(self, other: object) -> bool:
        """Whether the other one is the same program."""
        if not isinstance(other, Program):
            return NotImplemented
        return content_of(self.named) == content_of(other.named)

    def __hash__(self) -> int:
        """Hash of what is equal."""
        return hash(content_of(self.named))

    def __reduce__(self) -> tuple[Any, ...]:
        """The text, the language, the name and the header, of which loading makes the program again."""
        source = self.named.source
        return _read_again, (source.text, self.language, self.name, dict(source.header))

    def __call__(self, /, *unnamed: Any, **values: Any) -> Any:
        """The value for numbers by name, or the array of values for arrays, which are broadcast as numpy does.

        >>> import gpkit
        >>> parabola = gpkit.parse("x * x + c")
        >>> parabola(x=3, c=1)
        10.0
        >>> parabola(x=[1.0, 2.0], c=1)
        array([2., 5.])

        Args:
            values: of all that the program reads, such as ``depth`` for ``env.depth``; more does no harm.

        Returns:
            a float, or float64 of the common shape; of a decision tree whose leaves are words a text, or an array of
            texts. Of a program of several sections, such values by section. ``math.random()`` gives the same numbers
            for arrays of the same size.

        Raises:
            UsageError: a value is missing or no number, shapes do not go together, or programs of the language act in
                a game, and compute nothing.
        """
        function = self._function()
        if not unnamed:
            return function.of(values)
        named = "=..., ".join((*function.inputs, ""))
        raise UsageError(f"a program is given its values by name: expected program({named.rstrip(', ')})")

    def _function(self) -> Function:
        if not self._functions:
            self._functions.append(function_of(self.named))
        return self._functions[0]

    @property
    def inputs(self) -> tuple[str, ...]:
        """The names of what a formula or decision tree reads, in the order of their first places.

        Raises:
            UsageError: programs of the language act in a game.
        """
        return self._function().inputs

    def evaluate(self, rows: Any, *, columns: Sequence[str] = ()) -> Any:
        """The values for the rows of a table, as if the program was called with its columns.

        >>> import gpkit
        >>> gpkit.parse("x - y").evaluate([[3, 1], [5, 2]], columns=["x", "y"])
        array([2., 3.])

        Args:
            rows: columns by name, a sequence of mappings, a data frame, or an array (rows, columns).
            columns: names of the columns of an array; not needed if it has one, which is all that is read.

        Raises:
            UsageError: it is none of these, or as of a call.
        """
        function = self._function()
        return function.of(columns_in(rows, columns, function.inputs))

    @property
    def size(self) -> int:
        """The number of nodes of its trees, or of the instructions, rules or steps that it has."""
        return len(self.named.source.program)

    def simplify(self) -> "Program":
        """A program that computes the same, or plays the same, perhaps smaller; itself if it cannot be.

        >>> import gpkit
        >>> gpkit.parse("x * 1 + min(2, 3)").simplify().print()
        'x + 2.0'

        Raises:
            UsageError: programs of the language cannot be simplified.
        """
        smaller = simplified(self.named)
        text = self.named.language.print_program(smaller, self.header)
        same = smaller == self.named.source.program
        return self if same else _read_again(text, self.language, self.name, self.header)

    def _repr_html_(self) -> str:
        """The text for a notebook, escaped."""
        about = f"{self.name} in {self.language}{f' for {self.game}' if self.game else ''}"
        return f"<pre>{escape(self.print())}</pre><p><small>{escape(about)}</small></p>"

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
        return str(self.named.language.name)

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
        return canonical(self.named).removesuffix("\n")

    def check(self) -> Table[Finding]:
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
        return Table(
            finding_of(each, source.text, self.name) for each in findings(source, self.named.language, None)
        )

    @command
    def draw(self, before: "Program | None" = None) -> "Drawing":
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
        from gpkit.api.drawings import drawing_of
        from gpkit.draw.pictures import change_picture, whole_picture

        source = self.named.source
        changed = None if before is None else change_picture(source, before.named.source)
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
        tests: bool = True,
    ) -> str:
        """Text of the program in another language, as ``gpkit export`` writes it.

        >>> import gpkit
        >>> print(gpkit.parse("x * x + 1").export("latex"), end="")
        \\begin{align*}
          \\mathit{value} &= \\mathit{x} \\cdot \\mathit{x} + 1
        \\end{align*}

        Args:
            to: ``lua``, ``python``, ``c``, ``json`` or ``latex``.
            mode: one of the format, as ``gpkit export`` has them; without it the first.
            rules, seed: options of the game, for a player, and the seed of the inputs that it is tested with.
            grid: round the constants to multiples of 2 to this power.
            tests: whether a Lua module or a C file carries the inputs.

        Raises:
            UsageError: there is no such format or mode, or the program cannot be said in it.
            SourceError: the program has an error for its game.
        """
        from gpkit.export.exported import exports_of

        return exports_of([replace(self._subject(rules, seed, grid), carries_tests=tests)], to, mode).text

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
        """Comparison of an export with the interpreter, bit for bit, as ``gpkit export --check`` makes it.

        Args:
            to: ``lua``, ``python``, ``c`` or ``json``; this, ``mode``, ``rules`` and ``seed`` are as for ``export``.
            evaluations, games: how many of every formula, and where the mode has a choice, of whole games.

        Returns:
            ``is_equal``, and ``rows`` with what each host found.

        Raises:
            UsageError: the format cannot be run, what runs it is not installed, or as for ``export``; so SourceError.
        """
        from gpkit.export.exported import exports_of

        return exports_of([self._subject(rules, seed)], to, mode).checked(evaluations, games).reports[0]

    def _subject(self, rules: Mapping[str, Value], seed: int, grid: int | None = None) -> Any:
        """The program in the form that exporters take; raises the errors of ``export``."""
        from gpkit.export.requests import rounded, subject_of

        texts = {name: text_of(value) for name, value in rules.items()}
        return rounded(subject_of(self.named, Path(self.name).stem, None, texts, seed), grid)

    @command
    def to_sympy(self, simplified: bool = False) -> Any:
        """Expression of SymPy over symbols named as what is read, ``depth`` for ``env.depth``; one for each section.

        Protection is written out as ``Piecewise``. ``lambdify`` gives the values of ``evaluate`` but for the sign of
        zeros; ``log``, ``sin`` and the like are NumPy's, within two units in the last place.

        >>> parse("x / y").to_sympy()
        Piecewise((x/y, Ne(y, 0)), (1.0, True))

        ``simplified`` is as SymPy evaluates it, whose values agree within 1e-9.

        Raises:
            UsageError: SymPy is missing, random numbers are drawn, a formula is too deep, or a leaf is a name.
        """
        from gpkit.export.sympy import expressions

        return expressions(self.named.source.program, simplified)

    @command
    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the text as a program file.

        Raises:
            UsageError: the file cannot be written, or its suffix is that of another language.
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
        path: of the file or of the folder of a run, or a name such as ``champion``.
        game: that the program is for, if the file does not say it, or several games have a program of the name.
        language: of a file whose suffix does not say it.
        dialect: lines of the header that stand instead of those of the file, such as ``{"target": "uniform"}``.

    Raises:
        UsageError: there is no such program, game or language, it has no dialects, or the file cannot be read.
        SourceError: the file does not parse; the message shows the place.
        LimitError: the file is too large.
        GuestError: the file of the game is not a game.
    """
    spec, meant = os.fspath(path), name_of(game)
    file = program_file(spec, meant)
    if Path(file).is_dir():
        from gpkit.evolution.history import program_in

        file = spec = program_in(file)
    return _for_game(read_file(file, language, dialect, spec=spec), meant)


@command
def parse(
    text: str, *, language: str = DEFAULT_LANGUAGE, game: GameLike | None = None, name: str = "program"
) -> Program:
    """Read the text of a program.

    >>> import gpkit
    >>> gpkit.parse("play: env.depth +\\nsend: env.dist", name="mine")
    Traceback (most recent call last):
    gpkit.core.diagnostics.SourceError: error[E001]: the line ends too early
     --> mine:1:18
      |
    1 | play: env.depth +
      |                  ^
      = expected: a number, a name, `-`, `(`

    Args:
        text: the text, as in a program file.
        language: the name of the language: ``arithmetic`` for formulas, ``sinking``, ``rulegraph``.
        game: the game that the program is for, if the text does not name it.
        name: the name of the program in results and messages.

    Raises:
        UsageError: there is no such language or game.
        SourceError: the text does not parse; the message shows the place.
        LimitError: the text is too large.
        GuestError: the file of the game is not a game.
    """
    known = language_entry(language).load()
    return _for_game(Named(name, known.parse(text, name), known), name_of(game))


def _read_again(text: str, language: str, name: str, header: Mapping[str, str]) -> Program:
    """The program of a text, with the header that is given."""
    known = language_entry(language).load()
    source = known.parse(text, name)
    return Program(Named(name, replace(source, header=dict(header)), known))


def _for_game(named: Named, game: str | None) -> Program:
    """A program that was read, for the game that was given if one was."""
    if game is not None:
        named = replace(named, source=replace(named.source, header={**named.source.header, "game": game}))
    return Program(named)
