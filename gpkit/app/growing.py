"""Programs on the ladder of their game, part by part, so that their strength can be watched while it becomes certain.

Workers play the parts (``rungs_of``, ``play_part``, ``compute``); a ``Growth`` says which part comes next and has the
rows that grow.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpkit.app.ladder import training_in
from gpkit.app.players import Named, game_for, opponent
from gpkit.core.errors import UsageError
from gpkit.core.registry import game_entry, language_entry, name_game
from gpkit.core.statistics import Interval, mean_interval
from gpkit.gamekit.game import Game, Metric
from gpkit.gamekit.players import Player
from gpkit.playing.comparison import compare
from gpkit.playing.evaluation import Row, row_of
from gpkit.playing.exact import ExactResult, check_exact, expect_match
from gpkit.playing.match import BLOCK, Match, Result, courses_of, some_deals
from gpkit.playing.players import player_of_source
from gpkit.playing.suites import LADDER_SEED, Training, Trial, trials_of

MOST_TOGETHER = 512
"""Deals of a part; the first parts are smaller, and those of players that search are single deals."""


@dataclass(frozen=True)
class Bout:
    """Programs that are to be measured: one, or a second one with which it is compared on the same deals.

    Attributes:
        game: its name.
        language: of the programs.
        programs: their names and texts.
        external: who brought the game from outside; empty for what comes with the package.
    """

    game: str
    language: str
    programs: tuple[tuple[str, str], ...]
    external: str = ""


@dataclass(frozen=True, slots=True)
class Rung:
    """A trial of the ladder as the programs of a bout meet it.

    Attributes:
        trial: what is measured.
        metric: the score.
        deals: of each set.
        seatings: in which each deal is played.
        is_slow: whether a game takes long.
    """

    trial: Trial
    metric: Metric
    deals: int
    seatings: int
    is_slow: bool


@dataclass(frozen=True, slots=True)
class Part:
    """Some deals of a rung that were played.

    Attributes:
        values: of each program, float64 (deals,): the means over the seatings.
        stalled, invalid: of each program, the games that a cap on length or on steps ended.
        courses: of each program, as of ``match.Result``.
    """

    values: tuple[NDArray[np.float64], ...]
    stalled: tuple[int, ...]
    invalid: tuple[int, ...]
    courses: tuple[NDArray[np.int64] | None, ...]


def bout_of(programs: Sequence[Named]) -> Bout:
    """The bout of programs of one language.

    Raises:
        UsageError: no game or several would do, or they are for different ones.
        SourceError: the first one has an error for the game.
    """
    game = game_for(programs, None)
    player_of_source(programs[0].source, game, language=programs[0].language)
    texts = tuple((each.spec, each.source.text) for each in programs)
    return Bout(game.name, programs[0].language.name, texts, game_entry(game.name).origin)


@lru_cache(maxsize=2)
def _seated(bout: Bout) -> tuple[Game, tuple[Player, ...], tuple[Player, ...]]:
    """The game, the programs, and the opponents of all rungs.

    Raises:
        SourceError: a program does not parse, or has an error for the game.
        UsageError: an opponent cannot be seated.
    """
    if bout.external:
        name_game(bout.external)  # a worker has to be told of its file
    game: Game = game_entry(bout.game).load()
    language = language_entry(bout.language).load()
    players = tuple(
        player_of_source(language.parse(text, name), game, language=language) for name, text in bout.programs
    )
    return game, players, tuple(opponent(trial.opponent, game) for trial in trials_of(game))


def rungs_of(bout: Bout) -> tuple[Rung, ...]:
    """The rungs of the ladder.

    Raises:
        SourceError: a program does not parse, or has an error for the game.
        UsageError: a trial cannot be played.
    """
    game, players, others = _seated(bout)
    found = []
    for trial, other in zip(trials_of(game), others, strict=True):
        rules = game.make_rules(trial.options)
        seatings = game.seatings(rules)
        slow = any(player.is_slow for player in (*players, other))
        found.append(Rung(trial, game.metric(rules), -(-trial.games // seatings), seatings, slow))
    return tuple(found)


def play_part(bout: Bout, rung: int, seed: int, numbers: range) -> Part:
    """Every program on the deals of these numbers, which lie in one block."""
    game, players, others = _seated(bout)
    rules = game.make_rules(trials_of(game)[rung].options)
    deals = some_deals(game, rules, seed, numbers)
    seats = game.players(rules)
    seated = [Match(each, (others[rung],)).players(seats) for each in players]
    scores = [game.play(each, deals, rules) for each in seated]
    return Part(
        tuple(each.values.mean(axis=1) for each in scores),
        tuple(each.stalled for each in scores),
        tuple(each.invalid for each in scores),
        tuple(courses_of(game, each, [deals], rules) for each in seated),
    )


def compute(bout: Bout, rung: int) -> tuple[ExactResult, ...] | None:
    """The exact result of every program; None where it cannot be computed, as of one that draws random numbers."""
    game, players, others = _seated(bout)
    rules = game.make_rules(trials_of(game)[rung].options)
    if game.exact is None:
        return None
    matches = [Match(each, (others[rung],)) for each in players]
    try:
        for match in matches:
            check_exact(game, match, rules)
        return tuple(expect_match(game, match, rules) for match in matches)
    except UsageError:
        return None


@dataclass
class _Grown:
    """A rung as far as it has been played; ``values`` by program and by set of deals."""

    rung: Rung
    is_exact: bool
    values: list[list[list[NDArray[np.float64]]]]
    courses: list[list[list[NDArray[np.int64] | None]]]
    exact: tuple[ExactResult, ...] = ()
    deals: int = 0
    stalled: list[int] = field(default_factory=lambda: [0, 0])
    invalid: list[int] = field(default_factory=lambda: [0, 0])

    @property
    def is_whole(self) -> bool:
        """Whether nothing is left to be played."""
        return bool(self.exact) or self.deals >= self.rung.deals * self.rung.trial.sets

    def next(self) -> tuple[int, range]:
        """The seed and the numbers of the deals that come next: as many as there were, within a block and a set."""
        number, place = divmod(self.deals, self.rung.deals)
        most = 1 if self.rung.is_slow else max(1, min(self.deals, MOST_TOGETHER))
        end = min(place + most, self.rung.deals, (place // BLOCK + 1) * BLOCK)
        return LADDER_SEED + number, range(place, end)

    def add(self, part: Part) -> None:
        """Take in the deals that came next."""
        number = self.deals // self.rung.deals
        for k, values in enumerate(part.values):
            while len(self.values[k]) <= number:
                self.values[k].append([])
                self.courses[k].append([])
            self.values[k][number].append(values)
            self.courses[k][number].append(part.courses[k])
            self.stalled[k] += part.stalled[k]
            self.invalid[k] += part.invalid[k]
        self.deals += len(part.values[0])

    def results(self, bout: Bout, program: int) -> list[Result]:
        """The results of a program so far, one for each set of deals."""
        return [
            self._result(bout, program, np.concatenate(values), _together(courses), number == 0)
            for number, (values, courses) in enumerate(
                zip(self.values[program], self.courses[program], strict=True)
            )
        ]

    def result(self, bout: Bout, program: int) -> Result:
        """The result of a program so far over all sets of deals."""
        by_deal = np.concatenate([each for values in self.values[program] for each in values])
        courses = _together([each for courses in self.courses[program] for each in courses])
        return self._result(bout, program, by_deal, courses, True)

    def _result(
        self,
        bout: Bout,
        program: int,
        by_deal: NDArray[np.float64],
        courses: NDArray[np.int64] | None,
        counts: bool,
    ) -> Result:
        metric = self.rung.metric
        return Result(
            program=bout.programs[program][0],
            game=bout.game,
            opponent=self.rung.trial.opponent,
            metric=metric,
            interval=mean_interval(by_deal, support=metric.support, courses=courses),
            by_deal=by_deal,
            games=len(by_deal) * self.rung.seatings,
            stalled=self.stalled[program] if counts else 0,
            invalid=self.invalid[program] if counts else 0,
            courses=courses,
        )


def _together(parts: Sequence[NDArray[np.int64] | None]) -> NDArray[np.int64] | None:
    """The courses of parts one after another; None where those of one are not known."""
    known = [part for part in parts if part is not None]
    return np.concatenate(known) if len(known) == len(parts) else None


class Growth:
    """Strengths that grow: all quick rungs at the same time, then what takes longer, one after another."""

    def __init__(self, bout: Bout, rungs: Sequence[Rung]) -> None:
        """A growth of which nothing has been played."""
        self.bout = bout
        self._training = _training(bout)
        self._grown = [
            _Grown(rung, rung.trial.exact, [[] for _ in bout.programs], [[] for _ in bout.programs])
            for rung in rungs
        ]
        self._turn = -1

    def next(self) -> int | None:
        """The rung whose turn it is; None when all are whole."""
        least = min((_patience(each) for each in self._grown if not each.is_whole), default=None)
        if least is None:
            return None
        count = len(self._grown)
        order = [(self._turn + 1 + k) % count for k in range(count)]
        turns = [k for k in order if not self._grown[k].is_whole and _patience(self._grown[k]) == least]
        self._turn = turns[0] if least == _TOGETHER else min(turns)
        return self._turn

    def is_exact(self, rung: int) -> bool:
        """Whether the rung is to be computed."""
        return self._grown[rung].is_exact

    def deals(self, rung: int) -> tuple[int, range]:
        """Arguments of ``play_part`` for a rung: the seed and the numbers of the deals."""
        return self._grown[rung].next()

    def take(self, rung: int, found: Part | tuple[ExactResult, ...] | None) -> None:
        """Take in what a worker found; a rung that could not be computed is played from now on."""
        grown = self._grown[rung]
        if isinstance(found, Part):
            grown.add(found)
        elif found is None:
            grown.is_exact = False
        else:
            grown.exact = found

    def row(self, rung: int) -> dict[str, Any]:
        """The row of a rung as JSON values; a single deal has no interval, and a bound that is not finite is None."""
        grown = self._grown[rung]
        trial = grown.rung.trial
        values: dict[str, Any] = {
            "row": rung,
            "against": trial.opponent,
            "rules": " ".join(f"{name}={value}" for name, value in trial.options.items()),
            "metric": grown.rung.metric.name.replace("_", " "),
            "lower": grown.rung.metric.lower_is_better,
            "share": grown.rung.metric.support == (0.0, 1.0),
            "whole": grown.is_whole,
            "known": bool(grown.exact) or grown.deals > 0,
        }
        if not values["known"]:
            return values
        if len(self.bout.programs) == 1:
            return values | self._strength(grown)
        return values | self._difference(grown)

    def _strength(self, grown: _Grown) -> dict[str, Any]:
        results = list(grown.exact) or grown.results(self.bout, 0)
        seeds = () if grown.exact else range(LADDER_SEED, LADDER_SEED + len(results))
        row: Row = row_of(results, grown.rung.trial, seeds, self._training)
        return {
            "mean": row.interval.mean,
            **_ends(row.interval, row.is_exact),
            "games": row.games,
            "invalid": row.invalid,
            "exact": row.is_exact,
            "held": row.held_out,
        }

    def _difference(self, grown: _Grown) -> dict[str, Any]:
        pair = grown.exact or (grown.result(self.bout, 0), grown.result(self.bout, 1))
        compared = compare(*pair)
        return {
            "first": compared.first.interval.mean,
            "second": compared.second.interval.mean,
            "mean": compared.difference.mean,
            **_ends(compared.difference, compared.is_exact),
            "games": compared.first.games,
            "exact": compared.is_exact,
            "verdict": compared.verdict,
        }

    def rows(self) -> list[dict[str, Any]]:
        """All rows."""
        return [self.row(k) for k in range(len(self._grown))]


_TOGETHER = 1


def _ends(interval: Interval, is_exact: bool) -> dict[str, float | None]:
    """The ends of an interval as JSON values; None where a single deal has none, or they are not finite."""
    ends = {"low": interval.low, "high": interval.high}
    is_known = is_exact or interval.units > 1
    return {name: end if is_known and math.isfinite(end) else None for name, end in ends.items()}


def _patience(grown: _Grown) -> int:
    """The group of a rung: quick exact results, then fast games together, then slow exact results, then slow games."""
    if grown.is_exact:
        return 0 if grown.rung.trial.quick else 2
    return 3 if grown.rung.is_slow else _TOGETHER


def _training(bout: Bout) -> Training | None:
    """The training of the first program by its header."""
    game: Game = game_entry(bout.game).load()
    name, text = bout.programs[0]
    return training_in(language_entry(bout.language).load().parse(text, name).header, game)
