"""The seam between languages and everything above: what every language can do with texts and programs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from gpkit.core.diagnostics import Diagnostic, SourceError
from gpkit.core.primitives import Offers, PrimitiveSet, Switch

if TYPE_CHECKING:  # commands that only list things load no arrays
    import numpy as np
    from numpy.typing import NDArray

    from gpkit.langkit.naming import Naming
    from gpkit.langkit.recovery import Recovery
    from gpkit.matching.plan import Plan
    from gpkit.vm.program import Program

    Classify = Callable[
        [Any, Sequence[str], NDArray[np.float64]], tuple[Sequence[str | float], NDArray[np.int64]]
    ]


@dataclass(frozen=True, slots=True)
class Valuing:
    """Readable meaning of programs whose parts, one for each decision of a game, value its candidates one by one.

    A part has ``reads``, the names of the sensors that it reads, and ``draws``, how many random numbers one evaluation
    draws at most.

    Attributes:
        evaluate: a part, the values of sensors by name, and a source of random numbers to the value of a candidate.
        node_values: the same to the values of the nodes that were evaluated, by position.
        executed: a part and these values to the positions of the nodes that counted.
    """

    evaluate: Callable[[Any, Mapping[str, float], Callable[[], float]], float]
    node_values: Callable[[Any, Mapping[str, float], Callable[[], float]], dict[int, float]]
    executed: Callable[[Any, Mapping[int, float]], frozenset[int]]


@dataclass(frozen=True, slots=True)
class Language:
    """One language.

    Attributes:
        name: how the registry and ``--lang`` call it.
        suffix: of its files, with the point.
        parse: text and file name to a source: ``program``, whose ``language`` is the name, ``header``, ``text``,
            ``filename``, and places of its own form; raises SourceError or LimitError.
        print_program: a program and header lines to the canonical text of a file.
        format_source: a source to its text in canonical layout, comments kept.
        check: the findings in a source, by place, for the game with these offers or for none.
        errors: like ``check``, but finds only the errors, and sooner; None if only ``check`` finds them.
        compile: a program and the lines of its header to verified programs of the machine, as many as the game of that
            primitive set asks for, or to the searches of its rules; the program has no finding of severity ``error``
            for that game.
        template: the text of a small program for a game (None: for no game in particular), with comments.
        parts: what a source consists of, by name: formulas, instructions or rules as texts.
        switches: the questions whose answers are its dialects, beside those of games; empty if it has no dialects.
        valuing: the readable meaning of programs that value candidates; None for others.
        classify: a program of one part, names of columns and float64 (columns, rows) to its leaves, names or values,
            and the number of the leaf that every row comes to, int64 (rows,); None where programs classify nothing.
        simplify: a program, the lines of its header and what its game offers, if it has one, to a program with the same
            values or moves, perhaps smaller; None where that is not known.
        needs_game: whether programs mean nothing without their game, so that it is guessed where nobody names it.
        recovery: how reading goes on after an error; None where only the first one is told.
        naming: the names in a text and their meanings, for editors; None where editors are told of findings alone.
        like: of a language from outside, the one whose primitive sets it takes where a game does not know it, such as
            that of formulas, whose parts value candidates; empty if it takes none but its own.
        listed: rows of ``gpkit list`` about what the language itself has, by kind, such as ``operators``.
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


def check_source(language: Language, source: Any, offers: Offers | None) -> None:
    """Check that a source has no error; ``offers`` are those of its game, or None without a game.

    Raises:
        SourceError: the source has an error; the first one is reported.
    """
    for finding in (language.errors or language.check)(source, offers):
        if finding.severity == "error":
            raise SourceError(finding, source.text, source.filename)


def laid_out(language: Language, text: str, path: str) -> str:
    """The text laid out, certain to be the same program: people's files are overwritten with it.

    Raises:
        AssertionError: the text would be another program.
    """
    before = language.parse(text, path)
    formatted = language.format_source(before)
    after = language.parse(formatted, path)
    if (after.program, after.header) != (before.program, before.header):
        raise AssertionError(f"formatting {path} would change the program")
    return formatted
