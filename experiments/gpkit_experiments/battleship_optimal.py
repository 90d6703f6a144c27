"""Optimal play on small boards of Battleship, and how far from it other shooters are.

    python -m gpkit_experiments.battleship_optimal

writes ``experiments/data/optimal-battleship.json``, one board after the other; with names of shooters it asks those
alone. All numbers are shots in solitaire at every legal fleet once. Of squares that it finds equally good, ``greedy``
takes each equally often, rollouts and what they follow take the likeliest and then the first one. Programs decide by a
key: the interval is that of a mean over ``KEYS`` keys. Agents are asked with the key 0.
"""

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from gpkit.core.errors import UsageError
from gpkit.core.rng import stream
from gpkit.games.battleship.game import GAME
from gpkit.games.battleship.options import Rules
from gpkit.games.battleship.players import AGENTS, strategy_of
from gpkit.playing.players import player_of_name, player_of_program, program_of_name
from gpkit_experiments.battleship_policies import (
    first_cost,
    first_of,
    greedy,
    misses_of_agent,
    misses_of_program,
    rollouts,
)
from gpkit_experiments.optimal_boards import PossibleFleets, SearchMemory, expected_shots, fleets_of

COMMAND = "python -m gpkit_experiments.battleship_optimal"
PATH = Path(__file__).parents[1] / "data" / "optimal-battleship.json"

SEED, KEYS = 61_001, 64
PLACES = (1 << 16, 1 << 20, 1 << 25)
"""Sizes of memory that are tried one after the other, in beliefs of 20 bytes."""

MOST_FLEETS = 1_000
BUDGET = f"at most {MOST_FLEETS:,} fleets, {PLACES[-1]:,} beliefs in memory (640 MiB), about a minute a board"

LARGEST = (4, 5)
"""Columns and rows up to which all boards with one or two ships are solved."""

EVERY, NEAR = (99, 1.0), (6, 0.1)
"""Squares that rollouts try: how many at most, and by how much less likely than the best."""

PROGRAMS = ("density", "marksman", "covers", "likeliest")

FIFTH, ROUNDING = 0.2, 1e-6

Row = dict[str, Any]


def boards() -> Iterator[Rules]:
    """The boards: fleets whose ships fit, touching or, where that is another rule, not."""
    for height in range(1, LARGEST[1] + 1):
        for width in range(1, min(height, LARGEST[0]) + 1):
            for first in range(1, height + 1):
                yield from _rules(width, height, (first,))
                for second in range(1, first + 1):
                    yield from _rules(width, height, (first, second))
    for length in range(2, 6):
        yield from _rules(5, 5, (length,))
    for width, height in ((3, 3), (2, 5), (3, 4), (3, 5), (4, 4)):
        for fleet in ((2, 2, 1), (2, 2, 2), (3, 2, 1), (3, 2, 2), (3, 3, 2)):
            yield from _rules(width, height, fleet)


def _rules(width: int, height: int, fleet: tuple[int, ...]) -> Iterator[Rules]:
    for touch in (True, False) if len(fleet) > 1 else (True,):
        rules = Rules(width=width, height=height, fleet=fleet, touch=touch)
        try:
            fleets_of(rules, MOST_FLEETS)
        except UsageError:
            continue
        yield rules


def name_of(rules: Rules) -> str:
    """Name of a row, such as ``4x5 3,2``."""
    apart = "" if rules.touch else " apart"
    return f"{rules.width}x{rules.height} {','.join(map(str, rules.fleet))}{apart}"


def solved(fleets: PossibleFleets) -> Row:
    """Fields of the optimum."""
    for places in PLACES:
        memory = SearchMemory.of(fleets, places)
        best = memory.best(fleets.everything, 0)
        if best is not None:
            shots = expected_shots(fleets, best.misses)
            return {"optimum": str(shots), "shots": round(float(shots), 6), "beliefs": memory.opened}
    raise AssertionError("boards beyond the budget are not among those that are solved")


def by_greedy(most: int, margin: float, times: int) -> Callable[[PossibleFleets, Rules], Row]:
    """Rollouts of greedy play, or of rollouts of it, and so on."""

    def measured(fleets: PossibleFleets, rules: Rules) -> Row:
        choose = greedy(fleets)
        for _ in range(times):
            choose = rollouts(first_of(choose), fleets, most, margin)
        return {"shots": round(fleets.to_hit + first_cost(choose, fleets), 6)}

    return measured


def by_program(name: str) -> Callable[[PossibleFleets, Rules], Row]:
    """A shipped program."""
    if name in GAME.programs:
        player = player_of_name(name, GAME)
    else:
        player = player_of_program(program_of_name(name, GAME), GAME, name)

    def measured(fleets: PossibleFleets, rules: Rules) -> Row:
        keys = stream(SEED, "keys").integers(0, 1 << 26, size=KEYS).tolist()
        misses = misses_of_program(player, keys, fleets, rules)
        low, mean, high = (fleets.to_hit + each for each in (misses.low, misses.mean, misses.high))
        return {"shots": round(mean, 4), "ci95": [round(low, 4), round(high, 4)]}

    return measured


def by_agent(name: str) -> Callable[[PossibleFleets, Rules], Row]:
    """A shipped agent, asked with one key."""

    def measured(fleets: PossibleFleets, rules: Rules) -> Row:
        misses = misses_of_agent(strategy_of(name), 0, 0, fleets, rules)
        return {"shots": round(float(fleets.to_hit + misses), 6)}

    return measured


def shooters() -> Mapping[str, Callable[[PossibleFleets, Rules], Row]]:
    """The shooters of the file, by name."""
    return {
        "greedy": by_greedy(*EVERY, 0),
        "rollouts of six": by_greedy(*NEAR, 1),
        "rollouts": by_greedy(*EVERY, 1),
        "rollouts of rollouts of six": by_greedy(*NEAR, 2),
        "rollouts of rollouts": by_greedy(*EVERY, 2),
        **{name: by_program(name) for name in PROGRAMS},
        **{name: by_agent(name) for name in ("belief",) if name in AGENTS},
    }


def row_of(
    rules: Rules, known: Row | None, names: Mapping[str, Callable[[PossibleFleets, Rules], Row]]
) -> Row:
    """A row: the optimum, if it is not known, and these shooters.

    ``left`` is the share of greedy play's distance from the optimum that a shooter leaves. Where ships of one square
    may lie anywhere, all shooters are alike and none is asked.
    """
    fleets = fleets_of(rules, MOST_FLEETS)
    row = known or {"fleets": len(fleets.fleets), **solved(fleets), "shooters": {}}
    if rules.touch and rules.fleet[0] == 1:
        return row
    for name, measured in names.items():
        row["shooters"][name] = measured(fleets, rules)
    gap = row["shooters"]["greedy"]["shots"] - row["shots"]
    row["shooters"] = {name: row["shooters"][name] for name in shooters() if name in row["shooters"]}
    for each in row["shooters"].values():
        each["left"] = round((each["shots"] - row["shots"]) / gap, 4) if gap > ROUNDING else None
    return row


def summary(rows: Mapping[str, Row]) -> Row:
    """By shooter the mean of shots above the optimum on all boards where it was asked; and over those where greedy play
    is not optimal the mean and the largest share of its distance that is left, and on how many at most a fifth is left.
    """
    left: Row = {}
    above: Row = {}
    for row in rows.values():
        for name, each in row["shooters"].items():
            above.setdefault(name, []).append(each["shots"] - row["shots"])
            if each["left"] is not None:
                left.setdefault(name, []).append(each["left"])
    return {
        name: {
            "mean above": round(sum(above[name]) / len(above[name]), 4),
            "boards": len(shares),
            "mean left": round(sum(shares) / len(shares), 4),
            "most left": max(shares),
            "at most a fifth": sum(each <= FIFTH for each in shares),
        }
        for name, shares in left.items()
    }


def written(rows: Mapping[str, Row]) -> str:
    """The data file, a line for each board."""
    head = {"schema": "gpkit/optimal-battleship/1", "command": COMMAND, "budget": BUDGET, "seed": SEED}
    head |= {"keys": KEYS, "summary": summary(rows)}
    fields = [f" {json.dumps(name)}: {json.dumps(value)}" for name, value in head.items()]
    lines = [f"  {json.dumps(name)}: {json.dumps(row)}" for name, row in rows.items()]
    return "{\n" + ",\n".join([*fields, ' "boards": {\n' + ",\n".join(lines) + "\n }"]) + "\n}\n"


def main(names: list[str]) -> None:
    """Write the file, after each board."""
    chosen = {name: each for name, each in shooters().items() if not names or name in names}
    old: dict[str, Row] = json.loads(PATH.read_text())["boards"] if names else {}
    rows: dict[str, Row] = dict(old)
    for rules in boards():
        name = name_of(rules)
        rows[name] = row_of(rules, old.get(name), chosen if name in old or not names else shooters())
        PATH.write_text(written(rows))
        sys.stderr.write(f"{name}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
