"""Worth of scouting with ``attack=random``, and with other pairs of attacks.

``python -m gpkit_experiments.build_order_scouting`` writes ``experiments/data/scouting-build_order.json`` anew, in
minutes; with the words ``grid`` or ``plans`` these parts alone. A plan that does not scout learns which attack comes
when the early one arrives or does not; what is ordered from then on hatches when the early fight is over. So, chance
apart, it is one list of orders for both attacks, and chance only mixes lists. Simulated annealing looks for a list that
survives both, and for those that survive one of them.

The attacks of ``attack=random`` were chosen so that no list survives both. The grid has pairs that nothing was chosen
by. Who scouts in a cell sends a drone at once, makes another, waits until the first is back, and follows a list for the
attack that comes; who does not, follows the better of a list for both attacks and lists for one. All lists come from
searches of the same length. ``pays`` is by how much the share of attacks survived is larger with a scout, both attacks
equally likely; it rests on what the searches find.
"""

import json
import math
import random
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numba
import numpy as np

from gpkit.core.registry import shipped_programs
from gpkit.core.rng import stream
from gpkit.games.build_order.game import ENEMY, GAME, base_for
from gpkit.games.build_order.kernel import layout as at
from gpkit.games.build_order.kernel.base import advance, begin, can_begin, can_ever_begin, start
from gpkit.games.build_order.kernel.things import ACTIONS, DRONE, MOST_HORIZON, SCOUT, WAIT, ZERGLINGS
from gpkit.games.build_order.options import RANDOM_ATTACKS, Attack, Rules
from gpkit.playing.players import player_of_name, player_of_text
from gpkit_experiments.papers.units import mean_interval, paired_difference, told, write_record

FILE = Path(__file__).parents[1] / "data" / "scouting-build_order.json"
COMMAND = "python -m gpkit_experiments.build_order_scouting"

SEARCH_SEEDS = range(61_001, 61_013)
PLAY_SEED, GAMES = 61_100, 2000
"""Named before anything was searched for, or played, with them; the attacks were chosen on seeds below 10,000."""

STEPS, HOT, COLD = 400_000, 3.0, 0.05
EARLY_WEIGHT = 6.0
"""By how much each fighter that is missing early counts for more than one that is missing late."""

EARLY = tuple(Attack(tick, size) for tick in (150, 175, 200) for size in (6, 10, 14))
LATE = tuple(Attack(340, size) for size in (25, 34, 43, 52))
GRID_SEEDS, GRID_STEPS = (61_201, 61_202), 150_000
"""Attacks of the grid, and the searches in it; named before anything was searched for with them."""

MOST_CELLS = len(EARLY) * len(LATE) / 2
"""Scouting is said to pay in general if it pays in more cells than that: most of them."""

LONGEST, MOST, FIRST = 180, 150, 30
"""Orders of a list at most, with those that come first; without them; and at first."""

RULES = Rules.from_options({"attack": "random"})

SCOUTING = (SCOUT, DRONE, *[WAIT] * RULES.scout_ticks)
"""Orders of who scouts until the scout is back."""

Orders = list[int]


@numba.njit(error_model="numpy")
def follow(base, tick, size, orders, count, begun):  # type: ignore[no-untyped-def]
    """Play a list of orders against an attack; an order that can never begin is left out.

    Args:
        base: a game's arrays, changed.
        tick, size: of the attack.
        orders: int8 (orders,), of which the first ``count`` count.
        begun: int8 (orders,), changed: the orders that began.

    Returns:
        The most fighters beyond those of the enemy after a tick of the fight, at most 0, which survives; and the
        number of orders that began.
    """
    begin(base, tick, size)
    counts = base.counts
    lead, place, kept = -size, 0, 0
    while counts[at.OUTCOME] == at.GOING:
        if counts[at.TICK] >= tick:
            own = counts[at.ZERGLINGS] + counts[at.QUEENS]
            lead = max(lead, min(0, own - counts[at.ENEMIES]))
            if counts[at.ENEMIES] == 0:
                break
        if place == count:
            advance(base, MOST_HORIZON * MOST_HORIZON, MOST_HORIZON)
            continue
        action = np.int64(orders[place])
        if action == WAIT:
            advance(base, 0, counts[at.TICK] + 1)
            begun[kept] = action
            kept, place = kept + 1, place + 1
        elif not can_ever_begin(base, action):
            place += 1
        elif can_begin(base, action):
            start(base, action)
            begun[kept] = action
            kept, place = kept + 1, place + 1
        else:
            advance(base, base.rules[at.COST + action], MOST_HORIZON)
    return lead, kept


class Annealing:
    """Simulated annealing over lists of orders without a scout, or of what is ordered once it is back.

    Attributes:
        aims: the attacks that count, with the weights of the leads over them.
        before: orders that come first and are not varied.
        best: the value of the best list, 0 where it survives all attacks that count.
        orders: that list, without those that come first.
    """

    def __init__(self, aims: Sequence[tuple[float, Attack]], seed: int, before: Sequence[int] = ()) -> None:
        self.aims, self.before = aims, tuple(before)
        self.rng = random.Random(seed)  # noqa: S311
        self.base = base_for(RULES)
        self.begun = np.zeros(LONGEST, dtype=np.int8)
        self.best = -math.inf
        self.orders: Orders = []

    def value(self, orders: Orders) -> tuple[float, Orders]:
        """The weighted leads of a list, and those of its orders that begin."""
        given, value = np.array([*self.before, *orders], dtype=np.int8), 0.0
        for weight, attack in self.aims:
            lead, kept = follow(self.base, attack.tick, attack.size, given, len(given), self.begun)
            value += weight * lead
        return value, self.begun[len(self.before) : kept].tolist()

    def varied(self, orders: Orders) -> Orders:
        """A list with up to three orders added, dropped, replaced, exchanged or moved."""
        rng, changed = self.rng, orders.copy()
        for _ in range(rng.randint(1, 3)):
            place, other = rng.randrange(len(changed)), rng.randrange(len(changed))
            what = rng.randrange(5)
            if what == 0 and len(changed) < MOST:
                changed.insert(place, rng.randrange(SCOUT))
            elif what == 1 and len(changed) > 1:
                del changed[place]
            elif what == 2:
                changed[place] = rng.randrange(SCOUT)
            elif what == 3:
                changed[place], changed[other] = changed[other], changed[place]
            else:
                changed.insert(other, changed.pop(place))
        return changed

    def run(self, steps: int) -> None:
        """Vary a random list, and keep what is not much worse, less and less so."""
        value, orders = self.value([self.rng.randrange(SCOUT) for _ in range(FIRST)])
        for step in range(steps):
            heat = HOT * (COLD / HOT) ** (step / steps)
            # zerglings at the end, as the enemy may be outlasted
            found, begun = self.value(self.varied([*orders, ZERGLINGS][:MOST]))
            if found >= value or self.rng.random() < math.exp((found - value) / heat):
                value, orders = found, begun
            if value > self.best:
                self.best, self.orders = value, orders
            if self.best == 0.0:
                return


def leads(orders: Orders) -> list[int]:
    """By attack the lead of a list (``follow``)."""
    base, begun, given = base_for(RULES), np.zeros(LONGEST, dtype=np.int8), np.array(orders, dtype=np.int8)
    return [int(follow(base, each.tick, each.size, given, len(given), begun)[0]) for each in RANDOM_ATTACKS]


def found(name: str, early: float, late: float, seeds: Sequence[int], steps: int = STEPS) -> dict[str, Any]:
    """The best list of some searches."""
    aims = [pair for pair in zip((early, late), RANDOM_ATTACKS, strict=True) if pair[0]]
    searches = [Annealing(aims, seed) for seed in seeds]
    for search in searches:
        search.run(steps)
    best = max(searches, key=lambda search: search.best)
    orders = [ACTIONS[action] for action in best.orders]
    return {
        "survives": name,
        "leads": leads(best.orders),
        "values": [s.best for s in searches],
        "orders": orders,
    }


def survives(aims: Sequence[tuple[float, Attack]], before: Sequence[int] = ()) -> bool:
    """True if a search of the grid finds a list that survives all these attacks."""
    for seed in GRID_SEEDS:
        search = Annealing(aims, seed, before)
        search.run(GRID_STEPS)
        if search.best == 0.0:
            return True
    return False


def cell(early: Attack, late: Attack, scouts: Sequence[int] = SCOUTING) -> dict[str, Any]:
    """A cell of the grid: the shares of two attacks survived by lists, and by lists for what the scout tells."""
    single = [survives([(1.0, attack)]) for attack in (early, late)]
    both = all(single) and survives([(EARLY_WEIGHT, early), (1.0, late)])
    told = [survives([(1.0, attack)], scouts) for attack in (early, late)]
    blind = 1.0 if both else max(single) / 2
    scouted = sum(told) / 2
    names = {"early": f"{early.tick}:{early.size}", "late": f"{late.tick}:{late.size}"}
    return {**names, "lists": blind, "scout": scouted, "pays": scouted - blind}


def grid() -> dict[str, Any]:
    """The grid, and whether scouting pays in most of it."""
    cells = [cell(early, late) for early in EARLY for late in LATE]
    paying = sum(each["pays"] > 0 for each in cells)
    return {
        "seeds": list(GRID_SEEDS),
        "steps": GRID_STEPS,
        "pays": paying,
        "costs": sum(each["pays"] < 0 for each in cells),
        "claim": "scouting pays in most cells",
        "verdict": "holds" if paying > MOST_CELLS else "fails",
        "cells": cells,
    }


def survived(text: str, filename: str) -> np.ndarray:
    """By game whether a program survives: float64 (games,)."""
    players = [player_of_text(text, GAME, filename=filename), player_of_name(ENEMY, GAME)]
    deals = GAME.deal(stream(PLAY_SEED, "deals"), GAMES, RULES)
    return GAME.play(players, deals, RULES).values[:, 0]


def plan_of(orders: Sequence[str]) -> str:
    """A list of orders as a plan."""
    return "// game: build_order\n" + "".join(f"do {order}\n" for order in orders)


def compared(lists: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The share of games survived by ``scout.plan`` and by each list, and their difference on the same games."""
    scout = survived(shipped_programs("build_order")["scout"].read_text(encoding="utf-8"), "scout.plan")
    rows = [{"plan": "scout.plan", "survived": told(mean_interval(scout, support=(0.0, 1.0)))}]
    for each in lists:
        shares = survived(plan_of(each["orders"]), "list.plan")
        rows.append(
            {
                "plan": f"the best list for {each['survives']}",
                "survived": told(mean_interval(shares, support=(0.0, 1.0))),
                "scout_better_by": told(paired_difference(scout, shares, support=(-1.0, 1.0))),
            }
        )
    return rows


def document() -> dict[str, Any]:
    """Everything that is measured."""
    lists = [
        found("both attacks", EARLY_WEIGHT, 1.0, SEARCH_SEEDS),
        found("the early attack", 1.0, 0.0, SEARCH_SEEDS[:1]),
        found("the late attack", 0.0, 1.0, SEARCH_SEEDS[:1]),
    ]
    return {
        "command": COMMAND,
        "attacks": [f"{each.tick}:{each.size}" for each in RANDOM_ATTACKS],
        "search": {"seeds": list(SEARCH_SEEDS), "steps": STEPS, "early_weight": EARLY_WEIGHT},
        "lists": lists,
        "play": {"seed": PLAY_SEED, "games": GAMES},
        "plans": compared(lists),
        "grid": grid(),
    }


def main(words: list[str]) -> None:
    """Write the file, or these parts of it."""
    known = json.loads(FILE.read_text(encoding="utf-8"))
    parts: dict[str, Callable[[], Any]] = {"grid": grid, "plans": partial(compared, known["lists"])}
    write_record(FILE, known | {word: parts[word]() for word in words} if words else document())


if __name__ == "__main__":
    main(sys.argv[1:])
