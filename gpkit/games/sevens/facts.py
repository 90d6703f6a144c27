"""Facts about a step of Sevens: a player plays or sends one card, and passes may follow."""

from functools import partial
from typing import Any

from gpkit.gamekit.facts import Fact, fact, facts_of
from gpkit.gamekit.state import NOBODY
from gpkit.games.sevens.cards import SUIT_NAMES, SUITS, suit_of
from gpkit.games.sevens.kernel.rules import MOST_PLAYERS
from gpkit.games.sevens.rules import UNSEEN, SevensState


@fact("how many turns were taken before the step")
def turn(before: SevensState) -> int:
    """The number of turns taken before the step."""
    return before.turn


@fact("how many laps were completed before the step")
def lap(before: SevensState) -> int:
    """The number of laps completed before the step."""
    return before.turn // before.rules.players


@fact("what the card was chosen for: play or send", "play", "send")
def decision(before: SevensState) -> str:
    """The decision, either play or send."""
    return before.decision


@fact("the card, such as '7h' or '10s'")
def card(before: SevensState, action: int) -> str:
    """The ASCII name of the card, such as ``7h``."""
    return before.rules.pack.ascii_name(action)


@fact("the suit of the card, such as hearts", *SUIT_NAMES)
def suit_name(action: int) -> str:
    """The name of the card's suit."""
    return SUIT_NAMES[suit_of(action)]


@fact("the rank of the card: ace 1 (14 if aces are high), jack 11, queen 12, king 13")
def rank(before: SevensState, action: int) -> int:
    """The rank of the card."""
    return before.rules.pack.rank(action)


@fact("the seat that it was sent to")
def receiver(before: SevensState) -> int | None:
    """The seat of the receiver; None if the card was played."""
    return None if before.receiver == NOBODY else before.receiver


@fact("how many passes followed")
def passes(before: SevensState, after: SevensState) -> int:
    """The number of passes that followed the card."""
    return sum(each.kind == "pass" for each in after.events)


@fact("the events, each a card or a pass")
def events(after: SevensState) -> list[dict[str, Any]]:
    """The events as dictionaries with the kind, the seats of the players, and the card, such as ``7h``."""
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
def runs(after: SevensState) -> dict[str, list[int]]:
    """The lowest and the highest rank of each run, by suit name."""
    table = after.tableau
    return {SUIT_NAMES[suit]: [table.low[suit], table.high[suit]] for suit in range(SUITS) if table.low[suit]}


@fact("the cards of all players")
def hands(after: SevensState) -> list[list[str]]:
    """Each seat's hand as card names such as ``7h``."""
    return [[after.rules.pack.ascii_name(card) for card in hand] for hand in after.hands]


def _held(seat: int, after: SevensState) -> int | None:
    return len(after.hands[seat]) if seat < len(after.hands) else None


FACTS = (
    *facts_of(globals()),
    *(
        Fact(
            f"hand{seat}",
            "number",
            f"how many cards the player at seat {seat} holds",
            partial(_held, seat),
            ("after",),
        )
        for seat in range(MOST_PLAYERS)
    ),
)
