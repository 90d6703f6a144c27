"""The build order: its kernel agrees with the readable rules, tick by tick and order by order."""

import numpy as np
import pytest
from build_order_lists import follow_orders, play_lists
from hypothesis import given, settings
from hypothesis import strategies as st

from gpkit.core.rng import below, stream
from gpkit.gamekit.players import Player
from gpkit.games.build_order.game import GAME, attack_of, base_for
from gpkit.games.build_order.kernel import layout as at
from gpkit.games.build_order.kernel.things import ACTIONS, WAIT
from gpkit.games.build_order.primitives import SENSORS
from gpkit.games.build_order.rules import GOING, LATE, OVERRUN, REACHED, STUCK, BuildOrderState
from gpkit.games.build_order.sensors import sense
from gpkit.playing.decisions import choose
from gpkit.playing.players import player_of_text

OUTCOMES = (GOING, REACHED, LATE, OVERRUN, STUCK)

RULES = (
    {},
    {"horizon": "900", "goal": "drone=60,hatchery=3"},
    {"goal": "queen=3,zerglings=12", "attack": "200:5", "minerals": "400"},
    {"attack": "random", "goal": "drone=40", "minerals": "900", "pool_ticks": "9", "queen_every": "5"},
    {"goal": "hatchery=4", "minerals": "1000", "larva_every": "3", "larvae_most": "1", "hatchery_ticks": "3"},
    {"goal": "drone=90", "crowded": "4", "full": "6", "trip": "3", "drone_ticks": "1", "drone_cost": "10"},
)


def standing(state: BuildOrderState) -> list[int]:
    """The counts of ``layout`` that a state has, without those that only the kernel needs."""
    return [
        *(*state.counts, state.tick, state.minerals, state.enemies),
        *(int(state.scouted), OUTCOMES.index(state.outcome), len(state.jobs)),
        *(state.making(action) for action in range(len(ACTIONS))),
    ]


KEPT = [*range(at.NEXT), *range(at.MAKING, at.COUNTS)]


def random_orders(state: BuildOrderState, seed: int) -> tuple[list[int], list[BuildOrderState]]:
    """Orders that can begin, until the end of the game, and the states from the beginning on."""
    rng = stream(seed, "orders")
    orders, states = [], [state]
    waits = below(rng, 4)  # the more, the more ticks pass one by one
    while not state.is_terminal:
        legal = [*state.legal_actions(), *[WAIT] * (8 * waits)]
        orders.append(legal[below(rng, len(legal))])
        state = state.apply(orders[-1])
        states.append(state)
    return orders, states


@pytest.mark.release
@settings(max_examples=15, deadline=None)
@given(rules=st.sampled_from(RULES), seed=st.integers(0, 2**32))
def test_kernel_and_rules_agree_after_every_order(rules: dict[str, str], seed: int) -> None:
    made = GAME.make_rules(rules)
    attack = attack_of(seed % 4096, made)
    orders, states = random_orders(BuildOrderState.begin(attack, made), seed)
    legal = [state.legal_actions() for state in states[:-1]]
    asked = [actions[(seed + number) % len(actions)] for number, actions in enumerate(legal)]
    counts = np.zeros((len(orders) + 1, at.COUNTS), dtype=np.int64)
    sensors = np.zeros((len(orders), len(SENSORS)))
    pair, base = np.array([attack.tick, attack.size]), base_for(made)
    lists = np.array(orders, dtype=np.int8), np.array(asked, dtype=np.int8)
    follow_orders(base, pair, *lists, counts, sensors)
    assert counts[:, KEPT].tolist() == [standing(state) for state in states]
    for state, action, row in zip(states, asked, sensors.tolist(), strict=False):
        readable = sense(state, action)
        assert row == list(readable.values())
        assert all(sensor.low <= readable[sensor.name] <= sensor.high for sensor in SENSORS)
    end = states[-1]
    assert base.mined[1 : end.tick + 1].tolist() == list(end.mined)
    (score, outcome, tick) = play_lists([orders], pair[None], made)[0]
    assert (score, OUTCOMES[int(outcome)], tick) == (*end.returns(), end.outcome, end.tick)


FORMULAS = (
    "order: math.random()",
    "order: math.random() * env.is_drone + math.random() - env.short / 100",
    "order: " + " + ".join(f"{sensor.name} * math.random()" for sensor in SENSORS[::3]),
    "order: env.danger - env.enemy_ticks * env.is_drone + math.random() * (env.lack + env.income)",
    "order: 0 / 0 + env.is_wait * 5 - env.pool_ticks",
)


@settings(max_examples=8, deadline=None)
@given(rules=st.sampled_from(RULES), text=st.sampled_from(FORMULAS), seed=st.integers(0, 2**32))
def test_formulas_choose_alike(rules: dict[str, str], text: str, seed: int) -> None:
    made = GAME.make_rules({"horizon": "450", **rules})
    players = [player_of_text(text, GAME, filename="a.tree"), Player("enemy")]
    deals = GAME.deal(stream(seed, "deals"), 3, made)
    scores = GAME.play(players, deals, made)
    state = GAME.begin(players, deals, made)
    while not state.is_terminal:
        state = state.apply(choose(GAME, players[0], state, deals))
    assert scores.values[0].tolist() == list(state.returns())
