"""Choices by numbers in Sevens, and a search in worlds that explain what a player has seen; the kernels are alike.

A *utility* is what a program computes for one candidate: a function of its sensors and the card; the card of the
highest is chosen.

Much of a game is public. Who could not play had none of the cards that fitted, whoever plays a card has had it, and of
the cards that were sent, sender and receiver know which. A *world* is a deal, with the cards that others sent each
other unseen. It explains what a player has seen if the game, played with the cards that were chosen, takes the same
course in it: the same players choose at the same moments, and what they chose was legal.

Worlds are sampled by a Markov chain over deals (Metropolis et al., "Equation of State Calculations by Fast Computing
Machines", 1953), which exchanges pairs of cards. Its worlds are uniform among those that explain what was seen; or,
with a ``doubt`` of less than 100 percent, in proportion to how plausible the others' choices would be in them: a player
is taken to choose at random with the probability ``doubt``, else as ``policy`` does.

The search plays every candidate out in sampled worlds and chooses the best mean (perfect information Monte Carlo:
Ginsberg, "GIB: Imperfect Information in a Computationally Challenging Game", 2001), here with a program that plays all
seats in them, and with worlds that explain what has been seen. The opponents ``pimc:WORLDS``, ``pimc-certain`` and
``pimc-blind`` are the same, compiled.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, repeat
from typing import Any

from gpkit.gamekit.state import best_place, played
from gpkit.games.sevens.cards import CARDS
from gpkit.games.sevens.forms.view import sensors
from gpkit.games.sevens.kernel import rules as at
from gpkit.games.sevens.rules import Observation, SevensState, begin
from gpkit.games.sevens.sensors import SENSORS
from gpkit.playing.decisions import follow
from gpkit.vm.keyed import HALF, keyed_uniform_readable, keyed_word_readable

Utility = Callable[[dict[str, float], int], float]
"""The utility of a candidate, given the values of its sensors and the card; NaN is worse than anything."""

Chooser = Callable[[SevensState], int]
"""Chooses one of several legal actions of a state."""


def choose(state: SevensState, utility: Utility) -> int:
    """The legal card of the highest utility; the first of equals, and the first card if every utility is NaN.

    The utility is told only what the current player knows.
    """
    seen = state.observation(state.current_player)
    return seen.legal[best_place([utility(Sensed(seen, card), card) for card in seen.legal])]


class Sensed(dict[str, float]):
    """The values of the sensors of a card that were asked for, by name."""

    def __init__(self, seen: Observation, card: int) -> None:
        self.of = (seen, card)

    def __missing__(self, name: str) -> float:
        self[name] = value = float(_FUNCTIONS[name].sense(*self.of))
        return value


_FUNCTIONS = {each.sensor.name: each for each in SENSORS}


def play(state: SevensState, choose: Chooser) -> Iterator[SevensState]:
    """The states that follow, to the end of the game: one after each action. A single legal card is forced."""

    def card(state: SevensState) -> int:
        legal = state.legal_actions()
        return legal[0] if len(legal) == 1 else choose(state)

    yield from (after for _, _, after in played(state, card))


def play_out(state: SevensState, choose: Chooser) -> SevensState:
    """The final state of the game."""
    *_, last = (state, *play(state, choose))
    return last


@dataclass(frozen=True, slots=True)
class World:
    """A deal, by seat, and the cards that others sent each other unseen, in order."""

    hands: tuple[frozenset[int], ...]
    sent: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Memory:
    """Record of a game as one player has seen it.

    Attributes:
        viewer: whose.
        moments: the states in which a card was chosen, and the one now; only what is public of them is looked at.
        cards: the cards chosen in all moments but the last; of those sent unseen nothing is looked at.
        unplaced: the cards in the hands of others that the viewer cannot place, ascending.
    """

    viewer: int
    moments: tuple[SevensState, ...]
    cards: tuple[int, ...]
    unplaced: tuple[int, ...]

    def is_hidden(self, number: int) -> bool:
        """Whether the card chosen in a moment was sent between two others."""
        moment = self.moments[number]
        return moment.decision == "send" and self.viewer not in (moment.current_player, moment.receiver)

    @property
    def sends(self) -> int:
        """The number of cards that were sent unseen."""
        return sum(self.is_hidden(number) for number in range(len(self.cards)))


def remember(state: SevensState, *, course: bool = True) -> Memory:
    """Record of who is to choose in a state; without its course, as if the player had only now come to the table."""
    moments = [state]
    if course and state.chosen:
        moments = [begin(state.dealt, state.rules)]
        for card in state.chosen:
            moments.append(moments[-1].apply(card))
    viewer, cards = state.current_player, state.chosen if course else ()
    bare = Memory(viewer, tuple(moments), cards, ())
    unseen = (card for seat, hand in enumerate(state.hands) if seat != viewer for card in hand)
    return replace(bare, unplaced=tuple(sorted(card for card in unseen if not _is_placed(bare, card))))


def _is_placed(memory: Memory, card: int) -> bool:
    """Whether the viewer has sent this card to a player who has sent none unseen since."""
    for number, moment in enumerate(memory.moments[:-1]):
        if (
            moment.decision == "send"
            and moment.current_player == memory.viewer
            and memory.cards[number] == card
            and not any(
                memory.is_hidden(later) and memory.moments[later].current_player == moment.receiver
                for later in range(number + 1, len(memory.cards))
            )
        ):
            return True
    return False


def deal_anew(state: SevensState, unplaced: Sequence[int], key: int, number: int) -> SevensState:
    """The state with the cards that are not placed dealt anew, uniformly, to those who hold such.

    The seats take their cards in order, each card drawn from those that are left; key and number give the random
    numbers.
    """
    left = list(unplaced)
    hands = []
    for hand in state.hands:
        drawn = []
        for card in hand:
            if card in unplaced:
                word = keyed_word_readable(key, number, at.FIRST_WORLD + 2 + len(left))
                drawn.append(left.pop((word >> 20) * len(left) >> 32))
        hands.append(tuple(sorted([*drawn, *(card for card in hand if card not in unplaced)])))
    return replace(state, hands=tuple(hands))


def first_world(memory: Memory, key: int) -> World:
    """A world to begin with: the cards that are not placed dealt at random, and the course taken back.

    Its hands have the right sizes, but it need not explain everything.
    """
    hands = [set(hand) for hand in deal_anew(memory.moments[-1], memory.unplaced, key, 0).hands]
    sent: list[int] = []
    for number in reversed(range(len(memory.cards))):
        moment, card = memory.moments[number], memory.cards[number]
        if moment.decision == "send":
            receiver = hands[moment.receiver]
            if memory.is_hidden(number):
                among = sorted(receiver.intersection(memory.unplaced) or receiver)
                word = keyed_word_readable(key, number, at.FIRST_WORLD)
                card = among[(word >> 20) * len(among) >> 32]
                sent.insert(0, card)
            if card not in receiver:
                holder = next(hand for hand in hands if card in hand)
                other = min(receiver)
                holder.symmetric_difference_update((card, other))
                receiver.symmetric_difference_update((card, other))
            receiver.remove(card)
        hands[moment.current_player].add(card)
    return World(tuple(map(frozenset, hands)), tuple(sent))


@dataclass(frozen=True, slots=True)
class Replay:
    """Replay of the course in a world: the moments that agree, how plausible the others' choices were, the last state.

    The plausibility is 0 where not all moments agree, or where it fell below what was asked for.
    """

    reached: int
    plausibility: float
    state: SevensState


def replay(memory: Memory, world: World, policy: Chooser, doubt: int, floor: float) -> Replay:
    """Play the course in a world; a ``floor`` below 0 asks for no plausibility.

    ``doubt`` is in percent.
    """
    state = begin(tuple(tuple(sorted(hand)) for hand in world.hands), memory.moments[0].rules)
    plausibility, sent = 1.0, iter(world.sent)
    for number, moment in enumerate(memory.moments):
        if _public(state) != _public(moment):
            return Replay(number, 0.0, state)
        if number == len(memory.cards):
            break
        card = next(sent) if memory.is_hidden(number) else memory.cards[number]
        legal = state.legal_actions()
        if card not in legal:
            return Replay(number, 0.0, state)
        if floor >= 0.0 and doubt < at.CERTAIN and state.current_player != memory.viewer and len(legal) > 1:
            share = doubt / 100.0
            plausibility *= share / len(legal) + (1.0 - share if policy(state) == card else 0.0)
            if plausibility < floor:
                return Replay(number, 0.0, state)
        state = state.apply(card)
    return Replay(len(memory.moments), plausibility, state)


def _public(state: SevensState) -> tuple[object, ...]:
    """All that tells moments of one course apart: the rest follows from what was chosen."""
    return state.decision, state.current_player, state.receiver, state.turn, state.actions


def exchange(memory: Memory, world: World, swap: tuple[int, int, int, int]) -> World:
    """The world where two cards change places from one unseen send to another, 0 being the deal.

    ``swap`` is (card, card, first, last). The viewer's cards of the deal stay; doing it again takes it back.
    """
    a, b, first, last = swap
    if a == b or (first == 0 and world.hands[memory.viewer].intersection((a, b))):
        return world
    other = {a: b, b: a}
    hands = world.hands
    if first == 0:
        hands = tuple(frozenset(other.get(card, card) for card in hand) for hand in hands)
    among = range(max(first - 1, 0), last)
    sent = tuple(other.get(card, card) if number in among else card for number, card in enumerate(world.sent))
    return World(hands, sent)


def proposal(memory: Memory, world: World, key: int, step: int) -> World:
    """A step of the chain: the world after one or more exchanges, drawn without regard to it."""
    hand = memory.moments[-1].hands[memory.viewer]
    everything = [card for card in range(CARDS) if card not in hand]
    sends = memory.sends
    for count in range(at.MOST_SWAPS):
        cards = keyed_word_readable(key, step, 1 + 2 * count)
        how = keyed_word_readable(key, step, 2 + 2 * count)
        first_of = everything if sends and how & 3 == 0 else memory.unplaced
        second_of = everything if sends and how >> 2 & 3 == 0 else memory.unplaced
        first, last = 0, sends
        if how >> 4 & 1:
            first = (how >> 16 & 0xFFFF) * (sends + 1) >> 16
            last = first + ((how >> 32 & 0xFFFF) * (sends + 1 - first) >> 16)
        a = first_of[(cards >> 26) * len(first_of) >> 26]
        b = second_of[(cards % HALF) * len(second_of) >> 26]
        world = exchange(memory, world, (a, b, first, last))
        if how >> 5 & 3:
            break
    return world


def sample(memory: Memory, policy: Chooser, doubt: int, key: int) -> Iterator[SevensState]:
    """States as they may be now, one for each world that the chain comes to; none if it finds no world.

    Until a world explains everything that was seen, a step is taken if it explains no less; from then on by the rule of
    Metropolis et al. The worlds are some steps apart.
    """
    world = first_world(memory, key)
    reached, plausibility, step, goal = 0, 0.0, 0, at.SEEKING
    now = memory.moments[-1]
    while step < goal:
        is_found = reached == len(memory.moments)
        floor = keyed_uniform_readable(key, step, 0) * plausibility if is_found else -1.0
        proposed = proposal(memory, world, key, step)
        step += 1
        if proposed != world:
            found = replay(memory, proposed, policy, doubt, floor)
            if found.reached >= reached:
                world, reached, now = proposed, found.reached, found.state
                if is_found:
                    plausibility = found.plausibility
                elif reached == len(memory.moments):
                    goal = step + at.WARMING
        if step == goal and reached == len(memory.moments):
            yield now
            goal = step + at.THINNING


Policy = Callable[[int], Chooser]
"""A program as who chooses, for a key of random numbers."""


def total_scores(
    state: SevensState, *, worlds: int, deal_key: int, policy: Policy, doubt: int
) -> dict[int, float]:
    """For every legal card, ascending, the sum of the current player's scores over the sampled worlds.

    All candidates meet the same worlds, and ``policy`` plays them out for everybody, in each world with random numbers
    of its own. ``doubt`` is the percentage of the others' choices that are taken for random; ``CERTAIN`` infers only
    what must be, ``BLIND`` not even that.
    """
    legal = state.legal_actions()
    totals = dict.fromkeys(legal, 0.0)
    key = keyed_word_readable(deal_key, state.actions, at.SEARCH_KEY) >> 26
    for number, world in zip(range(worlds), sampled(state, key, policy, doubt), strict=False):
        chooser = policy(keyed_word_readable(key, number, at.PLAYOUT_KEY) >> 26)
        for card in legal:
            totals[card] += play_out(world.apply(card), chooser).returns()[state.current_player]
    return totals


def sampled(state: SevensState, key: int, policy: Policy, doubt: int) -> Iterator[SevensState]:
    """Endless worlds: of the chain where it finds any, else with the cards that are not placed dealt anew."""
    memory = remember(state, course=doubt != at.BLIND)
    dealt = (deal_anew(state, memory.unplaced, key, number) for number, _ in enumerate(repeat(None)))
    if doubt == at.BLIND or not memory.unplaced or not state.dealt:
        return dealt
    likely = policy(keyed_word_readable(key, 0, at.POLICY_KEY) >> 26)
    return chain(sample(memory, likely, doubt, key), dealt)


def program_chooser(program: Any, deal_key: int) -> Chooser:
    """Chooses, for whoever is to choose, as a program does."""
    return lambda state: follow(state, program, partial(sensors, state), deal_key)[0]
