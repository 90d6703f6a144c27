"""The instruction table of the machine: one row per instruction, for every language.

The code is three-address: operands and results are slots of one flat memory of doubles, in which a program's inputs,
constants and registers lie side by side; a leaf of an expression therefore costs no instruction. Control goes forward
unless an instruction jumps. Opcodes from ``HOST`` upward belong to the host: the machine stops before them and returns.

All arithmetic is that of ``f64-v1``: IEEE doubles, protected so that it is total and the same in Python, compiled code
and Lua, bit for bit. Logarithms, exponentials, sines, powers and the like are those of the C library of the machine, in
Python and compiled code alike; the libraries of other hosts may differ by two units in the last place.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Operand = Literal["-", "result", "slot", "target", "number"]
"""Kind of a column: nothing, the slot written, a slot read, a place in the code, a plain number for the host."""

WIDTH = 5
"""Columns of one code row: opcode, a result or target, and up to three operands."""

HALT, MOVE, ADD, SUB, MUL, DIV, MIN, MAX = range(8)
NEG, ABS, SQRT, FLOOR, AT_MOST, SELECT = range(8, 14)
JUMP, JUMP_IF_ZERO, JUMP_UNLESS_ZERO = range(14, 17)
LOG, EXP, SIN, COS, TANH, POW = range(17, 23)

HOST = 64
"""Opcodes from here on are host instructions."""

OUT_OF_STEPS = -1
"""Return value of the machine, instead of an opcode, when the step budget is used up."""


@dataclass(frozen=True, slots=True)
class Instruction:
    """One row: the opcode, its name, what its columns hold, and for pure ones the readable meaning of the operands."""

    opcode: int
    name: str
    columns: tuple[Operand, Operand, Operand, Operand]
    meaning: str
    function: Callable[..., float] | None = None


def divide(a: float, b: float) -> float:
    """``a / b``, or 1.0 when b is zero."""
    return a / b if b != 0.0 else 1.0


def minimum(a: float, b: float) -> float:
    """``b if b < a else a``: written out because languages order NaN and equal values differently."""
    return b if b < a else a


def maximum(a: float, b: float) -> float:
    """``b if b > a else a``."""
    return b if b > a else a


def negate(a: float) -> float:
    """``-a``."""
    return -a


def absolute(a: float) -> float:
    """``-a if a < 0 else a``."""
    return -a if a < 0.0 else a


def square_root(a: float) -> float:
    """The square root, or 0.0 for what is not positive (NaN too)."""
    return math.sqrt(a) if a > 0.0 else 0.0


def floor(a: float) -> float:
    """``a - a % 1.0 + 0.0``, the largest whole number at most a; inf and NaN stay as they are.

    The added zero turns −0.0 into 0.0, on whose sign the ``%`` of the Lua versions does not agree.
    """
    return a - a % 1.0 + 0.0 if a - a == 0.0 else a


def logarithm(a: float) -> float:
    """The natural logarithm, or 0.0 for what is not positive (NaN too)."""
    return math.log(a) if a > 0.0 else 0.0


def exponential(a: float) -> float:
    """e to the power of a: inf where that is too large for a double, as a product would be; NaN stays."""
    try:
        return math.exp(a)
    except OverflowError:
        return math.inf


def sine(a: float) -> float:
    """The sine of an angle in radians, or 0.0 for inf and NaN."""
    return math.sin(a) if a - a == 0.0 else 0.0


def cosine(a: float) -> float:
    """The cosine of an angle in radians, or 0.0 for inf and NaN."""
    return math.cos(a) if a - a == 0.0 else 0.0


def power(a: float, b: float) -> float:
    """a to the power of b, which is inf where it is too large for a double.

    It is 1.0 where a is zero and b negative, as that divides by zero; and 0.0 unless a is at least zero or b a whole
    number, for which inf counts.
    """
    if a == 0.0 and b < 0.0:
        return 1.0
    if not (a >= 0.0 or floor(b) == b):
        return 0.0
    try:
        return math.pow(a, b)
    except OverflowError:
        return -math.inf if a < 0.0 and b % 2.0 == 1.0 else math.inf


def at_most(a: float, b: float) -> float:
    """1.0 if a ≤ b, else 0.0 (NaN gives 0.0)."""
    return 1.0 if a <= b else 0.0


def select(c: float, x: float, y: float) -> float:
    """x unless c is zero, else y."""
    return x if c != 0.0 else y


def move(a: float) -> float:
    """``a`` itself."""
    return a


_UNARY: tuple[Operand, Operand, Operand, Operand] = ("result", "slot", "-", "-")
_BINARY: tuple[Operand, Operand, Operand, Operand] = ("result", "slot", "slot", "-")

INSTRUCTIONS: tuple[Instruction, ...] = (
    Instruction(HALT, "halt", ("-", "-", "-", "-"), "the program ends"),
    Instruction(MOVE, "move", _UNARY, "r = a", move),
    Instruction(ADD, "add", _BINARY, "r = a + b", lambda a, b: a + b),
    Instruction(SUB, "sub", _BINARY, "r = a - b", lambda a, b: a - b),
    Instruction(MUL, "mul", _BINARY, "r = a * b", lambda a, b: a * b),
    Instruction(DIV, "div", _BINARY, "r = a / b, 1 if b = 0", divide),
    Instruction(MIN, "min", _BINARY, "r = b if b < a else a", minimum),
    Instruction(MAX, "max", _BINARY, "r = b if b > a else a", maximum),
    Instruction(NEG, "neg", _UNARY, "r = -a", negate),
    Instruction(ABS, "abs", _UNARY, "r = -a if a < 0 else a", absolute),
    Instruction(SQRT, "sqrt", _UNARY, "r = square root of a, 0 unless a > 0", square_root),
    Instruction(FLOOR, "floor", _UNARY, "r = a - a % 1 + 0", floor),
    Instruction(AT_MOST, "atmost", _BINARY, "r = 1 if a <= b else 0", at_most),
    Instruction(SELECT, "select", ("result", "slot", "slot", "slot"), "r = b unless a = 0, else c", select),
    Instruction(JUMP, "jump", ("target", "-", "-", "-"), "jump to t"),
    Instruction(JUMP_IF_ZERO, "jumpz", ("target", "slot", "-", "-"), "jump to t if a = 0"),
    Instruction(JUMP_UNLESS_ZERO, "jumpnz", ("target", "slot", "-", "-"), "jump to t unless a = 0"),
    Instruction(LOG, "log", _UNARY, "r = natural logarithm of a, 0 unless a > 0", logarithm),
    Instruction(EXP, "exp", _UNARY, "r = e to the power of a", exponential),
    Instruction(SIN, "sin", _UNARY, "r = sine of a, 0 unless a is finite", sine),
    Instruction(COS, "cos", _UNARY, "r = cosine of a, 0 unless a is finite", cosine),
    Instruction(TANH, "tanh", _UNARY, "r = hyperbolic tangent of a", math.tanh),
    Instruction(
        POW, "pow", _BINARY, "r = a to the power of b, 1 if a = 0 > b, 0 if a < 0 and b a fraction", power
    ),
)
