"""Facts of a step of Sevens: a step is one card, played or sent, with the passes that it leads to."""

from functools import partial
from typing import Any

from gpkit.gamekit.facts import Fact, fact, facts_of
from gpkit.gamekit.state import NOBODY
from gpkit.games.sevens.cards import SUIT_NAMES, SUITS, suit_of
from gpkit.games.sevens.kernel.layout import MOST_PLAYERS
from gpkit.games.sevens.rules import UNSEEN, State


@fact("turns taken before it")
def turn(before: State) -> int:
    """The turns taken before the step."""
    return before.turn


@fact("laps completed before it")
def lap(before: State) -> int:
    """The laps completed before the step."""
    return before.turn // before.rules.players


@fact("what the card was chosen for: play or send", "play", "send")
def action(before: State) -> str:
    """The decision."""
    return before.decision


@fact("the card, such as '7h' or '10s'")
def card(before: State, action: int) -> str:
    """The card in letters and digits."""
    return before.rules.pack.ascii_name(action)


@fact("its suit, such as hearts", *SUIT_NAMES)
def suit_name(action: int) -> str:
    """The name of the suit."""
    return SUIT_NAMES[suit_of(action)]


@fact("its rank: ace 1 (14 where aces are high), jack 11, queen 12, king 13")
def rank(before: State, action: int) -> int:
    """The rank of the card."""
    return before.rules.pack.rank(action)


@fact("the seat that it was sent to")
def receiver(before: State) -> int | None:
    """The seat of the receiver; None of a card that was played."""
    return None if before.receiver == NOBODY else before.receiver


@fact("how many passes followed")
def passes(before: State, after: State) -> int:
    """The passes that the card led to."""
    return sum(each.kind == "pass" for each in after.events)


@fact("the events, each a card or a pass")
def events(after: State) -> list[dict[str, Any]]:
    """The events with their cards, written as in ``7h``, and their players, by seat."""
    return [
        {
            "kind": event.kind,
            "actor": event.actor,
            "card": after.rules.pack.ascii_name(event.card) if event.card != UNSEEN else None,
            "receiver": event.receiver if event.receiver != NOBODY else None,
        }
        for event in after.events
    ]


@fact("the lowest and the highest rank of each run on the table")
def runs(after: State) -> dict[str, list[int]]:
    """The runs by the names of their suits."""
    table = after.tableau
    return {SUIT_NAMES[suit]: [table.low[suit], table.high[suit]] for suit in range(SUITS) if table.low[suit]}


@fact("the cards of all players")
def hands(after: State) -> list[list[str]]:
    """The hands by seat, cards written as in ``7h``."""
    return [[after.rules.pack.ascii_name(card) for card in hand] for hand in after.hands]


def _held(seat: int, after: State) -> int | None:
    return len(after.hands[seat]) if seat < len(after.hands) else None


FACTS = (
    *facts_of(globals()),
    *(
        Fact(f"hand{seat}", "number", f"cards in the hand of seat {seat}", partial(_held, seat), ("after",))
        for seat in range(MOST_PLAYERS)
    ),
)
