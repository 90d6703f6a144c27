"""Experience of the adaptive player with one opponent: a value that grows with each game; as JSON values and back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gpkit.core.diagnostics import SourceError
from gpkit.core.errors import UsageError
from gpkit.core.json_values import items, member, number, table, text, whole
from gpkit.core.rng import stream
from gpkit.games.battleship.fleets import Placements, fleet_squares, is_legal
from gpkit.games.battleship.fourier_placement import evolve_waves
from gpkit.games.battleship.learner.sinkers import SavedGames, evolved_programs, representation
from gpkit.games.battleship.learner.targeting import (
    PREDICTORS,
    LearnerSettings,
    log_likelihoods,
    predictions,
    target_answers,
    wave_target,
)
from gpkit.games.battleship.memory import Memory
from gpkit.games.battleship.options import Rules
from gpkit.games.battleship.placing import Received, drawn_fleets
from gpkit.games.battleship.rules import Board, replayed
from gpkit.games.battleship.waves import HARMONICS, Harmonic, Wave
from gpkit.genomes.linear import LinearProgram
from gpkit.languages.sinking.printer import print_program

DRAWN = 200
"""Fleets that are drawn until one would have been told of as the opponent's was."""


@dataclass(frozen=True, slots=True)
class Experience:
    """All that is known of an opponent.

    Attributes:
        games: their number.
        seen: where its ships were found.
        saved: its fleets in the most recent games, the oldest first, as far as they were told, see ``told_fleet``.
        received: its shots.
        logs: log-likelihoods of all games, by predictor.
        waves: a population, the best first.
        programs: a population of sinking programs; the first is the one that plays.
    """

    games: int
    seen: Memory
    saved: tuple[Placements, ...]
    received: Received
    logs: tuple[float, ...]
    waves: tuple[Wave, ...]
    programs: tuple[LinearProgram, ...]

    @classmethod
    def none(cls, rules: Rules, waves: Sequence[Wave], programs: Sequence[LinearProgram]) -> "Experience":
        """Before the first game, with populations to start from."""
        nothing = (0.0,) * len(PREDICTORS)
        return cls(0, Memory.empty(rules), (), Received.none(rules), nothing, tuple(waves), tuple(programs))


def experienced(
    before: Experience, board: Board, home: Board | None, seed: int, settings: LearnerSettings
) -> Experience:
    """Experience after a game.

    Args:
        before: the game.
        board: what was shot at.
        home: in a duel the own fleet as the other shot at it.
        seed: of all chance.
        settings: of the player.
    """
    rules = board.rules
    game = Memory.empty(rules).after(board)
    foretold = predictions(before.seen, before.waves[0], rules, settings)
    gained = log_likelihoods(foretold, game, rules)
    fleet = told_fleet(stream(seed, "told fleet"), board)
    saved = before.saved if fleet is None else (*before.saved, fleet)[-settings.saved :]
    after = replace(
        before,
        games=before.games + 1,
        seen=before.seen.after(board),
        saved=saved,
        received=before.received if home is None else before.received.after(home),
        logs=tuple(old + new for old, new in zip(before.logs, gained, strict=True)),
    )
    known = with_waves(after, rules, seed, settings)
    if not saved or settings.rounds == 0:
        return known
    answers = target_answers(known.seen, known.waves[0], known.logs, rules, settings)
    problem = SavedGames.of(saved, answers, rules)
    population = evolved_programs(problem, known.programs, settings.rounds, seed)
    return replace(known, programs=tuple(individual.genome for individual in population))


def with_waves(experience: Experience, rules: Rules, seed: int, settings: LearnerSettings) -> Experience:
    """The experience with waves that were evolved further."""
    target = wave_target(experience.seen, rules, settings.training)
    population = evolve_waves(target, settings.generations, seed, start=experience.waves)
    return replace(experience, waves=tuple(individual.genome for individual in population))


def told_fleet(rng: np.random.Generator, board: Board) -> Placements | None:
    """A fleet by which every shot would have been answered as it was; None if none was found.

    Squares where ships were found are known, and after a lost game not where the others lay: so a legal fleet through
    the former, and not over any miss, stands for the opponent's. Of ``DRAWN`` fleets it is the first that would have
    sunk as was told, else the first that covers what was found.
    """
    weights = np.array([_WEIGHTS[known] for known in board.known])
    hits = {square for square, known in enumerate(board.known) if known in ("open", "sunk")}
    missed = {square for square, known in enumerate(board.known) if known == "miss"}
    first = None
    for row in np.unique(drawn_fleets(rng, weights, board.rules, DRAWN), axis=0).tolist():
        fleet = tuple(row)
        taken = fleet_squares(fleet, board.rules)
        if hits <= taken and not missed & taken:
            first = first or fleet
            if replayed(fleet, board) is not None:
                return fleet
    return first


_WEIGHTS = {"unshot": 1.0, "miss": 1e-9, "open": 1e4, "sunk": 1e4}
"""Weights of squares by what is known of them, for a fleet that was told of."""


MOST_GAMES = 1_000_000
"""The most games that are believed of a folder."""

MOST_GENOMES = 1_000
"""The most waves, and the most programs, that are read."""


def encode(experience: Experience) -> dict[str, Any]:
    """The experience as JSON values; ``decode`` gives it back."""
    seen, received = experience.seen, experience.received
    return {
        "games": experience.games,
        "seen": {"ships": list(seen.ships), "known": list(seen.known)},
        "saved": [list(fleet) for fleet in experience.saved],
        "received": {"games": received.games, "times": list(received.times), "turns": list(received.turns)},
        "logs": dict(zip(PREDICTORS, experience.logs, strict=True)),
        "waves": encode_waves(experience.waves),
        "programs": encode_programs(experience.programs),
    }


def decode(value: Any, rules: Rules) -> Experience:
    """The experience of JSON values.

    Raises:
        ValueError: they are not that of an experience under these rules.
    """
    seen, received, logs = member(value, "seen"), member(value, "received"), table(member(value, "logs"))
    games = whole(member(value, "games"), 0, MOST_GAMES)
    return Experience(
        games,
        Memory(_counts(seen, "ships", rules, games), _counts(seen, "known", rules, games)),
        tuple(_fleet(fleet, rules) for fleet in items(member(value, "saved"))),
        Received(
            whole(member(received, "games"), 0, games),
            _counts(received, "times", rules, games),
            _counts(received, "turns", rules, games * rules.squares),
        ),
        tuple(number(member(logs, name)) for name in PREDICTORS),
        decode_waves(member(value, "waves")),
        decode_programs(member(value, "programs")),
    )


def encode_waves(waves: Sequence[Wave]) -> list[Any]:
    """Waves, each as its harmonics of four coefficients."""
    return [[list(harmonic) for harmonic in wave.harmonics] for wave in waves]


def decode_waves(value: Any) -> tuple[Wave, ...]:
    """The waves of JSON values.

    Raises:
        ValueError: they are none, or too many, or one has other than ``HARMONICS`` harmonics of four numbers.
    """
    found = []
    for rows in map(items, _some(value, "wave")):
        if len(rows) != HARMONICS or any(len(items(row)) != len(Harmonic._fields) for row in rows):
            raise ValueError(f"a wave has {HARMONICS} rows of {len(Harmonic._fields)} numbers")
        found.append(Wave(tuple(Harmonic(*map(number, row)) for row in rows)))
    return tuple(found)


def encode_programs(programs: Sequence[LinearProgram]) -> list[list[str]]:
    """Sinking programs, each as the lines of its text."""
    return [print_program(program).splitlines() for program in programs]


def decode_programs(value: Any) -> tuple[LinearProgram, ...]:
    """The sinking programs of JSON values.

    Raises:
        ValueError: they are none, or too many, or one is not a program of Battleship.
    """
    found = []
    for place, lines in enumerate(_some(value, "program"), 1):
        try:
            found.append(representation().parse("\n".join(map(text, items(lines))) + "\n"))
        except (SourceError, UsageError) as error:
            raise ValueError(f"program {place}: {error}") from error
    return tuple(found)


def _some(value: Any, what: str) -> Sequence[Any]:
    found = items(value)
    if not 0 < len(found) <= MOST_GENOMES:
        raise ValueError(f"there are {len(found):,} {what}s; expected 1 to {MOST_GENOMES:,}")
    return found


def _counts(value: Mapping[str, Any], name: str, rules: Rules, most: int) -> tuple[int, ...]:
    counts = items(member(value, name))
    if len(counts) != rules.squares:
        raise ValueError(f"`{name}` has {len(counts):,} counts; the board has {rules.squares:,} squares")
    return tuple(whole(count, 0, most) for count in counts)


def _fleet(value: Any, rules: Rules) -> Placements:
    fleet = tuple(whole(placement, 0, 2 * rules.squares - 1) for placement in items(value))
    if len(fleet) != len(rules.fleet) or not is_legal(fleet, rules):
        raise ValueError(f"{list(fleet)} is not a legal fleet")
    return fleet
