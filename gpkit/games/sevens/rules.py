"""Sevens, to be read: a game is a chain of immutable states, and every rule is a few lines here.

All 52 cards are dealt. The holder of the seven of hearts lays it on the table; from then on each player in turn must
lay one card: a seven, or the card next to either end of a suit's run (6 after 7, 5 after 6, …; 8 after 7, …). A player
who cannot is *sent* a card by the previous player, who chooses which. Whoever is rid of all cards first wins.

The usual loop is::

    state = deal(deck, rules)
    while not state.is_terminal:
        state = state.apply(chosen_card)   # one of state.legal_actions()

An action is always a card: to play (decision ``play``) or to send (decision ``send``). Players who can neither play nor
be sent a card pass, which takes no decision and happens within ``apply``.

Source: P. Hansson, "Light Introduction to Genetic Programming", GameDev.net, 2013, names the game and its two
decisions; ``options`` lists what was reconstructed and what can be chosen.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Literal

import numpy as np

from gpkit.gamekit.state import NOBODY, check_legal
from gpkit.games.sevens.cards import CARDS, SEVEN, Tableau, suit_of
from gpkit.games.sevens.kernel.layout import CARD_BITS
from gpkit.games.sevens.options import Rules
from gpkit.vm.keyed import keyed_uniform_readable

Decision = Literal["play", "send", "over"]

UNSEEN = -1
"""Instead of a card: there is none, or it is not known."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened: a card was played, or sent to ``receiver``, or ``actor`` passed.

    ``card`` is −1 for a pass and for a card that the reader of the event did not see; ``receiver`` is −1 unless a
    card was sent.
    """

    kind: Literal["play", "send", "pass"]
    actor: int
    card: int = UNSEEN
    receiver: int = NOBODY

    def seen_by(self, player: int) -> "Event":
        """Event as seen by a player: a card that two others passed between them stays hidden."""
        if self.kind == "send" and player not in (self.actor, self.receiver):
            return replace(self, card=UNSEEN)
        return self


@dataclass(frozen=True, slots=True)
class Observation:
    """All that one player knows now: what is public, and the own hand. What was seen earlier is not remembered.

    Attributes:
        player: who observes.
        hand: the own cards, ascending.
        sizes: the number of cards of every player, by seat; 0 for one who has left.
        legal: the cards this player may choose now, ascending; empty for who is not to choose.
        events: what the last action brought about, as this player saw it.

    The other attributes are those of ``State``.
    """

    rules: Rules
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
class State:
    """A moment of the game at which somebody chooses a card, or its end.

    Attributes:
        rules: the options of this game.
        hands: for every seat its cards, ascending.
        tableau: the runs on the table.
        turn: 0 for the opening; one more whenever play passes to the next player.
        decision: ``play`` or ``send``, what the chosen card is for; ``over`` at the end.
        current_player: who chooses; −1 at the end.
        receiver: who is to be sent a card; −1 unless somebody sends.
        senders: who is still to send a card in this turn, the current player first.
        finished: who has left the game, the first one first; at the end of a game for ranks, everybody.
        actions: the number of events so far: cards played, cards sent and passes.
        events: what the last action brought about: itself, then the passes it led to.
        dealt: the hands at the beginning of the game, for who remembers it; empty in a position set up by hand, or
            dealt anew. Like ``chosen`` it is not part of the position: positions with other pasts are equal.
        chosen: the cards chosen since.
    """

    rules: Rules
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
        """Whether the game ended undecided, at the cap on laps."""
        return self.turn >= self.rules.laps * self.rules.players

    def random_numbers(self, key: int, card: int) -> Callable[[], float]:
        """A source of the values of ``math.random()`` for a candidate: the k-th call is the k-th place in the formula.

        ``key`` is that of the deal, 0 … 2^26 − 1. Values lie in [0, 1).
        """
        places = count()
        return lambda: keyed_uniform_readable(key, self.actions, (next(places) << CARD_BITS) + card)

    def can_play(self, card: int) -> bool:
        """Whether a card in a hand could be laid on the table now."""
        suit, rank = suit_of(card), self.rules.pack.rank(card)
        return self.tableau.accepts(suit, rank, gates=self.rules.gates)

    def legal_actions(self) -> tuple[int, ...]:
        """The cards that the current player may choose, ascending; there is at least one until the game is over."""
        if self.decision == "over":
            return ()
        hand = self.hands[self.current_player]
        if self.decision == "send":
            unplayable = tuple(card for card in hand if not self.can_play(card))
            return unplayable if unplayable and self.rules.send_unplayable_first else hand
        if self.tableau.opened == 0 and self.rules.opening is not None:
            return (self.rules.opening,)
        return tuple(card for card in hand if self.can_play(card))

    def apply(self, card: int) -> "State":
        """The state after the current player chose a card.

        Raises:
            ValueError: the card is not among the legal actions.
        """
        check_legal(card, self)
        state = replace(self, events=(), chosen=(*self.chosen, card) if self.dealt else ())
        return _sent(state, card) if self.decision == "send" else _played(state, card)

    def returns(self) -> tuple[float, ...]:
        """The score of every player, by seat; all 0 before the end and, but for ranks already reached, at a stall.

        ``end=first``: 1 for the winner, 0 for the others. ``ranks``: 1 for the first to leave, 0 for the last, evenly
        spaced between. ``points``: the winner gets the number of cards left in the other hands, the others lose the
        number of their own.
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
        """Observation of this state by a player."""
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

    def resample(self, rng: np.random.Generator, player: int) -> "State":
        """The state with the cards that a player does not see dealt anew to the others; hands keep their sizes."""
        others = [seat for seat in range(len(self.hands)) if seat != player]
        unseen = rng.permutation([card for seat in others for card in self.hands[seat]]).tolist()
        hands = list(self.hands)
        for seat in others:
            hands[seat] = tuple(sorted(unseen.pop() for _ in self.hands[seat]))
        return replace(self, hands=tuple(hands), dealt=(), chosen=())


def deal(deck: Sequence[int], rules: Rules) -> State:
    """The first state: seat s is dealt every ``players``-th card from the s-th on, and the opener is to play.

    ``deck`` is a permutation of 0 … 51. The opener is the holder of the opening seven; where any seven will do, the
    first seat that holds one.
    """
    assert sorted(deck) == list(range(CARDS)), "a deck is a permutation of 0 ... 51"
    hands = tuple(tuple(sorted(deck[seat :: rules.players])) for seat in range(rules.players))
    return begin(hands, rules)


def begin(hands: tuple[tuple[int, ...], ...], rules: Rules) -> State:
    """The first state of a game with these hands, by seat, each ascending; together they are the pack."""
    pack = rules.pack
    openings = [c for c in range(CARDS) if pack.rank(c) == SEVEN and rules.opening in (None, c)]
    opener = next(seat for seat, hand in enumerate(hands) if any(card in hand for card in openings))
    return State(rules, hands, Tableau(), turn=0, decision="play", current_player=opener, dealt=hands)


# What follows a chosen card.


def _played(state: State, card: int) -> State:
    """The current player lays a card; then the game is over, or the same player goes on, or the next one does."""
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
    is_end = rank in (rules.pack.lowest, rules.pack.highest)
    if is_end and player not in state.finished:
        if rules.extra_turn == "may" and _can_move(state, player):
            return _to_play(state, player)
        if rules.extra_turn == "must":
            return _turn_of(state, player)
    return _next_turn(state, player)


def _sent(state: State, card: int) -> State:
    """The current player sends a card to the receiver; then the next sender does, or the receiver's turn is over."""
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


def _turn_of(state: State, player: int) -> State:
    """A player's turn begins: to play if able, else to be sent a card, else to pass, and then the next turn begins.

    Fewer players than there are pass in a row: the card next to a run, or a seven, is always in somebody's hand.
    """
    if _can_move(state, player):
        return _to_play(state, player)
    senders = _senders_to(state, player)
    if senders:
        return replace(state, decision="send", current_player=senders[0], receiver=player, senders=senders)
    return _next_turn(_recorded(state, Event("pass", player)), player)


def _next_turn(state: State, player: int) -> State:
    """The turn of a player is over; it passes to the next one still in the game, unless the laps are used up."""
    state = replace(state, turn=state.turn + 1)
    if state.is_stalled:
        return _over(state)
    return _turn_of(state, _others_in(state, player, step=+1)[0])


def _to_play(state: State, player: int) -> State:
    """A player is to choose a card to play."""
    return replace(state, decision="play", current_player=player, receiver=NOBODY, senders=())


def _over(state: State) -> State:
    """The end."""
    return replace(state, decision="over", current_player=NOBODY, receiver=NOBODY, senders=())


def _left_if_empty(state: State, player: int) -> State:
    """A player without cards has left; that ends the game, or, in one for ranks, does so when one is left over."""
    if state.hands[player]:
        return state
    state = replace(state, finished=(*state.finished, player))
    if state.rules.end != "ranks":
        return _over(state)
    others = _others_in(state, player, step=+1)
    return _over(replace(state, finished=(*state.finished, *others))) if len(others) == 1 else state


# Who and whether.


def _senders_to(state: State, player: int) -> tuple[int, ...]:
    """Senders of a card to a player who cannot play, in this order; none if it comes to a pass."""
    rules = state.rules
    if rules.sender == "none" or (not rules.send_first_lap and state.turn < rules.players):
        return ()
    step = +1 if rules.sender == "next" else -1
    enough = 1 if rules.send_last else 2
    able = [other for other in _others_in(state, player, step) if len(state.hands[other]) >= enough]
    return tuple(able) if rules.sender == "all" else tuple(able[:1])


def _others_in(state: State, player: int, step: int) -> list[int]:
    """The other players still in the game, by seat from the player on: upward (step 1) or downward (step −1)."""
    seats = [(player + step * k) % state.rules.players for k in range(1, state.rules.players)]
    return [seat for seat in seats if seat not in state.finished]


def _can_move(state: State, player: int) -> bool:
    """Whether a player holds a card that can be played."""
    return any(state.can_play(card) for card in state.hands[player])


def _without(hands: tuple[tuple[int, ...], ...], player: int, card: int) -> tuple[tuple[int, ...], ...]:
    """The hands after a player gave a card away."""
    rest = tuple(c for c in hands[player] if c != card)
    return (*hands[:player], rest, *hands[player + 1 :])


def _recorded(state: State, event: Event) -> State:
    """The state with one more event."""
    return replace(state, actions=state.actions + 1, events=(*state.events, event))
