"""The shipped champions are as strong, and as small, as their headers say: 60,000 held-out games against each."""

import json
from pathlib import Path

import pytest

from gpkit.core.registry import data_folder
from gpkit.core.statistics import Interval
from gpkit.games.sevens.game import GAME
from gpkit.games.sevens.options import Rules
from gpkit.games.sevens.primitives import ARTICLE
from gpkit.languages.arithmetic.parser import parse
from gpkit.play.agents import agent_of_name, agent_of_program
from gpkit.play.match import play_match

HELD_OUT = 20261121
"""The seed of deals that no run has seen: matches have random streams of their own."""


@pytest.mark.parametrize(
    ("name", "nodes", "floors"),
    [
        ("champion", 30, {"random": 0.836, "simple": 0.408}),
        ("champion-40", 40, {"random": 0.845, "simple": 0.418}),
    ],
)
def test_strength(name: str, nodes: int, floors: dict[str, float]) -> None:
    program = parse((data_folder("programs") / "sevens" / f"{name}.tree").read_text(encoding="utf-8")).program
    assert len(program) <= nodes
    used = {symbol for tree in program.trees for symbol in tree.symbols if isinstance(symbol, str)}
    assert used <= {*ARTICLE.sensors, *(operator.name for operator in ARTICLE.operators)}
    agent = agent_of_program(program, GAME, name)
    for opponent, floor in floors.items():
        result = play_match(
            GAME, agent, [agent_of_name(opponent, GAME)], rules=Rules(), seed=HELD_OUT, games=60_000
        )
        assert isinstance(result.interval, Interval)
        assert result.games == 60_000
        assert result.interval.mean >= floor


def test_the_recorded_runs_of_the_preset_are_strong_and_come_out_again() -> None:
    """``tests/data/strength.json``: five seeds of ``gpkit evolve sevens``, measured on held-out games, played anew."""
    recorded = json.loads((Path(__file__).parents[2] / "data" / "strength.json").read_text(encoding="utf-8"))
    required = recorded["required"]
    assert [run["seed"] for run in recorded["runs"]] == [1, 2, 3, 4, 5]
    for run in recorded["runs"]:
        program = parse(run["program"]).program
        assert len(program) == run["nodes"] <= required["nodes"]
        agent = agent_of_program(program, GAME, "champion")
        for stored in run["results"]:
            assert stored["mean"] >= required[stored["opponent"]]
            opponent = agent_of_name(stored["opponent"], GAME)
            result = play_match(GAME, agent, [opponent], rules=Rules(), seed=HELD_OUT, games=stored["games"])
            assert result.interval.mean == stored["mean"]
