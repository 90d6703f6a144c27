"""Experience of the adaptive player with one opponent: a value that grows with each game; as JSON values and back."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

import numpy as np

from gpkit.core.codec import Codec, Leaves, Range, codec
from gpkit.core.diagnostics import shortened
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

MOST_GAMES = 1_000_000
"""The most games that are believed of a folder."""

MOST_GENOMES = 1_000
"""The most waves, and the most programs, that are read."""


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

    games: Annotated[int, Range(0, MOST_GAMES)]
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


_LINES, _ROWS = codec(tuple[str, ...]), codec(tuple[Harmonic, ...])


def _wave(value: Any) -> Wave:
    wave = Wave(_ROWS.read(value))
    if len(wave) != HARMONICS:
        raise ValueError(f"a wave has {HARMONICS} rows")
    return wave


GENOMES: Leaves = {
    Wave: Codec[Wave](lambda wave: _ROWS.write(wave.harmonics), _wave),
    LinearProgram: Codec[LinearProgram](
        lambda program: print_program(program).splitlines(),
        lambda value: representation().parse("\n".join(_LINES.read(value)) + "\n"),
    ),
}
"""Waves are written as rows of four coefficients, and sinking programs as the lines of their text."""

WAVES, PROGRAMS = codec(tuple[Wave, ...], GENOMES), codec(tuple[LinearProgram, ...], GENOMES)


EXPERIENCE = codec(Experience, GENOMES)
"""Experience as JSON values; ``decode`` gives it back."""


def decode(value: Any, rules: Rules) -> Experience:
    """The experience of JSON values.

    Raises:
        ValueError: they are not that of an experience under these rules.
    """
    known = EXPERIENCE.read(value)
    ships, told, times, turns = known.seen.ships, known.seen.known, known.received.times, known.received.turns
    if {len(ships), len(told), len(times), len(turns)} != {rules.squares}:
        raise ValueError(f"it has other counts than one for each of the {rules.squares:,} squares")
    most = max(*ships, *told, *times, *(-(-each // rules.squares) for each in turns), known.received.games)
    if most > known.games:
        raise ValueError(f"it counts {most:,} of {known.games:,} games")
    if len(known.logs) != len(PREDICTORS):
        raise ValueError(f"it has {len(known.logs):,} likelihoods; expected {len(PREDICTORS)}")
    if not all(0 < len(each) <= MOST_GENOMES for each in (known.waves, known.programs)):
        raise ValueError(f"it has no waves or programs, or more than {MOST_GENOMES:,}")
    for fleet in known.saved:
        on_board = all(0 <= placement < 2 * rules.squares for placement in fleet)
        if not on_board or len(fleet) != len(rules.fleet) or not is_legal(fleet, rules):
            raise ValueError(f"{shortened(str(list(fleet)))} is not a legal fleet")
    return known
