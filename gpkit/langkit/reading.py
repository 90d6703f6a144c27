"""Common parts of the parsers: limits, errors with positions, and guesses at the meaning of text with errors."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
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

from gpkit.core.diagnostics import Diagnostic, SourceError, Span, nearest
from gpkit.core.errors import LimitError
from gpkit.core.registry import data_folder
from gpkit.core.wording import BIDI, BYTE_ORDER_MARK, LINE_ENDS, MISPLACED

Words = Mapping[str, Sequence[str]]
"""The words of a language, by terminal."""

NEAR = 80
"""The maximum number of characters to search for a word or a number on either side of a position."""


def meant(
    text: str, found: Diagnostic, accepted: Set[str], words: Words, hints: Mapping[str, str]
) -> Diagnostic:
    """The finding, with the probable meaning of the word at its position, or of the word before it on the line.

    Args:
        text: the whole text.
        found: a finding about a position in the text.
        accepted: the terminals that could stand there.
        words: the words of the language.
        hints: advice about words from other languages.

    Returns:
        ``found`` itself if no meaning is likely.
    """
    start = found.span.start
    line = max(text.rfind("\n", 0, start) + 1, start - NEAR)
    whole, part = re.search("[0-9]+$", text[line:start]), re.match(",([0-9]+)", text[start : start + NEAR])
    if whole and part:
        return replace(found, help=f"use a decimal point, not a comma: `{whole[0]}.{part[1]}`")
    here, before = re.compile(r"[A-Za-z_][\w.]+"), re.compile(r"[A-Za-z_][\w.]+(?=[ \t]+$)")
    for word, known, expected in (
        (here.match(text, start), accepted, found.expected),
        (before.search(text, line, start), words, ()),
    ):
        if word is not None and not any(word[0] in each for each in words.values()):
            near = nearest(word[0], [each for name in known for each in words.get(name, ())], cutoff=1.0)
            if fix := f"did you mean `{near}`?" if near else hints.get(word[0]):
                return replace(
                    found,
                    message=f"unexpected `{word[0]}`",
                    span=Span.at(text, *word.span()),
                    expected=expected,
                    help=fix,
                )
    return found


def missing(
    text: str,
    found: Diagnostic,
    error: UnexpectedToken,
    words: Words,
    friendly: Mapping[str, str],
    parts: Mapping[str, Sequence[Token]],
) -> Diagnostic:
    """A finding that a word is incomplete, that a section is missing, or that the line above ends too early.

    Args:
        text: the whole text.
        found: the finding about an unexpected token.
        error: the error of the parser at that token.
        words: the words of the language.
        friendly: plain English words for the terminals.
        parts: by first terminal, an example of each part that completes a word, as tokens.

    Returns:
        ``found`` itself if none of these explains the error.
    """
    parser: Any = error.interactive_parser
    token, accepted, stack = error.token, parser.accepts(), parser.parser_state.value_stack
    begun = [each for each in stack if isinstance(each, Token) and each.type == each.upper()]
    for opener in [each for each in begun if each.type in words.keys() - parts][-1:]:
        for part in (each for each in parts if each in accepted):
            if _leads_on(parser, (*(each for each in parts[part] if each.strip()), token)):
                return replace(
                    found,
                    message=f"this `{opener}` has no {friendly[part]}",
                    span=Span.at(text, opener.start_pos or 0, opener.end_pos or 0),
                    expected=(friendly[part],),
                    help=f"add `{''.join(parts[part])}`",
                )
    if token.type == "SECTION" and "$END" in accepted and isinstance(stack[0], Tree):
        return replace(
            found,
            message="this comes before the first section",
            span=Span.at(text, stack[0].meta.start_pos, stack[0].meta.end_pos),
            expected=(friendly["SECTION"],),
        )
    end = getattr(getattr(stack[-1], "meta", stack[-1]), "end_pos", None) if stack else None
    leads = not text[text.rfind("\n", 0, found.span.start) + 1 : found.span.start].strip()
    if end is not None and leads and (token.type == "SECTION" or words.get(token.type)):
        values = [each for each in accepted if not words.get(each)]
        if len(values) == len(accepted) or any(
            _leads_on(parser, (Token(each, ""), token)) for each in values
        ):
            return replace(found, message="the line ends too early", span=Span.at(text, end, end))
    return found


def _leads_on(parser: Any, tokens: Iterable[Token]) -> bool:
    """True if a parser accepts these tokens next."""
    trial = parser.copy(deepcopy_values=False)
    trial.parser_state.parse_conf = copy(trial.parser_state.parse_conf)
    trial.parser_state.parse_conf.callbacks = {}
    try:
        for token in tokens:
            trial.feed_token(token)
    except UnexpectedToken:
        return False
    return True


MAX_TEXT = 1_000_000
"""The maximum size of a text in bytes (UTF-8)."""

MAX_NUMBER = 30

MAX_SHOWN = 40
"""The maximum number of characters of a word that a message shows."""

_HINTS = {
    **dict.fromkeys(LINE_ENDS, "a line ends in LF, or in CR and LF"),
    **dict.fromkeys(BIDI, "it would show the text in another order"),
    BYTE_ORDER_MARK: "a byte order mark can only stand at the start of a file",
}


class Refused(Exception):  # noqa: N818 - it never leaves the language; people meet SourceError or LimitError
    """The error that rejects a text; ``limit`` is set if the size of the text is the only reason."""

    def __init__(self, diagnostic: Diagnostic, *, limit: bool = False) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic
        self.limit = limit


@contextmanager
def told_in(text: str, filename: str) -> Iterator[None]:
    """Turn a refusal by the parser into an error that shows the place in the file.

    Raises:
        SourceError: the parser refused the text.
        LimitError: the parser refused the text only because of its size.
    """
    try:
        yield
    except Refused as refused:
        if refused.limit:
            raise LimitError(refused.diagnostic.render(text, filename)) from None
        raise SourceError(refused.diagnostic, text, filename) from None


def refuse(code: str, message: str, span: Span, *, expected: tuple[str, ...] = (), fix: str = "") -> Refused:
    """A syntax error at a position in the text, for the caller to raise."""
    return Refused(Diagnostic(code, "error", message, span, expected, fix))


def exceed(code: str, message: str, span: Span) -> Refused:
    """A limit error at a position in the text, for the caller to raise."""
    return Refused(Diagnostic(code, "error", message, span), limit=True)


def lexed(grammar: Lark, part: str) -> Iterator[Token]:
    """Yield the tokens of a short text, including comments and spaces; positions are relative to the text's start."""
    state = LexerState(TextSlice(part, 0, len(part)))
    with suppress(EOFError):
        while True:
            yield _whole_lexer(grammar).next_token(state)


@cache
def _whole_lexer(grammar: Lark) -> BasicLexer:
    """A cached lexer that also returns comments and spaces; ``Lark.lex`` would make a new lexer for every text."""
    conf = copy(grammar.lexer_conf)
    conf.ignore = ()
    return BasicLexer(conf)


_NAMES = frozenset({"NAME", "SECTION", "WORD"})
"""The terminals for names; the example names that messages show for them are not words of the language."""


def _whole(terminal: TerminalDef) -> None:
    """Make the terminal for a word match only the whole word."""
    if isinstance(terminal.pattern, PatternStr) and terminal.pattern.value.isalpha():
        whole = terminal.pattern.to_regexp() + "(?![A-Za-z_.])"
        terminal.pattern.to_regexp = lambda: whole  # type: ignore[method-assign]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reading:
    """A grammar, with the error messages for text that does not parse.

    Attributes:
        name: the name of the grammar, ``grammars/NAME.lark``; for other packages, the whole path without suffix.
        guard: passes tokens on to the parser unchanged; raises Refused at the first token that breaks a rule or a
            limit.
        too_long: the code for a text with more than ``MAX_TEXT`` bytes.
        broken: the code for an unexpected token.
        stray: the code for a character without meaning.
        strays: the terminals of characters that have a meaning only in formulas.
        hints: advice about stray characters, and about words from other languages.
        friendly: plain English words for the terminals, in the order in which messages list them.
        wider: converts the set of terminals that the parser reports as accepted to the set that it really accepts.
        parts: by first terminal, an example of each part that completes a word of the language.
        stray_word: returns the error for the word around a stray character, if the whole word is wrong.
        unexpected: returns the error for an unexpected token.
        always_accept: terminals that the lexer recognises even where the grammar does not allow them.
        keep_all_tokens: whether trees keep every token, for layout; if so, the position of a tree follows from its
            tokens (``tokens_span``).
        lark: the parser, if the grammar does not come from one of gpkit's files; this parser does not call ``guard``.
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
    strays: Set[str] = frozenset()
    keep_all_tokens: bool = False
    lark: Lark | None = None

    @cache  # noqa: B019 - a language has one
    def grammar(self, *, strict: bool = False) -> Lark:
        """The parser; ``strict`` also proves that no two terminals collide."""
        if self.lark is not None:
            return self.lark
        postlex = SimpleNamespace(always_accept=self.always_accept, process=self._watched)
        return Lark.open(
            str(data_folder("grammars") / f"{self.name}.lark"),
            parser="lalr",
            lexer="contextual",
            start="program",
            propagate_positions=not self.keep_all_tokens,
            maybe_placeholders=False,
            keep_all_tokens=self.keep_all_tokens,
            postlex=postlex,
            edit_terminals=_whole,
            strict=strict,
        )

    def tokens(self, text: str) -> Iterator[Token]:
        """Yield the tokens of a text that ``read`` accepts, with comments and spaces; together they make up the text.

        They are the parser's tokens, so a word counts as a name wherever the grammar requires a name.
        """
        place = 0
        for token in self.grammar().parse_interactive(text).exhaust_lexer():
            yield from lexed(self.grammar(), text[place : token.start_pos])
            place = token.end_pos or 0
            yield token
        yield from lexed(self.grammar(), text[place:])

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
        """Yield the tokens that the guard passes on.

        Raises:
            Refused: the guard refuses a token; or a name is missing at the end of a line, so the parser would take the
                first word of the next line as that name.
        """
        words, last = set().union(*self.words().values()), Token("", "")
        for token in self.guard(stream):
            if (
                token.type == "NAME"
                and token in words
                and last in words
                and token_span(token).line > token_span(last).line
            ):
                message, place = f"`{last}` needs a name after it", token_span(last)
                raise refuse(self.broken, message, place, expected=(self.friendly["NAME"],))
            last = token
            yield token

    def branch(self, token: Token) -> Token:
        """The token; if the lexer took a word such as ``yes:`` for a section's name, the word gets its own terminal."""
        name = token.rstrip(": \t")
        is_word = token.type == "SECTION" and self.friendly.get(name.upper()) == f"`{name}:`"
        return Token.new_borrow_pos(name.upper(), token, token) if is_word else token

    def stray_at(self, text: str, place: int, accepted: Set[str]) -> Refused:
        """The error that rejects a stray character, or the word around it.

        Args:
            text: the whole text.
            place: the position of the character.
            accepted: the terminals that could stand there.
        """
        refused = self.stray_word(text, place) or _stray_character(self.stray, text, place, self.hints)
        expected = refused.diagnostic.expected or accepted_words(self.wider(accepted), self.friendly)
        return Refused(
            meant(text, replace(refused.diagnostic, expected=expected), accepted, self.words(), self.hints)
        )

    def refusal(self, text: str, error: UnexpectedToken) -> Refused:
        """The error that rejects an unexpected token; if a word is missing or misspelt, the error points at it."""
        error.token = self.branch(error.token)
        if error.token.type in self.strays:
            return self.stray_at(text, error.token.start_pos or 0, set(error.accepts or error.expected))
        found = self.unexpected(text, error).diagnostic
        likely = meant(text, found, set(error.accepts or error.expected), self.words(), self.hints)
        if likely is not found or error.interactive_parser is None:
            return Refused(likely)
        parts = {part: list(lexed(self.grammar(), example)) for part, example in self.parts.items()}
        return Refused(missing(text, found, error, self.words(), self.friendly, parts))

    def deceptive(self, text: str, place: int) -> Refused:
        """The error that rejects an invisible character."""
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
    """A function that turns a text and the parser's error into the error that rejects an unexpected token.

    Args:
        code: the code of the refusal.
        part: the word for a part of a program; the message contains it if the text ends inside a part.
        friendly: plain English words for the terminals, in the order in which messages list them.
        fix: takes (terminal, accepted terminals) and returns advice, or an empty string.
        wider: converts the set of terminals that the parser reports as accepted to the set that it really accepts.
        kinds: words for the tokens of some terminals.
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
    """The error that rejects a character that starts no token; ``hints`` gives advice by character."""
    character = text[place]
    shown = f"`{character}`" if character.isprintable() else f"the character U+{ord(character):04X}"
    fix = hints.get(character, "")
    return refuse(code, f"{shown} is not allowed here", Span.at(text, place, place + 1), fix=fix)


def limited(
    stream: Iterable[Token],
    counted: Collection[str],
    most: int,
    too_many: Callable[[Span], Refused],
    code: str = "",
    longest: Mapping[str, int] = MappingProxyType({"NUMBER": MAX_NUMBER}),
) -> Iterator[Token]:
    """Pass tokens on to the parser; refuse a text that is too large as early as possible.

    Args:
        stream: the tokens.
        counted: the terminals to count.
        most: the maximum number of tokens with these terminals.
        too_many: returns the error that rejects the first token beyond this number, at that token's position.
        code: the code of the finding for a number that is too long.
        longest: the maximum number of characters, by terminal.

    Raises:
        Refused: a token breaks a limit.
    """
    count, longest = 0, dict(longest)
    for token in stream:
        kind = token.type
        if kind in counted:
            count += 1
            if count > most:
                raise too_many(token_span(token))
        if kind in longest and len(token) > longest[kind]:
            raise exceed(
                code,
                f"this number has {len(token)} characters; at most {longest[kind]} are read",
                token_span(token),
            )
        yield token


def double(digits: str, code: str, span: Span) -> float:
    """The double that these digits represent; -0.0 becomes 0.0.

    Raises:
        Refused: the number is too large.
    """
    value = float(digits)
    if value - value != 0.0:
        raise refuse(code, "this number is too large: the largest double is about 1.8e308", span)
    return value + 0.0


def number_at(child: Tree[Token] | Token, code: str) -> float:
    """The value of the grammar rule ``number``; ``code`` is the error code for a number too large for a double."""
    tree = as_tree(child)
    return double("".join(map(as_token, tree.children)), code, tree_span(tree))


def probability(value: float, code: str, span: Span) -> float:
    """The value as a probability.

    Raises:
        Refused: the value is not between 0 and 1.
    """
    if not 0.0 <= value <= 1.0:
        raise refuse(code, "a probability must be between 0 and 1", span)
    return value


def accepted_words(accepted: Iterable[str], words: Mapping[str, str]) -> tuple[str, ...]:
    """Plain English words for the accepted terminals, in the order of ``words``."""
    return tuple(said for terminal, said in words.items() if terminal in accepted)


def shown(token: Token) -> str:
    """A token in the form in which messages quote it."""
    return f"`{token if len(token) <= MAX_SHOWN else token[:MAX_SHOWN] + '…'}`"


def as_tree(child: Tree[Token] | Token) -> Tree[Token]:
    """The child as a tree; the grammar guarantees that it is one."""
    assert isinstance(child, Tree)
    return child


def as_token(child: Tree[Token] | Token) -> Token:
    """The child as a token; the grammar guarantees that it is one."""
    assert isinstance(child, Token)
    return child


def tree_span(tree: Tree[Token]) -> Span:
    """The position of a tree that has at least one token."""
    meta = tree.meta
    return Span(meta.start_pos, meta.end_pos, meta.line, meta.column)


def tokens_span(tree: Tree[Token] | Token) -> Span:
    """The position of a token, or of a tree from its first to its last token."""
    first, last = token_span(_outermost(tree, 0)), token_span(_outermost(tree, -1))
    return Span(first.start, last.end, first.line, first.column)


def _outermost(child: Tree[Token] | Token, side: int) -> Token:
    """The first token of a tree (side 0) or the last one (side -1)."""
    while isinstance(child, Tree):
        child = child.children[side]
    return child


Program = TypeVar("Program")


@dataclass(frozen=True, slots=True)
class Source(Generic[Program]):
    """A program and its text.

    Attributes:
        program: a program of any language.
        header: the values of the leading comment lines ``// key: value``, by key; the comment mark depends on the
            language.
        text: the whole text.
        filename: the name of its file, for messages.
    """

    program: Program
    header: Mapping[str, str]
    text: str
    filename: str


def span_of(child: Tree[Token] | Token) -> Span:
    """The position of a token, or of a tree that has at least one token."""
    return token_span(child) if isinstance(child, Token) else tree_span(child)


def token_span(token: Token) -> Span:
    """The position of a token."""
    assert None not in (token.start_pos, token.end_pos, token.line, token.column)
    return Span(token.start_pos or 0, token.end_pos or 0, token.line or 1, token.column or 1)
