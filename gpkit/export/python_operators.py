"""The operators of exported Python files, which are copied into them; the meaning is that of f64-v1."""

import math


def div(a: float, b: float) -> float:
    """a / b, or 1 where b is zero."""
    return a / b if b != 0.0 else 1.0


def minimum(a: float, b: float) -> float:
    """b if b < a else a; unlike Python's min in its order of NaN."""
    return b if b < a else a


def maximum(a: float, b: float) -> float:
    """b if b > a else a; unlike Python's max in its order of NaN."""
    return b if b > a else a


def absolute(a: float) -> float:
    """-a if a is negative, else a."""
    return -a if a < 0.0 else a


def square_root(a: float) -> float:
    """The square root, or 0 unless a is positive."""
    return math.sqrt(a) if a > 0.0 else 0.0


def second_power(a: float) -> float:
    """a * a."""
    return a * a


def floor(a: float) -> float:
    """The largest whole number at most a; inf and NaN stay as they are."""
    return a - a % 1.0 + 0.0 if a - a == 0.0 else a


def if_at_most(a: float, b: float, x: float, y: float) -> float:
    """x if a <= b, else y."""
    return x if a <= b else y


def logarithm(a: float) -> float:
    """The natural logarithm, or 0 unless a is positive."""
    return math.log(a) if a > 0.0 else 0.0


def exponential(a: float) -> float:
    """e to the power of a; inf where that is too large."""
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
    """a to the power of b; 1 where that divides by zero, 0 if a is negative and b a fraction, inf if too large."""
    if a == 0.0 and b < 0.0:
        return 1.0
    if not (a >= 0.0 or (b % 1.0 == 0.0 if b - b == 0.0 else b == b)):
        return 0.0
    try:
        return math.pow(a, b)
    except OverflowError:
        return -math.inf if a < 0.0 and b % 2.0 == 1.0 else math.inf
