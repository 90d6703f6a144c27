"""Programs that play the ladder of their game part by part, so that people see intermediate results."""

import math
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from gpkit.analysis.evaluation import training_in
from gpkit.core.errors import UsageError
from gpkit.core.registry import game_entry, language_entry
from gpkit.core.statistics import Interval
from gpkit.gamekit.game import Game
from gpkit.playing.contest import contest, finished
from gpkit.playing.evaluation import LADDER_SEED, Training, Trial, options_text, row_of, trials_of
from gpkit.playing.match import BLOCK, Match
from gpkit.playing.named import Named, game_for, opponent
from gpkit.playing.players import player_of_source
from gpkit.playing.results import ExactResult, Strength, chained, check_exact, compare, expect_match
from gpkit.playing.series import Series, joined
from gpkit.web.jobs import tell

MOST_TOGETHER = 512
"""Deals of a part; the first parts are smaller, and those of players that search are single deals."""


Programs = tuple[tuple[str, str], ...]
"""Names and texts of the programs to measure: one, or two to compare on the same deals."""


@dataclass(slots=True)
class Rung:
    """A trial of the ladder, with the results of the programs so far.

    Attributes:
        game: that is played.
        trial: what is measured.
        matches: of each program.
        rules: of the trial.
        is_slow: whether a game takes long.
        training: of the first program.
        is_exact: whether the result is to be computed.
        sets: the parts of each set of deals that was begun; each part has the games of every program on some deals.
        exact: the exact result of each program.
        played: the number of deals that were played.
    """

    game: Game
    trial: Trial
    matches: Sequence[Match]
    rules: Any
    is_slow: bool
    training: Training | None
    is_exact: bool
    sets: list[list[list[Series]]] = field(default_factory=list)
    exact: list[ExactResult] = field(default_factory=list)
    played: int = 0

    @property
    def deals(self) -> int:
        """The number of deals in each set."""
        return -(-self.trial.games // self.game.seatings(self.rules))

    @property
    def is_whole(self) -> bool:
        """Whether nothing is left to be played."""
        return bool(self.exact) or self.played >= self.deals * self.trial.sets

    @property
    def patience(self) -> int:
        """The group: quick exact results, then fast games together, then slow exact results, then slow games."""
        if self.is_exact:
            return 0 if self.trial.quick else 2
        return 3 if self.is_slow else _TOGETHER

    def grow(self) -> None:
        """Compute the exact result of every program, or play the next games of each.

        If a result cannot be computed, for example of a program that draws random numbers, games are played instead.
        """
        if not self.is_exact:
            self._play()
            return
        with suppress(UsageError):
            for match in self.matches:
                check_exact(self.game, match, self.rules)
            self.exact = [expect_match(self.game, match, self.rules) for match in self.matches]
        self.is_exact = bool(self.exact)

    def _play(self) -> None:
        """Play the deals that come next: as many as there were, within a block and a set."""
        number, place = divmod(self.played, self.deals)
        most = 1 if self.is_slow else max(1, min(self.played, MOST_TOGETHER))
        numbers = range(place, min(place + most, self.deals, (place // BLOCK + 1) * BLOCK))
        playing = contest(self.game, self.matches, rules=self.rules, seed=LADDER_SEED + number, deals=numbers)
        if not place:
            self.sets.append([])
        self.sets[-1].append(finished(playing).series)
        self.played += len(numbers)

    def row(self, number: int) -> dict[str, Any]:
        """The trial's row as JSON values, under the given number; a bound that is not finite is None."""
        metric = self.game.metric(self.rules)
        values: dict[str, Any] = {
            "row": number,
            "against": self.trial.opponent,
            "rules": options_text(self.trial.options),
            "metric": metric.name.replace("_", " "),
            "lower": metric.lower_is_better,
            "share": metric.support == (0.0, 1.0),
            "whole": self.is_whole,
            "known": bool(self.exact) or self.played > 0,
        }
        if not values["known"]:
            return values
        return values | (self._strength() if len(self.matches) == 1 else self._difference())

    def _strengths(self, program: int) -> Sequence[Strength]:
        """The exact result of a program, or its results so far on each set of deals."""
        played = [joined([part[program] for part in parts]).result() for parts in self.sets]
        return self.exact[program : program + 1] or played

    def _strength(self) -> dict[str, Any]:
        results = self._strengths(0)
        seeds = () if self.exact else range(LADDER_SEED, LADDER_SEED + len(results))
        row = row_of(results, self.trial, seeds, self.training)
        return {
            "mean": row.interval.mean,
            **_ends(row.interval, row.is_exact),
            "games": row.games,
            "invalid": row.invalid,
            "exact": row.is_exact,
            "held": row.held_out,
        }

    def _difference(self) -> dict[str, Any]:
        """The difference between two programs, paired by deal."""
        compared = compare(*(chained(self._strengths(program)) for program in (0, 1)))
        return {
            "first": compared.first.interval.mean,
            "second": compared.second.interval.mean,
            "mean": compared.difference.mean,
            **_ends(compared.difference, compared.is_exact),
            "games": compared.first.games,
            "exact": compared.is_exact,
            "verdict": compared.verdict,
        }


_TOGETHER = 1


def bout_of(programs: Sequence[Named]) -> tuple[str, str, Programs]:
    """The game and the language of programs, and their names and texts.

    Raises:
        UsageError: no game fits the programs, or several do, or they are for different games.
        SourceError: the first one has an error for the game.
    """
    game = game_for(programs, None)
    player_of_source(programs[0].source, game, language=programs[0].language)
    texts = tuple((each.spec, each.source.text) for each in programs)
    return game.name, programs[0].language.name, texts


def rungs_of(game: str, language: str, programs: Programs) -> list[Rung]:
    """The rungs of the ladder.

    Raises:
        SourceError: a program does not parse, or has an error for the game.
        UsageError: an opponent cannot be seated, or a trial cannot be played.
    """
    played: Game = game_entry(game).load()
    known = language_entry(language).load()
    sources = [known.parse(text, name) for name, text in programs]
    players = [player_of_source(source, played, language=known) for source in sources]
    training = training_in(sources[0].header, played)
    rungs = []
    for trial in trials_of(played):
        other, rules = opponent(trial.opponent, played), played.make_rules(trial.options)
        slow = any(player.is_slow for player in (*players, other))
        matches = [Match(player, (other,)) for player in players]
        rungs.append(Rung(played, trial, matches, rules, slow, training, trial.exact))
    return rungs


def grown(rungs: Sequence[Rung]) -> Iterator[list[dict[str, Any]]]:
    """The rows that changed: all, then those of each part until all are complete.

    First come all quick rungs in turn, then slow ones, one after another.
    """
    turn = -1

    def place(rung: int) -> tuple[int, int]:
        """The place of a rung in the queue; rungs that are played together take turns."""
        patience = rungs[rung].patience
        return patience, (rung - turn - 1) % len(rungs) if patience == _TOGETHER else rung

    yield [rung.row(number) for number, rung in enumerate(rungs)]
    while left := [number for number, rung in enumerate(rungs) if not rung.is_whole]:
        turn = min(left, key=place)
        rungs[turn].grow()
        yield [rungs[turn].row(turn)]


def grow(game: str, language: str, programs: Programs) -> None:
    """Measure programs to the end of the ladder, and send each row when it changes."""
    for rows in grown(rungs_of(game, language, programs)):
        tell(rows)


def _ends(interval: Interval, is_exact: bool) -> dict[str, float | None]:
    """The ends of an interval as JSON values; None where a single deal has none, or they are not finite."""
    ends = {"low": interval.low, "high": interval.high}
    is_known = is_exact or interval.units > 1
    return {name: end if is_known and math.isfinite(end) else None for name, end in ends.items()}
