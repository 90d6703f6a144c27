"""The value of each way to the posterior for the player ``belief``: how many more shots it takes without that way.

    python -m gpkit_experiments.posterior_ways FILE [SET:WAY[=BOARDS] ...]

plays the boards whose results FILE does not have yet, 2,000 if you give no number, and writes
``experiments/data/posterior-ways.json``. FILE holds the results of ten boards in each line, so you can stop
the script at any time. ``experiments/data/posterior-ways.jsonl`` holds those played so far. Name ``SET:belief``
before the ways of the set: if ``belief`` never used a way on a board, the script copies the result of
``belief`` instead of playing the board again.

Without ``rollouts``, the player shoots at the likeliest square; without ``samples``, the mean field replaces
them; and without ``field``, belief propagation replaces the mean field. The script does not measure the other
ways, because something else needs them: rollouts, weighted samples and the exact search of small boards work
on counts and lists; the sensor ``env.chance`` is belief propagation; and the agents of a paper use the
samples of ``agents``.

The criterion and the seeds were fixed before any board was played. A way stays if, without it, ``belief``
takes more than ``MOST_LOSS`` additional shots on 2,000 boards of any set, or if a chance that a page shows
changes by more than ``MOST_SHOWN``. Otherwise, it may be removed if, on 20,000 boards of each set, the upper end of the
95% interval of the additional shots is at most ``MOST_BOUND``.
"""

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from math import inf, isnan, nan
from pathlib import Path
from typing import Any

import numpy as np

from gpkit.core.rng import stream
from gpkit.games.battleship.arena import sums_of, turns_at
from gpkit.games.battleship.belief.player import DEFAULT, best_shot, within
from gpkit.games.battleship.belief.posterior import (
    MOST_PLACEMENTS,
    Facts,
    Posterior,
    PosteriorLimits,
    mean_field,
    operations_for,
    posterior_of,
    question_of,
)
from gpkit.games.battleship.game import GAME
from gpkit.games.battleship.rules import VARIANTS, Board
from gpkit.games.battleship.sensors import beliefs
from gpkit.playing.players import player_of_program, program_of_name
from gpkit_experiments.belief_strength import boards
from gpkit_experiments.cells import Cells, Key
from gpkit_experiments.papers.page import DATA
from gpkit_experiments.papers.units import mean_interval, paired_difference, told, write_record

COMMAND = "python -m gpkit_experiments.posterior_ways FILE"
PATH = DATA / "posterior-ways.json"

FIRST, ALL = 2_000, 20_000
MOST_LOSS, MOST_BOUND, MOST_SHOWN = 0.3, 0.15, 1e-3

SEEDS = {"classic": 73_055, "odd": 73_100, "large": 73_200}
"""The seed of each set for the boards of its first rules; its next rules have the next seed."""

RULES_SEED, SHOWN_SEED = 73_056, 73_057

SETTINGS = {"classic": DEFAULT, "odd": within(20), "large": within(20)}
"""With odd fleets, the player has 20 ms for each shot; without a limit on counts, a board of ten ships takes 8 s."""

CHUNK = 10
SHOWN_GAMES = 3


def drawn(sides: tuple[int, int], rng: np.random.Generator) -> dict[str, str]:
    """Rules with an odd fleet; on boards of more than 12 squares a side, it has too many placements to count."""
    while True:
        width, height = rng.integers(*sides, 2).tolist()
        fleet = rng.integers(1, 7, rng.integers(5, 13)).tolist()
        touch, announce = str(rng.choice(["yes", "no"])), str(rng.choice(["ship", "sunk", "hit"]))
        room = width * height // (4 if touch == "yes" else 8)
        is_large = 2 * width * height * len(set(fleet)) > MOST_PLACEMENTS
        if sum(fleet) <= room and is_large == (sides[0] > 12):
            lengths = ",".join(map(str, fleet))
            return {"board": f"{width}x{height}", "fleet": lengths, "touch": touch, "announce": announce}


RULES: dict[str, list[dict[str, str]]] = {
    "classic": [{}],
    "odd": [drawn((6, 13), stream(RULES_SEED, "odd", number)) for number in range(40)],
    "large": [drawn((15, 18), stream(RULES_SEED, "large", number)) for number in range(40)],
}

Way = Callable[[Board, int, PosteriorLimits], Posterior]


def with_all(board: Board, key: int, effort: PosteriorLimits) -> Posterior:
    """The posterior that ``belief`` uses."""
    return posterior_of(Facts.of(board), key, effort)


def without_samples(board: Board, key: int, effort: PosteriorLimits) -> Posterior:
    """The posterior with the mean field in place of weighted samples."""
    facts = Facts.of(board)
    if is_counted(facts, effort):
        return posterior_of(facts, key, replace(effort, samples=0))
    return Posterior(mean_field(facts), inf, exact=False, error=nan)


def is_counted(facts: Facts, effort: PosteriorLimits) -> bool:
    """Whether counting the fleets is expected to stay within the limits."""
    return operations_for(question_of(facts), facts) <= effort.operations


def without_field(board: Board, key: int, effort: PosteriorLimits) -> Posterior:
    """The posterior with belief propagation in place of the mean field."""
    found = with_all(board, key, effort)
    if not isnan(found.error):
        return found
    chances = np.array(beliefs(board).chance)
    chances[list(Facts.of(board).hit)] = 1.0
    return replace(found, chances=chances)


WAYS: dict[str, Way] = {
    "belief": with_all,
    "rollouts": with_all,
    "samples": without_samples,
    "field": without_field,
}


def play(board: Board, key: int, name: str, way: str) -> dict[str, int]:
    """The number of shots at a board of a set without a way, and for each way, how many shots used it."""
    asked = {"rollouts": 0, "samples": 0, "field": 0}
    settings = replace(SETTINGS[name], stages=()) if way == "rollouts" else SETTINGS[name]
    while board.status == "playing":
        belief, facts = WAYS[way](board, key, settings.effort), Facts.of(board)
        asked["rollouts"] += belief.exact and belief.fleets > 1.0 and bool(settings.stage(belief.fleets))
        asked["field"] += isnan(belief.error)
        asked["samples"] += name != "large" and not (belief.exact and is_counted(facts, settings.effort))
        board = board.shoot(best_shot(belief, facts, settings))
    return {"shots": board.turns, **asked}


def measured(key: Key, cells: Cells) -> dict[str, list[int]]:
    """The number of shots at each of ten boards, and for each way, how many of the shots used it."""
    name, way, number, first = key
    rules = GAME.make_rules(RULES[name][number])
    some = list(boards(rules, first, CHUNK, SEEDS[name] + number))
    if (name, way) == ("large", "field"):  # with propagation alone, the player is `likeliest`
        player = player_of_program(program_of_name("likeliest", GAME), GAME, "likeliest")
        fleets = np.array([[sums_of(board.fleet, rules)] * 2 for board, _ in some])
        keys = np.array([key for _, key in some])
        return {"shots": [int(turns) for turns in turns_at(fleets, player, keys, rules)]}
    before = {} if way == "belief" else cells.found[name, "belief", number, first]
    rows = [
        {each: values[place] for each, values in before.items()}
        if way in before and not before[way][place]
        else play(board, key, name, way)
        for place, (board, key) in enumerate(some)
    ]
    return {each: [row[each] for row in rows] for each in rows[0]}


def keys_of(row: str, count: int) -> Iterator[Key]:
    """The keys of the first ``count`` boards of a row ``SET:WAY``."""
    name, way = row.split(":")
    for number in range(len(RULES[name])):
        for first in range(0, count // len(RULES[name]), CHUNK):
            yield name, way, number, first


def shown(way: str) -> float:
    """The largest change of a chance that pages show, over all shots of a few games of each variant."""
    largest = 0.0
    for options in map(dict, ({"variant": variant} for variant in VARIANTS)):
        for board, key in boards(GAME.make_rules(options), 0, SHOWN_GAMES, SHOWN_SEED):
            while board.status == "playing":
                belief = with_all(board, key, DEFAULT.effort)
                change = np.abs(WAYS[way](board, key, DEFAULT.effort).chances - belief.chances)
                largest = max(largest, float(change.max()))
                board = board.shoot(best_shot(belief, Facts.of(board), DEFAULT))
    return largest


def loss(name: str, way: str, cells: Cells) -> dict[str, Any]:
    """The mean number of shots that ``belief`` takes on a set, and how many more it takes without a way."""
    keys = [key for key in cells.found if key[:2] == (name, way)]
    pairs = [(cells.found[name, "belief", *key[2:]], cells.found[key]) for key in keys]
    with_it, without = (np.concatenate([pair[side]["shots"] for pair in pairs]) for side in (0, 1))
    asked = sum(map(bool, (asked for cell, _ in pairs for asked in cell[way])))
    difference = told(paired_difference(without, with_it))
    return {"boards": len(without), "asked": asked, "shots": told(mean_interval(with_it)), "loss": difference}


def main(words: list[str]) -> None:
    """Play the named rows, and write the record."""
    path, rows = Path(words[0]), [word.partition("=") for word in words[1:]]
    cells = Cells(path, {"seeds": SEEDS, "rules": RULES})
    wanted = [key for row, _, count in rows for key in keys_of(row, int(count or FIRST))]
    # all ways of ten boards together, while the counts are cached
    for key in sorted(wanted, key=lambda key: (key[0], *key[2:])):
        cells.fill([key], lambda key: measured(key, cells), print)
    names = sorted({key[:2] for key in cells.found if key[1] != "belief"})
    record = {
        "schema": "gpkit/posterior-ways/1",
        "command": COMMAND,
        "seeds": SEEDS,
        "shown": {way: shown(way) for way in ("samples", "field")},
        "rows": {f"{name}:{way}": loss(name, way, cells) for name, way in names},
    }
    write_record(PATH, record)


if __name__ == "__main__":
    main(sys.argv[1:])
