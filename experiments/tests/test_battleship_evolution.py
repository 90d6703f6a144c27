"""The paper on our evolution of sinking programs: its tables, its race, its committed result."""

import json
from collections.abc import Iterator
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from kernel_marks import compiled_only

from gpkit.evolution.executors import SerialExecutor
from gpkit.evolution.pools import executor_for
from gpkit.evolution.setup import search_of
from gpkit.games.battleship.game import GAME
from gpkit.games.battleship.presets import BATTLESHIP
from gpkit.games.battleship.primitives import PRIMITIVES
from gpkit.genomes.linear import LinearProgram
from gpkit.playing.players import program_of_name
from gpkit_experiments.papers.battleship_evolution import ablation, paper
from gpkit_experiments.papers.battleship_evolution.ablation import ARMS, reduced
from gpkit_experiments.papers.battleship_evolution.neighbourhood import Contest, around, search
from gpkit_experiments.papers.battleship_evolution.neighbours import neighbours
from gpkit_experiments.papers.battleship_evolution.paper import BEYOND, EFFORTS, Effort, EvolutionPaper
from gpkit_experiments.papers.paper import Findings, ignore

pytestmark = compiled_only

TINY = EvolutionPaper(
    {
        "quick": Effort(
            games=300,
            runs=2,
            size=8,
            generations=1,
            level_runs=2,
            level_size=8,
            level_generations=1,
            rounds=1,
            candidates=5,
            stages=(4, 20),
            finalists=3,
            lines=1,
        )
    }
)
PRESET = replace(
    BATTLESHIP,
    fitness=replace(BATTLESHIP.fitness, validation_deals=50),
    refinement=replace(BATTLESHIP.refinement, deals=50, race=10),
)
CORRECTED = program_of_name("corrected", GAME)


@pytest.fixture(autouse=True, scope="module")
def _champions_are_validated_on_few_boards() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for module in (ablation, paper):
            patch.setattr(module, "BATTLESHIP", PRESET)
        yield


@cache
def tiny() -> Findings:
    return TINY.run("quick", 1, SerialExecutor())


def test_workers_do_not_change_the_findings() -> None:
    with executor_for("2") as executor:
        assert TINY.run("quick", 1, executor) == tiny()


def test_every_question_has_its_table() -> None:
    tables = list(dict.fromkeys(row.table for row in tiny().rows))
    assert tables == [
        "The preset without one of its parts, shots of the champion",
        "Shots lost without a part, paired by run",
        "Evolution goes on from champion, shots",
        "Shots that further instructions save, paired by run",
        "Evolution goes on from the corrected Figure 8, shots",
        "One changed line, shots that the best of all neighbours takes less",
    ]
    arms = [row.quantity for row in tiny().rows if row.table == tables[0]]
    assert sorted(arms) == sorted([*ARMS, "the preset, and refinement"])
    assert len(tiny().files) == len(BEYOND) + 2


def test_every_arm_is_a_run_of_its_own() -> None:
    base = reduced(50, 3)
    configs = [arm(base) for arm in ARMS.values()]
    assert all(one != other for k, one in enumerate(configs) for other in configs[:k])
    assert configs[0] == base
    for config in configs:
        search_of(config)


def test_two_changed_lines_are_one_changed_line_twice() -> None:
    words = ("Target", "Shoot")
    program = LinearProgram(PRIMITIVES.sections, (("Target", "Shoot"), (), ()))
    near = set(neighbours(program, words, PRIMITIVES.capacities))
    found = list(around(program, words, 2))
    assert len(set(found)) == len(found)
    assert program not in found
    twice = {other for each in near for other in neighbours(each, words, PRIMITIVES.capacities)}
    assert set(found) == (near | twice) - {program}
    assert set(around(program, words, 1)) == near


def test_the_race_finds_the_line_that_was_taken_out() -> None:
    """The corrected Figure 8 without the line that turns round is mended by one changed line."""
    *first, sinking = CORRECTED.blocks
    at = sinking.index("OppDir")
    broken = LinearProgram(CORRECTED.names, (*first, (*sinking[:at], *sinking[at + 1 :])))
    found = search(
        broken,
        "bridon",
        1,
        Contest((20, 200), seed=1, finalists=10, boards=2_000),
        SerialExecutor(),
        ignore,
    )
    assert found.gain.low > 1.0
    assert "OppDir" in found.best.blocks[2]
    assert found.distinct < found.count


def result() -> dict[str, Any]:
    path = Path(__file__).parents[1] / "data" / "paper-battleship-evolution.json"
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return data


def test_the_committed_result_is_of_the_settings_in_use() -> None:
    data = result()
    settings = asdict(EFFORTS["full"])
    assert data["settings"] == {**settings, "stages": list(settings["stages"])}
    assert data["command"] == "gpkit paper battleship-evolution --budget full --seed 1"
    tables = list(dict.fromkeys(row["table"] for row in data["rows"]))
    assert tables[:-1] == list(dict.fromkeys(row.table for row in tiny().rows))
    assert tables[-1] == "Two changed lines, shots that the best of all neighbours takes less"
    seen = [row["table"] for row in data["rows"]]
    assert seen == sorted(seen, key=tables.index), "each table stands in one piece"
