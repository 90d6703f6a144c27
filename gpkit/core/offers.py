"""The primitive sets of a game, for languages that it knows and for those from outside that are like one of them."""

from collections.abc import Iterator, Mapping

from gpkit.core.errors import GuestError
from gpkit.core.primitives import PrimitiveSet
from gpkit.core.registry import known_language


class PrimitiveSets(Mapping[str, PrimitiveSet]):
    """The primitive sets of one game (``gpkit.core.primitives.Offers``), by language.

    A language from outside, of which a game knows nothing, is given the set of the one that it is ``like``.
    """

    def __init__(self, sets: Mapping[str, PrimitiveSet]) -> None:
        self._sets = dict(sets)

    def __getitem__(self, language: str) -> PrimitiveSet:
        """The primitive set for a language.

        Raises:
            KeyError: the game takes no programs of it.
        """
        return self._sets[language if language in self._sets else _model_of(language)]

    def __iter__(self) -> Iterator[str]:
        """The languages that the game itself names."""
        return iter(self._sets)

    def __len__(self) -> int:
        """The number of these."""
        return len(self._sets)


def _model_of(language: str) -> str:
    """The language that one from outside is like; empty if it is like none, or cannot be imported."""
    entry = known_language(language)
    try:
        return str(entry.load().like) if entry is not None and entry.origin else ""
    except GuestError:  # which is told when the language itself is asked for
        return ""
