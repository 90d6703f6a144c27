"""Rollouts over drawn fleets stay in their arrays: kernels run as Python, where an index beyond an array is refused."""

import numpy as np
import pytest

from gpkit.core.compiled import COMPILED
from gpkit.core.errors import UsageError
from gpkit.core.rng import below, stream
from gpkit.games.battleship.belief import posterior
from gpkit.games.battleship.belief.posterior import Facts
from gpkit.games.battleship.game import GAME
from gpkit.games.battleship.kernel import counting as kernels
from gpkit.games.battleship.rules import BattleshipRules

DRAWN = 50
LISTED = 400
"""Fleets of which neighbours are taken: they have all ships but one or two in common."""


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernels of rollouts run as Python, and each split of a node is looked at."""
    if COMPILED:
        for name in ("greedy_misses", "rollout_misses", "compare_rollouts"):
            monkeypatch.setattr(kernels, name, getattr(kernels, name).py_func)
    monkeypatch.setattr(posterior, "compare_rollouts", kernels.compare_rollouts)
    split = kernels.shoot

    def shoot(node: int, square: int, fleets: kernels.FleetTable, nodes: kernels.Nodes) -> int:
        top: int = split(node, square, fleets, nodes)
        sizes = nodes.ends[node:top] - nodes.starts[node:top]
        assert sizes[0] == sizes.max(), "the largest part takes the node's place"
        assert 2 * top <= len(fleets.order) or top == 1, "nodes have two fleets or more"
        return top

    monkeypatch.setattr(kernels, "shoot", shoot)


def drawn_rules(rng: np.random.Generator) -> BattleshipRules:
    """A board of three to ten by as many squares, and one to nine ships, most of them about as long as a side."""
    width, height = 3 + below(rng, 8), 3 + below(rng, 8)
    longest = max(width, height) - below(rng, 3)
    lengths = [longest if below(rng, 6) else 1 + below(rng, longest) for _ in range(1 + below(rng, 9))]
    options = {
        each.name: each.choices[below(rng, len(each.choices))] for each in GAME.all_options if each.choices
    }
    del options["variant"]
    return GAME.make_rules({**options, "board": f"{width}x{height}", "fleet": ",".join(map(str, lengths))})


@pytest.mark.usefixtures("watched")
def test_rollouts_over_few_fleets_of_large_ships_stay_in_their_arrays() -> None:
    count = 0
    for number in range(DRAWN):
        rng = stream(number, "rollouts")
        try:
            facts = Facts(drawn_rules(rng))
        except UsageError:  # there is no room for such a fleet
            continue
        listed = posterior.fleets_of(facts, LISTED)
        some = listed[below(rng, len(listed) or 1) :][: 3 + below(rng, 12)]
        if len(some) >= 3:
            stage = posterior.RolloutStage(LISTED, 3, 0.4, nested=bool(below(rng, 2)))
            count += posterior.compare(some, facts, stage) is not None
    assert count > DRAWN // 5
