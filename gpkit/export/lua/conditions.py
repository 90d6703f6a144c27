"""Lua text to tokens, the errors of reading it, and the way back from the nested conditions of decision trees.

A chain of conditions that one feature is below rising bounds reads as a switch, whichever it was.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, cast

from gpkit.core.diagnostics import Diagnostic, SourceError, Span
from gpkit.core.errors import LimitError
from gpkit.genomes.comparisons import Comparison, Sign
from gpkit.genomes.decision import (
    INTERVALS,
    Chance,
    DecisionTree,
    Inner,
    Switch,
    inner,
    leaf,
)

MAX_TEXT = 16_000_000
"""The most characters of a text: exported statements take many more than the formula."""

Kind = Literal["name", "number", "string", "long", "sign", "end"]

_TOKEN = re.compile(
    r"(?P<space>\s+|--\[(?P<level>=*)\[.*?\](?P=level)\]|--[^\n]*)"
    r"|(?P<name>[A-Za-z_][A-Za-z_0-9]*)"
    r"|(?P<number>\.?[0-9](?:[eEpP][+-]|[0-9A-Za-z_.])*)"
    r'|(?P<string>"(?:[^"\\\n]|\\.)*"|' + r"'(?:[^'\\\n]|\\.)*')"
    r"|(?P<long>\[\[.*?\]\])"
    r"|(?P<sign>\.\.\.|\.\.|==|~=|<=|>=|->|//|::|[-+*/%^#<>=(){}\[\];:,.?|&])",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Token:
    """One word of Lua, from ``start`` on."""

    kind: Kind
    text: str
    start: int


class LuaReading:
    """A text as a row of tokens and a place in it."""

    def __init__(self, text: str, filename: str) -> None:
        if len(text) > MAX_TEXT:
            raise LimitError(f"{filename}: the text is longer than {MAX_TEXT} characters")
        self.text = text
        self.filename = filename
        self.tokens = list(self._tokens())
        self.place = 0

    def _tokens(self) -> Iterator[Token]:
        place = 0
        while place < len(self.text):
            match = _TOKEN.match(self.text, place)
            if match is None:
                raise self.error("E101", f"`{self.text[place]}` is not allowed here", place, place + 1)
            if match.lastgroup != "space":
                for kind in ("name", "number", "string", "long", "sign"):
                    if match[kind] is not None:
                        yield Token(kind, match[kind], place)
            place = match.end()
        yield Token("end", "", len(self.text))

    @property
    def token(self) -> Token:
        """The token at the place."""
        return self.tokens[self.place]

    def take(self) -> Token:
        """The token at the place, which moves on."""
        token = self.tokens[self.place]
        self.place += token.kind != "end"
        return token

    def at(self, *texts: str) -> bool:
        """Whether these tokens come next; strings and numbers never count."""
        ahead = self.tokens[self.place : self.place + len(texts)]
        return [t.text for t in ahead if t.kind in ("name", "sign")] == list(texts)

    def accept(self, *texts: str) -> bool:
        """Move over these tokens if they come next."""
        if self.at(*texts):
            self.place += len(texts)
            return True
        return False

    def expect(self, *texts: str) -> None:
        """Move over these tokens.

        Raises:
            SourceError: they do not come next.
        """
        for text in texts:
            if not self.accept(text):
                raise self.unexpected(f"`{text}`")

    def name(self) -> str:
        """Move over a name.

        Raises:
            SourceError: something else comes next.
        """
        if self.token.kind != "name":
            raise self.unexpected("a name")
        return self.take().text

    def unexpected(self, *expected: str) -> SourceError:
        """The error that the token at the place cannot stand here."""
        token = self.token
        if token.kind == "end":
            return self.error("E101", "the text ends too early", token.start, token.start, expected)
        shown = token.text if len(token.text) <= 40 else token.text[:40] + "…"
        return self.error(
            "E101", f"unexpected `{shown}`", token.start, token.start + len(token.text), expected
        )

    def wrong(self, code: str, message: str, token: Token, fix: str = "") -> SourceError:
        """An error at one token."""
        return self.error(code, message, token.start, token.start + len(token.text), fix=fix)

    def error(
        self, code: str, message: str, start: int, end: int, expected: tuple[str, ...] = (), fix: str = ""
    ) -> SourceError:
        """An error at a stretch of the text."""
        diagnostic = Diagnostic(code, "error", message, Span.at(self.text, start, end), expected, fix)
        return SourceError(diagnostic, self.text, self.filename)


MAX_DEPTH = 60
"""Levels of a tree, as of its own text."""

_SIGNS: Mapping[str, Sign] = {"<=": "<=", ">=": ">=", "==": "==", "~=": "!="}


_Question = tuple[Comparison | Chance, DecisionTree]
"""A condition, and its branch yes."""


def begins_tree(reading: LuaReading) -> bool:
    """Whether the function at the place comes to a condition, or returns a name, before it computes anything."""
    for place in range(reading.place, len(reading.tokens) - 1):
        token = reading.tokens[place]
        if token.kind == "name" and token.text == "if":
            return True
        if token.kind == "name" and token.text == "return":
            return reading.tokens[place + 1].kind == "string"
    return False


def read_tree(reading: LuaReading) -> DecisionTree:
    """The tree of a function, from its first statement to its end.

    Raises:
        SourceError: the text is not in the exported form.
        LimitError: the tree is too deep.
    """
    features: dict[str, str] = {}
    randoms: dict[str, int] = {}
    while reading.accept("local"):
        name = reading.name()
        reading.expect("=")
        if reading.accept("random", "(", ")"):
            randoms[name] = len(randoms)
        else:
            features[name] = _loaded(reading)
    tree = _branch(reading, features, randoms, 1)
    reading.expect("end")
    return tree


def _branch(
    reading: LuaReading, features: Mapping[str, str], randoms: Mapping[str, int], level: int
) -> DecisionTree:
    """The statements of a branch: what is returned, or a chain of conditions with their branches."""
    if level > MAX_DEPTH:
        raise LimitError(f"{reading.filename}: the tree has more than {MAX_DEPTH} levels")
    if not reading.accept("if"):
        reading.expect("return")
        return leaf(_text(reading) if reading.token.kind == "string" else _number(reading))
    questions: list[_Question] = []
    while True:
        node = _condition(reading, features, randoms)
        reading.expect("then")
        questions.append((node, _branch(reading, features, randoms, level + 1)))
        if not reading.accept("elseif"):
            break
    reading.expect("else")
    tree = _chained(questions, _branch(reading, features, randoms, level + 1))
    reading.expect("end")
    if tree.depth > MAX_DEPTH:
        raise LimitError(f"{reading.filename}: the tree has more than {MAX_DEPTH} levels")
    return tree


def _chained(questions: list[_Question], last: DecisionTree) -> DecisionTree:
    """The tree of a chain of conditions, of which rising bounds of one feature are one switch."""
    place = len(questions)
    while place:
        first = place - 1
        while first and place - first < INTERVALS[-1] - 1 and _rises(questions, first):
            first -= 1
        below = questions[first:place]
        node: Inner = below[0][0]
        if len(below) > 1:
            bounds = [cast("Comparison", each) for each, _ in below]
            node = Switch(bounds[0].feature, tuple(bound.threshold for bound in bounds))
        last = inner(node, *(yes for _, yes in below), last)
        place = first
    return last


def _rises(questions: list[_Question], place: int) -> bool:
    """Whether a condition and the one before it ask whether one feature is below rising bounds."""
    (one, _), (other, _) = questions[place - 1 : place + 1]
    if not isinstance(one, Comparison) or not isinstance(other, Comparison):
        return False
    return (one.feature, one.sign, "<") == (
        other.feature,
        other.sign,
        one.sign,
    ) and one.threshold < other.threshold


def _condition(
    reading: LuaReading, features: Mapping[str, str], randoms: Mapping[str, int]
) -> Comparison | Chance:
    """A condition."""
    if reading.token.text in randoms:
        reading.take()
        reading.expect("<")
        return Chance(_number(reading))
    negated = reading.accept("not", "(")
    test = _comparison(reading, features)
    if negated:
        reading.expect(")")
        return test.opposite
    return test


def _comparison(reading: LuaReading, features: Mapping[str, str]) -> Comparison:
    """A comparison of a feature with a threshold."""
    if reading.accept("("):
        feature = _loaded(reading)
        reading.expect(")")
    else:
        token = reading.token
        name = reading.name()
        if name not in features:
            raise reading.wrong("E102", f"`{name}` is not a feature that was read before", token)
        feature = features[name]
    for written, sign in _SIGNS.items():
        if reading.accept(written):
            return Comparison(feature, sign, _number(reading))
    raise reading.unexpected(*(f"`{written}`" for written in _SIGNS))


def _loaded(reading: LuaReading) -> str:
    """The feature that an expression reads from the table of inputs, as the message says that names it."""
    reading.expect("(")
    while not reading.at("or"):
        if reading.token.kind == "end":
            raise reading.unexpected("`or`")
        reading.take()
    reading.expect("or", "absent", "(")
    feature = _text(reading)
    reading.expect(")", ")", "+")
    _number(reading)
    return feature


def _text(reading: LuaReading) -> str:
    """A string in quotation marks, in which only these and backslashes are escaped."""
    token = reading.token
    if token.kind != "string" or token.text[0] != '"':
        raise reading.unexpected("a text in quotation marks")
    reading.take()
    return re.sub(r"\\(.)", r"\1", token.text[1:-1])


def _number(reading: LuaReading) -> float:
    sign = -1.0 if reading.accept("-") else 1.0
    token = reading.token
    try:
        value = float(token.text) if token.kind == "number" else float("inf")
    except ValueError:
        value = float("inf")
    if value == float("inf"):
        raise reading.unexpected("a number")
    reading.take()
    return sign * value + 0.0
