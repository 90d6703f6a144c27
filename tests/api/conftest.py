"""Settings for tests of the Python interface: games that a test names are not there for the next."""

import pytest


@pytest.fixture(autouse=True)
def named_for_this_test_alone(none_named: None) -> None:
    """Nobody has named a game."""
