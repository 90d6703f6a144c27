"""Playing games as a problem: programs meet opponents on deals that are the same for a whole generation.

Programs race: all play a first block of deals, the clearly bad ones stop, and the others continue. After O. Maron and
A. Moore, "Hoeffding races", 1994, with paired differences: all programs play the same deals, so the difference between
two scores is known far better than either score.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from itertools import islice, pairwise
from typing import Any, Self

import numpy as np

from gpkit.core.arrays import Floats
from gpkit.core.rng import stream
from gpkit.evolution.individual import WORST, Evaluation
from gpkit.evolution.problem import CHOICE, FINAL, Executor, Lost
from gpkit.evolution.tables import GuideSettings, RaceSettings
from gpkit.gamekit.game import Game
from gpkit.gamekit.players import Player
from gpkit.playing.players import player_of_program
from gpkit.vm.program import Program as Code

Program = Any

NO_RACE = RaceSettings()
"""Everybody plays everything."""

SECONDS_PER_GAME = 3e-6
"""The expected time of a game, for making batches; every node of a program adds a fiftieth.

An opponent that searches takes so much for every world it samples, too.
"""

PIECES_PER_WORKER = 16
"""The least pieces of work for each of several workers; where programs are fewer, their deals are divided."""


@dataclass(frozen=True, slots=True)
class GameProblem:
    """Score well against opponents: the mean of the game's metric over all games, negated where lower is better.

    Every program of a generation plays the same deals, each in every seating, once against every opponent, which then
    holds all the other seats. The next generation has fresh deals, so that luck is not inherited. Validation is without
    the guide.

    Attributes:
        game: the game.
        rules: its rules.
        opponents: whom to play; they weigh the same.
        deals: how many deals in a generation.
        validation_deals: how many for the choice among champions, and for the final score.
        tuning_deals: how many for each round of tuning.
        blocks: a case is the mean score against one opponent on one of so many parts of the deals.
        race: stops clearly bad programs early.
        hall: former champions, who join the opponents but for validation.
        header: lines that say in which dialect programs are meant.
        guide: what counts in a generation beside the score.
        exercises: the rules of the other games of the guide, which programs play against the first opponent; the mean
            score and the mean weighted grade of each block of each are cases, and count in the score.
        changes: a generation has deals of its own; if not, all generations have those of the first.
        tuning_race: stops clearly worse variants early in a round of tuning.
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

    def evaluate(
        self, genomes: Sequence[Program], seed: int, generation: int, executor: Executor
    ) -> list[Evaluation]:
        """The evaluations of the programs on the deals of one generation."""
        champions = [
            player_of_program(program, self.game, f"hall {n}", self.header)
            for n, program in enumerate(self.hall)
        ]
        occasion = generation if self.changes else 0
        arena = Arena(
            self.game,
            self.rules,
            (*self.opponents, *champions),
            seed,
            "deals",
            occasion,
            self.deals,
            self.header,
            self.guide.grade,
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
        """Evaluations on the deals of an occasion, all of them, against the opponents without the hall of fame."""
        tuning = occasion not in (CHOICE, FINAL)
        deals = self.tuning_deals if tuning else self.validation_deals
        race = self.tuning_race if tuning else NO_RACE
        arena = Arena(self.game, self.rules, self.opponents, seed, "validation", occasion, deals, self.header)
        return self._play(arena, race, genomes, executor)

    @property
    def rehearsal(self) -> Self:
        """The problem with one deal of everything that a generation plays."""
        return replace(self, deals=1, blocks=1, race=NO_RACE, guide=replace(self.guide, deals=1, blocks=1))

    def facing(self, hall: Sequence[Program]) -> Self:
        """The problem with former champions as further opponents."""
        return replace(self, hall=tuple(hall))

    def _play(
        self,
        arena: "Arena",
        race: RaceSettings,
        genomes: Sequence[Program],
        executor: Executor,
        exercises: Sequence["Arena"] = (),
    ) -> list[Evaluation]:
        """The evaluations of a race in the arena; in its first block all play the exercises, too."""
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
        """Means by opponent and block; a block that was not played to its end is the worst."""
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
    """Opponents and deals that programs of one generation meet; small enough to be sent to a worker.

    Attributes:
        purpose, occasion: with the seed they name the random stream that the deals come from.
        deals: how many there are.
        header: lines that say in which dialect programs are meant.
        grade: the weight of the finer grade of a game.
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

    def seconds(self, program: Program, deals: int) -> float:
        """The expected time of a program on so many deals."""
        games = deals * self.game.seatings(self.rules) * sum(1 + player.worlds for player in self.opponents)
        return games * SECONDS_PER_GAME * (1.0 + len(program) / 50.0)

    def drawn(self) -> Any:
        """The deals."""
        return self.game.deal(stream(self.seed, self.purpose, self.occasion), self.deals, self.rules)

    def play(self, player: Player, deals: Any) -> Floats:
        """The scores of a player on some of the deals, higher being better.

        float64 (opponents, deals), or (2 · opponents, deals) with the weighted grades in the second half. The seatings
        of a deal are averaged.
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


Piece = tuple[Program, int, int]
"""A program, and the deals of an arena that it plays: those from one up to another."""


def portions(start: int, end: int, programs: int, workers: int) -> list[tuple[int, int]]:
    """The parts of some deals that each of so many programs plays in a piece: all at once, unless programs are few.

    >>> portions(15, 30, programs=100, workers=4)
    [(15, 30)]
    >>> portions(0, 15, programs=16, workers=2)
    [(0, 7), (7, 15)]
    """
    wanted = -(-PIECES_PER_WORKER * workers // max(1, programs)) if workers > 1 else 1
    count = min(wanted, end - start)
    edges = [start + (end - start) * part // count for part in range(count + 1)]
    return list(pairwise(edges))


def _play_in(
    arena: Arena, exercises: Sequence[Arena], blocks: int, pieces: Sequence[Piece]
) -> list[tuple[Floats, tuple[float, ...]]]:
    """For each piece its scores in the arena; for one with the first deal also the means of every row of exercises.

    Those are means of blocks, exercise by exercise.
    """
    deals = arena.drawn()
    lessons = [(exercise, exercise.drawn()) for exercise in exercises]
    results: list[tuple[Floats, tuple[float, ...]]] = []
    known: dict[Any, tuple[Floats, tuple[float, ...]]] = {}  # games of each code
    header = tuple(arena.header.items())
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
    """The means of each of so many parts of every row, part by part and row by row; all at once where parts are equal.

    Args:
        scores: float64 (rows, deals), with at least as many deals as parts; the first parts are one longer where they
            cannot be equal.
        blocks: the parts.

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
    """The player of a program, compiled once for all parts of a race, and its code, by which it decides.

    The code is empty if not all of its programs run on the machine.
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


Play = Callable[[Sequence[int], int, int], list[Floats | None]]
"""Plays some genomes, given by number, on the deals from one up to another.

Gives for each float64 (opponents, deals), or None for a genome that cannot be played.
"""


def run_race(race: RaceSettings, play: Play, count: int, deals: int) -> list[tuple[float, Floats] | None]:
    """Play ``count`` genomes on up to ``deals`` deals.

    Returns:
        For each genome its estimated mean over all deals and its scores, float64 (opponents, deals played); None for
        one that cannot be played. The estimate of a stopped genome adds to its mean what the others gained or lost on
        average in the deals that it did not meet.
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
    """The numbers of deals at the ends of the blocks of a race: ``first``, doubled each time, up to all ``deals``."""
    ends = [min(first or deals, deals)]
    while ends[-1] < deals:
        ends.append(min(2 * ends[-1], deals))
    return ends


def survivors(race: RaceSettings, by_deal: dict[int, Floats], keep: int) -> list[int]:
    """The numbers of the genomes not clearly worse than the ``keep``-th best, by scores: float64 (deals,)."""
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
