"""Dataflow graph of an exported Lua function's statements, from which a tree is unfolded."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field

from gpkit.core.diagnostics import suggestion
from gpkit.core.errors import LimitError
from gpkit.core.primitives import RANDOM
from gpkit.export.lua.conditions import LuaReading, Token
from gpkit.export.lua.layout import ABSENT, KEYWORDS, OPERATOR_CALLS
from gpkit.genomes.tree import Symbol, Tree
from gpkit.langkit.operators import MAX_DEPTH, MAX_NODES, NOTATION
from gpkit.langkit.reading import MAX_NUMBER

OPERATORS_BY_NAME = {name: operator for operator, name in OPERATOR_CALLS.items()}
_PRECEDENCE = {"+": 1, "-": 1, "*": 2}
_NEGATION = 3
_MINUS = "-"

SensorName = Callable[[str, str], str]
"""The sensor of a table and a field of it."""


@dataclass(slots=True)
class Graph:
    """Dataflow graph of one function's statements: nodes, and the node that every local holds.

    ``parameters`` are None for a lone expression, whose names are all sensors.
    """

    reading: LuaReading
    parameters: frozenset[str] | None
    sensor: SensorName
    symbols: list[Symbol] = field(default_factory=list)
    operands: list[tuple[int, ...]] = field(default_factory=list)
    locals: dict[str, int] = field(default_factory=dict)

    def node(self, symbol: Symbol, *operands: int) -> int:
        """A new node."""
        self.symbols.append(symbol)
        self.operands.append(operands)
        return len(self.symbols) - 1

    def tree(self, root: int) -> Tree:
        """The tree of a node.

        Raises:
            LimitError: it is too large or too deep.
        """
        symbols: list[Symbol] = []
        arities: list[int] = []
        pending = [(root, 1)]
        while pending:
            node, depth = pending.pop()
            symbols.append(self.symbols[node])
            arities.append(len(self.operands[node]))
            if len(symbols) > MAX_NODES:
                raise LimitError(f"{self.reading.filename}: the program has more than {MAX_NODES} nodes")
            if depth > MAX_DEPTH:
                raise LimitError(f"{self.reading.filename}: a formula is deeper than {MAX_DEPTH} nodes")
            pending.extend((operand, depth + 1) for operand in reversed(self.operands[node]))
        return Tree.from_prefix(symbols, arities)

    def assignment(self) -> None:
        """One statement: a local gets the value of an expression, or of a sensor made a double by adding 0.0.

        Raises:
            SourceError: a parameter is assigned to, or the text is not as it is exported.
        """
        reading = self.reading
        reading.accept("local")
        token = reading.token
        name = self.name()
        if self.parameters is not None and name in self.parameters:
            raise reading.wrong("E101", f"the parameter `{name}` cannot be assigned to", token)
        reading.expect("=")
        start = reading.place
        load = self.load()
        if load is not None and reading.at("+") and reading.tokens[reading.place + 1].text == "0.0":
            reading.place += 2
            if isinstance(load, str) and reading.token.kind == "name":
                self.locals[name] = self.node(load)
                return
        reading.place = start
        self.locals[name] = self.expression()

    def name(self) -> str:
        """A name, or a place in the table of registers.

        Raises:
            SourceError: something else comes next.
        """
        name = self.reading.name()
        if name == "spill" and self.reading.accept("["):
            name = f"spill[{self.reading.take().text}]"
            self.reading.expect("]")
        return name

    def load(self) -> str | int | None:
        """A sensor or the node of a local, or None: ``env.x``, or ``(env.x or absent("env.x"))``."""
        reading = self.reading
        is_guarded = reading.accept("(")
        if reading.token.kind != "name" or self.is_call():
            return None
        path = self.path()
        if is_guarded:
            if not reading.accept("or", ABSENT, "("):
                return None
            reading.take()
            reading.expect(")", ")")
        return path

    def is_call(self) -> bool:
        """Whether a call comes next."""
        ahead = self.reading.tokens[self.reading.place : self.reading.place + 4]
        return ahead[1].text == "(" or [t.text for t in ahead] == ["math", ".", "random", "("]

    def path(self) -> str | int:
        """A sensor, or the node of a local.

        Raises:
            SourceError: the sensor is unknown, or its name is missing.
        """
        reading = self.reading
        token = reading.token
        name = self.name()
        if name in self.locals:
            return self.locals[name]
        if name in KEYWORDS or (self.parameters is not None and name not in self.parameters):
            known = [*self.locals, *sorted(self.parameters or ())]
            raise reading.wrong("E102", f"`{name}` has no value here", token, suggestion(name, known))
        words = []
        while reading.at(".") or reading.at("["):
            words.append(reading.name() if reading.accept(".") else bracketed(reading))
        sensor = self.sensor(name, ".".join(words))
        if not sensor:
            raise reading.unexpected("`.` and the name of a sensor")
        if sensor == RANDOM or sensor in NOTATION:
            usage = f"{RANDOM}()" if sensor == RANDOM else NOTATION[sensor].usage
            raise reading.wrong("E102", f"`{sensor}` is not a sensor", token, f"write `{usage}`")
        return sensor

    def expression(self) -> int:
        """The node of an expression, up to the first token that cannot belong to it.

        Raises:
            SourceError: the text is not as it is exported.
        """
        waiting: list[_Waiting] = []
        values: list[int] = []
        while True:
            self.operand(waiting, values)
            while True:  # after an operand
                precedence = _PRECEDENCE.get(self.reading.token.text, 0)
                if self.reading.token.kind == "sign" and precedence:
                    self.reduce(waiting, values, precedence)
                    waiting.append(_Waiting(self.reading.take().text, precedence, 2))
                    break
                if self.reading.at("/"):
                    message = "`/` is not protected from zero in Lua"
                    raise self.reading.wrong("E101", message, self.reading.token, "write `div(a, b)`")
                self.reduce(waiting, values, 1)
                if not waiting:
                    return values.pop()
                if waiting[-1].name and self.reading.accept(","):
                    waiting[-1].count += 1
                    break
                self.reading.expect(")")
                self.close(waiting.pop(), values)

    def operand(self, waiting: list["_Waiting"], values: list[int]) -> None:
        """Everything up to and with the next leaf: opened parentheses and calls, negations, the leaf."""
        reading = self.reading
        while True:
            token = reading.token
            following = reading.tokens[min(reading.place + 1, len(reading.tokens) - 1)]
            if reading.at("("):
                waiting.append(_Waiting("", 0, 1, reading.take()))
            elif reading.at("-") and following.kind != "number":
                waiting.append(_Waiting("neg", _NEGATION, 1, reading.take()))
            elif token.kind == "name" and token.text in OPERATORS_BY_NAME and following.text == "(":
                reading.place += 2
                waiting.append(_Waiting(OPERATORS_BY_NAME[token.text], 0, 1, token))
            else:
                values.append(self.leaf())
                return

    def leaf(self) -> int:
        """A number, a random number, a sensor or a local.

        Raises:
            SourceError: the operator is unknown, or there is no operand.
        """
        reading = self.reading
        if reading.accept("random", "(", ")") or reading.accept("math", ".", "random", "(", ")"):
            return self.node(RANDOM)
        if reading.accept("tonumber", "("):
            token = reading.take()
            number = self.number(Token("number", _unquoted(token.text), token.start))
            reading.expect(")")
            return number
        if reading.token.kind == "number":
            return self.number(reading.take())
        if reading.accept(_MINUS):
            token = reading.take()
            return self.number(Token("number", _MINUS + token.text, token.start - 1))
        if reading.token.kind != "name":
            raise reading.unexpected("a number", "a sensor", "`(`")
        if self.is_call():
            name = reading.token.text
            raise reading.wrong(
                "E102", f"`{name}` is not an operator", reading.token, suggestion(name, OPERATORS_BY_NAME)
            )
        path = self.path()
        return path if isinstance(path, int) else self.node(path)

    def number(self, token: Token) -> int:
        """A constant.

        Raises:
            SourceError: it is not a finite double.
        """
        digits = token.text.removeprefix(_MINUS)
        written = digits.replace("e", "").replace(".", "").replace("+", "").replace("-", "")
        if len(token.text) > MAX_NUMBER or not written.isdigit() or not {".", "e"} & set(digits):
            fix = f"write `{digits}.0`" if digits.isdigit() else ""
            raise self.reading.wrong("E103", f"`{token.text[:40]}` is not a double", token, fix)
        try:
            value = float(token.text)
        except ValueError:
            raise self.reading.wrong("E103", f"`{token.text}` is not a number", token) from None
        if math.isinf(value):
            raise self.reading.wrong("E103", f"`{token.text}` is larger than any double", token)
        return self.node(value + 0.0)

    def reduce(self, waiting: list["_Waiting"], values: list[int], precedence: int) -> None:
        """Complete the operators that bind at least that tightly."""
        while waiting and waiting[-1].precedence >= precedence:
            self.close(waiting.pop(), values)

    def close(self, operator: "_Waiting", values: list[int]) -> None:
        """Complete an operator, a call or a pair of parentheses.

        Raises:
            SourceError: the operator has another number of operands.
        """
        if not operator.name:
            return
        arity = NOTATION[operator.name].arity
        if operator.count != arity:
            assert operator.token is not None
            message = f"`{operator.token.text}` takes {arity} operands, got {operator.count}"
            raise self.reading.wrong("E101", message, operator.token)
        operands = values[len(values) - arity :]
        del values[len(values) - arity :]
        values.append(self.node(operator.name, *operands))


@dataclass(slots=True)
class _Waiting:
    """An operator, a call (precedence 0) or an open parenthesis (without a name) that lacks operands."""

    name: str
    precedence: int
    count: int
    token: Token | None = None


def bracketed(reading: LuaReading) -> str:
    """``["name"]``.

    Raises:
        SourceError: there is no name in quotes.
    """
    reading.expect("[")
    token = reading.take()
    if token.kind != "string":
        raise reading.wrong("E101", "expected a name in quotes", token)
    reading.expect("]")
    return _unquoted(token.text)


def _unquoted(literal: str) -> str:
    """The value of a string literal as the exporter writes it: ASCII, with \\" \\\\ and decimal escapes."""
    out = bytearray()
    place = 1
    while place < len(literal) - 1:
        if literal[place] != "\\":
            out += literal[place].encode()
            place += 1
        elif (digits := literal[place + 1 : place + 4]).isascii() and digits.isdigit():
            out.append(int(digits) & 255)
            place += 4
        else:
            out += literal[place + 1].encode()
            place += 2
    return out.decode("utf-8", "replace")
