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

from gpkit.app.evaluation import training_in
from gpkit.app.players import Named, game_for, opponent
from gpkit.core.errors import UsageError
from gpkit.core.registry import game_entry, language_entry
from gpkit.core.statistics import Interval, mean_interval
from gpkit.gamekit.game import Game, Metric
from gpkit.gamekit.players import Player
from gpkit.playing.evaluation import LADDER_SEED, Trial, row_of, trials_of
from gpkit.playing.match import BLOCK, Match, Result, courses_of, some_deals
from gpkit.playing.players import player_of_source
from gpkit.playing.results import ExactResult, Strength, check_exact, compare, expect_match

MOST_TOGETHER = 512
"""Deals of a part; the first parts are smaller, and those of players that search are single deals."""


@dataclass(frozen=True)
class Bout:
    """Programs that are to be measured: one, or a second one with which it is compared on the same deals.

    Attributes:
        game: its name.
        language: of the programs.
        programs: their names and texts.
    """

    game: str
    language: str
    programs: tuple[tuple[str, str], ...]


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
    return Bout(game.name, programs[0].language.name, texts)


@lru_cache(maxsize=2)
def _seated(bout: Bout) -> tuple[Game, tuple[Player, ...], tuple[Player, ...]]:
    """The game, the programs, and the opponents of all rungs.

    Raises:
        SourceError: a program does not parse, or has an error for the game.
        UsageError: an opponent cannot be seated.
    """
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
    """A rung as far as it has been played: the parts of each set of deals."""

    rung: Rung
    is_exact: bool
    parts: list[list[Part]] = field(default_factory=list)
    exact: tuple[ExactResult, ...] = ()
    deals: int = 0

    @property
    def is_whole(self) -> bool:
        """Whether nothing is left to be played."""
        return bool(self.exact) or self.deals >= self.rung.deals * self.rung.trial.sets

    @property
    def patience(self) -> int:
        """The group: quick exact results, then fast games together, then slow exact results, then slow games."""
        if self.is_exact:
            return 0 if self.rung.trial.quick else 2
        return 3 if self.rung.is_slow else _TOGETHER

    def next(self) -> tuple[int, range]:
        """The seed and the numbers of the deals that come next: as many as there were, within a block and a set."""
        number, place = divmod(self.deals, self.rung.deals)
        most = 1 if self.rung.is_slow else max(1, min(self.deals, MOST_TOGETHER))
        end = min(place + most, self.rung.deals, (place // BLOCK + 1) * BLOCK)
        return LADDER_SEED + number, range(place, end)

    def add(self, part: Part) -> None:
        """Take in the deals that came next."""
        if self.deals % self.rung.deals == 0:
            self.parts.append([])
        self.parts[-1].append(part)
        self.deals += len(part.values[0])

    def result(self, bout: Bout, program: int, parts: Sequence[Part]) -> Result:
        """The result of a program in some parts; the courses of games are known where those of all parts are."""
        metric, by_deal = self.rung.metric, np.concatenate([part.values[program] for part in parts])
        known = [courses for part in parts if (courses := part.courses[program]) is not None]
        courses = np.concatenate(known) if len(known) == len(parts) else None
        return Result(
            program=bout.programs[program][0],
            game=bout.game,
            opponent=self.rung.trial.opponent,
            metric=metric,
            interval=mean_interval(by_deal, support=metric.support, courses=courses),
            by_deal=by_deal,
            games=len(by_deal) * self.rung.seatings,
            stalled=sum(part.stalled[program] for part in parts),
            invalid=sum(part.invalid[program] for part in parts),
            courses=courses,
        )


_TOGETHER = 1


class Growth:
    """Strengths that grow: all quick rungs at the same time, then what takes longer, one after another."""

    def __init__(self, bout: Bout, rungs: Sequence[Rung]) -> None:
        """A growth of which nothing has been played."""
        self.bout = bout
        game: Game = game_entry(bout.game).load()
        name, text = bout.programs[0]
        self._training = training_in(language_entry(bout.language).load().parse(text, name).header, game)
        self._grown = [_Grown(rung, rung.trial.exact) for rung in rungs]
        self._turn = -1

    def next(self) -> int | None:
        """The rung whose turn it is; None when all are whole."""
        least = min((each.patience for each in self._grown if not each.is_whole), default=None)
        if least is None:
            return None
        count = len(self._grown)
        order = [(self._turn + 1 + k) % count for k in range(count)]
        turns = [k for k in order if not self._grown[k].is_whole and self._grown[k].patience == least]
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
        results: Sequence[Strength] = grown.exact or [
            grown.result(self.bout, 0, parts) for parts in grown.parts
        ]
        seeds = () if grown.exact else range(LADDER_SEED, LADDER_SEED + len(results))
        row = row_of(results, grown.rung.trial, seeds, self._training)
        return {
            "mean": row.interval.mean,
            **_ends(row.interval, row.is_exact),
            "games": row.games,
            "invalid": row.invalid,
            "exact": row.is_exact,
            "held": row.held_out,
        }

    def _difference(self, grown: _Grown) -> dict[str, Any]:
        parts = [part for each in grown.parts for part in each]
        compared = compare(*(grown.exact or [grown.result(self.bout, program, parts) for program in (0, 1)]))
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


def _ends(interval: Interval, is_exact: bool) -> dict[str, float | None]:
    """The ends of an interval as JSON values; None where a single deal has none, or they are not finite."""
    ends = {"low": interval.low, "high": interval.high}
    is_known = is_exact or interval.units > 1
    return {name: end if is_known and math.isfinite(end) else None for name, end in ends.items()}
