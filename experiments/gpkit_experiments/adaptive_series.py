"""Strength of the adaptive player of Battleship: its targets, what memory is worth, and hard-coded opponents.

    python -m gpkit_experiments.adaptive_series targeting > experiments/data/adaptive-targeting.json
    python -m gpkit_experiments.adaptive_series memory > experiments/data/adaptive-memory.json
    python -m gpkit_experiments.adaptive_series opponents > experiments/data/adaptive-opponents.json

Names of rows may follow, such as ``targeting wall``: then only those are measured.

``targeting``: shots of corrected Figure 8 (after a ship has sunk it begins anew) by what answers ``Target`` after some
games against one placement. ``memory``: series of duels with a player that is the adaptive one without memory and lays
its fleet by a pattern; on the same deals the adaptive player and itself without memory meet it. ``opponents``: series
of duels with hard-coded players.
"""

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from gpkit.core.rng import stream
from gpkit.core.statistics import Interval, mean_interval, paired_difference
from gpkit.gamekit.players import LearningPlayer, Player
from gpkit.games.battleship.arena import Aim, fleets_of, running_sums, sums_of, turns_at
from gpkit.games.battleship.fleets import squares_of
from gpkit.games.battleship.game import GAME
from gpkit.games.battleship.learner.adaptive import ADAPTIVE
from gpkit.games.battleship.learner.experience import Experience, with_waves
from gpkit.games.battleship.learner.settings import DEFAULTS, Targeting
from gpkit.games.battleship.learner.sinkers import shooter_of
from gpkit.games.battleship.learner.targeting import aim_of, log_likelihoods, predictions
from gpkit.games.battleship.memory import Memory, placement_weights
from gpkit.games.battleship.options import Rules
from gpkit.games.battleship.rules import returns_of
from gpkit.games.battleship.sides import first_memory, play_sides
from gpkit.playing.players import player_of_name, player_of_program, program_of_name
from gpkit_experiments.papers.battleship_adaptive.adapting import PairedSeries

COMMAND = "python -m gpkit_experiments.adaptive_series {given} > experiments/data/adaptive-{part}.json"

BATCHES: Mapping[str, Mapping[int, int]] = {
    "targeting": {43_001: 12},
    "memory": {43_002: 6, 43_012: 12},
    "opponents": {43_003: 1, 43_013: 5},
}
"""Series of each row, by seed. Every seed was named before any of its games was played, and all series of a part count;
settings were chosen on seeds 0 to 100."""

BOARDS_EACH = 25
"""Boards of ``targeting`` after each number of games seen."""

PATTERNS = ("wall", "corner", "corners", "lines", "uniform")
SEEN = (0, 1, 5, 20)
"""Games seen before those that are told of."""

TARGETINGS: tuple[Targeting, ...] = ("mixture", "waves", "counts")
LESSONS = 5_000
BOARDS = ("10x10", "8x8", "12x12")
GAMES = 11
SHOOTERS = ("random", "raster", "checkerboard", "diagonal", "corrected", "hunt")
PLACEMENTS = ("uniform", "corner", "wall", "corners")

Floats = NDArray[np.float64]
CORRECTED = program_of_name("corrected", GAME)


def told(interval: Interval) -> dict[str, object]:
    """The fields of an interval."""
    return {"mean": round(interval.mean, 4), "ci95": [round(interval.low, 4), round(interval.high, 4)]}


def fleets_from(pattern: str, rules: Rules, seed: int, number: int, count: int) -> NDArray[np.int64]:
    """Fleets of a pattern: int64 (count, ships)."""
    keys = GAME.deal(stream(seed, "fleets", number), count, rules).keys[:, 1]
    return fleets_of(keys, running_sums(pattern, rules), rules)


def ships_of(fleets: NDArray[np.int64], rules: Rules) -> Floats:
    """By square the fleets that cover it: float64 (squares,)."""
    found = np.zeros(rules.squares)
    for fleet in fleets.tolist():
        for placement, length in zip(fleet, rules.fleet, strict=True):
            found[list(squares_of(placement, length, rules))] += 1.0
    return found


def shots(aim: Aim, fleets: NDArray[np.int64], rules: Rules) -> float:
    """The mean number of shots of corrected Figure 8."""
    sums = np.stack([[sums_of(tuple(fleet), rules)] * 2 for fleet in fleets.tolist()])
    player = shooter_of(CORRECTED, aim)
    return float(np.mean(turns_at(sums, player, np.arange(len(fleets)), rules, aim)))


def after_another(before: Experience, fleet: NDArray[np.int64], seed: int, rules: Rules) -> Experience:
    """Experience after a game in which the board was cleared, with waves that were evolved for the next one."""
    ships = ships_of(fleet[None], rules).astype(int).tolist()
    game = Memory(tuple(ships), (1,) * rules.squares)
    gained = log_likelihoods(predictions(before.seen, before.waves[0], rules, DEFAULTS), game, rules)
    added = [
        tuple(map(sum, zip(a, b, strict=True)))
        for a, b in ((before.seen.ships, game.ships), (before.seen.known, game.known))
    ]
    logs = tuple(map(sum, zip(before.logs, gained, strict=True)))
    return with_waves(replace(before, seen=Memory(*added), logs=logs), rules, seed, DEFAULTS)


def targeting_row(pattern: str, batches: Mapping[int, int], boards: int = BOARDS_EACH) -> dict[str, object]:
    """Shots by who answers ``Target`` and games seen; ``less``: mixture less the better of the other two, paired."""
    rules = Rules()
    player = player_of_name("adaptive", GAME)
    assert isinstance(player, LearningPlayer)
    ((seed, repeat),) = batches.items()
    found = np.zeros((len(TARGETINGS) + 1, len(SEEN), repeat))
    lessons = ships_of(fleets_from(pattern, rules, seed, 0, LESSONS), rules)
    known = Aim(placement_weights(lessons, np.full(rules.squares, float(LESSONS)), rules))
    for series in range(repeat):
        fleets = fleets_from(pattern, rules, seed, series + 1, SEEN[-1] + boards * len(SEEN))
        met, experience = fleets[SEEN[-1] * 0 : SEEN[-1]], ADAPTIVE.begin(player, rules)
        for games in range(SEEN[-1] + 1):
            if games in SEEN:
                place = SEEN.index(games)
                asked = fleets[SEEN[-1] + place * boards :][:boards]
                for number, targeting in enumerate(TARGETINGS):
                    aim = aim_of(
                        experience.seen,
                        experience.waves[0],
                        experience.logs,
                        rules,
                        replace(DEFAULTS, targeting=targeting),
                    )
                    found[number, place, series] = shots(aim, asked, rules)
                found[-1, place, series] = shots(known, asked, rules)
            if games < SEEN[-1]:
                experience = after_another(experience, met[games], series * 1000 + games, rules)
    row: dict[str, object] = {
        name: {str(seen): told(mean_interval(found[number, place])) for place, seen in enumerate(SEEN)}
        for number, name in enumerate((*TARGETINGS, "known"))
    }
    means = found.mean(axis=2)
    less = {}
    for place, seen in enumerate(SEEN):
        better = 1 + int(means[2, place] < means[1, place])
        less[str(seen)] = told(paired_difference(found[0, place], found[better, place]))
    return {**row, "less": less}


def memory_row(pattern: str, board: str, batches: Mapping[int, int]) -> dict[str, object]:
    """Shares of wins against itself without memory and with a placement, with memory and without, paired."""
    rules = GAME.make_rules({"mode": "duel", "board": board})
    found = np.array(
        [
            PairedSeries(pattern, rules, seed, number, GAMES).scores()
            for seed, series in batches.items()
            for number in range(series)
        ]
    )
    mindful, mindless = np.moveaxis(found.mean(axis=2), 1, 0)
    ends = np.cumsum(list(batches.values()))[:-1]
    return {
        "with": told(mean_interval(mindful, support=(0.0, 1.0))),
        "without": told(mean_interval(mindless, support=(0.0, 1.0))),
        "more": told(paired_difference(mindful, mindless)),
        "more by seed": [round(float(part.mean()), 4) for part in np.split(mindful - mindless, ends)],
        "by game": [[round(float(value), 3) for value in row] for row in found.mean(axis=0)],
    }


def opponent_of(shooter: str, placement: str) -> Player:
    """A hard-coded player; ``corrected`` is Figure 8 with its faults mended and targets on a checkerboard."""
    if shooter == "corrected":
        header = {"sunk": "reset", "target": "checkerboard", "placement": placement}
        return player_of_program(CORRECTED, GAME, f"corrected:{placement}", header)
    return player_of_name(f"{shooter}:{placement}", GAME)


def shares_won(opponent: Player, batches: Mapping[int, int]) -> Floats:
    """Shares of duels that the adaptive player wins in series: float64 (series,); they change seats with every one."""
    rules = GAME.make_rules({"mode": "duel"})
    players = [player_of_name("adaptive", GAME), opponent]
    found = []
    for seed, series in batches.items():
        for number in range(series):
            memory, won = [first_memory(player, rules) for player in players], 0.0
            for game in range(GAMES):
                deals = GAME.deal(stream(seed, "series", number, game), 1, rules)
                seat = (number + game) % 2
                ended = play_sides(players, [deals.seat(0, 0), deals.seat(0, 1)], memory, seat, rules)
                memory, won = list(ended.memory), won + returns_of(ended.boards, rules)[seat]
            found.append(won / GAMES)
    return np.array(found)


def opponent_row(shooter: str, batches: Mapping[int, int]) -> dict[str, object]:
    """Shares of wins in series of duels, by placement, and over all of them; the unit is the series."""
    shares = {name: shares_won(opponent_of(shooter, name), batches) for name in PLACEMENTS}
    return {
        "all": told(mean_interval(np.concatenate(list(shares.values())), support=(0.0, 1.0))),
        **{name: told(mean_interval(values, support=(0.0, 1.0))) for name, values in shares.items()},
    }


Rows = Mapping[str, Callable[[], dict[str, object]]]


def rows_of(part: str) -> Rows:
    """All rows of a part, by name."""
    if part == "targeting":
        return {pattern: partial(targeting_row, pattern, BATCHES[part]) for pattern in PATTERNS}
    if part == "memory":
        return {
            f"{board}-{pattern}": partial(memory_row, pattern, board, BATCHES[part])
            for board in BOARDS
            for pattern in PATTERNS
        }
    return {shooter: partial(opponent_row, shooter, BATCHES[part]) for shooter in SHOOTERS}


def report(part: str, names: Sequence[str] = ()) -> dict[str, object]:
    """The data file of a part: all rows, or those that are named."""
    given = " ".join([part, *names])
    rows = rows_of(part)
    found = {}
    for name in names or rows:
        found[name] = rows[name]()
        sys.stderr.write(f"{name} {json.dumps(found[name])}\n")
    return {
        "schema": f"gpkit/adaptive-{part}/2",
        "command": COMMAND.format(given=given, part=part),
        **settings_of(part),
        "rows": found,
    }


def settings_of(part: str) -> dict[str, object]:
    """What decides a part beside its rows."""
    series: dict[str, object] = {str(seed): count for seed, count in BATCHES[part].items()}
    if part == "targeting":
        return {"series": series, "boards": BOARDS_EACH}
    return {"series": series, "games": GAMES}


if __name__ == "__main__":
    json.dump(report(sys.argv[1], sys.argv[2:]), sys.stdout, indent=1)
    sys.stdout.write("\n")
