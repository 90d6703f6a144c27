"""The rules of Sevens in readable Python: the options, and a game as a sequence of immutable states.

There are no official rules: families in the Nordic countries play Sevens in many different ways. The article that
inspired this game (P. Hansson, "Light Introduction to Genetic Programming", GameDev.net, 2013) does not say which rules
it used. The default rules, called ``sjuan-1``, are a reconstruction. Every option is a variant that is played
somewhere.

All 52 cards are dealt. The player with the seven of hearts lays it on the table. Then the players take turns to lay one
card each: a seven, or a card that extends a suit's run at either end (6 after 7, 5 after 6, …; 8 after 7, …). If a
player cannot play, the previous player chooses a card and *sends* it to them. The first player without cards wins.

The usual loop is::

    state = deal(deck, rules)
    while not state.is_terminal:
        state = state.apply(chosen_card)   # one of state.legal_actions()

An action is always a card, which the player plays (decision ``play``) or sends (decision ``send``). If a player cannot
play and nobody can send a card, the player passes. Passing is not a decision; it happens inside ``apply``.

Source: P. Hansson, "Light Introduction to Genetic Programming", GameDev.net, 2013, names the game and its two
decisions. The fields of ``SevensRules`` are the options of the game.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Literal

import numpy as np

from gpkit.gamekit.options import OptionRules, options_of, rule
from gpkit.gamekit.state import NOBODY, check_legal
from gpkit.games.sevens.cards import ACE_HIGH, ACE_LOW, CARDS, SEVEN, SUIT_LETTERS, Pack, Tableau, suit_of
from gpkit.games.sevens.kernel.rules import CARD_BITS
from gpkit.vm.keyed import keyed_uniform_readable

METRICS = {"first": "win_share", "ranks": "rank_score", "points": "points"}
"""The name of the metric for each value of the option ``end``."""


@dataclass(frozen=True, slots=True)
class SevensRules(OptionRules):
    """The rules of a game; every field is an option of the same name.

    >>> SevensRules.from_options({"players": "4", "end": "ranks"}).end
    'ranks'
    """

    title = "Sevens"

    players: int = rule(3, "the number of players", low=2, high=7)
    ace_high: bool = rule(False, "the ace ranks above the king instead of below the two")
    start: str = rule(
        "7h", "the seven that must open the game, or any", choices=("7h", "7d", "7c", "7s", "any")
    )
    gates: bool = rule(False, "an eight needs the six of its suit on the table, and a five the eight")
    sender: str = rule(
        "previous",
        "who sends a card to a player who cannot play",
        choices=("previous", "next", "all", "none"),
    )
    send_last: bool = rule(False, "a player may send the last card, and is then out of the game")
    send_unplayable_first: bool = rule(False, "the sender must choose an unplayable card if there is one")
    send_first_lap: bool = rule(True, "cards are sent in the first lap, too")
    play_received: bool = rule(False, "a received card is played at once if possible")
    extra_turn: str = rule(
        "none",
        "whoever plays a lowest or highest rank plays again: never, if able, or for a whole turn",
        choices=("none", "may", "must"),
    )
    end: str = rule(
        "first",
        "the first to leave wins, or all play on for ranks, or for points of the cards left",
        choices=("first", "ranks", "points"),
    )
    laps: int = rule(100, "rounds of the table after which the game is a draw", low=1, high=1000)

    @property
    def pack(self) -> Pack:
        """The numbering of the cards under these rules."""
        return ACE_HIGH if self.ace_high else ACE_LOW

    @property
    def opening(self) -> int | None:
        """The card that must be played first, or None if any seven will do."""
        return None if self.start == "any" else self.pack.card(SUIT_LETTERS.index(self.start[1]), SEVEN)


OPTIONS = options_of(SevensRules)
"""All options, in the order of the fields of ``SevensRules`` and of the kernel's rules."""


Decision = Literal["play", "send", "over"]

UNSEEN = -1
"""The value that indicates that there is no card, or that the card is hidden."""


@dataclass(frozen=True, slots=True)
class Event:
    """An event: ``actor`` played a card, sent one to ``receiver``, or passed.

    ``card`` is −1 for a pass or a hidden card. ``receiver`` is −1 unless a card was sent.
    """

    kind: Literal["play", "send", "pass"]
    actor: int
    card: int = UNSEEN
    receiver: int = NOBODY

    def seen_by(self, player: int) -> "Event":
        """The event from a player's point of view; a card sent between two other players is hidden."""
        if self.kind == "send" and player not in (self.actor, self.receiver):
            return replace(self, card=UNSEEN)
        return self


@dataclass(frozen=True, slots=True)
class Observation:
    """A player's current view: the public state and the player's hand, without earlier observations.

    Attributes:
        player: the seat of the observer.
        hand: the observer's cards, in ascending order.
        sizes: the number of cards in each hand, by seat; 0 for a player who has left.
        legal: the cards that the observer may choose now, in ascending order; empty if another player chooses.
        events: the last action and the passes after it, from the observer's point of view.

    The other attributes are the same as in ``SevensState``.
    """

    rules: SevensRules
    player: int
    hand: tuple[int, ...]
    sizes: tuple[int, ...]
    tableau: Tableau
    turn: int
    decision: Decision
    current_player: int
    receiver: int
    finished: tuple[int, ...]
    actions: int
    legal: tuple[int, ...]
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class SevensState:
    """A state of the game, in which a player chooses a card or the game is over.

    Attributes:
        rules: the options of this game.
        hands: the cards of each seat, in ascending order.
        tableau: the runs on the table.
        turn: 0 for the opening; it increases by one when the next player's turn begins.
        decision: ``play`` or ``send``, the use of the card to be chosen, or ``over`` at the end.
        current_player: the seat that chooses a card, or −1 at the end.
        receiver: the seat that receives the card; −1 unless a card is being sent.
        senders: the seats that still have to send a card in this turn, the current player first.
        finished: the seats that have left the game, in order; with ``end=ranks``, the last seat is added at the end.
        actions: the number of events so far: cards played, cards sent, and passes.
        events: the last action, and the passes that followed it.
        dealt: the hands at the beginning of the game; empty if the position was set up manually or dealt again.
            Comparisons of states ignore ``dealt`` and ``chosen``: only the position counts.
        chosen: the cards that have been chosen since the deal.
    """

    rules: SevensRules
    hands: tuple[tuple[int, ...], ...]
    tableau: Tableau
    turn: int
    decision: Decision
    current_player: int
    receiver: int = NOBODY
    senders: tuple[int, ...] = ()
    finished: tuple[int, ...] = ()
    actions: int = 0
    events: tuple[Event, ...] = ()
    dealt: tuple[tuple[int, ...], ...] = field(default=(), compare=False, repr=False)
    chosen: tuple[int, ...] = field(default=(), compare=False, repr=False)

    @property
    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.decision == "over"

    @property
    def is_stalled(self) -> bool:
        """Whether the game ended in a draw at the lap limit."""
        return self.turn >= self.rules.laps * self.rules.players

    def random_numbers(self, key: int, card: int) -> Callable[[], float]:
        """A source of values of ``math.random()`` for a card.

        Call k returns the value for the k-th ``math.random()`` in the formula.

        ``key`` is the key of the deal, 0 … 2^26 − 1. All values are in [0, 1).
        """
        places = count()
        return lambda: keyed_uniform_readable(key, self.actions, (next(places) << CARD_BITS) + card)

    def can_play(self, card: int) -> bool:
        """Whether a card in a hand can be played now."""
        suit, rank = suit_of(card), self.rules.pack.rank(card)
        return self.tableau.accepts(suit, rank, gates=self.rules.gates)

    def legal_actions(self) -> tuple[int, ...]:
        """The cards that the current player may choose, in ascending order; never empty before the end of the game."""
        if self.decision == "over":
            return ()
        hand = self.hands[self.current_player]
        if self.decision == "send":
            unplayable = tuple(card for card in hand if not self.can_play(card))
            return unplayable if unplayable and self.rules.send_unplayable_first else hand
        if self.tableau.opened == 0 and self.rules.opening is not None:
            return (self.rules.opening,)
        return tuple(card for card in hand if self.can_play(card))

    def apply(self, card: int) -> "SevensState":
        """The state after the current player has chosen a card.

        Raises:
            ValueError: the card is not among the legal actions.
        """
        check_legal(card, self)
        state = replace(self, events=(), chosen=(*self.chosen, card) if self.dealt else ())
        return _sent(state, card) if self.decision == "send" else _played(state, card)

    def returns(self) -> tuple[float, ...]:
        """The score of each player, by seat, which is 0 before the end of the game.

        A draw scores 0, except that players whose ranks are already decided keep their scores.

        ``end=first``: 1 for the winner, 0 for the others. ``ranks``: 1 for the first player to leave, 0 for the last,
        and evenly spaced values in between. ``points``: the winner gets a point for every card that the others still
        hold, and each of the others loses a point for every card in hand.
        """
        players = self.rules.players
        scores = [0.0] * players
        if self.decision != "over":
            return tuple(scores)
        if self.rules.end == "ranks":
            for place, player in enumerate(self.finished, start=1):
                scores[player] = (players - place) / (players - 1)
        elif self.finished and self.rules.end == "points":
            scores = [-float(len(hand)) for hand in self.hands]
            scores[self.finished[0]] = -sum(scores)
        elif self.finished:
            scores[self.finished[0]] = 1.0
        return tuple(scores)

    def observation(self, player: int) -> Observation:
        """The state from one player's point of view."""
        return Observation(
            rules=self.rules,
            player=player,
            hand=self.hands[player],
            sizes=tuple(len(hand) for hand in self.hands),
            tableau=self.tableau,
            turn=self.turn,
            decision=self.decision,
            current_player=self.current_player,
            receiver=self.receiver,
            finished=self.finished,
            actions=self.actions,
            legal=self.legal_actions() if player == self.current_player else (),
            events=tuple(event.seen_by(player) for event in self.events),
        )

    def resample(self, rng: np.random.Generator, player: int) -> "SevensState":
        """The state after the other players' cards are dealt again at random; the hands keep their sizes."""
        others = [seat for seat in range(len(self.hands)) if seat != player]
        unseen = rng.permutation(sorted(card for seat in others for card in self.hands[seat])).tolist()
        hands = list(self.hands)
        for seat in others:
            hands[seat] = tuple(sorted(unseen.pop() for _ in self.hands[seat]))
        return replace(self, hands=tuple(hands), dealt=(), chosen=())


def deal(deck: Sequence[int], rules: SevensRules) -> SevensState:
    """The first state: seat s gets every ``players``-th card, starting with card s, and the opener plays first.

    ``deck`` is a permutation of 0 … 51. The opener is the player with the opening seven or, if any seven may open, the
    first seat with a seven.
    """
    assert sorted(deck) == list(range(CARDS)), "a deck is a permutation of 0 ... 51"
    return begin(tuple(tuple(sorted(deck[seat :: rules.players])) for seat in range(rules.players)), rules)


def begin(hands: tuple[tuple[int, ...], ...], rules: SevensRules) -> SevensState:
    """The first state of a game with these hands by seat, which are sorted and together contain all cards."""
    pack = rules.pack
    openings = [c for c in range(CARDS) if pack.rank(c) == SEVEN and rules.opening in (None, c)]
    opener = next(seat for seat, hand in enumerate(hands) if any(card in hand for card in openings))
    return SevensState(rules, hands, Tableau(), turn=0, decision="play", current_player=opener, dealt=hands)


# Consequences of a chosen card.


def _played(state: SevensState, card: int) -> SevensState:
    """The state after the current player lays a card: the game ends, the player continues, or the next turn begins."""
    player, rules = state.current_player, state.rules
    rank = rules.pack.rank(card)
    state = replace(
        _recorded(state, Event("play", player, card)),
        hands=_without(state.hands, player, card),
        tableau=state.tableau.with_card(suit_of(card), rank),
    )
    state = _left_if_empty(state, player)
    if state.decision == "over":
        return state
    if rank in (rules.pack.lowest, rules.pack.highest) and player not in state.finished:
        if rules.extra_turn == "may" and _can_move(state, player):
            return _to_play(state, player)
        if rules.extra_turn == "must":
            return _turn_of(state, player)
    return _next_turn(state, player)


def _sent(state: SevensState, card: int) -> SevensState:
    """The state after the current player sends a card: another sender follows, the receiver plays, or the turn ends."""
    sender, receiver = state.current_player, state.receiver
    hands = list(_without(state.hands, sender, card))
    hands[receiver] = tuple(sorted((*hands[receiver], card)))
    state = _recorded(state, Event("send", sender, card, receiver))
    state = _left_if_empty(replace(state, hands=tuple(hands)), sender)
    if state.decision == "over":
        return state
    senders = state.senders[1:]
    if senders:
        return replace(state, senders=senders, current_player=senders[0])
    if state.rules.play_received and _can_move(state, receiver):
        return _to_play(state, receiver)
    return _next_turn(state, receiver)


def _turn_of(state: SevensState, player: int) -> SevensState:
    """Begin a player's turn: the player plays if possible, or else receives a card, or else passes to the next turn.

    It never happens that all players pass in a row, because somebody always holds a seven or a card that extends a run.
    """
    if _can_move(state, player):
        return _to_play(state, player)
    senders = _senders_to(state, player)
    if senders:
        return replace(state, decision="send", current_player=senders[0], receiver=player, senders=senders)
    return _next_turn(_recorded(state, Event("pass", player)), player)


def _next_turn(state: SevensState, player: int) -> SevensState:
    """End a player's turn: the next player who is still in the game takes a turn, or the game ends at the lap limit."""
    state = replace(state, turn=state.turn + 1)
    if state.is_stalled:
        return _over(state)
    return _turn_of(state, _others_in(state, player, step=+1)[0])


def _to_play(state: SevensState, player: int) -> SevensState:
    """The state in which a player chooses a card to play."""
    return replace(state, decision="play", current_player=player, receiver=NOBODY, senders=())


def _over(state: SevensState) -> SevensState:
    """The state at the end of the game."""
    return replace(state, decision="over", current_player=NOBODY, receiver=NOBODY, senders=())


def _left_if_empty(state: SevensState, player: int) -> SevensState:
    """Let a player without cards leave, which ends the game; with ``end=ranks``, only if a single player is left."""
    if state.hands[player]:
        return state
    state = replace(state, finished=(*state.finished, player))
    if state.rules.end != "ranks":
        return _over(state)
    others = _others_in(state, player, step=+1)
    return _over(replace(state, finished=(*state.finished, *others))) if len(others) == 1 else state


# Questions about a state.


def _senders_to(state: SevensState, player: int) -> tuple[int, ...]:
    """The seats that, in order, send a card to a player who cannot play; empty if the player must pass."""
    rules = state.rules
    if rules.sender == "none" or (not rules.send_first_lap and state.turn < rules.players):
        return ()
    step = +1 if rules.sender == "next" else -1
    enough = 1 if rules.send_last else 2
    able = [other for other in _others_in(state, player, step) if len(state.hands[other]) >= enough]
    return tuple(able) if rules.sender == "all" else tuple(able[:1])


def _others_in(state: SevensState, player: int, step: int) -> list[int]:
    """The other players still in the game, in order of seats after this one: upward (step 1) or downward (step −1)."""
    seats = [(player + step * k) % state.rules.players for k in range(1, state.rules.players)]
    return [seat for seat in seats if seat not in state.finished]


def _can_move(state: SevensState, player: int) -> bool:
    """Whether a player holds a card that can be played."""
    return any(state.can_play(card) for card in state.hands[player])


def _without(hands: tuple[tuple[int, ...], ...], player: int, card: int) -> tuple[tuple[int, ...], ...]:
    """The hands after a player gives away a card."""
    return (*hands[:player], tuple(c for c in hands[player] if c != card), *hands[player + 1 :])


def _recorded(state: SevensState, event: Event) -> SevensState:
    """The state after recording one more event."""
    return replace(state, actions=state.actions + 1, events=(*state.events, event))
