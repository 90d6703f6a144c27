"""Formulas as the statements of a function body, for any target language with assignments and infix arithmetic.

Two layouts. ``nested`` writes expressions as people do, and gives a name to the longest part whenever a line would
become too wide. ``ssa`` writes one operation a statement into reused registers, so neither depth nor size can exceed
what a target can nest; registers beyond its locals live in a table. Both draw random numbers, in the order of their
places in the formula, in statements of their own, and both keep a target from folding constants: Lua 5.1 stores the
−0.0 that folding can give as 0.0.
"""

import heapq
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from gpkit.core.primitives import RANDOM
from gpkit.genomes.tree import Symbol, Tree, is_constant
from gpkit.langkit.operators import NOTATION

NESTED_DEPTH = 80
"""The depth to which formulas are written as nested expressions."""

LINE = 120
"""The widest line."""

_TEXT = LINE - 20  # leaves room for indentation and `local t123 = `
_NAME = 24  # a longer sensor's local is named by a number
_INFIX = {"+": 1, "-": 1, "*": 2}
_UNARY = 3
_ATOM = 4
_TAKEN = re.compile(r"[rtukx]\d+")


@dataclass(frozen=True, slots=True)
class Target:
    """Target language of statements: its notation for all that they need.

    Attributes:
        declare: what stands before the first assignment to a local name.
        load: the expression that reads a sensor as a double.
        calls: the function of every operator that is not infix; those of ``-`` and ``neg`` are used where the sign is
            unsafe.
        reserved: names that no local may have.
        table: the statement that makes ``spill``, the table of registers beyond the locals.
        locals: how many locals one function may have.
        random: the expression that draws a random number.
        constants: how many different numbers one function may have; further ones are written by ``late_constant``.
    """

    declare: str
    load: Callable[[str], str]
    calls: Mapping[str, str]
    reserved: frozenset[str]
    table: str
    random: str = "random()"
    locals: int = 180
    constants: int = 60_000
    late_constant: Callable[[float], str] = repr


@dataclass(frozen=True, slots=True)
class Body:
    """The statements of one formula, the last of which returns its value, and the operators whose calls they need."""

    lines: tuple[str, ...]
    operators: frozenset[str]


@dataclass(frozen=True, slots=True)
class Writer:
    """The notation of a language's programs in C or Python, with a function for each part of a program.

    Attributes:
        noun: the word for a part.
        body: returns the statements of the function for a part and a target; for C, without semicolons.
        title: returns a line about the part for its comment or docstring.
        is_named: returns whether the values of a part are names instead of numbers.
    """

    noun: str
    body: Callable[[Any, Target], Body]
    title: Callable[[Any], str]
    is_named: Callable[[Any], bool] = lambda _: False


@runtime_checkable
class Writing(Protocol):
    """The notation of programs that compute a value, as functions; ``forms.c`` and ``forms.python`` provide it, too."""

    WRITER: Writer


def statements(tree: Tree, target: Target) -> Body:
    """The body of the function that computes a formula: ``nested`` if it is shallow enough, else ``ssa``."""
    if tree.depth <= NESTED_DEPTH:
        body = nested(tree, target)
        if body is not None:
            return body
    return ssa(tree, target)


def nested(tree: Tree, target: Target) -> Body | None:
    """The formula as wide expressions, or None if they would need more locals than the target has."""
    writer = _Nested(tree, target)
    lines = writer.lines()
    return Body(lines, frozenset(writer.operators)) if writer.count <= target.locals else None


def ssa(tree: Tree, target: Target) -> Body:
    """The formula as one operation a statement."""
    writer = _Registers(tree, target)
    return Body(writer.lines(), frozenset(writer.operators))


def local_names(sensors: tuple[str, ...], reserved: frozenset[str]) -> dict[str, str]:
    """A local name for every sensor: its last word where that is free and short, else x and a number."""
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
    """The name of a function for the name of each part of a program; a taken name gets ``_`` at its end."""
    found: dict[str, str] = {}
    for name in names:
        called = name
        while called in taken or called in {*names, *found.values()} - {name}:
            called += "_"
        found[name] = called
    return found


@dataclass(slots=True)
class _Value:
    """A completed operand: its text, how tightly that binds, and what it is made of."""

    text: str
    binding: int = _ATOM
    is_constant: bool = False  # made of constants alone
    folds: bool = False  # holds an operation on constants alone
    register: int = -1


@dataclass(slots=True)
class _Writer:
    """One walk over a formula in prefix order; an operation is written when its last operand is complete."""

    tree: Tree
    target: Target
    out: list[str] = field(default_factory=list)
    operators: set[str] = field(default_factory=set)
    locals: dict[str, str] = field(default_factory=dict)
    count: int = 0  # of local names

    def lines(self) -> tuple[str, ...]:
        """All statements."""
        sensors = self.tree.reads
        if len(sensors) <= self.target.locals // 3:
            self.locals = local_names(sensors, self.target.reserved)
            for sensor, name in self.locals.items():
                self.assign_new(name, self.target.load(sensor))
        self.begin()
        value = _Value("")
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
        """Write what comes before the first operation."""

    def leaf(self, symbol: Symbol) -> _Value:
        """The operand of a leaf."""
        raise NotImplementedError

    def operation(self, operator: str, operands: list[_Value]) -> _Value:
        """The operand that is the result of an operation."""
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
            self.operators.add(operator)
            text = f"{self.target.calls[operator]}({', '.join(o.text for o in operands)})"
        return _Value(text, binding, is_constant, folds)

    def must_call(self, operator: str, operands: list[_Value]) -> bool:
        """Whether an operator with a sign must be a call.

        LuaJIT 2.0 takes x - y for x when y is a constant −0.0, and −x for 0.0 when x is a constant 0.0 by what it has
        compiled, which only a sensor never is.
        """
        unsafe = operands[-1].text not in self.locals.values() if operator == "neg" else operands[-1].folds
        return operator in self.target.calls and unsafe


@dataclass(slots=True)
class _Nested(_Writer):
    """Wide expressions."""

    temporaries: int = 0
    randoms: int = 0
    drawn: list[str] = field(default_factory=list)  # names of random numbers, if there are several

    def begin(self) -> None:
        places = self.tree.draws
        self.drawn = [f"u{k}" for k in range(1, places + 1)] if places > 1 else []
        for name in self.drawn:
            self.assign_new(name, self.target.random)

    def leaf(self, symbol: Symbol) -> _Value:
        if is_constant(symbol):
            return _Value(repr(symbol), _ATOM if symbol >= 0.0 else _UNARY, is_constant=True)
        if symbol == RANDOM:
            self.randoms += 1
            return _Value(self.drawn[self.randoms - 1] if self.drawn else self.target.random)
        if symbol in self.locals:
            return _Value(self.locals[symbol])
        return self.named(_Value(self.target.load(symbol)))

    def operation(self, operator: str, operands: list[_Value]) -> _Value:
        if operator in (*_INFIX, "neg") and all(o.is_constant for o in operands):
            operands = [self.named(operands[0]), *operands[1:]]
        value = self.apply(operator, operands)
        while len(value.text) > _TEXT:
            longest = max(range(len(operands)), key=lambda k: len(operands[k].text))
            operands = [self.named(o) if k == longest else o for k, o in enumerate(operands)]
            value = self.apply(operator, operands)
        return value

    def named(self, value: _Value) -> _Value:
        """The value by a new name."""
        self.temporaries += 1
        name = f"t{self.temporaries}"
        self.assign_new(name, value.text)
        return _Value(name, _ATOM, value.is_constant, value.folds)


@dataclass(slots=True)
class _Registers(_Writer):
    """One operation a statement, into the lowest free register; registers from ``limit`` on are in the table."""

    free: list[int] = field(default_factory=list)
    used: int = 0
    limit: int = 0
    constants: set[float] = field(default_factory=set)
    loads: list[str] = field(default_factory=list)

    def begin(self) -> None:
        self.limit = self.target.locals - self.count
        self.loads, self.out = self.out, []

    def lines(self) -> tuple[str, ...]:
        _Writer.lines(self)
        table = [self.target.table] if self.used > self.limit else []
        return (*self.loads, *table, *self.out)

    def leaf(self, symbol: Symbol) -> _Value:
        if is_constant(symbol):
            if symbol in self.constants or len(self.constants) < self.target.constants:
                self.constants.add(symbol)
                return _Value(repr(symbol), _ATOM if symbol >= 0.0 else _UNARY, is_constant=True)
            return _Value(self.target.late_constant(symbol), is_constant=True)
        if symbol == RANDOM:
            return self.stored(_Value(self.target.random))
        if symbol in self.locals:
            return _Value(self.locals[symbol])
        return self.stored(_Value(self.target.load(symbol)))

    def operation(self, operator: str, operands: list[_Value]) -> _Value:
        if operator in (*_INFIX, "neg") and all(o.is_constant and o.register < 0 for o in operands):
            operands = [self.stored(operands[0]), *operands[1:]]
        for operand in operands:
            if operand.register >= 0:
                heapq.heappush(self.free, operand.register)
        return self.stored(self.apply(operator, operands))

    def stored(self, value: _Value) -> _Value:
        """The value in the lowest free register."""
        if self.free:
            register = heapq.heappop(self.free)
            name = self.register_name(register)
            self.out.append(f"{name} = {value.text}")
        else:
            register = self.used
            self.used += 1
            name = self.register_name(register)
            if register < self.limit:
                self.assign_new(name, value.text)
            else:
                self.out.append(f"{name} = {value.text}")
        return _Value(name, _ATOM, value.is_constant, value.folds, register)

    def register_name(self, register: int) -> str:
        """A local, or a place in the table."""
        return f"r{register + 1}" if register < self.limit else f"spill[{register - self.limit + 1}]"


def _within(value: _Value, binding: int) -> str:
    """The text of an operand, in parentheses if it binds less tightly than that."""
    return value.text if value.binding >= binding else f"({value.text})"
