"""Annotations of the nodes of a formula beyond their symbols, from static analysis or from a trace."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

_NO_VALUES: Mapping[int, float] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Annotations:
    """Nodes of one formula by position.

    ``constant`` ones have the same value whatever the sensors say; ``redundant`` ones cannot change the result: both
    are greyed. ``executed`` are those that counted in a trace (None: there is no trace). ``values`` are shown at nodes.
    """

    constant: frozenset[int] = frozenset()
    redundant: frozenset[int] = frozenset()
    executed: frozenset[int] | None = None
    values: Mapping[int, float] = field(default_factory=lambda: _NO_VALUES)


NO_ANNOTATIONS = Annotations()
