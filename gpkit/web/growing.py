"""Programs that play the ladder of their game part by part, so that people see intermediate results.

Workers play the parts; a ``Growth`` says which part comes next, and has the rows for the page.
"""

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Any

from gpkit.analysis.evaluation import training_in
from gpkit.core.errors import UsageError
from gpkit.core.registry import game_entry, language_entry
from gpkit.core.statistics import Interval
from gpkit.gamekit.game import Game, Metric
from gpkit.gamekit.players import Player
from gpkit.playing.contest import contest, finished
from gpkit.playing.evaluation import LADDER_SEED, Trial, options_text, row_of, trials_of
from gpkit.playing.match import BLOCK, Match
from gpkit.playing.named import Named, game_for, opponent
from gpkit.playing.players import player_of_source
from gpkit.playing.results import ExactResult, Strength, chained, check_exact, compare, expect_match
from gpkit.playing.series import Series, joined

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


@dataclass(slots=True)
class Rung:
    """A trial of the ladder, with the results of a bout's programs so far.

    Attributes:
        trial: what is measured.
        metric: the score.
        deals: the number of deals in each set.
        is_slow: whether a game takes long.
        is_exact: whether the result is to be computed.
        sets: the parts of each set of deals that was begun; each part has the games of every program on some deals.
        exact: the exact result of each program.
        played: the number of deals that were played.
    """

    trial: Trial
    metric: Metric
    deals: int
    is_slow: bool
    is_exact: bool
    sets: list[list[list[Series]]] = field(default_factory=list)
    exact: list[ExactResult] = field(default_factory=list)
    played: int = 0

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

    def next(self) -> tuple[int, range]:
        """The seed and the numbers of the deals that come next: as many as there were, within a block and a set."""
        number, place = divmod(self.played, self.deals)
        most = 1 if self.is_slow else max(1, min(self.played, MOST_TOGETHER))
        end = min(place + most, self.deals, (place // BLOCK + 1) * BLOCK)
        return LADDER_SEED + number, range(place, end)

    def add(self, part: list[Series]) -> None:
        """Add the games of the programs on the deals that came next."""
        if self.played % self.deals == 0:
            self.sets.append([])
        self.sets[-1].append(part)
        self.played += len(part[0].scores)

    def strengths(self, program: int) -> Sequence[Strength]:
        """The exact result of a program, or its results so far on each set of deals."""
        played = [joined([part[program] for part in parts]).result() for parts in self.sets]
        return self.exact[program : program + 1] or played


_TOGETHER = 1


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


def rungs_of(bout: Bout) -> list[Rung]:
    """The rungs of the ladder.

    Raises:
        SourceError: a program does not parse, or has an error for the game.
        UsageError: a trial cannot be played.
    """
    game, players, others = _seated(bout)
    found = []
    for trial, other in zip(trials_of(game), others, strict=True):
        rules = game.make_rules(trial.options)
        slow = any(player.is_slow for player in (*players, other))
        deals = -(-trial.games // game.seatings(rules))
        found.append(Rung(trial, game.metric(rules), deals, slow, trial.exact))
    return found


def play_part(bout: Bout, rung: int, seed: int, numbers: range) -> list[Series]:
    """The games of every program on the deals with these numbers."""
    game, players, others = _seated(bout)
    rules = game.make_rules(trials_of(game)[rung].options)
    matches = [Match(each, (others[rung],)) for each in players]
    return finished(contest(game, matches, rules=rules, seed=seed, deals=numbers)).series


def compute(bout: Bout, rung: int) -> list[ExactResult] | None:
    """The exact result of every program; None where it cannot be computed, as of one that draws random numbers."""
    game, players, others = _seated(bout)
    rules = game.make_rules(trials_of(game)[rung].options)
    matches = [Match(each, (others[rung],)) for each in players]
    with suppress(UsageError):
        for match in matches:
            check_exact(game, match, rules)
        return [expect_match(game, match, rules) for match in matches]
    return None


class Growth:
    """Results that grow more precise: first those of all quick rungs in turn, then those of slow ones, one after
    another."""

    def __init__(self, bout: Bout, rungs: Sequence[Rung]) -> None:
        """Begin without any games."""
        self.bout = bout
        game: Game = game_entry(bout.game).load()
        name, text = bout.programs[0]
        self._training = training_in(language_entry(bout.language).load().parse(text, name).header, game)
        self._rungs, self._turn = rungs, -1

    def next(self) -> tuple[int, Callable[[], Any]] | None:
        """The rung whose turn it is, with the call that plays or computes more of it; None when all are complete."""
        left = [k for k, each in enumerate(self._rungs) if not each.is_whole]
        if not left:
            return None
        self._turn = min(left, key=self._place)
        rung = self._rungs[self._turn]
        if rung.is_exact:
            return self._turn, partial(compute, self.bout, self._turn)
        return self._turn, partial(play_part, self.bout, self._turn, *rung.next())

    def _place(self, rung: int) -> tuple[int, int]:
        """The place of a rung in the queue; rungs that are played together take turns."""
        patience = self._rungs[rung].patience
        return patience, (rung - self._turn - 1) % len(self._rungs) if patience == _TOGETHER else rung

    def take(self, rung: int, found: Any) -> None:
        """Add the result of a call; a rung that could not be computed is played from now on."""
        met = self._rungs[rung]
        if not met.is_exact:
            met.add(found)
        elif found is None:
            met.is_exact = False
        else:
            met.exact = found

    def row(self, rung: int) -> dict[str, Any]:
        """The row of a rung as JSON values; a single deal has no interval, and a bound that is not finite is None."""
        met = self._rungs[rung]
        values: dict[str, Any] = {
            "row": rung,
            "against": met.trial.opponent,
            "rules": options_text(met.trial.options),
            "metric": met.metric.name.replace("_", " "),
            "lower": met.metric.lower_is_better,
            "share": met.metric.support == (0.0, 1.0),
            "whole": met.is_whole,
            "known": bool(met.exact) or met.played > 0,
        }
        if not values["known"]:
            return values
        return values | (self._strength(met) if len(self.bout.programs) == 1 else _difference(met))

    def _strength(self, met: Rung) -> dict[str, Any]:
        results = met.strengths(0)
        seeds = () if met.exact else range(LADDER_SEED, LADDER_SEED + len(results))
        row = row_of(results, met.trial, seeds, self._training)
        return {
            "mean": row.interval.mean,
            **_ends(row.interval, row.is_exact),
            "games": row.games,
            "invalid": row.invalid,
            "exact": row.is_exact,
            "held": row.held_out,
        }

    def rows(self) -> list[dict[str, Any]]:
        """All rows."""
        return [self.row(k) for k in range(len(self._rungs))]


def _difference(met: Rung) -> dict[str, Any]:
    """The difference between two programs, paired by deal."""
    compared = compare(*(chained(met.strengths(program)) for program in (0, 1)))
    return {
        "first": compared.first.interval.mean,
        "second": compared.second.interval.mean,
        "mean": compared.difference.mean,
        **_ends(compared.difference, compared.is_exact),
        "games": compared.first.games,
        "exact": compared.is_exact,
        "verdict": compared.verdict,
    }


def _ends(interval: Interval, is_exact: bool) -> dict[str, float | None]:
    """The ends of an interval as JSON values; None where a single deal has none, or they are not finite."""
    ends = {"low": interval.low, "high": interval.high}
    is_known = is_exact or interval.units > 1
    return {name: end if is_known and math.isfinite(end) else None for name, end in ends.items()}
