"""All errors of a text, not only the first: parsing resumes at a new line or a section's name.

The errors of syntax are those of ``gpkit.langkit.recogniser``. For the rest the lines with errors are made harmless,
by blanks or a few words in their place, the text is read anew, and what its language says of the other lines is kept
as far as it can be said of a line alone.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import accumulate
from threading import get_ident
from types import MappingProxyType
from typing import Any

from lark import Token
from lark.exceptions import UnexpectedInput, UnexpectedToken
from lark.utils import TextSlice

from gpkit.core.characters import MISPLACED
from gpkit.core.diagnostics import Diagnostic, SourceError, Span
from gpkit.core.errors import LimitError
from gpkit.langkit.findings import BY_PLACE, untold
from gpkit.langkit.reading import Reading, Refused
from gpkit.langkit.recogniser import END, START, Fault, Line, Recogniser

MOST_ERRORS = 20
"""The most errors that are told of a text that cannot be read."""

MOST_LINES = 5_000
"""The most lines of a text in which words are tried instead of errors; of a longer one whole parts are left out."""

EFFORT = 20_000_000
"""The most work for the sake of further errors: lines of texts that are looked through, ten for each character read."""

READING = 10
"""The work of reading a character, in that of looking at a line that was read before."""

MOST_TRIED = 3
"""The most lines at or above an error in which words are tried that could fix it."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Recovery:
    """Rules by which a language is read on after an error.

    Attributes:
        reading: its grammar, and what it says about errors.
        local: the codes of errors that concern their own line, whatever stands elsewhere.
        within: the codes of errors that concern their own part of the program, whatever stands in others.
        heading: matches at the start of a line that begins a part of a program.
        headings: the terminals at which parsing resumes also within a line.
        patches: words that are tried instead of a line with an error, so that those around it can be read.
        causes: for codes of errors about names that other lines give, what is in a line that could have given one.
    """

    reading: Reading
    local: frozenset[str]
    within: frozenset[str] = frozenset()
    heading: re.Pattern[str]
    headings: tuple[str, ...] = ()
    patches: tuple[str, ...] = ()
    causes: Mapping[str, re.Pattern[str]] = field(default_factory=lambda: MappingProxyType({}))


@cache
def _recogniser(recovery: Recovery, thread: int) -> Recogniser:
    """The recogniser of a thread: it keeps what it reads."""
    return Recogniser(recovery.reading.grammar(), recovery.headings, recovery.heading)


def syntax_errors(text: str, recovery: Recovery) -> tuple[Diagnostic, ...]:
    """The errors of syntax in a text, by place; of a text that was read before, little but the changes is read."""
    damaged = _Damaged(text, recovery)
    return (*damaged.syntax(), *damaged.untold())


def lines_of(text: str, recovery: Recovery) -> Iterator[tuple[int, Line]]:
    """The lines of a text as the recogniser reads them, each with its place in the text."""
    start, lines = 0, _split(text)
    for line, read in zip(lines, _recogniser(recovery, get_ident()).lines(lines), strict=True):
        yield start, read
        start += len(line)


def accepted_at(text: str, place: int, recovery: Recovery) -> frozenset[str]:
    """The terminals that can stand at a place of a text, whatever follows."""
    recogniser = _recogniser(recovery, get_ident())
    start = text.rfind("\n", 0, place) + 1
    state = START
    for line in recogniser.lines(_split(text[:start])):
        state = line.state
    return recogniser.accepted_behind(state, text[start:place])


def all_errors(
    text: str,
    first: Diagnostic,
    recovery: Recovery,
    read: Callable[[str], Any],
    check: Callable[[Any], Iterable[Diagnostic]],
) -> tuple[Diagnostic, ...]:
    """The errors of a text that cannot be read: the one for which it was refused, then others by their place.

    Args:
        text: the whole text, within the limits of its language.
        first: the error for which its language refused it.
        recovery: of that language.
        read: a text to a source; raises SourceError or LimitError.
        check: the findings in a source.
    """
    if not text:
        return (first,)
    damaged = _Damaged(text, recovery)
    syntax = [each for each in damaged.syntax() if each.span.line != first.span.line]
    damaged.damage(first.span)
    others = [*syntax, *damaged.beyond_syntax(read, check)]
    others.sort(key=BY_PLACE)
    found = (first, *others[: MOST_ERRORS - 1])
    return (*found, *damaged.untold([each.span for each in others[MOST_ERRORS - 1 :]]))


class _Damaged:
    """A text with errors: its lines, and which of them are damaged."""

    def __init__(self, text: str, recovery: Recovery) -> None:
        self.text = text
        self.recovery = recovery
        self.recogniser = _recogniser(recovery, get_ident())
        self.lines = _split(text)
        self.starts = [*accumulate(map(len, self.lines), initial=0)]
        self.damaged: set[int] = set()
        self.more = 0
        self.first_of_more: Span | None = None
        self.left = EFFORT

    def _may(self, work: int) -> bool:
        """Whether there is effort left for some work, which is spent then; no text takes more in all."""
        self.left -= work
        return self.left >= 0

    def syntax(self) -> list[Diagnostic]:
        """The errors of syntax, by place, at most ``MOST_ERRORS``, whose lines are damaged then; others are counted."""
        deceptive: dict[int, int] = {}
        for each in MISPLACED.finditer(self.text):
            deceptive.setdefault(self._line_of(each.start()), each.start())
        lines = ["\0\n" if number in deceptive else line for number, line in enumerate(self.lines)]
        found: list[Diagnostic] = []
        last, since, state = 0, 0, START
        for number, line in enumerate(self.recogniser.lines(lines)):
            for fault in line.faults:
                if len(found) >= MOST_ERRORS:
                    self.more += 1
                    start, end = self.starts[number] + fault.start, self.starts[number] + fault.end
                    self.first_of_more = self.first_of_more or Span(start, end, number + 1, fault.start + 1)
                    continue
                if number in deceptive:
                    refused = self.recovery.reading.deceptive(self.text, deceptive[number])
                else:
                    refused = self._refusal(fault, self.starts[number], last, since)
                found.append(refused.diagnostic)
                missing = fault.leads and fault.terminal in self.recovery.headings
                self.damage(refused.diagnostic.span, self._line_of(last - 1) if missing else number, number)
                since = self.starts[number] + (fault.start if fault.leads else len(self.lines[number]))
            last = last if line.end is None else self.starts[number] + line.end
            if self.recovery.heading.match(self.lines[number]):
                since = max(since, self.starts[number])
            state = line.state
        at_end = self.recogniser.at_end(state)
        if at_end is not None and len(found) < MOST_ERRORS:
            refused = self._refusal(at_end, len(self.text), last, since)
            found.append(refused.diagnostic)
            self.damage(refused.diagnostic.span, self._line_of(last - 1), len(self.lines) - 1)
        return found

    def untold(self, others: Sequence[Span] = ()) -> tuple[Diagnostic, ...]:
        """The finding that there are further errors, others and those that were counted, if there are."""
        count = len(others) + self.more
        first = others[0] if others else self.first_of_more
        return () if first is None else (untold({"error": count}, first),)

    def _refusal(self, fault: Fault, start: int, last: int, since: int) -> Refused:
        """A fault as its language tells of it.

        Args:
            fault: of a line.
            start: the place of that line in the text.
            last: the end of the last token of the lines above.
            since: from where on the text above is as its language wants it.
        """
        reading = self.recovery.reading
        if not fault.terminal:
            return reading.stray_at(self.text, start + fault.start, fault.accepted)
        span = Span.at(self.text, start + fault.start, start + fault.end)
        place = {"start_pos": span.start, "line": span.line, "column": span.column}
        token = Token(
            fault.terminal,
            self.text[span.start : span.end],
            **place,
            end_pos=last if fault.terminal == END else span.end,
        )
        alone = UnexpectedToken(token, set(fault.accepted))  # type: ignore[no-untyped-call]
        if not reading.parts and fault.terminal not in (END, *reading.always_accept):
            return reading.refusal(self.text, alone)
        above: Any = reading.grammar().parse_interactive(
            TextSlice(self.text, min(since, span.start), span.end)
        )
        try:
            tokens = above.exhaust_lexer()
            above.feed_eof(tokens[-1] if tokens else None)
        except Refused as refused:
            return refused
        except UnexpectedToken as error:
            there = error.token.type if fault.terminal == END else error.token.start_pos
            error.interactive_parser = above
            if there in (END, span.start):
                return reading.refusal(self.text, error)
        except UnexpectedInput:
            pass
        return reading.refusal(self.text, alone)

    def beyond_syntax(
        self, read: Callable[[str], Any], check: Callable[[Any], Iterable[Diagnostic]]
    ) -> list[Diagnostic]:
        """Errors in the lines that are not damaged, as far as they can be told of a line alone."""
        found: list[Diagnostic] = []
        for _ in range(MOST_ERRORS if len(self.damaged) < MOST_ERRORS else 0):
            text = self._repaired()
            if text is None or not self._may(READING * len(text)):
                break
            try:
                source = read(text)
            except LimitError:
                break
            except SourceError as error:
                refused, before = error.diagnostic, len(self.damaged)
                if self._is_local(refused):
                    found.append(refused)
                self.damage(refused.span)
                if len(self.damaged) == before:
                    self.damaged.update(self._part(refused.span.line - 1))
                if len(self.damaged) == before:
                    break
            else:
                found += (each for each in check(source) if each.severity == "error" and self._is_local(each))
                break
        return found

    def _is_local(self, found: Diagnostic) -> bool:
        """Whether an error would be there whatever stood in the damaged lines."""
        if not self.damaged.isdisjoint(self._lines_of(found.span)):
            return False
        cause = self.recovery.causes.get(found.code)
        if cause is not None:
            return not any(cause.search(self.lines[number]) for number in self.damaged)
        if found.code in self.recovery.within:
            return self.damaged.isdisjoint(self._part(found.span.line - 1))
        return found.code in self.recovery.local

    def damage(self, span: Span, first: int = 0, last: int = -1) -> None:
        """The lines of a place, and those from one to another, are damaged."""
        self.damaged.update(self._lines_of(span), range(first, last + 1))

    def _part(self, number: int) -> range:
        """The lines of the part of the program that a line is in."""
        heading = self.recovery.heading
        first = next((k for k in range(number, -1, -1) if heading.match(self.lines[k])), 0)
        below = range(max(first, number) + 1, len(self.lines))
        end = next((k for k in below if heading.match(self.lines[k])), len(self.lines))
        return range(first, end)

    def _lines_of(self, span: Span) -> range:
        return range(self._line_of(span.start), self._line_of(max(span.start, span.end - 1)) + 1)

    def _line_of(self, place: int) -> int:
        return max(0, min(bisect_right(self.starts, place) - 1, len(self.lines) - 1))

    def _repaired(self) -> str | None:
        """The text with something harmless instead of the damaged lines; None if nothing else would be left."""
        lines = [self._blank(k) if k in self.damaged else line for k, line in enumerate(self.lines)]
        while (worst := self._first_fault(lines)) is not None:
            better = self._patched(lines, worst)
            if better is not None:
                lines = better
                continue
            before = len(self.damaged)
            part = self._part(min(worst, len(lines) - 1))
            self.damaged.update(part)
            if len(self.damaged) == before:
                return None
            lines = [_blank(line) if k in part else line for k, line in enumerate(lines)]
        return "".join(lines) if self.left >= 0 else None

    def _patched(self, lines: Sequence[str], worst: int) -> list[str] | None:
        """The lines with a patch after which the first fault, now in line ``worst``, is further down."""
        if len(lines) > MOST_LINES:
            return None
        best, furthest = None, worst
        near = sorted((k for k in self.damaged if k <= worst), reverse=True)[:MOST_TRIED]
        for number in near:
            line, head = self.lines[number], self._head(number)
            for patch in ("", *self.recovery.patches):
                words = f"{head} {patch}" if head else patch
                if len(words) > len(line.rstrip("\n")) or lines[number].strip() == words.strip():
                    continue
                trial = [*lines]
                trial[number] = words + _blank(line)[len(words) :]
                fault = self._first_fault(trial)
                if fault is None:
                    return trial
                if fault > furthest:
                    best, furthest = trial, fault
        return best

    def _head(self, number: int) -> str:
        """The name of a section at the start of a line, if there are sections, and one is there."""
        found = self.recovery.heading.match(self.lines[number]) if self.recovery.headings else None
        return found[0] if found is not None else ""

    def _blank(self, number: int) -> str:
        """A line without anything but the name of a section."""
        head = self._head(number)
        return head + _blank(self.lines[number])[len(head) :]

    def _first_fault(self, lines: Sequence[str]) -> int | None:
        """The line of the first fault; the number of lines if it is at the end.

        None if there is none, or no effort is left.
        """
        if not self._may(len(lines)):
            return None
        state, before = START, self.recogniser.work
        fault: int | None = None
        for number, line in enumerate(self.recogniser.lines(lines)):
            if line.faults:
                fault = number
                break
            state = line.state
        else:
            fault = len(lines) if self.recogniser.at_end(state) is not None else None
        self.left -= READING * (self.recogniser.work - before)
        return fault


def _split(text: str) -> list[str]:
    """The lines of a text with their ends; only LF ends a line."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def _blank(line: str) -> str:
    """A line of as many blanks."""
    return " " * (len(line) - 1) + "\n" if line.endswith("\n") else " " * len(line)
