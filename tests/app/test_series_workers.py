"""Series in several workers: the same bytes as in one."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from gpkit.app.series_workers import Plan, played_series
from gpkit.evolution.executors import SerialExecutor
from gpkit.games.battleship.game import GAME
from gpkit.playing.players import player_of_name


@dataclass(frozen=True, slots=True)
class InTurn:
    """Executor of several workers, who work one after another."""

    workers: int = 2

    def run(
        self,
        function: Callable[[Sequence[Any]], Sequence[Any]],
        items: Sequence[Any],
        seconds: Sequence[float],
    ) -> list[Any]:
        """Results of all batches."""
        parts = [function(items[start : start + 2]) for start in range(0, len(items), 2)]
        return [result for part in parts for result in part]


def test_workers_share_series_across_blocks() -> None:
    players = [player_of_name("counts", GAME), player_of_name("hunt:wall", GAME)]
    rules = GAME.make_rules({"board": "5x5", "fleet": "3,2", "mode": "duel"})
    plan = Plan(GAME, players, rules, seed=3, games=3, repeat=1100)
    told: list[int] = []
    alone = played_series(plan, SerialExecutor(), told.append)
    together = played_series(plan, InTurn(), told.append)
    assert together.to_json() == alone.to_json()
    assert (together.scores == alone.scores).all()
    assert told[-1] == alone.scores.size
