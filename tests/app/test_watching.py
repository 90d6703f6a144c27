"""What is told of long work, without a terminal: games that were played, and generations with their speed.

Series in several workers: the same bytes as in one.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from gpkit.analysis.evaluation import affordable_games, games_of_champion
from gpkit.analysis.series_workers import played_series
from gpkit.api.runs import GRACE, RunFollower
from gpkit.core.wording import counting
from gpkit.evolution.config import Config, shipped_presets
from gpkit.evolution.executors import SerialExecutor
from gpkit.evolution.loop import begin
from gpkit.evolution.subjects import resolve
from gpkit.games.battleship.game import GAME
from gpkit.playing.players import Seating, player_of_name


def test_games_are_counted_up_to_their_number() -> None:
    told: list[str] = []
    watch = counting(told.append, 2000, "champion: ")
    watch(500)
    watch(2040)
    assert told == ["champion: 500 games, 25%", "champion: 2,040 games, 100%"]


def tiny() -> Config:
    """A run of two generations of five programs."""
    return replace(
        shipped_presets()["sevens"],
        population=replace(shipped_presets()["sevens"].population, size=5),
        scheme=replace(shipped_presets()["sevens"].scheme, elites=1),
        fitness=replace(shipped_presets()["sevens"].fitness, deals=2, validation_deals=4, blocks=1),
        stop=replace(shipped_presets()["sevens"].stop, generations=2),
    )


def test_a_generation_is_told_with_speed_and_time_left() -> None:
    config, told, seconds = tiny(), [], iter([0.0, 4.0, 4.0, 4.0])
    live = RunFollower(resolve(config), told.append, lambda: next(seconds), time_limit=60.0)
    done = begin(resolve(config).search(), SerialExecutor())
    ((summary, _),) = done.generations
    live.generation(summary, done.state)
    (line,) = told
    assert line.startswith("generation 0 of 2: best ")
    assert "champion " in line
    assert line.endswith(" games/s, 56 s left")


def test_a_run_stops_when_its_time_is_over() -> None:
    config = tiny()
    seconds = iter([0.0, 59.0, 60.0])
    live = RunFollower(resolve(config), lambda text: None, lambda: next(seconds), time_limit=60.0)
    rule, state = live.stop, begin(resolve(config).search(), SerialExecutor()).state
    assert rule(state) is None
    assert rule(state) == "60 seconds"


def test_seconds_before_a_run_count() -> None:
    seconds = iter([30.0, 50.0, 60.0, 60.0])
    live = RunFollower(resolve(tiny()), lambda text: None, lambda: next(seconds), time_limit=60.0)
    rule, state = live.stop, begin(resolve(tiny()).search(), SerialExecutor()).state
    assert rule(state) is None
    assert rule(state) == "60 seconds"
    assert live.left() == GRACE, "a generation may end by itself"


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
    seating = Seating(GAME, {}, rules, tuple(players))
    told: list[str] = []
    alone, together = (
        played_series(seating, executor, told.append, seed=3, games=3, repeat=1100)
        for executor in (SerialExecutor(), InTurn())
    )
    assert together.to_json() == alone.to_json()
    assert (together.scores == alone.scores).all()
    assert told[-1] == f"{alone.scores.size:,} games, 100%"


@settings(max_examples=20, deadline=None)
@given(st.floats(1.0, 100.0), st.integers(1, 3))
def test_what_is_compiled_does_not_count_for_the_closing_table(compiled: float, opponents: int) -> None:
    """Games that take 10 µs are all played, however long the first takes."""
    met = ["random"] * opponents
    run: Any = SimpleNamespace(game=GAME, options={}, plain_options={}, opponents=met, config=tiny())
    clock, waits = [0.0], [compiled]

    def strengths(_program: Any, games: int) -> list[Any]:
        clock[0] += (waits.pop() if waits else 0.0) + 1e-5 * games * opponents
        return [SimpleNamespace(games=games)]

    measured: Any = SimpleNamespace(strengths=strengths)
    assert affordable_games(run, measured, None, lambda: clock[0], 10.0) == games_of_champion(GAME.name)
