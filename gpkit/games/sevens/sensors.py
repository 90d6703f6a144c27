"""Sensors of Sevens: numbers that describe a candidate card, computed from public information and the player's hand.

The kernel (``kernel.games``) and ``lua/sevens.lua`` compute the same sensors, under the same names.
"""

from typing import TYPE_CHECKING

from gpkit.gamekit.sensors import declared, sensed, sensor
from gpkit.games.sevens.cards import CARDS, SEVEN, suit_of

if TYPE_CHECKING:  # code that needs only the names of sensors loads no rules
    from gpkit.games.sevens.rules import Observation

LARGEST_HAND = 50
"""The maximum size of a hand: at least one card is on the table, and every other player in the game holds at least
one."""


@sensor(0, 999, "laps completed: turns taken // players")
def rounds(seen: "Observation") -> float:
    return seen.turn // seen.rules.players


@sensor(1, 13, "own cards in the card's suit, itself included")
def suit(seen: "Observation", card: int) -> float:
    return len(_own(seen, card))


@sensor(0, 3, "the suit as a number: 0 hearts, 1 diamonds, 2 clubs, 3 spades")
def suitid(seen: "Observation", card: int) -> float:
    return suit_of(card)


@sensor(1, 14, "the rank: ace 1 (14 where aces are high), jack 11, queen 12, king 13")
def rank(seen: "Observation", card: int) -> float:
    return seen.rules.pack.rank(card)


@sensor(0, 1, "1 if the cards that it makes playable next are all in own hand, or there are none")
def safe(seen: "Observation", card: int) -> float:
    own = _own(seen, card)
    return all(each in own for each in _neighbours(seen, card))


@sensor(0, 12, "cards further out on its side, on both sides for a seven, that others hold")
def block(seen: "Observation", card: int) -> float:
    own = _own(seen, card)
    return sum(each not in own for side in _outward(seen, card) for each in side)


@sensor(0, 12, "cards further out on its side, on both sides for a seven, in own hand")
def selfblock(seen: "Observation", card: int) -> float:
    own = _own(seen, card)
    return sum(each in own for side in _outward(seen, card) for each in side)


@sensor(0, 8, "cards that must still be played before it can be; 0 if it is playable")
def dist(seen: "Observation", card: int) -> float:
    return seen.tableau.missing(suit_of(card), seen.rules.pack.rank(card), gates=seen.rules.gates)


@sensor(0, 7, "steps from the seven: |rank - 7|")
def depth(seen: "Observation", card: int) -> float:
    return abs(seen.rules.pack.rank(card) - SEVEN)


@sensor(1, LARGEST_HAND, "own cards, the card itself included")
def hand(seen: "Observation") -> float:
    return len(seen.hand)


@sensor(1, LARGEST_HAND, "fewest cards that any other player still in the game holds")
def smallest(seen: "Observation") -> float:
    return min(_others(seen))


@sensor(1, LARGEST_HAND, "cards of the next player still in the game")
def next_(seen: "Observation") -> float:
    return _others(seen)[0]


@sensor(1, LARGEST_HAND, "cards of the previous player still in the game")
def previous(seen: "Observation") -> float:
    return _others(seen)[-1]


@sensor(0, LARGEST_HAND, "cards of the player who will be sent one; 0 when playing")
def receiver(seen: "Observation") -> float:
    return seen.sizes[seen.receiver] if seen.decision == "send" else 0


@sensor(0, 8, "own cards that could be played now")
def playable(seen: "Observation") -> float:
    rules, pack = seen.rules, seen.rules.pack
    return sum(seen.tableau.accepts(suit_of(each), pack.rank(each), gates=rules.gates) for each in seen.hand)


@sensor(0, 12, "cards of its suit on the table")
def run(seen: "Observation", card: int) -> float:
    return seen.tableau.run(suit_of(card))


@sensor(0, 2, "ranks next to it outward: 2 for a seven, 0 for the lowest and the highest, else 1")
def opens(seen: "Observation", card: int) -> float:
    return len(_neighbours(seen, card))


@sensor(0, 1, "1 for the lowest and the highest rank, else 0")
def isend(seen: "Observation", card: int) -> float:
    pack = seen.rules.pack
    return pack.rank(card) in (pack.lowest, pack.highest)


@sensor(1, 52, "cards not yet on the table")
def left(seen: "Observation") -> float:
    return CARDS - seen.tableau.count


@sensor(0, 4, "suits whose seven is on the table")
def opened(seen: "Observation") -> float:
    return seen.tableau.opened


@sensor(2, 7, "players at the table when the game began")
def players(seen: "Observation") -> float:
    return seen.rules.players


@sensor(0, 12, "cards of others that it makes playable one after another")
def gift(seen: "Observation", card: int) -> float:
    own = _own(seen, card)
    return sum(
        next((place for place, each in enumerate(side) if each in own), len(side))
        for side in _outward(seen, card)
    )


SENSORS = declared(globals())
"""All sensors, in the order of their slots."""


def sense(seen: "Observation", card: int) -> dict[str, float]:
    """The value of every sensor, in slot order, for a ``card`` in the observer's hand."""
    return sensed(SENSORS, seen, card)


def _own(seen: "Observation", card: int) -> set[int]:
    """The ranks in the card's suit that the observer holds."""
    return {seen.rules.pack.rank(each) for each in seen.hand if suit_of(each) == suit_of(card)}


def _outward(seen: "Observation", card: int) -> tuple[range, range]:
    """The ranks beyond a card, downward and upward, nearest first."""
    pack = seen.rules.pack
    rank = pack.rank(card)
    down = range(rank - 1, pack.lowest - 1, -1) if rank <= SEVEN else range(0)
    return down, range(rank + 1, pack.highest + 1) if rank >= SEVEN else range(0)


def _neighbours(seen: "Observation", card: int) -> list[int]:
    """The ranks next to a card on its outer side, of which a seven has two."""
    return [side[0] for side in _outward(seen, card) if side]


def _others(seen: "Observation") -> list[int]:
    """The hand sizes of the other players still in the game, in the order of seats after the observer."""
    count = seen.rules.players
    seats = [(seen.player + k) % count for k in range(1, count)]
    return [seen.sizes[seat] for seat in seats if seat not in seen.finished]
