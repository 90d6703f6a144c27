"""The interface of a language: everything that the language can do with texts and programs."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from gpkit.core.diagnostics import Diagnostic, SourceError
from gpkit.core.errors import GuestError, UsageError
from gpkit.core.primitives import Offers, PrimitiveSet, Switch
from gpkit.core.registry import Lazy, absent, all_languages, known_language

if TYPE_CHECKING:  # commands that only list things load no arrays
    from gpkit.core.arrays import Floats, Ints
    from gpkit.evolution.config import Evolving
    from gpkit.evolution.fitting import Fitting
    from gpkit.export.formulas import Expression
    from gpkit.export.json import Membership
    from gpkit.export.statements import Writer
    from gpkit.export.subject import Exporting
    from gpkit.langkit.naming import Naming
    from gpkit.langkit.recovery import Recovery
    from gpkit.matching.plan import Plan
    from gpkit.playing.trace import Following
    from gpkit.show.pictures import Drawing
    from gpkit.vm.program import Program

    Classify = Callable[[Any, Sequence[str], Floats], tuple[Sequence[str | float], Ints]]


@dataclass(frozen=True, slots=True)
class Valuing:
    """The semantics of programs that have a part for each decision of a game; a part evaluates one candidate at a time.

    A part has ``reads``, the names of its sensors, and ``draws``, the maximum number of random numbers in one
    evaluation.

    Attributes:
        evaluate: takes (part, sensor values by name, source of random numbers) and returns the value of a candidate.
        node_values: takes the same arguments, and returns the values of the evaluated nodes, by position.
        executed: takes (part, node values) and returns the positions of the nodes that contributed to the value.
    """

    evaluate: Callable[[Any, Mapping[str, float], Callable[[], float]], float]
    node_values: Callable[[Any, Mapping[str, float], Callable[[], float]], dict[int, float]]
    executed: Callable[[Any, Mapping[int, float]], frozenset[int]]


@dataclass(frozen=True, slots=True)
class Acting:
    """The form ``acting`` of a language, which runs programs outside games.

    Attributes:
        actions: takes (program, sense, draw) and yields actions. ``sense`` returns the value of a sensor by its name;
            ``draw`` returns a random number. The caller performs each action before it asks for the next one.
        primitives: returns the primitives that a program uses, as if a game offered them.
    """

    actions: Callable[[Any, Callable[[str], float], Callable[[], float]], Iterator[str]]
    primitives: Callable[[Any], PrimitiveSet]


@dataclass(frozen=True, slots=True)
class Language:
    """A language and everything that it can do.

    The fields from ``acting`` on are the forms of the language. Packages that import this one use the forms and declare
    their types, which mypy checks. Each of these fields is a function that imports the form and returns it.

    Attributes:
        name: its name in the registry and for ``--lang``.
        suffix: the suffix of its files, including the dot.
        parse: takes a text and a file name, and returns a source with ``program`` (whose ``language`` is the name),
            ``header``, ``text``, ``filename``, and positions in the language's own format; raises SourceError or
            LimitError.
        print_program: turns a program and header lines into the canonical text of a file.
        format_source: turns a source into its text in canonical layout, and keeps comments.
        check: returns the findings in a source, in text order, for the game with these offers, or without a game.
        errors: like ``check``, but faster, because it may omit findings that are not errors; None to use ``check``
            instead.
        compile: turns a program and its header lines into verified machine programs, as many as the game of that
            primitive set needs, or into the search plans of its rules. The program must have no finding of severity
            ``error`` for that game.
        template: returns the text of a small program with comments, for a game, or for no particular game (None).
        parts: returns the parts of a source by name: formulas, instructions or rules as strings.
        switches: the settings that select its dialects, in addition to the settings of games; empty if it has no
            dialects.
        valuing: the reference interpreter of programs that evaluate candidates; None if programs do not evaluate
            candidates.
        classify: takes a program of one part, the names of columns, and float64 (columns, rows); returns the program's
            leaves, as names or values, and the number of the leaf that each row reaches, int64 (rows,). None if
            programs do not classify rows.
        simplify: takes a program, its header lines, and the primitives of its game or None; returns a program with the
            same values or moves, perhaps smaller. None if the language has no simplification.
        needs_game: whether programs have no meaning without a game; if so, gpkit guesses the game when none is named.
        recovery: the rules for recovery after an error; None if the language reports only the first error.
        naming: the names in a text and their meanings, for editors; None if editors show only findings.
        like: for a plugin's language, another language, such as ``arithmetic``, whose primitive sets it uses in games
            that do not support the plugin's language. Empty if it uses only its own.
        listed: rows for ``gpkit list`` about the language itself, by kind, such as ``operators``.
        acting: runs programs outside games.
        draw: draws programs.
        evolution: evolves programs.
        fitting: fits programs to rows of data.
        functions: turns the parts of a program into functions; exports to Lua, Python and C need nothing else.
        json, latex, lua, python: export programs to these formats.
        steps: follows games in which programs do not choose one action at a time.
        sympy: turns a part of a program into a SymPy expression.
        elsewhere: reads formulas from other tools; takes (a string or a SymPy expression, notation, columns, name,
            is_exact) and returns a program.
        meaning: for a user's own language, returns the function that a program represents.
        into: for a user's own language, returns the language and the program into which a program translates.
        code: returns the machine program for a program's value from compiled templates, faster than ``compile``; None
            if that is impossible.
        rows: like ``code``, but returns the values of a program for arrays; None also if these arrays need more care.
    """

    name: str
    suffix: str
    parse: Callable[..., Any]
    print_program: Callable[..., str]
    format_source: Callable[[Any], str]
    check: Callable[[Any, Offers | None], tuple[Diagnostic, ...]]
    compile: "Callable[[Any, Mapping[str, str], PrimitiveSet], tuple[Program | Plan, ...]]"
    template: Callable[[PrimitiveSet | None], str]
    parts: Callable[[Any], Mapping[str, Any]]
    errors: Callable[[Any, Offers | None], tuple[Diagnostic, ...]] | None = None
    switches: tuple[Switch, ...] = ()
    valuing: Valuing | None = None
    classify: "Classify | None" = None
    simplify: "Callable[[Any, Mapping[str, str], PrimitiveSet | None], Any] | None" = None
    needs_game: bool = False
    recovery: "Recovery | None" = None
    naming: "Naming | None" = None
    like: str = ""
    listed: Mapping[str, Sequence[Mapping[str, str]]] = field(default_factory=dict)
    acting: Lazy[Acting] = absent
    draw: "Lazy[Drawing]" = absent
    evolution: "Lazy[Evolving]" = absent
    fitting: "Lazy[Fitting]" = absent
    functions: "Lazy[Writer]" = absent
    json: "Lazy[Membership]" = absent
    latex: "Lazy[Exporting]" = absent
    lua: "Lazy[Exporting]" = absent
    python: "Lazy[Exporting]" = absent
    steps: "Lazy[Following]" = absent
    sympy: "Lazy[Expression]" = absent
    elsewhere: Lazy[Callable[..., Any]] = absent
    meaning: Callable[[Any], Callable[..., Any]] | None = None
    into: Callable[[Any], tuple[str, Any]] | None = None
    code: Callable[[Any], Any] | None = None
    rows: Callable[[Any, Mapping[str, Any]], Any] | None = None

    @property
    def grammar(self) -> str:
        """The grammar of a user's own language; empty for gpkit's languages."""
        return ""

    @property
    def sha256(self) -> str:
        """The SHA-256 of a user's own language; empty for gpkit's languages."""
        return ""


Form = TypeVar("Form")


def form_of(language: str, find: Callable[[Language], Form | None]) -> Form | None:
    """A form of the language with this name; None if there is no such language or if it has no such form."""
    entry = known_language(language)
    try:
        return None if entry is None else find(entry.load())
    except GuestError:  # loading the language itself shows this error
        return None


def form(language: str, find: Callable[[Language], Form | None], action: str, fix: str = "") -> Form:
    """A form of the language with this name.

    Args:
        language: the name of the language.
        find: returns the form of a language.
        action: the action that needs the form, with ``{}`` for the programs, such as ``draw {}``.
        fix: advice to show in the message; without it, the message names the languages that have the form.

    Raises:
        UsageError: the language has no such form; the message says what gpkit cannot do.
    """
    found = form_of(language, find)
    if found is not None:
        return found
    able = ", ".join(each.name for each in all_languages() if form_of(each.name, find) is not None)
    rest = f"; {fix}" if fix else f", only those in {able}"
    raise UsageError(f"gpkit cannot {action.format(f'programs in {language}')}{rest}")


def check_source(language: Language, source: Any, offers: Offers | None) -> None:
    """Check that a source has no errors; ``offers`` contains its game's offers, or is None without a game.

    Raises:
        SourceError: the source has an error; the first one is reported.
    """
    for finding in (language.errors or language.check)(source, offers):
        if finding.severity == "error":
            raise SourceError(finding, source.text, source.filename)


def laid_out(language: Language, text: str, path: str) -> str:
    """The text in canonical layout. Because the text may overwrite a user's file, the program must stay the same.

    Raises:
        AssertionError: the new text would be a different program.
    """
    before = language.parse(text, path)
    formatted = language.format_source(before)
    after = language.parse(formatted, path)
    if (after.program, after.header) != (before.program, before.header):
        raise AssertionError(f"formatting {path} would change the program")
    return formatted
