"""Verdicts of studies, by an independent computation, and in the cases that few studies have."""

import json
import math
from itertools import combinations

import numpy as np
import pytest

from gpkit.analysis.studies import Outcome, Yardstick, studied
from gpkit.core.rng import stream
from gpkit.show.study_page import study_page

HIGHER, LOWER = Yardstick("maze", "score", 1.0, 0.9), Yardstick("sort", "moves", -1.0, 0.5)


def runs(problem: str, name: str, values: list[float], **more: object) -> list[Outcome]:
    return [Outcome(problem, name, seed, value, (0.0, value), 3, 20) for seed, value in enumerate(values)]


def drawn(seed: int, problem: str, shifts: dict[str, float], seeds: int = 20) -> list[Outcome]:
    """Runs whose values have these means, with a part that runs of a seed share."""
    shared = stream(seed, problem).normal(size=seeds)
    return [
        each
        for name, shift in shifts.items()
        for each in runs(
            problem, name, (shared + stream(seed, f"{problem} {name}").normal(shift, size=seeds)).tolist()
        )
    ]


def test_the_better_one_is_better_by_the_pairs_and_not_by_the_effect() -> None:
    """One run far behind moves the unpaired effect to the other side, but not the test of the pairs."""
    behind = [10.0 * k for k in range(20)]
    ahead = [*(value + 0.1 for value in behind[:-1]), -10.0]
    (found,) = studied(
        (HIGHER,), ("a", "b"), [*runs("maze", "a", ahead), *runs("maze", "b", behind)]
    ).pairings
    assert found.effect < 0.5 and found.corrected < 0.05
    assert (found.lean, found.better) == (1, "a")


@pytest.mark.parametrize("seed", range(4))
def test_the_tests_are_those_of_an_independent_computation(seed: int) -> None:
    """Every p by the counts of rank sums, with scipy beside it; Holm's correction by its definition."""
    stats = pytest.importorskip("scipy.stats")
    shifts = {"a": 0.0, "b": 0.6, "c": 1.4}
    outcomes = [*drawn(seed, "maze", shifts), *drawn(seed, "sort", shifts)]
    found = studied((HIGHER, LOWER), tuple(shifts), outcomes)
    table = {(each.problem, each.configuration, each.seed): each.value for each in outcomes}
    chances = []
    for yard, (one, other) in ((yard, pair) for yard in (HIGHER, LOWER) for pair in combinations(shifts, 2)):
        first, second = (np.array([table[yard.problem, name, k] for k in range(20)]) for name in (one, other))
        by_scipy = stats.wilcoxon(first, second, method="exact").pvalue
        effect = np.mean([x > y if yard.direction > 0 else x < y for x in first for y in second])
        test = next(e for e in found.pairings if (e.problem, e.first, e.second) == (yard.problem, one, other))
        assert (test.pairs, test.p) == (20, pytest.approx(by_scipy, rel=1e-9))
        assert test.effect == pytest.approx(effect)
        assert test.gain == pytest.approx(np.median((first - second) * yard.direction))
        chances.append(by_scipy)
    order = np.argsort(chances)
    for place, k in enumerate(order.tolist()):
        steps = [min(1.0, (len(chances) - j) * chances[order[j]]) for j in range(place + 1)]
        assert found.pairings[k].corrected == pytest.approx(max(steps))
        assert (found.pairings[k].better is not None) == (max(steps) < 0.05)


def test_the_better_one_wins_whichever_direction_is_better() -> None:
    up = studied((HIGHER,), ("a", "b"), drawn(1, "maze", {"a": 0.0, "b": 3.0}))
    down = studied((LOWER,), ("a", "b"), drawn(1, "sort", {"a": 0.0, "b": 3.0}))
    assert (up.winner, down.winner) == ("b", "a")
    assert up.verdicts == ["maze: b is better than a"]
    assert up.pairings[0].gain < 0.0 < down.pairings[0].gain
    assert [each.successes for each in down.rows] == [
        sum(e.value <= 0.5 for e in down.outcomes if e.configuration == name) for name in "ab"
    ]
    both = studied((HIGHER, LOWER), ("a", "b"), [*up.outcomes, *down.outcomes])
    assert both.winner is None
    assert both.verdicts[-1] == "all problems: no winner shown"


def test_a_winner_is_better_than_each_other_one_somewhere_and_worse_nowhere() -> None:
    other = Yardstick("other", "score", 1.0)
    shifts = {"a": 0.0, "b": 5.0, "c": 5.0}
    rows = [*drawn(1, "maze", shifts), *drawn(2, "other", {"a": 0.0, "b": 5.0, "c": 0.0})]
    found = studied((HIGHER, other), ("a", "b", "c"), rows)
    assert found.winner == "b"
    assert found.verdicts[-1].startswith("all problems: b wins: better than each other configuration")
    assert "no difference shown between" in found.verdicts[0]


def test_where_nothing_is_shown_the_missing_seeds_are_told() -> None:
    found = studied((HIGHER,), ("a", "b"), drawn(3, "maze", {"a": 0.0, "b": 0.5}, 8))
    test = found.pairings[0]
    assert (test.better, found.winner) == (None, None)
    assert test.more is not None
    assert f"about {test.more} more seed" in found.verdicts[0]
    alike = studied((HIGHER,), ("a", "b"), [*runs("maze", "a", [1.0] * 5), *runs("maze", "b", [1.0] * 5)])
    assert alike.pairings[0].more is None
    assert alike.verdicts == ["maze: no difference shown between a and b (their differences favour neither)"]
    assert alike.pairings[0].p == 1.0


def test_one_configuration_is_a_table_without_tests() -> None:
    found = studied((HIGHER,), ("a",), runs("maze", "a", [0.1, 0.95, 0.92]))
    assert (found.pairings, found.verdicts, found.winner) == ((), [], None)
    assert [sheet.columns[:2] for sheet in found.sheets()] == [("problem", "configuration")]
    assert str(found) == "a on maze: median 0.92"
    assert found.rows[0].successes == 2
    assert "Tests" not in study_page(found)


def test_failed_runs_are_named_and_their_pairs_are_left_out() -> None:
    bad = Outcome("maze", "a", 1, error="GuestError: no <b>bread</b>")
    rows = [*runs("maze", "a", [1.0, 2.0, 3.0]), *runs("maze", "b", [0.0, 1.0, 2.0])]
    rows[1] = bad
    found = studied((HIGHER,), ("a", "b"), rows)
    assert found.exit_code == 1
    assert found.failed == ["a on maze, seed 1: GuestError: no <b>bread</b>"]
    assert (found.pairings[0].pairs, [each.runs for each in found.rows]) == (2, [2, 3])
    assert "no &lt;b&gt;bread" in study_page(found)
    none = studied((HIGHER,), ("a", "b"), [bad, *runs("maze", "b", [1.0])])
    assert (none.pairings[0].pairs, math.isnan(none.rows[0].median)) == (0, True)
    assert study_page(none)
    assert json.loads(json.dumps(none.document()))["rows"][0]["median"] is None


def test_runs_without_a_score_are_worse_than_all_others() -> None:
    rows = [*runs("maze", "a", [-math.inf] * 8), *runs("maze", "b", [1.0] * 7 + [-math.inf])]
    found = studied((HIGHER,), ("a", "b"), rows)
    assert found.winner == "b"
    assert found.pairings[0].effect == pytest.approx(0.5 / 8)
    json.dumps(found.document(), allow_nan=False)
    assert "Best in training" in study_page(found)


def test_rounding_is_no_difference() -> None:
    values = [0.1 * k for k in range(1, 11)]
    rows = [*runs("maze", "a", values), *runs("maze", "b", [value * (1 + 1e-15) for value in values])]
    assert studied((HIGHER,), ("a", "b"), rows).pairings[0].p == 1.0


def test_the_page_draws_a_curve_with_its_band_for_each_configuration() -> None:
    rows = [
        Outcome("maze", name, seed, 1.0, (0.0, 1.0 + seed, 2.0)[: 2 + seed % 2])
        for name in "ab"
        for seed in range(5)
    ]
    page = study_page(studied((HIGHER,), ("a", "b"), rows))
    assert page.count('<polygon class="band') == 2
    assert "http" not in page.replace("http://www.w3.org", "").replace("http-equiv", "")
