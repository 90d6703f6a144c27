"""Ways to the posterior: what is played, and what stands in for a way."""

import numpy as np
import pytest

from gpkit.games.battleship.belief.player import DEFAULT
from gpkit.games.battleship.belief.posterior import MOST_PLACEMENTS
from gpkit.games.battleship.game import GAME
from gpkit_experiments import posterior_ways
from gpkit_experiments.belief_strength import boards
from gpkit_experiments.cells import Cells
from gpkit_experiments.posterior_ways import (
    ALL,
    CHUNK,
    FIRST,
    RULES,
    WAYS,
    keys_of,
    loss,
    measured,
    without_field,
    without_samples,
)


def test_the_first_boards_are_among_all() -> None:
    for name in RULES:
        first, everything = (list(keys_of(f"{name}:belief", count)) for count in (FIRST, ALL))
        assert set(first) < set(everything)
        assert (len(first) * CHUNK, len(everything) * CHUNK) == (FIRST, ALL)


def test_only_large_boards_have_too_many_placements_for_counts() -> None:
    for name, rules in RULES.items():
        for made in map(GAME.make_rules, rules):
            assert (2 * made.squares * len(set(made.fleet)) > MOST_PLACEMENTS) == (name == "large")


def test_where_a_count_ends_no_other_way_is_asked() -> None:
    ((board, key),) = boards(GAME.make_rules({"board": "6x6", "fleet": "3,2"}), 0, 1)
    for square in (7, 14, 21):
        board = board.shoot(square)
    wanted = WAYS["belief"](board, key, DEFAULT.effort)
    assert wanted.exact
    for way in (without_samples, without_field):
        np.testing.assert_array_equal(way(board, key, DEFAULT.effort).chances, wanted.chances)


def test_other_ways_stand_in() -> None:
    ((board, key),) = boards(GAME.make_rules({"variant": "ten-ships"}), 0, 1)
    effort = posterior_ways.SETTINGS["odd"].effort
    assert WAYS["belief"](board, key, effort).error > 0.0
    relaxed = without_samples(board, key, effort)
    assert np.isnan(relaxed.error)
    ((large, key),) = boards(GAME.make_rules({"board": "20x20", "fleet": "4,3,2,1"}), 0, 1)
    propagated = without_field(large.shoot(0), key, effort).chances
    assert propagated[0] == large.shoot(0).shots[0].hit
    assert abs(propagated.sum() - 10) < 1.0 > abs(relaxed.chances.sum() - 20)


def test_a_way_that_is_not_asked_leaves_its_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RULES, "classic", [{"board": "6x6", "fleet": "3,2"}])
    cells = Cells(None, {})
    for way in WAYS:
        cells.add(("classic", way, 0, 0), measured(("classic", way, 0, 0), cells))
    for way in ("samples", "field"):
        assert cells.found["classic", way, 0, 0] == cells.found["classic", "belief", 0, 0]
        assert loss("classic", way, cells)["loss"]["ci95"] == [0.0, 0.0]
    found = loss("classic", "rollouts", cells)
    assert found["boards"] == CHUNK == found["asked"]
