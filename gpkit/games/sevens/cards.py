"""The 52 cards, with their numbers, suits, ranks and names, and the cards on the table.

Cards are numbered 0 … 51: thirteen for each suit (♥ ♦ ♣ ♠, in this order), in ascending order of rank. The ranks run
from ace to king if aces are low, and from two to ace if they are high. On the table, each suit forms a run around its
seven. Players can extend a run at both ends.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from gpkit.core.diagnostics import suggestion
from gpkit.core.errors import UsageError

CARDS = 52
SUITS = 4
RANKS = 13
SEVEN = 7

SUIT_SIGNS = "♥♦♣♠"
"""The suit symbols, indexed by suit."""

SUIT_LETTERS = "hdcs"
"""The letters of the suits: hearts, diamonds, clubs, spades."""

SUIT_NAMES = ("hearts", "diamonds", "clubs", "spades")

_RANK_NAMES = ("", "A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")


def suit_of(card: int) -> int:
    """The suit of a card, from 0 to 3."""
    return card // RANKS


@dataclass(frozen=True, slots=True)
class Pack:
    """The order of the ranks in a pack of cards.

    If ``lowest`` is 1, the ranks run from ace (1) to king (13). If it is 2, the ranks run from two (2) to ace (14).
    """

    lowest: int

    @property
    def highest(self) -> int:
        """The highest rank: 13 or 14."""
        return self.lowest + RANKS - 1

    def rank(self, card: int) -> int:
        """The rank of a card: 2 … 10 as printed, 11 for jack, 12 for queen, 13 for king, and 1 or 14 for ace."""
        return card % RANKS + self.lowest

    def card(self, suit: int, rank: int) -> int:
        """The card with this suit and rank."""
        return RANKS * suit + rank - self.lowest

    def rank_name(self, rank: int) -> str:
        """The name of a rank, one of A, 2 … 10, J, Q and K."""
        return _RANK_NAMES[rank]

    def name(self, card: int) -> str:
        """The usual name of a card, such as ``♥7``."""
        return SUIT_SIGNS[suit_of(card)] + _RANK_NAMES[self.rank(card)]

    def ascii_name(self, card: int) -> str:
        """The ASCII name of a card, such as ``7h``."""
        return _RANK_NAMES[self.rank(card)] + SUIT_LETTERS[suit_of(card)]

    def parse(self, text: str) -> int:
        """The card with a name such as ``♥7``, ``7♥``, ``7h`` or ``h7``.

        The case of letters does not matter. The rank ten is ``T`` or ``10``.

        >>> ACE_LOW.parse("7h"), ACE_LOW.parse("♠K"), ACE_LOW.parse("Td") == ACE_LOW.parse("10d")
        (6, 51, True)

        Raises:
            UsageError: the text is not the name of a card; the message suggests the nearest one.
        """
        word = text.strip().upper().replace("\N{VARIATION SELECTOR-16}", "").replace("T", "10")
        for card in range(CARDS):
            rank = _RANK_NAMES[self.rank(card)]
            for mark in (SUIT_SIGNS[suit_of(card)], SUIT_LETTERS[suit_of(card)].upper()):
                if word in (rank + mark, mark + rank):
                    return card
        names = [self.ascii_name(card) for card in range(CARDS)]
        raise UsageError(
            f"`{text}` is not a card; write a rank and a suit, such as 7h or 10s; {suggestion(text.lower(), names)}"
        )


ACE_LOW = Pack(1)
ACE_HIGH = Pack(2)


@dataclass(frozen=True, slots=True)
class Tableau:
    """The runs of cards on the table.

    ``low[s]`` and ``high[s]`` are the lowest and the highest rank of suit s on the table, or 0 before its seven is
    played.
    """

    low: tuple[int, ...] = (0,) * SUITS
    high: tuple[int, ...] = (0,) * SUITS

    def has(self, suit: int, rank: int) -> bool:
        """Whether this card is on the table."""
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
        """Whether a card in a hand can be played now: all cards that must come before it are on the table."""
        return all(self.has(suit, before) for before in _before(rank, gates))

    def missing(self, suit: int, rank: int, *, gates: bool) -> int:
        """The number of cards that must still be played before this one can be played."""
        waiting = [rank]
        wanted: list[int] = []
        while waiting:
            for before in _before(waiting.pop(), gates):
                if not self.has(suit, before) and before not in wanted:
                    wanted.append(before)
                    waiting.append(before)
        return len(wanted)

    def with_card(self, suit: int, rank: int) -> "Tableau":
        """The tableau after a card that fits has been played."""
        low, high = list(self.low), list(self.high)
        low[suit] = rank if rank <= SEVEN else low[suit]
        high[suit] = rank if rank >= SEVEN else high[suit]
        return replace(self, low=tuple(low), high=tuple(high))


def _before(rank: int, gates: bool) -> Iterator[int]:
    """The ranks of the same suit that must be on the table before this rank can be played."""
    if rank < SEVEN:
        yield rank + 1
    if rank > SEVEN:
        yield rank - 1
    if gates and rank == 8:
        yield 6
    if gates and rank == 5:
        yield 8
