"""Matches: programs against opponents over many deals, in every seat, with intervals by deal."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpkit.core.rng import stream
from gpkit.core.statistics import Interval, mean_interval
from gpkit.games.game import Game, Metric, Scores
from gpkit.games.players import Player, is_slow

BLOCK = 1024
"""Deals that are drawn and played together: enough to hide the cost of a call, few enough to be held in memory."""

BLOCK_OF_SEARCH = 1
"""Deals that are played together when a player searches, which takes a thousand times as long and more."""


@dataclass(frozen=True, slots=True)
class Result:
    """Result of a program against an opponent.

    Attributes:
        interval: the mean score with its 95 % interval; the unit is the deal, whose seatings are averaged first.
        by_deal: float64 (deals,): the mean over the seatings of each deal, for paired comparisons.
        games: the number of games, deals times seatings.
        stalled: games ended by the cap on their length; invalid: games in which a program exceeded its steps.
    """

    program: str
    game: str
    opponent: str
    metric: Metric
    interval: Interval
    by_deal: NDArray[np.float64]
    games: int
    stalled: int
    invalid: int

    def __str__(self) -> str:
        """The result in a line."""
        low, high = self.interval.low, self.interval.high
        return (
            f"{self.program} against {self.opponent}: {self.metric.name} {self.mean:.4f}, "
            f"{low:.4f} to {high:.4f}, in {self.games:,} games of {self.game}"
        )

    @property
    def mean(self) -> float:
        """The mean score."""
        return self.interval.mean

    def to_json(self) -> dict[str, object]:
        """The fields of one entry of ``results`` that do not depend on the clock."""
        return {
            "program": self.program,
            "game": self.game,
            "opponent": self.opponent,
            "metric": self.metric.name,
            "mean": self.interval.mean,
            "ci95": [self.interval.low, self.interval.high],
            "games": self.games,
            "stalled": self.stalled,
            "invalid": self.invalid,
        }


@dataclass(frozen=True, slots=True)
class Match:
    """A program and its opponents: a single one sits in every other seat, otherwise there is one for each."""

    program: Player
    opponents: tuple[Player, ...]

    def players(self, seats: int) -> list[Player]:
        """The players in the order of their seats, the program first."""
        others = self.opponents * (seats - 1) if len(self.opponents) == 1 else self.opponents
        return [self.program, *others]


def play_matches(
    game: Game,
    matches: Sequence[Match],
    *,
    rules: Any,
    seed: int,
    games: int,
    watch: Callable[[int], object] | None = None,
) -> list[Result]:
    """Play every match on the deals of ``seed``, which are the same whoever plays.

    Args:
        games: how many games of each match at least; rounded up to whole deals, each played in every seating.
        watch: is told the number of games played in all, again and again.
    """
    seats, seatings = game.players(rules), game.seatings(rules)
    slow = any(is_slow(player) for match in matches for player in (match.program, *match.opponents))
    parts: list[list[Scores]] = [[] for _ in matches]
    played = 0
    for deals in _blocks(game, rules, seed, -(-games // seatings), BLOCK_OF_SEARCH if slow else BLOCK):
        for match, scores in zip(matches, parts, strict=True):
            scores.append(game.play(match.players(seats), deals, rules))
            played += scores[-1].values.size
            if watch is not None:
                watch(played)
    return [_result(game, match, scores, rules) for match, scores in zip(matches, parts, strict=True)]


def play_match(
    game: Game,
    program: Player,
    opponents: Sequence[Player],
    *,
    rules: Any,
    seed: int,
    games: int,
    watch: Callable[[int], object] | None = None,
) -> Result:
    """Play a program against opponents, as one match of ``play_matches``."""
    match = Match(program, tuple(opponents))
    return play_matches(game, [match], rules=rules, seed=seed, games=games, watch=watch)[0]


def deal_of(game: Game, rules: Any, seed: int, number: int) -> Any:
    """One of the deals on which matches of this seed are played, counted from 0; deals of length one."""
    return some_deals(game, rules, seed, range(number, number + 1))


def some_deals(game: Game, rules: Any, seed: int, numbers: range) -> Any:
    """Some of the deals on which matches of this seed are played, by their numbers, all in one block of ``BLOCK``."""
    block, place = divmod(numbers.start, BLOCK)
    end = place + len(numbers)
    assert end <= BLOCK, "the deals of a block are drawn together"
    return game.deal(stream(seed, "match", block), end, rules)[place:end]


def _blocks(game: Game, rules: Any, seed: int, deals: int, size: int) -> Iterator[Any]:
    """The deals of a seed in order, at most ``size`` at a time; the first ones are the same for any number and size."""
    for block in range(-(-deals // BLOCK)):
        drawn = game.deal(stream(seed, "match", block), min(BLOCK, deals - block * BLOCK), rules)
        for start in range(0, len(drawn), size):
            yield drawn[start : start + size]


def _result(game: Game, match: Match, parts: Sequence[Scores], rules: Any) -> Result:
    by_deal = np.concatenate([part.values.mean(axis=1) for part in parts])
    metric = game.metric(rules)
    return Result(
        program=match.program.name,
        game=game.name,
        opponent=",".join(player.name for player in match.opponents),
        metric=metric,
        interval=mean_interval(by_deal, support=metric.support),
        by_deal=by_deal,
        games=sum(part.values.size for part in parts),
        stalled=sum(part.stalled for part in parts),
        invalid=sum(part.invalid for part in parts),
    )
