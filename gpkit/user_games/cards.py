"""Hands and rows of cards in users' games, in the terminal and on web pages.

A card is a short string, such as ♠9; the suit is optional. A card or the label of a row can be chosen if its text is
the text of a legal action. Until the end of the game, players see their own hands, but only the backs of the other
players' cards.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from textwrap import fill
from typing import Any

from gpkit.core.diagnostics import shortened
from gpkit.core.errors import GuestError
from gpkit.gamekit.svg import SUIT_SHAPES, box, button, fanned, golden, number, pill
from gpkit.gamekit.view import Overlay, Spot, title
from gpkit.user_games.boards import action_text, last_seen, method, shown
from gpkit.user_games.contract.findings import place_of
from gpkit.user_games.rules import WrappedState

WIDTH, LEAST, NARROW = 800.0, 560.0, 390.0
"""The largest and the smallest width of pictures, and the width of narrow pictures."""

SPACE, LABEL, RAISED, FAN = 8.0, 110.0, 10.0, 6
"""The gap between cards, the width of labels, the height by which cards are raised, and the number of backs drawn."""

CARD, SMALL = (53.0, 77.0), (48.0, 66.0)
"""The size of cards in pictures, and in narrow pictures."""

LEAST_SEEN = (26.0, 33.0)
"""The minimum visible width of overlapping cards in pictures, and in narrow pictures."""

LINE = 80
"""The width of lines in the terminal, in characters."""


def has_cards(state: WrappedState) -> bool:
    """Whether the state has members from which gpkit draws cards."""
    return method(state, "hand") is not None or method(state, "rows") is not None


def hands(state: WrappedState, player: int | None) -> dict[int, tuple[str, ...] | int]:
    """The hands by seat: the cards of each hand that a player sees, and the number of cards of each other hand.

    Raises:
        GuestError: ``hand`` does not return strings.
    """
    own = method(state, "hand")
    if own is None:
        return {}
    held = {seat: _texts(own, own(seat)) for seat in range(state.game.players(state.rules))}
    is_open = player is None or state.is_terminal
    return {seat: cards if is_open or seat == player else len(cards) for seat, cards in held.items()}


def rows(state: WrappedState, player: int | None) -> dict[str, tuple[str, ...] | str]:
    """The rows that a player sees, by label: cards, or a line of text.

    Raises:
        GuestError: ``rows`` returns something else.
    """
    own = method(state, "rows")
    given = {} if own is None else shown(own, state, player)
    if not isinstance(given, Mapping):
        raise GuestError(f"{place_of(own)}: gives {shortened(repr(given))}; expected lists of texts by label")
    return {
        str(label): cards if isinstance(cards, str) else _texts(own, cards) for label, cards in given.items()
    }


def _texts(method: Any, given: Any) -> tuple[str, ...]:
    if isinstance(given, str) or not isinstance(given, Sequence):
        raise GuestError(f"{place_of(method)}: gives {shortened(repr(given))}; expected a list of texts")
    return tuple(map(str, given))


def choices(state: WrappedState) -> dict[str, int]:
    """The legal actions whose text is on one of the current player's cards, on a card in a row, or in a row's label."""
    if state.current_player < 0 or not has_cards(state):  # chance or nobody acts next
        return {}
    seen, player = rows(state, state.current_player), state.current_player
    texts = {*seen, *(card for cards in seen.values() if isinstance(cards, tuple) for card in cards)}
    own = hands(state, player).get(player, ())
    texts |= set(own if isinstance(own, tuple) else ())
    actions = ((action_text(state, action), action) for action in state.legal_actions())
    return {text: action for text, action in actions if text in texts}


def owner_name(names: Sequence[str], seat: int) -> str:
    """The name of a player, for the beginning of a line."""
    return title(names[seat]) if seat < len(names) else f"Player {seat + 1}"


def cards_text(state: WrappedState, player: int | None, names: Sequence[str]) -> str:
    """Lines of text: first the hands of the other players, then the rows, and last the player's own hand."""
    held = hands(state, player)
    lines = []
    for seat in sorted(held, key=lambda each: each == player):
        cards = held[seat]
        told = (
            f"{cards} card{'s' * (cards != 1)}" if isinstance(cards, int) else "  ".join(cards) or "no cards"
        )
        lines.append((owner_name(names, seat), told))
    lines[len(held) - (player in held) : 0] = [
        (label, (cards if isinstance(cards, str) else "  ".join(cards)) or "-")
        for label, cards in rows(state, player).items()
    ]
    wide = max((len(label) for label, _ in lines), default=0)
    return "".join(
        fill(f"{label.ljust(wide)}  {told}", LINE, subsequent_indent=" " * (wide + 2)) + "\n"
        for label, told in lines
    )


@dataclass(frozen=True, slots=True)
class Felt:
    """Cards on a felt table, from the point of view of a viewer.

    Attributes:
        overlay: the marks.
        actions: the actions, by text, if the viewer may choose now.
        last: the text of the last action, if the viewer sees it.
        width: the width of the picture.
    """

    overlay: Overlay
    actions: Mapping[str, int]
    last: str
    width: float

    def card(self, text: str, spot: Spot, seen: float, *, is_dull: bool) -> Iterator[str]:
        """A card: a button if it can be chosen, dimmed if only others can be chosen, gold-edged if it was chosen last.

        Its text is in the part that the next card does not cover, which has the width ``seen``.
        """
        action = self.actions.get(text)
        if action in self.overlay.labels:
            spot = Spot(spot.x, spot.y - RAISED, spot.width, spot.height)
            yield button(
                action, self.overlay, f'<rect class="hit face" {box(spot, 0.13)}/>{_face(text, spot, seen)}'
            )
        else:
            kind = "dull" if is_dull else "lying"
            yield f'<g class="{kind}"><rect class="face" {box(spot, 0.13)}/>{_face(text, spot, seen)}</g>'
        if text == self.last and not is_dull and action is None:
            yield golden(spot)

    def line(
        self, texts: Sequence[str], left: float, top: float, *, is_hand: bool
    ) -> tuple[list[str], float]:
        """A line of text, or lines of cards (which overlap if there are many), and the total height."""
        if isinstance(texts, str) or not texts:
            return [_label(str(texts or "–"), left, top + 20)], 32.0
        wide, high = SMALL if self.overlay.is_narrow else CARD
        lift, room = RAISED if is_hand else 0.0, self.width - left - SPACE
        dull, y, place = is_hand and bool(self.overlay.labels), top, 0
        parts, pills = list[str](), list[str]()
        for row in fanned(len(texts), room, wide, SPACE, LEAST_SEEN[self.overlay.is_narrow]):
            for x, seen in row:
                spot, action = Spot(left + x, y + lift, wide, high), self.actions.get(texts[place])
                parts += self.card(texts[place], spot, seen, is_dull=dull)
                if action in self.overlay.values:
                    foot = y + high - 4 - 24 * (place % 2 and seen < wide)
                    pills.append(pill(spot.x + seen / 2, foot, action, self.overlay))
                place += 1
            y += high + SPACE + lift
        return parts + pills, y - top


def _face(text: str, card: Spot, seen: float) -> str:
    """The text on a card, within its visible width: a rank with its suit, or any short text."""
    spot = replace(card, width=seen)
    suit = next((each for each in SUIT_SHAPES if each in text), "")
    rank = escape(text.replace(suit, "").strip())
    if not suit:
        size = min(26.0, 1.35 * spot.width / max(len(rank), 1))
        x, y = spot.x + spot.width / 2, spot.y + spot.height / 2 + 0.36 * size
        place = f'x="{number(x)}" y="{number(y)}" font-size="{number(size)}" text-anchor="middle"'
        return f'<text {place} fill="#20252a" font-weight="700">{rank}</text>'
    colour, outline = SUIT_SHAPES[suit]
    x, y = spot.x + spot.width * 0.6, spot.y + spot.height * 0.66
    known = f'<text x="{number(spot.x + 6)}" y="{number(spot.y + 22)}" font-size="19" font-weight="700">{rank}</text>'
    drawn = f'<path d="{outline}" transform="translate({number(x)} {number(y)}) scale(1.2)"/>'
    return f'<g fill="{colour}" stroke="none">{known}{drawn}</g>'


def _label(text: str, x: float, y: float) -> str:
    return f'<text class="on" x="{number(x)}" y="{number(y)}" font-size="15">{escape(text[:90])}</text>'


def _backs(name: str, count: int, x: float, y: float) -> Iterator[str]:
    """The cards of an opponent, face down, with the name and the number of cards."""
    for place in range(min(count, FAN)):
        yield f'<rect class="back" {box(Spot(x + 7 * place, y, 28, 40), 0.13)}/>'
    left = x + 7 * min(count, FAN) + (30 if count else 0)
    told = f"{count} card{'s' * (count != 1)}" if count else "no cards"
    yield _label(name[:16], left, y + 17)
    yield f'<text class="faint" x="{number(left)}" y="{number(y + 36)}" font-size="14">{told}</text>'


def cards_svg(
    state: WrappedState,
    player: int | None,
    names: Sequence[str],
    overlay: Overlay,
    board: tuple[str, float, float],
) -> tuple[list[str], float, float]:
    """The parts of a picture with cards around a board, and its size.

    Args:
        state, player, names, overlay: the same as in ``gpkit.gamekit.view.BoardPicture``.
        board: the SVG of the board, its width and its height; empty and 0 if there is no board.
    """
    held, told = hands(state, player), rows(state, player)
    most = max((len(each) for each in (*held.values(), *told.values()) if isinstance(each, tuple)), default=0)
    room = max(LEAST, board[1] + 24, LABEL + 24 + most * (CARD[0] + SPACE))
    width = NARROW if overlay.is_narrow else min(WIDTH, room)
    may = choices(state) if player in (None, state.current_player) else {}
    felt, parts, y = Felt(overlay, may, last_seen(state, player), width), list[str](), 14.0
    hidden = [(seat, cards) for seat, cards in held.items() if isinstance(cards, int)]
    by_line = 2 if overlay.is_narrow else 3
    for place, (seat, count) in enumerate(hidden):
        line, column = divmod(place, by_line)
        parts += _backs(owner_name(names, seat), count, 12 + column * (width - 24) / by_line, y + 52 * line)
    y += 52.0 * -(-len(hidden) // by_line)
    drawn, wide, high = board
    if drawn:
        parts.append(f'<g transform="translate({number((width - wide) / 2)} {number(y)})">{drawn}</g>')
        y += high + 14
    open_hands = {owner_name(names, seat): cards for seat, cards in held.items() if isinstance(cards, tuple)}
    lines: list[tuple[str, tuple[str, ...] | str, bool]] = [
        (label, cards, False) for label, cards in told.items()
    ]
    lines += [(label, cards, True) for label, cards in open_hands.items()]
    for label, cards, is_hand in lines:
        is_own = is_hand and len(open_hands) == 1
        left = 12.0 if is_own or overlay.is_narrow or not label else 12 + LABEL
        top = y + (20.0 if overlay.is_narrow and label and not is_own else 0.0)
        found, height = felt.line(cards, left, top, is_hand=is_hand)
        area = Spot(4, y - 2, width - 8, top - y + height - 2)
        if label in felt.actions and felt.actions[label] in overlay.labels:
            parts.append(button(felt.actions[label], overlay, f'<rect class="hit row" {box(area, 0.1)}/>'))
        if not is_own:
            parts.append(_label(label[:16], 12, top - 5 if left == 12 else top + height / 2 + 4))
        parts += found
        if felt.actions.get(label) in overlay.values:
            parts.append(pill(width - 40, top + height / 2, felt.actions[label], overlay))
        y = top + height
    return parts, width, y + 6
