"""The cards on the table: in each suit a run around its seven, to which cards are added at both ends."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from gpkit.games.sevens.cards import SEVEN, SUITS


@dataclass(frozen=True, slots=True)
class Tableau:
    """``low[s]`` and ``high[s]`` are the end ranks of the run of suit s, both 0 until its seven is played."""

    low: tuple[int, ...] = (0,) * SUITS
    high: tuple[int, ...] = (0,) * SUITS

    def has(self, suit: int, rank: int) -> bool:
        """Whether this card lies on the table."""
        return self.low[suit] <= rank <= self.high[suit]

    def run(self, suit: int) -> int:
        """The number of cards of a suit on the table."""
        return self.high[suit] - self.low[suit] + 1 if self.low[suit] else 0

    @property
    def count(self) -> int:
        """The number of cards on the table."""
        return sum(self.run(suit) for suit in range(SUITS))

    @property
    def opened(self) -> int:
        """The number of suits whose seven is on the table."""
        return sum(1 for low in self.low if low)

    def accepts(self, suit: int, rank: int, *, gates: bool) -> bool:
        """Whether a card that is still in a hand may be laid now: all that must lie before it does."""
        return all(self.has(suit, before) for before in _before(rank, gates))

    def missing(self, suit: int, rank: int, *, gates: bool) -> int:
        """Number of cards that must still be played before this one can be."""
        waiting = [rank]
        wanted: list[int] = []
        while waiting:
            for before in _before(waiting.pop(), gates):
                if not self.has(suit, before) and before not in wanted:
                    wanted.append(before)
                    waiting.append(before)
        return len(wanted)

    def with_card(self, suit: int, rank: int) -> "Tableau":
        """The tableau after a card that it accepts was laid."""
        low, high = list(self.low), list(self.high)
        low[suit] = rank if rank <= SEVEN else low[suit]
        high[suit] = rank if rank >= SEVEN else high[suit]
        return replace(self, low=tuple(low), high=tuple(high))


def _before(rank: int, gates: bool) -> Iterator[int]:
    """The ranks of the same suit that must lie on the table before this one can be laid."""
    if rank < SEVEN:
        yield rank + 1
    if rank > SEVEN:
        yield rank - 1
    if gates and rank == 8:
        yield 6
    if gates and rank == 5:
        yield 8
