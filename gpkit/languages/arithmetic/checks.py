"""Static checks of a program that can be read: names, sections, header, and parts that do no work."""

from collections.abc import Iterator

from gpkit.core.diagnostics import Diagnostic, Span
from gpkit.core.primitives import RANDOM, Alphabet, Offers, PrimitiveSet, offered
from gpkit.genomes.tree import Symbol
from gpkit.langkit.findings import (
    beyond_alphabet,
    finding,
    header_findings,
    other_language,
    tie,
    unknown_sensor,
)
from gpkit.langkit.operators import NOTATION
from gpkit.langkit.sections import section_spans
from gpkit.languages.arithmetic.parser import READING, SECTIONS, Source
from gpkit.languages.arithmetic.redundancy import find_redundancies

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
        headings, end = section_spans(READING.tokens(source.text)), source.spans[-1][0].end
        findings += SECTIONS.findings(source, primitives, headings, end)
        findings += _names(source, primitives)
        findings += _ties(source, primitives)
    findings += _redundancies(source)
    findings += _randomness(source)
    return tuple(sorted(findings, key=lambda found: (found.span.start, found.span.end, found.code)))


def _names(source: Source, primitives: PrimitiveSet) -> Iterator[Diagnostic]:
    sensors = primitives.sensor_names
    alphabet = primitives.alphabet(source.header.get("alphabet", ""))
    for symbol, span in _nodes(source):
        if _is_sensor(symbol) and symbol not in sensors:
            yield unknown_sensor("E010", primitives, str(symbol), span)
        elif alphabet is not None and not _belongs(symbol, alphabet):
            shown = "a constant" if isinstance(symbol, float) else f"`{symbol}`"
            yield beyond_alphabet("W035", shown, alphabet, span)


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
            yield tie("W034", spans[0], "read a sensor of the candidate")


def _redundancies(source: Source) -> Iterator[Diagnostic]:
    for tree, spans in zip(source.program.trees, source.spans, strict=True):
        for found in find_redundancies(tree):
            fix = f"write `{found.replacement}`" if found.replacement else ""
            yield finding(found.code, "warning", found.message, spans[found.position], fix)


def _randomness(source: Source) -> Iterator[Diagnostic]:
    for tree, spans in zip(source.program.trees, source.spans, strict=True):
        if RANDOM in tree.symbols:
            message = "this formula draws random numbers: the same position can get different decisions"
            yield finding("I037", "info", message, spans[tree.symbols.index(RANDOM)])


def _nodes(source: Source) -> Iterator[tuple[Symbol, Span]]:
    for tree, spans in zip(source.program.trees, source.spans, strict=True):
        yield from zip(tree.symbols, spans, strict=True)


def _is_sensor(symbol: Symbol) -> bool:
    return isinstance(symbol, str) and symbol not in NOTATION and symbol != RANDOM
