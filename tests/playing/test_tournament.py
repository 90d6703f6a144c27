"""Round robins: the cross table is that of single matches on the same deals, under every rule."""

import numpy as np
import pytest

from gpkit.games.sevens.game import GAME
from gpkit.playing.contest import play_match, play_tournament

FIELD = ("random", "simple", "hold")


def test_cells_are_matches_against_copies_on_the_same_deals(player) -> None:
    rules = GAME.make_rules({"players": "4"})
    agents = [player(name) for name in FIELD]
    table = play_tournament(GAME, agents, rules=rules, seed=5, games=200)
    assert table.programs == FIELD
    assert (table.game, table.metric.name, table.players) == ("sevens", "win_share", 4)
    for i, row in enumerate(table.cells):
        for j, cell in enumerate(row):
            if i == j:
                assert cell is None
                continue
            match = play_match(GAME, agents[i], [agents[j]], rules=rules, seed=5, games=200)
            assert cell is not None
            assert cell.to_json() == match.to_json()
            assert np.array_equal(table.by_deal()[i, j], match.by_deal)
    assert len(table.results) == 6
    assert np.isnan(table.by_deal()[[0, 1, 2], [0, 1, 2]]).all()


@pytest.mark.parametrize("end", ["first", "ranks", "points"])
@pytest.mark.parametrize("players", ["2", "3", "7"])
def test_two_seats_share_what_there_is(players: str, end: str, player) -> None:
    """With two seats, i against j and j against i are the same games; with more, copies are against one of another."""
    rules = GAME.make_rules({"players": players, "end": end})
    table = play_tournament(GAME, [player(name) for name in FIELD], rules=rules, seed=1, games=420)
    means = table.by_deal().mean(axis=2)
    assert means[1, 0] > means[1, 2] > means[2, 1] > means[0, 1]
    if players == "2" and end != "points":
        assert means[1, 2] + means[2, 1] == pytest.approx(1.0)
    if players == "2" and end == "points":
        assert means[1, 2] + means[2, 1] == pytest.approx(0.0)
