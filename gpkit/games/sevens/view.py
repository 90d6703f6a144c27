"""Sevens as people see it and type it (``gpkit.gamekit.view.View``)."""

from gpkit.core.diagnostics import nearest
from gpkit.core.errors import UsageError
from gpkit.gamekit.view import View
from gpkit.games.sevens.board import board_text
from gpkit.games.sevens.cards import suit_of
from gpkit.games.sevens.picture import action_spots, board_svg
from gpkit.games.sevens.rules import Observation, State
from gpkit.games.sevens.sensors import sense


def action_text(state: State, card: int) -> str:
    """The name of a card, such as ``♥7``."""
    return state.rules.pack.name(card)


def parse_action(state: State, text: str) -> int:
    """The legal card of a name, or of a number in the list of the legal ones, from 1.

    Raises:
        UsageError: it is none of them; the message says why, and names the nearest.
    """
    return chosen_card(state.observation(state.current_player), text)


def chosen_card(seen: Observation, text: str) -> int:
    """The legal card that who observes means; as ``parse_action``.

    Raises:
        UsageError: it is not a card, or not a legal one.
    """
    legal, pack = seen.legal, seen.rules.pack
    if text.isascii() and text.isdigit():
        number = int(text[:9])
        if 1 <= number <= len(legal):
            return legal[number - 1]
        raise UsageError(f"the list goes from 1 to {len(legal)}; a card has a suit too, such as 7h")
    try:
        card = pack.parse(text)
    except UsageError:
        raise UsageError(_no_card(text, seen)) from None
    if card in legal:
        return card
    close = min(legal, key=lambda c: (suit_of(c) != suit_of(card), abs(pack.rank(c) - pack.rank(card))))
    raise UsageError(f"{_refusal(card, seen)}; the nearest you can {seen.decision} is {pack.name(close)}")


def sensors(state: State, card: int) -> dict[str, float]:
    """The value of every sensor for a card in the hand of who is to choose."""
    return sense(state.observation(state.current_player), card)


def _no_card(text: str, seen: Observation) -> str:
    """Error message for a text that names no card."""
    shown = "".join(c if c.isprintable() else "?" for c in text[:40])
    close = nearest(text[:40].lower(), [seen.rules.pack.ascii_name(card).lower() for card in seen.hand])
    hint = f"did you mean {close}?" if close else "type a card such as 7h, or ? for help"
    return f"`{shown}` is not a card; {hint}"


def _refusal(card: int, seen: Observation) -> str:
    """Error message for a card that is not among the legal ones."""
    pack, rules = seen.rules.pack, seen.rules
    name = pack.name(card)
    if card not in seen.hand:
        return f"you do not hold {name}"
    if seen.decision == "send":
        return f"{name} is playable, and unplayable cards are sent first"
    missing = seen.tableau.missing(suit_of(card), pack.rank(card), gates=rules.gates)
    if missing == 0:
        return f"the game does not open with {name}"
    return f"{name} must wait for {missing} other card{'s' if missing > 1 else ''}"


VIEW = View(action_text, parse_action, board_text, board_svg, sensors, action_spots=action_spots)
