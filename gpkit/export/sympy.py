"""Programs as expressions of SymPy, with the protection of every operator written out as a ``Piecewise``."""

import keyword
import math
import re
from collections.abc import Mapping
from importlib import import_module
from typing import Any, Protocol, runtime_checkable

from gpkit.core.errors import UsageError
from gpkit.core.registry import form
from gpkit.core.wording import install_command


@runtime_checkable
class Writing(Protocol):
    """Parts of programs as expressions: the form ``sympy``."""

    def expression(self, tree: Any, symbols: Mapping[str, Any], sympy: Any, is_simplified: bool) -> Any:
        """The expression of one part.

        Args:
            tree: the part.
            symbols: of what it reads, by name.
            sympy: the package.
            is_simplified: whether SymPy evaluates it, and not keeps every node.

        Raises:
            UsageError: SymPy cannot say it.
        """


def expressions(program: Any, is_simplified: bool) -> Any:
    """The expression of a program, over symbols named as what it reads; of several sections, expressions by name.

    Raises:
        UsageError: SymPy is not installed, the program draws random numbers, or its language has no such form.
    """
    writing = form(Writing, "sympy", program.language, "write {} as expressions of SymPy")
    try:
        sympy = import_module("sympy")
    except ImportError:
        raise UsageError(
            f"an expression of SymPy needs the package sympy: {install_command('data')}"
        ) from None
    if any(tree.draws for tree in program.trees):
        raise UsageError("an expression of SymPy has one value, and this program draws random numbers")
    symbols = {name: sympy.Symbol(word) for name, word in symbol_names(program).items()}
    parts = [writing.expression(tree, symbols, sympy, is_simplified) for tree in program.trees]
    return dict(zip(program.names, parts, strict=True)) if len(parts) > 1 else parts[0]


def symbol_names(program: Any) -> dict[str, str]:
    """The name of the symbol for everything that a program reads: a Python name.

    ``lambdify`` would give a new name to a symbol with any other, and evaluate the expression as it does so. ``env.``
    is left out, what a Python name cannot have is ``_``, and further ones tell equal names apart.
    """
    found: dict[str, str] = {}
    for name in dict.fromkeys(name for tree in program.trees for name in tree.reads):
        word = re.sub(r"\W", "_", name.removeprefix("env."))
        word = word if word.isidentifier() else f"_{word}"
        while keyword.iskeyword(word) or word in found.values():
            word += "_"
        found[name] = word
    return found


def number(value: float, sympy: Any) -> Any:
    """A double as SymPy keeps it, with enough digits that ``lambdify`` gives the same one back."""
    return sympy.Float(value, 17) if math.isfinite(value) else sympy.Float(value)
