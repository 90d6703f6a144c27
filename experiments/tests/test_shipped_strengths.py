"""Strengths of shipped programs: of the very programs that are shipped, and the same when they are measured again."""

import hashlib
import json

import pytest

from gpkit.core.registry import GAMES, game_of, shipped_programs
from gpkit_experiments.shipped_strengths import FILE, measured

STORED = json.loads(FILE.read_text("utf-8"))


def test_every_program_is_measured_as_it_is_shipped() -> None:
    assert set(STORED) == {entry.name for entry in GAMES}
    for game, told in STORED.items():
        assert {name: each["sha256"] for name, each in told["programs"].items()} == {
            name: hashlib.sha256(path.read_bytes()).hexdigest()
            for name, path in shipped_programs(game).items()
        }


@pytest.mark.parametrize("game", ["sevens", "mastermind"])
def test_measuring_again_gives_the_same_values(game: str) -> None:
    again = measured(game_of(game), [*shipped_programs(game)])
    assert json.loads(json.dumps(again)) == STORED[game]
