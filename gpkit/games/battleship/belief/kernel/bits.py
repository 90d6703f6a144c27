"""Sets of small numbers as bits of words: int64 words of ``WORD`` bits each, so that no word is ever negative."""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from gpkit.core.compiled import COMPILED

WORD = 62
"""Elements of a word."""


def popcount_readable(word: int) -> int:
    """The number of elements of a word."""
    return int(word).bit_count()


def lowest_readable(word: int) -> int:
    """The place of the lowest element of a word that is not empty."""
    return (int(word) & -int(word)).bit_length() - 1


@intrinsic
def _popcount(typing_context: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


@intrinsic
def _lowest(typing_context: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), generate


popcount: Any = _popcount if COMPILED else popcount_readable
lowest: Any = _lowest if COMPILED else lowest_readable
