"""Writes a formula as the statements of a function body, for target languages with assignments and infix arithmetic.

There are two layouts. ``nested`` writes expressions as a person would; if a line would be too wide, it assigns the
longest part to a variable. ``ssa`` writes one operation in each statement and reuses registers, so no formula is too
deep or too large for a target; a table holds the registers that do not fit in the target's local variables. Both
layouts draw random numbers in separate statements, in the order of the formula. Both also prevent constant folding,
because its result can be −0.0, which Lua 5.1 stores as 0.0.
"""

import heapq
import re
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gpkit.core.primitives import RANDOM, PrimitiveSet
from gpkit.genomes.tree import Computed, Function, Symbol, Tree, functions_called, is_constant
from gpkit.langkit.foreign import Foreign
from gpkit.langkit.language import form
from gpkit.langkit.operators import NOTATION

NESTED_DEPTH = 80
"""The maximum depth of a formula that becomes nested expressions."""

LINE = 120
"""The maximum width of a line."""

MOST_CONSTANTS = 60_000
"""The maximum number of different literals in one function; LuaJIT has room for 65,536 constants."""

_TEXT = LINE - 20  # leaves room for indentation and `local t123 = `
_NAME = 24  # a longer sensor's local is named by a number
_INFIX = {"+": 1, "-": 1, "*": 2}
_UNARY = 3
_ATOM = 4
_FUNCTION = re.compile(r"^\w[\w *]* \*?(\w+)\(", re.MULTILINE)
_TAKEN = re.compile(r"[rtukx]\d+|fn_\w+")

CALLED = "fn_"
"""The prefix of a program's own functions in all targets; the name of a local variable never begins with it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A target language: its notation for everything in a function body.

    Attributes:
        name: the name of the target.
        declare: the text before the first assignment to a local name.
        load: the expression that reads a sensor as a double.
        calls: the function for every operator that is not infix, and functions for ``-`` and ``neg`` where the symbol
            is unsafe.
        function: takes (name, parameters, statements) and returns the text of a function that formulas call.
        reserved: names that no local variable may have.
        quoted: turns a string into a string literal.
        first, other: the lines that open the first branch and further ones; ``{}`` stands for the condition.
        last: the line that opens the last branch.
        end: the line that closes the last branch; empty if there is none.
        indent: the indentation of the lines of a branch.
        unequal: the operator for "not equal".
        negated: the negation of a condition ``{}``.
        part: the line that opens the function of part ``{}``; ``end`` closes it.
        most_nodes: the maximum number of nodes in one function; the parts of a larger tree become functions inside it.
        random: the expression that draws a random number.
        locals: the maximum number of local variables in one function.
        late_constant: writes a number in a function that already has ``MOST_CONSTANTS`` different constants.
    """

    name: str
    declare: str
    load: Callable[[str], str]
    calls: Mapping[str, str]
    function: Callable[[str, Sequence[str], Sequence[str]], str]
    reserved: frozenset[str]
    quoted: Callable[[str], str]
    first: str
    other: str
    last: str
    end: str = ""
    indent: str = "    "
    unequal: str = "!="
    negated: str = "not ({})"
    part: str = ""
    most_nodes: int = sys.maxsize
    random: str = "random()"
    locals: int = 180
    late_constant: Callable[[float], str] = repr


@dataclass(frozen=True, slots=True)
class Body:
    """The statements of a part, which end by returning its value, and the operators that they call."""

    lines: tuple[str, ...]
    operators: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Writer:
    """The notation of a language whose programs compute values for candidates or rows: each part becomes a function.

    Attributes:
        noun: the word for a part.
        body: returns the statements of the function for a part and a target; for C, without semicolons.
        title: returns a line about the part for its comment or docstring.
        statement: returns a sentence about the numbers in a part, for hosts that have another type of number;
            takes the game's primitives.
        shown: returns the lines of a comment that show a short part as its program file does.
        article: returns the text of a part as P. Hansson's article prints it.
        ready: takes (subject, advice, has_names) and returns a subject that functions can express, with names as leaves
            only if ``has_names`` is set; errors end with the advice.
        lacks: the modes that cannot express the programs.
    """

    noun: str
    body: Callable[[Any, Target], Body]
    title: Callable[[Any], str]
    statement: Callable[[Any, PrimitiveSet | None], str]
    shown: Callable[[Any], Sequence[str]] = lambda _: ()
    article: Callable[[Any], str] = str
    ready: Callable[[Any, str, bool], Any] = lambda subject, fix, has_names: subject
    lacks: tuple[str, ...] = ()


def writer_of(language: str) -> Writer:
    """The notation of a language whose programs become functions.

    Raises:
        UsageError: programs in the language compute no values.
    """
    return form(language, lambda each: each.functions(), "write {} as functions")


def has_names(tree: object) -> bool:
    """True if the results of a part are names instead of numbers."""
    return any(isinstance(leaf, str) for leaf in getattr(tree, "leaves", ()))


def printable(text: str) -> str:
    """The text, with a space in place of each character that cannot be printed."""
    return "".join(c if c.isprintable() else " " for c in text)


def functions_in(text: str, gap: str = "\n\n") -> dict[str, str]:
    """The hand-written functions in a text by name, with the comments above them; ``gap`` separates them."""
    parts = (part.strip() for part in text.split(gap))
    return {found[1]: part for part in parts if (found := _FUNCTION.search(part))}


def operators_of(bodies: Iterable[Body], target: Target, functions: Mapping[str, str]) -> list[str]:
    """The functions for the operators that these bodies call, from ``functions``; then the program's own functions."""
    used = {operator for body in bodies for operator in body.operators}
    texts: list[str] = []
    for each in functions_called(*sorted(used)):
        body = statements(each.body, target, each.parameters)
        used |= body.operators
        names = local_names(each.parameters, target.reserved)
        texts.append(target.function(name_called(each), [*names.values()], body.lines))
    operators = [functions[name] for operator, name in target.calls.items() if operator in used]
    return [*operators, *texts]


def call_of(feature: Computed, operands: Mapping[str, str]) -> str:
    """The call of the function for a feature that a formula computes, given the expressions of the sensors."""
    function = feature.function
    return f"{name_called(function)}({', '.join(operands[name] for name in function.parameters)})"


def name_called(function: str) -> str:
    """The name of one of a program's own functions in every target."""
    return CALLED + function


def statements(tree: Tree, target: Target, parameters: tuple[str, ...] = ()) -> Body:
    """The body of the function that computes a formula: ``nested`` if it is shallow enough, else ``ssa``.

    A function that formulas call has ``parameters``; other formulas read sensors.
    """
    if tree.depth <= NESTED_DEPTH:
        body = nested(tree, target, parameters)
        if body is not None:
            return body
    return ssa(tree, target, parameters)


def nested(tree: Tree, target: Target, parameters: tuple[str, ...] = ()) -> Body | None:
    """The formula as nested expressions; None if they would need more local variables than the target has."""
    writer = _Nested(tree, target, parameters)
    lines = writer.lines()
    return Body(lines, frozenset(writer.operators)) if writer.count <= target.locals else None


def ssa(tree: Tree, target: Target, parameters: tuple[str, ...] = ()) -> Body:
    """The formula with one operation in each statement."""
    writer = _Registers(tree, target, parameters)
    return Body(writer.lines(), frozenset(writer.operators))


def local_names(sensors: tuple[str, ...], reserved: frozenset[str]) -> dict[str, str]:
    """A local name for every sensor: its last word if that word is short and unused, otherwise ``x`` and a number."""
    names: dict[str, str] = {}
    taken = set(reserved)
    for number, sensor in enumerate(sensors, start=1):
        word = sensor.rsplit(".", 1)[-1]
        if (
            word in taken
            or len(word) > _NAME
            or _TAKEN.fullmatch(word)
            or not (word.isascii() and word.isidentifier())
        ):
            word = f"x{number}"
        taken.add(word)
        names[sensor] = word
    return names


def free_names(names: Sequence[str], taken: Collection[str]) -> dict[str, str]:
    """The function name for each part of a program, by the part's name; a name that is taken gets a trailing ``_``."""
    found: dict[str, str] = {}
    for name in names:
        called = name
        while called in taken or called in {*names, *found.values()} - {name}:
            called += "_"
        found[name] = called
    return found


@dataclass(slots=True)
class _Value:
    """A complete operand: its text, how tightly the text binds, and how it uses constants."""

    text: str
    binding: int = _ATOM
    is_constant: bool = False  # made of constants alone
    folds: bool = False  # holds an operation on constants alone
    register: int = -1


class _Writer:
    """A walk over a formula in prefix order that writes each operation as soon as its last operand is complete."""

    def __init__(self, tree: Tree, target: Target, parameters: tuple[str, ...] = ()) -> None:
        self.tree, self.target, self.parameters = tree, target, parameters
        self.out: list[str] = []
        self.operators: set[str] = set()
        self.locals = local_names(parameters, target.reserved)
        self.count = len(parameters)  # of local names

    def lines(self) -> tuple[str, ...]:
        """All statements of the function body."""
        if not self.parameters and len(self.tree.reads) <= self.target.locals // 3:
            self.locals = local_names(self.tree.reads, self.target.reserved)
            for sensor, name in self.locals.items():
                self.assign_new(name, self.target.load(sensor))
        self.begin()
        pending: list[tuple[str, int, list[_Value]]] = []
        for symbol, size in zip(self.tree.symbols, self.tree.sizes, strict=True):
            if size > 1:
                assert not is_constant(symbol), "an operator has a name"
                pending.append((symbol, NOTATION[symbol].arity, []))
                continue
            value = self.leaf(symbol)
            while pending:
                operator, wanted, operands = pending[-1]
                operands.append(value)
                if len(operands) < wanted:
                    break
                pending.pop()
                value = self.operation(operator, operands)
        self.out.append(f"return {value.text}")
        return tuple(self.out)

    def begin(self) -> None:
        """Write the statements before the first operation."""

    def kept(self, value: _Value) -> _Value:
        """Write an assignment of the value to a new name, and return the operand that reads this name."""
        raise NotImplementedError

    def drawn(self) -> _Value:
        """The next random number."""
        raise NotImplementedError

    def leaf(self, symbol: Symbol) -> _Value:
        """The operand for a leaf."""
        if is_constant(symbol):
            return _Value(repr(symbol), _ATOM if symbol >= 0.0 else _UNARY, is_constant=True)
        return (
            self.drawn()
            if symbol == RANDOM
            else _Value(self.locals[symbol], folds=bool(self.parameters))
            if symbol in self.locals
            else self.kept(_Value(self.target.load(symbol)))
        )

    def operation(self, operator: str, operands: list[_Value]) -> _Value:
        """The result of an operation as an operand, written so that the target's compiler does not fold constants."""
        if operator in (*_INFIX, "neg") and all(o.is_constant and o.register < 0 for o in operands):
            operands = [self.kept(operands[0]), *operands[1:]]
        return self.result(operator, operands)

    def result(self, operator: str, operands: list[_Value]) -> _Value:
        """The result of an operation on these operands."""
        raise NotImplementedError

    def assign_new(self, name: str, text: str) -> None:
        """Write the first assignment to a name."""
        self.count += 1
        self.out.append(f"{self.target.declare}{name} = {text}")

    def apply(self, operator: str, operands: list[_Value]) -> _Value:
        """The expression of one operation."""
        folds = any(o.folds for o in operands) or all(o.is_constant for o in operands)
        is_constant = all(o.is_constant for o in operands)
        if operator in _INFIX and not self.must_call(operator, operands):
            binding = _INFIX[operator]
            left, right = operands
            text = f"{_within(left, binding)} {operator} {_within(right, binding + 1)}"
        elif operator == "neg" and not self.must_call(operator, operands):
            binding = _UNARY
            text = f"-{_within(operands[0], _ATOM)}"
        else:
            binding = _ATOM
            if isinstance(operator, Foreign):
                text = operator.text(self.target.name, [each.text for each in operands])
                return _Value(text, binding, is_constant, folds)
            self.operators.add(operator)
            name = name_called(operator) if isinstance(operator, Function) else self.target.calls[operator]
            text = f"{name}({', '.join(o.text for o in operands)})"
        return _Value(text, binding, is_constant, folds)

    def must_call(self, operator: str, operands: list[_Value]) -> bool:
        """True if an operator that has a symbol must be written as a call.

        LuaJIT 2.0 compiles x - y as x if y is a constant −0.0. It compiles −x as 0.0 if it knows that x is a constant
        0.0. Sensors are never constants, but the operands of a function may be.
        """
        return operator in self.target.calls and (
            operands[-1].text not in self.locals.values()
            if operator == "neg" and not self.parameters
            else operands[-1].folds
        )


class _Nested(_Writer):
    """A writer of nested expressions."""

    def begin(self) -> None:
        names = [f"u{k}" for k in range(1, self.tree.draws + 1)] if self.tree.draws > 1 else []
        for name in names:
            self.assign_new(name, self.target.random)
        self.randoms, self.temporaries = iter(names or [self.target.random]), 0

    def drawn(self) -> _Value:
        return _Value(next(self.randoms))

    def result(self, operator: str, operands: list[_Value]) -> _Value:
        value = self.apply(operator, operands)
        while len(value.text) > _TEXT:
            longest = max(range(len(operands)), key=lambda k: len(operands[k].text))
            operands = [self.kept(o) if k == longest else o for k, o in enumerate(operands)]
            value = self.apply(operator, operands)
        return value

    def kept(self, value: _Value) -> _Value:
        """Write an assignment of the value to a new name, and return the operand that reads this name."""
        self.temporaries += 1
        self.assign_new(f"t{self.temporaries}", value.text)
        return _Value(f"t{self.temporaries}", _ATOM, value.is_constant, value.folds)


class _Registers(_Writer):
    """A writer of one operation per statement, into the lowest free register; a table holds the other registers."""

    def begin(self) -> None:
        self.limit, self.used = self.target.locals - self.count, 0
        self.loads, self.out = self.out, []
        self.free: list[int] = []
        self.constants: set[float] = set()

    def lines(self) -> tuple[str, ...]:
        _Writer.lines(self)
        spill = f"{self.target.declare}spill = {{}}"
        return (*self.loads, *[spill] * (self.used > self.limit), *self.out)

    def leaf(self, symbol: Symbol) -> _Value:
        if is_constant(symbol) and symbol not in self.constants:
            if len(self.constants) >= MOST_CONSTANTS:
                return _Value(self.target.late_constant(symbol), is_constant=True)
            self.constants.add(symbol)
        return _Writer.leaf(self, symbol)

    def drawn(self) -> _Value:
        return self.kept(_Value(self.target.random))

    def result(self, operator: str, operands: list[_Value]) -> _Value:
        for operand in operands:
            if operand.register >= 0:
                heapq.heappush(self.free, operand.register)
        return self.kept(self.apply(operator, operands))

    def kept(self, value: _Value) -> _Value:
        """Write an assignment of the value to the lowest free register, and return the operand that reads it."""
        is_new = not self.free
        register = self.used if is_new else heapq.heappop(self.free)
        self.used += is_new
        name = self.register_name(register)
        if is_new and register < self.limit:
            self.assign_new(name, value.text)
        else:
            self.out.append(f"{name} = {value.text}")
        return _Value(name, _ATOM, value.is_constant, value.folds, register)

    def register_name(self, register: int) -> str:
        """The text of a register: a local variable, or an element of the table."""
        return f"r{register + 1}" if register < self.limit else f"spill[{register - self.limit + 1}]"


def _within(value: _Value, binding: int) -> str:
    """The text of an operand, with parentheses if it binds less tightly than ``binding``."""
    return value.text if value.binding >= binding else f"({value.text})"
