"""What a program sees of Sevens: numbers about one candidate card, from public information and the chooser's hand.

A program is asked once for each card that it may choose; its sensors speak of that card and of the moment. The first
seven and ``math.random`` are the terminals of P. Hansson's article (GameDev.net, 2013), whose text gives only their
names; of the readings that fit them, these play best.
"""

from gpkit.core.primitives import OPERATORS, RANDOM, Alphabet, PrimitiveSet, Sensor, operators
from gpkit.games.sevens.cards import CARDS, SEVEN, suit_of
from gpkit.games.sevens.rules import Observation

SECTIONS = ("play", "send")
"""The decisions of a program, one formula each."""

LARGEST_HAND = 50
"""A game begins with one card on the table, and every other player still in the game holds at least one."""

SENSORS = (
    Sensor("env.rounds", "laps completed: turns taken // players", 0, 999, shared=True),
    Sensor("env.suit", "own cards in the card's suit, itself included", 1, 13),
    Sensor("env.suitid", "the suit as a number: 0 hearts, 1 diamonds, 2 clubs, 3 spades", 0, 3),
    Sensor("env.rank", "the rank: ace 1 (14 where aces are high), jack 11, queen 12, king 13", 1, 14),
    Sensor(
        "env.safe",
        "1 if the cards that it lets be played next are all in the own hand, or there are none",
        0,
        1,
    ),
    Sensor("env.block", "cards further out on its side, on both sides for a seven, that others hold", 0, 12),
    Sensor(
        "env.selfblock", "cards further out on its side, on both sides for a seven, in the own hand", 0, 12
    ),
    Sensor("env.dist", "cards that must still be played before it can be; 0 if it is playable", 0, 8),
    Sensor("env.depth", "steps from the seven: |rank - 7|", 0, 7),
    Sensor("env.hand", "own cards, the card itself included", 1, LARGEST_HAND, shared=True),
    Sensor(
        "env.smallest",
        "fewest cards that any other player still in the game holds",
        1,
        LARGEST_HAND,
        shared=True,
    ),
    Sensor("env.next", "cards of the next player still in the game", 1, LARGEST_HAND, shared=True),
    Sensor("env.previous", "cards of the previous player still in the game", 1, LARGEST_HAND, shared=True),
    Sensor(
        "env.receiver",
        "cards of the player who is about to be sent one; 0 when playing",
        0,
        LARGEST_HAND,
        shared=True,
    ),
    Sensor("env.playable", "own cards that could be played now", 0, 8, shared=True),
    Sensor("env.run", "cards of its suit on the table", 0, 12),
    Sensor(
        "env.opens", "ranks next to it outward: 2 for a seven, 0 for the lowest and the highest, else 1", 0, 2
    ),
    Sensor("env.isend", "1 for the lowest and the highest rank, else 0", 0, 1),
    Sensor("env.left", "cards not yet on the table", 1, 52, shared=True),
    Sensor("env.opened", "suits whose seven is on the table", 0, 4, shared=True),
    Sensor("env.players", "players at the table when the game began", 2, 7, shared=True),
)
"""Every sensor, in the order of its slot; the bounds hold under every rule option."""

ARTICLE = Alphabet(
    "article",
    (
        "env.rounds",
        "env.suit",
        "env.rank",
        "env.safe",
        "env.block",
        "env.selfblock",
        "env.dist",
        RANDOM,
    ),
    operators("+", "*"),
)
"""The terminals and operators of the article."""

FULL = Alphabet("full", tuple(s.name for s in SENSORS if s.name != "env.suitid"), OPERATORS)
"""Every operator, and every sensor that means something: the number of a suit does not, as suits are alike."""

PRIMITIVES = PrimitiveSet("sevens", SECTIONS, SENSORS, (ARTICLE, FULL))


def sense(seen: Observation, card: int) -> dict[str, float]:
    """The value of every sensor, in slot order, for a ``card`` in the hand of the player who observes."""
    rules, pack, table, hand = seen.rules, seen.rules.pack, seen.table, seen.hand
    suit, rank = suit_of(card), pack.rank(card)
    own = {pack.rank(c) for c in hand if suit_of(c) == suit}
    below = range(pack.lowest, rank) if rank <= SEVEN else range(0)
    above = range(rank + 1, pack.highest + 1) if rank >= SEVEN else range(0)
    outward = (*below, *above)
    neighbours = (*below[-1:], *above[:1])
    others = [seen.sizes[seat] for seat in _others_in(seen)]
    values = {
        "env.rounds": seen.turn // rules.players,
        "env.suit": len(own),
        "env.suitid": suit,
        "env.rank": rank,
        "env.safe": all(r in own for r in neighbours),
        "env.block": sum(r not in own for r in outward),
        "env.selfblock": sum(r in own for r in outward),
        "env.dist": table.missing(suit, rank, gates=rules.gates),
        "env.depth": abs(rank - SEVEN),
        "env.hand": len(hand),
        "env.smallest": min(others),
        "env.next": others[0],
        "env.previous": others[-1],
        "env.receiver": seen.sizes[seen.receiver] if seen.phase == "send" else 0,
        "env.playable": sum(table.accepts(suit_of(c), pack.rank(c), gates=rules.gates) for c in hand),
        "env.run": table.run(suit),
        "env.opens": len(neighbours),
        "env.isend": rank in (pack.lowest, pack.highest),
        "env.left": CARDS - table.count,
        "env.opened": table.opened,
        "env.players": rules.players,
    }
    return {name: float(value) for name, value in values.items()}


def _others_in(seen: Observation) -> list[int]:
    """The other players still in the game, by seat upward from the observer."""
    players = seen.rules.players
    seats = [(seen.player + k) % players for k in range(1, players)]
    return [seat for seat in seats if seat not in seen.finished]
