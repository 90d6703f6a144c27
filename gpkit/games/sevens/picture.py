"""The board as a picture: SVG text, a pure function of the state.

Hidden hands are fans of backs on felt; below them are the four rows of the table, and below the felt the hands that are
open. Cards that may be chosen are raised, and with an overlay both they and their places on the table can be clicked;
the card that was played last has a golden edge. What is hidden is not in the picture until the end. Suits are drawn as
shapes, so that the picture looks the same with any font. Every card that is shown is defined once, each definition on a
line of its own and under an id that always means the same, so that the pictures of one page can share them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from html import escape

from gpkit.gamekit.svg import button, document, golden, pill
from gpkit.gamekit.svg import number as _n
from gpkit.gamekit.view import Overlay, Spot
from gpkit.games.sevens.board import Board, board_of
from gpkit.games.sevens.cards import CARDS, RANKS, SEVEN, SUIT_LETTERS, SUIT_NAMES, SUITS, Pack, suit_of
from gpkit.games.sevens.options import Rules
from gpkit.games.sevens.rules import State, begin

COLOURS = ("#b81f2c", "#b81f2c", "#20252a", "#20252a")
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

CARD, SMALL, SLIM = (53.0, 77.0), (56.0, 72.0), (25.0, 42.0)
"""Sizes of cards: usual ones, those in a hand of a narrow picture, and those on its table, which show the rank only."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Sizes in pixels: of the picture, cards on the table and in hands, and how opponents stand in a row.

    A step is from one card on the table to the next, across and down; a fan is the number of cards that are drawn of a
    hidden hand at most, and from one to the next.
    """

    width: float
    card: tuple[float, float]
    step: tuple[float, float]
    left: float
    hand: tuple[float, float]
    between: tuple[float, float]
    seats: int
    fan: tuple[int, float]


WIDE = Layout(800.0, CARD, (55.0, 79.0), 76.0, CARD, (6.0, 14.0), 3, (7, 6.0))
NARROW = Layout(390.0, SLIM, (26.7, 46.0), 38.0, SMALL, (4.0, 7.0), 2, (3, 4.0))


def board_svg(
    state: State, player: int | None = None, names: Sequence[str] = (), overlay: Overlay | None = None
) -> str:
    """The table and the hands as an SVG document.

    Args:
        state, player, names: as of ``board_of``.
        overlay: marks and places, and what the players played last; None: the position, whatever came before it.
    """
    played = last_played(state if overlay else replace(state, dealt=()))
    overlay, board = overlay or Overlay(), board_of(state, player, names)
    layout, seats = NARROW if overlay.is_narrow else WIDE, range(state.rules.players)
    turned = [(seat + (player or 0)) % len(seats) for seat in seats]
    hidden = [seat for seat in turned if board.hands[seat] is None]
    top = 10 + SEAT * -(-len(hidden) // layout.seats)
    height = top + SUITS * layout.step[1] + 8
    parts = [
        f'<rect class="felt" width="{_n(layout.width)}" height="{_n(height)}" rx="{0 if layout is NARROW else 16}"/>'
    ]
    for place, seat in enumerate(hidden):
        y, x = divmod(place, layout.seats)
        corner = (10 + x * (layout.width - 12) / layout.seats, 10 + y * SEAT)
        parts += _fan(board, seat, _does(board, seat, played), corner, layout)
    parts += _rows(board, list(played.values())[-1:], top, layout, overlay)
    height += RAISED + 8
    for seat in turned:
        hand = board.hands[seat]
        if hand is not None and seat != player:
            at = f'x="{_n(layout.width / 2)}" y="{_n(height + 12)}" font-size="14" text-anchor="middle"'
            parts.append(
                f'<text class="dim" {at}><tspan font-weight="700">{escape(board.names[seat][:40])}</tspan> '
            )
            parts[-1] += f"{escape(_does(board, seat, played))}</text>"
            height += 30
        for row in _places(hand or (), layout):
            parts += _hand(board, row, height, layout, overlay, chooses=seat == board.seen.current_player)
            height += layout.hand[1] + RAISED + FOOT
    body = "\n".join(parts)
    defined = [each for name, each in _definitions(board.seen.rules.pack).items() if f'#{name}"' in body]
    suits = [f'<path id="sevens-{SUIT_LETTERS[k]}" d="{shape}"/>' for k, shape in enumerate(SUIT_SHAPES)]
    paper = f'<rect class="paper" width="{_n(layout.width)}" height="{_n(height)}"/>'
    return document(
        layout.width, height, _told(board), ["<defs>", *suits, *defined, "</defs>", paper, body], overlay
    )


def last_played(state: State) -> Mapping[int, int]:
    """By player the card that it played last, the latest player last, as far as the state remembers its game."""
    if state.dealt:
        return _replayed(state.dealt, state.rules, state.chosen)[1]
    return _with(state, {})


@lru_cache(maxsize=512)
def _replayed(
    dealt: tuple[tuple[int, ...], ...], rules: Rules, chosen: tuple[int, ...]
) -> tuple[State, Mapping[int, int]]:
    """A game after its choices, and who played what last: one choice more than what an earlier picture replayed."""
    if not chosen:
        return begin(dealt, rules), {}
    before, played = _replayed(dealt, rules, chosen[:-1])
    after = before.apply(chosen[-1])
    return after, _with(after, played)


def _with(state: State, played: Mapping[int, int]) -> dict[int, int]:
    """Cards that were played last, with those of a state's events."""
    found = dict(played)
    for event in state.events:
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


def _does(board: Board, seat: int, played: Mapping[int, int]) -> str:
    """The number of a player's cards, and what it does now or did last."""
    seen, size = board.seen, board.seen.sizes[seat]
    says = f"{size} card{'' if size == 1 else 's'}" if size else "no cards left"
    if seat == seen.receiver:
        return f"{says}, cannot play"
    if seat == seen.current_player:
        return f"{says}, to {seen.decision}"
    return f"{says}, played {seen.rules.pack.name(played[seat])}" if size and seat in played else says


@lru_cache(maxsize=4)
def _definitions(pack: Pack) -> dict[str, str]:
    """SVG definitions of all cards in all sizes, by id; a face has the colour that the use of it has."""
    found = {}
    for card in range(CARDS):
        suit, rank, name = suit_of(card), pack.rank_name(pack.rank(card)), pack.ascii_name(card)
        for (width, height), x, y, middle in ((CARD, 6, 22, 0.6), (SMALL, 6, 23, 0.5), (SLIM, 12.5, 27, 0)):
            known = f'<text x="{x}" y="{y}" font-size="{19 if middle else 16}" font-weight="700" '
            known += f'text-anchor="{"start" if middle else "middle"}">{rank}</text>'
            known += _suit(suit, width * middle, height * 0.66, 1.3) if middle else ""
            key = f"sevens-{_n(width)}-{name}"
            found[key] = (
                f'<symbol id="{key}" overflow="visible"><rect width="{_n(width)}" height="{_n(height)}" '
                f'rx="{_n(width / 9 + 1)}"/><g fill="{COLOURS[suit]}" stroke="none">{known}</g></symbol>'
            )
    return found


def _suit(suit: int, x: float, y: float, scale: float) -> str:
    place = f"translate({_n(x)} {_n(y)}) scale({_n(scale)})"
    return f'<use href="#sevens-{SUIT_LETTERS[suit]}" transform="{place}"/>'


def _card(card: int, pack: Pack, spot: Spot, kind: str = "face") -> str:
    """A card face up; the id of its definition tells its width and its name."""
    name = f"sevens-{_n(spot.width)}-{pack.ascii_name(card)}"
    return f'<use class="{kind}" href="#{name}" x="{_n(spot.x)}" y="{_n(spot.y)}"/>'


def _fan(board: Board, seat: int, does: str, corner: tuple[float, float], layout: Layout) -> Iterator[str]:
    """An opponent whose hand is hidden: some cards face down, the name, and what it does."""
    (x, y), (most, step) = corner, layout.fan
    backs = min(board.seen.sizes[seat], most)
    for k in range(backs):
        yield f'<rect class="back" x="{_n(x + step * k)}" y="{_n(y)}" width="28" height="42" rx="4"/>'
    left = x + (34 + step * max(backs - 1, 0) if backs else 0)
    name = board.names[seat][:16]
    yield f'<text class="on" x="{_n(left)}" y="{_n(y + 17)}" font-size="16">{escape(name)}</text>'
    at = f'x="{_n(left)}" y="{_n(y + 37)}" font-size="{13 if layout is NARROW else 14}"'
    yield f'<text class="faint" {at}>{escape(does)}</text>'


def _rows(board: Board, last: Sequence[int], top: float, layout: Layout, overlay: Overlay) -> Iterator[str]:
    """The four rows of the table: cards, the places that come next, and dots."""
    seen, pack, (width, height) = board.seen, board.seen.rules.pack, layout.card
    middle, golds = layout.left / 2, list[str]()
    for card in range(CARDS):
        suit, column, rank = suit_of(card), card % RANKS, pack.rank(card)
        spot = Spot(layout.left + column * layout.step[0], top + suit * layout.step[1], width, height)
        x, y = spot.x + width / 2, spot.y + height / 2
        if column == 0:
            yield f'<circle cx="{_n(middle)}" cy="{_n(y)}" r="{_n(width * 0.36 + 1)}" fill="#fff"/>'
            yield f'<g fill="{COLOURS[suit]}">{_suit(suit, middle, y, 0.75 if layout is NARROW else 1.4)}</g>'
        at = f'x="{_n(spot.x)}" y="{_n(spot.y)}" width="{_n(width)}" height="{_n(height)}" rx="{_n(width / 9 + 1)}"'
        text = (
            f'x="{_n(x)}" y="{_n(y + 6)}" font-size="16" text-anchor="middle">{pack.rank_name(rank)}</text>'
        )
        if seen.tableau.has(suit, rank):
            yield _card(card, pack, spot)
            if card in last:
                golds.append(golden(spot))
        elif seen.decision == "play" and card in overlay.labels:
            kind = f"spot{' best' if card in overlay.best else ''} mine"
            yield f'<g class="{kind}" data-action="{card}" aria-hidden="true"><rect class="hit" {at}/><text {text}</g>'
        elif seen.tableau.accepts(suit, rank, gates=seen.rules.gates):
            yield f'<rect class="next" {at}/><text class="next-rank" {text}'
        else:
            yield f'<circle class="hole" cx="{_n(x)}" cy="{_n(y)}" r="{2.4 if rank == SEVEN else 1.6}"/>'
    yield from golds


def _places(hand: Sequence[int], layout: Layout) -> list[list[tuple[int, float]]]:
    """Rows of cards by suit, each card with its left edge; no suit is parted where that takes no more rows."""
    parted, whole = (_placed(hand, layout, keeps) for keeps in (False, True))
    return parted if len(parted) < len(whole) else whole


def _placed(hand: Sequence[int], layout: Layout, keeps: bool) -> list[list[tuple[int, float]]]:
    """Rows of cards, each with its left edge; whether all of a suit must fit into what is left of a row."""
    rows: list[list[tuple[int, float]]] = []
    width, (within, suits), x = layout.hand[0], layout.between, layout.width
    for before, card in zip((None, *hand), hand, strict=False):
        begins = before is None or suit_of(before) != suit_of(card)
        x += suits if begins else within
        count = sum(suit_of(each) == suit_of(card) for each in hand) if begins and keeps else 1
        if x + count * width + (count - 1) * within > layout.width:
            rows.append([])
            x = 0.0
        rows[-1].append((card, x))
        x += width
    return rows


def _hand(
    board: Board,
    row: Sequence[tuple[int, float]],
    y: float,
    layout: Layout,
    overlay: Overlay,
    *,
    chooses: bool,
) -> Iterator[str]:
    """A row of a hand, in the middle; who looks can choose from its own."""
    (width, height), pack = layout.hand, board.seen.rules.pack
    shift, pills = (layout.width - row[-1][1] - width) / 2, list[str]()
    for card, x in row:
        is_legal = chooses and card in board.legal
        spot = Spot(shift + x, y - (RAISED if is_legal else 0.0), width, height)
        if card in overlay.labels:
            yield button(card, overlay, _card(card, pack, spot, "hit face"))
        elif not overlay.labels:
            yield _card(card, pack, spot)
        else:
            label = f"{card_words(card, pack)}, cannot be played"
            yield f'<g class="dull" role="img" aria-label="{label}">{_card(card, pack, spot)}</g>'
        if card in overlay.values:
            pills.append(pill(spot.x + width / 2, y + height - RAISED, card, overlay))
    yield from pills
