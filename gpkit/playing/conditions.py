"""Conditions over the values of a step, such as ``rank == 7 and turn > 3``: what a trace is walked to.

They are a language of their own, small enough to be safe: numbers, texts in quotes, names, comparisons, ``and``,
``or``, ``not`` and arithmetic. A condition is checked against the names that there are before it is asked about any
step, so asking cannot fail: what a step has no value for makes a comparison false, and so does a division by zero.
"""

import math
import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedToken

from gpkit.core.diagnostics import suggestion, underlined
from gpkit.core.errors import LimitError, UsageError
from gpkit.core.layout import printable
from gpkit.core.registry import data_folder
from gpkit.gamekit.facts import Fact, Kind, Value

MAX_CONDITION = 1_000
"""The most characters of a condition."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Vocabulary of conditions.

    Attributes:
        names: the facts that conditions can use.
        words: those that stand for themselves as texts, without quotes.
        examples: conditions that are worth looking for, each behind a label of a few words.
    """

    names: tuple[Fact, ...]
    words: tuple[str, ...] = ()
    examples: tuple[tuple[str, str], ...] = (("The end", "over == 1"),)

    def find(self, word: str) -> Fact | None:
        """The name that is this word, or the only one that ends with it after a point (``rank``: ``env.rank``)."""
        for name in self.names:
            if name.name == word:
                return name
        ending = [name for name in self.names if name.name.endswith(f".{word}")]
        return ending[0] if len(ending) == 1 else None

    @property
    def spellings(self) -> tuple[str, ...]:
        """The shortest spelling of every name, and the words."""
        shortest = (name.name.rpartition(".")[2] for name in self.names)
        found = zip(shortest, self.names, strict=True)
        return (*(short if self.find(short) == name else name.name for short, name in found), *self.words)


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition that was read, in postfix order (operands, then their operator).

    Attributes:
        text: of the condition.
        parts: the number of operands of each part, and its value for them; without operands, for the values of a step.
    """

    text: str
    parts: tuple[tuple[int, Callable[..., Value]], ...]

    def holds(self, values: Mapping[str, Value]) -> bool:
        """Whether it is true of a step with these values; a name that is not among them has none."""
        stack: list[Value] = []
        for arity, value in self.parts:
            start = len(stack) - arity
            stack[start:] = [value(*stack[start:]) if arity else value(values)]
        return _truth(stack.pop())


def read_condition(text: str, vocabulary: Vocabulary) -> Condition:
    """The condition of a text.

    Raises:
        UsageError: it is not one, or uses a name that is not in the vocabulary; the message shows where.
        LimitError: it is longer than ``MAX_CONDITION``.
    """
    if len(text) > MAX_CONDITION:
        raise LimitError(f"the condition is longer than {MAX_CONDITION} characters")
    try:
        tree = grammar().parse(text)
    except UnexpectedCharacters as error:
        raise _stray_character(text, error.pos_in_stream or 0) from None
    except UnexpectedToken as error:
        raise _unexpected(text, error) from None
    parts: list[tuple[int, Callable[..., Value]]] = []
    kinds: list[Kind] = []
    for token, arity in _postfix(tree):
        if arity:
            _check_operands(text, token, kinds[-arity:])
            kinds[-arity:] = ["number"]
            parts.append((arity, _UNARY[token] if arity == 1 else _BINARY[token]))
        else:
            value, kind = _operand(text, token, vocabulary)
            parts.append((0, value))
            kinds.append(kind)
    return Condition(text, tuple(parts))


@cache
def grammar(*, strict: bool = False) -> Lark:
    """The parser; ``strict`` also proves that no two terminals collide."""
    path = data_folder("grammars") / "conditions.lark"
    return Lark.open(str(path), parser="lalr", lexer="contextual", start="condition", strict=strict)


def _postfix(tree: Tree[Token] | Token) -> Iterator[tuple[Token, int]]:
    """Operands and, after theirs, operators with the number of their operands."""
    todo: list[tuple[Tree[Token] | Token, int]] = [(tree, 0)]
    while todo:
        item, arity = todo.pop()
        if isinstance(item, Token):
            yield item, arity
        elif item.data == "binary":
            left, sign, right = item.children
            todo += [(sign, 2), (right, 0), (left, 0)]
        else:
            sign, operand = item.children
            todo += [(sign, 1), (operand, 0)]


def _operand(
    text: str, token: Token, vocabulary: Vocabulary
) -> tuple[Callable[[Mapping[str, Value]], Value], Kind]:
    if token.type == "NUMBER":
        return lambda _: float(token), "number"
    if token.type == "TEXT":
        return lambda _: str(token[1:-1]), "text"
    name = vocabulary.find(token)
    if name is not None:
        return lambda values: values.get(name.name), name.kind
    if token in vocabulary.words:
        return lambda _: str(token), "text"
    raise _fault(text, token, f"no step has a value `{token}`; {suggestion(token, vocabulary.spellings)}")


def _check_operands(text: str, sign: Token, kinds: list[Kind]) -> None:
    """Numbers are reckoned with; numbers are compared with numbers and texts with texts; anything is true or not.

    Raises:
        UsageError: these operands do not fit the operator.
    """
    if sign in _ARITHMETIC and "text" in kinds:
        raise _fault(text, sign, f"`{sign}` is for numbers, and this is text")
    if sign in _COMPARISONS and kinds[0] != kinds[1]:
        raise _fault(text, sign, "a number is compared with text here, and they are never equal")


# What is wrong with a text, in words.

_HINTS = {
    "=": "equality is written ==",
    "&": "write `and`",
    "|": "write `or`",
    "!": "write `not`, or != between two values",
    '"': "this string is never closed",
    "'": "this string is never closed",
}

_WANTS_VALUE = "expected a value"
_WANTS_OPERATOR = "expected an operator such as == or `and`"


def _stray_character(text: str, place: int) -> UsageError:
    character = text[place]
    shown = f"`{character}`" if character.isprintable() else f"the character U+{ord(character):04X}"
    hint = _HINTS.get(character)
    return _fault(text, place, f"{shown} is not allowed here" + (f"; {hint}" if hint else ""))


def _unexpected(text: str, error: UnexpectedToken) -> UsageError:
    token = error.token
    accepted = error.accepts or error.expected
    expected = _WANTS_VALUE if "NAME" in accepted else _WANTS_OPERATOR
    if token.type == "$END":
        if "RPAR" in accepted:
            expected = "a parenthesis is never closed"
        return _fault(text, len(text.rstrip()), f"the condition ends too early: {expected}")
    if token in _COMPARISONS and "NAME" not in accepted:
        expected = "compare twice and join them with `and`, as in 1 < a and a < 3"
    return _fault(text, token, f"unexpected `{token}`: {expected}")


def _fault(text: str, place: Token | int, message: str) -> UsageError:
    """The error, with the condition and a caret under the place."""
    start, length = (place, 1) if isinstance(place, int) else (place.start_pos or 0, len(place))
    marks = underlined(text[:start], text[start : start + length])
    return UsageError(f"{message}\n  {printable(text)}\n  {marks}")


# What the operators mean.


def _truth(value: Value) -> bool:
    """Texts that are not empty and numbers that are not 0 are true; what has no value, and NaN, is not."""
    return value is not None and value == value and bool(value)


def _compared(test: Callable[[float | str, float | str], bool]) -> Callable[[Value, Value], Value]:
    return lambda a, b: float(a is not None and b is not None and test(a, b))


def _reckoned(operation: Callable[[float, float], float]) -> Callable[[Value, Value], Value]:
    def meaning(a: Value, b: Value) -> Value:
        if not (isinstance(a, float) and isinstance(b, float)):
            return None
        try:
            return operation(a, b)
        except (ZeroDivisionError, ValueError):
            return None

    return meaning


_COMPARISONS: dict[str, Callable[[Value, Value], Value]] = {
    "==": _compared(operator.eq),
    "!=": _compared(operator.ne),
    "<": _compared(operator.lt),
    "<=": _compared(operator.le),
    ">": _compared(operator.gt),
    ">=": _compared(operator.ge),
}

_ARITHMETIC: dict[str, Callable[[Value, Value], Value]] = {
    "+": _reckoned(operator.add),
    "-": _reckoned(operator.sub),
    "*": _reckoned(operator.mul),
    "/": _reckoned(operator.truediv),
    "%": _reckoned(math.fmod),
}

_BINARY: dict[str, Callable[[Value, Value], Value]] = {
    "or": lambda a, b: float(_truth(a) or _truth(b)),
    "and": lambda a, b: float(_truth(a) and _truth(b)),
    **_COMPARISONS,
    **_ARITHMETIC,
}

_UNARY: dict[str, Callable[[Value], Value]] = {
    "not": lambda a: float(not _truth(a)),
    "-": lambda a: -a if isinstance(a, float) else None,
}
