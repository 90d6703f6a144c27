"""Defines the operators of formulas (their notations, meanings and grids of values), and writes formulas.

Operators have the same meaning as in the machine (``gpkit.vm.isa``): they compute with IEEE doubles and are protected,
so every formula has a value.

Sums, differences and products of whole numbers are whole numbers. In the same way, sums, differences and products of
multiples of powers of two are multiples of a power of two. If a host's numbers can represent all such multiples within
the bounds of every operand and result, the host never rounds.
"""

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TypeVar

from gpkit.core import plugins
from gpkit.core.diagnostics import SourceError, shortened
from gpkit.core.errors import LimitError, UsageError
from gpkit.core.primitives import OPERATORS, Operator, Sensor
from gpkit.core.registry import find, language_entry, language_of_genome
from gpkit.genomes.tree import LONE_SECTION, Function, Symbol, TreeProgram, functions_called, leaf
from gpkit.langkit.foreign import Foreign
from gpkit.vm import isa

MAX_NODES = 100_000
"""The maximum total number of nodes in the formulas of a program."""

MAX_DEPTH = 10_000
"""The maximum depth of a formula in nodes."""

SUM, PRODUCT, NEGATION, PRIMARY = range(1, 5)
"""The precedences of notations; an operand gets parentheses if its position requires a higher precedence."""


@dataclass(frozen=True, slots=True)
class Notation:
    """The notation of an operator, and its meaning.

    Attributes:
        name: its symbol in a tree.
        usage: its notation, with letters for the operands.
        arity: the number of operands.
        binding: SUM or PRODUCT for a symbol between operands, NEGATION for one before its operand, PRIMARY for a call.
        meaning: returns the value of the operation from the values of the operands.
        sign: the operator's label in pictures.
        operands: in pictures, the labels of the edges to the operands, if their order alone would be unclear.
    """

    name: str
    usage: str
    arity: int
    binding: int
    meaning: Callable[..., float]
    sign: str
    operands: tuple[str, ...] = ()


def add(a: float, b: float) -> float:
    """``a + b``."""
    return a + b


def subtract(a: float, b: float) -> float:
    """``a - b``."""
    return a - b


def multiply(a: float, b: float) -> float:
    """``a * b``."""
    return a * b


NOTATIONS: tuple[Notation, ...] = (
    Notation("+", "a + b", 2, SUM, add, "+"),
    Notation("-", "a - b", 2, SUM, subtract, "\N{MINUS SIGN}"),
    Notation("*", "a * b", 2, PRODUCT, multiply, "\N{MULTIPLICATION SIGN}"),
    Notation("/", "a / b", 2, PRODUCT, isa.div, "\N{DIVISION SIGN}"),
    Notation("min", "min(a, b)", 2, PRIMARY, isa.minimum, "min"),
    Notation("max", "max(a, b)", 2, PRIMARY, isa.maximum, "max"),
    Notation("neg", "-a", 1, NEGATION, isa.negate, "neg"),
    Notation("abs", "abs(a)", 1, PRIMARY, isa.absolute, "abs"),
    Notation("sqrt", "sqrt(a)", 1, PRIMARY, isa.square_root, "\N{SQUARE ROOT}"),
    Notation("floor", "floor(a)", 1, PRIMARY, isa.floor, "floor"),
    Notation(
        "ifle",
        "ifle(a, b, x, y)",
        4,
        PRIMARY,
        isa.if_at_most,
        "a \N{LESS-THAN OR EQUAL TO} b ?",
        ("a", "b", "then", "else"),
    ),
    Notation("log", "log(a)", 1, PRIMARY, isa.logarithm, "log"),
    Notation("exp", "exp(a)", 1, PRIMARY, isa.exponential, "exp"),
    Notation("sin", "sin(a)", 1, PRIMARY, isa.sine, "sin"),
    Notation("cos", "cos(a)", 1, PRIMARY, isa.cosine, "cos"),
    Notation("tanh", "tanh(a)", 1, PRIMARY, isa.hyperbolic_tangent, "tanh"),
    Notation("pow", "pow(a, b)", 2, PRIMARY, isa.power, "^"),
    Notation("square", "square(a)", 1, PRIMARY, isa.second_power, "square"),
)


class Notations(dict[Symbol, Notation]):
    """Notations by symbol. The notation of a function is not stored, but derived from the function."""

    def __contains__(self, symbol: object) -> bool:
        return symbol.__class__ in (Function, Foreign) or dict.__contains__(self, symbol)

    def __missing__(self, symbol: Symbol) -> Notation:
        if not isinstance(symbol, Function | Foreign):
            raise KeyError(symbol)
        return _notation_of(symbol)


@lru_cache(maxsize=1000)
def _notation_of(function: Function | Foreign) -> Notation:
    names = function.parameters
    meaning = function.value if isinstance(function, Foreign) else partial(_called, function)
    return Notation(
        function, f"{function}({', '.join(names)})", len(names), PRIMARY, meaning, str(function), names
    )


def _called(function: Function, *operands: float) -> float:
    """The value of a function, given the values of its operands."""
    names: dict[Symbol, float] = dict(zip(function.parameters, operands, strict=True))
    values: list[float] = []  # of complete operands, the leftmost last
    for symbol, size in zip(reversed(function.body.symbols), reversed(function.body.sizes), strict=True):
        if size > 1:
            notation = NOTATION[symbol]
            values.append(notation.meaning(*[values.pop() for _ in range(notation.arity)]))
        else:
            values.append(symbol if isinstance(symbol, float) else names[symbol])
    return values[0]


NOTATION = Notations({notation.name: notation for notation in NOTATIONS})
"""The notations of operators and functions by symbol; all other symbols are leaves."""

WRITTEN_AS_CALL: dict[str, Notation] = {
    notation.name: notation for notation in NOTATIONS if notation.binding > PRODUCT
}
"""The notations of operators that can be written as calls, by name; ``neg(a)`` is another spelling of ``-a``."""


Node = TypeVar("Node")

Name = TypeVar("Name")

Slot = tuple[int, str]
"""A place for a node in a text: its level, or how tightly the node must bind there; and the text that precedes it."""

Row = tuple[Callable[[Node], str], Callable[[Node], list[Slot]] | None, str]
"""The writers of a kind of node: functions that return a node's head and its slots, and the text after its branches.

The first slot belongs to the last branch; a leaf has None instead of the second function.
"""


def prefix_writer(
    name: Callable[[Node], Name], row: Callable[[Name, int], Row[Node]], start: int
) -> Callable[[Iterable[Node]], str]:
    """A function that writes nodes in prefix order; each node fills the next slot that earlier nodes have left open.

    Args:
        name: the name of the kind of a node.
        row: takes (kind, number) and returns the writers of this kind of node for slots with this number.
        start: the number of the first slot.
    """
    rows: dict[tuple[Name, int], Row[Node]] = {}

    def text(nodes: Iterable[Node]) -> str:
        done: list[str] = []
        pending: list[Slot] = [(0, ""), (start, "")]  # the first one collects the text behind the last node
        for node in nodes:
            told, before = pending.pop()
            key = name(node), told
            head, slots, behind = rows.get(key) or rows.setdefault(key, row(*key))
            done.append(before + head(node))
            if slots is not None:
                if behind:
                    number, words = pending[-1]
                    pending[-1] = number, behind + words
                pending += slots(node)
        return "".join(done) + pending[0][1]

    return text


_OPERAND = re.compile(r"(\{?)\b([abxy])\b")
"""Matches a letter that stands for an operand, and any brace before it; operands in braces need no parentheses."""

Patterns = Mapping[Symbol, tuple[str, int]]
"""For each operator, a pattern such as ``a + b``, where a, b, x and y are the operands, and how tightly it binds."""


def formula_writer(
    patterns: Patterns,
    leaf: Callable[[int, Symbol], str],
    enclosed: tuple[str, str] = ("(", ")"),
    call: tuple[Callable[[str], str], str, str] = (lambda name: f"{name}(", ", ", ")"),
) -> Callable[[Iterable[Symbol]], str]:
    """A function that writes formulas, given their symbols in prefix order, with as few parentheses as possible.

    Args:
        patterns: the patterns of all operators.
        leaf: takes (closeness, leaf) and writes the leaf in a place where nodes must bind this tightly.
        enclosed: the parentheses around an operation.
        call: a function that takes a function's name and returns the text before the operands; the text between
            operands; and the text after them.
    """

    def row(name: Symbol | type, closeness: int) -> Row[Symbol]:
        if isinstance(name, type):
            return partial(leaf, closeness), None, ""
        if isinstance(name, Function):
            before, between = call[0](name), [(SUM, call[1])] * (len(name.parameters) - 1)
            return lambda symbol: "", lambda symbol: [*between, (SUM, before)], call[2]
        pattern, binding = patterns[name]
        slots, end = list[Slot](), 0
        text = pattern.join(enclosed) if binding < closeness else pattern
        for number, slot in enumerate(_OPERAND.finditer(text)):
            demanded = SUM
            if not slot[1] and binding <= PRODUCT:
                demanded = binding + (number > 0)
            elif not slot[1] and binding == NEGATION:
                demanded = PRIMARY
            slots.append((demanded, text[end : slot.start(2)]))
            end = slot.end()
        slots.reverse()
        return lambda symbol: "", lambda symbol: slots, text[end:]

    def kind(symbol: Symbol) -> Symbol | type:
        return symbol if symbol in patterns or symbol.__class__ is Function else type(symbol)

    return prefix_writer(kind, row, SUM)


@dataclass(frozen=True, slots=True)
class Grid:
    """The numbers ``k * 2**exponent`` for every whole number k from ``low`` to ``high``."""

    low: int
    high: int
    exponent: int = 0

    @property
    def largest(self) -> int:
        """The largest magnitude of k."""
        return max(-self.low, self.high)


def of_constant(value: float) -> Grid:
    """The grid of a finite number."""
    numerator, denominator = value.as_integer_ratio()
    twos = (numerator & -numerator).bit_length() - 1 if numerator else 0
    return Grid(numerator >> twos, numerator >> twos, twos - denominator.bit_length() + 1)


def of_sensor(sensor: Sensor) -> Grid | None:
    """The grid of a sensor that has bounds and only whole values; None for other sensors."""
    if not (sensor.integer and math.isfinite(sensor.low) and math.isfinite(sensor.high)):
        return None
    return Grid(math.ceil(sensor.low), math.floor(sensor.high))


def _aligned(a: Grid, b: Grid) -> tuple[Grid, Grid]:
    """Both grids, converted to the smaller of their exponents."""
    exponent = min(a.exponent, b.exponent)
    return (
        Grid(a.low << a.exponent - exponent, a.high << a.exponent - exponent, exponent),
        Grid(b.low << b.exponent - exponent, b.high << b.exponent - exponent, exponent),
    )


def _sum(a: Grid, b: Grid) -> Grid:
    a, b = _aligned(a, b)
    return Grid(a.low + b.low, a.high + b.high, a.exponent)


def _product(a: Grid, b: Grid) -> Grid:
    corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    return Grid(min(corners), max(corners), a.exponent + b.exponent)


def _minimum(a: Grid, b: Grid) -> Grid:
    a, b = _aligned(a, b)
    return Grid(min(a.low, b.low), min(a.high, b.high), a.exponent)


def _negation(a: Grid) -> Grid:
    return Grid(-a.high, -a.low, a.exponent)


def _absolute(a: Grid) -> Grid:
    return Grid(0 if a.low <= 0 <= a.high else min(abs(a.low), abs(a.high)), a.largest, a.exponent)


def _either(_: Grid, __: Grid, x: Grid, y: Grid) -> Grid:
    x, y = _aligned(x, y)
    return Grid(min(x.low, y.low), max(x.high, y.high), x.exponent)


RESULTS: dict[str, Callable[..., Grid]] = {
    "+": _sum,
    "-": lambda a, b: _sum(a, _negation(b)),
    "*": _product,
    "min": _minimum,
    "max": lambda a, b: _negation(_minimum(_negation(a), _negation(b))),
    "neg": _negation,
    "abs": _absolute,
    "square": lambda a: _product(_absolute(a), _absolute(a)),
    "floor": lambda a: a if a.exponent >= 0 else Grid(a.low >> -a.exponent, a.high >> -a.exponent),
    "ifle": _either,
}
"""The grid of each operator's values, from the grids of its operands; division and roots have no grid."""


_HEAD = re.compile(r"\s*\w+[ \t]*\([\w \t,]+\)[ \t]*[:=](?!=)")
_EQUALS = re.compile(r"\)[ \t]*=(?!=)")


@lru_cache(maxsize=1000)
def function_of(text: str, calls: tuple[Function, ...] = ()) -> Function:
    """The last function in a definition such as ``hypot(a, b) = sqrt(a * a + b * b)``; ``:`` can replace ``=``.

    ``calls`` are other functions that this function can call.

    Raises:
        UsageError: the text does not define a function; the message gives the location in the text.
    """
    if not _HEAD.match(text):
        raise UsageError(
            f"`{shortened(text)}` defines no function; expected one such as `hypot(a, b) = sqrt(a*a + b*b)`"
        )
    language = language_entry(language_of_genome("tree")).load()
    text = definitions(calls) + _EQUALS.sub("):", text)
    try:
        source = language.parse(f"{text}\n{LONE_SECTION}: 0\n", "primitive")
    except (SourceError, LimitError) as error:
        raise UsageError(str(error)) from None
    if source.program.names != (LONE_SECTION,):
        raise UsageError(f"`{shortened(text)}` has a section without parameters; expected only functions")
    found: Function = source.program.defined[-1]
    return found


def definitions(functions: Sequence[Function]) -> str:
    """The text of functions and of the functions that they call, one per line, as in a program."""
    language = language_entry(language_of_genome("tree")).load()
    text: str = language.print_program(
        TreeProgram((LONE_SECTION,), (leaf(0.0),), functions_called(*functions))
    )
    return "".join(text.splitlines(keepends=True)[:-1])


def operator_text(operator: str) -> str:
    """An operator in the form that configurations store: its name, or the definition of a function."""
    if isinstance(operator, Function):
        return str(operator) if operator.sha256 else definitions([operator]).rstrip()
    return operator


def operator_words(given: str | Sequence[str]) -> tuple[str, ...]:
    """Operators in the form that configurations store, from a string of names or a sequence of names and functions."""
    if isinstance(given, str) and not isinstance(given, Function) and "(" not in given:
        return tuple(given.replace(",", " ").split())
    return tuple(operator_text(each) for each in ([given] if isinstance(given, str) else given))


def foreign_among(names: Sequence[str]) -> tuple[Foreign, ...]:
    """The Python functions among operators with these names or definitions, and among the functions that they call."""
    called = functions_called(*(operator.name for operator in operators_named(names)))
    symbols = (each.body.symbols[0] for each in called)
    return tuple(symbol for symbol in symbols if isinstance(symbol, Foreign))


def operators_named(names: Sequence[str]) -> tuple[Operator, ...]:
    """The operators with these names or definitions.

    Raises:
        UsageError: there is no such operator, a definition is invalid, or two functions share a name.
    """
    found: list[Operator] = []
    for name in names:
        if "(" not in name and name not in plugins.here.functions:
            try:
                found.append(find(OPERATORS, name, "operator of formulas"))
            except UsageError as error:
                hint = "a function of Python is known when you name its file, as in --primitives FILE.py"
                raise UsageError(f"{error}; {hint}") from None
            continue
        function = plugins.here.functions.get(name) or function_of(name)
        found.append(Operator(function, len(function.parameters)))
    known: dict[str, Function] = {}
    for each in functions_called(*(operator.name for operator in found)):
        if known.setdefault(str(each), each) != each:
            raise UsageError(f"two functions have the name `{each}`; rename one of them")
    return tuple(found)
