"""The instruction table of the machine: one row per instruction, for every language.

Programs are three-address code: operands and results are slots in a flat memory of doubles. The memory contains a
program's inputs, constants and registers side by side, so a leaf of an expression needs no instruction. Execution
continues with the next row unless an instruction jumps. Opcodes from ``HOST`` to ``OPCODE`` belong to the host: the
machine stops before such an instruction and returns. A word above ``OPCODE`` calls a Python function by its address.
The upper bits of the word contain the number of the slot with the address, plus one. The memory stores the address like
a constant, as the double with the same bits.

All arithmetic follows ``f64-v1``: IEEE doubles, protected so that every operation has a value, which is bit-for-bit the
same in Python, compiled code and Lua. ``floor`` adds a zero, which turns −0.0 into 0.0, because Lua versions disagree
about the sign of a zero from ``%``. Exported Python files contain the functions of this module. Logarithms,
exponentials, sines, powers and similar functions come from this computer's C library, in Python and in compiled code.
The libraries of other hosts can differ by two units in the last place.
"""

import ctypes
import math
import operator
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

Operand = Literal["-", "result", "slot", "target", "number"]
"""The kind of a column: unused, a slot to write, a slot to read, a place in the code, or a number for the host."""

WIDTH = 5
"""The number of columns in a code row: an opcode, a result or target, and up to three operands."""

HALT, MOVE, ADD, SUB, MUL, DIV, MIN, MAX = range(8)
NEG, ABS, SQRT, FLOOR, AT_MOST, SELECT = range(8, 14)
JUMP, JUMP_IF_ZERO, JUMP_UNLESS_ZERO = range(14, 17)
LOG, EXP, SIN, COS, TANH, POW = range(17, 23)

HOST = 64
"""The first opcode of host instructions."""

OPCODE_BITS = 8
"""The number of bits of an opcode; a word with more bits is a call."""

OPCODE = (1 << OPCODE_BITS) - 1
"""The largest opcode."""

MOST_OPERANDS = 3
"""The maximum number of operands of a Python function."""

OUT_OF_STEPS = -1
"""The number that the machine returns in place of an opcode if the step budget runs out."""


@dataclass(frozen=True, slots=True)
class Instruction:
    """A row of the table: opcode, name, kinds of columns, meaning, and for pure instructions, a readable function."""

    opcode: int
    name: str
    columns: tuple[Operand, Operand, Operand, Operand]
    meaning: str
    function: Callable[..., float] | None = None


def div(a: float, b: float) -> float:
    """a / b, or 1 where b is zero."""
    return a / b if b != 0.0 else 1.0


def minimum(a: float, b: float) -> float:
    """b if b < a else a; so a if either is NaN."""
    return b if b < a else a


def maximum(a: float, b: float) -> float:
    """b if b > a else a; so a if either is NaN."""
    return b if b > a else a


def negate(a: float) -> float:
    """``-a``."""
    return -a


def absolute(a: float) -> float:
    """-a if a is negative, else a."""
    return -a if a < 0.0 else a


def square_root(a: float) -> float:
    """The square root, or 0 unless a is positive."""
    return math.sqrt(a) if a > 0.0 else 0.0


def floor(a: float) -> float:
    """The largest whole number at most a; inf and NaN stay as they are."""
    return a - a % 1.0 + 0.0 if a - a == 0.0 else a


def second_power(a: float) -> float:
    """a * a."""
    return a * a


def if_at_most(a: float, b: float, x: float, y: float) -> float:
    """x if a <= b, else y."""
    return x if a <= b else y


def logarithm(a: float) -> float:
    """The natural logarithm, or 0 unless a is positive."""
    return math.log(a) if a > 0.0 else 0.0


def exponential(a: float) -> float:
    """e to the power of a, or inf if that is too large."""
    try:
        return math.exp(a)
    except OverflowError:
        return math.inf


def sine(a: float) -> float:
    """The sine, or 0 unless a is finite."""
    return math.sin(a) if a - a == 0.0 else 0.0


def cosine(a: float) -> float:
    """The cosine, or 0 unless a is finite."""
    return math.cos(a) if a - a == 0.0 else 0.0


def hyperbolic_tangent(a: float) -> float:
    """The hyperbolic tangent."""
    return math.tanh(a)


def power(a: float, b: float) -> float:
    """a to the power of b; 1 if that divides by zero, 0 if a is negative and b a fraction, inf if too large."""
    if a == 0.0 and b < 0.0:
        return 1.0
    if not (a >= 0.0 or (b % 1.0 == 0.0 if b - b == 0.0 else b == b)):
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


SIGNATURE = ctypes.CFUNCTYPE(*[ctypes.c_double] * (1 + MOST_OPERANDS))
"""The type of functions that the machine calls: they take three doubles, but read only the doubles that they need."""


def call(address: float, *operands: float) -> float:
    """The value of the function at an address, for the given operands."""
    (place,) = struct.unpack("q", struct.pack("d", address))
    return float(SIGNATURE(place)(*operands))


def move(a: float) -> float:
    """``a`` itself."""
    return a


_UNARY: tuple[Operand, Operand, Operand, Operand] = ("result", "slot", "-", "-")
_BINARY: tuple[Operand, Operand, Operand, Operand] = ("result", "slot", "slot", "-")

INSTRUCTIONS: tuple[Instruction, ...] = (
    Instruction(HALT, "halt", ("-", "-", "-", "-"), "the program ends"),
    Instruction(MOVE, "move", _UNARY, "r = a", move),
    Instruction(ADD, "add", _BINARY, "r = a + b", operator.add),
    Instruction(SUB, "sub", _BINARY, "r = a - b", operator.sub),
    Instruction(MUL, "mul", _BINARY, "r = a * b", operator.mul),
    Instruction(DIV, "div", _BINARY, "r = a / b, 1 if b = 0", div),
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
    Instruction(TANH, "tanh", _UNARY, "r = hyperbolic tangent of a", hyperbolic_tangent),
    Instruction(
        POW, "pow", _BINARY, "r = a to the power of b, 1 if a = 0 > b, 0 if a < 0 and b a fraction", power
    ),
)

CALL = Instruction(
    OPCODE + 1, "call", ("result", "slot", "slot", "slot"), "r = the function of a, b, c", call
)
"""The table row that all calls share."""


def row_of(word: int) -> Instruction:
    """The table row for an instruction that does not belong to the host, given its first word."""
    return CALL if word > OPCODE else INSTRUCTIONS[word]


def slots_of(words: Sequence[int], row: Instruction) -> list[int]:
    """The slots that an instruction reads; a call reads the address of the function first."""
    slots = [word for word, kind in zip(words[1:], row.columns, strict=True) if kind == "slot"]
    return [(words[0] >> OPCODE_BITS) - 1, *slots] if row is CALL else slots
