"""Static checks of a program that can be read: names, sections, header, and parts that do no work."""

from collections.abc import Iterator
from functools import cache

from gpkit.core.diagnostics import Diagnostic, Span, nearest, suggestion
from gpkit.core.primitives import RANDOM, Alphabet, Offers, PrimitiveSet, offered
from gpkit.genomes.tree import LONE_SECTION, Symbol
from gpkit.languages.arithmetic.operators import NOTATION
from gpkit.languages.arithmetic.parser import Source
from gpkit.languages.arithmetic.redundancy import find_redundancies
from gpkit.languages.arithmetic.syntax import section_spans
from gpkit.languages.findings import finding, header_findings, other_language

NAME = "arithmetic"
"""Name of the language, by which games refer to it."""


def check(source: Source, offers: Offers | None) -> tuple[Diagnostic, ...]:
    """The findings in a program, by their place in its text.

    Args:
        source: the program.
        offers: what its game offers; None when no game is known, and then names are not checked.
    """
    primitives = offered(offers, NAME)
    if offers is not None and primitives is None:
        return (other_language("E015", NAME, offers, source.spans[0][0]),)
    findings = list(
        header_findings(source, primitives, unknown_game="E013", other_game="W036", unknown_alphabet="E014")
    )
    if primitives is not None:
        findings += _sections(source, primitives)
        findings += _names(source, primitives)
        findings += _ties(source, primitives)
    findings += _redundancies(source)
    findings += _randomness(source)
    return tuple(sorted(findings, key=lambda found: (found.span.start, found.span.end, found.code)))


def _sections(source: Source, primitives: PrimitiveSet) -> Iterator[Diagnostic]:
    names, wanted = source.program.names, primitives.sections
    missing = [name for name in wanted if name not in names]
    end = source.spans[-1][0].end
    end_span = Span.at(source.text, end, end)
    if names == (LONE_SECTION,) and LONE_SECTION not in wanted:
        message = f"a program for `{primitives.game}` has {_sections_in_words(missing)}, not a lone formula"
        yield finding("E011", "error", message, source.spans[0][0], f"start it with `{wanted[0]}:`")
        return
    for name, span in zip(names, section_spans(source.text), strict=False):
        if name not in wanted:
            message = f"`{primitives.game}` has no section `{name}`"
            close = nearest(name, missing)
            mend = f"did you mean `{close}`?" if close else f"it has {_sections_in_words(wanted)}"
            yield finding("E012", "error", message, span, mend)
    if missing:
        message = f"a program for `{primitives.game}` also has {_sections_in_words(missing)}"
        yield finding("E011", "error", message, end_span, f"add `{missing[0]}: ` and a formula")


def _sections_in_words(names: list[str] | tuple[str, ...]) -> str:
    words = " and ".join(f"`{name}`" for name in names)
    return f"the section {words}" if len(names) == 1 else f"the sections {words}"


def _names(source: Source, primitives: PrimitiveSet) -> Iterator[Diagnostic]:
    sensors = primitives.sensor_names
    alphabet = primitives.alphabet(source.header.get("alphabet", ""))

    @cache
    def mend(name: str) -> str:
        return suggestion(name, sensors)

    for symbol, span in _nodes(source):
        if _is_sensor(symbol) and symbol not in sensors:
            assert isinstance(symbol, str)
            message = f"`{primitives.game}` has no sensor `{symbol}`"
            yield finding("E010", "error", message, span, mend(symbol))
        elif alphabet is not None and not _belongs(symbol, alphabet):
            shown = "a constant" if isinstance(symbol, float) else f"`{symbol}`"
            message = f"{shown} is not in the alphabet `{alphabet.name}` that the header names"
            yield finding("W035", "warning", message, span)


def _belongs(symbol: Symbol, alphabet: Alphabet) -> bool:
    if isinstance(symbol, float):
        return alphabet.constants
    if symbol in NOTATION:
        return any(operator.name == symbol for operator in alphabet.operators)
    return symbol in alphabet.sensors


def _ties(source: Source, primitives: PrimitiveSet) -> Iterator[Diagnostic]:
    """Formulas that see nothing of the candidate; unknown sensors are given the benefit of the doubt."""
    same = {sensor.name for sensor in primitives.sensors if sensor.shared}
    for tree, spans in zip(source.program.trees, source.spans, strict=True):
        if all(isinstance(symbol, float) or symbol in NOTATION or symbol in same for symbol in tree.symbols):
            message = "every candidate gets the same value here, so the first one is always chosen"
            yield finding("W034", "warning", message, spans[0], "read a sensor that speaks of the candidate")


def _redundancies(source: Source) -> Iterator[Diagnostic]:
    for tree, spans in zip(source.program.trees, source.spans, strict=True):
        for found in find_redundancies(tree):
            mend = f"write `{found.replacement}`" if found.replacement else ""
            yield finding(found.code, "warning", found.message, spans[found.position], mend)


def _randomness(source: Source) -> Iterator[Diagnostic]:
    for tree, spans in zip(source.program.trees, source.spans, strict=True):
        if RANDOM in tree.symbols:
            message = "this formula draws random numbers: the same moment can be decided differently"
            yield finding("I037", "info", message, spans[tree.symbols.index(RANDOM)])


def _nodes(source: Source) -> Iterator[tuple[Symbol, Span]]:
    for tree, spans in zip(source.program.trees, source.spans, strict=True):
        yield from zip(tree.symbols, spans, strict=True)


def _is_sensor(symbol: Symbol) -> bool:
    return isinstance(symbol, str) and symbol not in NOTATION and symbol != RANDOM
