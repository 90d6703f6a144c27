"""Strength of the adaptive player of Battleship: its targets, what memory is worth, and hard-coded opponents.

    python tests/adaptive_series.py targeting > tests/data/adaptive-targeting.json
    python tests/adaptive_series.py memory > tests/data/adaptive-memory.json
    python tests/adaptive_series.py opponents > tests/data/adaptive-opponents.json

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
from gpkit.games.battleship.arena import Aim, fleets_of, running_sums, sums_of, turns_at
from gpkit.games.battleship.fleets import squares_of
from gpkit.games.battleship.game import GAME
from gpkit.games.battleship.memory import Memory, placement_weights
from gpkit.games.battleship.options import Rules
from gpkit.games.battleship.rules import Board, returns_of
from gpkit.games.battleship.sides import Keys, referee
from gpkit.games.players import LearningPlayer, Player
from gpkit.learners.battleship.adaptive import ADAPTIVE
from gpkit.learners.battleship.experience import Experience, with_waves
from gpkit.learners.battleship.settings import DEFAULTS, Targeting
from gpkit.learners.battleship.sinking import shooter_of
from gpkit.learners.battleship.targeting import aim_of, log_likelihoods, predictions
from gpkit.playing.players import player_of_name, player_of_program, program_of_name
from gpkit.playing.series import play_series

COMMAND = "python tests/adaptive_series.py {given} > tests/data/adaptive-{part}.json"
SEEDS = {"targeting": 43_001, "memory": 43_002, "opponents": 43_003}
"""Named before any of their games was played; settings were chosen on seeds 0 to 100."""

SIZES: Mapping[str, Mapping[str, int]] = {
    "targeting": {"series": 12, "boards": 25},
    "memory": {"series": 6, "games": 11},
    "opponents": {"series": 1, "games": 11},
}
"""Series of each row; boards after each number of games seen; games of a series."""

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


def targeting_row(pattern: str, seed: int, repeat: int, boards: int) -> dict[str, object]:
    """Shots by who answers ``Target`` and games seen; ``less``: mixture less the better of the other two, paired."""
    rules = Rules()
    player = player_of_name("adaptive", GAME)
    assert isinstance(player, LearningPlayer)
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


def duel(
    players: Sequence[LearningPlayer],
    memory: Sequence[Experience],
    keys: Sequence[Keys],
    rotation: int,
    rules: Rules,
) -> tuple[float, Board, Board]:
    """Score of the first of two adaptive players, what it shot at, and its own fleet as the other shot at it."""
    seats = [(player + rotation) % 2 for player in range(2)]
    sides = [
        ADAPTIVE.side(player, keys[seat], rules, known)
        for player, seat, known in zip(players, seats, memory, strict=True)
    ]
    boards = [sides[0].clear(sides[1].fleet()), sides[1].clear(sides[0].fleet())]
    ended = referee((boards[seats[0]], boards[1 - seats[0]]), rules)
    return returns_of(ended, rules)[seats[0]], ended[seats[0]], ended[seats[1]]


def memory_row(pattern: str, board: str, seed: int, repeat: int) -> dict[str, object]:
    """Shares of wins against itself without memory and with a placement, with memory and without, paired."""
    rules = GAME.make_rules({"mode": "duel", "board": board})
    players = [player_of_name("adaptive", GAME), player_of_name(f"adaptive:{pattern}", GAME)]
    assert all(isinstance(player, LearningPlayer) for player in players)
    nothing = ADAPTIVE.begin(players[0], rules)
    found = np.zeros((2, repeat, GAMES))
    for series in range(repeat):
        learned = nothing
        for number in range(GAMES):
            deals = GAME.deal(stream(seed, "memory", series, number), 1, rules)
            keys = deals.seat(0, 0), deals.seat(0, 1)
            rotation = (series + number) % 2
            found[1, series, number], _, _ = duel(players, [nothing, nothing], keys, rotation, rules)
            score, shot_at, home = duel(players, [learned, nothing], keys, rotation, rules)
            found[0, series, number] = score
            seat = (rotation) % 2
            side = ADAPTIVE.side(players[0], keys[seat], rules, learned)
            learned = side.remember(shot_at, home)
    shares = found.mean(axis=2)
    return {
        "with": told(mean_interval(shares[0], support=(0.0, 1.0))),
        "without": told(mean_interval(shares[1], support=(0.0, 1.0))),
        "more": told(paired_difference(shares[0], shares[1])),
        "by game": [[round(float(value), 3) for value in row] for row in found.mean(axis=1)],
    }


def opponent_of(shooter: str, placement: str) -> Player:
    """A hard-coded player; ``corrected`` is Figure 8 with its faults mended and targets on a checkerboard."""
    if shooter == "corrected":
        header = {"sunk": "reset", "target": "checkerboard", "placement": placement}
        return player_of_program(CORRECTED, GAME, f"corrected:{placement}", header)
    return player_of_name(f"{shooter}:{placement}", GAME)


def opponent_row(shooter: str, seed: int, repeat: int) -> dict[str, object]:
    """Shares of wins in series of duels, by placement, and over all of them; the unit is the series."""
    rules = GAME.make_rules({"mode": "duel"})
    adaptive = player_of_name("adaptive", GAME)
    by_placement = {
        placement: play_series(
            GAME,
            [adaptive, opponent_of(shooter, placement)],
            rules=rules,
            seed=seed,
            games=GAMES,
            repeat=repeat,
        ).scores
        for placement in PLACEMENTS
    }
    shares = np.concatenate([scores.mean(axis=1).ravel() for scores in by_placement.values()])
    return {
        "all": told(mean_interval(shares, support=(0.0, 1.0))),
        **{
            name: told(mean_interval(scores.mean(axis=1).ravel(), support=(0.0, 1.0)))
            for name, scores in by_placement.items()
        },
    }


Rows = Mapping[str, Callable[[], dict[str, object]]]


def rows_of(part: str) -> Rows:
    """All rows of a part, by name."""
    seed, size = SEEDS[part], SIZES[part]
    if part == "targeting":
        return {
            pattern: partial(targeting_row, pattern, seed, size["series"], size["boards"])
            for pattern in PATTERNS
        }
    if part == "memory":
        return {
            f"{board}-{pattern}": partial(memory_row, pattern, board, seed, size["series"])
            for board in BOARDS
            for pattern in PATTERNS
        }
    return {shooter: partial(opponent_row, shooter, seed, size["series"]) for shooter in SHOOTERS}


def report(part: str, names: Sequence[str] = ()) -> dict[str, object]:
    """The data file of a part: all rows, or those that are named."""
    given = " ".join([part, *names])
    rows = rows_of(part)
    found = {}
    for name in names or rows:
        found[name] = rows[name]()
        sys.stderr.write(f"{name} {json.dumps(found[name])}\n")
    return {
        "schema": f"gpkit/adaptive-{part}/1",
        "command": COMMAND.format(given=given, part=part),
        "seed": SEEDS[part],
        **SIZES[part],
        "rows": found,
    }


if __name__ == "__main__":
    json.dump(report(sys.argv[1], sys.argv[2:]), sys.stdout, indent=1)
    sys.stdout.write("\n")
