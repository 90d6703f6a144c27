"""Strength of the adaptive player of Battleship: its targets, its memory, opponents, and its pre-training.

    python -m gpkit_experiments.adaptive_series targeting
    python -m gpkit_experiments.adaptive_series memory
    python -m gpkit_experiments.adaptive_series opponents
    python -m gpkit_experiments.adaptive_series pretraining
    python -m gpkit_experiments.adaptive_series times

writes ``experiments/data/adaptive-PART.json``. Names of rows may follow, such as ``targeting wall``: then only those
are measured, and stand beside those that are there already.

``targeting``: shots of corrected Figure 8 (after a ship has sunk it begins anew) by what answers ``Target`` after some
games against one placement. ``memory``: series of duels with a player that is the adaptive one without memory and lays
its fleet by a pattern; on the same deals the adaptive player and itself without memory meet it. ``opponents``: series
of duels with hard-coded players, with memory and without. ``pretraining``: series with pre-trained populations and with
random ones. ``times``: of the processor, for a fleet and for a generation of waves.

What has lists has a value for each series, the unit. What the rows should show is laid down in
``papers.battleship_adaptive.recorded``.
"""

import json
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpkit.core.rng import stream
from gpkit.gamekit.players import Player
from gpkit.games.battleship.arena import TargetAnswers, fleets_of, running_sums, turns_at
from gpkit.games.battleship.fleets import Placements
from gpkit.games.battleship.fourier_placement import evolve_waves
from gpkit.games.battleship.game import GAME
from gpkit.games.battleship.learner.adaptive import ADAPTIVE, Adaptive
from gpkit.games.battleship.learner.experience import Experience, with_waves
from gpkit.games.battleship.learner.targeting import (
    DEFAULTS,
    LearnerSettings,
    log_likelihoods,
    predictions,
    target_answers,
    training_density,
)
from gpkit.games.battleship.memory import Memory, placement_weights
from gpkit.games.battleship.options import Rules
from gpkit.games.battleship.placing import Received, drawn_fleets, square_weights, times_covered
from gpkit.games.battleship.players import is_compiled
from gpkit.games.battleship.sides import side_of
from gpkit.genomes.linear import LinearProgram
from gpkit.playing.players import player_of_name
from gpkit_experiments.papers.battleship_adaptive.adapting import PLAYER, PairedSeries
from gpkit_experiments.papers.battleship_adaptive.first_game import untrained
from gpkit_experiments.papers.battleship_adaptive.shooters import CORRECTED, doubled, opponent_of, shots
from gpkit_experiments.papers.page import DATA
from gpkit_experiments.papers.units import mean_interval, paired_difference, told, write_record
from gpkit_experiments.turn_by_turn import SOURCE, SourceSettings, TurnAnswers, cleared_by_turns

COMMAND = "python -m gpkit_experiments.adaptive_series {part}"
SCHEMAS: Mapping[str, int] = {"targeting": 3, "memory": 3, "opponents": 3, "pretraining": 1, "times": 1}
"""Versions of the parts' records."""

BATCHES: Mapping[str, Mapping[int, int]] = {
    "targeting": {45_001: 8},
    "memory": {43_002: 6, 43_012: 12},
    "opponents": {45_002: 5, 45_005: 10},
    "pretraining": {45_003: 6},
    "times": {45_004: 20},
}
"""Series of each row, by seed. Every seed was named before any of its games was played, and all series of a part count;
settings were chosen on seeds 0 to 100."""

BOARDS_EACH = 25
"""Boards of ``targeting`` after each number of games seen."""

BOARDS_BY_TURN = 4
"""As many of them, the first ones, are shot at by waves that evolve at every shot."""

PATTERNS = ("wall", "corner", "corners", "lines", "uniform")
SEEN = (0, 1, 5, 20)
"""Games seen before those that are told of."""

TARGETINGS: Mapping[str, LearnerSettings] = {
    "mixture": DEFAULTS,
    "counts": replace(DEFAULTS, targeting="counts"),
    "waves, neither": replace(DEFAULTS, targeting="waves"),
    "waves, checkerboard alone": replace(SOURCE, turn_generations=0),
    "waves": SOURCE,
}
"""Players that answer ``Target``; ``waves`` are those of the source, on its checkerboard and evolved during a game."""

LESSONS = 5_000
BOARDS = ("10x10", "8x8", "12x12")
GAMES = 11
FEW = 5
"""Games of a small round, and of a smaller one."""

OPPONENTS: Mapping[str, Sequence[str]] = {
    "hunt": ("uniform", "corners", "wall", "lines"),
    "searched": ("uniform", "corners", "lines"),
    "reference-halo": ("uniform", "corners", "lines"),
    "density": ("uniform", "corners", "lines"),
    "textbook": ("uniform", "corners", "lines"),
    "runner-up": ("uniform", "corners", "lines"),
    "corrected": ("uniform", "lines"),
    "random": ("uniform",),
}
"""Placements of hard-coded players' fleets; the last player does not sink what it hits."""

OTHERS_FLEETS, OWN_FLEETS, SHOTS_AT_EACH, FIRST_FLEETS = 60, 5, 8, 24
"""Fleets of either side from which the chance to win a duel is estimated before each game, and clearances of each of
its own; fleets of its own in the first game."""

PRETRAINING_GAMES = 6
HELD_OUT = 50
REPEATS = 20
"""Games of a series with and without pre-training, fleets at which both shoot before each; pieces of work
of which the time is taken together."""

Floats = NDArray[np.float64]
DUEL = GAME.make_rules({"mode": "duel"})


def listed(values: Sequence[float] | Floats) -> list[float]:
    """Values as records have them."""
    return [round(float(value), 4) for value in values]


Numbered = Sequence[tuple[int, int]]


def numbered(part: str) -> Numbered:
    """The seed and the number of each series of a part."""
    return [(seed, number) for seed, count in BATCHES[part].items() for number in range(count)]


def fleets_from(pattern: str, rules: Rules, seed: int, number: int, count: int) -> NDArray[np.int64]:
    """Fleets of a pattern: int64 (count, ships)."""
    keys = GAME.deal(stream(seed, "fleets", number), count, rules).keys[:, 1]
    return fleets_of(keys, running_sums(pattern, rules), rules)


def aimed_shots(
    known: Experience, settings: LearnerSettings, fleets: NDArray[np.int64], rules: Rules
) -> Floats:
    """The number of shots of corrected Figure 8 at each fleet with these targets: float64 (fleets,)."""
    if not isinstance(settings, SourceSettings):
        return shots(target_answers(known.seen, known.waves[0], known.logs, rules, settings), fleets, rules)
    boards = [
        cleared_by_turns(tuple(fleet), CORRECTED, key, rules, TurnAnswers(known, key, rules, settings))
        for key, fleet in enumerate(fleets.tolist())
    ]
    return np.array([float(board.turns) for board in boards])


def after_another(before: Experience, fleet: NDArray[np.int64], seed: int, rules: Rules) -> Experience:
    """Experience after a game in which the board was cleared, with waves that were evolved for the next one."""
    ships = times_covered(fleet[None], rules).tolist()
    game = Memory(tuple(ships), (1,) * rules.squares)
    gained = log_likelihoods(predictions(before.seen, before.waves[0], rules, DEFAULTS), game, rules)
    added = [
        tuple(map(sum, zip(a, b, strict=True)))
        for a, b in ((before.seen.ships, game.ships), (before.seen.known, game.known))
    ]
    logs = tuple(map(sum, zip(before.logs, gained, strict=True)))
    after = replace(before, games=before.games + 1, seen=Memory(*added), logs=logs)
    return with_waves(after, rules, seed, DEFAULTS)


def targeting_row(pattern: str, boards: int = BOARDS_EACH, series: Numbered = ()) -> dict[str, Any]:
    """Mean shots in each series, by who answers ``Target`` and by games seen.

    Without ``series`` these are those of the record. Beside them stand those of waves without generations during a game
    on the very boards of those with them, and those of who knows how often a ship lies on each square.
    """
    rules = Rules()
    series = series or numbered("targeting")
    lessons = fleets_from(pattern, rules, series[0][0], -1, LESSONS)
    known = TargetAnswers(
        placement_weights(
            times_covered(lessons, rules).astype(float), np.full(rules.squares, float(LESSONS)), rules
        )
    )
    names = (*TARGETINGS, "checkerboard alone, boards of waves", "known")
    found: dict[str, dict[str, list[float]]] = {name: {str(seen): [] for seen in SEEN} for name in names}
    for seed, number in series:
        fleets = fleets_from(pattern, rules, seed, number, SEEN[-1] + boards * len(SEEN))
        experience = ADAPTIVE.begin(PLAYER, rules)
        for games in range(SEEN[-1] + 1):
            if games in SEEN:
                asked = fleets[SEEN[-1] + SEEN.index(games) * boards :][:boards]
                for name, values in all_aimed(experience, known, asked, rules).items():
                    found[name][str(games)].append(round(float(values.mean()), 3))
            if games < SEEN[-1]:
                experience = after_another(experience, fleets[games], number * 1000 + games, rules)
    return dict(found)


def all_aimed(
    known: Experience, full: TargetAnswers, fleets: NDArray[np.int64], rules: Rules
) -> dict[str, Floats]:
    """Shots at the same fleets by each of ``TARGETINGS`` and by who has ``full`` knowledge."""
    few = fleets[:BOARDS_BY_TURN]
    found = {
        name: aimed_shots(known, settings, few if settings is SOURCE else fleets, rules)
        for name, settings in TARGETINGS.items()
    }
    alone = found["waves, checkerboard alone"][:BOARDS_BY_TURN]
    return {
        **found,
        "checkerboard alone, boards of waves": alone,
        "known": shots(full, fleets, rules),
    }


def memory_row(pattern: str, board: str) -> dict[str, Any]:
    """Shares of wins against itself without memory and with a placement, with memory and without, paired."""
    rules = GAME.make_rules({"mode": "duel", "board": board})
    other = player_of_name(f"adaptive:{pattern}", GAME)
    found = np.array(
        [PairedSeries(other, rules, seed, number, GAMES).scores() for seed, number in numbered("memory")]
    )
    mindful, mindless = np.moveaxis(found.mean(axis=2), 1, 0)
    ends = np.cumsum(list(BATCHES["memory"].values()))[:-1]
    return {
        "with": told(mean_interval(mindful, support=(0.0, 1.0))),
        "without": told(mean_interval(mindless, support=(0.0, 1.0))),
        "more": told(paired_difference(mindful, mindless)),
        "more by seed": [round(float(part.mean()), 4) for part in np.split(mindful - mindless, ends)],
        "by game": [[round(float(value), 3) for value in row] for row in found.mean(axis=0)],
    }


def win_chance(own: Floats, other: Floats) -> float:
    """The chance to win a duel, the seats drawn by lot, of who needs ``own`` shots against who needs ``other``.

    Neither sees what the other finds out, so that each side's shots say nothing of the other's: all pairs count.
    """
    less = other[None, :] - own[:, None]
    return float(((less > 0.0) + (less == 0.0) / 2.0).mean())


def clearances(other: Player, fleets: Sequence[Placements]) -> Floats:
    """The number of shots that another player needs for each fleet, some times each."""
    keys = np.arange(SHOTS_AT_EACH)
    if is_compiled(other):
        sums = doubled(fleets, DUEL).repeat(len(keys), axis=0)
        return np.array(turns_at(sums, other, np.tile(keys, len(fleets)), DUEL))
    sides = [side_of(other, (0, 0, key), DUEL, None) for key in keys.tolist()]
    return np.array([float(side.clear(fleet).turns) for fleet in fleets for side in sides])


def own_fleets(memory: Experience, seed: int, number: int, game: int, count: int) -> list[Placements]:
    """Fleets that the adaptive player may lay before a game."""
    deals = GAME.deal(stream(seed, "own fleets", number, game), count, DUEL)
    return [ADAPTIVE.side(PLAYER, deals.seat(each, 0), DUEL, memory).fleet() for each in range(count)]


@lru_cache(maxsize=64)
def first_fleets(seed: int, number: int) -> list[Placements]:
    """Fleets that it may lay in the first game; they are the same against all."""
    return own_fleets(ADAPTIVE.begin(PLAYER, DUEL), seed, number, 0, FIRST_FLEETS)


def own_shots(known: Experience, fleets: NDArray[np.int64], program: LinearProgram | None = None) -> Floats:
    """The number of shots that the adaptive player needs for each fleet, or another program with its targets."""
    answers = target_answers(known.seen, known.waves[0], known.logs, DUEL, DEFAULTS)
    return shots(answers, fleets, DUEL, program or known.programs[0])


def learning_course(other: Player, placement: str, seed: int, number: int, games: int) -> dict[str, Floats]:
    """A series against a hard-coded player.

    Returns:
        ``chances`` to win before each game, ``won`` duels, both float64 (2, games), with memory and without; and
        ``sinker``, the shots that the sinking program of the last game saves beside that of the first.
    """
    series = PairedSeries(other, DUEL, seed, number, games)
    nothing = ADAPTIVE.begin(PLAYER, DUEL)
    against_first = clearances(other, first_fleets(seed, number))
    chances, won = np.zeros((2, games)), np.zeros((2, games))
    saved = np.zeros(1)
    for game, played in enumerate(series.course(nothing)):
        fleets = fleets_from(placement, DUEL, seed, number * 100 + game, OTHERS_FLEETS)
        chances[:, game] = win_chance(own_shots(nothing, fleets), against_first)
        won[:, game] = played.score
        if game:
            own = own_fleets(played.memory, seed, number, game, OWN_FLEETS)
            now = own_shots(played.memory, fleets)
            chances[0, game] = win_chance(now, clearances(other, own))
            won[1, game] = series.alone(game, nothing)
            saved[0] = (own_shots(played.memory, fleets, nothing.programs[0]) - now).mean()
    return {"chances": chances, "won": won, "sinker": saved}


def opponent_row(shooter: str, placement: str, games: int = GAMES, series: Numbered = ()) -> dict[str, Any]:
    """Chances to win a duel and duels won, with memory and without, by series; the chances with memory by game.

    Without ``series`` these are those of the record.
    """
    other = opponent_of(shooter, placement)
    courses = [
        learning_course(other, placement, seed, number, games)
        for seed, number in series or numbered("opponents")
    ]
    chances, won = (np.array([course[name] for course in courses]) for name in ("chances", "won"))
    found: dict[str, object] = {}
    for memory, name in enumerate(("with", "without")):
        for length in (games, min(FEW, games)):
            found[f"{name}, {length}"] = listed(chances[:, memory, :length].mean(axis=1))
            found[f"won {name}, {length}"] = listed(won[:, memory, :length].sum(axis=1))
    found["by game"] = listed(chances[:, 0].mean(axis=0))
    found["sinker"] = listed([course["sinker"][0] for course in courses])
    return found


def pretraining_row(placement: str, games: int = PRETRAINING_GAMES) -> dict[str, Any]:
    """Ships' squares found in each duel with ``hunt``, and shots at further fleets before it; by series and game."""
    other = opponent_of("hunt", placement)
    found: dict[str, dict[str, list[list[float]]]] = {}
    learners = {"pre-trained": ADAPTIVE, "untrained": Adaptive(replace(DEFAULTS, training=0.0))}
    for name, learner in learners.items():
        hits, needed = [], []
        for seed, number in numbered("pretraining"):
            pretrained = name == "pre-trained"
            start = ADAPTIVE.begin(PLAYER, DUEL) if pretrained else untrained(seed, number, DUEL)
            fleets = fleets_from(placement, DUEL, seed, number, HELD_OUT)
            course = list(PairedSeries(other, DUEL, seed, number, games).course(start, learner))
            hits.append(listed([squares_found(played.board.known) for played in course]))
            needed.append(
                listed([training_shots(played.memory, learner.settings, fleets) for played in course])
            )
        found[name] = {"hits": hits, "shots": needed}
    return dict(found)


def squares_found(known: Sequence[str]) -> float:
    """Ships' squares among what is known of a board."""
    return float(sum(square in ("open", "sunk") for square in known))


def training_shots(known: Experience, settings: LearnerSettings, fleets: NDArray[np.int64]) -> float:
    """Mean shots of the player itself."""
    answers = target_answers(known.seen, known.waves[0], known.logs, DUEL, settings)
    return float(shots(answers, fleets, DUEL, known.programs[0]).mean())


def times_row(name: str) -> dict[str, Any]:
    """Milliseconds of the processor for one piece of work, by repeat."""
    rules, weights = Rules(), square_weights(Received.none(DUEL), DUEL, caution=0.0)
    density, start = training_density(rules), ADAPTIVE.begin(PLAYER, rules).waves
    work: dict[str, Callable[[int], object]] = {
        "fleet by Sequential Monte Carlo": lambda each: drawn_fleets(
            stream(each, "times"), weights, rules, DEFAULTS.particles
        ),
        "fleet at random": lambda each: fleets_from("uniform", rules, each, 0, 1),
        "generation of waves": lambda each: evolve_waves(density, 1, each, start=start),
    }
    found = []
    for seed, number in [(0, 0), *numbered("times")]:
        begun = time.process_time()
        for each in range(REPEATS):
            work[name](seed * 1000 + number * REPEATS + each)
        found.append((time.process_time() - begun) / REPEATS * 1000.0)
    return {"milliseconds": listed(found[1:])}


Rows = Mapping[str, partial[dict[str, Any]]]


def rows_of(part: str) -> Rows:
    """All rows of a part, by name."""
    parts: Mapping[str, Rows] = {
        "targeting": {pattern: partial(targeting_row, pattern) for pattern in PATTERNS},
        "memory": {
            f"{board}-{pattern}": partial(memory_row, pattern, board)
            for board in BOARDS
            for pattern in PATTERNS
        },
        "opponents": {
            f"{shooter}:{place}": partial(opponent_row, shooter, place)
            for shooter, places in OPPONENTS.items()
            for place in places
        },
        "pretraining": {pattern: partial(pretraining_row, pattern) for pattern in ("uniform", "wall")},
        "times": {
            name: partial(times_row, name)
            for name in ("fleet by Sequential Monte Carlo", "fleet at random", "generation of waves")
        },
    }
    return parts[part]


def settings_of(part: str) -> dict[str, Any]:
    """Settings of a part beside its rows, as JSON values."""
    fleets = {"others": OTHERS_FLEETS, "own": OWN_FLEETS, "own, first": FIRST_FLEETS}
    own: Mapping[str, dict[str, Any]] = {
        "targeting": {"boards": BOARDS_EACH, "boards by turn": BOARDS_BY_TURN},
        "memory": {"games": GAMES},
        "opponents": {"games": GAMES, "fleets": fleets, "shots at each": SHOTS_AT_EACH},
        "pretraining": {"games": PRETRAINING_GAMES, "held-out fleets": HELD_OUT},
        "times": {"repeats": REPEATS},
    }
    return {"series": {str(seed): count for seed, count in BATCHES[part].items()}, **own[part]}


def report(part: str, rows: Mapping[str, Any]) -> dict[str, Any]:
    """The data file of a part."""
    return {
        "schema": f"gpkit/adaptive-{part}/{SCHEMAS[part]}",
        "command": COMMAND.format(part=part),
        **settings_of(part),
        "rows": {name: rows[name] for name in rows_of(part) if name in rows},
    }


def measure(part: str, names: Sequence[str]) -> None:
    """Measure rows of a part, and write each beside those of the same settings that are there."""
    path = DATA / f"adaptive-{part}.json"
    before = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    empty = report(part, {})
    kept = (
        dict(before.get("rows", {}))
        if before.items() >= (empty | {"rows": before.get("rows")}).items()
        else {}
    )
    rows = rows_of(part)
    for name in names or rows:
        kept[name] = rows[name]()
        sys.stderr.write(f"{name} {json.dumps(kept[name])}\n")
        write_record(path, report(part, kept))


if __name__ == "__main__":
    measure(sys.argv[1], sys.argv[2:])
