"""The rules of the build order, by hand: mining, larvae, supply, queens, fights, what is stuck, what is hidden."""

from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
from build_order_lists import play_lists

from gpkit.core.errors import UsageError
from gpkit.core.rng import stream
from gpkit.games.build_order.forms.view import (
    BuildOrderWords,
    action_text,
    board_svg,
    board_text,
    clock,
    lanes,
    parse_action,
)
from gpkit.games.build_order.game import attack_of
from gpkit.games.build_order.kernel.things import (
    DRONE,
    HATCHERY,
    OVERLORD,
    POOL,
    QUEEN,
    SCOUT,
    WAIT,
    ZERGLINGS,
)
from gpkit.games.build_order.rules import (
    LATE,
    OVERRUN,
    RANDOM_ATTACKS,
    REACHED,
    STUCK,
    Attack,
    BuildOrderRules,
    BuildOrderState,
    Hatchery,
    Queen,
)
from gpkit.games.build_order.sensors import sense


def game(**options: str) -> BuildOrderState:
    rules = BuildOrderRules.from_options(options)
    return BuildOrderState.begin(rules.attack, rules)


def after(state: BuildOrderState, *actions: int) -> BuildOrderState:
    for action in actions:
        state = state.apply(action)
    return state


def at_tick(state: BuildOrderState, tick: int) -> BuildOrderState:
    while state.tick < tick:
        state = state.apply(WAIT)
    return state


def test_six_drones_bring_thirty_minerals_every_seven_ticks() -> None:
    state = at_tick(game(), 21)
    assert [tick for tick, mined in enumerate(state.mined, start=1) if mined] == [7, 14, 21]
    assert state.minerals == 50 + 3 * 30


def test_a_drone_mines_from_the_tick_after_it_hatched() -> None:
    state = at_tick(game().apply(DRONE), 24)
    assert state.drones == (0,) * 6 + (17,)
    assert state.mined[23] == 5  # in tick 24


def test_a_crowd_brings_less() -> None:
    rules = BuildOrderRules.from_options({"goal": "drone=40"})
    state = replace(BuildOrderState.begin(Attack(), rules), drones=(0,) * 30)
    assert at_tick(state, 7).mined[6] == 16 * 5 + 8 * 2


def test_larvae_come_while_there_are_fewer_than_three() -> None:
    state = at_tick(game(), 40)
    assert state.larvae == 3
    state = state.apply(DRONE)
    assert [at_tick(state, tick).larvae for tick in (40, 54, 55, 90)] == [2, 2, 3, 3]


def test_a_queen_gives_larvae_beyond_three() -> None:
    state = replace(game(), queens=(Queen(0, 0),), hatcheries=(Hatchery(2),))
    assert [at_tick(state, tick).larvae for tick in (14, 15, 39, 40, 80)] == [2, 3, 3, 6, 9]


def test_an_order_begins_when_all_that_it_needs_is_there() -> None:
    state = after(game(), DRONE, DRONE, POOL)
    assert [(job.begun, job.done) for job in state.orders] == [(0, 17), (14, 31), (52, 117)]
    assert (state.minerals, len(state.drones), state.supply) == (0, 7, 7)
    state = state.apply(ZERGLINGS)
    assert (state.tick, state.pool) == (117, True)


def test_supply_stops_what_has_none() -> None:
    state = after(game(minerals="900"), DRONE, DRONE, DRONE, DRONE)
    assert (state.supply, state.cap()) == (10, 10)
    assert DRONE not in state.legal_actions()
    with pytest.raises(ValueError, match="not a legal action"):
        state.apply(DRONE)
    state = state.apply(OVERLORD)
    assert DRONE in state.legal_actions()
    assert state.apply(DRONE).tick == state.tick + 25


def test_there_is_one_pool_and_a_queen_at_a_time_for_each_hatchery() -> None:
    state = after(game(minerals="1000", goal="queen=3"), POOL)
    assert POOL not in state.legal_actions()
    state = state.apply(QUEEN)
    first = state.tick
    assert state.apply(QUEEN).tick == first + 50


def test_the_game_ends_with_the_goal_or_at_the_horizon() -> None:
    state = after(game(), DRONE, DRONE, POOL, ZERGLINGS, ZERGLINGS, ZERGLINGS)
    end = at_tick_or_end(state)
    assert (end.outcome, end.returns()) == (REACHED, (141.0,))
    late = at_tick_or_end(game(horizon="30"))
    assert (late.outcome, late.tick, late.returns()) == (LATE, 30, (60.0,))


def at_tick_or_end(state: BuildOrderState) -> BuildOrderState:
    while not state.is_terminal:
        state = state.apply(WAIT)
    return state


def test_a_list_that_asks_for_what_can_never_begin_is_stuck() -> None:
    rules = BuildOrderRules()
    ends = play_lists([[ZERGLINGS], [DRONE] * 5, [POOL, POOL]], np.zeros((3, 2), dtype=np.int64), rules)
    assert ends[:, 0].tolist() == [1200.0] * 3
    assert game().stuck().outcome == STUCK
    assert set(ends[:, 1]) == {4.0}


def test_each_tick_the_side_with_more_fighters_kills_one() -> None:
    winning = at_tick_or_end(replace(game(goal="zerglings=2", attack="5:3"), zerglings=5))
    assert (winning.outcome, winning.tick, winning.zerglings, winning.returns()) == (REACHED, 7, 5, (1.0,))
    losing = at_tick_or_end(replace(game(goal="zerglings=2", attack="5:5"), zerglings=3))
    assert (losing.outcome, losing.tick, losing.enemies, losing.returns()) == (OVERRUN, 7, 5, (0.0,))


def test_equal_sides_lose_one_each() -> None:
    state = at_tick(replace(game(goal="zerglings=2", attack="5:3"), zerglings=3), 6)
    assert (state.zerglings, state.enemies) == (1, 1)
    end = at_tick_or_end(state)  # nobody is left, so nobody is overrun
    assert (end.outcome, end.zerglings, end.enemies, end.returns()) == (LATE, 0, 0, (1.0,))


def test_queens_die_after_zerglings_the_youngest_first() -> None:
    state = replace(game(attack="2:9"), zerglings=1, queens=(Queen(0, 0), Queen(1, 0)))
    two = after(state, WAIT, WAIT)
    assert (two.zerglings, len(two.queens)) == (0, 2)
    assert two.apply(WAIT).queens == (Queen(0, 0),)


def test_a_hidden_attack_is_known_to_who_scouts() -> None:
    rules = BuildOrderRules.from_options({"attack": "random"})
    assert {attack_of(key, rules) for key in range(64)} == set(RANDOM_ATTACKS)
    early, late = (BuildOrderState.begin(attack, rules) for attack in RANDOM_ATTACKS)
    assert early.observation(0) == late.observation(0)
    assert {early.resample(stream(seed, "a"), 0).attack for seed in range(9)} == set(RANDOM_ATTACKS)
    values = sense(early, SCOUT)
    mean = sum(attack.size for attack in RANDOM_ATTACKS) / 2
    assert (values["env.enemy_seen"], values["env.enemy"]) == (0, mean)
    assert sense(late, SCOUT) == values
    assert "or" in board_text(early, 0)
    seen = at_tick(early.apply(SCOUT), rules.scout_ticks)
    assert (seen.scouted, len(seen.drones)) == (True, 6)
    assert sense(seen, WAIT)["env.enemy"] == RANDOM_ATTACKS[0].size
    assert SCOUT not in seen.legal_actions()
    passed = at_tick(late, RANDOM_ATTACKS[0].tick)
    assert passed.possible_attacks == (RANDOM_ATTACKS[1],)


def test_options_are_read_back() -> None:
    for options in ({}, {"goal": "drone=9,queen=1", "attack": "99:3"}, {"attack": "random", "trip": "5"}):
        rules = BuildOrderRules.from_options(options)
        assert BuildOrderRules.from_options(rules.to_options()) == rules


def test_the_picture_has_a_bar_for_each_order() -> None:
    state = at_tick(after(game(), DRONE, DRONE, POOL, OVERLORD), 90)
    assert lanes(state)[:4] == [(DRONE, [0]), (DRONE, [1]), (OVERLORD, [3]), (POOL, [2])]
    made = state.orders[-1]
    picture = ElementTree.fromstring(board_svg(state))  # noqa: S314
    titles = [each.text for each in picture.iter() if each.tag.endswith("title")]
    assert titles[1:] == [
        *("Drone: 0:00 to 0:17", "Drone: 0:14 to 0:31"),
        *(f"Overlord: {clock(made.begun)} to {clock(made.done)}", "Spawning pool: 0:52 to 1:57"),
    ]
    assert titles[0].startswith("1:30: Minerals ")


def test_a_button_says_when_an_order_can_begin_and_nothing_that_is_hidden() -> None:
    words, state = BuildOrderWords(), game(attack="random")
    assert words.label(state, DRONE, "drone") == "Drone 50, 17 s"
    assert words.label(after(state, DRONE), DRONE, "drone") == "Drone 50, 17 s\nin 14 s"
    hidden = [at_tick(replace(state, attack=attack), 150) for attack in RANDOM_ATTACKS]
    assert len({words.label(each, HATCHERY, "hatchery") for each in hidden}) == 1
    assert words.label(hidden[0], SCOUT, "scout") == "Scout 25 s"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("queen", "needs a spawning pool"),
        ("drone", "needs supply: 10 of 10 are taken"),
        ("scout", "nothing to find out"),
        ("hatch", "did you mean `hatchery`"),
    ],
)
def test_what_cannot_be_ordered_is_explained(text: str, told: str) -> None:
    state = after(game(minerals="900"), DRONE, DRONE, DRONE, DRONE)
    with pytest.raises(UsageError, match=told):
        parse_action(state, text)
    assert parse_action(state, " Spawning Pool") == POOL
    assert action_text(state, HATCHERY) == "hatchery"
