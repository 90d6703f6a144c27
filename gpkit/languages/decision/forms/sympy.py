"""Decision trees as expressions of SymPy: nested choices between values."""

from collections.abc import Mapping
from typing import Any

from gpkit.core.errors import UsageError
from gpkit.export.sympy import number
from gpkit.genomes.comparisons import OPPOSITE
from gpkit.genomes.decision import Chance, DecisionTree, Leaf, Switch

_RELATIONS = {"<=": "Le", ">=": "Ge", "==": "Eq"}
"""The signs that do not hold for NaN; the others hold where one of these does not."""


def expression(tree: DecisionTree, symbols: Mapping[str, Any], sympy: Any, is_simplified: bool) -> Any:
    """The expression of a tree.

    Raises:
        UsageError: a leaf is a name.
    """

    def at(position: int) -> Any:
        node = tree.symbols[position]
        if isinstance(node, str):
            raise UsageError(f"the leaf `{node}` is a name, and expressions of SymPy are numbers")
        if isinstance(node, Leaf):
            return number(node, sympy)
        assert not isinstance(node, Chance), "it draws no random numbers"
        branches = [at(child) for child in tree.children(position)]
        feature = symbols[node.feature]
        if isinstance(node, Switch):
            cases = [
                (value, sympy.Ge(feature, number(bound, sympy)))
                for value, bound in zip(branches[:0:-1], reversed(node.bounds), strict=True)
            ]
            return sympy.Piecewise(*cases, (branches[0], True), evaluate=is_simplified)
        sign = node.sign
        if sign not in _RELATIONS:
            sign = OPPOSITE[sign]
            branches.reverse()
        condition = getattr(sympy, _RELATIONS[sign])(feature, number(node.threshold, sympy))
        return sympy.Piecewise((branches[0], condition), (branches[1], True), evaluate=is_simplified)

    return at(0)
