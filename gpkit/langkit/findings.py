"""Findings that programs of several languages can have: about the game that they are for, and what they promise."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from importlib.resources import files
from operator import attrgetter
from pathlib import Path
from textwrap import indent
from typing import TYPE_CHECKING, Any

from gpkit.core.diagnostics import Diagnostic, Severity, Span, nearest, suggestion, unseen
from gpkit.core.header import MARK, header_span, header_spans
from gpkit.core.primitives import Alphabet, Offers, PrimitiveSet
from gpkit.core.registry import is_game, way_to_game
from gpkit.core.wording import counted

if TYPE_CHECKING:  # commands that only list things read no programs
    from gpkit.langkit.reading import Source

MOST_SHOWN = 100
"""The most findings of each severity that people and editors are told of one text."""

KEYS = ("game", "alphabet", "title")
"""The header lines that mean something in every language."""

NOT_SHOWN = "I000"
"""The code of the finding that there are more findings than are told."""

NO_GAME = "I001"
"""The code of the finding that no game is known for which names could be checked."""

ALMOST = "W001"
"""The code of the finding that a header line is nearly one that means something."""

BY_PLACE = attrgetter("span.start", "span.end", "code")
"""The order of findings: by place in the text, then by code."""

_HEADING = re.compile(r"^## ([EWI]\d{3})(?:: (.+))?$", re.MULTILINE)
BLOCK = re.compile(r"^```\w*\n(.*?)\n```$", re.MULTILINE | re.DOTALL)
"""The texts in an explanation: one that has the finding, if such a text is short, and one without."""


def explanations_in(package: str) -> dict[str, str]:
    """Markdown that explains each code of a finding, its title first: the headings of ``findings.md`` in a package.

    A package without that file explains none.
    """
    file = files(package) / "findings.md"
    _, *parts = _HEADING.split(file.read_text(encoding="utf-8") if file.is_file() else "")
    told = zip(parts[::3], parts[1::3], parts[2::3], strict=True)
    return {code: f"{title}\n\n{body.strip()}" if title else body.strip() for code, title, body in told}


def as_plain_text(explanation: str) -> str:
    """An explanation for the terminal, its blocks indented."""
    return BLOCK.sub(lambda block: indent(block[1], "    "), explanation)


def finding(code: str, severity: Severity, message: str, span: Span, fix: str = "") -> Diagnostic:
    """A finding with at most a hint."""
    return Diagnostic(code, severity, message, span, (), fix)


def untold(counts: dict[Severity, int], span: Span) -> Diagnostic:
    """Finding that there are so many more findings of these severities, the first of them at that place."""
    nouns: dict[Severity, str] = {"error": "error", "warning": "warning", "info": "remark"}
    more = [counted(counts[each], f"more {noun}") for each, noun in nouns.items() if counts.get(each, 0)]
    verb = "is" if sum(counts.values()) == 1 else "are"
    return finding(NOT_SHOWN, "info", f"{' and '.join(more)} {verb} not shown", span, "fix those above first")


def shown_findings(found: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    """The findings in a text that are shown: ``MOST_SHOWN`` of each severity, and how many more there are."""
    kept: list[Diagnostic] = []
    left: list[Diagnostic] = []
    counts: Counter[Severity] = Counter()
    for each in found:
        counts[each.severity] += 1
        (kept if counts[each.severity] <= MOST_SHOWN else left).append(each)
    return (
        tuple(found) if not left else (*kept, untold(Counter(each.severity for each in left), left[0].span))
    )


def checker(
    language: str,
    code: str,
    place: Callable[[Any], Span],
    findings: Callable[[Any, PrimitiveSet | None], Iterable[Diagnostic]],
) -> Callable[[Any, Offers | None], tuple[Diagnostic, ...]]:
    """The check of a language: a source and what its game offers to the findings, by their place in the text.

    Args:
        language: its name, by which games refer to it.
        code: of the finding that the game takes programs of other languages; then there are no others.
        place: of that finding in a source.
        findings: in a source, with what its game offers to the language; None when no game is known, and then names are
            not checked.
    """

    def check(source: Any, offers: Offers | None) -> tuple[Diagnostic, ...]:
        primitives = None if offers is None else offers.get(language)
        if offers is not None and primitives is None:
            first, taken = next(iter(offers.items()))
            known = " or ".join(f"`{name}`" for name in offers)
            message = f"`{taken.game}` takes programs in the language {known}, not `{language}`"
            fix = f"`gpkit new {first} --game {taken.game}` prints one"
            return (finding(code, "error", message, place(source), fix),)
        found = findings(source, primitives)
        return tuple(sorted(found, key=BY_PLACE))

    return check


def header_findings(
    source: "Source[Any]",
    primitives: PrimitiveSet | None,
    *,
    unknown_game: str,
    other_game: str,
    unknown_alphabet: str,
    keys: Iterable[str] = (),
) -> Iterator[Diagnostic]:
    """Findings, of these codes, about the lines ``game`` and ``alphabet`` of a header, and lines that are almost one.

    Other ``keys`` are those that mean something in this language alone.
    """
    yield from almost_header(ALMOST, source, (*KEYS, *keys))
    game = source.header.get("game")
    meant = None if primitives is None else primitives.game
    if game is not None and game != meant and not is_game(game):
        place, fix = header_span(source.text, "game"), way_to_named_game(game, source.filename)
        yield finding(unknown_game, "error", f"there is no game `{game}`", place, fix)
    elif game is not None and primitives is not None and game != primitives.game:
        message = f"this program is for `{game}` but is checked for `{primitives.game}`"
        place, fix = header_span(source.text, "game"), f"check it with `--game {game}`"
        yield finding(other_game, "warning", message, place, fix)
    name = source.header.get("alphabet")
    if name is not None and primitives is not None and primitives.alphabet(name) is None:
        message = f"`{primitives.game}` has no alphabet `{name}`"
        fix = suggestion(name, [alphabet.name for alphabet in primitives.alphabets])
        yield finding(unknown_alphabet, "error", message, header_span(source.text, "alphabet"), fix)


def almost_header(
    code: str, source: "Source[Any]", keys: Iterable[str], mark: str = MARK
) -> Iterator[Diagnostic]:
    """Findings about header lines that are spelled nearly like one of these keys, where that one is missing."""
    known = tuple(keys)
    for key, span in header_spans(source.text, mark).items():
        like = [each for each in known if each[0] == key[0].lower() or sorted(each) == sorted(key.lower())]
        if key in known or {*source.header}.issuperset(like):  # `name` is not a misspelled `game`
            continue
        meant = nearest(key.lower(), known)
        if meant in like and meant not in source.header:
            message = f"the header line `{key}` has no effect here"
            yield finding(code, "warning", message, span, f"did you mean `{meant}`?{unseen(key, meant)}")


def no_game() -> Diagnostic:
    """Finding that names are not checked, as nobody says for which game."""
    fix = "write `game: NAME` in a comment at the top, or add `--game NAME`"
    return finding(NO_GAME, "info", "no game is named, so names are not checked", Span(0, 0, 1, 1), fix)


def way_to_named_game(game: str, filename: str) -> str:
    """Advice to who names a game in a header that is not here: the file of that name beside the program, or others."""
    beside = Path(filename).parent / f"{game}.py"
    if game.isidentifier() and beside.is_file():
        return f"add `--game {'' if beside.is_absolute() else './'}{beside}`"
    return way_to_game(game)


def unknown_sensor(code: str, primitives: PrimitiveSet, name: str, span: Span) -> Diagnostic:
    """Finding that the game, or the problem, has no sensor of that name."""
    game = f"`{primitives.game}`" if primitives.game else "the problem"
    message = f"{game} has no sensor `{name}`"
    fix = f"write a section as `{name}:`" if name in primitives.sections else ""
    return finding(code, "error", message, span, fix or _suggestion(name, primitives.sensor_names))


_suggestion = lru_cache(maxsize=1000)(suggestion)
"""The same for a name that stands in a hundred thousand places."""


def suggestions(known: Iterable[str]) -> Callable[[str], str]:
    """Gives the suggestion for a word, of as many different words as are told; nothing for any further one."""
    names, found = tuple(known), dict[str, str]()

    def suggest(word: str) -> str:
        if word not in found and len(found) < MOST_SHOWN:
            found[word] = suggestion(word, names)
        return found.get(word, "")

    return suggest


def beyond_alphabet(code: str, shown: str, alphabet: Alphabet, span: Span, fix: str = "") -> Diagnostic:
    """Finding that a program uses more than the alphabet that its header names."""
    message = f"{shown} is not in the alphabet `{alphabet.name}` that the header names"
    return finding(code, "warning", message, span, fix)
