"""Matches: one program against opponents over many deals, in every seat, with an interval by deal."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpkit.core.rng import stream
from gpkit.core.statistics import Interval, mean_interval
from gpkit.games.game import Agent, Game


@dataclass(frozen=True, slots=True)
class Result:
    """What a program reached against an opponent.

    Attributes:
        interval: the mean score with its 95 % interval; the unit is the deal, whose seatings are averaged first.
        by_deal: float64 (deals,): the mean over the seatings of each deal, for paired comparisons.
        games: the number of games, deals times seatings.
        stalled: games ended by the cap on their length; invalid: games in which a program exceeded its steps.
    """

    program: str
    game: str
    opponent: str
    metric: str
    interval: Interval
    by_deal: NDArray[np.float64]
    games: int
    stalled: int
    invalid: int

    def to_json(self) -> dict[str, object]:
        """The fields of one entry of ``results`` that do not depend on the clock."""
        return {
            "program": self.program,
            "game": self.game,
            "opponent": self.opponent,
            "metric": self.metric,
            "mean": self.interval.mean,
            "ci95": [self.interval.low, self.interval.high],
            "games": self.games,
            "stalled": self.stalled,
            "invalid": self.invalid,
        }


def play_match(
    game: Game, program: Agent, opponents: Sequence[Agent], *, rules: Any, seed: int, games: int
) -> Result:
    """Play a program against opponents on the deals of ``seed``, which are the same whoever plays.

    Args:
        opponents: a single one sits in every other seat; otherwise one for each other seat.
        games: how many games at least; rounded up to whole deals, each played in every seating.
    """
    seats = game.players(rules)
    deals = game.deal(stream(seed, "match"), -(-games // seats), rules)
    return play_on(game, program, opponents, deals, rules=rules)


def play_on(game: Game, program: Agent, opponents: Sequence[Agent], deals: Any, *, rules: Any) -> Result:
    """Play a program against opponents on given deals; as ``play_match``."""
    others = [*opponents] * (game.players(rules) - 1) if len(opponents) == 1 else [*opponents]
    scores = game.play([program, *others], deals, rules)
    by_deal = scores.values.mean(axis=1)
    return Result(
        program=program.name,
        game=game.name,
        opponent=",".join(agent.name for agent in opponents),
        metric=game.metric(rules),
        interval=mean_interval(by_deal),
        by_deal=by_deal,
        games=scores.values.size,
        stalled=scores.stalled,
        invalid=scores.invalid,
    )
