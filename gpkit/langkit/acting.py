"""Programs outside games: the actions of a language's programs, and the primitives that they use."""

from collections.abc import Callable, Iterator
from typing import Any, Protocol, runtime_checkable

from gpkit.core.primitives import PrimitiveSet


@runtime_checkable
class Acting(Protocol):
    """Programs outside games: ``forms.acting`` of a language."""

    def actions(
        self, program: Any, sense: Callable[[str], float], draw: Callable[[], float]
    ) -> Iterator[str]:
        """The actions of a program; whoever asks for the next one has done the one before."""

    def primitives(self, program: Any) -> PrimitiveSet:
        """The primitives that a program uses, as if a game offered them."""
