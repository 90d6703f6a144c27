"""Optimal play on small boards of Battleship, and the distance of other shooters from it.

    python -m gpkit_experiments.battleship_optimal

writes ``experiments/data/optimal-battleship.json``, one board after the other. If you name shooters, it measures only
these shooters. All numbers are shots in solitaire games, one game against every legal fleet. If several squares are
equally good, ``greedy`` chooses each of them equally often; rollouts, and the shooters that they follow, choose the
likeliest square, or the first of several. The random choices of programs depend on a key: the interval is for a mean
over ``KEYS`` keys. Agents use the key 0.
"""

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from gpkit.core.errors import UsageError
from gpkit.core.rng import stream
from gpkit.core.statistics import Interval, mean_interval
from gpkit.gamekit.players import Player
from gpkit.games.battleship.arena import AGENTS, Agent, empty_memory, play_compiled, strategy_of, sums_of
from gpkit.games.battleship.belief.player import MISS
from gpkit.games.battleship.game import GAME
from gpkit.games.battleship.kernel import layout as at
from gpkit.games.battleship.rules import BattleshipRules, Board, Placements
from gpkit.playing.players import player_of_name, player_of_program, program_of_name
from gpkit_experiments.optimal_boards import PossibleFleets, SearchMemory, expected_shots, fleets_of

Choose = Callable[[int, int], Sequence[int]]
"""Takes the possible fleets and the squares that were hit, and returns the squares that a shooter finds equally
good."""

Cost = Callable[[int, int, int], float]
"""Returns the future misses after a shot at a square, summed over the possible fleets; takes the arguments of
``Choose``."""


def cost_of(choose: Choose, fleets: PossibleFleets) -> Cost:
    """The expected cost of a shot if a shooter continues and chooses equally good squares equally often.

    When only one square is left to hit, every shooter chooses the likeliest squares first.
    """

    @cache
    def misses(belief: int, hits: int) -> float:
        if fleets.to_hit - hits.bit_count() == 1:
            counts = sorted(chances(belief, hits, fleets).values(), reverse=True)
            return float(sum(before * count for before, count in enumerate(counts)))
        squares = choose(belief, hits) if belief & belief - 1 else ()
        return sum(cost(belief, hits, square) for square in squares) / max(1, len(squares))

    def cost(belief: int, hits: int, square: int) -> float:
        total = 0.0
        for answer, after in fleets.answers(belief, hits, square).items():
            if answer == MISS:
                total += after.bit_count() + misses(after, hits)
            else:
                total += misses(after, hits | 1 << square)
        return total

    return cost


def first_cost(choose: Choose, fleets: PossibleFleets) -> float:
    """The expected number of misses of a shooter in a game."""
    squares = choose(fleets.everything, 0)
    cost = cost_of(choose, fleets)
    return sum(cost(fleets.everything, 0, square) for square in squares) / len(squares) / len(fleets.fleets)


def chances(belief: int, hits: int, fleets: PossibleFleets) -> dict[int, int]:
    """For each unknown square, the number of possible fleets with a ship there, if there are any."""
    counts = {s: (belief & covering).bit_count() for s, covering in enumerate(fleets.covering)}
    return {square: count for square, count in counts.items() if count and not hits >> square & 1}


def greedy(fleets: PossibleFleets) -> Choose:
    """The squares where a ship is most likely."""

    def choose(belief: int, hits: int) -> list[int]:
        counts = chances(belief, hits, fleets)
        best = max(counts.values(), default=0)
        return [square for square, count in counts.items() if count == best]

    return choose


def first_of(choose: Choose) -> Choose:
    """The first of the squares that another shooter finds equally good."""
    return lambda belief, hits: choose(belief, hits)[:1]


def rollouts(base: Choose, fleets: PossibleFleets, most: int, margin: float) -> Choose:
    """The square with the fewest future misses if another shooter takes over after this shot.

    Of equally good squares, rollouts choose the likeliest, and then the first.

    Args:
        base: the other shooter.
        fleets: all possible fleets.
        most: the maximum number of squares to try; of equally likely squares, the first ones are tried.
        margin: squares whose probability is more than this below the highest probability are not tried.
    """
    cost = cost_of(base, fleets)

    def choose(belief: int, hits: int) -> list[int]:
        counts = chances(belief, hits, fleets)
        ranked = sorted(counts, key=lambda square: -counts[square])[:most]
        least = max(counts.values(), default=0) - margin * belief.bit_count()
        tried = [square for square in ranked if counts[square] >= least]
        return [min(tried, key=lambda square: cost(belief, hits, square))] if tried else []

    return choose


def misses_of_program(
    player: Player, keys: Sequence[int], fleets: PossibleFleets, rules: BattleshipRules
) -> Interval:
    """The expected misses of a program, with an interval for the mean over keys.

    Keys decide between equally good squares. Each key is played against every fleet.
    """
    table = np.zeros((len(keys), 2, at.KEYS), dtype=np.int64)
    table[:, 0, at.SHOT_KEY] = keys
    memory = empty_memory([player], (len(keys), 1), rules)
    shots = np.zeros(len(keys))
    for fleet in range(len(fleets.fleets)):
        sums = np.stack([sums_of(placements_of(fleet, fleets, rules), rules)] * 2)
        shots += play_compiled([player, player], table, rules, memory, sums=sums)[0][:, 0, at.SCORE]
    return mean_interval(shots / len(fleets.fleets) - fleets.to_hit)


def misses_of_agent(
    agent: Agent, number: int, key: int, fleets: PossibleFleets, rules: BattleshipRules
) -> Fraction:
    """The expected misses of an agent with one key: for fleets that give the same answers, it chooses only once."""

    def misses(belief: int, squares: tuple[int, ...]) -> int:
        first = (belief & -belief).bit_length() - 1
        board = Board.of(placements_of(first, fleets, rules), rules)
        for square in squares:
            board = board.shoot(square)
        if board.status == "cleared":
            return 0
        shot = sum(1 << square for square in squares)
        square = agent.consider(board, number, key)[0]
        return sum(
            misses(after, (*squares, square)) + (after.bit_count() if answer == MISS else 0)
            for answer, after in fleets.answers(belief, shot, square).items()
        )

    return Fraction(misses(fleets.everything, ()), len(fleets.fleets))


def placements_of(fleet: int, fleets: PossibleFleets, rules: BattleshipRules) -> Placements:
    """The placements of the fleet with this number."""
    ships = [fleets.ships[ship].squares for ship in fleets.fleets[fleet]]
    return tuple(
        2 * squares[0] + (len(squares) > 1 and squares[1] - squares[0] == rules.width) for squares in ships
    )


COMMAND = "python -m gpkit_experiments.battleship_optimal"
PATH = Path(__file__).parents[1] / "data" / "optimal-battleship.json"

SEED, KEYS = 61_001, 64
PLACES = (1 << 16, 1 << 20, 1 << 25)
"""The sizes of memory to try, one after the other, in beliefs of 20 bytes."""

MOST_FLEETS = 1_000
BUDGET = f"at most {MOST_FLEETS:,} fleets, {PLACES[-1]:,} beliefs in memory (640 MiB), about a minute a board"

LARGEST = (4, 5)
"""The numbers of columns and rows up to which all boards with one or two ships are solved."""

EVERY, NEAR = (99, 1.0), (6, 0.1)
"""The squares that rollouts try: the maximum number, and the largest distance from the highest probability."""

PROGRAMS = ("density", "marksman", "covers", "likeliest")

FIFTH, ROUNDING = 0.2, 1e-6

Row = dict[str, Any]


def boards() -> Iterator[BattleshipRules]:
    """The boards: fleets whose ships fit; ships may touch, or, where this makes a difference, may not."""
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


def _rules(width: int, height: int, fleet: tuple[int, ...]) -> Iterator[BattleshipRules]:
    for touch in (True, False) if len(fleet) > 1 else (True,):
        rules = BattleshipRules(width=width, height=height, fleet=fleet, touch=touch)
        try:
            fleets_of(rules, MOST_FLEETS)
        except UsageError:
            continue
        yield rules


def name_of(rules: BattleshipRules) -> str:
    """The name of a row, such as ``4x5 3,2``."""
    apart = "" if rules.touch else " apart"
    return f"{rules.width}x{rules.height} {','.join(map(str, rules.fleet))}{apart}"


def solved(fleets: PossibleFleets) -> Row:
    """The fields of a row that describe the optimum."""
    for places in PLACES:
        memory = SearchMemory.of(fleets, places)
        best = memory.best(fleets.everything, 0)
        if best is not None:
            shots = expected_shots(fleets, best.misses)
            return {"optimum": str(shots), "shots": round(float(shots), 6), "beliefs": memory.opened}
    raise AssertionError("boards beyond the budget are not among those that are solved")


def by_greedy(most: int, margin: float, times: int) -> Callable[[PossibleFleets, BattleshipRules], Row]:
    """Rollouts of greedy play, or rollouts of such rollouts, and so on."""

    def measured(fleets: PossibleFleets, rules: BattleshipRules) -> Row:
        choose = greedy(fleets)
        for _ in range(times):
            choose = rollouts(first_of(choose), fleets, most, margin)
        return {"shots": round(fleets.to_hit + first_cost(choose, fleets), 6)}

    return measured


def by_program(name: str) -> Callable[[PossibleFleets, BattleshipRules], Row]:
    """A shipped program."""
    if name in GAME.programs:
        player = player_of_name(name, GAME)
    else:
        player = player_of_program(program_of_name(name, GAME), GAME, name)

    def measured(fleets: PossibleFleets, rules: BattleshipRules) -> Row:
        keys = stream(SEED, "keys").integers(0, 1 << 26, size=KEYS).tolist()
        misses = misses_of_program(player, keys, fleets, rules)
        low, mean, high = (fleets.to_hit + each for each in (misses.low, misses.mean, misses.high))
        return {"shots": round(mean, 4), "ci95": [round(low, 4), round(high, 4)]}

    return measured


def by_agent(name: str) -> Callable[[PossibleFleets, BattleshipRules], Row]:
    """A shipped agent with one key."""

    def measured(fleets: PossibleFleets, rules: BattleshipRules) -> Row:
        misses = misses_of_agent(strategy_of(name), 0, 0, fleets, rules)
        return {"shots": round(float(fleets.to_hit + misses), 6)}

    return measured


def shooters() -> Mapping[str, Callable[[PossibleFleets, BattleshipRules], Row]]:
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
    rules: BattleshipRules,
    known: Row | None,
    names: Mapping[str, Callable[[PossibleFleets, BattleshipRules], Row]],
) -> Row:
    """A row: the optimum, if it is not known yet, and the results of these shooters.

    ``left`` is the share of the distance between greedy play and the optimum that a shooter does not close. If ships of
    one square may lie anywhere, all shooters are the same and none is measured.
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
    """For each shooter, the mean number of shots above the optimum on all boards where it was measured.

    For the boards where greedy play is not optimal, the summary also has the mean and the largest share of the
    distance that is left, and the number of boards where at most a fifth is left.
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
    """The contents of the data file, with a line for each board."""
    head = {"schema": "gpkit/optimal-battleship/1", "command": COMMAND, "budget": BUDGET, "seed": SEED}
    head |= {"keys": KEYS, "summary": summary(rows)}
    fields = [f" {json.dumps(name)}: {json.dumps(value)}" for name, value in head.items()]
    lines = [f"  {json.dumps(name)}: {json.dumps(row)}" for name, row in rows.items()]
    return "{\n" + ",\n".join([*fields, ' "boards": {\n' + ",\n".join(lines) + "\n }"]) + "\n}\n"


def main(names: list[str]) -> None:
    """Measure the boards, and write the file after each board."""
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
