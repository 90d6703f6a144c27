"""Joins the machine code of formulas from the compiled code of their operators and functions."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from gpkit.core.arrays import Floats
from gpkit.core.primitives import RANDOM
from gpkit.genomes.tree import Function, Symbol, TreeProgram, leaf, node
from gpkit.langkit.operators import NOTATION
from gpkit.langkit.splicing import Spliced, Template, Templates, program_of, values_of
from gpkit.languages.arithmetic.compiler import compile_tree
from gpkit.vm.program import Program


@lru_cache(maxsize=10_000)
def _template(symbol: str) -> Template:
    """The compiled code of one operator or function, whose operands are inputs."""
    operands = tuple(f"operand {number}" for number in range(NOTATION[symbol].arity))
    return Template(len(operands), compile_tree(node(symbol, *map(leaf, operands)), operands))


@lru_cache(maxsize=1000)
def _templates(functions: tuple[Function, ...]) -> tuple[Mapping[Symbol, int], Templates | None]:
    """The numbers of all operators and of these functions as templates, and the templates."""
    symbols: tuple[str, ...] = (*map(str, NOTATION), *functions)
    return dict(zip(symbols, range(len(symbols)), strict=True)), Templates.of(map(_template, symbols))


def joined(program: TreeProgram, reads: Sequence[str] | None = None) -> Spliced | None:
    """The code of a single formula, joined from the code of its operators and functions.

    It computes the same as the code of ``compile_tree``. The result is None if the program has several formulas, draws
    random numbers or calls Python functions.
    """
    symbols = program.trees[0].symbols
    distinct = dict.fromkeys(symbols)
    if len(program.trees) > 1 or RANDOM in distinct:
        return None
    numbers, templates = _templates(tuple([each for each in distinct if each.__class__ is Function]))
    return None if templates is None else templates.joined(symbols, numbers, reads)


def code(program: TreeProgram) -> Program | None:
    """The machine program of a single formula; None if it has to be compiled."""
    return program_of(joined, program, lambda: program.trees[0].reads)


def rows(program: TreeProgram, given: Mapping[str, Any]) -> Floats | None:
    """The values of a single formula for arrays, float64 (rows,) each; None if it has to be compiled."""
    return values_of(joined, program, given)
