"""Annotations of the nodes of a formula beyond their symbols, from static analysis or from a trace."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from gpkit.genomes.tree import Tree
from gpkit.languages.arithmetic.coverage import executed_nodes
from gpkit.languages.arithmetic.redundancy import constant_nodes, idle_nodes

_NO_VALUES: Mapping[int, float] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Marks:
    """Nodes of one formula by position.

    ``constant`` ones have the same value whatever the sensors say; ``redundant`` ones cannot change the result: both
    are greyed. ``executed`` are those that counted in a trace (None: there is no trace). ``values`` are shown at nodes.
    """

    constant: frozenset[int] = frozenset()
    redundant: frozenset[int] = frozenset()
    executed: frozenset[int] | None = None
    values: Mapping[int, float] = field(default_factory=lambda: _NO_VALUES)


NO_MARKS = Marks()


def analysed(tree: Tree) -> Marks:
    """Marks by static analysis of the formula: its constant and its redundant parts."""
    return Marks(constant=constant_nodes(tree), redundant=idle_nodes(tree))


def traced(tree: Tree, values: Mapping[int, float], marks: Marks = NO_MARKS) -> Marks:
    """``marks`` with the value of every node, and as executed all but the outcomes that an ``ifle`` did not take.

    Where every node was executed there is nothing to tell apart, and only the values are added.
    """
    executed = executed_nodes(tree, values)
    return replace(marks, executed=executed if len(executed) < len(tree) else None, values=values)
