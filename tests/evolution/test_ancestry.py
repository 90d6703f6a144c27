"""Where a champion comes from: an unbroken line to a random program, copies as one that lived longer, refinement."""

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from tiny_run import evolve_tiny

from gpkit.core.errors import CheckpointError
from gpkit.evolution.config import shipped_presets
from gpkit.evolution.history import REFINED, Ancestor, Ancestry, Descent, read_ancestry, read_history


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "run"
    evolve_tiny(folder, generations=8)
    return folder


def _individual(number: int, operator: str, *parents: int) -> Ancestor:
    return Ancestor(number, number // 1_000_000, operator, parents, (), 0.5, f"play: {number}.0\nsend: 1.0\n")


def test_the_line_goes_back_to_a_random_program(run: Path) -> None:
    history = read_history(run)
    ancestry = read_ancestry(history)
    assert ancestry.line[0].program == history.champion.program
    assert ancestry.line[-1].operator == "create"
    descents = ancestry.descents()
    assert [descent.child.operator for descent in descents].count("clone") == 0
    assert descents[-1].parent is None
    for descent, before in pairwise(descents):
        assert descent.parent is not None
        assert descent.parent.program == before.child.program
        assert before.child.generation <= before.until
        assert before.child.generation <= descent.child.generation
    line = {individual.number for individual in ancestry.line}
    assert not line & {mate.number for mate in ancestry.mates}
    assert ancestry.count >= len(line) - 1


def test_every_mate_of_the_line_is_there(run: Path) -> None:
    ancestry = read_ancestry(read_history(run))
    known = {individual.number for individual in (*ancestry.line, *ancestry.mates)}
    assert {parent for individual in ancestry.line for parent in individual.parents} <= known


def test_copies_are_one_individual_that_lived_longer() -> None:
    changed, copy = _individual(5_000_001, "subtree", 4_000_002), _individual(4_000_002, "clone", 3_000_003)
    original, root = _individual(3_000_003, "point", 1_000_004), _individual(1_000_004, "create")
    found = Ancestry((changed, copy, original, root), (), 3).descents()
    assert found == (Descent(changed, 5, copy), Descent(original, 4, root), Descent(root, 2, None))


def test_a_champion_that_is_a_copy() -> None:
    copy, root = _individual(2_000_000, "clone", 0), _individual(0, "create")
    assert Ancestry((copy, root), (), 1).descents() == (Descent(root, 2, None),)


def test_the_refined_champion_is_the_end_of_the_line(tmp_path: Path) -> None:
    evolve_tiny(tmp_path / "run", generations=2)
    path = tmp_path / "run" / "events.jsonl"
    *events, end = [json.loads(line) for line in path.read_text().splitlines()]
    end["champion"]["program"] = "play: env.depth\nsend: env.dist\n"
    path.write_text("".join(json.dumps(event) + "\n" for event in (*events, end)))
    ancestry = read_ancestry(read_history(tmp_path / "run"))
    latest = ancestry.descents()[0]
    assert (latest.child.operator, latest.child.program) == (REFINED, end["champion"]["program"])
    assert latest.parent is ancestry.line[1]
    assert latest.child.number == ancestry.line[1].number


def test_a_plan_has_places_where_its_sequences_end(tmp_path: Path) -> None:
    """Behind five steps, one of them in a loop, is the seventh place; there is no eighth."""
    small = replace(
        shipped_presets()["plans"], population=replace(shipped_presets()["plans"].population, size=8)
    )
    refinement = replace(small.refinement, rounds=0, simplify=False)
    evolve_tiny(tmp_path, generations=0, config=replace(small, refinement=refinement))
    history = read_history(tmp_path)
    plan = "do drone\ndo drone\ndo drone\nrepeat 2\n  do drone\nend\n"
    child = history.champion.number
    for position, there_is in ((6, True), (7, False)):
        with closing(sqlite3.connect(tmp_path / "run.db")) as connection, connection:
            changed = "UPDATE individuals SET program = ?, places = ? WHERE number = ?"
            connection.execute(changed, (plan, f'[["", {position}]]', child))
        if there_is:
            assert read_ancestry(history).line[-1].places == (("", 6),)
        else:
            with pytest.raises(CheckpointError, match="no place 7"):
                read_ancestry(history)
