"""Section II: whether the adaptive player adapts in rounds of eleven or fewer games."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from gpkit.core.rng import stream
from gpkit.core.statistics import mean_interval, paired_difference
from gpkit.evolution.problem import none_lost
from gpkit.gamekit.players import LearningPlayer
from gpkit.games.battleship.game import GAME
from gpkit.games.battleship.learner.adaptive import ADAPTIVE
from gpkit.games.battleship.options import Rules
from gpkit.games.battleship.rules import Board, returns_of
from gpkit.games.battleship.sides import Side, referee
from gpkit.playing.players import player_of_name
from gpkit_experiments.papers.battleship_adaptive.densities import STRATEGIES
from gpkit_experiments.papers.battleship_adaptive.study import Floats, Measured, Study
from gpkit_experiments.papers.paper import Row, above

PUBLISHED = "adapts quickly enough to win even in small rounds of eleven or fewer games"

FEW = 5
"""Games of a round that is smaller still."""


@dataclass(frozen=True, slots=True)
class PairedSeries:
    """Two series on the same deals: the adaptive player with memory, and without, against itself without memory.

    Attributes:
        pattern: of the other's fleets.
        rules: of the duels.
        seed: of the deals.
        number: among the series of that seed.
        games: of a series; the players change seats with every one.
    """

    pattern: str
    rules: Rules
    seed: int
    number: int
    games: int

    def scores(self) -> Floats:
        """Results of the adaptive player with memory and without: float64 (2, games)."""
        player, other = (player_of_name(name, GAME) for name in ("adaptive", f"adaptive:{self.pattern}"))
        assert isinstance(player, LearningPlayer) and isinstance(other, LearningPlayer)
        nothing = learned = ADAPTIVE.begin(player, self.rules)
        found = np.zeros((2, self.games))
        for game in range(self.games):
            deals = GAME.deal(stream(self.seed, "memory", self.number, game), 1, self.rules)
            seat = (self.number + game) % 2
            opposite = ADAPTIVE.side(other, deals.seat(0, 1 - seat), self.rules, nothing)
            mindful, mindless = (
                ADAPTIVE.side(player, deals.seat(0, seat), self.rules, memory)
                for memory in (learned, nothing)
            )
            found[0, game], board, home = duel(mindful, opposite, seat, self.rules)
            found[1, game] = duel(mindless, opposite, seat, self.rules)[0] if game else found[0, game]
            if game < self.games - 1:
                learned = mindful.remember(board, home)
        return found


def duel(own: Side, other: Side, seat: int, rules: Rules) -> tuple[float, Board, Board]:
    """The result of a side, what it shot at, and its own fleet as the other shot at it; ``seat`` is its own."""
    boards = own.clear(other.fleet()), other.clear(own.fleet())
    ended = referee((boards[seat], boards[1 - seat]), rules)
    return returns_of(ended, rules)[seat], ended[seat], ended[1 - seat]


def measure_adapting(study: Study) -> Measured:
    """Gains by memory, and the rounds that are won with it, by placement of the other's fleets."""
    study.watch("adaptation")
    rules = GAME.make_rules({"mode": "duel"})
    series = [
        PairedSeries(pattern, rules, study.seed, number, study.effort.games)
        for pattern in STRATEGIES
        for number in range(study.effort.series)
    ]
    played = none_lost(study.executor.run(scores_of, series, [1.0] * len(series)))
    scores = np.array(played).reshape(len(STRATEGIES), study.effort.series, 2, study.effort.games)
    found = dict(zip(STRATEGIES, scores, strict=True))
    return Measured((*share_rows(found), *gain_rows(found), *round_rows(found)))


def scores_of(series: Sequence[PairedSeries]) -> list[Floats]:
    """The scores of each."""
    return [each.scores() for each in series]


def share_rows(found: Mapping[str, Floats]) -> Iterator[Row]:
    """Shares of duels won with memory and without; ``found`` has by pattern float64 (series, 2, games)."""
    heading = "Section II, duels that the adaptive player wins against itself without memory"
    for pattern, scores in found.items():
        for memory, name in enumerate(("with memory", "without")):
            interval = mean_interval(scores[:, memory].mean(axis=1), support=(0.0, 1.0))
            yield Row(heading, f"{STRATEGIES[pattern]}, {name}", interval, "series")


def gain_rows(found: Mapping[str, Floats]) -> Iterator[Row]:
    """Gain by memory in the share of duels won, in small rounds and smaller ones; ``found`` as of ``share_rows``."""
    heading = "Section II, adapts in eleven games or fewer: share of duels that memory adds"
    for games in rounds(found):
        for pattern, scores in found.items():
            mindful, mindless = np.moveaxis(scores[..., :games].mean(axis=2), 1, 0)
            interval = paired_difference(mindful, mindless, support=(0.0, 1.0))
            quantity = f"{STRATEGIES[pattern]}, rounds of {games}"
            yield Row(heading, quantity, interval, "series", PUBLISHED, above(0.0))


def round_rows(found: Mapping[str, Floats]) -> Iterator[Row]:
    """Rounds of which the adaptive player wins more than half, over all placements; ``found`` as of ``share_rows``."""
    heading = "Section II, rounds that the adaptive player wins against itself without memory"
    for games in rounds(found):
        wins = [scores[..., :games].mean(axis=2) > 0.5 for scores in found.values()]
        for memory, name in enumerate(("with memory", "without")):
            interval = mean_interval(np.concatenate(wins)[:, memory], support=(0.0, 1.0))
            row = Row(heading, f"rounds of {games}, {name}", interval, "series")
            yield row if memory else replace(row, published=PUBLISHED, claim=above(0.5))


def rounds(found: Mapping[str, Floats]) -> Sequence[int]:
    """Games of the rounds that are told of; ``found`` as of ``share_rows``."""
    games = next(iter(found.values())).shape[2]
    return sorted({min(FEW, games), games})
