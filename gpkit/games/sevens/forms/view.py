"""The view of Sevens (``gpkit.gamekit.view.View``): text, pictures, parsing of moves, and feature tables.

A ``Board`` shows all hands, or only the hand of one player. A board does not contain hidden cards, so displaying it
cannot reveal them.

A picture is a pure function of the state. Hidden hands are fans of card backs on felt. Below the hidden hands are the
four rows of the table, and below the felt are the open hands. Legal cards are raised. With an overlay, people can click
the legal cards and the places of these cards on the table. The last card played has a golden edge. Hidden cards are not
in the picture until the game is over. Suits are drawn as shapes, so the picture looks the same with any font. Each card
is defined once, on a separate line and with a fixed id, so the pictures on a page can share the definitions.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from html import escape
from itertools import accumulate, pairwise
from types import MappingProxyType

from gpkit.core.diagnostics import nearest
from gpkit.core.errors import UsageError
from gpkit.core.primitives import Sensor
from gpkit.core.wording import YOU, counted, does
from gpkit.gamekit.sensors import FeatureTable, rows_of
from gpkit.gamekit.state import NOBODY
from gpkit.gamekit.svg import SUIT_SHAPES, button, document, fanned, golden, pill
from gpkit.gamekit.svg import number as _n
from gpkit.gamekit.view import Move, Overlay, Played, Spot, View, Words, everywhere, number_word
from gpkit.games.sevens.cards import (
    CARDS,
    RANKS,
    SEVEN,
    SUIT_LETTERS,
    SUIT_NAMES,
    SUIT_SIGNS,
    SUITS,
    Pack,
    suit_of,
)
from gpkit.games.sevens.primitives import SENSORS
from gpkit.games.sevens.rules import UNSEEN, Event, Observation, SevensRules, SevensState, begin
from gpkit.games.sevens.sensors import sense
from gpkit.playing.trace import Step


@dataclass(frozen=True, slots=True)
class Board:
    """A board to display: an observation, and the cards of each seat, which are None if hidden.

    ``names`` are the names of the players, by seat.
    """

    seen: Observation
    hands: tuple[tuple[int, ...] | None, ...]
    names: tuple[str, ...]

    @property
    def legal(self) -> tuple[int, ...]:
        """The legal cards; empty if the observer is not to move."""
        return self.seen.legal

    def place(self, seat: int) -> int:
        """The place in which a player finished, from 1; 0 if the player is still in the game."""
        return self.seen.finished.index(seat) + 1 if seat in self.seen.finished else 0


def board_of(state: SevensState, player: int | None = None, names: Sequence[str] = ()) -> Board:
    """The board from a player's point of view.

    The other hands are hidden until the game is over. If ``player`` is None, all hands are open.
    """
    shown = names_of(names, state.rules)
    if player is None or state.is_terminal:
        seen = state.observation(max(state.current_player, 0))
        return Board(replace(seen, events=state.events), state.hands, shown)
    seen = state.observation(player)
    return Board(
        seen, tuple(seen.hand if seat == player else None for seat in range(len(state.hands))), shown
    )


def board_text(state: SevensState, player: int | None = None, names: Sequence[str] = ()) -> str:
    """The board as lines of text; the arguments are the same as in ``board_of``."""
    board = board_of(state, player, names)
    seen, pack = board.seen, board.seen.rules.pack
    ranks = range(pack.lowest, pack.highest + 1)
    lines = [headline(board), ""]
    for suit in range(SUITS):
        cells = [pack.rank_name(r) if seen.tableau.has(suit, r) else "." for r in ranks]
        lines.append(f"  {SUIT_SIGNS[suit]} " + "".join(f"{cell:>3}" for cell in cells))
    lines.append("")
    width = max(map(len, board.names))
    for seat, (name, hand) in enumerate(zip(board.names, board.hands, strict=True)):
        sign = ">" if seat == seen.current_player else "<" if seat == seen.receiver else " "
        size = f"{seen.sizes[seat]:2d} card{' ' if seen.sizes[seat] == 1 else 's'}"
        shown = hand_text(hand, board) if hand is not None else ""
        lines.append(f"{sign} {name:<{width}}  {size}  {shown}".rstrip())
    return "\n".join(lines) + "\n"


def headline(board: Board) -> str:
    """The state of the game on one line: the lap, the turn, and the next decision."""
    seen, names = board.seen, board.names
    if seen.decision == "over":
        moment = f"over, {_outcome(board)}"
    elif seen.decision == "send":
        moment = f"{does(names[seen.current_player], 'is')} to send a card to {names[seen.receiver]}"
    else:
        name = names[seen.current_player]
        moment = "your turn" if name == YOU else f"{name}'s turn"
    return f"lap {seen.turn // seen.rules.players}, turn {seen.turn}: {moment}"


def _outcome(board: Board) -> str:
    """The outcome of the game, in a few words."""
    leavers = [board.names[seat] for seat in board.seen.finished]
    if board.seen.rules.end == "ranks":
        return f"left in this order: {', '.join(leavers)}" if leavers else "nobody has left"
    return f"{does(leavers[0], 'has')} won" if leavers else "a draw"


def hand_text(hand: Sequence[int], board: Board) -> str:
    """A hand grouped by suit, such as ``♥ A 6* ♠ 8``; an asterisk marks legal cards."""
    pack, suits = board.seen.rules.pack, []
    for suit in range(SUITS):
        cards = [card for card in hand if suit_of(card) == suit]
        names = [pack.rank_name(pack.rank(c)) + ("*" if c in board.legal else "") for c in cards]
        if names:
            suits.append(" ".join([SUIT_SIGNS[suit], *names]))
    return "  ".join(suits)


def event_text(event: Event, pack: Pack, names: Sequence[str]) -> str:
    """An event in words, such as ``ann sends ♠K to bob``; a hidden card is called ``a card``."""
    actor = names[event.actor]
    if event.kind == "pass":
        return does(actor, "passes")
    card = pack.name(event.card) if event.card != UNSEEN else "a card"
    return (
        f"{does(actor, 'plays')} {card}"
        if event.kind == "play"
        else f"{does(actor, 'sends')} {card} to {names[event.receiver]}"
    )


def names_of(names: Sequence[str], rules: SevensRules) -> tuple[str, ...]:
    """A name for every seat."""
    return tuple(names[seat] if seat < len(names) else f"seat {seat}" for seat in range(rules.players))


COLOURS = tuple(colour for colour, _ in SUIT_SHAPES.values())

SEAT = 56.0
"""The height of a row of opponents."""

RAISED = 10.0
"""The distance by which legal cards are raised."""

CARD, SMALL, SLIM = (53.0, 77.0), (54.0, 64.0), (25.0, 42.0)
"""Card sizes in a wide picture, in a hand of a narrow one, and on the table of a narrow one, which shows only ranks."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The layout of a picture: sizes in pixels, and the number of opponents in a row.

    ``step`` is the horizontal and the vertical distance between cards on the table. ``between`` contains the distance
    between cards in a hand, and the additional distance between suits; ``least`` is the minimum visible width of a
    card, and ``down`` the vertical distance between rows of a hand.
    ``fan`` contains the maximum number of cards drawn for a hidden hand, and the distance between them.
    """

    width: float
    card: tuple[float, float]
    step: tuple[float, float]
    left: float
    hand: tuple[float, float]
    between: tuple[float, float]
    least: float
    down: float
    seats: int
    fan: tuple[int, float]


WIDE = Layout(848.0, CARD, (58.0, 79.0), 80.0, CARD, (6.0, 12.0), 26.0, 101.0, 3, (7, 6.0))
NARROW = Layout(390.0, SLIM, (26.7, 46.0), 38.0, SMALL, (4.0, 4.0), 54.0, 66.0, 2, (3, 4.0))


def board_svg(
    state: SevensState, player: int | None = None, names: Sequence[str] = (), overlay: Overlay | None = None
) -> str:
    """The table and the hands as an SVG document.

    Args:
        state, player, names: the same as in ``board_of``.
        overlay: marks and clickable places; with an overlay, the picture also shows each player's last card. Without an
            overlay, the picture depends only on the position and the last action.
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
            at = f'x="{_n(layout.width / 2)}" y="{_n(height + 12)}" text-anchor="middle" '
            at += f'font-size="{14 if layout is NARROW else 20}"'
            parts.append(
                f'<text class="dim" {at}><tspan font-weight="700">{escape(board.names[seat][:40])}</tspan> '
            )
            parts[-1] += f"{escape(_does(board, seat, played))}</text>"
            height += 30
        for row in _places(hand or (), layout):
            parts += _hand(board, row, height, layout, overlay, chooses=seat == board.seen.current_player)
            height += layout.down
    body = "\n".join(parts)
    defined = [each for name, each in _definitions(board.seen.rules.pack).items() if f'#{name}"' in body]
    suits = [
        f'<path id="sevens-{SUIT_LETTERS[k]}" d="{shape}"/>'
        for k, (_, shape) in enumerate(SUIT_SHAPES.values())
    ]
    paper = f'<rect class="paper" width="{_n(layout.width)}" height="{_n(height)}"/>'
    return document(
        layout.width, height, _told(board), ["<defs>", *suits, *defined, "</defs>", paper, body], overlay
    )


def last_played(state: SevensState) -> Mapping[int, int]:
    """The last card that each player played, in the order in which the cards were played.

    If the state does not contain the history of the game, only cards of the last step are included.
    """
    if state.dealt:
        return _replayed(state.dealt, state.rules, state.chosen)[1]
    return _with(state, {})


@lru_cache(maxsize=512)
def _replayed(
    dealt: tuple[tuple[int, ...], ...], rules: SevensRules, chosen: tuple[int, ...]
) -> tuple[SevensState, Mapping[int, int]]:
    """The state after these choices, and each player's last card; the result for all but the last choice is cached."""
    if not chosen:
        return begin(dealt, rules), {}
    before, played = _replayed(dealt, rules, chosen[:-1])
    after = before.apply(chosen[-1])
    return after, _with(after, played)


def _with(state: SevensState, played: Mapping[int, int]) -> dict[int, int]:
    """The last card of each player, updated with the events of a state."""
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
    """A player's number of cards, and the player's next task or last card."""
    seen, size = board.seen, board.seen.sizes[seat]
    says = f"{size} card{'' if size == 1 else 's'}" if size else "no cards left"
    if seat == seen.receiver:
        return f"{says}, cannot play"
    if seat == seen.current_player:
        return f"{says}, to {seen.decision}"
    return f"{says}, played {seen.rules.pack.name(played[seat])}" if size and seat in played else says


@lru_cache(maxsize=4)
def _definitions(pack: Pack) -> dict[str, str]:
    """SVG definitions of all cards in all sizes, by id; the element that uses a card sets its background."""
    found = {}
    for card in range(CARDS):
        suit, rank, name = suit_of(card), pack.rank_name(pack.rank(card)), pack.ascii_name(card)
        for (width, height), x, y, middle in ((CARD, 6, 22, 0.42), (SMALL, 6, 23, 0.38), (SLIM, 12.5, 27, 0)):
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
    """A face-up card; the id of its definition contains its width and its name."""
    name = f"sevens-{_n(spot.width)}-{pack.ascii_name(card)}"
    return f'<use class="{kind}" href="#{name}" x="{_n(spot.x)}" y="{_n(spot.y)}"/>'


def _fan(board: Board, seat: int, does: str, corner: tuple[float, float], layout: Layout) -> Iterator[str]:
    """An opponent with a hidden hand: some face-down cards, the name, and a short status."""
    (x, y), (most, step) = corner, layout.fan
    backs = min(board.seen.sizes[seat], most)
    for k in range(backs):
        yield f'<rect class="back" x="{_n(x + step * k)}" y="{_n(y)}" width="28" height="42" rx="4"/>'
    left = x + (34 + step * max(backs - 1, 0) if backs else 0)
    for kind, foot, size, text in (("on", 17, 16, board.names[seat][:16]), ("faint", 37, 13, does)):
        at = f'x="{_n(left)}" y="{_n(y + foot)}" font-size="{size + 2 * (layout is WIDE)}"'
        yield f'<text class="{kind}" {at}>{escape(text)}</text>'


def _rows(board: Board, last: Sequence[int], top: float, layout: Layout, overlay: Overlay) -> Iterator[str]:
    """The four rows of the table, with cards, places for the next cards, and dots for all other places."""
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


def _places(hand: Sequence[int], layout: Layout) -> Iterator[list[tuple[int, float]]]:
    """Yield the rows of a hand: cards with the positions of their left edges. The cards of crowded rows overlap."""
    within, suits = layout.between
    for edges in fanned(len(hand), layout.width - (SUITS - 1) * suits, layout.hand[0], within, layout.least):
        row, hand = hand[: len(edges)], hand[len(edges) :]
        changes = accumulate((suit_of(card) != suit_of(other) for card, other in pairwise(row)), initial=0)
        yield [(card, x + suits * k) for card, (x, _), k in zip(row, edges, changes, strict=True)]


def _hand(
    board: Board,
    row: Sequence[tuple[int, float]],
    y: float,
    layout: Layout,
    overlay: Overlay,
    *,
    chooses: bool,
) -> Iterator[str]:
    """A centred row of a hand; cards with a label in the overlay are buttons."""
    (width, height), pack = layout.hand, board.seen.rules.pack
    shift, pills = (layout.width - row[-1][1] - width) / 2, list[str]()
    for place, (card, x) in enumerate(row):
        spot = Spot(shift + x, y - (RAISED if chooses and card in board.legal else 0.0), width, height)
        if card in overlay.labels:
            yield button(card, overlay, _card(card, pack, spot, "hit face"))
        elif not overlay.labels:
            yield _card(card, pack, spot)
        else:
            label = f"{card_words(card, pack)}, cannot be played"
            yield f'<g class="dull" role="img" aria-label="{label}">{_card(card, pack, spot)}</g>'
        if card in overlay.values:
            foot = y + height - RAISED - 14 - 24 * (place % 2 and len(row) * width > layout.width)
            pills.append(pill(spot.x + width / 2, foot, card, overlay))
    yield from pills


PLACE = Sensor("place", "where the card is: 0 in another hand, 1 in own hand, 2 on the table", 0, 2)

COLUMNS = (*SENSORS, PLACE)
"""The columns of the feature table: the sensors of the legal cards, and the place of every card."""


def columns() -> tuple[Sensor, ...]:
    """The columns of the feature table."""
    return COLUMNS


def actions(rules: SevensRules) -> int:
    """The number of actions, one for each card."""
    return CARDS


def encode(state: SevensState, player: int) -> FeatureTable:
    """A player's knowledge as a table: float64 (cards, columns)."""
    seen, pack = state.observation(player), state.rules.pack
    table = rows_of({card: sense(seen, card) for card in seen.legal}, CARDS, COLUMNS)
    for card in range(CARDS):
        table[card, -1] = 2 if state.tableau.has(suit_of(card), pack.rank(card)) else card in seen.hand
    return table


def action_text(state: SevensState, card: int) -> str:
    """The name of a card, such as ``♥7``."""
    return state.rules.pack.name(card)


def parse_action(state: SevensState, text: str) -> int:
    """The legal card with this name, or with this number in the list of legal cards, from 1.

    Raises:
        UsageError: the text does not identify a legal card; the message gives the reason and usually suggests a card.
    """
    return chosen_card(state.observation(state.current_player), text)


def chosen_card(seen: Observation, text: str) -> int:
    """The legal card that the observer typed; see ``parse_action``.

    Raises:
        UsageError: the text is not a card, or the card is not legal.
    """
    legal, pack = seen.legal, seen.rules.pack
    if text.isascii() and text.isdigit():
        number = int(text[:9])
        if 1 <= number <= len(legal):
            return legal[number - 1]
        raise UsageError(f"the list goes from 1 to {len(legal)}; a card also has a suit, such as 7h")
    try:
        card = pack.parse(text)
    except UsageError:
        raise UsageError(_no_card(text, seen)) from None
    if card in legal:
        return card
    close = min(legal, key=lambda c: (suit_of(c) != suit_of(card), abs(pack.rank(c) - pack.rank(card))))
    raise UsageError(
        f"{_refusal(card, seen)}; the nearest card you can {seen.decision} is {pack.name(close)}"
    )


def sensors(state: SevensState, card: int) -> dict[str, float]:
    """The value of every sensor for a card in the hand of the player to move."""
    return sense(state.observation(state.current_player), card)


def _no_card(text: str, seen: Observation) -> str:
    """The error message for input that is not the name of a card."""
    shown = "".join(c if c.isprintable() else "?" for c in text[:40])
    close = nearest(text[:40].lower(), [seen.rules.pack.ascii_name(card).lower() for card in seen.hand])
    hint = f"did you mean {close}?" if close else "type a card such as 7h, or ? for help"
    return f"`{shown}` is not a card; {hint}"


def _refusal(card: int, seen: Observation) -> str:
    """The error message for a card that is not legal."""
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
    """Sentences about a game of Sevens."""

    noun = "card"
    candidate = "card"
    setups = MappingProxyType(
        {
            f"{word} players": {"players": number}
            for word, number in (("Two", "2"), ("Three", "3"), ("Four", "4"))
        }
    )
    examples = (
        ("Its next real choice", "mine and forced == 0"),
        ("It sends a card", "mine and decision == send"),
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

    def step(self, step: Step) -> str:
        """A sentence about the events of a step, with all cards shown."""
        if step.before is None:
            return "the cards are dealt"
        only = ", its only choice" if step.is_mine and len(step.before.legal_actions()) == 1 else ""
        first, *others = self.told(step, step.seated.names, None)
        return "; ".join((first + only, *others))

    def told(self, move: Move | Step, names: Sequence[str], seat: int | None) -> Iterator[str]:
        """Yield a sentence about each event."""
        only = ", your only choice" if len(move.before.legal_actions()) == 1 else ""
        for number, event in enumerate(move.after.events):
            seen = event if seat is None else event.seen_by(seat)
            yield event_text(seen, move.after.rules.pack, names) + (
                only if number == 0 and event.actor == seat else ""
            )

    def stage(self, state: SevensState) -> str:
        """The current lap."""
        return f"lap {state.turn // state.rules.players + 1}"

    def prompt(self, played: Played) -> tuple[str, str]:
        """The task, and a line about the person's choices."""
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

    def written(self, state: SevensState, action: int, text: str) -> str:
        """The ASCII name of the card, such as ``7h``."""
        return state.rules.pack.ascii_name(action)

    def act(self, state: SevensState, action: int, text: str) -> str:
        """The action in words, such as ``play ♥7``."""
        return f"{state.decision} {text}"

    def label(self, state: SevensState, action: int, text: str) -> str:
        """The action with the name of the card spelled out, such as ``Play 7 of hearts``."""
        return f"{state.decision} {card_words(action, state.rules.pack)}".capitalize()

    def happened(self, move: Move, played: Played) -> Iterator[tuple[int, str]]:
        """Yield each event as the person sees it, with the seat of the player who acted."""
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

    def fact(self, state: SevensState, action: int) -> str:
        """A phrase with the number of cards that this card blocks, and the number of those in the person's hand."""
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
        """The result, and the number of cards that each other player had left."""
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
