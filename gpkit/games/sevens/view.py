"""Sevens as people see it and type it (``gpkit.gamekit.view.View``)."""

from collections.abc import Iterator, Sequence
from types import MappingProxyType
from typing import Any

from gpkit.core.diagnostics import nearest
from gpkit.core.errors import UsageError
from gpkit.core.wording import counted
from gpkit.gamekit.state import NOBODY
from gpkit.gamekit.view import View, everywhere
from gpkit.gamekit.words import Move, Played, Words, number_word
from gpkit.games.sevens.board import board_text, event_text
from gpkit.games.sevens.cards import suit_of
from gpkit.games.sevens.picture import board_svg, card_words, last_played
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


class SevensWords(Words):
    """Sentences of a game of Sevens."""

    noun = "card"
    candidate = "card"
    examples = (
        ("Its next real choice", "mine and forced == 0"),
        ("It sends a card", "mine and action == send"),
        ("A close choice", "mine and margin < 1"),
    )
    reasons = MappingProxyType(
        {
            "env.block": (
                "more cards of the others wait behind it than behind {other}",
                "it lets out fewer cards of the others than {other} would",
            ),
            "env.selfblock": (
                "it opens the way for more of your own cards than {other} would",
                "fewer of your own cards wait behind it than behind {other}",
            ),
            "env.safe": (
                "the next card in its row is yours, or there is none, so it helps nobody else",
                "{other} can wait: it lets nobody else play next",
            ),
            "env.depth": (
                "it stands further out than {other}, where fewer cards wait behind it",
                "it stands nearer to its seven than {other}",
            ),
            "env.rank": ("it is higher than {other}", "it is lower than {other}"),
            "env.suit": (
                "you hold more cards of its suit than of the suit of {other}",
                "you hold fewer cards of its suit than of the suit of {other}",
            ),
            "env.suitid": ("its suit comes after that of {other}", "its suit comes before that of {other}"),
            "env.dist": (
                "it has to wait for more cards than {other}",
                "it has to wait for fewer cards than {other}",
            ),
            "env.run": (
                "more cards of its suit are on the table than of the suit of {other}",
                "fewer cards of its suit are on the table than of the suit of {other}",
            ),
            "env.opens": ("it opens more places than {other}", "it opens fewer places than {other}"),
            "env.isend": (
                "its row ends with it, so it opens no place",
                "the row of {other} ends with it, so that can wait",
            ),
            "env.gift": (
                "the others can play more cards after it than after {other}",
                "the others can play fewer cards after it than after {other}",
            ),
        }
    )
    rules = (
        "All cards are dealt. The seven of hearts begins, and in turn everybody plays a card: a seven, or the next "
        "card at either end of a suit's row. You must play if you can; if you cannot, the player before you sends you "
        "a card that does not fit. The first player without cards wins."
    )

    def step(self, step: Any) -> str:
        """The events of a step, with all cards open."""
        if step.before is None:
            return "the cards are dealt"
        only = ", its only choice" if step.is_mine and len(step.before.legal_actions()) == 1 else ""
        first, *others = self.told(step, step.seated.names, None)
        return "; ".join((first + only, *others))

    def told(self, move: Any, names: Sequence[str], seat: int | None) -> Iterator[str]:
        """Every event."""
        only = ", your only choice" if len(move.before.legal_actions()) == 1 else ""
        for number, event in enumerate(move.after.events):
            seen = event if seat is None else event.seen_by(seat)
            own = number == 0 and event.actor == seat
            yield event_text(seen, move.after.rules.pack, names) + (only if own else "")

    def stage(self, state: State) -> str:
        """The lap."""
        return f"lap {state.turn // state.rules.players + 1}"

    def prompt(self, played: Played) -> tuple[str, str]:
        """To play or to send, and what was played for the person, or how many cards fit."""
        state = played.state
        count = len(state.legal_actions())
        if state.decision == "send":
            which = (
                "Cards that fit nowhere go first"
                if count < len(state.hands[played.seat])
                else "Any card will do"
            )
            return f"{played.names[state.receiver]} cannot play. Choose a card to send", f"{which}."
        forced = [
            played.text(move.before, move.action)
            for move in played.since
            if move.action != NOBODY and move.before.current_player == played.seat
            if move.before.decision == "play" and len(move.before.legal_actions()) == 1
        ]
        was = "it was" if len(forced) == 1 else "they were"
        only = f"Only {' and '.join(forced)} fitted, so {was} played. " if forced else ""
        return (
            "Your turn: play a card",
            f"{only}{number_word(count).capitalize()} of your cards fit. They are raised.",
        )

    def written(self, state: State, action: int, text: str) -> str:
        """The card in letters and digits, as in ``7h``."""
        return state.rules.pack.ascii_name(action)

    def act(self, state: State, action: int, text: str) -> str:
        """Play or send the card."""
        return f"{state.decision} {text}"

    def label(self, state: State, action: int, text: str) -> str:
        """The same with the card in words."""
        return f"{state.decision} {card_words(action, state.rules.pack)}".capitalize()

    def happened(self, move: Move, played: Played) -> Iterator[tuple[int, str]]:
        """Every event as the person sees it."""
        pack, name = move.after.rules.pack, played.names
        for event in move.after.events:
            seen = event.seen_by(played.seat)
            card = pack.name(seen.card) if seen.card >= 0 else "a card"
            if event.kind == "play":
                yield event.actor, card
            else:
                yield (
                    event.actor,
                    "passed" if event.kind == "pass" else f"sent {card} to {name[event.receiver]}",
                )

    def fact(self, state: State, action: int) -> str:
        """The number of own cards among those that wait behind the card."""
        known = sensors(state, action)
        own, behind = int(known["env.selfblock"]), int(known["env.selfblock"] + known["env.block"])
        if behind < 2:
            return (
                f"the card behind it is {'yours' if own else 'not yours'}"
                if behind
                else "no card waits behind it"
            )
        return f"of the {behind} cards behind it, you hold {number_word(own) if own else 'none'}"

    def ending(self, played: Played) -> tuple[str, str]:
        """The hand that is empty, and how many cards the others had left."""
        state, rules = played.state, played.state.rules
        left = {seat: counted(len(hand), "card") for seat, hand in enumerate(state.hands) if hand}
        said = [
            f"{played.names[seat]} had {cards} left" for seat, cards in left.items() if seat != played.seat
        ]
        others = f"{', '.join(said)}." if said else ""
        if state.is_stalled:
            return "A draw", f"{rules.laps} laps are over. {others}"
        if rules.end == "ranks":
            return f"You finished number {state.finished.index(played.seat) + 1} of {rules.players}", others
        winner = state.finished[0]
        if winner == played.seat:
            return f"You won. {said[0]}" if len(said) == 1 else "You won", others
        result = f"{played.names[winner]} won. You had {left[played.seat]} left"
        card = last_played(state).get(winner)
        return result, others + (
            f" {played.names[winner]} went out with {rules.pack.name(card)}." if card is not None else ""
        )


VIEW = View(action_text, parse_action, board_text, board_svg, sensors, placed=everywhere, words=SevensWords())
