"""Findings that several languages share, such as those about a program's game and its alphabet."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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

if TYPE_CHECKING:  # imported late: commands that only list things read no programs
    from gpkit.langkit.reading import Source

MOST_SHOWN = 100
"""The maximum number of findings of each severity that gpkit shows for a single text."""

KEYS = ("game", "alphabet", "title", "primitives")
"""The keys of header lines that have a meaning in every language."""

NOT_SHOWN = "I000"
"""The code of the finding that gives the number of findings that are not shown."""

ALMOST = "W001"
"""The code of the finding that a header line looks like a misspelt key."""

BY_PLACE = attrgetter("span.start", "span.end", "code")
"""The key for sorting findings: first by position in the text, and then by code."""

_HEADING = re.compile(r"^## ([EWI]\d{3})(?:: (.+))?$", re.MULTILINE)
BLOCK = re.compile(r"^```\w*\n(.*?)\n```$", re.MULTILINE | re.DOTALL)
"""Matches the examples in an explanation: a text with the finding (if a short one exists) and a text without it."""


def explanations_in(package: str) -> dict[str, str]:
    """The explanations of finding codes in Markdown, each with its title, from ``findings.md`` in a package.

    The result is empty if the package has no such file.
    """
    file = files(package) / "findings.md"
    _, *parts = _HEADING.split(file.read_text(encoding="utf-8") if file.is_file() else "")
    told = zip(parts[::3], parts[1::3], parts[2::3], strict=True)
    return {code: f"{title}\n\n{body.strip()}" if title else body.strip() for code, title, body in told}


def as_plain_text(explanation: str) -> str:
    """An explanation as plain text for the terminal, with its code blocks indented."""
    return BLOCK.sub(lambda block: indent(block[1], "    "), explanation)


_SEVERITIES: Mapping[str, Severity] = {"E": "error", "W": "warning", "I": "info"}


def finding(code: str, message: str, span: Span, fix: str = "") -> Diagnostic:
    """A finding, with or without a hint; the first letter of its code gives its severity."""
    return Diagnostic(code, _SEVERITIES[code[0]], message, span, (), fix)


def untold(counts: dict[Severity, int], span: Span) -> Diagnostic:
    """A finding with the number of hidden findings of each severity, at the position of the first hidden one."""
    nouns: dict[Severity, str] = {"error": "error", "warning": "warning", "info": "remark"}
    more = [counted(counts[each], f"more {noun}") for each, noun in nouns.items() if counts.get(each, 0)]
    verb = "is" if sum(counts.values()) == 1 else "are"
    return finding(NOT_SHOWN, f"{' and '.join(more)} {verb} not shown", span, "fix those above first")


def shown_findings(found: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    """The findings to show: at most ``MOST_SHOWN`` of each severity, and a finding with the number of the others."""
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
    """The check function of a language, which returns the findings in a source, in text order, for its game's offers.

    Args:
        language: the name of the language.
        code: the code for the finding that the game does not accept this language; if it applies, it is the only
            finding.
        place: returns the position of that finding in a source.
        findings: takes (source, primitives) and returns the findings in a source; without a game, ``primitives`` is
            None and names are not checked.
    """

    def check(source: object, offers: Offers | None) -> tuple[Diagnostic, ...]:
        primitives = None if offers is None else offers.get(language)
        if offers is not None and primitives is None:
            first, taken = next(iter(offers.items()))
            known = " or ".join(f"`{name}`" for name in offers)
            message = f"`{taken.game}` takes programs in the language {known}, not `{language}`"
            return (
                finding(code, message, place(source), f"`gpkit new {first} --game {taken.game}` prints one"),
            )
        return tuple(sorted(findings(source, primitives), key=BY_PLACE))

    return check


def header_findings(
    source: "Source[Any]",
    primitives: PrimitiveSet | None,
    *,
    unknown_game: str,
    other_game: str,
    unknown_alphabet: str = "",
    keys: Iterable[str] = KEYS,
    almost: str = ALMOST,
    mark: str = MARK,
    words: tuple[str, str, str] = ("this program", "is", "it"),
) -> Iterator[Diagnostic]:
    """Yield findings about the lines ``game`` and ``alphabet`` in a header, and about misspelt keys.

    Args:
        source: the program.
        primitives: the primitives of its game; None if the game is not known.
        unknown_game, other_game, unknown_alphabet, almost: the codes of the findings; without ``unknown_alphabet``, no
            program of the language has an alphabet.
        keys: the header keys that have a meaning.
        mark: the symbol before each line of a header.
        words: the subject, the verb and the pronoun to use in the messages.
    """
    yield from almost_header(almost, source, keys, mark)
    game, meant = source.header.get("game"), None if primitives is None else primitives.game
    if game is not None and game != meant:
        subject, verb, pronoun = words
        place = header_span(source.text, "game", mark)
        if not is_game(game):
            message, fix = f"there is no game `{game}`", way_to_named_game(game, source.filename)
            yield finding(unknown_game, message, place, fix)
        elif meant is not None:
            message = f"{subject} {verb} for `{game}` but {verb} checked for `{meant}`"
            yield finding(other_game, message, place, f"check {pronoun} with `--game {game}`")
    name = source.header.get("alphabet") if unknown_alphabet else None
    if name is not None and primitives is not None and primitives.alphabet(name) is None:
        message = f"`{primitives.game}` has no alphabet `{name}`"
        fix = suggestion(name, [alphabet.name for alphabet in primitives.alphabets])
        yield finding(unknown_alphabet, message, header_span(source.text, "alphabet"), fix)


def almost_header(
    code: str, source: "Source[Any]", keys: Iterable[str], mark: str = MARK
) -> Iterator[Diagnostic]:
    """Findings about header lines that look like a misspelt key, if the key itself is missing."""
    known = tuple(keys)
    for key, span in header_spans(source.text, mark).items():
        like = [each for each in known if each[0] == key[0].lower() or sorted(each) == sorted(key.lower())]
        if key in known or {*source.header}.issuperset(like):  # `name` is not a misspelled `game`
            continue
        meant = nearest(key.lower(), known)
        if meant in like and meant not in source.header:
            yield finding(
                code,
                f"the header line `{key}` has no effect here",
                span,
                f"did you mean `{meant}`?{unseen(key, meant)}",
            )


NO_GAME = finding(
    "I001",
    "no game is named, so names are not checked",
    Span(0, 0, 1, 1),
    "write `game: NAME` in a comment at the top, or add `--game NAME`",
)
"""The finding that gpkit does not check names, because the program does not name its game."""


def way_to_named_game(game: str, filename: str) -> str:
    """Advice about an unknown game in a header: use a file with that name in the program's folder, or another game."""
    beside = Path(filename).parent / f"{game}.py"
    if game.isidentifier() and beside.is_file():
        return f"add `--game {'' if beside.is_absolute() else './'}{beside}`"
    return way_to_game(game)


def unknown_sensor(code: str, primitives: PrimitiveSet, name: str, span: Span) -> Diagnostic:
    """The finding that the game or the problem has no sensor with this name."""
    game = f"`{primitives.game}`" if primitives.game else "the problem"
    message = f"{game} has no sensor `{name}`"
    fix = f"write a section as `{name}:`" if name in primitives.sections else ""
    return finding(code, message, span, fix or _suggestion(name, primitives.sensor_names))


_suggestion = lru_cache(maxsize=1000)(suggestion)
"""``suggestion`` with a cache, for names that appear in many places."""


def suggestions(known: Iterable[str]) -> Callable[[str], str]:
    """A function that suggests a known word for a wrong one, but only for the first ``MOST_SHOWN`` different words."""
    names, found = tuple(known), dict[str, str]()

    def suggest(word: str) -> str:
        if word not in found and len(found) < MOST_SHOWN:
            found[word] = suggestion(word, names)
        return found.get(word, "")

    return suggest


def beyond_alphabet(code: str, shown: str, alphabet: Alphabet, span: Span, fix: str = "") -> Diagnostic:
    """The finding that a program uses something outside the alphabet in its header."""
    return finding(code, f"{shown} is not in the alphabet `{alphabet.name}` that the header names", span, fix)
