"""How numbers become choices, and that nothing hidden takes part in them."""

import math
from collections.abc import Callable
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st
from sevens_strategies import random_numbers

from gpkit.core.rng import stream
from gpkit.games.sevens.rules import SevensRules, SevensState, deal
from gpkit.vm.kernel.keyed import keyed_uniform
from gpkit.vm.keyed import keyed_word_readable
from gpkit_experiments.readable.sevens import choose, play, play_out

Make = Callable[..., SevensState]

HAND = ["4h 9h 7d 2c", "Kh 7s", "Qh 3h"]
"""Playable on hearts 5-8: 4h (card 3), 9h (8), 7d (19)."""


def test_the_highest_utility_is_chosen(position: Make) -> None:
    state = position(HAND, "5-8 . . .")
    assert state.legal_actions() == (3, 8, 19)
    assert choose(state, lambda env, card: float(card)) == 19
    assert choose(state, lambda env, card: -env["env.rank"]) == 3
    assert choose(state, lambda env, card: 1.0 if card == 8 else 0.0) == 8


def test_the_first_of_equals_is_chosen(position: Make) -> None:
    state = position(HAND, "5-8 . . .")
    assert choose(state, lambda env, card: 1.0) == 3
    assert choose(state, lambda env, card: 0.0 if card == 3 else 1.0) == 8
    assert choose(state, lambda env, card: 0.0 if card != 19 else -0.0) == 3
    assert choose(state, lambda env, card: -math.inf) == 3


def test_nan_loses_to_everything(position: Make) -> None:
    state = position(HAND, "5-8 . . .")
    utilities = {3: math.nan, 8: -math.inf, 19: math.nan}
    assert choose(state, lambda env, card: utilities[card]) == 8
    assert choose(state, lambda env, card: math.nan) == 3
    assert choose(state, lambda env, card: math.nan if card == 19 else float(card)) == 8


def test_random_numbers_are_keyed_by_deal_moment_card_and_place() -> None:
    source = random_numbers(12345, 17, 40)
    values = [source() for _ in range(3)]
    assert values == [keyed_word_readable(12345, 17, k * 64 + 40) / 2**52 for k in range(3)]
    assert values == [keyed_uniform(12345, 17, k * 64 + 40) for k in range(3)]
    assert all(0.0 <= value < 1.0 for value in values)
    others = [random_numbers(*key)() for key in ((12346, 17, 40), (12345, 18, 40), (12345, 17, 41))]
    assert len({values[0], *others}) == 4


def test_a_single_legal_card_is_played_unasked() -> None:
    asked: list[SevensState] = []

    def first(state: SevensState) -> int:
        asked.append(state)
        return state.legal_actions()[0]

    states = list(play(deal(range(52), SevensRules()), first))
    assert asked
    assert all(len(state.legal_actions()) > 1 for state in asked)
    assert states[-1] == play_out(deal(range(52), SevensRules()), first)


@settings(max_examples=100, deadline=None)
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_permuted_hidden_cards_never_change_a_choice(
    any_position: st.SearchStrategy[SevensState], data: st.DataObject, seed: int
) -> None:
    """A utility that mixes every sensor with its own weight, and a random number, chooses the same card."""
    state = data.draw(any_position)
    weights = stream(seed, "weights").normal(size=32).tolist()
    others = [seat for seat in range(state.rules.players) if seat != state.current_player]
    unseen = [card for seat in others for card in state.hands[seat]]
    order = iter(stream(seed, "unseen").permutation(len(unseen)).tolist())
    hands = list(state.hands)
    for seat in others:
        hands[seat] = tuple(sorted(unseen[next(order)] for _ in state.hands[seat]))
    other_world = replace(state, hands=tuple(hands))

    def utility(env: dict[str, float], card: int) -> float:
        mixed = sum(weight * value for weight, value in zip(weights, env.values(), strict=False))
        return mixed + random_numbers(seed % 2**26, state.actions, card)()

    assert choose(other_world, utility) == choose(state, utility)
