"""Series of Battleship's adaptive player, which test its targets, its memory and its pre-training.

This module, as of commit 9cddfbcb, made the records ``experiments/data/adaptive-*.json``. That version also plays two
further parts, ``memory`` and ``times``, and writes the files. The paper's controls use the present module to play new
series.

``targeting``: the number of shots that the corrected Figure 8 needs (it starts again after it sinks a ship), for each
    player that answers ``Target``, after some games against one placement. ``opponents``: series of duels with
    hard-coded players, with memory and without.
``pretraining``: series with pre-trained and with random populations.

Lists hold a value for each series, which is the unit. ``papers.battleship_adaptive.recorded`` defines the criteria for
the rows.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

import numpy as np

from gpkit.core.arrays import Floats, Ints
from gpkit.core.rng import stream
from gpkit.gamekit.players import Player
from gpkit.games.battleship.arena import (
    TargetAnswers,
    fleets_of,
    is_compiled,
    running_sums,
    side_of,
    turns_at,
)
from gpkit.games.battleship.game import GAME
from gpkit.games.battleship.learner.adaptive import ADAPTIVE, Adaptive, Experience, with_waves
from gpkit.games.battleship.learner.targeting import (
    DEFAULTS,
    LearnerSettings,
    log_likelihoods,
    predictions,
    target_answers,
    times_covered,
)
from gpkit.games.battleship.memory import Memory, placement_weights
from gpkit.games.battleship.rules import BattleshipRules, Placements
from gpkit.genomes.linear import LinearProgram
from gpkit_experiments.papers.battleship_adaptive.adapting import (
    CORRECTED,
    PLAYER,
    PairedSeries,
    doubled,
    opponent_of,
    shots,
)
from gpkit_experiments.papers.battleship_adaptive.duels import untrained
from gpkit_experiments.papers.battleship_adaptive.recorded import STILL, WAVES
from gpkit_experiments.turn_by_turn import SOURCE, SourceSettings, TurnAnswers, cleared_by_turns

BATCHES: Mapping[str, Mapping[int, int]] = {
    "targeting": {45_001: 8},
    "opponents": {45_002: 5, 45_005: 10},
    "pretraining": {45_003: 6},
}
"""The number of series in each row, by seed. We fixed every seed before we played any of its games, and all series of a
part count; we chose the settings on seeds 0 to 100."""

BOARDS_EACH = 25
"""The number of boards in ``targeting`` after each number of earlier games."""

BOARDS_BY_TURN = 4
"""The number of boards, counted from the first, on which the waves also evolve before every shot."""

PATTERNS = ("wall", "corner", "corners", "lines", "uniform")
SEEN = (0, 1, 5, 20)
"""The numbers of earlier games after which the shots are reported."""

TARGETINGS: Mapping[str, LearnerSettings] = {
    "mixture": DEFAULTS,
    "counts": replace(DEFAULTS, targeting="counts"),
    "waves, neither": replace(DEFAULTS, targeting="waves"),
    "waves, checkerboard alone": replace(SOURCE, turn_generations=0),
    WAVES: SOURCE,
    STILL: replace(SOURCE, turn_generations=0),
}
"""The players that answer ``Target``; ``waves`` are the waves of the source, which use its checkerboard and evolve
during a game. The last one shoots at the boards of ``waves``."""

KNOWN = "known"
ARMS = (*TARGETINGS, KNOWN)

LESSONS = 5_000
GAMES = 11
FEW = 5
"""The numbers of games in a small round and in a smaller one."""

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
"""The placements of the hard-coded players' fleets; the last player does not sink the ships that it hits."""

OTHERS_FLEETS, OWN_FLEETS, SHOTS_AT_EACH, FIRST_FLEETS = 60, 5, 8, 24
"""The numbers of fleets of each side that are used to estimate the chance of winning a duel before each game, the
number of times that each own fleet is cleared, and the number of own fleets in the first game."""

PRETRAINING_GAMES = 6
HELD_OUT = 50
"""The number of games in a series with and without pre-training, and of fleets at which both sides shoot before each
game."""

DUEL = GAME.make_rules({"mode": "duel"})


def listed(values: Sequence[float] | Floats) -> list[float]:
    """The values in the form used in records."""
    return [round(float(value), 4) for value in values]


Numbered = Sequence[tuple[int, int]]


def numbered(part: str) -> Numbered:
    """The seed and the number of each series of a part."""
    return [(seed, number) for seed, count in BATCHES[part].items() for number in range(count)]


def fleets_from(pattern: str, rules: BattleshipRules, seed: int, number: int, count: int) -> Ints:
    """Fleets placed in a pattern: int64 (count, ships)."""
    keys = GAME.deal(stream(seed, "fleets", number), count, rules).keys[:, 1]
    return fleets_of(keys, running_sums(pattern, rules), rules)


def aimed_shots(known: Experience, settings: LearnerSettings, fleets: Ints, rules: BattleshipRules) -> Floats:
    """The number of shots that the corrected Figure 8 needs for each fleet with these targets: float64 (fleets,)."""
    if not isinstance(settings, SourceSettings):
        return shots(target_answers(known.seen, known.waves[0], known.logs, rules, settings), fleets, rules)
    boards = [
        cleared_by_turns(tuple(fleet), CORRECTED, key, rules, TurnAnswers(known, key, rules, settings))
        for key, fleet in enumerate(fleets.tolist())
    ]
    return np.array([float(board.turns) for board in boards])


def after_another(before: Experience, fleet: Ints, seed: int, rules: BattleshipRules) -> Experience:
    """The experience after a game in which the board was cleared, with waves evolved for the next game."""
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


def targeting_row(
    pattern: str,
    boards: int = BOARDS_EACH,
    series: Numbered = (),
    names: Sequence[str] = ARMS,
    after: Sequence[int] = (),
) -> dict[str, Any]:
    """The mean shots in each series, by the player that answers ``Target`` and by the number of earlier games.

    Without ``series``, the function uses the series of the record. The row also contains the shots of waves that do not
    evolve during a game, on the same boards as waves that do, and the shots of a player that knows how often a ship
    lies on each square. With some of the ``names``, and of the numbers of earlier games, the function measures only
    these; the values are the same.
    """
    rules = BattleshipRules()
    series, after = series or numbered("targeting"), after or SEEN
    lessons = fleets_from(pattern, rules, series[0][0], -1, LESSONS)
    known = TargetAnswers(
        placement_weights(
            times_covered(lessons, rules).astype(float), np.full(rules.squares, float(LESSONS)), rules
        )
    )
    found: dict[str, dict[str, list[float]]] = {name: {str(seen): [] for seen in after} for name in names}
    for seed, number in series:
        fleets = fleets_from(pattern, rules, seed, number, SEEN[-1] + boards * len(SEEN))
        experience = ADAPTIVE.begin(PLAYER, rules)
        for games in range(max(after) + 1):
            for name in names if games in after else ():
                asked = fleets[SEEN[-1] + SEEN.index(games) * boards :][:boards]
                values = aimed(name, experience, known, asked, rules)
                found[name][str(games)].append(round(float(values.mean()), 3))
            if games < max(after):
                experience = after_another(experience, fleets[games], number * 1000 + games, rules)
    return dict(found)


def aimed(name: str, known: Experience, full: TargetAnswers, fleets: Ints, rules: BattleshipRules) -> Floats:
    """The shots at fleets by one of ``TARGETINGS``, or by the player with ``full`` knowledge."""
    if name == KNOWN:
        return shots(full, fleets, rules)
    return aimed_shots(
        known, TARGETINGS[name], fleets[:BOARDS_BY_TURN] if name in (WAVES, STILL) else fleets, rules
    )


def win_chance(own: Floats, other: Floats) -> float:
    """The chance that a player who needs ``own`` shots wins a duel against one who needs ``other``, with random seats.

    Neither player sees what the other one finds out, so the shots of the two sides are independent, and all pairs
    count.
    """
    less = other[None, :] - own[:, None]
    return float(((less > 0.0) + (less == 0.0) / 2.0).mean())


def clearances(other: Player, fleets: Sequence[Placements]) -> Floats:
    """The number of shots that another player needs for each fleet, several times for each."""
    keys = np.arange(SHOTS_AT_EACH)
    if is_compiled(other):
        sums = doubled(fleets, DUEL).repeat(len(keys), axis=0)
        return np.array(turns_at(sums, other, np.tile(keys, len(fleets)), DUEL))
    sides = [side_of(other, (0, 0, key), DUEL, None) for key in keys.tolist()]
    return np.array([float(side.clear(fleet).turns) for fleet in fleets for side in sides])


def own_fleets(memory: Experience, seed: int, number: int, game: int, count: int) -> list[Placements]:
    """Fleets that the adaptive player may place before a game."""
    deals = GAME.deal(stream(seed, "own fleets", number, game), count, DUEL)
    return [ADAPTIVE.side(PLAYER, deals.seat(each, 0), DUEL, memory).fleet() for each in range(count)]


@lru_cache(maxsize=64)
def first_fleets(seed: int, number: int) -> list[Placements]:
    """Fleets that the adaptive player may place in the first game; they are the same against all opponents."""
    return own_fleets(ADAPTIVE.begin(PLAYER, DUEL), seed, number, 0, FIRST_FLEETS)


def own_shots(known: Experience, fleets: Ints, program: LinearProgram | None = None) -> Floats:
    """The number of shots that the adaptive player, or another program with its targets, needs for each fleet."""
    answers = target_answers(known.seen, known.waves[0], known.logs, DUEL, DEFAULTS)
    return shots(answers, fleets, DUEL, program or known.programs[0])


def learning_course(other: Player, placement: str, seed: int, number: int, games: int) -> dict[str, Floats]:
    """A series against a hard-coded player.

    Returns:
        ``chances`` of winning before each game and ``won`` duels, both float64 (2, games), with memory and without; and
        ``sinker``, the number of shots that the sinking program of the last game saves compared with that of the first
        game.
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
    """The chances of winning a duel and the duels won, by series, with and without memory.

    The row also has the chances with memory, by game. Without ``series``, the function uses the series of the record.
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
    """The ship squares found in each duel with ``hunt``, and shots at other fleets before it, by series and game."""
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
    """The number of known squares of a board that hold ships."""
    return float(sum(square in ("open", "sunk") for square in known))


def training_shots(known: Experience, settings: LearnerSettings, fleets: Ints) -> float:
    """The mean number of shots of the player itself."""
    answers = target_answers(known.seen, known.waves[0], known.logs, DUEL, settings)
    return float(shots(answers, fleets, DUEL, known.programs[0]).mean())


Rows = Mapping[str, partial[dict[str, Any]]]


def rows_of(part: str) -> Rows:
    """All rows of ``targeting`` or of ``opponents``, by name."""
    parts: Mapping[str, Rows] = {
        "targeting": {pattern: partial(targeting_row, pattern) for pattern in PATTERNS},
        "opponents": {
            f"{shooter}:{place}": partial(opponent_row, shooter, place)
            for shooter, places in OPPONENTS.items()
            for place in places
        },
    }
    return parts[part]
