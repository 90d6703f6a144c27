"""The adaptive player, which learns where to place its fleet and where to shoot, and evolves its sinking program.

Sinking programs evolve, on the shared engine, by the loop described by J. Bridon and others, "An Artificially
Intelligent Battleship Player Utilizing Adaptive Firing and Placement Strategies", Figure 9. A population contains 20
programs. The best tenth of a population survives and breeds.

The player goes beyond the source in two ways:

- Against a new opponent, the player starts with pre-trained populations from ``programs/battleship/adaptive``. The
  script ``gpkit_experiments.adaptive_pretraining`` at commit 9cddfbcb created them.
- The player rehearses: it draws several fleets, and uses the fleet that hard-coded players need the most shots to
  clear. The source uses hard-coded players to pre-train shots, but not fleets. Ships that touch cost such players the
  most shots, because the players mistake the hits for hits on a single ship. Weights of squares cannot express this
  effect.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Annotated, Any

import numpy as np

from gpkit.core.arrays import Floats
from gpkit.core.codec import Codec, Leaves, Range, codec, parse_json
from gpkit.core.diagnostics import shortened
from gpkit.core.registry import data_folder
from gpkit.core.rng import stream
from gpkit.evolution.config import shipped_presets
from gpkit.evolution.executors import SerialExecutor
from gpkit.evolution.loop import evolved
from gpkit.evolution.problem import Evaluation, Executor, Population, Problem
from gpkit.evolution.search import Parameters, Search, Start
from gpkit.evolution.setup import scheme_of
from gpkit.evolution.subjects import resolve
from gpkit.gamekit.players import Player, by_program
from gpkit.games.battleship.arena import (
    COUNTS,
    Keys,
    TargetAnswers,
    drawn_fleet,
    shot_at,
    shots_at,
    sums_of,
    turns_at,
)
from gpkit.games.battleship.game import GAME
from gpkit.games.battleship.learner.targeting import (
    DEFAULTS,
    PREDICTORS,
    LearnerSettings,
    Received,
    drawn_fleets,
    log_likelihoods,
    predictions,
    square_weights,
    target_answers,
    training_density,
    wave_target,
)
from gpkit.games.battleship.memory import Memory
from gpkit.games.battleship.primitives import PRIMITIVES
from gpkit.games.battleship.rules import BattleshipRules, Board, Placements, fleet_squares, is_legal, replayed
from gpkit.games.battleship.waves import HARMONICS, Harmonic, Wave, evolve_waves
from gpkit.genomes.linear import LinearProgram, mutate_blocks
from gpkit.languages.sinking.compiler import compile_program
from gpkit.languages.sinking.forms.evolution import LinearRepresentation
from gpkit.languages.sinking.text import dialect_of, print_program
from gpkit.playing.players import player_of_name, player_of_program, program_of_name

HEADER: Mapping[str, str] = MappingProxyType({"game": GAME.name, "sunk": "reset", "target": "filter"})
"""The header of the player's programs, which restart after a ship has sunk."""

BRIDON = shipped_presets()["bridon"]
SIZE = BRIDON.population.size

MUTATION = 0.1
"""The probability that each block of a program is mutated for a new opponent."""


def shooter_of(program: LinearProgram, answers: TargetAnswers, *, keep_introns: bool = False) -> Player:
    """The player for a program; placement weights, or else the player ``filter``, answer its ``Target``.

    Args:
        program: a sinking program.
        answers: the answers to ``Target``.
        keep_introns: whether to also compile lines without effect, which makes compiling faster and running slower.
    """
    code = compile_program(program, dialect(), PRIMITIVES, keep_introns=keep_introns)
    player = Player("adaptive", (code,), "", program, HEADER)
    if answers.weights is None:
        return player
    return Player("adaptive", strategy=COUNTS, policy=player, remembers=True)


@cache
def dialect() -> Mapping[str, str]:
    """The dialect of the player's programs: the value of every switch."""
    return dialect_of(HEADER, PRIMITIVES)


@dataclass(frozen=True, slots=True, eq=False)
class SavedGames(Problem[LinearProgram]):
    """The problem of clearing saved boards in few shots; the score is the negative mean number of shots.

    Every program receives the same targets.

    Attributes:
        fleets: the fleets of earlier games.
        answers: the answers to ``Target``.
        rules: the rules.
        sums: the running sums for the fleets; see ``fleets`` of ``arena.turns_at``.
    """

    fleets: tuple[Placements, ...]
    answers: TargetAnswers
    rules: BattleshipRules
    sums: Floats

    @classmethod
    def of(cls, fleets: Sequence[Placements], answers: TargetAnswers, rules: BattleshipRules) -> "SavedGames":
        """The problem for these fleets, of which there must be at least one."""
        return cls(tuple(fleets), answers, rules, np.stack([[sums_of(fleet, rules)] * 2 for fleet in fleets]))

    def evaluate(
        self, genomes: Sequence[LinearProgram], seed: int, generation: int, executor: Executor
    ) -> list[Evaluation]:
        """Evaluations of programs, where each case is a game."""
        keys, found = np.arange(len(self.fleets)), []
        for program in genomes:
            player = shooter_of(program, self.answers, keep_introns=True)
            turns = turns_at(self.sums, player, keys, self.rules, self.answers)
            cases = tuple(-each for each in turns)
            found.append(Evaluation(float(np.mean(cases)), cases))
        return found


@cache
def representation() -> LinearRepresentation:
    """The representation of the player's programs."""
    found: Any = resolve(BRIDON).representation
    assert isinstance(found, LinearRepresentation)
    return found


def evolved_programs(
    problem: SavedGames, start: Sequence[LinearProgram], generations: int, seed: int
) -> Population[LinearProgram]:
    """The population after this number of generations, best first.

    Args:
        problem: the saved games; at least one.
        start: programs for the first generation; if they are too few, their mutants fill it up, without random
            programs.
        generations: the number of generations after the first one.
        seed: the seed of all random numbers.
    """
    space, programs = representation(), tuple([("", program) for program in start[:SIZE]])
    loop: Search[LinearProgram] = Search(
        problem, space, Parameters(SIZE, scheme_of(BRIDON, space)), seed, start=Start(programs)
    )
    return evolved(loop, generations, SerialExecutor())


def mutants(rng: np.random.Generator, programs: Sequence[LinearProgram]) -> tuple[LinearProgram, ...]:
    """A slightly mutated population for a new opponent; the first program is unchanged."""
    domain = representation().domain
    others = (mutate_blocks(rng, program, domain, MUTATION).genome for program in programs[1:])
    return (*programs[:1], *others)


DRAWN = 200
"""The number of fleets to draw in the search for one that explains the opponent's answers."""

MOST_GAMES = 1_000_000
"""The maximum number of games in a stored experience."""

MOST_GENOMES = 1_000
"""The maximum number of waves in a stored experience, and also of programs."""


@dataclass(frozen=True, slots=True)
class Experience:
    """The player's knowledge about an opponent.

    Attributes:
        games: the number of games so far.
        seen: the squares where the opponent's ships were found.
        saved: the opponent's fleets in the most recent games, oldest first, as inferred by ``told_fleet``.
        received: the opponent's shots.
        logs: for each predictor, the log-likelihood of all games.
        waves: a population of waves, best first.
        programs: a population of sinking programs, of which the first one plays.
    """

    games: Annotated[int, Range(0, MOST_GAMES)]
    seen: Memory
    saved: tuple[Placements, ...]
    received: Received
    logs: tuple[float, ...]
    waves: tuple[Wave, ...]
    programs: tuple[LinearProgram, ...]

    @classmethod
    def none(
        cls, rules: BattleshipRules, waves: Sequence[Wave], programs: Sequence[LinearProgram]
    ) -> "Experience":
        """The experience before the first game, with these initial populations."""
        nothing = (0.0,) * len(PREDICTORS)
        return cls(0, Memory.empty(rules), (), Received.none(rules), nothing, tuple(waves), tuple(programs))


def experienced(
    before: Experience, board: Board, home: Board | None, seed: int, settings: LearnerSettings
) -> Experience:
    """The experience after a game.

    Args:
        before: the experience before the game.
        board: the board that the player shot at.
        home: in a duel, the board with the player's own fleet, after the opponent's shots.
        seed: the seed of all random numbers.
        settings: the settings of the player.
    """
    rules = board.rules
    game = Memory.empty(rules).after(board)
    gained = log_likelihoods(predictions(before.seen, before.waves[0], rules, settings), game, rules)
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


def with_waves(
    experience: Experience, rules: BattleshipRules, seed: int, settings: LearnerSettings
) -> Experience:
    """The experience after its waves have evolved further."""
    target = wave_target(experience.seen, rules, settings.training)
    population = evolve_waves(target, settings.generations, seed, start=experience.waves)
    return replace(experience, waves=tuple(individual.genome for individual in population))


def told_fleet(rng: np.random.Generator, board: Board) -> Placements | None:
    """A fleet that would have given the same answer to every shot, or None if none was found.

    After a game, the player knows the squares where it found ships. After a lost game, the player does not know where
    the remaining ships lay. Therefore, a legal fleet that covers these squares and no misses stands in for the
    opponent's fleet. The function returns the first of ``DRAWN`` fleets whose ships would also have sunk as announced,
    or else the first fleet that covers these squares.
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
"""The weight of a square by the knowledge of it, for drawing a fleet that fits the answers."""


_LINES, _ROWS = codec(tuple[str, ...]), codec(tuple[Harmonic, ...])


def _wave(value: object) -> Wave:
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
"""Codecs that store a wave as rows of four coefficients, and a sinking program as lines of text."""

WAVES, PROGRAMS = codec(tuple[Wave, ...], GENOMES), codec(tuple[LinearProgram, ...], GENOMES)


EXPERIENCE = codec(Experience, GENOMES)
"""The codec between an experience and JSON values; ``decode`` also checks the values."""


def decode(value: object, rules: BattleshipRules) -> Experience:
    """The experience that these JSON values describe.

    Raises:
        ValueError: the values do not describe an experience under these rules.
    """
    known = EXPERIENCE.read(value)
    ships, told, times, turns = known.seen.ships, known.seen.known, known.received.times, known.received.turns
    if {len(ships), len(told), len(times), len(turns)} != {rules.squares}:
        raise ValueError(f"it does not have one count for each of the {rules.squares:,} squares")
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


FILE = "pretrained.json"

GENERATIONS = 30
"""The number of generations for fitting waves to the training density on boards without shipped waves."""


@lru_cache(maxsize=16)
def pretrained_waves(rules: BattleshipRules) -> tuple[Wave, ...]:
    """Waves that fit the training density, best first; they are shipped for some boards, and evolved for others.

    Raises:
        UsageError: no legal fleet was found.
    """
    options = rules.to_options()
    for board in _shipped()["boards"]:
        if all(options[name] == value for name, value in board["rules"].items()):
            return WAVES.read(board["waves"])
    return tuple(individual.genome for individual in evolve_waves(training_density(rules), GENERATIONS, 0))


@cache
def _shipped() -> Any:
    return parse_json((data_folder("programs") / GAME.name / "adaptive" / FILE).read_bytes())


FOLLOWERS = ("hunt", "density")
"""The hard-coded players in rehearsals, in addition to the corrected program of Figure 8."""


@cache
def rehearsing() -> tuple[Player, ...]:
    """The hard-coded players for rehearsals, which go on to sink the ships that they hit."""
    corrected = player_of_program(
        program_of_name("corrected", GAME), GAME, "corrected", {"sunk": "reset", "target": "checkerboard"}
    )
    return (corrected, *(player_of_name(name, GAME) for name in FOLLOWERS))


def hardest(fleets: Sequence[Placements], rules: BattleshipRules, games: int) -> Placements:
    """The fleet that costs the most shots, with each player's shots scaled by their standard deviation over the fleets.

    Args:
        fleets: the fleets; at least one.
        rules: the board and the fleet.
        games: the number of games of each player against each fleet; all fleets use the same keys.
    """
    total = np.zeros(len(fleets))
    for player in rehearsing():
        shots = shots_needed(fleets, player, rules, games)
        total += (shots - shots.mean()) / (shots.std() or 1.0)
    return fleets[int(total.argmax())]


def shots_needed(fleets: Sequence[Placements], player: Player, rules: BattleshipRules, games: int) -> Floats:
    """For each fleet, the mean number of shots until it is cleared: float64 (fleets,)."""
    sums = np.stack([[sums_of(fleet, rules)] * 2 for fleet in fleets]).repeat(games, axis=0)
    keys = np.tile(np.arange(games), len(fleets))
    return np.asarray(np.array(turns_at(sums, player, keys, rules)).reshape(len(fleets), games).mean(axis=1))


@dataclass(frozen=True, slots=True)
class AdaptiveSide:
    """The adaptive player during one game."""

    player: Player
    keys: Keys
    rules: BattleshipRules
    experience: Experience
    settings: LearnerSettings

    def fleet(self) -> Placements:
        """The hardest of several drawn fleets, or a fleet from the placement pattern in the player's name.

        ``drawn_fleets`` draws the fleets by Sequential Monte Carlo.

        Raises:
            UsageError: no legal fleet was found.
        """
        if self.player.placement:
            return drawn_fleet(self.player.placement, self.keys, self.rules)
        settings = self.settings
        weights = square_weights(self.experience.received, self.rules, caution=settings.caution)
        rng = stream(self.keys[0], "fleet", self.keys[1])
        drawn = drawn_fleets(rng, weights, self.rules, settings.particles)[: settings.rehearsed].tolist()
        fleets = tuple(dict.fromkeys(map(tuple, drawn)))
        return fleets[0] if len(fleets) == 1 else hardest(fleets, self.rules, settings.rehearsals)

    def clear(self, fleet: Placements) -> Board:
        """The board after the shots of the sinking program."""
        known, settings = self.experience, self.settings
        answers = target_answers(known.seen, known.waves[0], known.logs, self.rules, settings)
        player = shooter_of(known.programs[0], answers)
        return shot_at(fleet, shots_at(fleet, player, self.keys[2], self.rules, answers), self.rules)

    def remember(self, board: Board, home: Board | None) -> Experience:
        """The experience after the game, with its populations evolved for the next game."""
        return experienced(self.experience, board, home, (self.keys[0] << 26) + self.keys[2], self.settings)


@dataclass(frozen=True, slots=True)
class Adaptive:
    """The adaptive player and its settings."""

    settings: LearnerSettings = DEFAULTS

    def begin(self, player: Player, rules: BattleshipRules) -> Experience:
        """The first experience: pre-trained waves, the player's program, and mutants of pre-trained programs."""
        shipped = PROGRAMS.read(_shipped()["programs"])
        programs = mutants(stream(0, "new opponent"), (by_program(player).program, *shipped))
        return Experience.none(rules, pretrained_waves(rules), programs)

    def side(self, player: Player, keys: Keys, rules: BattleshipRules, memory: Experience) -> AdaptiveSide:
        """The player during one game of a series."""
        return AdaptiveSide(player, keys, rules, memory, self.settings)


ADAPTIVE = Adaptive()
