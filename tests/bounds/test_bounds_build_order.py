"""Whole build orders under rules at their limits."""

import pytest
from extremes import checked_play, everybody
from kernel_marks import bounds_checked

from gpkit.games.build_order.game import ENEMY, GAME
from gpkit.games.build_order.rules import MOST_HORIZON
from gpkit.playing.players import player_of_name

pytestmark = [pytest.mark.slow, bounds_checked]

_FREE = {f"{name}_cost": "0" for name in ("drone", "overlord", "pool", "zerglings", "queen", "hatchery")}
_QUICK = {f"{name}_ticks": "1" for name in ("drone", "overlord", "pool", "zerglings", "queen", "hatchery")}
_LARVAE = {"larva_every": "1", "larvae_most": "10", "queen_larvae": "10", "queen_every": "1", "larvae": "10"}
_MOST = {"horizon": str(MOST_HORIZON), "goal": "drone=200,zerglings=200", "drones": "6"}

LIMITS = (
    {**_FREE, **_QUICK, **_LARVAE, **_MOST},
    {**_FREE, **_QUICK, **_LARVAE, **_MOST, "overlord_supply": "1", "overlords": "12", "trip": "30"},
    {**_FREE, **_LARVAE, **_MOST, "overlord_supply": "20", "attack": f"{MOST_HORIZON}:200", "trip": "1"},
    {**_FREE, **_QUICK, **_LARVAE, **_MOST, "attack": "random", "scout_ticks": "1"},
    {"horizon": "1"},
    {**_MOST, "drones": "30", "overlords": "20", "minerals": "1000"},
)


@pytest.mark.parametrize("rules", LIMITS)
def test_everybody_builds(rules: dict[str, str]) -> None:
    for player in everybody(GAME):
        checked_play(GAME, [player, player_of_name(ENEMY, GAME)], rules, deals=2)
