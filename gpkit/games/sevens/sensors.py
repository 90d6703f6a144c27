"""Sensors of Sevens: numbers about one candidate card, from public information and the chooser's hand."""

from collections.abc import Sequence

from gpkit.games.sevens.cards import CARDS, SEVEN, suit_of
from gpkit.games.sevens.rules import Observation


def sense(seen: Observation, card: int) -> dict[str, float]:
    """The value of every sensor, in slot order, for a ``card`` in the hand of the player who observes."""
    rules, pack, tableau, hand = seen.rules, seen.rules.pack, seen.tableau, seen.hand
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
        "env.dist": tableau.missing(suit, rank, gates=rules.gates),
        "env.depth": abs(rank - SEVEN),
        "env.hand": len(hand),
        "env.smallest": min(others),
        "env.next": others[0],
        "env.previous": others[-1],
        "env.receiver": seen.sizes[seen.receiver] if seen.decision == "send" else 0,
        "env.playable": sum(tableau.accepts(suit_of(c), pack.rank(c), gates=rules.gates) for c in hand),
        "env.run": tableau.run(suit),
        "env.opens": len(neighbours),
        "env.isend": rank in (pack.lowest, pack.highest),
        "env.left": CARDS - tableau.count,
        "env.opened": tableau.opened,
        "env.players": rules.players,
        "env.gift": sum(_others_first(side, own) for side in (below[::-1], above)),
    }
    return {name: float(value) for name, value in values.items()}


def _others_first(ranks: Sequence[int], own: set[int]) -> int:
    """The number of ranks before the first of the own cards."""
    return next((place for place, rank in enumerate(ranks) if rank in own), len(ranks))


def _others_in(seen: Observation) -> list[int]:
    """The other players still in the game, by seat upward from the observer."""
    players = seen.rules.players
    seats = [(seen.player + k) % players for k in range(1, players)]
    return [seat for seat in seats if seat not in seen.finished]
