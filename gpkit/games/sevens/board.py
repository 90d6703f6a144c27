"""The board as text, and what there is to show of it.

A ``Board`` is made from a state, with all hands open, or from an observation, with only the observer's; what is hidden
is not in it, so that no way of showing it can give it away.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from gpkit.core.wording import YOU, does
from gpkit.games.sevens.cards import SUIT_SIGNS, SUITS, Pack, suit_of
from gpkit.games.sevens.options import Rules
from gpkit.games.sevens.rules import UNSEEN, Event, Observation, State


@dataclass(frozen=True, slots=True)
class Board:
    """Board as shown: the public side of ``seen``, and of every seat the cards, or None where they are hidden.

    ``names`` are the players, by seat. ``legal`` are the cards that may be chosen now, if the chooser's are shown.
    """

    seen: Observation
    hands: tuple[tuple[int, ...] | None, ...]
    names: tuple[str, ...]

    @property
    def legal(self) -> tuple[int, ...]:
        """The cards that may be chosen now; empty where the observer is not the one to choose."""
        return self.seen.legal

    def place(self, seat: int) -> int:
        """The place, from 1, of a player who has left the game; 0 for one who has not."""
        return self.seen.finished.index(seat) + 1 if seat in self.seen.finished else 0


def board_of(state: State, player: int | None = None, names: Sequence[str] = ()) -> Board:
    """Board as shown to a player, until the end with the other hands hidden; or, for None, with every hand open."""
    shown = names_of(names, state.rules)
    if player is None or state.is_terminal:
        seen = state.observation(max(state.current_player, 0))
        return Board(replace(seen, events=state.events), state.hands, shown)
    seen = state.observation(player)
    return Board(
        seen, tuple(seen.hand if seat == player else None for seat in range(len(state.hands))), shown
    )


def board_text(state: State, player: int | None = None, names: Sequence[str] = ()) -> str:
    """The board in lines that end with a line break; arguments as of ``board_of``."""
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
    """State of the game in a line: lap, turn, and who is to do what."""
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
    """Outcome of the game, in a few words."""
    leavers = [board.names[seat] for seat in board.seen.finished]
    if board.seen.rules.end == "ranks":
        return f"left in this order: {', '.join(leavers)}" if leavers else "nobody has left"
    return f"{does(leavers[0], 'has')} won" if leavers else "a draw"


def hand_text(hand: Sequence[int], board: Board) -> str:
    """A hand by suits, such as ``♥ A 6* ♠ 8``; a star marks what may be chosen now."""
    pack, suits = board.seen.rules.pack, []
    for suit in range(SUITS):
        cards = [card for card in hand if suit_of(card) == suit]
        names = [pack.rank_name(pack.rank(c)) + ("*" if c in board.legal else "") for c in cards]
        if names:
            suits.append(" ".join([SUIT_SIGNS[suit], *names]))
    return "  ".join(suits)


def event_text(event: Event, pack: Pack, names: Sequence[str]) -> str:
    """Event in words, such as ``ann sends ♠K to bob``; a hidden card is ``a card``."""
    actor = names[event.actor]
    if event.kind == "pass":
        return does(actor, "passes")
    card = pack.name(event.card) if event.card != UNSEEN else "a card"
    return (
        f"{does(actor, 'plays')} {card}"
        if event.kind == "play"
        else f"{does(actor, 'sends')} {card} to {names[event.receiver]}"
    )


def names_of(names: Sequence[str], rules: Rules) -> tuple[str, ...]:
    """A name for every seat."""
    return tuple(names[seat] if seat < len(names) else f"seat {seat}" for seat in range(rules.players))
