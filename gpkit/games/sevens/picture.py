"""The board as a picture: SVG text, a pure function of the state.

Suits are drawn as shapes, not as characters, so that the picture looks the same with any font. Names are escaped, and
nothing in the picture refers to anything outside it. Every card that is shown is defined once, each definition on a
line of its own and under an id that always means the same, so that the pictures of one page can share them.
"""

from collections.abc import Iterator, Sequence
from html import escape

from gpkit.gamekit.svg import CREAM, INK, MUTED, document, places
from gpkit.gamekit.svg import number as _n
from gpkit.gamekit.view import Overlay, Spot
from gpkit.games.sevens.board import Board, board_of, event_text, headline
from gpkit.games.sevens.cards import RANKS, SEVEN, SUIT_LETTERS, SUITS, Pack, suit_of
from gpkit.games.sevens.rules import State
from gpkit.games.sevens.table_picture import table_svg

CARD_WIDTH, CARD_HEIGHT = 46.0, 64.0
GAP = 8.0
MARGIN = 24.0
LABEL = 40.0
"""Room for the suit at the left of each row."""

WIDTH = 2 * MARGIN + LABEL + RANKS * (CARD_WIDTH + GAP) - GAP + 28.0
HEADER = 66.0
TABLE_HEIGHT = SUITS * (CARD_HEIGHT + GAP) - GAP + 2 * 16.0
HAND_HEIGHT = CARD_HEIGHT + 34.0
CARDS, RAISED = 24.0, 5.0
"""From the top of a hand to its cards, and how much higher those are that may be chosen."""

PAPER = "#ffffff"
FELT, FELT_LINE, FELT_TEXT = "#2f6f57", "#5b947f", "#8fbcab"
GOLD, CARD_LINE, BACK, BACK_LINE = "#e8b023", "#b9bec6", "#3d5a80", "#9db4d0"
SUIT_COLOURS = ("#c62839", "#c62839", INK, INK)

SUIT_SHAPES = (
    "M0 9C-3 5-10 1-10-4.5C-10-8-7.500-10-5-10C-2.500-10-1-8.500 0-6.500"
    "C1-8.500 2.500-10 5-10C7.500-10 10-8 10-4.5C10 1 3 5 0 9Z",
    "M0-11C2-6.500 5-3 8 0C5 3 2 6.500 0 11C-2 6.500-5 3-8 0C-5-3-2-6.500 0-11Z",
    "M0-10.500A4.700 4.700 0 0 1 3.900-3.200A4.700 4.700 0 1 1 1.200 4.200C1.400 7 2.200 8.800 4 10H-4"
    "C-2.200 8.800-1.400 7-1.200 4.200A4.700 4.700 0 1 1-3.900-3.200A4.700 4.700 0 0 1 0-10.500Z",
    "M0-11C3-6.500 9.500-2.500 9.500 2.5C9.500 5.500 7.300 7 5 7C3.300 7 2 6.200 1.200 5C1.400 7.500 2.200 9 4 10H-4"
    "C-2.200 9-1.400 7.500-1.200 5C-2 6.200-3.300 7-5 7C-7.300 7-9.500 5.500-9.500 2.5C-9.500-2.500-3-6.500 0-11Z",
)
"""The outlines of the suits, about 20 units high around their middle."""


def board_svg(
    state: State, player: int | None = None, names: Sequence[str] = (), overlay: Overlay | None = None
) -> str:
    """The board as an SVG document: the four rows of the table with their runs, and below them a row for each hand.

    The card that was played last has a golden edge; cards that may be chosen stand out above the others. Arguments are
    as of ``board_of``; with an overlay the table is drawn as a player sees it on a page.
    """
    if overlay is not None and player is not None:
        return table_svg(state, player, names, overlay)
    board = board_of(state, player, names)
    height = HEADER + TABLE_HEIGHT + 14.0 + board.seen.rules.players * HAND_HEIGHT + MARGIN - 14.0
    hands = (_hand(board, seat, _hand_top(seat)) for seat in range(board.seen.rules.players))
    parts = [
        "<defs>",
        *_definitions(board),
        "</defs>",
        _rectangle(0, 0, WIDTH, height, CREAM, radius=0),
        *_header(board),
        *_table(board),
        *(part for hand in hands for part in hand),
        *places({} if state.is_terminal else action_spots(state), overlay),
    ]
    return document(WIDTH, height, headline(board), parts, overlay)


def action_spots(state: State, player: int | None = None) -> dict[int, Spot]:
    """The cards that may be chosen, where they stand out in the hand, as far as the next card leaves them free."""
    seat, board = state.current_player, board_of(state, player, ())
    hand = board.hands[seat]
    if hand is None:
        return {}
    step = _step(len(hand))
    return {
        card: Spot(
            MARGIN + k * step,
            _hand_top(seat) + CARDS - RAISED,
            CARD_WIDTH if k == len(hand) - 1 else min(CARD_WIDTH, step),
            CARD_HEIGHT,
        )
        for k, card in enumerate(hand)
        if card in board.legal
    }


def _hand_top(seat: int) -> float:
    return HEADER + TABLE_HEIGHT + 14.0 + seat * HAND_HEIGHT


def _step(size: int) -> float:
    """Distance from one card to the next in a hand."""
    return min(CARD_WIDTH + 4.0, (WIDTH - 2 * MARGIN - CARD_WIDTH) / max(size - 1, 1))


def _header(board: Board) -> list[str]:
    """The lines above the table: where the game is, and what happened last."""
    happened = ", ".join(event_text(event, board.seen.rules.pack, board.names) for event in board.seen.events)
    return [
        _text(MARGIN, 28, _shortened(headline(board), 70), size=16, weight="bold"),
        _text(MARGIN, 50, _shortened(happened, 100) or "the cards are dealt", size=13, colour=MUTED),
    ]


def _table(board: Board) -> list[str]:
    """The felt with a row of thirteen places for each suit."""
    seen, pack = board.seen, board.seen.rules.pack
    played = [event.card for event in seen.events if event.kind == "play"]
    parts = [_rectangle(MARGIN, HEADER, WIDTH - 2 * MARGIN, TABLE_HEIGHT, FELT, radius=12)]
    for suit in range(SUITS):
        y = HEADER + 16.0 + suit * (CARD_HEIGHT + GAP)
        parts.append(_suit(suit, MARGIN + 30, y + CARD_HEIGHT / 2, scale=1.1, colour=FELT_TEXT))
        for rank in range(pack.lowest, pack.highest + 1):
            x = MARGIN + 12 + LABEL + (rank - pack.lowest) * (CARD_WIDTH + GAP)
            card = pack.card(suit, rank)
            if seen.tableau.has(suit, rank):
                parts += _card(board, card, x, y, edge=card in played)
            else:
                may_be_laid = seen.tableau.accepts(suit, rank, gates=seen.rules.gates)
                parts.append(_use(_place_id(pack, rank, may_be_laid), x, y))
    return parts


def _hand(board: Board, seat: int, top: float) -> list[str]:
    """One player: the name, what there is to say of the seat, and the cards, face down where they are hidden."""
    seen, size, place = board.seen, board.seen.sizes[seat], board.place(seat)
    says = f"{size} card" if size == 1 else f"{size} cards"
    if place:
        says = f"has left, number {place}" if size == 0 else f"last, with {says}"
    elif seat == seen.receiver:
        says += ", is to be sent one"
    elif seat == seen.current_player:
        says += ", to send" if seen.decision == "send" else ", to play"
    parts = []
    if seat == seen.current_player:
        parts.append(f'<circle cx="{_n(MARGIN + 5)}" cy="{_n(top + 8)}" r="5" fill="{GOLD}"/>')
    indent = MARGIN + (16 if seat == seen.current_player else 0)
    name = _shortened(board.names[seat], 40)
    parts.append(
        f'<text x="{_n(indent)}" y="{_n(top + 13)}" font-size="14" fill="{INK}"><tspan font-weight="bold">'
        f'{escape(name)}</tspan><tspan dx="10" font-size="13" fill="{MUTED}">{escape(says)}</tspan></text>'
    )
    hand = board.hands[seat]
    step = _step(size)
    for k in range(size):
        x, y = MARGIN + k * step, top + CARDS
        if hand is None:
            parts.append(_use("sevens-back", x, y))
        else:
            legal = hand[k] in board.legal and seat == seen.current_player
            parts += _card(board, hand[k], x, y - (RAISED if legal else 0.0), edge=legal)
    return parts


def _card(board: Board, card: int, x: float, y: float, *, edge: bool) -> list[str]:
    """A card face up with its upper left corner at (x, y), with a golden edge or without."""
    face = _use(_card_id(board.seen.rules.pack, card), x, y)
    return [face, _use("sevens-edge", x, y)] if edge else [face]


def _card_id(pack: Pack, card: int) -> str:
    return f"sevens-{pack.ascii_name(card)}"


def _place_id(pack: Pack, rank: int, is_open: bool) -> str:
    return f"sevens-{'open' if is_open else 'closed'}-{pack.rank_name(rank)}"


def _use(name: str, x: float, y: float) -> str:
    """SVG element that places the definition of a name at (x, y)."""
    return f'<use href="#{name}" x="{_n(x)}" y="{_n(y)}"/>'


def _definitions(board: Board) -> Iterator[str]:
    """SVG definitions of the picture, as far as this board needs them: no card that it hides."""
    seen, pack = board.seen, board.seen.rules.pack
    ranks = range(pack.lowest, pack.highest + 1)
    for suit, letter in enumerate(SUIT_LETTERS):
        yield f'<path id="sevens-suit-{letter}" d="{SUIT_SHAPES[suit]}"/>'
    yield f'<symbol id="sevens-edge" overflow="visible">{_outline("none", GOLD, 2.5)}</symbol>'
    if None in board.hands:
        yield f'<symbol id="sevens-back" overflow="visible">{_back()}</symbol>'
    for is_open in (False, True):
        for rank in ranks:
            name = _place_id(pack, rank, is_open)
            yield f'<symbol id="{name}" overflow="visible">{_place(pack, rank, is_open)}</symbol>'
    known = {card for hand in board.hands if hand is not None for card in hand}
    known |= {
        pack.card(suit, rank) for suit in range(SUITS) for rank in ranks if seen.tableau.has(suit, rank)
    }
    for card in sorted(known):
        yield f'<symbol id="{_card_id(pack, card)}" overflow="visible">{_face(pack, card)}</symbol>'


def _face(pack: Pack, card: int) -> str:
    """A card face up."""
    suit, rank = suit_of(card), pack.rank_name(pack.rank(card))
    colour, size = SUIT_COLOURS[suit], 14 if len(rank) == 1 else 12
    return "".join(
        (
            f"<title>{escape(pack.name(card))}</title>",
            _outline(PAPER, CARD_LINE, 1.0),
            _text(11.5, 17, rank, size=size, colour=colour, weight="bold", anchor="middle"),
            _suit(suit, 11.5, 27, scale=0.5, colour=colour),
            _suit(suit, 28, 43, scale=1.15, colour=colour),
        )
    )


def _back() -> str:
    """A card face down."""
    lattice = "".join(
        f"M7 {7 + k}l{_n(CARD_WIDTH - 14)} 10m0-10l{_n(14 - CARD_WIDTH)} 10" for k in range(0, 50, 10)
    )
    return (
        _outline(PAPER, CARD_LINE, 1.0)
        + _rectangle(4, 4, CARD_WIDTH - 8, CARD_HEIGHT - 8, BACK, radius=4)
        + f'<path d="{lattice}" fill="none" stroke="{BACK_LINE}" stroke-width="0.8"/>'
    )


def _place(pack: Pack, rank: int, is_open: bool) -> str:
    """A place on the table without its card; an open one is where a card may be laid now."""
    colour, weight = PAPER if is_open else FELT_LINE, "bold" if rank == SEVEN else "normal"
    line = _outline("none", colour, 1.5 if is_open else 1.0, dashes=' stroke-dasharray="4 4"')
    name = pack.rank_name(rank)
    return line + _text(CARD_WIDTH / 2, 37, name, size=14, colour=colour, anchor="middle", weight=weight)


def _outline(fill: str, stroke: str, width: float, dashes: str = "") -> str:
    """The rounded rectangle of a card."""
    size = f'width="{_n(CARD_WIDTH)}" height="{_n(CARD_HEIGHT)}"'
    return f'<rect {size} rx="6" fill="{fill}" stroke="{stroke}" stroke-width="{_n(width)}"{dashes}/>'


def _suit(suit: int, x: float, y: float, *, scale: float, colour: str) -> str:
    """The shape of a suit around (x, y)."""
    place = f"translate({_n(x)} {_n(y)}) scale({_n(scale)})"
    return f'<use href="#sevens-suit-{SUIT_LETTERS[suit]}" transform="{place}" fill="{colour}"/>'


def _rectangle(x: float, y: float, width: float, height: float, fill: str, *, radius: float) -> str:
    """A rounded rectangle without an edge."""
    place = f'x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}"'
    return f'<rect {place} rx="{_n(radius)}" fill="{fill}"/>'


def _text(
    x: float,
    y: float,
    text: str,
    *,
    size: float,
    colour: str = INK,
    anchor: str = "start",
    weight: str = "normal",
) -> str:
    """A line of text."""
    return (
        f'<text x="{_n(x)}" y="{_n(y)}" font-size="{_n(size)}" fill="{colour}" text-anchor="{anchor}" '
        f'font-weight="{weight}">{escape(text)}</text>'
    )


def _shortened(text: str, length: int) -> str:
    """The text, cut off with dots where it is too long."""
    return text if len(text) <= length else text[: length - 1] + "…"
