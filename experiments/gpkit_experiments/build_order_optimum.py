"""The least ticks in which goals can be reached, by exhaustive search over orders.

``python -m gpkit_experiments.build_order_optimum`` writes ``experiments/data/optimum-build_order.json`` anew. Branch
and bound, depth first, over the readable rules. An order begins in the first tick in which it can, as the rules have
it. Cut off is

- a moment from which the goal cannot be reached sooner than the best so far, as what it lacks takes its ticks;
- an order that helps too late to matter: its first minerals, larvae or supply come when the last thing of a better
  build has to be begun already;
- a moment that is no better than one that was met: in the same tick with the same base and at most its minerals.
"""

import json
from pathlib import Path
from typing import Any

from gpkit.games.build_order.kernel.things import (
    ACTIONS,
    DRONE,
    HATCHERY,
    OVERLORD,
    POOL,
    QUEEN,
    THINGS,
    WAIT,
    ZERGLINGS,
)
from gpkit.games.build_order.options import Rules
from gpkit.games.build_order.rules import REACHED, SUPPLY, State

FILE = Path(__file__).parents[1] / "data" / "optimum-build_order.json"

GOALS = ("zerglings=6", "zerglings=12", "drone=16")


def lacking(state: State) -> list[int]:
    """By thing how many orders the goal lacks, beside those in production."""
    wanted = []
    for thing in range(len(THINGS)):
        made = 2 if thing == ZERGLINGS else 1
        short = state.rules.goal[thing] - state.counts[thing] - made * state.making(thing)
        wanted.append(max(0, -(-short // made)))
    return wanted


def pool_at(state: State) -> int:
    """The earliest tick in which the pool can be there."""
    if state.pool:
        return state.tick
    done = [job.done for job in state.jobs if job.action == POOL]
    return done[0] if done else state.tick + state.rules.pool_ticks


def earliest(state: State) -> int:
    """A tick before which the goal cannot be reached."""
    rules, short = state.rules, lacking(state)
    bound = max([state.tick, *(job.done for job in state.jobs if rules.goal[job.action])])
    for thing, count in enumerate(short):
        if count:
            begin = pool_at(state) if thing in (ZERGLINGS, QUEEN) else state.tick
            bound = max(bound, begin + rules.ticks[thing])
    return bound


def helps_at(state: State, action: int) -> int:
    """The earliest tick in which an order that is begun now does anything for another one."""
    rules, tick = state.rules, state.tick
    if action in (POOL, HATCHERY) and state.supply + SUPPLY[QUEEN] > state.cap():
        return tick  # the drone that it takes frees supply
    first = {
        DRONE: tick + rules.drone_ticks,
        OVERLORD: tick + rules.overlord_ticks,
        POOL: tick + rules.pool_ticks + (0 if needs_pool(rules) else rules.queen_ticks + rules.queen_every),
        QUEEN: tick + rules.queen_ticks + rules.queen_every,
        HATCHERY: tick + rules.hatchery_ticks,
    }
    return first.get(action, 1 << 30)


def needs_pool(rules: Rules) -> bool:
    """Whether the goal has what needs the pool."""
    return rules.goal[ZERGLINGS] > 0 or rules.goal[QUEEN] > 0


class Search:
    """The search for one goal.

    Attributes:
        best: the least ticks so far.
        orders: by which they are reached.
        moments: how many were looked at.
    """

    def __init__(self, goal: str, horizon: int) -> None:
        self.rules = Rules.from_options({"goal": goal, "horizon": str(horizon)})
        self.best, self.moments = horizon + 1, 0
        self.orders: tuple[int, ...] = ()
        self.met: dict[Any, int] = {}

    def run(self) -> None:
        """Look at everything that is not cut off."""
        pending: list[tuple[State, tuple[int, ...]]] = [(State.begin(self.rules.attack, self.rules), ())]
        while pending:
            state, orders = pending.pop()
            if earliest(state) >= self.best or self.is_dominated(state):
                continue
            self.moments += 1
            if not any(lacking(state)):
                self.finish(state, orders)
            for action in self.worth(state):
                after = state.apply(action)
                if not after.is_terminal:
                    pending.append((after, (*orders, action)))
                elif after.outcome == REACHED and after.tick < self.best:
                    self.best, self.orders = after.tick, orders

    def worth(self, state: State) -> list[int]:
        """The orders that can matter; those that the goal lacks are looked at first."""
        short, rules = lacking(state), self.rules
        last = self.best - 1 - min(rules.ticks[thing] for thing in range(len(THINGS)) if rules.goal[thing])
        found = [
            action
            for action in state.legal_actions()
            if action < WAIT - 1 and (short[action] or helps_at(state, action) <= last)
        ]
        return sorted(found, key=lambda action: short[action])

    def is_dominated(self, state: State) -> bool:
        """Whether a moment was met that is as good; it is remembered otherwise."""
        base = (state.tick, state.hatcheries, state.drones, state.overlords, state.zerglings, state.pool)
        jobs = tuple(sorted((job.action, job.done, job.place) for job in state.jobs))
        key = (*base, state.queens, jobs)
        if self.met.get(key, -1) >= state.minerals:
            return True
        self.met[key] = state.minerals
        return False

    def finish(self, state: State, orders: tuple[int, ...]) -> None:
        """Wait until the goal is reached; nothing more needs to be ordered."""
        while not state.is_terminal:
            state = state.passed()
        if state.outcome == REACHED and state.tick < self.best:
            self.best, self.orders = state.tick, orders


def found(goal: str, horizon: int = 200) -> dict[str, Any]:
    """The result for a goal."""
    search = Search(goal, horizon)
    search.run()
    return {
        "goal": goal,
        "ticks": search.best,
        "orders": [ACTIONS[action] for action in search.orders],
        "moments": search.moments,
    }


if __name__ == "__main__":
    document = {
        "command": "python -m gpkit_experiments.build_order_optimum",
        "results": [found(goal) for goal in GOALS],
    }
    FILE.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
