"""Formulas as JSON: their symbols in prefix order, names as strings."""

from collections.abc import Mapping
from typing import Any

from gpkit.core.errors import LimitError, UsageError
from gpkit.core.primitives import PrimitiveSet
from gpkit.export import json as document
from gpkit.export.registry import Subject
from gpkit.genomes.tree import Symbol, Tree, TreeProgram
from gpkit.langkit.operators import MAX_NODES, NOTATION

MODES = ("program",)
MEMBER = "formulas"
documents, check = document.documents, document.check


def members(subject: Subject) -> dict[str, Any]:
    """The formulas by section."""
    program = subject.program
    return {MEMBER: {name: list(program.tree(name).symbols) for name in program.names}}


def read(
    value: Mapping[str, Any], header: Mapping[str, str], primitives: PrimitiveSet | None
) -> tuple[TreeProgram, Mapping[str, str]]:
    """The program of the formulas.

    Raises:
        UsageError: it is not a program of formulas.
        LimitError: it has too many nodes.
    """
    formulas = value.get(MEMBER)
    if not isinstance(formulas, dict) or not formulas:
        raise UsageError("a program has `formulas`, an object of at least one")
    if sum(len(symbols) for symbols in formulas.values() if isinstance(symbols, list)) > MAX_NODES:
        raise LimitError(f"the program has more than {MAX_NODES} nodes")
    return TreeProgram(tuple(formulas), tuple(_tree(formulas, name) for name in formulas)), {}


def _tree(formulas: Mapping[str, Any], name: str) -> Tree:
    symbols = formulas[name]
    if not isinstance(symbols, list) or not all(
        document.is_number(s) or (isinstance(s, str) and s) for s in symbols
    ):
        raise UsageError(f"the formula `{name}` should be a list of names and finite numbers")
    prefix: list[Symbol] = [s if isinstance(s, str) else float(s) + 0.0 for s in symbols]
    try:
        return Tree.from_prefix(prefix, [NOTATION[s].arity if s in NOTATION else 0 for s in prefix])
    except ValueError as error:
        raise UsageError(f"the formula `{name}` is not in prefix order: {error}") from None
