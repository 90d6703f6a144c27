"""Games as subjects of runs: opponents, rules, training, and the search for programs that play.

In the problem of a game, programs play against opponents; all programs of a generation play the same deals.

Programs race: all programs play a first block of deals, then the clearly bad ones stop and the others continue. This
follows Maron and Moore, "Hoeffding races", 1994, but compares paired differences: all programs play the same deals, so
the difference between two scores has a much smaller error than either score.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from itertools import islice, pairwise
from typing import Any, Self

import numpy as np

from gpkit.core import plugins
from gpkit.core.arrays import Floats
from gpkit.core.errors import UsageError, told_as
from gpkit.core.primitives import RANDOM, Alphabet
from gpkit.core.registry import game_of, language_entry
from gpkit.core.rng import stream
from gpkit.core.timeouts import watched
from gpkit.evolution.config import Config, GuideSettings, RaceSettings, evolved, presets_of
from gpkit.evolution.fronts import CASES, FrontPlan
from gpkit.evolution.problem import CHOICE, FINAL, WORST, Evaluation, Executor, Lost, Problem, Representation
from gpkit.evolution.search import Search
from gpkit.evolution.setup import Subject, with_texts
from gpkit.gamekit.game import Game, Metric, language_of_alphabet
from gpkit.gamekit.players import Player
from gpkit.langkit.language import Language
from gpkit.playing.contest import Match
from gpkit.playing.evaluation import Training, TrainingSetup
from gpkit.playing.players import player_of_name, player_of_program
from gpkit.playing.results import expect_match
from gpkit.user_games.rules import OPENING
from gpkit.vm.program import Program as Code

Program = Any

NO_RACE = RaceSettings()
"""The settings without a race: every program plays every deal."""

SECONDS_PER_GAME = 3e-6
"""The expected seconds per game, used to plan batches; every node of a program adds a fiftieth of this time.

A search opponent takes this much additional time for every world that it samples.
"""

PIECES_PER_WORKER = 16
"""The minimum number of pieces of work per worker if there are several workers; few programs divide their deals."""


@dataclass(frozen=True, slots=True)
class GameProblem:
    """The problem of playing well: the score is the mean of the game's metric, negated if lower is better.

    Every program of a generation plays the same deals. It plays each deal in every seating, once against every
    opponent, which then takes all other seats. The next generation plays fresh deals, so luck is not inherited.
    Validation does not use the guide.

    Attributes:
        game: the game.
        rules: its rules.
        opponents: the opponents, which have equal weights.
        deals: the number of deals for each generation.
        validation_deals: the number of deals for the choice among champions, and for the final score.
        tuning_deals: the number of deals for each round of tuning.
        blocks: the number of parts into which the deals are divided; a case is the mean score against one opponent on
            one part.
        race: the settings that stop clearly bad programs early.
        hall: former champions, which join the opponents except in validation.
        header: the header lines with the dialect of the programs.
        guide: the terms that are added to the score of a generation.
        exercises: the rules of the guide's exercises; programs play them against the first opponent. For each block of
            each exercise, the mean score and the mean weighted grade are cases, which count towards the score.
        changes: whether each generation plays new deals; if not, all generations play the deals of the first one.
        tuning_race: the settings that stop clearly worse variants early in a round of tuning.
        spoken: the language of the programs if it is a user's, so that workers know it.
    """

    game: Game
    rules: Any
    opponents: tuple[Player, ...]
    deals: int
    validation_deals: int
    tuning_deals: int
    blocks: int = 1
    race: RaceSettings = NO_RACE
    hall: tuple[Program, ...] = ()
    header: Mapping[str, str] = field(default_factory=dict)
    guide: GuideSettings = field(default_factory=GuideSettings)
    exercises: tuple[Any, ...] = ()
    changes: bool = True
    tuning_race: RaceSettings = NO_RACE
    spoken: Language | None = None

    def evaluate(
        self, genomes: Sequence[Program], seed: int, generation: int, executor: Executor
    ) -> list[Evaluation]:
        """The evaluations of the programs on the deals of one generation."""
        champions = [
            player_of_program(program, self.game, f"hall {n}", self.header)
            for n, program in enumerate(self.hall)
        ]
        arena = Arena(
            self.game,
            self.rules,
            (*self.opponents, *champions),
            seed,
            "deals",
            generation if self.changes else 0,
            self.deals,
            self.header,
            self.guide.grade,
            self.spoken,
        )
        exercises = tuple(
            replace(
                arena,
                rules=rules,
                opponents=self.opponents[:1],
                purpose=f"exercise {number}",
                deals=self.guide.deals,
            )
            for number, rules in enumerate(self.exercises)
        )
        return self._play(arena, self.race, genomes, executor, exercises)

    def validate(
        self, genomes: Sequence[Program], seed: int, occasion: int, executor: Executor
    ) -> list[Evaluation]:
        """Evaluations on all deals of an occasion, against the opponents without the hall of fame."""
        tuning = occasion not in (CHOICE, FINAL)
        deals = self.tuning_deals if tuning else self.validation_deals
        race = self.tuning_race if tuning else NO_RACE
        arena = Arena(
            self.game,
            self.rules,
            self.opponents,
            seed,
            "validation",
            occasion,
            deals,
            self.header,
            spoken=self.spoken,
        )
        return self._play(arena, race, genomes, executor)

    @property
    def rehearsal(self) -> Self:
        """The problem with only a single deal of each kind that a generation plays."""
        return replace(self, deals=1, blocks=1, race=NO_RACE, guide=replace(self.guide, deals=1, blocks=1))

    def facing(self, hall: Sequence[Program]) -> Self:
        """The problem, with former champions added as opponents."""
        return replace(self, hall=tuple(hall))

    def _play(
        self,
        arena: "Arena",
        race: RaceSettings,
        genomes: Sequence[Program],
        executor: Executor,
        exercises: Sequence["Arena"] = (),
    ) -> list[Evaluation]:
        """The evaluations from a race in the arena; in the first block, all programs also play the exercises."""
        notes = [""] * len(genomes)
        exercised: list[tuple[float, ...]] = [()] * len(genomes)

        def play(numbers: Sequence[int], start: int, end: int) -> list[Floats | None]:
            parts = portions(start, end, len(numbers), executor.workers)
            pieces = [(genomes[number], *part) for number in numbers for part in parts]
            seconds = [
                arena.seconds(program, last - first)
                + sum(each.seconds(program, each.deals) for each in exercises if first == 0)
                for program, first, last in pieces
            ]
            work = partial(_play_in, arena, exercises, self.guide.blocks)
            results = iter(executor.run(work, pieces, seconds))
            found: list[Floats | None] = []
            for number in numbers:
                of_program = list(islice(results, len(parts)))
                notes[number] = next((one.reason for one in of_program if isinstance(one, Lost)), "")
                played = [one for one in of_program if not isinstance(one, Lost)]
                exercised[number] = exercised[number] or played[0][1] if played else ()
                found.append(None if notes[number] else np.hstack([scores for scores, _ in played]))
            return found

        outcomes = run_race(race, play, len(genomes), arena.deals)
        games = self.game.seatings(self.rules)
        practice = sum(exercise.deals * games for exercise in exercises)
        return [
            Evaluation(WORST, note=note)
            if one is None
            else Evaluation(
                one[0] + self.guide.weight * sum(means) / self.guide.blocks,
                (*self._cases(one[1], arena.deals), *means),
                trials=one[1].shape[1] * games * len(arena.opponents) + practice,
            )
            for one, means, note in zip(outcomes, exercised, notes, strict=True)
        ]

    def _cases(self, scores: Floats, deals: int) -> tuple[float, ...]:
        """The mean scores by opponent and block; an unfinished block counts as the worst."""
        if scores.shape[1] == deals and deals % self.blocks == 0:
            return tuple(block_means(scores, self.blocks))
        edges = [round(deals * block / self.blocks) for block in range(self.blocks + 1)]
        return tuple(
            float(row[start:end].mean()) if end <= len(row) else WORST
            for row in scores
            for start, end in pairwise(edges)
        )


@dataclass(frozen=True, slots=True)
class Arena:
    """The opponents and deals for one generation's programs, in a form that is small enough to send to a worker.

    Attributes:
        purpose, occasion: with the seed, they determine the random stream of the deals.
        deals: the number of deals.
        header: the header lines with the dialect of the programs.
        grade: the weight of the game's finer grade.
        spoken: as in ``GameProblem``.
    """

    game: Game
    rules: Any
    opponents: tuple[Player, ...]
    seed: int
    purpose: str
    occasion: int
    deals: int
    header: Mapping[str, str] = field(default_factory=dict)
    grade: float = 0.0
    spoken: Language | None = None

    def seconds(self, program: Program, deals: int) -> float:
        """The expected time for a program to play this many deals."""
        games = deals * self.game.seatings(self.rules) * sum(1 + player.worlds for player in self.opponents)
        return games * SECONDS_PER_GAME * (1.0 + len(program) / 50.0)

    def drawn(self) -> Any:
        """The deals, drawn from their random stream."""
        return self.game.deal(stream(self.seed, self.purpose, self.occasion), self.deals, self.rules)

    def play(self, player: Player, deals: object) -> Floats:
        """The scores of a player on some deals; higher is better.

        The scores are float64 (opponents, deals), or (2 · opponents, deals) with the weighted grades in the second
        half. Scores are averaged over the seatings of a deal.
        """
        others = self.game.players(self.rules) - 1
        direction = self.game.metric(self.rules).direction
        played = [
            self.game.play([player, *[opponent] * others], deals, self.rules) for opponent in self.opponents
        ]
        # the mean of each row, as ``mean`` computes it, in half the time
        rows = [direction * (np.add.reduce(each.values, axis=1) / each.values.shape[1]) for each in played]
        if self.grade:
            weight = direction * self.grade
            rows += [weight * scores.grades.mean(axis=1) for scores in played if scores.grades is not None]
        return np.stack(rows)


def portions(start: int, end: int, programs: int, workers: int) -> list[tuple[int, int]]:
    """The ranges of deals into which each program's work is divided: a single range, unless there are few programs.

    >>> portions(15, 30, programs=100, workers=4)
    [(15, 30)]
    >>> portions(0, 15, programs=16, workers=2)
    [(0, 7), (7, 15)]
    """
    wanted = -(-PIECES_PER_WORKER * workers // max(1, programs)) if workers > 1 else 1
    count = min(wanted, end - start)
    return list(pairwise([start + (end - start) * part // count for part in range(count + 1)]))


def _play_in(
    arena: Arena, exercises: Sequence[Arena], blocks: int, pieces: Sequence[tuple[Program, int, int]]
) -> list[tuple[Floats, tuple[float, ...]]]:
    """For each piece, its scores in the arena and, if it includes the first deal, the block means of the exercises.

    A piece is a program and the range of the arena's deals that it plays: the first deal, and the deal after the last.

    The block means are sorted by exercise.
    """
    results: list[tuple[Floats, tuple[float, ...]]] = []
    known: dict[Any, tuple[Floats, tuple[float, ...]]] = {}  # games of each code
    header = tuple(arena.header.items())
    with watched(plugins.PATIENCE, plugins.is_named):  # once for all of them, as it starts a thread
        deals, lessons = arena.drawn(), [(exercise, exercise.drawn()) for exercise in exercises]
        for program, start, end in pieces:
            player, code = _compiled(program, arena.game, header)
            key = (code or len(results), start, end)
            if key not in known:
                means = tuple(
                    mean
                    for exercise, given in lessons
                    if start == 0
                    for mean in block_means(exercise.play(player, given), blocks)
                )
                known[key] = arena.play(player, deals[start:end]), means
            results.append(known[key])
    return results


def block_means(scores: Floats, blocks: int) -> list[float]:
    """The mean of each part of every row, in the order of the rows; all rows are divided into the same number of parts.

    Args:
        scores: float64 (rows, deals), with at least as many deals as parts; if the parts cannot be equal, the first
            ones are one deal longer.
        blocks: the number of parts.

    >>> block_means(np.array([[1.0, 3.0, 5.0], [0.0, 0.0, 6.0]]), 2)
    [2.0, 5.0, 0.0, 6.0]
    """
    if scores.shape[1] % blocks:
        return [float(part.mean()) for row in scores for part in np.array_split(row, blocks)]
    means: list[float] = scores.reshape(len(scores) * blocks, -1).mean(axis=1).tolist()
    return means


@lru_cache(maxsize=2048)
def _compiled(
    program: Program, game: Game, header: tuple[tuple[str, str], ...]
) -> tuple[Player, tuple[bytes, ...]]:
    """The player for a program, compiled once for all parts of a race, and its code for use as a key.

    The code is empty if some of the player's programs do not run on gpkit's machine.
    """
    player = player_of_program(program, game, "candidate", dict(header))
    programs = [program for program in player.programs if isinstance(program, Code)]
    if len(programs) < len(player.programs):
        return player, ()
    return player, tuple(
        part
        for one in programs
        for part in (one.code.tobytes(), one.memory.tobytes(), one.result.to_bytes(4, "big"))
    )


def run_race(
    race: RaceSettings,
    play: Callable[[Sequence[int], int, int], list[Floats | None]],
    count: int,
    deals: int,
) -> list[tuple[float, Floats] | None]:
    """Play ``count`` genomes on up to ``deals`` deals.

    Args:
        race: the settings of the race.
        play: plays some genomes, given by number, on the deals from one number up to, but not including, another. It
            returns float64 (opponents, deals) for each genome, or None if the genome cannot be played.
        count: the number of genomes.
        deals: the number of deals.

    Returns:
        For each genome, its estimated mean over all deals and its scores, float64 (opponents, deals played); None if
        the genome cannot be played. If a genome was stopped, its estimate is its mean plus the average gain or loss of
        the others in the remaining deals.
    """
    scores: dict[int, Floats] = {}
    alive, ends, start = list(range(count)), stages(race.first, deals), 0
    for end in ends:
        for number, more in zip(alive, play(alive, start, end), strict=True):
            before = scores.pop(number, None)
            if more is not None:
                scores[number] = more if before is None else np.hstack([before, more])
        alive = [number for number in alive if number in scores]
        start = end
        if end < deals:
            by_deal = {number: scores[number].mean(axis=0) for number in alive}
            alive = survivors(race, by_deal, max(1, math.ceil(race.keep * count)))
    final = [scores[number].mean(axis=0) for number in alive]
    missed = {  # the average gain by the deals after the first ones of those that played all
        end: float(np.mean([one.mean() - one[:end].mean() for one in final])) if final else 0.0
        for end in ends[:-1]
    }
    known = [scores.get(number) for number in range(count)]
    return [
        None if one is None else (float(one.mean()) + missed.get(one.shape[1], 0.0), one) for one in known
    ]


def stages(first: int, deals: int) -> list[int]:
    """The numbers of deals at which the blocks of a race end: ``first``, then doubled each time, up to ``deals``."""
    ends = [min(first or deals, deals)]
    while ends[-1] < deals:
        ends.append(min(2 * ends[-1], deals))
    return ends


def survivors(race: RaceSettings, by_deal: dict[int, Floats], keep: int) -> list[int]:
    """The numbers of the genomes that are not clearly worse than the ``keep``-th best, by scores: float64 (deals,)."""
    if len(by_deal) <= keep:
        return list(by_deal)
    means = {number: float(scores.mean()) for number, scores in by_deal.items()}
    reference = by_deal[sorted(means, key=means.__getitem__, reverse=True)[keep - 1]]
    return [n for n in by_deal if not _clearly_below(by_deal[n] - reference, race.confidence)]


def _clearly_below(differences: Floats, confidence: float) -> bool:
    if len(differences) < 2:
        return False
    error = float(differences.std(ddof=1)) / math.sqrt(len(differences))
    return float(differences.mean()) + confidence * error < 0.0


BEST_RESPONSE = "a best response"
"""The name of the opponent in headers if the fitness of programs is based on their exploitability."""


def language_named(config: Config) -> str:
    """The language of a configuration's alphabet; empty if gpkit does not evolve programs for the game."""
    game: Game = game_of(config.game)
    known = any(primitives.alphabets for primitives in game.offers.values())
    return language_of_alphabet(game, config.alphabet) if known else ""


def subject_from(
    config: Config, opponent: Callable[[str, Game], Player], _scorer: object = None
) -> "GameSubject":
    """The subject of a configuration with a game.

    Args:
        config: the configuration.
        opponent: returns the player with a given name; callers in layers above ``evolution`` also accept program files.

    Raises:
        UsageError: the game, a rule or the alphabet is unknown, or a program to start from cannot be read.
        LimitError: a program to start from is too large.
    """
    game: Game = game_of(config.game)
    config = with_texts(config)
    words = {True: "yes", False: "no"}
    options = {
        name: words[value] if isinstance(value, bool) else str(value) for name, value in config.rules.items()
    }
    rules = game.make_rules(options)
    language: Language = language_entry(language_named(config)).load()
    offered = game.offers[language.name]
    is_whole = config.alphabet == language.name  # not the name of an alphabet
    alphabet = offered.alphabets[0] if is_whole else offered.chosen(config.alphabet)
    return GameSubject(
        config, language, game.metric(rules), game.offers, game, options, rules, alphabet, opponent
    )


@dataclass(frozen=True, slots=True)
class GameSubject(Subject):
    """The subject of a run in which programs play a game.

    Attributes:
        game: the game.
        options: the rules that the configuration sets, as strings.
        rules: the rules.
        alphabet: the alphabet of the programs.
        opponent: returns the player with a given name.
    """

    game: Game
    options: Mapping[str, str]
    rules: Any
    alphabet: Alphabet
    opponent: Callable[[str, Game], Player]

    @property
    def about(self) -> Mapping[str, str]:
        """The name of the game."""
        return {"game": self.game.name}

    @property
    def opponents(self) -> tuple[str, ...]:
        """The names of the opponents: those in the configuration, or the game's default opponents."""
        return tuple(self.config.fitness.opponents or self.game.rivals(self.rules))

    @property
    def plain_options(self) -> dict[str, str]:
        """The options, without the opening of a user's own game, because an opening varies games but is not a rule."""
        return {
            key: text for key, text in self.options.items() if key != OPENING or not self.game.is_of_states
        }

    @property
    def _lines(self) -> Mapping[str, str]:
        """Lines about the game for the header of champion files.

        The lines name the preset if the configuration differs from it only in its seed, rules and stopping rules.
        Otherwise, they state the training of the programs.
        """
        config = self.config
        header = {"game": self.game.name, "alphabet": self.alphabet.name}
        if config.rules:
            header["rules"] = " ".join(f"{name}={text}" for name, text in self.options.items())
        header |= config.dialect
        for name, preset in presets_of(self.game.name, self.language.name):
            same = replace(config, seed=preset.seed, rules=preset.rules, stop=preset.stop) == preset
            if same and list(config.operators) == list(preset.operators):  # a search depends on their order
                header["preset"] = name
        if "preset" not in header:
            header["trained"] = str(self.training)
        return header

    @property
    def training(self) -> Training:
        """The training of the programs: the opponents, under the rules of the run and of its exercises."""
        met = (*self.opponents, "former champions") if self.config.fitness.hall else self.opponents
        if self.config.fitness.exploitability:
            met = (BEST_RESPONSE,)
        setups = [TrainingSetup(met, dict(self.options))]
        for text in self.config.guide.exercises:
            rules = dict(pair.split("=", 1) for pair in text.split())
            setups.append(TrainingSetup(self.opponents[:1], {**self.options, **rules}))
        return Training(tuple(setups))

    @property
    def representation(self) -> Representation[Any]:
        """The representation of genomes, for the language of the alphabet."""
        return evolved(self.language.name).representation(self.config, self.game, self.alphabet)

    def search(self) -> Search[Any]:
        """The search for programs that play; it plays games, or computes their exact results.

        Raises:
            UsageError: a name does not exist, or the strength cannot be computed.
        """
        fitness = self.config.fitness
        if fitness.exploitability and not fitness.exact:
            raise UsageError("fitness.exploitability is computed, not sampled: also set fitness.exact = true")
        found = self.search_for(self._computed() if fitness.exact else self._played())
        return replace(
            found,
            front=found.front and self._weighed(found.front),
            hall=fitness.hall,
            hall_every=fitness.hall_every,
            candidates=fitness.candidates,
        )

    def _weighed(self, front: FrontPlan) -> FrontPlan:
        """The plan of the front, with the names and the bounds of the game's scores."""
        metric, blocks = self.metric, range(self.config.fitness.blocks)
        names = [
            f"against {name}" + (f", block {block + 1}" if len(blocks) > 1 else "")
            for name in self.opponents
            for block in blocks
        ]
        low, high = sorted((metric.direction * metric.low, metric.direction * metric.high))
        return replace(
            front, names={**front.names, CASES: tuple(names)}, direction=metric.direction, bounds=(low, high)
        )

    def _played(self) -> GameProblem:
        """The problem of playing games.

        Raises:
            UsageError: an opponent is unknown, or the rules of an exercise are not valid.
        """
        fitness, tuning = self.config.fitness, self.config.refinement
        return GameProblem(
            self.game,
            self.rules,
            tuple(self.opponent(name, self.game) for name in self.opponents),
            fitness.deals,
            fitness.validation_deals,
            tuning.deals,
            fitness.blocks,
            self.config.race,
            header=self.config.dialect,
            guide=self.config.guide,
            exercises=tuple(self._exercises()),
            changes=fitness.fresh,
            # of a round of tuning those matter that may be confirmed
            tuning_race=RaceSettings(first=tuning.race, keep=max(1, tuning.confirm) / tuning.candidates),
            spoken=self.language if self.language.sha256 else None,
        )

    def _computed(self) -> "ExactProblem":
        """The problem of computing the exact strength.

        Raises:
            UsageError: gpkit cannot compute exact results for the game, the rules of an exercise are not valid, or
                programs draw random numbers.
        """
        if self.game.exact is None:
            raise UsageError(f"fitness.exact: {self.game.name} cannot be computed, only sampled")
        if RANDOM in self.alphabet.sensors:
            raise UsageError(
                f"fitness.exact: programs in the alphabet {self.config.alphabet} draw random numbers"
            )
        against_best = self.config.fitness.exploitability
        return ExactProblem(
            self.game,
            self.rules,
            self.opponents[:1] if against_best else self.opponents,
            tuple(self._exercises()),
            self.config.guide.weight,
            self.config.dialect,
            against_best,
        )

    def _exercises(self) -> Iterator[Any]:
        """The rules of the exercises that guide individuals.

        Raises:
            UsageError: an exercise is not a list of the game's rules, or its metric differs from the game's.
        """
        for text in self.config.guide.exercises:
            pairs = [word.partition("=") for word in text.split()]
            if not all(equals for _, equals, _ in pairs):
                raise UsageError(
                    f'guide.exercises: `{text}` is not a list of rules such as "board=6x6 fleet=3,2"'
                )
            with told_as(UsageError, f"guide.exercises: `{text}`", UsageError):
                rules = self.game.make_rules({**self.options, **{name: value for name, _, value in pairs}})
            scored = self.game.metric(rules).name
            if scored != self.metric.name:
                raise UsageError(f"guide.exercises: `{text}` is scored by {scored}, not {self.metric.name}")
            yield rules


# Games whose strength is computed and not sampled: the same for every generation and seed.

SECONDS = 0.02
"""The expected seconds per program, used to plan batches."""


@dataclass(frozen=True, slots=True)
class ExactProblem(Problem[Any]):
    """The problem with exact scores: the mean of the game's metric over the opponents, negated if lower is better.

    Validation computes the same scores, but without the exercises.

    Attributes:
        game: the game.
        rules: its rules.
        opponents: the names of the opponents, with equal weights.
        exercises: the rules of the exercises; the mean score in each one is a case, and counts towards the score.
        weight: the weight of each exercise in the score.
        header: the header lines with the dialect of the programs.
        exploitability: whether the opponent is a best response; the score is then an even share minus the
            exploitability.
    """

    game: Game
    rules: Any
    opponents: tuple[str, ...]
    exercises: tuple[Any, ...] = ()
    weight: float = 1.0
    header: Mapping[str, str] = field(default_factory=dict)
    exploitability: bool = False

    @property
    def rehearsal(self) -> Self:
        """The problem itself, because it computes its scores exactly and has no smaller version."""
        return self

    def evaluate(
        self, genomes: Sequence[Program], seed: int, generation: int, executor: Executor
    ) -> list[Evaluation]:
        """The evaluations of the programs; they do not depend on the seed or the generation."""
        return self._compute((self.rules, *self.exercises), genomes, executor)

    def validate(
        self, genomes: Sequence[Program], seed: int, occasion: int, executor: Executor
    ) -> list[Evaluation]:
        """The evaluations without the exercises; they do not depend on the seed or the occasion."""
        return self._compute((self.rules,), genomes, executor)

    def _compute(
        self, games: Sequence[object], genomes: Sequence[Program], executor: Executor
    ) -> list[Evaluation]:
        seconds = [SECONDS * len(games)] * len(genomes)
        results = executor.run(partial(_means, self, games), genomes, seconds)
        return [
            Evaluation(WORST, note=means.reason)
            if isinstance(means, Lost)
            else Evaluation(means[0] + self.weight * sum(means[1:]), means)
            for means in results
        ]


def _means(
    problem: ExactProblem, games: Sequence[object], programs: Sequence[Program]
) -> list[tuple[float, ...]]:
    """The mean score of each program under each of these rules; higher is better."""
    game = problem.game
    others = [player_of_name(name, game) for name in problem.opponents]
    found = []
    for program in programs:
        player = player_of_program(program, game, "candidate", problem.header)
        scores = []
        for rules in games:
            metric = game.metric(rules)
            if problem.exploitability:
                scores.append(_against_best_response(player, rules, metric, game))
                continue
            results = [expect_match(game, Match(player, (other,)), rules).expected for other in others]
            scores.append(metric.direction * sum(each.mean for each in results) / len(results))
        found.append(tuple(scores))
    return found


def _against_best_response(player: Player, rules: object, metric: Metric, game: Game) -> float:
    """The score against a best response; higher is better.

    Raises:
        UsageError: gpkit cannot compute the score in this game.
    """
    exact = game.exact
    if exact is None or exact.exploited is None or metric.total is None or game.players(rules) != 2:
        raise UsageError(
            f"fitness.exploitability: gpkit run --exact computes none in {game.name}; expected a two-player "
            "game in which one player wins what the other loses"
        )
    return metric.direction * metric.total / 2.0 - exact.exploited((player,), rules)
