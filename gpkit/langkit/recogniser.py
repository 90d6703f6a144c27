"""Recogniser that reads on after an error: LR parsing of substrings, line by line.

After an error nothing is known of what stands above, so the parser goes on with every state that takes the next token,
on a stack of unknown depth; it meets another error only where no program at all could go on so. What it reports after
the first error is therefore never a consequence of that one (H. Richter, "Noncorrecting syntax error recovery", 1985;
G. Cormack, "An LR substring parser for noncorrecting syntax error recovery", 1989).

The sets of stacks are numbered as they are met and their transitions kept, as are the lines that were read: of a text
that is read again after a change, little more than the changed lines is read.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cache
from typing import Any

from lark import Lark, Token
from lark.exceptions import UnexpectedCharacters
from lark.lexer import BasicLexer, LexerState
from lark.parsers.lalr_analysis import Shift
from lark.utils import TextSlice

UNKNOWN = -1
"""Bottom of a stack of which only the top is known."""

ANYTHING = 0
"""Number of the set of all stacks, from which parsing goes on after an error."""

START = 1
"""Number of the set that has only the stack of a beginning."""

END = "$END"
"""Terminal of the end of a text."""

NEWLINE = "_NEWLINE"
"""Terminal of line ends, in grammars to which they mean something."""

MOST_KNOWN = 300
"""The most states of a stack that are kept; of a deeper one the bottom is forgotten, which can only hide an error."""

MOST_KEPT = 50_000
"""The most sets of stacks and the most lines that are kept, or thrice those of a longer text."""

Stack = tuple[int, ...]
Stacks = frozenset[Stack]


@dataclass(frozen=True, slots=True)
class Fault:
    """A token, or a character without meaning, that cannot stand where it does.

    Attributes:
        start, end: its place in the line.
        terminal: of the token; empty for a character.
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
    """A token of a line: its terminal, its text, and the place in the line where it starts."""

    terminal: str
    text: str
    start: int

    @property
    def end(self) -> int:
        """The place behind it."""
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """A line that was read: the set of stacks behind it, what is wrong in it, and all its tokens.

    Lines that are read again are the same object, so what is made of one can be kept by it.
    """

    state: int
    faults: tuple[Fault, ...]
    tokens: tuple[Lexeme, ...]

    @property
    def end(self) -> int | None:
        """The end of its last token; None if it has none."""
        return self.tokens[-1].end if self.tokens else None


class Recogniser:
    """The parse table of a grammar as an automaton over sets of stacks, which grows as texts are read."""

    def __init__(self, grammar: Lark, headings: Iterable[str], heading: re.Pattern[str]) -> None:
        """A recogniser of the grammar; its ``work`` is the characters of all lines that it had not read before.

        Args:
            grammar: of a language.
            headings: the terminals of the names of sections, at which parsing resumes.
            heading: matches at the start of lines that begin with one.
        """
        frontend: Any = grammar.parser
        table = frontend.parser._parse_table
        self._table: dict[int, dict[str, tuple[Any, Any]]] = table.states
        self._final: int = table.end_states["program"]
        self._first: int = table.start_states["program"]
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
        """The lines of a text as they are read, one after another; each comes with its line end."""
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
        """The fault of a text that ends behind such a line, if that is one."""
        if state == ANYTHING or self._step(state, END) is not None:
            return None
        return Fault(0, 0, END, self._accepted(state, END))

    def accepted_behind(self, state: int, start: str) -> frozenset[str]:
        """The terminals that can follow the start of a line, which began with such stacks."""
        behind = self._line(state, start)
        if behind.state == ANYTHING or behind.faults:
            return frozenset(terminal.name for terminal in self._conf.terminals)
        stacks = self._sets[behind.state]
        names = {name for stack in stacks for name in self._table[stack[-1]] if name.isupper()}
        return frozenset(name for name in names if self._step(behind.state, name) is not None)

    def _line(self, state: int, line: str) -> Line:
        """A line that starts with such stacks: one error is told of it, and one more behind a heading."""
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
        """The tokens in the rest of a line; characters without meaning are passed over."""
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
        """The next token of a line; one that has no place there, too, if it is one at all.

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
        """The lexer of the terminals that can follow."""
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
        """The set of stacks behind a token; None if it cannot stand there."""
        key = (state, terminal)
        if key not in self._steps:
            if state == ANYTHING:
                self._steps[key] = self._resumed(terminal)
            else:
                shifted, _ = self._feed(self._sets[state], terminal)
                self._steps[key] = self._number(shifted) if shifted else None
        return self._steps[key]

    def _resumed(self, terminal: str) -> int:
        """The set of stacks behind a token of which nothing is known but that it is one."""
        found = set()
        for steps in self._table.values():
            action, target = steps.get(terminal, (None, None))
            if action is Shift:
                found.add((UNKNOWN, target))
        return self._number(frozenset(found)) if found else ANYTHING

    def _accepted(self, state: int, refused: str) -> frozenset[str]:
        """The terminals that can stand instead of a refused one; that the parser has reduced for it counts."""
        key = (state, refused)
        if key not in self._takes:
            _, stuck = self._feed(self._sets[state], refused)
            names = {name for stack in stuck for name in self._table[stack[-1]] if name.isupper()}
            self._takes[key] = frozenset(name for name in names if self._feed(stuck, name)[0])
        return self._takes[key]

    def _feed(self, stacks: Stacks, terminal: str) -> tuple[Stacks, Stacks]:
        """The stacks with the token on them, and those that do not take it."""
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
        """The stacks that a reduction makes of one; several where it reaches below what is known."""
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
