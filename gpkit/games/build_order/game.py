"""The build order at the seam of games: rules from options, deals, and whole games of formulas and plans.

Two players take part. The first orders; the second is only the enemy, who comes as the rules say.
"""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from gpkit.core.errors import UsageError
from gpkit.core.primitives import ONCE
from gpkit.gamekit import plans
from gpkit.gamekit.deals import Deals
from gpkit.gamekit.game import Metric, Plans, Scores, laying_out
from gpkit.gamekit.plans import is_plan
from gpkit.gamekit.players import Player, machine_programs
from gpkit.games.build_order.facts import FACTS
from gpkit.games.build_order.kernel import games as compiled
from gpkit.games.build_order.kernel.layout import SHAPES, Base
from gpkit.games.build_order.kernel.things import ACTIONS, THINGS, WAIT
from gpkit.games.build_order.options import RANDOM_ATTACKS, Attack, Rules
from gpkit.games.build_order.primitives import OFFERS, PLANS, SENSORS
from gpkit.games.build_order.rules import State
from gpkit.games.build_order.sensors import FEATURES, ORDERS, features
from gpkit.user_games.declare import game
from gpkit.vm.isa import HOST
from gpkit.vm.keyed import HALF, keyed_uniform_readable
from gpkit.vm.program import Program

Ends = NDArray[np.float64]
"""Float64 (games, 3): the score, how the game ended in the order of the words of ``rules``, and the last tick."""

ENEMY = "enemy"

ENEMIES: Mapping[str, str] = MappingProxyType({ENEMY: "attacks as set by the option `attack`"})


def attack_of(key: int, rules: Rules) -> Attack:
    """The attack of a deal."""
    if not rules.is_hidden:
        return rules.attack
    return RANDOM_ATTACKS[int(keyed_uniform_readable(key, HALF - 1, 0) * len(RANDOM_ATTACKS))]


def metric_of(rules: Rules) -> Metric:
    """``ticks`` until the goal is reached, twice the horizon if it is not; under attack the share ``survived``."""
    if rules.is_attacked:
        return Metric("survived", 0.0, 1.0, alone=True)
    return Metric("ticks", 0.0, 2.0 * rules.horizon, lower_is_better=True, alone=True)


def begin(players: Sequence[Player], deals: Deals, rules: Rules) -> State:
    """The first deal's game in tick 0."""
    return State.begin(attack_of(int(deals.keys[0]), rules), rules)


def play(players: Sequence[Player], deals: Deals, rules: Rules) -> Scores:
    """Scores of the first player; where games are all alike one is played.

    Raises:
        UsageError: the first player orders nothing, or the second does.
    """
    check_players(players, rules)
    program = _program(players[0], rules)
    alike = courses(players, deals, rules) is not None
    keys = deals.keys[:1] if alike else deals.keys
    met = [attack_of(key, rules) for key in keys.tolist()]
    attacks = np.array([(each.tick, each.size) for each in met], dtype=np.int64)
    run = play_plan if is_plan(program) else play_formula
    ends = run(program, attacks.reshape(-1, 2), keys, rules)
    values = np.repeat(ends, len(deals), axis=0) if alike else ends
    scores = values[:, :1].copy()
    grades = scores + (1 - values[:, 2:] / (2 * rules.horizon)) * scores if rules.is_attacked else None
    return Scores(scores, 0, int((values[:, 1] < 0).sum()), grades)


def courses(players: Sequence[Player], deals: Deals, rules: Rules) -> NDArray[np.int64] | None:
    """Zeros, int64 (deals,), where neither the enemy nor the first player does anything at random; else None."""
    alike = not rules.is_hidden and not draws(_program(players[0], rules))
    return np.zeros(len(deals), dtype=np.int64) if alike else None


def _program(player: Player, rules: Rules) -> Program:
    """The program of a player; of a plan that is executed upwards the one from the leaf of these rules."""
    programs = machine_programs([player])
    return programs[PLANS.starts.index(start_of(rules))] if len(programs) > 1 else programs[0]


class Orders(Plans):
    """The plans of the build order: a legal order waits by itself until it can begin."""

    def ask(self, state: State, action: str) -> State:
        """The state in which an order has begun, or a tick has passed; the end where it can never begin."""
        number = ACTIONS.index(action)
        return state.apply(number) if number in state.legal_actions() else state.stuck()


def start_of(rules: Rules) -> str:
    """The leaf at which a plan that is executed upwards begins: the first thing that the goal names."""
    return THINGS[next(thing for thing, count in enumerate(rules.goal) if count)]


def choose(player: Player, state: State, deals: Deals) -> int:
    """The order of a plan in a state that came about by its orders; in others, and where it is stuck, ``wait``."""
    program, begin = _program(player, state.rules), State.begin(state.attack, state.rules)
    for met, action in follow_plan(program, begin, deals.key(0)):
        if (met.tick, len(met.orders)) == (state.tick, len(state.orders)):
            return action if action in state.legal_actions() else WAIT
        if met.tick > state.tick:
            break
    return WAIT


def draws(program: Program) -> bool:
    """Whether a program draws random numbers."""
    if is_plan(program):
        return bool((program.code[:, 0] == HOST + len(program.host_instructions) - 1).any())
    return len(program.inputs) > len(SENSORS)


def base_for(rules: Rules) -> Base:
    """The arrays of a game of these rules."""
    facts = (*rules.goal, *rules.costs, *rules.ticks, int(rules.is_hidden), *rules.numbers)
    empty = {name: np.zeros(shape, dtype=np.int64) for name, shape in SHAPES.items()}
    return Base(np.array(facts, dtype=np.int64), **empty)


def draws_apart(program: Program) -> bool:
    """Whether a program draws random numbers for every order, not once for all of them."""
    return not program.inputs[-1].startswith(ONCE)


def play_formula(program: Program, attacks: NDArray[np.int64], keys: NDArray[np.int64], rules: Rules) -> Ends:
    """The ends of games in which a formula ranks orders; ``keys``: int64 (games,), of its random numbers."""
    ends = np.zeros((len(keys), 3))
    randoms, memory = len(program.inputs) - len(SENSORS), program.memory.copy()
    apart = int(draws_apart(program))
    formula = compiled.Formula(program.code, memory, program.result, len(SENSORS), randoms, apart)
    compiled.play_formula(base_for(rules), attacks, keys, formula, ends)
    return ends


def play_plan(program: Program, attacks: NDArray[np.int64], keys: NDArray[np.int64], rules: Rules) -> Ends:
    """The ends of games of a plan; ``keys``, int64 (games,), are those of its random numbers."""
    ends = np.zeros((len(keys), 3))
    memory = np.stack([program.memory, program.memory])
    compiled.play_plan(base_for(rules), attacks, keys, program.code, memory, plans.BUDGET, ends)
    return ends


def follow_plan(program: Program, state: State, key: int) -> Iterator[tuple[State, int]]:
    """The states in which a plan orders, with its orders, from a state on; one that can never begin is the last."""
    return plans.follow_plan(
        program,
        state,
        key,
        features,
        lambda each, action: each.apply(action) if action in each.legal_actions() else None,
    )


def check_players(players: Sequence[Player], rules: Rules) -> None:
    """Check that the first player orders and the second is the enemy.

    Raises:
        UsageError: it is not so.
    """
    builder, enemy = players
    if not builder.decides:
        raise UsageError(f"{builder.name} gives no orders; name a program or a player that does")
    if enemy.decides:
        raise UsageError(
            f"{enemy.name} gives orders, but only one player does. Name the enemy: {', '.join(ENEMIES)}"
        )


GAME = game(
    "build_order",
    begin,
    sensors=(*FEATURES, *ORDERS),
    facts=FACTS,
    options=Rules,
    metric=metric_of,
    opponents={**dict.fromkeys(("pool", "economy", "random"), ""), **laying_out(ENEMIES)},
    rivals=(ENEMY,),
    offers=OFFERS,
    play=play,
    choose=choose,
    check=check_players,
    courses=courses,
    plans=Orders(dict.fromkeys(ACTIONS, ""), ACTIONS[WAIT], start_of),
)
