"""The rules of the build order, to be read: an immutable state that passes tick by tick.

Minerals come, larvae hatch and orders are done in whole ticks. An order is begun in the first tick in which all that it
needs is there; time passes until then. Nothing is left to chance but which attack comes, where that is hidden.
The numbers are those of StarCraft II in round ticks, after P. Hansson's example of an execution tree ("Light
Introduction to Genetic Programming", 2013), an "8 pool" opening.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import count

import numpy as np

from gpkit.core.rng import below
from gpkit.gamekit.state import NOBODY, check_legal
from gpkit.games.build_order.kernel.things import (
    ACTIONS,
    DRONE,
    HATCHERY,
    MOMENTS,
    MOST_HATCHERIES,
    MOST_SUPPLY,
    OVERLORD,
    POOL,
    QUEEN,
    SCOUT,
    WAIT,
    ZERGLINGS,
)
from gpkit.games.build_order.options import RANDOM_ATTACKS, Attack, Rules
from gpkit.vm.keyed import HALF, keyed_uniform_readable

GOING, REACHED, LATE, OVERRUN, STUCK = "going", "reached", "late", "overrun", "stuck"
"""Outcomes: the game goes on, the goal is reached, the horizon is, no fighter stops the enemy, or a plan asks for what
can never begin."""

SUPPLY = (1, 0, 0, 1, 2, 0, 0, 0)
"""By action the supply that it takes; two zerglings take one."""


@dataclass(frozen=True, slots=True)
class Hatchery:
    """A hatchery.

    Attributes:
        larvae: that wait there.
        since: ticks counted towards the next one; 0 while there are enough.
    """

    larvae: int = 0
    since: int = 0


@dataclass(frozen=True, slots=True)
class Job:
    """An order that was begun: the action, its first tick, that in which it is done, and the hatchery of a queen."""

    action: int
    begun: int
    done: int
    place: int = 0


@dataclass(frozen=True, slots=True)
class Queen:
    """A queen: the tick in which she hatched, and the hatchery to which she gives larvae."""

    hatched: int
    place: int


@dataclass(frozen=True, slots=True)
class State:
    """A moment of a game: what has happened up to a tick; orders that begin in it follow.

    Attributes:
        rules: the rules.
        attack: the one that comes; hidden where the rules say so until it is scouted or there.
        minerals: in stock.
        hatcheries: in the order in which they were finished.
        drones: the ticks in which those that mine hatched, the oldest first.
        overlords, zerglings: how many there are.
        pool: whether the spawning pool is finished.
        queens: in the order in which they hatched.
        jobs: orders that are not done, in the order in which they were begun.
        tick: the present one; 0 at the beginning.
        enemies: zerglings of the enemy that are here.
        scouted: whether a scout has seen what comes.
        outcome: ``GOING`` until the end.
        mined: by tick, from 1 on, the minerals that came.
        orders: every order so far, as a job.
    """

    rules: Rules
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
    def begin(cls, attack: Attack, rules: Rules) -> "State":
        """The game in tick 0, in which the first drones count as hatched."""
        hatcheries = (Hatchery(rules.larvae),)
        return cls(rules, attack, rules.minerals, hatcheries, (0,) * rules.drones, rules.overlords)

    # What there is.

    def making(self, action: int) -> int:
        """Orders of an action that are not done."""
        return sum(job.action == action for job in self.jobs)

    @property
    def supply(self) -> int:
        """Supply that is taken, by what is in production, too."""
        drones = len(self.drones) + self.making(DRONE) + self.making(SCOUT)
        zerglings = (self.zerglings + 1) // 2 + self.making(ZERGLINGS)
        return drones + zerglings + SUPPLY[QUEEN] * (len(self.queens) + self.making(QUEEN))

    def cap(self, overlords: int = 0, hatcheries: int = 0) -> int:
        """Supply that there can be, with so many more."""
        rules = self.rules
        given = (self.overlords + overlords) * rules.overlord_supply
        return min(MOST_SUPPLY, given + (len(self.hatcheries) + hatcheries) * rules.hatchery_supply)

    @property
    def cap_to_come(self) -> int:
        """Supply that there can be when all that is in production is done."""
        return self.cap(self.making(OVERLORD), self.making(HATCHERY))

    @property
    def larvae(self) -> int:
        """Larvae of all hatcheries."""
        return sum(each.larvae for each in self.hatcheries)

    @property
    def fighters(self) -> int:
        """Zerglings and queens."""
        return self.zerglings + len(self.queens)

    @property
    def counts(self) -> tuple[int, ...]:
        """Counts of finished things in the order of ``THINGS``; drones that scout do not count."""
        return (
            *(len(self.drones), self.overlords, int(self.pool)),
            *(self.zerglings, len(self.queens), len(self.hatcheries)),
        )

    @property
    def is_attack_over(self) -> bool:
        """Whether no enemy is here, and none will come."""
        return not self.rules.is_attacked or (self.tick >= self.attack.tick and self.enemies == 0)

    @property
    def is_attack_known(self) -> bool:
        """Whether the player knows which attack comes."""
        return not self.rules.is_hidden or self.scouted or self.tick >= self.attack.tick

    # What can be ordered.

    def can_begin(self, action: int) -> bool:
        """Whether all that an order needs is there now."""
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
        """Whether an order can begin at some time, if nothing else is ordered, and nothing dies, until then."""
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
        """Player who builds, 0; at the end ``NOBODY``."""
        return NOBODY if self.is_terminal else 0

    @property
    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.outcome != GOING

    def legal_actions(self) -> tuple[int, ...]:
        """The orders that can begin now or later, and ``wait``."""
        return (
            () if self.is_terminal else tuple(each for each in range(WAIT + 1) if self.can_ever_begin(each))
        )

    def apply(self, action: int) -> "State":
        """The state in which an order has begun: time passes until it can, or until the game is over.

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

    def stuck(self) -> "State":
        """The end of a plan that asks for what can never begin."""
        return replace(self, outcome=STUCK)

    @property
    def is_goal_reached(self) -> bool:
        """Whether all of the goal is there."""
        return all(have >= want for have, want in zip(self.counts, self.rules.goal, strict=True))

    def returns(self) -> tuple[float]:
        """At the end: the tick of the goal, or twice the horizon; under attack 1 if it was survived, else 0."""
        assert self.is_terminal, "the game is not over"
        if self.rules.is_attacked:
            return (float(self.is_attack_over and self.outcome != OVERRUN),)
        return (float(self.tick if self.outcome == REACHED else 2 * self.rules.horizon),)

    def observation(self, player: int) -> "State":
        """The state itself, without an attack that the player does not know."""
        return self if self.is_attack_known else replace(self, attack=Attack())

    def resample(self, rng: np.random.Generator, player: int) -> "State":
        """The state with any attack that may come after all that the player knows."""
        possible = self.possible_attacks
        return replace(self, attack=possible[below(rng, len(possible))])

    @property
    def possible_attacks(self) -> tuple[Attack, ...]:
        """The attacks that a player who was not told must reckon with: those whose tick is to come."""
        if self.is_attack_known:
            return (self.attack,)
        return tuple(each for each in RANDOM_ATTACKS if each.tick > self.tick)

    def random_numbers(self, key: int, action: int) -> Callable[[], float]:
        """A source of the values of ``math.random()`` for an order: the k-th call is the k-th place in the formula.

        ``key`` is that of the deal, 0 … 2^26 − 1. Each decision has numbers of its own.
        """
        decision, places = (self.tick * MOMENTS + len(self.orders)) % HALF, count()
        return lambda: keyed_uniform_readable(key, decision, (next(places) * len(ACTIONS) + action) % HALF)

    # How an order begins.

    def begun(self, action: int) -> "State":
        """The state in which an order that can begin has begun: what it takes is taken."""
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
        minerals = self.minerals - self.rules.costs[action]
        return replace(
            self,
            minerals=minerals,
            hatcheries=hatcheries,
            drones=drones,
            jobs=(*self.jobs, job),
            orders=(*self.orders, job),
        )

    # How a tick passes.

    def passed(self) -> "State":
        """The state one tick later: minerals come, larvae hatch, orders are done, enemies fight, in that order."""
        mined = self._loads()
        state = replace(self, tick=self.tick + 1, minerals=self.minerals + mined, mined=(*self.mined, mined))
        state = replace(state, hatcheries=state._with_larvae())
        state = state._with_done()._after_fight()
        return replace(state, outcome=state._standing())

    def _loads(self) -> int:
        """The minerals that drones bring in the next tick."""
        rules, whole = self.rules, self.rules.crowded * len(self.hatcheries)
        return sum(
            rules.load if number < whole else rules.crowded_load
            for number, hatched in enumerate(self.drones[: max(whole, rules.full * len(self.hatcheries))])
            if (self.tick + 1 - hatched) % rules.trip == 0
        )

    def _with_larvae(self) -> tuple[Hatchery, ...]:
        """The hatcheries with the larvae of this tick: their own, and those that queens give."""
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

    def _with_done(self) -> "State":
        """The state with everything there that is done in this tick."""
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

    def _after_fight(self) -> "State":
        """The state after the fight of this tick: the side with more fighters kills one, equal sides one each.

        Zerglings die before queens, and of queens the youngest first.
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
        """Outcome after this tick."""
        if self.enemies and self.fighters == 0:
            return OVERRUN
        if self.is_goal_reached and self.is_attack_over:
            return REACHED
        return LATE if self.tick >= self.rules.horizon else GOING
