"""Games and agents that the tests of this folder share."""

from collections.abc import Callable

import pytest

from gpkit.gamekit.players import Player
from gpkit.games.sevens.game import GAME
from gpkit.playing.players import player_of_name, player_of_text


@pytest.fixture(scope="session")
def player() -> Callable[[str], Player]:
    """``player("simple")`` is the agent of that name in Sevens."""
    return lambda name: player_of_name(name, GAME)


@pytest.fixture(scope="session")
def program() -> Callable[[str, str], Player]:
    """``program("env.depth", "env.dist")`` is the agent of those formulas."""
    return lambda play, send: player_of_text(f"play: {play}\nsend: {send}\n", GAME, filename=f"{play}.tree")
