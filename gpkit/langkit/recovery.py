"""Finds all errors in a text, not only the first one: parsing resumes at the next line or section name.

After an error, the parser forgets everything before it. It resumes in every state that accepts the next token, on a
stack of unknown depth. It reports another error only if no program at all could continue in this way. Therefore, no
reported error is a mere consequence of an earlier one (H. Richter, "Noncorrecting syntax error recovery", 1985; G.
Cormack, "An LR substring parser for noncorrecting syntax error recovery", 1989).

The parser numbers each set of stacks when it first occurs, and caches the transitions between sets and the lines that
it reads. After a change to a text, the parser rereads little more than the changed lines.

To find errors other than syntax errors, gpkit replaces the damaged lines with spaces or a few words. The language reads
and checks this text, and gpkit keeps the errors that do not depend on the damaged lines.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cache
from itertools import accumulate
from threading import get_ident
from types import MappingProxyType
from typing import Any

from lark import Lark, Token
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken
from lark.lexer import BasicLexer, LexerState
from lark.parsers.lalr_analysis import Shift
from lark.utils import TextSlice

from gpkit.core.diagnostics import Diagnostic, SourceError, Span
from gpkit.core.errors import LimitError
from gpkit.core.wording import MISPLACED
from gpkit.langkit.findings import BY_PLACE, untold
from gpkit.langkit.reading import Reading, Refused

UNKNOWN = -1
"""The bottom element of a stack of which only the top is known."""

ANYTHING = 0
"""The number of the set of all stacks; after an error, parsing resumes with this set."""

START = 1
"""The number of the set that contains only the stack at the start of a text."""

END = "$END"
"""The terminal for the end of a text."""

NEWLINE = "_NEWLINE"
"""The terminal for line ends, in grammars where line ends matter."""

MOST_KNOWN = 300
"""The maximum depth of a stack; a deeper stack loses its bottom, which can hide errors but never cause them."""

MOST_KEPT = 50_000
"""The maximum number of cached sets of stacks and of cached lines; for a long text, three times its number of lines."""

Stack = tuple[int, ...]
Stacks = frozenset[Stack]


@dataclass(frozen=True, slots=True)
class Fault:
    """A token or a stray character in the wrong place.

    Attributes:
        start, end: the positions in the line where it starts and ends.
        terminal: the terminal of the token; empty for a character.
        accepted: the terminals that could stand there.
        leads: whether it is the first token of its line.
    """

    start: int
    end: int
    terminal: str
    accepted: frozenset[str]
    leads: bool = False


@dataclass(frozen=True, slots=True)
class Lexeme:
    """A token of a line: its terminal, its text, and the position in the line where it starts."""

    terminal: str
    text: str
    start: int

    @property
    def end(self) -> int:
        """The position just after the token."""
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """A parsed line: the possible stacks of the parser after it, its faults, and its tokens.

    Rereading an unchanged line returns the same object, so a line can serve as a cache key.
    """

    state: int
    faults: tuple[Fault, ...]
    tokens: tuple[Lexeme, ...]

    @property
    def end(self) -> int | None:
        """The end of its last token; None if it has no tokens."""
        return self.tokens[-1].end if self.tokens else None


class Recogniser:
    """The parse table of a grammar as an automaton over sets of stacks, which grows as it reads more texts."""

    def __init__(self, grammar: Lark, headings: Iterable[str], heading: re.Pattern[str]) -> None:
        """Create a recogniser for a grammar; ``work`` counts the characters of all lines that were not in its cache.

        Args:
            grammar: the grammar of a language.
            headings: the terminals of section names; parsing resumes at them.
            heading: matches the start of a line that begins with a section name.
        """
        frontend: Any = grammar.parser
        table = frontend.parser._parse_table
        self._table: dict[int, dict[str, tuple[Any, Any]]] = table.states
        (self._final,), (self._first,) = table.end_states.values(), table.start_states.values()
        self._contextual: Any = frontend.lexer.lexer
        self._conf = grammar.lexer_conf
        self._always = frozenset(frontend.lexer.postlexer.always_accept)
        self._headings = frozenset(headings)
        self._heading = heading
        self.work = 0
        self._line_ends = any(terminal.name == NEWLINE for terminal in grammar.terminals)
        self._clear()

    def _clear(self) -> None:
        self._numbers: dict[Stacks, int] = {}
        self._sets: list[Stacks] = []
        self._steps: dict[tuple[int, str], int | None] = {}
        self._takes: dict[tuple[int, str], frozenset[str]] = {}
        self._lexers: dict[int, BasicLexer] = {}
        self._lines: dict[tuple[int, str], Line] = {}
        anything = frozenset((UNKNOWN, state) for state in self._table)
        assert self._number(anything) == ANYTHING
        assert self._number(frozenset({(self._first,)})) == START

    def lines(self, lines: Sequence[str]) -> Iterator[Line]:
        """Parse the lines of a text in order, and yield them; the given lines include their line ends."""
        if max(len(self._sets), len(self._lines)) > max(MOST_KEPT, 3 * len(lines)):
            self._clear()
        state = START
        for line in lines:
            key = (state, line)
            read = self._lines.get(key)
            if read is None:
                read = self._lines[key] = self._line(state, line)
                self.work += len(line)
            yield read
            state = read.state

    def at_end(self, state: int) -> Fault | None:
        """The fault in a text that ends after a line with this state; None if a text may end there."""
        if state == ANYTHING or self._step(state, END) is not None:
            return None
        return Fault(0, 0, END, self._accepted(state, END))

    def accepted_behind(self, state: int, start: str) -> frozenset[str]:
        """The terminals that can follow the given start of a line; ``state`` is the state before that line."""
        behind = self._line(state, start)
        if behind.state == ANYTHING or behind.faults:
            return frozenset(terminal.name for terminal in self._conf.terminals)
        stacks = self._sets[behind.state]
        names = {name for stack in stacks for name in self._table[stack[-1]] if name.isupper()}
        return frozenset(name for name in names if self._step(behind.state, name) is not None)

    def _line(self, state: int, line: str) -> Line:
        """Parse a line from this state; report at most one error, plus one if the line starts with a heading."""
        lexer_state = LexerState(TextSlice(line, 0, len(line)))
        faults: list[Fault] = []
        tokens: list[Lexeme] = []
        heads = bool(self._headings) and self._heading.match(line) is not None
        while True:
            try:
                lexer = ANYTHING if heads and not tokens else state  # a heading is one wherever it stands
                token = self._token(lexer, lexer_state)
            except EOFError:
                return Line(state, tuple(faults), tuple(tokens))
            except UnexpectedCharacters as error:
                place = error.pos_in_stream or 0
                accepted = frozenset() if state == ANYTHING else self._accepted(state, "")
                fault = Fault(place, place + 1, "", accepted, not tokens)
            else:
                following = self._step(state, token.type)
                start = token.start_pos or 0
                if following is None:
                    accepted = self._accepted(state, token.type)
                    fault = Fault(start, start + len(token), token.type, accepted, not tokens)
                tokens.append(Lexeme(token.type, str(token), start))
                if following is not None:
                    state = following
                    continue
            faults.append(fault)
            if not (fault.leads and heads and fault.terminal in self._headings):
                tokens += self._others(lexer_state)
                return Line(
                    self._resumed(NEWLINE) if self._line_ends else ANYTHING, tuple(faults), tuple(tokens)
                )
            state = self._resumed(fault.terminal)

    def _others(self, lexer_state: LexerState) -> Iterator[Lexeme]:
        """Yield the tokens in the rest of a line; stray characters are skipped."""
        while True:
            try:
                token = self._contextual.root_lexer.next_token(lexer_state)
            except EOFError:
                return
            except UnexpectedCharacters:
                lexer_state.line_ctr.char_pos += 1
            else:
                yield Lexeme(token.type, str(token), token.start_pos)

    def _token(self, state: int, lexer_state: LexerState) -> Token:
        """The next token of a line, even if the grammar does not accept it there.

        Raises:
            EOFError: the line ends.
            UnexpectedCharacters: no token starts there.
        """
        try:
            return self._lexer(state).next_token(lexer_state)
        except UnexpectedCharacters as error:
            last = lexer_state.last_token
            try:
                token: Token = self._contextual.root_lexer.next_token(lexer_state)
            except UnexpectedCharacters:
                raise error from None
            lexer_state.last_token = last
            return token

    def _lexer(self, state: int) -> BasicLexer:
        """The lexer for the terminals that can follow this state."""
        lexer = self._lexers.get(state)
        if lexer is None:
            tops = {stack[-1] for stack in self._sets[state]}
            if state == ANYTHING:
                lexer = self._contextual.root_lexer
            elif len(tops) == 1:
                lexer = self._contextual.lexers[tops.pop()]
            else:
                accepted = frozenset(name for top in tops for name in self._table[top] if name.isupper())
                lexer = self._union(accepted | self._always | frozenset(self._conf.ignore))
            self._lexers[state] = lexer
        return lexer

    @cache  # noqa: B019 - recognisers are as few as grammars, and live as long
    def _union(self, names: frozenset[str]) -> BasicLexer:
        conf = copy(self._conf)
        conf.terminals = [terminal for terminal in conf.terminals if terminal.name in names]
        conf.skip_validation = True
        return BasicLexer(conf)

    def _number(self, stacks: Stacks) -> int:
        number = self._numbers.setdefault(stacks, len(self._sets))
        if number == len(self._sets):
            self._sets.append(stacks)
        return number

    def _step(self, state: int, terminal: str) -> int | None:
        """The set of stacks after a token; None if the token is an error there."""
        key = (state, terminal)
        if key not in self._steps:
            if state == ANYTHING:
                self._steps[key] = self._resumed(terminal)
            else:
                shifted, _ = self._feed(self._sets[state], terminal)
                self._steps[key] = self._number(shifted) if shifted else None
        return self._steps[key]

    def _resumed(self, terminal: str) -> int:
        """The set of stacks after a token, if nothing is known about the text before it."""
        found = set()
        for steps in self._table.values():
            action, target = steps.get(terminal, (None, None))
            if action is Shift:
                found.add((UNKNOWN, target))
        return self._number(frozenset(found)) if found else ANYTHING

    def _accepted(self, state: int, refused: str) -> frozenset[str]:
        """The terminals that could replace a refused terminal, after the reductions that the parser made for it."""
        key = (state, refused)
        if key not in self._takes:
            _, stuck = self._feed(self._sets[state], refused)
            names = {name for stack in stuck for name in self._table[stack[-1]] if name.isupper()}
            self._takes[key] = frozenset(name for name in names if self._feed(stuck, name)[0])
        return self._takes[key]

    def _feed(self, stacks: Stacks, terminal: str) -> tuple[Stacks, Stacks]:
        """The stacks that accept a token, in their new state, and the stacks that do not accept it."""
        pending, seen = list(stacks), set(stacks)
        shifted, stuck = set(), set()
        while pending:
            stack = pending.pop()
            action, argument = self._table[stack[-1]].get(terminal, (None, None))
            if action is None:
                stuck.add(stack)
            elif action is Shift:
                shifted.add(self._cut((*stack, argument)))
            else:
                for reduced in self._reduced(stack, argument):
                    if terminal == END and reduced[-1] == self._final:
                        shifted.add(reduced)
                    elif reduced not in seen:
                        seen.add(reduced)
                        pending.append(reduced)
        return frozenset(shifted), frozenset(stuck)

    def _reduced(self, stack: Stack, rule: Any) -> Iterable[Stack]:
        """The stacks after a reduction; there can be several if the reduction goes below the known part of a stack."""
        left = stack[: max(0, len(stack) - len(rule.expansion))]
        origin = rule.origin.name
        if left and left[-1] != UNKNOWN:
            yield (*left, self._table[left[-1]][origin][1])
            return
        for target in {steps[origin][1] for steps in self._table.values() if origin in steps}:
            yield (UNKNOWN, target)

    @staticmethod
    def _cut(stack: Stack) -> Stack:
        return stack if len(stack) <= MOST_KNOWN else (UNKNOWN, *stack[-MOST_KNOWN // 2 :])


MOST_ERRORS = 20
"""The maximum number of errors to report for a text that does not parse."""

MOST_LINES = 5_000
"""The maximum number of lines of a text in which recovery tries patches; in longer texts, it blanks whole parts."""

EFFORT = 20_000_000
"""The budget for finding more errors; reading a cached line costs 1, and reading a character costs ``READING``."""

READING = 10
"""The cost of reading a character; reading a cached line costs 1."""

MOST_TRIED = 3
"""The maximum number of damaged lines, on or above the line of an error, in which recovery tries patches."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Recovery:
    """The rules of a language for recovery after an error.

    Attributes:
        reading: its grammar and its error messages.
        local: the codes of errors that depend only on their own line.
        within: the codes of errors that depend only on their own part of the program.
        heading: matches the start of a line that begins a part of a program.
        headings: the terminals at which parsing resumes even within a line.
        patches: words to try in place of a line with an error, so that the lines around it parse.
        causes: for each error code about an unknown name, a pattern for lines that could define the name.
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
    """The recogniser of the current thread, which caches the lines that it reads."""
    return Recogniser(recovery.reading.grammar(), recovery.headings, recovery.heading)


def syntax_errors(text: str, recovery: Recovery) -> tuple[Diagnostic, ...]:
    """The syntax errors in a text, in order; after a change, this rereads little more than the changed lines."""
    damaged = _Damaged(text, recovery)
    return (*damaged.syntax(), *damaged.untold())


def lines_of(text: str, recovery: Recovery) -> Iterator[tuple[int, Line]]:
    """Yield the parsed lines of a text, each with its position in the text."""
    start, lines = 0, _split(text)
    for line, read in zip(lines, _recogniser(recovery, get_ident()).lines(lines), strict=True):
        yield start, read
        start += len(line)


def accepted_at(text: str, place: int, recovery: Recovery) -> frozenset[str]:
    """The terminals that can come next at a position in a text; the text after that position has no effect."""
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
    read: Callable[[str], object],
    check: Callable[[Any], Iterable[Diagnostic]],
) -> tuple[Diagnostic, ...]:
    """The errors in a text that does not parse: first the parser's error, and then the others in order.

    Args:
        text: the whole text, within the limits of its language.
        first: the error from the parser of its language.
        recovery: the rules of that language.
        read: turns a text into a source; raises SourceError or LimitError.
        check: returns the findings in a source.
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
    """A text with errors: its lines, and the numbers of the damaged ones."""

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
        """Deduct this work from the budget, and return whether enough was left."""
        self.left -= work
        return self.left >= 0

    def syntax(self) -> list[Diagnostic]:
        """The first ``MOST_ERRORS`` syntax errors; also marks their lines as damaged, and counts the other errors."""
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
                refused = (
                    self.recovery.reading.deceptive(self.text, deceptive[number])
                    if number in deceptive
                    else self._refusal(fault, self.starts[number], last, since)
                )
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
        """The finding with the number of ``others`` and errors that ``syntax`` counted; empty if there are none."""
        count = len(others) + self.more
        first = others[0] if others else self.first_of_more
        return () if first is None else (untold({"error": count}, first),)

    def _refusal(self, fault: Fault, start: int, last: int, since: int) -> Refused:
        """The error for a fault, with a message from the fault's language.

        Args:
            fault: a fault in a line.
            start: the position of that line in the text.
            last: the end of the last token in the lines above.
            since: a position such that the text between it and the fault has no errors.
        """
        reading = self.recovery.reading
        if not fault.terminal:
            return reading.stray_at(self.text, start + fault.start, fault.accepted)
        span = Span.at(self.text, start + fault.start, start + fault.end)
        token = Token(
            fault.terminal,
            self.text[span.start : span.end],
            start_pos=span.start,
            line=span.line,
            column=span.column,
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
        self, read: Callable[[str], object], check: Callable[[Any], Iterable[Diagnostic]]
    ) -> list[Diagnostic]:
        """The errors in undamaged lines that do not depend on damaged lines."""
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
        """True if an error does not depend on the damaged lines."""
        if not self.damaged.isdisjoint(self._lines_of(found.span)):
            return False
        cause = self.recovery.causes.get(found.code)
        if cause is not None:
            return not any(cause.search(self.lines[number]) for number in self.damaged)
        if found.code in self.recovery.within:
            return self.damaged.isdisjoint(self._part(found.span.line - 1))
        return found.code in self.recovery.local

    def damage(self, span: Span, first: int = 0, last: int = -1) -> None:
        """Mark the lines of a span as damaged, and the lines from ``first`` to ``last``."""
        self.damaged.update(self._lines_of(span), range(first, last + 1))

    def _part(self, number: int) -> range:
        """The lines from the heading above the given line to the next heading."""
        heading = self.recovery.heading
        first = next((k for k in range(number, -1, -1) if heading.match(self.lines[k])), 0)
        below = range(max(first, number) + 1, len(self.lines))
        return range(first, next((k for k in below if heading.match(self.lines[k])), len(self.lines)))

    def _lines_of(self, span: Span) -> range:
        return range(self._line_of(span.start), self._line_of(max(span.start, span.end - 1)) + 1)

    def _line_of(self, place: int) -> int:
        return max(0, min(bisect_right(self.starts, place) - 1, len(self.lines) - 1))

    def _repaired(self) -> str | None:
        """The text with harmless lines in place of the damaged ones; None if that is not possible."""
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
        """The lines with a patch that moves the first fault further down than line ``worst``; None if no patch does."""
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
        """The section name at the start of a line; empty if there is none."""
        found = self.recovery.heading.match(self.lines[number]) if self.recovery.headings else None
        return found[0] if found is not None else ""

    def _blank(self, number: int) -> str:
        """A line with spaces in place of everything except a section name."""
        head = self._head(number)
        return head + _blank(self.lines[number])[len(head) :]

    def _first_fault(self, lines: Sequence[str]) -> int | None:
        """The line of the first fault; for a fault at the end of the text, the number of lines.

        None if there is no fault, or if the budget is spent.
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
    """The lines of a text, including their line ends; only LF ends a line."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def _blank(line: str) -> str:
    """A line of spaces with the same length."""
    return " " * (len(line) - 1) + "\n" if line.endswith("\n") else " " * len(line)
