"""Games and agents that the tests of this folder share."""

from collections.abc import Callable

import pytest

from gpkit.games.game import Agent
from gpkit.games.sevens.game import GAME
from gpkit.play.agents import agent_of_name, agent_of_text


@pytest.fixture(scope="session")
def player() -> Callable[[str], Agent]:
    """``player("simple")`` is the agent of that name in Sevens."""
    return lambda name: agent_of_name(name, GAME)


@pytest.fixture(scope="session")
def program() -> Callable[[str, str], Agent]:
    """``program("env.depth", "env.dist")`` is the agent of those formulas."""
    return lambda play, send: agent_of_text(f"play: {play}\nsend: {send}\n", GAME, filename=f"{play}.tree")
