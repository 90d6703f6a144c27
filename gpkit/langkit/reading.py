"""Common parts of the parsers: limits, syntax errors with a place, and Lark's errors in words."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager, suppress
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cache
from types import MappingProxyType, SimpleNamespace
from typing import Any, Generic, TypeVar

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedToken
from lark.lexer import BasicLexer, LexerState, PatternStr, TerminalDef
from lark.utils import TextSlice

from gpkit.core.characters import BIDI, BYTE_ORDER_MARK, LINE_ENDS, MISPLACED
from gpkit.core.diagnostics import Diagnostic, SourceError, Span
from gpkit.core.errors import LimitError
from gpkit.core.registry import data_folder
from gpkit.langkit.meaning import meant, missing

MAX_TEXT = 1_000_000
"""The most bytes (UTF-8) of a text."""

MAX_NUMBER = 30

MAX_SHOWN = 40
"""The most characters of a word that messages show."""

_HINTS = {
    **dict.fromkeys(LINE_ENDS, "a line ends in LF, or in CR and LF"),
    **dict.fromkeys(BIDI, "it would show the text in another order"),
    BYTE_ORDER_MARK: "a byte order mark can only stand at the start of a file",
}


class Refused(Exception):  # noqa: N818 - it never leaves the language; people meet SourceError or LimitError
    """A text cannot be read; ``limit`` says that it is only too large."""

    def __init__(self, diagnostic: Diagnostic, *, limit: bool = False) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic
        self.limit = limit


@contextmanager
def told_in(text: str, filename: str) -> Iterator[None]:
    """Raise a refusal as an error for people, with its place in the text of a file.

    Raises:
        SourceError: the text is refused.
        LimitError: it is only too large.
    """
    try:
        yield
    except Refused as refused:
        if refused.limit:
            raise LimitError(refused.diagnostic.render(text, filename)) from None
        raise SourceError(refused.diagnostic, text, filename) from None


def refuse(code: str, message: str, span: Span, *, expected: tuple[str, ...] = (), fix: str = "") -> Refused:
    """A syntax error to raise."""
    return Refused(Diagnostic(code, "error", message, span, expected, fix))


def exceed(code: str, message: str, span: Span) -> Refused:
    """A limit error to raise."""
    return Refused(Diagnostic(code, "error", message, span), limit=True)


def _left_out(grammar: Lark, part: str) -> Iterator[Token]:
    """The comments and blanks of a part of a text that holds nothing else; their places are those in the part."""
    state = LexerState(TextSlice(part, 0, len(part)))
    with suppress(EOFError):
        while True:
            yield _whole_lexer(grammar).next_token(state)


@cache
def _whole_lexer(grammar: Lark) -> BasicLexer:
    """Lexer that leaves nothing out; ``Lark.lex`` would make one for every text."""
    conf = copy(grammar.lexer_conf)
    conf.ignore = ()
    return BasicLexer(conf)


_NAMES = frozenset({"NAME", "SECTION", "WORD"})
"""Terminals of names; messages show examples of names that are not words of the language."""


def _whole(terminal: TerminalDef) -> None:
    """Make a terminal that is a word match only whole words."""
    if isinstance(terminal.pattern, PatternStr) and terminal.pattern.value.isalpha():
        whole = terminal.pattern.to_regexp() + "(?![A-Za-z_.])"
        terminal.pattern.to_regexp = lambda: whole  # type: ignore[method-assign]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reading:
    """A grammar, with the error messages for text that does not parse.

    Attributes:
        name: the name of the grammar, ``grammars/NAME.lark``; for other packages, the whole path without suffix.
        guard: passes tokens on to the parser unchanged; raises Refused at the first one that breaks a rule or a limit.
        too_long: the code for a text with more than ``MAX_TEXT`` bytes.
        broken: the code for an unexpected token.
        stray: the code for a character without meaning.
        hints: advice about stray characters, and about words from other languages.
        friendly: everyday words for the terminals, in the order in which messages list them.
        wider: turns the terminals that the parser says it accepts into those that it really accepts.
        parts: the parts that complete a word of the language: the terminal at which a part begins, and an example.
        stray_word: describes the word at the place of a stray character, if the whole word is wrong.
        unexpected: describes an unexpected token.
        always_accept: terminals that the lexer recognises even where the grammar does not allow them.
        keep_all_tokens: whether trees keep every token, for layout; the place of a tree then follows from its tokens
            (``tokens_span``).
    """

    name: str
    guard: Callable[[Iterator[Token]], Iterator[Token]]
    too_long: str
    stray: str
    hints: Mapping[str, str]
    unexpected: Callable[[str, UnexpectedToken], Refused]
    broken: str = ""
    friendly: Mapping[str, str] = field(default_factory=dict)
    wider: Callable[[Set[str]], Set[str]] = lambda accepted: accepted
    parts: Mapping[str, str] = field(default_factory=dict)
    stray_word: Callable[[str, int], Refused | None] = lambda text, place: None
    always_accept: tuple[str, ...] = ()
    keep_all_tokens: bool = False

    @cache  # noqa: B019 - a language has one
    def grammar(self, *, strict: bool = False) -> Lark:
        """The parser; ``strict`` also proves that no two terminals collide."""
        return Lark.open(
            str(data_folder("grammars") / f"{self.name}.lark"),
            parser="lalr",
            lexer="contextual",
            start="program",
            propagate_positions=not self.keep_all_tokens,
            maybe_placeholders=False,
            keep_all_tokens=self.keep_all_tokens,
            postlex=SimpleNamespace(always_accept=self.always_accept, process=self._watched),
            edit_terminals=_whole,
            strict=strict,
        )

    def tokens(self, text: str) -> Iterator[Token]:
        """The tokens of a text that ``read`` accepts, with its comments and blanks: together they are the text.

        They are those that the parser takes: a word is a name where only a name can stand.
        """
        place = 0
        for token in self.grammar().parse_interactive(text).exhaust_lexer():
            yield from _left_out(self.grammar(), text[place : token.start_pos])
            place = token.end_pos or 0
            yield token
        yield from _left_out(self.grammar(), text[place:])

    def read(self, text: str) -> Tree[Token]:
        """Lark's tree of a text.

        Raises:
            Refused: the text breaks the grammar or a limit.
        """
        if len(text) > MAX_TEXT or len(text.encode(errors="replace")) > MAX_TEXT:
            raise exceed(self.too_long, f"the text is longer than {MAX_TEXT} bytes", Span.at(text, 0, 0))
        if found := MISPLACED.search(text):
            raise self.deceptive(text, found.start())
        try:
            return self.grammar().parse(text)
        except UnexpectedCharacters as error:
            parser: Any = error.interactive_parser
            raise self.stray_at(text, error.pos_in_stream or 0, parser.accepts()) from None
        except UnexpectedToken as error:
            raise self.refusal(text, error) from None

    @cache  # noqa: B019 - a language has one
    def words(self) -> Mapping[str, Sequence[str]]:
        """The words of the language, by terminal."""
        return {
            each: re.findall("`([a-z]{2,})", said)
            for each, said in self.friendly.items()
            if each not in _NAMES
        }

    def _watched(self, stream: Iterator[Token]) -> Iterator[Token]:
        """The tokens that the guard passes on.

        Raises:
            Refused: as for the guard, or a line lacks a name and the first word of the next line would be taken for it.
        """
        words, last = set().union(*self.words().values()), Token("", "")
        for token in self.guard(stream):
            if (
                token.type == "NAME"
                and {token, last} <= words
                and token_span(token).line > token_span(last).line
            ):
                message, place = f"`{last}` needs a name after it", token_span(last)
                raise refuse(self.broken, message, place, expected=(self.friendly["NAME"],))
            last = token
            yield token

    def branch(self, token: Token) -> Token:
        """The token; a word such as ``yes:`` that the lexer took for the name of a section gets its own terminal."""
        name = token.rstrip(": \t")
        is_word = token.type == "SECTION" and self.friendly.get(name.upper()) == f"`{name}:`"
        return Token.new_borrow_pos(name.upper(), token, token) if is_word else token

    def stray_at(self, text: str, place: int, accepted: Set[str]) -> Refused:
        """The refusal of a character that starts no terminal, or of the word around it.

        Args:
            text: the whole text.
            place: the place of the character.
            accepted: the terminals that could stand there.
        """
        refused = self.stray_word(text, place) or _stray_character(self.stray, text, place, self.hints)
        expected = refused.diagnostic.expected or accepted_words(self.wider(accepted), self.friendly)
        found = replace(refused.diagnostic, expected=expected)
        return Refused(meant(text, found, accepted, self.words(), self.hints))

    def refusal(self, text: str, error: UnexpectedToken) -> Refused:
        """The refusal of an unexpected token; it points at the missing or misspelt word if there is one."""
        error.token = self.branch(error.token)
        found = self.unexpected(text, error).diagnostic
        likely = meant(text, found, set(error.accepts or error.expected), self.words(), self.hints)
        if likely is not found or error.interactive_parser is None:
            return Refused(likely)
        parts = {part: list(_left_out(self.grammar(), example)) for part, example in self.parts.items()}
        return Refused(missing(text, found, error, self.words(), self.friendly, parts))

    def deceptive(self, text: str, place: int) -> Refused:
        """The refusal of a character that shows nothing."""
        hint = _HINTS.get(text[place], "it is invisible; remove it")
        return _stray_character(self.stray, text, place, {text[place]: hint})


def unexpected_token(
    code: str,
    part: str,
    friendly: Mapping[str, str],
    fix: Callable[[str, Set[str]], str],
    wider: Callable[[Set[str]], Set[str]] = lambda accepted: accepted,
    kinds: Mapping[str, str] = MappingProxyType({}),
) -> Callable[[str, UnexpectedToken], Refused]:
    """The refusal of a token that a grammar has no place for, by the text and the error of the parser.

    Args:
        code: of the refusal.
        part: what a text that ends too early ends in the middle of.
        friendly: terminals in the words of a person, in the order in which they are listed.
        fix: what to do about a terminal where others are accepted, or nothing.
        wider: the terminals that are accepted in fact, by those that the parser says.
        kinds: what tokens of some terminals are called.
    """

    def refused(text: str, error: UnexpectedToken) -> Refused:
        token, accepted = error.token, wider(set(error.accepts or error.expected))
        expected, help_text = accepted_words(accepted, friendly), fix(token.type, accepted)
        if token.type == "$END":
            end = token.end_pos or 0  # that of the last token
            message, span = f"the text ends in the middle of a {part}", Span.at(text, end, end)
        else:
            message, span = f"unexpected {kinds.get(token.type, '')}{shown(token)}", token_span(token)
        return refuse(code, message, span, expected=expected, fix=help_text)

    return refused


def _stray_character(code: str, text: str, place: int, hints: Mapping[str, str]) -> Refused:
    """The refusal of a character that no terminal starts with, with a hint by character."""
    character = text[place]
    shown = f"`{character}`" if character.isprintable() else f"the character U+{ord(character):04X}"
    fix = hints.get(character, "")
    return refuse(code, f"{shown} is not allowed here", Span.at(text, place, place + 1), fix=fix)


def check_length(token: Token, code: str, most: int = MAX_NUMBER) -> None:
    """Check that a number has at most so many characters.

    Raises:
        Refused: it has more.
    """
    if len(token) > most:
        message = f"this number has {len(token)} characters; at most {most} are read"
        raise exceed(code, message, token_span(token))


def double(digits: str, code: str, span: Span) -> float:
    """The double that is written so; -0.0 reads as 0.0.

    Raises:
        Refused: it is too large.
    """
    value = float(digits)
    if value - value != 0.0:
        raise refuse(code, "this number is too large: doubles end at about 1.8e308", span)
    return value + 0.0


def accepted_words(accepted: Iterable[str], words: Mapping[str, str]) -> tuple[str, ...]:
    """Terminals in the words of a person, in the order of those words."""
    return tuple(said for terminal, said in words.items() if terminal in accepted)


def shown(token: Token) -> str:
    """A token as messages quote it."""
    return f"`{token if len(token) <= MAX_SHOWN else token[:MAX_SHOWN] + '…'}`"


def as_tree(child: Tree[Token] | Token) -> Tree[Token]:
    """A child that the grammar says is a tree."""
    assert isinstance(child, Tree)
    return child


def as_token(child: Tree[Token] | Token) -> Token:
    """A child that the grammar says is a token."""
    assert isinstance(child, Token)
    return child


def tree_span(tree: Tree[Token]) -> Span:
    """The place of a tree that has tokens."""
    meta = tree.meta
    return Span(meta.start_pos, meta.end_pos, meta.line, meta.column)


def tokens_span(tree: Tree[Token]) -> Span:
    """The place of a tree that holds all its tokens, from the first to the last."""
    first, last = token_span(_outermost(tree, 0)), token_span(_outermost(tree, -1))
    return Span(first.start, last.end, first.line, first.column)


def _outermost(tree: Tree[Token], side: int) -> Token:
    """The first token of a tree (side 0) or the last one (side -1)."""
    child = tree.children[side]
    while isinstance(child, Tree):
        child = child.children[side]
    return child


Program = TypeVar("Program")


@dataclass(frozen=True, slots=True)
class Source(Generic[Program]):
    """A program and the text that it was read from.

    Attributes:
        program: of a language.
        header: the leading comment lines of the form ``// key: value``, or after the language's own mark.
        text: the whole text.
        filename: where it came from, for messages.
    """

    program: Program
    header: Mapping[str, str]
    text: str
    filename: str


def span_of(child: Tree[Token] | Token) -> Span:
    """The place of a tree that has tokens, or of a token."""
    return token_span(child) if isinstance(child, Token) else tree_span(child)


def token_span(token: Token) -> Span:
    """The place of a token."""
    assert None not in (token.start_pos, token.end_pos, token.line, token.column)
    return Span(token.start_pos or 0, token.end_pos or 0, token.line or 1, token.column or 1)
