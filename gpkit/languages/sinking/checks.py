"""Static checks of a program that can be read: header, words, sizes, and lines and blocks that do no work."""

from collections.abc import Iterator

from gpkit.core.diagnostics import Diagnostic, Span, suggestion
from gpkit.core.errors import UsageError
from gpkit.core.header import header_span, read_header
from gpkit.core.primitives import Offers, PrimitiveSet, offered
from gpkit.langkit.findings import beyond_alphabet, finding, header_findings, other_language, suggestions
from gpkit.languages.sinking.dialect import dialect_of, switches, values, wrong_value
from gpkit.languages.sinking.flow_checks import first_heading, flow_checks
from gpkit.languages.sinking.parser import Source
from gpkit.languages.sinking.words import vocabulary

NAME = "sinking"
"""Name of the language, by which games refer to it."""

FOLLOWED_LINES = 1_000
"""The most lines of a program whose control flow is followed; no blocks of a game hold so many."""


def check(source: Source, offers: Offers | None) -> tuple[Diagnostic, ...]:
    """The findings in a program, by their place in its text.

    Args:
        source: the program.
        offers: what its game offers; None when no game is known, and then words are not looked up, lines are not
            counted, and those that do no work are not looked for.

    Raises:
        UsageError: the header was given a switch or a placement with a wrong value that is not in the text.
    """
    primitives = offered(offers, NAME)
    if offers is not None and primitives is None:
        return (other_language("E134", NAME, offers, first_heading(source)),)
    findings = list(_header(source, primitives))
    if primitives is not None:
        findings += _sizes(source, primitives.capacities)
        unknown = list(_unknown_words(source, primitives))
        findings += unknown
        findings += _words_beyond(source, primitives)
        known = not (unknown or any(found.code == "E133" for found in findings))
        if known and len(source.program) <= FOLLOWED_LINES:
            findings += flow_checks(source, dialect_of(source.header, primitives), primitives)
    return tuple(sorted(findings, key=lambda found: (found.span.start, found.span.end, found.code)))


def _header(source: Source, primitives: PrimitiveSet | None) -> Iterator[Diagnostic]:
    yield from header_findings(
        source,
        primitives,
        unknown_game="E132",
        other_game="W147",
        unknown_alphabet="E135",
        keys=("dialect", "placement", *(switch.name for switch in switches(primitives))),
    )
    if primitives is not None:
        yield from _placement(source, primitives.placements)
    for key, value in read_header(source.text).items():
        possible = values(key, primitives)
        if possible and value not in possible and source.header.get(key) == value:
            mend = suggestion(value, possible)
            yield finding("E133", "error", wrong_value(key, value), header_span(source.text, key), mend)


def _placement(source: Source, known: tuple[str, ...]) -> Iterator[Diagnostic]:
    """Findings about the header's placement of the program's own ships, where the game has them."""
    name = source.header.get("placement", "")
    if not (name and known) or name in known:
        return
    message, mend = f"there is no placement `{name}`", suggestion(name, known)
    if read_header(source.text).get("placement") != name:
        raise UsageError(f"{message}; {mend}")
    yield finding("E136", "error", message, header_span(source.text, "placement"), mend)


def _sizes(source: Source, capacities: tuple[int, ...]) -> Iterator[Diagnostic]:
    """Blocks with more lines than they hold, and headings that miscount."""
    program = source.program
    blocks = zip(program.names, program.blocks, capacities, source.spans, source.headings, strict=True)
    for name, block, capacity, spans, heading in blocks:
        if len(block) > capacity:
            message = f"`{name}` holds at most {capacity} lines; here are {len(block)}"
            yield finding("E131", "error", message, spans[capacity], "take lines out, from here or above")
        counts = (len(block), capacity)
        if heading is not None and heading.counts not in (None, counts):
            assert heading.counts is not None
            said, said_capacity = heading.counts
            message = (
                f"the heading says ({said}/{said_capacity}), but there are ({len(block)}/{capacity}) lines"
            )
            yield finding("W146", "warning", message, heading.span, f"write `{name}:`")


def _unknown_words(source: Source, primitives: PrimitiveSet) -> Iterator[Diagnostic]:
    words = vocabulary(primitives)
    by_lower = {name.lower(): name for name in words}
    near = suggestions(words)
    for word, span in _lines(source):
        if word not in words:
            message = f"`{primitives.game}` has no instruction `{word}`"
            same = by_lower.get(word.lower())
            mend = f"did you mean `{same}`?" if same else near(word)
            yield finding("E130", "error", message, span, mend)


def _words_beyond(source: Source, primitives: PrimitiveSet) -> Iterator[Diagnostic]:
    """Words outside the alphabet that the header promises; without a promise, words that the source has not."""
    words = vocabulary(primitives)
    alphabet = primitives.alphabet(source.header.get("alphabet", ""))
    for word, span in _lines(source):
        if word not in words:
            continue
        if alphabet is not None and word not in alphabet.instructions:
            mend = "take it out, or name an alphabet that has it"
            yield beyond_alphabet("W148", f"`{word}`", alphabet, span, mend)
        elif alphabet is None and words[word].level > 0:
            message = f"`{word}` is of level {words[word].level}: beyond the language's source"
            promise = next((a.name for a in primitives.alphabets if word in a.instructions), "")
            mend = f"`// alphabet: {promise}` in the header says that this is meant" if promise else ""
            yield finding("I150", "info", message, span, mend)


def _lines(source: Source) -> Iterator[tuple[str, Span]]:
    """Every instruction with its place."""
    for block, spans in zip(source.program.blocks, source.spans, strict=True):
        yield from zip(block, spans, strict=True)
