"""The table as a player sees it on a page: opponents and the four rows on felt, and below it the player's hand.

In pixels, wide or narrow. Cards that may be chosen are raised and can be clicked, and so can their places on the table;
the card that was played last has a golden edge. What is hidden is not in the picture until the end.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from gpkit.gamekit.svg import button, document, golden, pill
from gpkit.gamekit.svg import number as _n
from gpkit.gamekit.view import Overlay, Spot
from gpkit.games.sevens.board import Board, board_of
from gpkit.games.sevens.cards import CARDS, RANKS, SEVEN, SUIT_LETTERS, SUIT_NAMES, SUITS, Pack, suit_of
from gpkit.games.sevens.rules import State, begin

RED, BLACK = "#b81f2c", "#20252a"
SUIT_SHAPES = (
    "M0 8C-3 4-9 1-9-4a4.6 4.6 0 0 1 9-1.6A4.6 4.6 0 0 1 9-4C9 1 3 4 0 8Z",
    "M0-9.5 7 0 0 9.5-7 0Z",
    "M-1 1.5-2.6 9h5.2L1 1.5A4.4 4.4 0 1 0 3.6-2a4.4 4.4 0 1 0-7.2 0A4.4 4.4 0 1 0-1 1.5Z",
    "M0-9.5C3-5.5 9-2.5 9 2.2a4.5 4.5 0 0 1-7.8 2.4L2.6 9.5h-5.2L-1.2 4.6A4.5 4.5 0 0 1-9 2.2C-9-2.5-3-5.5 0-9.5Z",
)
"""The outlines of the suits, about 19 units high around their middle."""

SEAT = 58.0
"""Height of a row of opponents."""

RAISED, FOOT = 10.0, 14.0
"""Rise of cards that may be chosen, and room for a value below them."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Sizes in pixels: of the picture, of cards on the table and in the hand, and how opponents stand in a row.

    A fan is the number of cards that are drawn of a hidden hand at most, and from one to the next.
    """

    name: str
    width: float
    card: tuple[float, float]
    step: tuple[float, float]
    left: float
    hand: tuple[float, float]
    suit_gap: float
    seats: int
    fan: tuple[int, float]


WIDE = Layout("w", 800.0, (53.0, 77.0), (55.0, 79.0), 76.0, (56.0, 82.0), 14.0, 3, (7, 6.0))
NARROW = Layout("n", 390.0, (25.0, 42.0), (26.7, 46.0), 38.0, (56.0, 72.0), 0.0, 2, (3, 4.0))


def table_svg(state: State, player: int, names: Sequence[str], overlay: Overlay) -> str:
    """The table as an SVG document for a player, with the marks and places of an overlay."""
    board, layout = board_of(state, player, names), NARROW if overlay.is_narrow else WIDE
    others = [(player + k) % state.rules.players for k in range(1, state.rules.players)]
    top = 10 + SEAT * -(-len(others) // layout.seats)
    felt = top + SUITS * layout.step[1] + 8
    played = last_played(state)
    shapes = "".join(
        f'<path id="{_suit_id(suit, layout)}" d="{shape}" fill="{_colour(suit)}"/>'
        for suit, shape in enumerate(SUIT_SHAPES)
    )
    parts = [
        f"<defs>{shapes}</defs>",
        f'<rect width="{_n(layout.width)}" height="{_n(felt)}" rx="{16 if layout is WIDE else 0}" fill="var(--felt)"/>',
    ]
    for place, seat in enumerate(others):
        y, x = divmod(place, layout.seats)
        corner = (10 + x * (layout.width - 12) / layout.seats, 10 + y * SEAT)
        parts += _seat(board, seat, played, corner, layout)
    parts += _rows(board, player, list(played.values())[-1:], top, layout, overlay)
    height = felt + RAISED + 8
    for seat in (player, *others) if state.is_terminal else (player,):
        hand = board.hands[seat] or ()
        if hand and seat != player:
            title = f"{board.names[seat]} had"
            parts.append(
                f'<text class="dim" x="4" y="{_n(height + 10)}" font-size="14">{escape(title)}</text>'
            )
            height += 26
        drawn, rows = _hand(board, hand, height, layout, overlay)
        parts += drawn
        height += rows * (layout.hand[1] + RAISED + FOOT)
    return document(layout.width, height, _told(board), parts, overlay)


def last_played(state: State) -> dict[int, int]:
    """By player the card that it played last, the latest player last, as far as the state remembers its game."""
    events = list(state.events)
    if state.dealt:
        position, events = begin(state.dealt, state.rules), []
        for card in state.chosen:
            position = position.apply(card)
            events += position.events
    found: dict[int, int] = {}
    for event in events:
        if event.kind == "play":
            found.pop(event.actor, None)
            found[event.actor] = event.card
    return found


def card_words(card: int, pack: Pack) -> str:
    """A card in words.

    >>> from gpkit.games.sevens.cards import ACE_LOW
    >>> card_words(6, ACE_LOW), card_words(51, ACE_LOW)
    ('7 of hearts', 'king of spades')
    """
    name = pack.rank_name(pack.rank(card))
    return f"{_WORDS.get(name, name)} of {SUIT_NAMES[suit_of(card)]}"


_WORDS = {"A": "ace", "J": "jack", "Q": "queen", "K": "king"}


def _told(board: Board) -> str:
    """The table in words."""
    low, high, pack = board.seen.tableau.low, board.seen.tableau.high, board.seen.rules.pack
    runs = [
        f"{SUIT_NAMES[suit]} {pack.rank_name(low[suit])} to {pack.rank_name(high[suit])}"
        for suit in range(SUITS)
        if low[suit]
    ]
    return f"Table: {', '.join(runs) or 'empty'}"


def _colour(suit: int) -> str:
    return RED if suit < 2 else BLACK


def _suit_id(suit: int, layout: Layout) -> str:
    return f"sevens-{layout.name}-{SUIT_LETTERS[suit]}"


def _suit(suit: int, x: float, y: float, scale: float, layout: Layout) -> str:
    place = f"translate({_n(x)} {_n(y)}) scale({_n(scale)})"
    return f'<use href="#{_suit_id(suit, layout)}" transform="{place}"/>'


def _seat(
    board: Board, seat: int, played: dict[int, int], corner: tuple[float, float], layout: Layout
) -> Iterator[str]:
    """An opponent: some cards face down, the name, how many cards there are, and the last one that was played."""
    seen, size = board.seen, board.seen.sizes[seat]
    (x, y), (most, step) = corner, layout.fan
    backs = min(size, most)
    for k in range(backs):
        yield f'<rect class="back" x="{_n(x + step * k)}" y="{_n(y)}" width="28" height="42" rx="4"/>'
    does = f"{size} card{'' if size == 1 else 's'}"
    if seat == seen.receiver:
        does += ", cannot play"
    elif seat == seen.current_player:
        does += ", to send" if seen.decision == "send" else ", to play"
    elif seat in played:
        does += f", played {seen.rules.pack.name(played[seat])}"
    if not size:
        does = "no cards left"
    left = x + (34 + step * max(backs - 1, 0) if backs else 0)
    name = board.names[seat]
    yield f'<text class="on" x="{_n(left)}" y="{_n(y + 17)}" font-size="16">{escape(name[:16])}</text>'
    at = f'x="{_n(left)}" y="{_n(y + 37)}" font-size="{13 if layout is NARROW else 14}"'
    yield f'<text class="faint" {at}>{escape(does)}</text>'


def _rows(
    board: Board, player: int, last: Sequence[int], top: float, layout: Layout, overlay: Overlay
) -> Iterator[str]:
    """The four rows of the table: cards, the places that come next, and dots."""
    seen, pack, (width, height) = board.seen, board.seen.rules.pack, layout.card
    middle, golds = layout.left / 2, list[str]()
    for card in range(CARDS):
        suit, column = suit_of(card), card % RANKS
        x, y = layout.left + column * layout.step[0], top + suit * layout.step[1]
        if column == 0:
            yield f'<circle cx="{_n(middle)}" cy="{_n(y + height / 2)}" r="{_n(width * 0.36 + 1)}" fill="#fff"/>'
            yield _suit(suit, middle, y + height / 2, 0.75 if layout is NARROW else 1.4, layout)
        rank = pack.rank(card)
        name = pack.rank_name(rank)
        at = f'x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}" rx="{_n(width / 9 + 1)}"'
        text = (
            f'<text x="{_n(x + width / 2)}" y="{_n(y + height / 2 + 6)}" font-size="16" '
            f'text-anchor="middle">{name}</text>'
        )
        if seen.tableau.has(suit, rank):
            yield f'<rect class="face" {at}/>'
            if layout is NARROW:
                yield f'<g class="rank" fill="{_colour(suit)}">{text}</g>'
            else:
                yield _corner(name, suit, x, y, 19, layout)
                yield _suit(suit, x + width * 0.6, y + height * 0.67, 1.25, layout)
            if card in last:
                golds.append(golden(Spot(x, y, width, height)))
        elif seen.decision == "play" and card in overlay.labels:
            kind = "spot best" if card in overlay.best else "spot"
            yield (
                f'<g class="{kind} mine" data-action="{card}" aria-hidden="true"><rect class="hit" {at}/>{text}</g>'
            )
        elif seen.tableau.accepts(suit, rank, gates=seen.rules.gates):
            yield f'<g class="next"><rect {at}/>{text}</g>'
        else:
            at, radius = f'cx="{_n(x + width / 2)}" cy="{_n(y + height / 2)}"', 2.4 if rank == SEVEN else 1.6
            yield f'<circle class="hole" {at} r="{radius}"/>'
    yield from golds


def _corner(name: str, suit: int, x: float, y: float, size: int, layout: Layout) -> str:
    """The rank in the upper left corner of a card."""
    at = f'x="{_n(x + 6)}" y="{_n(y + size + 3)}" font-size="{size}"'
    return f'<text class="rank" {at} fill="{_colour(suit)}">{name}</text>'


def _hand(
    board: Board, hand: Sequence[int], top: float, layout: Layout, overlay: Overlay
) -> tuple[list[str], int]:
    """A hand in rows, by suit, and the number of rows; who looks can choose from its own."""
    rows = _places(hand, layout)
    parts, pills = list[str](), list[str]()
    for number, row in enumerate(rows):
        shift = (layout.width - row[-1][1] - layout.hand[0]) / 2
        for card, x in row:
            y = top + number * (layout.hand[1] + RAISED + FOOT)
            is_legal = card in overlay.labels
            face = _face(board, card, shift + x, y - (RAISED if is_legal else 0.0), layout)
            if is_legal:
                parts.append(button(card, overlay, face))
            else:
                words = card_words(card, board.seen.rules.pack)
                label = words if board.seen.decision == "over" else f"{words}, cannot be played"
                parts.append(f'<g class="dull" role="img" aria-label="{label}">{face}</g>')
            if card in overlay.values:
                pills.append(pill(shift + x + layout.hand[0] / 2, y + layout.hand[1] - RAISED, card, overlay))
    return [*parts, *pills], len(rows)


def _places(hand: Sequence[int], layout: Layout) -> list[list[tuple[int, float]]]:
    """Rows of cards, each with its left edge."""
    rows: list[list[tuple[int, float]]] = []
    x = layout.width
    for before, card in zip((None, *hand), hand, strict=False):
        x += layout.suit_gap if before is not None and suit_of(before) != suit_of(card) else 0.0
        if x + layout.hand[0] > layout.width:
            rows.append([])
            x = 0.0
        rows[-1].append((card, x))
        x += layout.hand[0] + 6
    return rows


def _face(board: Board, card: int, x: float, y: float, layout: Layout) -> str:
    """A card of a hand, face up."""
    suit, pack, (width, height) = suit_of(card), board.seen.rules.pack, layout.hand
    at = f'x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}" rx="8"'
    return "".join(
        (
            f'<rect class="hit face" {at}/>',
            _corner(pack.rank_name(pack.rank(card)), suit, x, y, 20, layout),
            _suit(suit, x + width / 2, y + height * 0.62, 1.35, layout),
        )
    )
