"""Racing: blocks double, the clearly bad stop, estimates stay comparable, and good genomes are hardly ever dropped."""

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from gpkit.core.rng import stream
from gpkit.evolution.config import RaceSettings
from gpkit.evolution.game_subject import run_race, stages

Floats = NDArray[np.float64]


def outcomes(strengths: Sequence[float], deals: int, seed: int) -> Floats:
    """Wins, correlated by deal: float64 (genomes, 2 opponents, deals)."""
    rng = stream(seed, "race")
    luck = rng.random((1, 2, deals)) + 0.2 * rng.random((len(strengths), 2, deals))
    return (luck < np.array(strengths)[:, None, None] * 1.2).astype(np.float64)


def race(race: RaceSettings, table: Floats) -> tuple[list[tuple[float, Floats] | None], int]:
    played = 0

    def play(numbers: Sequence[int], start: int, end: int) -> list[Floats | None]:
        nonlocal played
        played += len(numbers) * (end - start)
        return [table[number, :, start:end] for number in numbers]

    return run_race(race, play, len(table), table.shape[2]), played


@pytest.mark.parametrize(
    ("first", "deals", "ends"),
    [(10, 100, [10, 20, 40, 80, 100]), (100, 100, [100]), (500, 100, [100]), (1, 4, [1, 2, 4])],
)
def test_blocks_double(first: int, deals: int, ends: list[int]) -> None:
    assert stages(first, deals) == ends


def test_bad_genomes_stop_early_and_good_ones_play_everything() -> None:
    strengths = [0.8 - 0.02 * n for n in range(30)]
    table = outcomes(strengths, 320, 1)
    results, played = race(RaceSettings(first=20, keep=0.3), table)
    assert played < 0.6 * 30 * 320
    for number, result in enumerate(results):
        assert result is not None
        scores = result[1]
        assert np.array_equal(scores, table[number, :, : scores.shape[1]])
        if number < 9:
            assert scores.shape[1] == 320
            assert result[0] == pytest.approx(table[number].mean())
    final = [result[0] for result in results if result is not None]
    assert max(final[20:]) < min(final[:9])


def test_an_estimate_corrects_for_the_luck_of_the_first_deals() -> None:
    table = np.zeros((4, 1, 40))
    table[:3, :, 20:] = 1.0  # the first deals are won by nobody
    table[1, 0, 0] = table[2, 0, 1] = table[0, 0, :18] = 1.0
    results, _ = race(RaceSettings(first=20, keep=0.25, confidence=0.5), table)
    best, stopped = results[0], results[3]
    assert best is not None
    assert stopped is not None
    assert stopped[1].shape[1] == 20
    assert stopped[0] == pytest.approx(0.0 + best[0] - 18 / 20)


def test_the_best_is_hardly_ever_dropped() -> None:
    dropped = 0
    for seed in range(60):
        table = outcomes([0.56, *[0.5] * 20], 200, seed)
        results, _ = race(RaceSettings(first=20, keep=0.3), table)
        assert results[0] is not None
        dropped += results[0][1].shape[1] < 200
    assert dropped <= 2


def test_without_a_race_all_play_on_and_the_lost_are_told_apart() -> None:
    def play(numbers: Sequence[int], start: int, end: int) -> list[Floats | None]:
        return [None if number == 1 else np.full((1, end - start), float(number)) for number in numbers]

    results = run_race(RaceSettings(first=5), play, 3, 20)
    assert results[1] is None
    assert [result[0] for result in results if result is not None] == [0.0, 2.0]
