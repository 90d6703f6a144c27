"""The build order in readable Python: its options, and immutable states, which the kernel must reproduce.

Minerals arrive, larvae hatch and orders finish at whole ticks. An order begins at the first tick at which everything
that it needs is available; time passes until then. Only a hidden attack involves chance. Costs and durations come from
StarCraft II, rounded to whole ticks. They follow P. Hansson's example of an execution tree, an "8 pool" opening ("Light
Introduction to Genetic Programming", 2013).
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import count

import numpy as np

from gpkit.core.errors import UsageError
from gpkit.core.rng import below
from gpkit.gamekit.options import Option, OptionRules, Value, bad_value, options_of, rule, written_rule
from gpkit.gamekit.state import NOBODY, check_legal
from gpkit.games.build_order.kernel.layout import NUMBER_NAMES
from gpkit.games.build_order.kernel.things import (
    ACTIONS,
    ATTACK_SIZES,
    ATTACK_TICKS,
    DRONE,
    HATCHERY,
    MOMENTS,
    MOST_HATCHERIES,
    MOST_HORIZON,
    MOST_SUPPLY,
    OVERLORD,
    POOL,
    QUEEN,
    SCOUT,
    THINGS,
    WAIT,
    ZERGLINGS,
)
from gpkit.vm.keyed import HALF, keyed_uniform_readable

NONE, RANDOM = "none", "random"

_GOAL = Option(
    "goal",
    "what must be finished and present at the same time",
    form=f"things such as zerglings=6 or drone=16,queen=1, of {', '.join(THINGS)}, at most {MOST_SUPPLY} each",
)
_EITHER = " or ".join(f"{size} at tick {tick}" for tick, size in zip(ATTACK_TICKS, ATTACK_SIZES, strict=True))
_ATTACK = Option(
    "attack",
    f"enemy zerglings and the tick of their arrival; random: {_EITHER}, by chance",
    form="none, random, or TICK:SIZE such as 180:8",
)


@dataclass(frozen=True, slots=True)
class Attack:
    """An attack: the tick at which enemy zerglings arrive (0 for never), and the number of zerglings."""

    tick: int = 0
    size: int = 0


RANDOM_ATTACKS = tuple(map(Attack, ATTACK_TICKS, ATTACK_SIZES))
"""The attacks from which ``attack=random`` chooses, all equally likely."""


@dataclass(frozen=True, slots=True)
class BuildOrderRules(OptionRules):
    """The rules of a game.

    >>> BuildOrderRules.from_options({"goal": "drone=16,queen=1"}).goal
    (16, 0, 0, 0, 1, 0)

    Attributes:
        goal: the required number of each thing, in the order of ``THINGS``; 0 if the thing does not matter.
        attack: the attack if the player knows it from the start.
        is_hidden: whether the attack is instead a random one of ``RANDOM_ATTACKS``, which the player can scout.
    """

    title = "The build order"

    goal: tuple[int, ...] = written_rule((0, 0, 0, 6, 0, 0), _GOAL)
    attack: Attack = written_rule(Attack(), _ATTACK)  # noqa: RUF009  (a field)
    is_hidden: bool = False
    horizon: int = rule(600, "ticks after which the game is over", low=1, high=MOST_HORIZON)
    drone_cost: int = rule(50, "minerals for a drone", low=0, high=1000)
    drone_ticks: int = rule(17, "ticks until a drone mines", low=1, high=1000)
    overlord_cost: int = rule(100, "minerals for an overlord", low=0, high=1000)
    overlord_ticks: int = rule(25, "ticks until an overlord is finished", low=1, high=1000)
    overlord_supply: int = rule(8, "supply of an overlord", low=1, high=20)
    pool_cost: int = rule(200, "minerals for the spawning pool", low=0, high=1000)
    pool_ticks: int = rule(65, "ticks until the spawning pool is finished", low=1, high=1000)
    zerglings_cost: int = rule(50, "minerals for two zerglings", low=0, high=1000)
    zerglings_ticks: int = rule(24, "ticks until the zerglings are finished", low=1, high=1000)
    queen_cost: int = rule(150, "minerals for a queen", low=0, high=1000)
    queen_ticks: int = rule(50, "ticks until a queen is finished", low=1, high=1000)
    queen_larvae: int = rule(3, "larvae that a queen gives at a time", low=0, high=10)
    queen_every: int = rule(40, "ticks from one gift of a queen to the next", low=1, high=1000)
    hatchery_cost: int = rule(300, "minerals for a hatchery", low=0, high=1000)
    hatchery_ticks: int = rule(100, "ticks until a hatchery is finished", low=1, high=1000)
    hatchery_supply: int = rule(2, "supply of a hatchery", low=0, high=20)
    scout_ticks: int = rule(25, "ticks until a scout is back", low=1, high=1000)
    larva_every: int = rule(15, "ticks that a hatchery takes for a larva", low=1, high=1000)
    larvae_most: int = rule(3, "larvae at which a hatchery stops making more", low=1, high=10)
    trip: int = rule(7, "ticks from one load of a drone to the next", low=1, high=30)
    load: int = rule(5, "minerals per load", low=1, high=100)
    crowded_load: int = rule(2, "minerals per load for each drone beyond `crowded`", low=0, high=100)
    crowded: int = rule(16, "drones of a hatchery that bring full loads", low=1, high=100)
    full: int = rule(
        24, "drones of a hatchery that bring anything, including `crowded` ones", low=1, high=100
    )
    minerals: int = rule(50, "minerals at the start", low=0, high=1000)
    drones: int = rule(6, "drones at the start", low=1, high=30)
    larvae: int = rule(3, "larvae at the start", low=0, high=10)
    overlords: int = rule(1, "overlords at the start", low=1, high=20)

    @property
    def numbers(self) -> tuple[int, ...]:
        """The options that are whole numbers, from ``horizon`` on, in the order of the fields."""
        return tuple(getattr(self, name) for name in NUMBER_NAMES)

    @property
    def costs(self) -> tuple[int, ...]:
        """The cost of each action in minerals."""
        return (
            *(self.drone_cost, self.overlord_cost, self.pool_cost),
            *(self.zerglings_cost, self.queen_cost, self.hatchery_cost, 0, 0),
        )

    @property
    def ticks(self) -> tuple[int, ...]:
        """The duration of each action in ticks."""
        return (
            *(self.drone_ticks, self.overlord_ticks, self.pool_ticks),
            *(self.zerglings_ticks, self.queen_ticks, self.hatchery_ticks, self.scout_ticks, 1),
        )

    @property
    def is_attacked(self) -> bool:
        """True if an enemy will attack."""
        return self.is_hidden or self.attack.tick > 0

    @classmethod
    def fields_of(cls, values: Mapping[str, Value]) -> Mapping[str, object]:
        """The fields that these options set; the option ``attack`` sets two fields.

        Raises:
            UsageError: the text of a goal or an attack is not valid.
        """
        named: dict[str, object] = dict(values)
        if "goal" in values:
            named["goal"] = _goal(str(values["goal"]))
        if "attack" in values:
            named |= {"attack": _attack(str(values["attack"])), "is_hidden": values["attack"] == RANDOM}
        return named

    def check(self) -> None:
        """Check that the attack comes in time, the base does not start with the goal, and all drones have supply.

        Raises:
            UsageError: one of these conditions does not hold.
        """
        last = max(each.tick for each in RANDOM_ATTACKS) if self.is_hidden else self.attack.tick
        if last > self.horizon:
            raise UsageError(
                f"horizon={self.horizon}: the attack comes at tick {last}; the horizon must be at least that"
            )
        there = (self.drones, self.overlords, 0, 0, 0, 1)
        if all(wanted <= count for wanted, count in zip(self.goal, there, strict=True)):
            raise bad_value(_GOAL, goal_text(self.goal), "; the base already has all of this at the start")
        if self.drones > 2 * (self.overlords * self.overlord_supply + self.hatchery_supply):
            raise UsageError(f"drones={self.drones}: there is not enough supply for them")

    def to_options(self) -> dict[str, str]:
        """Every option as text, from which ``from_options`` rebuilds the rules."""
        attack = f"{self.attack.tick}:{self.attack.size}" if self.attack.tick else NONE
        return OptionRules.to_options(self) | {
            "goal": goal_text(self.goal),
            "attack": RANDOM if self.is_hidden else attack,
        }


assert tuple(each.name for each in options_of(BuildOrderRules)[2:]) == NUMBER_NAMES, (
    "the kernel has the numbers in their order"
)


def goal_text(goal: tuple[int, ...]) -> str:
    """A goal as text, in the format of the option.

    >>> goal_text((0, 0, 0, 6, 1, 0))
    'zerglings=6,queen=1'
    """
    return ",".join(f"{name}={count}" for name, count in zip(THINGS, goal, strict=True) if count)


def _goal(text: str) -> tuple[int, ...]:
    """The required numbers of things, from the text of a goal."""
    counts = dict.fromkeys(THINGS, 0)
    for word in text.split(","):
        found = re.fullmatch(r"\s*([a-z_]+)\s*=\s*([0-9]{1,3})\s*", word)
        if found is None or found[1] not in counts or not 1 <= int(found[2]) <= MOST_SUPPLY:
            raise bad_value(_GOAL, text)
        counts[found[1]] = int(found[2])
    if counts["spawning_pool"] > 1 or counts["hatchery"] > MOST_HATCHERIES:
        raise bad_value(
            _GOAL, text, f"; there is one spawning pool, and there are at most {MOST_HATCHERIES} hatcheries"
        )
    return tuple(counts.values())


def _attack(text: str) -> Attack:
    """The attack from the text of the option; for ``none`` and ``random``, there is no attack."""
    if text in (NONE, RANDOM):
        return Attack()
    found = re.fullmatch(r"([0-9]{1,4}):([0-9]{1,3})", text)
    if found is None or not (1 <= int(found[1]) <= MOST_HORIZON and 1 <= int(found[2]) <= MOST_SUPPLY):
        raise bad_value(_ATTACK, text)
    return Attack(int(found[1]), int(found[2]))


GOING, REACHED, LATE, OVERRUN, STUCK = "going", "reached", "late", "overrun", "stuck"
"""The outcomes: the game continues, the goal is reached, the time is up, no fighter is left to stop the enemy, or a
plan gives an order that can never begin."""

SUPPLY = (1, 0, 0, 1, 2, 0, 0, 0)
"""The supply that each action uses; a pair of zerglings uses one."""


@dataclass(frozen=True, slots=True)
class Hatchery:
    """A hatchery.

    Attributes:
        larvae: the number of larvae that wait at the hatchery.
        since: the number of ticks counted towards the next larva, which is 0 while there are enough larvae.
    """

    larvae: int = 0
    since: int = 0


@dataclass(frozen=True, slots=True)
class Job:
    """An order that has begun: the action, its first tick, the tick at which it is finished, and a queen's hatchery."""

    action: int
    begun: int
    done: int
    place: int = 0


@dataclass(frozen=True, slots=True)
class Queen:
    """A queen: the tick at which she hatched, and the hatchery that receives her larvae."""

    hatched: int
    place: int


@dataclass(frozen=True, slots=True)
class BuildOrderState:
    """The state of a game at a tick, before the orders that begin at that tick.

    Attributes:
        rules: the rules.
        attack: the coming attack; if the rules hide it, the player learns of it from a scout or on its arrival.
        minerals: the amount of minerals in stock.
        hatcheries: the hatcheries, in the order of their completion.
        drones: the ticks at which the mining drones hatched, oldest drone first.
        overlords, zerglings: the numbers of overlords and zerglings.
        pool: whether the spawning pool is finished.
        queens: the queens, in the order in which they hatched.
        jobs: the unfinished orders, in the order in which they began.
        tick: the current tick, which is 0 at the beginning.
        enemies: the number of enemy zerglings that have arrived and are still alive.
        scouted: whether a scout has seen the attack.
        outcome: ``GOING`` until the end.
        mined: the minerals that arrived at each tick, from tick 1 on.
        orders: all orders so far, as jobs.
    """

    rules: BuildOrderRules
    attack: Attack
    minerals: int
    hatcheries: tuple[Hatchery, ...]
    drones: tuple[int, ...]
    overlords: int
    zerglings: int = 0
    pool: bool = False
    queens: tuple[Queen, ...] = ()
    jobs: tuple[Job, ...] = ()
    tick: int = 0
    enemies: int = 0
    scouted: bool = False
    outcome: str = GOING
    mined: tuple[int, ...] = ()
    orders: tuple[Job, ...] = ()

    decision = "order"

    @classmethod
    def begin(cls, attack: Attack, rules: BuildOrderRules) -> "BuildOrderState":
        """The game at tick 0, at which the first drones count as hatched."""
        return cls(
            rules, attack, rules.minerals, (Hatchery(rules.larvae),), (0,) * rules.drones, rules.overlords
        )

    # Counts of things.

    def making(self, action: int) -> int:
        """The number of unfinished orders of an action."""
        return sum(job.action == action for job in self.jobs)

    @property
    def supply(self) -> int:
        """The supply in use, including things in production."""
        drones = len(self.drones) + self.making(DRONE) + self.making(SCOUT)
        zerglings = (self.zerglings + 1) // 2 + self.making(ZERGLINGS)
        return drones + zerglings + SUPPLY[QUEEN] * (len(self.queens) + self.making(QUEEN))

    def cap(self, overlords: int = 0, hatcheries: int = 0) -> int:
        """The supply limit with this many additional overlords and hatcheries."""
        rules = self.rules
        given = (self.overlords + overlords) * rules.overlord_supply
        return min(MOST_SUPPLY, given + (len(self.hatcheries) + hatcheries) * rules.hatchery_supply)

    @property
    def cap_to_come(self) -> int:
        """The supply limit once everything in production is finished."""
        return self.cap(self.making(OVERLORD), self.making(HATCHERY))

    @property
    def larvae(self) -> int:
        """The number of larvae in all hatcheries."""
        return sum(each.larvae for each in self.hatcheries)

    @property
    def fighters(self) -> int:
        """The total number of zerglings and queens."""
        return self.zerglings + len(self.queens)

    @property
    def counts(self) -> tuple[int, ...]:
        """The counts of finished things, in the order of ``THINGS``; scouting drones do not count."""
        return (
            *(len(self.drones), self.overlords, int(self.pool)),
            *(self.zerglings, len(self.queens), len(self.hatcheries)),
        )

    @property
    def is_attack_over(self) -> bool:
        """True if no enemies are left and none will come."""
        return not self.rules.is_attacked or (self.tick >= self.attack.tick and self.enemies == 0)

    @property
    def is_attack_known(self) -> bool:
        """True if the player knows the coming attack."""
        return not self.rules.is_hidden or self.scouted or self.tick >= self.attack.tick

    # Conditions of orders.

    def can_begin(self, action: int) -> bool:
        """True if everything that an order needs is available now."""
        needs_larva = action in (DRONE, OVERLORD, ZERGLINGS)
        making_queens = {job.place for job in self.jobs if job.action == QUEEN}
        return (
            self.can_ever_begin(action)
            and self.minerals >= self.rules.costs[action]
            and (not needs_larva or self.larvae > 0)
            and (SUPPLY[action] == 0 or self.supply + SUPPLY[action] <= self.cap())
            and (action not in (POOL, HATCHERY, SCOUT) or len(self.drones) > 0)
            and (action not in (ZERGLINGS, QUEEN) or self.pool)
            and (action != QUEEN or len(making_queens) < len(self.hatcheries))
        )

    def can_ever_begin(self, action: int) -> bool:
        """True if an order can begin now or later, provided that nothing else is ordered and nothing dies first."""
        drones_to_come = len(self.drones) + self.making(DRONE) + self.making(SCOUT)
        return (
            (drones_to_come > 0 or self.minerals >= self.rules.costs[action])
            and (SUPPLY[action] == 0 or self.supply + SUPPLY[action] <= self.cap_to_come)
            and (action not in (POOL, HATCHERY, SCOUT) or drones_to_come > 0)
            and (action not in (ZERGLINGS, QUEEN) or self.pool or self.making(POOL) > 0)
            and (action != OVERLORD or self.cap_to_come < MOST_SUPPLY)
            and (action != POOL or not (self.pool or self.making(POOL)))
            and (action != HATCHERY or len(self.hatcheries) + self.making(HATCHERY) < MOST_HATCHERIES)
            and (action != SCOUT or not (self.is_attack_known or self.making(SCOUT)))
        )

    # The vocabulary of play (``gpkit.gamekit.state``).

    @property
    def current_player(self) -> int:
        """The number of the player who gives orders: 0 during the game, ``NOBODY`` at the end."""
        return NOBODY if self.is_terminal else 0

    @property
    def is_terminal(self) -> bool:
        """True if the game is over."""
        return self.outcome != GOING

    def legal_actions(self) -> tuple[int, ...]:
        """The orders that can begin now or later, and ``wait``."""
        return (
            () if self.is_terminal else tuple(each for each in range(WAIT + 1) if self.can_ever_begin(each))
        )

    def apply(self, action: int) -> "BuildOrderState":
        """The state after an order has begun; time passes until it can begin, or until the game is over.

        Raises:
            ValueError: the order can never begin, or the game is over.
        """
        check_legal(action, self)
        if action == WAIT:
            return self.passed()
        state = self
        while not state.is_terminal and not state.can_begin(action):
            state = state.passed() if state.can_ever_begin(action) else state.stuck()
        return state if state.is_terminal else state.begun(int(action))

    def stuck(self) -> "BuildOrderState":
        """The final state of a game in which a plan gives an order that can never begin."""
        return replace(self, outcome=STUCK)

    @property
    def is_goal_reached(self) -> bool:
        """True if everything in the goal is finished and present."""
        return all(have >= want for have, want in zip(self.counts, self.rules.goal, strict=True))

    def returns(self) -> tuple[float]:
        """The final score: the tick of the goal or twice the horizon; with an attack, 1 for survival and else 0."""
        assert self.is_terminal, "the game is not over"
        if self.rules.is_attacked:
            return (float(self.is_attack_over and self.outcome != OVERRUN),)
        return (float(self.tick if self.outcome == REACHED else 2 * self.rules.horizon),)

    def observation(self, player: int) -> "BuildOrderState":
        """The state without the attack if the player does not know it."""
        return self if self.is_attack_known else replace(self, attack=Attack())

    def resample(self, rng: np.random.Generator, player: int) -> "BuildOrderState":
        """The state with a random attack among those that the player considers possible."""
        possible = self.possible_attacks
        return replace(self, attack=possible[below(rng, len(possible))])

    @property
    def possible_attacks(self) -> tuple[Attack, ...]:
        """The attacks that the player must expect: the known attack, or all attacks that may still come."""
        if self.is_attack_known:
            return (self.attack,)
        return tuple(each for each in RANDOM_ATTACKS if each.tick > self.tick)

    def random_numbers(self, key: int, action: int) -> Callable[[], float]:
        """A source of values of ``math.random()`` for an order; call k gives the value for the formula's k-th call.

        ``key`` is the key of the deal, 0 … 2^26 − 1. Each decision has different random numbers.
        """
        decision, places = (self.tick * MOMENTS + len(self.orders)) % HALF, count()
        return lambda: keyed_uniform_readable(key, decision, (next(places) * len(ACTIONS) + action) % HALF)

    # How an order begins.

    def begun(self, action: int) -> "BuildOrderState":
        """The state after beginning an order and deducting its costs; the order must be able to begin."""
        place = 0
        hatcheries, drones = self.hatcheries, self.drones
        if action in (DRONE, OVERLORD, ZERGLINGS):  # of the first hatchery with the most larvae
            larvae = [each.larvae for each in hatcheries]
            giver = larvae.index(max(larvae))
            hatcheries = tuple(
                replace(each, larvae=each.larvae - (number == giver))
                for number, each in enumerate(hatcheries)
            )
        elif action == QUEEN:  # of the first hatchery that makes none
            taken = {job.place for job in self.jobs if job.action == QUEEN}
            place = next(number for number in range(len(hatcheries)) if number not in taken)
        else:  # the drone that hatched last
            drones = drones[:-1]
        job = Job(action, self.tick, self.tick + self.rules.ticks[action], place)
        return replace(
            self,
            minerals=self.minerals - self.rules.costs[action],
            hatcheries=hatcheries,
            drones=drones,
            jobs=(*self.jobs, job),
            orders=(*self.orders, job),
        )

    # How a tick passes.

    def passed(self) -> "BuildOrderState":
        """The state one tick later: minerals arrive, larvae hatch, orders finish, and enemies fight, in that order."""
        mined = self._loads()
        state = replace(self, tick=self.tick + 1, minerals=self.minerals + mined, mined=(*self.mined, mined))
        state = replace(state, hatcheries=state._with_larvae())
        state = state._with_done()._after_fight()
        return replace(state, outcome=state._standing())

    def _loads(self) -> int:
        """The minerals that drones deliver at the next tick."""
        rules, whole = self.rules, self.rules.crowded * len(self.hatcheries)
        return sum(
            rules.load if number < whole else rules.crowded_load
            for number, hatched in enumerate(self.drones[: max(whole, rules.full * len(self.hatcheries))])
            if (self.tick + 1 - hatched) % rules.trip == 0
        )

    def _with_larvae(self) -> tuple[Hatchery, ...]:
        """The hatcheries after this tick's larvae: their own larvae, and larvae from queens."""
        rules = self.rules
        after = []
        for number, hatchery in enumerate(self.hatcheries):
            larvae, since = hatchery.larvae, hatchery.since
            if larvae < rules.larvae_most:
                since += 1
                if since == rules.larva_every:
                    larvae, since = larvae + 1, 0
            for queen in self.queens:
                if queen.place == number and (self.tick - queen.hatched) % rules.queen_every == 0:
                    larvae += rules.queen_larvae
            after.append(Hatchery(larvae, since if larvae < rules.larvae_most else 0))
        return tuple(after)

    def _with_done(self) -> "BuildOrderState":
        """The state after adding everything that is finished at this tick."""
        done = [job for job in self.jobs if job.done == self.tick]
        if not done:
            return self
        count = [sum(job.action == action for job in done) for action in range(WAIT)]
        return replace(
            self,
            jobs=tuple(job for job in self.jobs if job.done != self.tick),
            drones=self.drones + (self.tick,) * (count[DRONE] + count[SCOUT]),
            overlords=self.overlords + count[OVERLORD],
            pool=self.pool or count[POOL] > 0,
            zerglings=self.zerglings + 2 * count[ZERGLINGS],
            queens=self.queens + tuple(Queen(self.tick, job.place) for job in done if job.action == QUEEN),
            hatcheries=self.hatcheries + (Hatchery(),) * count[HATCHERY],
            scouted=self.scouted or count[SCOUT] > 0,
        )

    def _after_fight(self) -> "BuildOrderState":
        """The state after this tick's fight, in which the larger side kills one fighter, and equal sides kill one each.

        Zerglings die before queens, and younger queens before older ones.
        """
        arrived = self.attack.size if self.attack.tick == self.tick else 0
        enemies, zerglings, queens = self.enemies + arrived, self.zerglings, self.queens
        own = self.fighters
        if enemies == 0 or own == 0:
            return replace(self, enemies=enemies) if arrived else self
        if enemies >= own:
            zerglings, queens = (zerglings - 1, queens) if zerglings else (0, queens[:-1])
        if own >= enemies:
            enemies -= 1
        return replace(self, enemies=enemies, zerglings=zerglings, queens=queens)

    def _standing(self) -> str:
        """The outcome after this tick."""
        if self.enemies and self.fighters == 0:
            return OVERRUN
        if self.is_goal_reached and self.is_attack_over:
            return REACHED
        return LATE if self.tick >= self.rules.horizon else GOING
