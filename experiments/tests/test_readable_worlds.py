"""Worlds that explain what was seen: all of them, none else, and each as often as the others."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, islice

import numpy as np
import pytest

from gpkit.gamekit.players import by_program
from gpkit.games.sevens.game import GAME
from gpkit.games.sevens.kernel.rules import CERTAIN
from gpkit.games.sevens.rules import SevensRules, SevensState, deal
from gpkit.playing.players import player_of_name
from gpkit_experiments.readable.sevens import Memory, World, play, program_chooser, remember, replay, sample

RULES = SevensRules()
SIMPLE = by_program(player_of_name("simple", GAME)).program

LIKELY = program_chooser(SIMPLE, 0)


def states(seed: int, rules: SevensRules = RULES) -> list[SevensState]:
    """The states of a game of ``simple`` in which somebody has a choice."""
    deals = GAME.deal(np.random.default_rng(seed), 1, rules)
    choose = program_chooser(SIMPLE, int(deals.keys[0]))
    first = deal(deals.decks[0].tolist(), rules)
    return [state for state in (first, *play(first, choose)) if len(state.legal_actions()) > 1]


def explanations(memory: Memory) -> set[World]:
    """All worlds that explain what was seen, by trying every deal of the unplaced cards, and every card sent unseen."""
    now = memory.moments[-1]
    held = [frozenset(hand) - frozenset(memory.unplaced) for hand in now.hands]
    free = [len(hand) - len(placed) for hand, placed in zip(now.hands, held, strict=True)]
    return {
        world
        for parts in divisions(frozenset(memory.unplaced), free)
        for world in undone(memory, len(memory.cards), tuple(map(frozenset.union, held, parts)), ())
        if explains(memory, world)
    }


def divisions(cards: frozenset[int], sizes: list[int]) -> Iterator[list[frozenset[int]]]:
    """All ways to give each hand so many of the cards."""
    if not sizes:
        yield []
        return
    for part in map(frozenset, combinations(sorted(cards), sizes[0])):
        for rest in divisions(cards - part, sizes[1:]):
            yield [part, *rest]


def undone(
    memory: Memory, number: int, hands: tuple[frozenset[int], ...], sent: tuple[int, ...]
) -> Iterator[World]:
    """All worlds in which a course of so many cards can end with these hands, as far as who holds what goes."""
    if number == 0:
        yield World(hands, sent)
        return
    moment, chosen = memory.moments[number - 1], memory.cards[number - 1]
    hidden = memory.is_hidden(number - 1)
    for card in hands[moment.receiver] if hidden else (chosen,):
        before = list(hands)
        if moment.decision == "send":
            if card not in before[moment.receiver]:
                continue
            before[moment.receiver] -= {card}
        before[moment.current_player] |= {card}
        yield from undone(memory, number - 1, tuple(before), (card, *sent) if hidden else sent)


def explains(memory: Memory, world: World) -> bool:
    """Whether the game takes the same course in a world."""
    return replay(memory, world, LIKELY, CERTAIN, -1.0).reached == len(memory.moments)


def check_frequencies(seed: int, actions: int, doubt: int, count: int, near: float) -> None:
    """The chain comes to the distributions of the cards that there are, each as often as its worlds weigh."""
    (state,) = (state for state in states(seed) if state.actions == actions)
    memory = remember(state)
    worlds = explanations(memory)
    weights: Counter[tuple[tuple[int, ...], ...]] = Counter()
    for world in worlds:
        end = replay(memory, world, LIKELY, doubt, 0.0)
        weights[end.state.hands] += end.plausibility
    drawn = Counter(s.hands for s in islice(sample(memory, LIKELY, doubt, key=1), count))
    assert set(drawn) <= set(weights)
    total = sum(weights.values())
    assert sum(abs(weights[hands] / total - drawn[hands] / count) for hands in weights) / 2 < near


@pytest.mark.parametrize("actions", [37, 40])
def test_each_world_is_sampled_as_often_as_any_other(actions: int) -> None:
    """25 worlds with one card sent unseen, 36 with two; half the sum of the differences of frequencies."""
    check_frequencies(10, actions, CERTAIN, count=80, near=0.3)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "actions", "doubt"), [(10, 37, CERTAIN), (10, 40, CERTAIN), (13, 39, CERTAIN), (10, 40, 50)]
)
def test_each_world_is_sampled_as_often_as_it_weighs(seed: int, actions: int, doubt: int) -> None:
    check_frequencies(seed, actions, doubt, count=3_000, near=0.08)
