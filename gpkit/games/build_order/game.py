"""The build order as a gpkit game: its options, its deals, and complete games played by formulas and plans.

There are two players. The first player gives orders; the second is only the enemy, who attacks according to the rules.
"""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

import numpy as np

from gpkit.core.arrays import Floats, Ints
from gpkit.core.errors import UsageError
from gpkit.core.primitives import ONCE
from gpkit.gamekit import plans
from gpkit.gamekit.forms import DemoRun, GameForms, Trial
from gpkit.gamekit.game import Deals, Metric, Plans, Scores, laying_out
from gpkit.gamekit.plans import is_plan
from gpkit.gamekit.players import Player, machine_programs
from gpkit.games.build_order import forms
from gpkit.games.build_order.facts import FACTS
from gpkit.games.build_order.kernel import games as compiled
from gpkit.games.build_order.kernel.layout import SHAPES, Base
from gpkit.games.build_order.kernel.things import ACTIONS, THINGS, WAIT
from gpkit.games.build_order.primitives import OFFERS, PLANS, SENSORS
from gpkit.games.build_order.rules import RANDOM_ATTACKS, Attack, BuildOrderRules, BuildOrderState
from gpkit.games.build_order.sensors import FEATURES, ORDERS, features
from gpkit.user_games.declare import game
from gpkit.vm.isa import HOST
from gpkit.vm.keyed import HALF, keyed_uniform_readable
from gpkit.vm.program import Program

Ends = Floats
"""The results of games, float64 (games, 3): the score, the number of the outcome (see ``layout``), and the last
tick."""

ENEMY = "enemy"

ENEMIES: Mapping[str, str] = MappingProxyType({ENEMY: "attacks as set by the option `attack`"})


def attack_of(key: int, rules: BuildOrderRules) -> Attack:
    """The attack of a deal."""
    if not rules.is_hidden:
        return rules.attack
    return RANDOM_ATTACKS[int(keyed_uniform_readable(key, HALF - 1, 0) * len(RANDOM_ATTACKS))]


def metric_of(rules: BuildOrderRules) -> Metric:
    """The metric: ``ticks`` until the goal, or twice the horizon; with an attack, the share of games ``survived``."""
    if rules.is_attacked:
        return Metric("survived", 0.0, 1.0, alone=True)
    return Metric("ticks", 0.0, 2.0 * rules.horizon, lower_is_better=True, alone=True)


def begin(players: Sequence[Player], deals: Deals, rules: BuildOrderRules) -> BuildOrderState:
    """The game of the first deal at tick 0."""
    return BuildOrderState.begin(attack_of(int(deals.keys[0]), rules), rules)


def play(players: Sequence[Player], deals: Deals, rules: BuildOrderRules) -> Scores:
    """The scores of the first player; if all games are identical, only one is played.

    Raises:
        UsageError: the first player gives no orders, or the second player gives orders.
    """
    check_players(players, rules)
    program = _program(players[0], rules)
    alike = courses(players, deals, rules) is not None
    keys = deals.keys[:1] if alike else deals.keys
    met = [attack_of(key, rules) for key in keys.tolist()]
    attacks = np.array([(each.tick, each.size) for each in met], dtype=np.int64)
    ends = (play_plan if is_plan(program) else play_formula)(program, attacks.reshape(-1, 2), keys, rules)
    values = np.repeat(ends, len(deals), axis=0) if alike else ends
    scores = values[:, :1].copy()
    grades = scores + (1 - values[:, 2:] / (2 * rules.horizon)) * scores if rules.is_attacked else None
    return Scores(scores, 0, int((values[:, 1] < 0).sum()), grades)


def courses(players: Sequence[Player], deals: Deals, rules: BuildOrderRules) -> Ints | None:
    """Zeros, int64 (deals,), if neither the enemy nor the first player acts randomly, otherwise None."""
    alike = not rules.is_hidden and not draws(_program(players[0], rules))
    return np.zeros(len(deals), dtype=np.int64) if alike else None


def _program(player: Player, rules: BuildOrderRules) -> Program:
    """A player's program, which for a plan that runs upwards starts at the leaf for these rules."""
    programs = machine_programs([player])
    return programs[PLANS.starts.index(start_of(rules))] if len(programs) > 1 else programs[0]


class Orders(Plans):
    """Plans for the build order, which need no explicit ticks because a legal order waits until it can begin."""

    def ask(self, state: BuildOrderState, action: str) -> BuildOrderState:
        """The state after an order has begun or a tick has passed, or the final state if the order can never begin."""
        number = ACTIONS.index(action)
        return state.apply(number) if number in state.legal_actions() else state.stuck()


def start_of(rules: BuildOrderRules) -> str:
    """The leaf at which a plan that runs upwards starts: the first thing in the goal."""
    return THINGS[next(thing for thing, count in enumerate(rules.goal) if count)]


def choose(player: Player, state: BuildOrderState, deals: Deals) -> int:
    """A plan's order in a state that its own orders led to; in other states, or if the plan is stuck, ``wait``."""
    program, begin = _program(player, state.rules), BuildOrderState.begin(state.attack, state.rules)
    for met, action in follow_plan(program, begin, deals.key(0)):
        if (met.tick, len(met.orders)) == (state.tick, len(state.orders)):
            return action if action in state.legal_actions() else WAIT
        if met.tick > state.tick:
            break
    return WAIT


def draws(program: Program) -> bool:
    """True if a program draws random numbers."""
    if is_plan(program):
        return bool((program.code[:, 0] == HOST + len(program.host_instructions) - 1).any())
    return len(program.inputs) > len(SENSORS)


def base_for(rules: BuildOrderRules) -> Base:
    """The arrays of a game with these rules."""
    facts = (*rules.goal, *rules.costs, *rules.ticks, int(rules.is_hidden), *rules.numbers)
    return Base(
        np.array(facts, dtype=np.int64),
        **{name: np.zeros(shape, dtype=np.int64) for name, shape in SHAPES.items()},
    )


def play_formula(program: Program, attacks: Ints, keys: Ints, rules: BuildOrderRules) -> Ends:
    """The results of games in which a formula ranks orders, with the ``keys`` of its random numbers, int64 (games,)."""
    ends = np.zeros((len(keys), 3))
    randoms = len(program.inputs) - len(SENSORS)
    apart = int(
        not program.inputs[-1].startswith(ONCE)
    )  # ONCE: the same numbers for all orders of a decision
    base, memory = base_for(rules), program.memory.copy()
    compiled.play_formula(base, attacks, keys, program.code, memory, program.result, randoms, apart, ends)
    return ends


def play_plan(program: Program, attacks: Ints, keys: Ints, rules: BuildOrderRules) -> Ends:
    """The results of games that a plan plays, with the ``keys`` of its random numbers, int64 (games,)."""
    ends = np.zeros((len(keys), 3))
    memory = np.stack([program.memory, program.memory])
    compiled.play_plan(base_for(rules), attacks, keys, program.code, memory, plans.BUDGET, ends)
    return ends


def follow_plan(program: Program, state: BuildOrderState, key: int) -> Iterator[tuple[BuildOrderState, int]]:
    """The states, from ``state`` on, in which a plan gives an order, with the order; the last order may never begin."""
    return plans.follow_plan(
        program,
        state,
        key,
        features,
        lambda each, action: each.apply(action) if action in each.legal_actions() else None,
    )


def check_players(players: Sequence[Player], rules: BuildOrderRules) -> None:
    """Check that the first player gives orders and the second player is the enemy.

    Raises:
        UsageError: a player does not fit its role.
    """
    builder, enemy = players
    if not builder.decides:
        raise UsageError(f"{builder.name} gives no orders; name a program or a player that does")
    if enemy.decides:
        raise UsageError(
            f"{enemy.name} gives orders, but only the first player may. Name the enemy: {', '.join(ENEMIES)}"
        )


SUITES = (
    Trial("enemy", games=1, sets=1),
    *(Trial("enemy", {"goal": goal}, games=1, sets=1, quick=True) for goal in ("zerglings=12", "drone=16")),
    Trial("enemy", {"attack": "random"}, games=1_000),
)
"""The trials of build orders: different goals, which need only a single game, and an attack at an unknown time."""

GAME = game(
    "build_order",
    begin,
    sensors=(*FEATURES, *ORDERS),
    facts=FACTS,
    options=BuildOrderRules,
    metric=metric_of,
    opponents={**dict.fromkeys(("pool", "economy", "random"), ""), **laying_out(ENEMIES)},
    rivals=(ENEMY,),
    offers=OFFERS,
    play=play,
    choose=choose,
    check=check_players,
    courses=courses,
    plans=Orders(dict.fromkeys(ACTIONS, ""), ACTIONS[WAIT], start_of),
    forms=GameForms(
        view=lambda: forms.view.VIEW,
        encoding=lambda: forms.view,
        suites=lambda: SUITES,
        conversation=lambda: forms.talk.BuildOrderConversation,
        demo=DemoRun("scout", "evolve plans --generations 10 --seed 1", "best/champion.plan"),
    ),
)
