"""Supports Python functions in formulas: their symbols, and the code through which the machine calls them.

The machine calls a function by its address. If possible, numba compiles the function; otherwise, the address leads back
to the Python interpreter, and each call acquires the interpreter's global lock. gpkit does not compile a function with
a loop that may never end, because nothing could stop such a loop once it is compiled. The formula interpreter calls the
same address, so the interpreter and the machine agree bit for bit.

An exception cannot pass through compiled code. After an exception, the machine continues with NaN and calls no other
function. ``raise_failure`` raises the exception once the compiled code has returned.
"""

import ast
import ctypes
import inspect
import logging
import math
import textwrap
import traceback
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import product
from typing import Any

from gpkit.core import plugins
from gpkit.core.diagnostics import shortened
from gpkit.core.errors import GuestError, UsageError, one_line
from gpkit.core.plugins import imported_file, shown_path
from gpkit.core.timeouts import Stuck, TimeUp
from gpkit.genomes.tree import Function, Tree
from gpkit.vm.isa import MOST_OPERANDS, SIGNATURE
from gpkit.vm.program import ADDRESSES

CLOSE = 1e-9
"""The largest relative difference that gpkit accepts between a compiled function and the original."""

PROBES = (0.0, 1.0, -1.0, 0.5, -2.5, 1e3, 1e-300, math.inf)
"""The operands for which gpkit compares a compiled function with the original."""

_NO_VALUE = {"math domain error": math.nan, "math range error": math.inf}
"""The value of a call for each error message of Python's ``math``; compiled code returns the same values."""

_FAILED: list[BaseException] = []
"""The first error that a function raised since the last ``raise_failure``."""

_LOG = logging.getLogger(__name__)


class Foreign(str):
    """The symbol of a Python function; the body of the ``Function`` that formulas call applies it to the parameters.

    Attributes:
        function: the function, which takes numbers and returns a number.
        parameters: the names of its parameters, at most ``MOST_OPERANDS``.
        sha256: the SHA-256 of its file, or of its source.
        file: the absolute path of its file; empty if it was defined in an interactive session.
        texts: for each export target, an expression in which ``{0}`` stands for the first operand.
    """

    function: Callable[..., Any]
    parameters: tuple[str, ...]
    sha256: str
    file: str
    texts: Mapping[str, str]

    def __hash__(self) -> int:
        return hash((str(self), self.sha256))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Foreign) and (str(self), self.sha256) == (str(other), other.sha256)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the name and the file, or the function itself if there is no file."""
        return (
            (_of_file, (str(self), self.sha256, self.file, shown_path(self.file)))
            if self.file
            else (_symbol, (str(self), self.function, self.parameters, self.sha256, "", self.texts))
        )

    def text(self, target: str, operands: Sequence[str]) -> str:
        """The function's expression in an export.

        Raises:
            UsageError: the function has no expression for this target.
        """
        if target not in self.texts:
            raise UsageError(
                f"`{self}` is a Python function: an export needs its text, as in "
                f'gpkit.primitive({self}, {target}="...") with {{0}} for its first operand'
            )
        return f"({self.texts[target].format(*operands)})"

    def value(self, *operands: float) -> float:
        """The value for the operands, as the machine computes it.

        Raises:
            GuestError: the function raises an error, or returns something other than a number.
        """
        found = self._at(self.address, operands)
        raise_failure()
        return found

    def _at(self, address: int, operands: Sequence[float]) -> float:
        return float(SIGNATURE(address)(*operands, *[0.0] * (MOST_OPERANDS - len(operands))))

    @cached_property
    def address(self) -> int:
        """The address that the machine calls."""
        back = SIGNATURE(self._called)
        kept: tuple[Any, ...] = (back,)
        address = ctypes.cast(back, ctypes.c_void_p).value or 0
        why = self._why_not_compiled()
        if not why:
            try:
                compiled = _compiled(self.function, len(self.parameters), back)
            except Exception as error:  # numba has many
                why = one_line(error)
            else:
                kept, why = (back, compiled), self._difference(compiled.address)
                address = address if why else compiled.address
        if why:
            _LOG.warning(f"`{self}` is not compiled, so each call takes microseconds: {shortened(why, 200)}")
        ADDRESSES[address] = kept
        return address

    def _why_not_compiled(self) -> str:
        """The reason why the function must not be compiled; empty if it may be compiled."""
        try:
            nodes = [*ast.walk(ast.parse(textwrap.dedent(inspect.getsource(self.function))))]
        except (OSError, TypeError, SyntaxError):
            return "its source is unknown"
        for each in nodes:
            around = each.iter if isinstance(each, ast.For | ast.comprehension) else ast.Constant(0)
            names = {part.id for part in ast.walk(around) if isinstance(part, ast.Name)}
            if isinstance(each, ast.While) or names > {"range"} or (names and "range" not in names):
                return "it has a loop that may have no end"
            if isinstance(each, ast.Name) and each.id == self.function.__name__:
                return "it calls itself"
        return ""

    def _difference(self, address: int) -> str:
        """The first difference between compiled code and the original function, in words; empty if there is none."""
        for operands in product(PROBES, repeat=len(self.parameters)):
            wanted, other = _outcome(self._called(*operands)), _outcome(self._at(address, operands))
            same = wanted == other or str(wanted) == str(other)  # also NaN
            if not same and (
                isinstance(wanted, str)
                or isinstance(other, str)
                or not abs(wanted - other) <= CLOSE * abs(wanted)
            ):
                return f"for {operands} compiled code gives {other}, and Python {wanted}"
        return ""

    def _called(self, *operands: float) -> float:
        """The value for the operands; NaN after an error, until ``raise_failure`` has raised the error."""
        if _FAILED:
            return math.nan
        given, answer = operands[: len(self.parameters)], None
        try:
            answer = self.function(*given)
            if not isinstance(answer, str | bytes | None):
                return float(answer)
        except BaseException as error:  # also from whoever stops it
            if str(error) in _NO_VALUE:
                return _NO_VALUE[str(error)]
            place = traceback.extract_tb(error.__traceback__)[-1]
            words = str(error) if isinstance(error, Stuck) else one_line(error)
            told = f": {shown_path(place.filename)}, line {place.lineno}: {words}"
            if isinstance(error, KeyboardInterrupt | TimeUp):
                _FAILED.append(error)
                return math.nan
        else:
            told = f" returned {shortened(repr(answer))} ({type(answer).__name__}); expected a number"
        _FAILED.append(GuestError(f"{self}({', '.join(map(repr, given))}){told}"))
        return math.nan


def _outcome(value: float) -> float | str:
    """The value, or the message of the error that a function raised; this also discards the error."""
    return one_line(_FAILED.pop()) if _FAILED else value


def raise_failure() -> None:
    """Raise the error, if any, that occurred in a function called from compiled code.

    Raises:
        GuestError: the function failed; the message shows the operands, and the line if the function raised an
            exception.
    """
    if _FAILED:
        raise _FAILED.pop()


def _compiled(function: Callable[..., Any], arity: int, back: Any) -> Any:
    """Compiled code with the machine's signature; after an error, it calls ``back``, which records the error."""
    from numba import cfunc, njit

    inner = njit(getattr(function, "py_func", function))
    by_arity = (lambda a, b, c: inner(a), lambda a, b, c: inner(a, b), lambda a, b, c: inner(a, b, c))
    wide = njit(by_arity[arity - 1])

    def called(a: float, b: float, c: float) -> float:
        try:
            return float(wide(a, b, c))
        except Exception:  # noqa: S110 - back finds it again
            pass
        return float(back(a, b, c))

    return cfunc("float64(float64, float64, float64)")(called)


def _symbol(
    name: str,
    function: Callable[..., Any],
    parameters: tuple[str, ...],
    sha256: str,
    file: str,
    texts: Mapping[str, str],
) -> Foreign:
    made = Foreign(name)
    made.function, made.parameters, made.sha256 = function, parameters, sha256
    made.file, made.texts = file, texts
    return made


def know_function(*given: Any) -> Function:
    """Register a Python function; the arguments are its name and the attributes of ``Foreign``, in order.

    Returns:
        The function that formulas call.
    """
    symbol = _symbol(*given)
    parameters = symbol.parameters
    body = Tree((symbol, *parameters), (1 + len(parameters), *[1] * len(parameters)))
    found = plugins.here.functions[str(symbol)] = Function(str(symbol), parameters, body)
    return found


def _of_file(name: str, sha256: str, path: str, written: str) -> Foreign:
    """Import a file, and return the symbol of a function in it.

    Raises:
        UsageError: the file no longer contains this function, or the function has another SHA-256.
    """
    imported_file(path)
    plugins.here.written[path] = written
    symbol = plugins.here.functions[name].body.symbols[0] if name in plugins.here.functions else None
    if not isinstance(symbol, Foreign) or symbol.sha256 != sha256:
        raise UsageError(
            f"the function `{name}` of {written} differs from the one with which the run was started"
        )
    return symbol
