"""The paper on the sinking logic: what it measures, and that its committed result says what is claimed."""

import json
from collections.abc import Iterator
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from kernel_marks import compiled_only
from result_pages import results

from gpkit.core.rng import stream
from gpkit.evolution.config import shipped_presets
from gpkit.evolution.executors import SerialExecutor
from gpkit.evolution.subjects import resolve
from gpkit.games.battleship.game import GAME
from gpkit.playing.players import program_of_name
from gpkit_experiments.papers.battleship_sinking import paper
from gpkit_experiments.papers.battleship_sinking.hard_fleets import Effort as HardEffort
from gpkit_experiments.papers.battleship_sinking.paper import (
    ARMS,
    CHANCE,
    EFFORTS,
    LARGE,
    PAPER,
    SOURCE,
    TOP,
    AtTop,
    Effort,
    in_space,
    repairs,
    settled,
)
from gpkit_experiments.papers.paper import Findings

pytestmark = compiled_only

HARD = HardEffort(searches=2, steps=2, games=4, shown=8, boards=400)
TINY = replace(PAPER, efforts={"quick": Effort(games=400, density_games=20, duels=200, runs=2, hard=HARD)})


SHORT = replace(
    shipped_presets()["bridon"],
    fitness=replace(shipped_presets()["bridon"].fitness, validation_deals=50),
    stop=replace(shipped_presets()["bridon"].stop, generations=2),
)


@pytest.fixture(autouse=True, scope="module")
def _evolution_is_short() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(paper, "BRIDON", SHORT)
        yield


@cache
def tiny() -> Findings:
    return TINY.run("quick", 1, SerialExecutor())


def test_the_same_seed_gives_the_same_findings() -> None:
    assert TINY.run("quick", 1, SerialExecutor()) == tiny()


def test_every_claim_has_its_table() -> None:
    tables = list(dict.fromkeys(row.table for row in tiny().rows))
    assert tables == [
        "Figure 8, share of games finished",
        "Figure 8, shots",
        "The corrected Figure 8, shots",
        "Players, shots on uniform boards",
        "The corrected Figure 8, shots by placement",
        "Section IV, share of duels won",
        "Section IV, share of duels won, 8x8 squares",
        "Section IV, share of duels won, 12x12 squares",
        "The filter as a checkerboard, share of duels won by the corrected Figure 8",
        "Fleets that are hard to sink, shots of the corrected Figure 8",
        "The source's evolution, shots of the champion on held-out boards",
    ]
    assert len(tiny().files) == 2 * len(ARMS)


def test_the_repairs_lead_from_the_printed_figure_to_the_one_that_plays() -> None:
    found = repairs()
    assert next(iter(found.values()))[0] == program_of_name("figure8-as-printed", GAME)
    assert found["both, stacked conditions: the corrected Figure 8"] == (
        program_of_name("corrected", GAME),
        {},
    )


def test_instructions_stay_at_the_top_of_their_block() -> None:
    space = in_space(resolve(shipped_presets()["bridon"]).search(), AtTop).representation
    rng = stream(1, "top")
    parents = [space.create(rng, number) for number in range(2)]
    for program in (*parents, *(space.vary(rng, "chunk", parents).genome for _ in range(50))):
        assert program == settled(program)
        assert [len(block) for block in program.blocks] == [10, 20, 20]
    assert "Nop" in settled(parents[0]).blocks[0] and TOP in ARMS


def result(budget: str = "full") -> dict[str, Any]:
    path = Path(__file__).parents[1] / "data" / "paper-battleship-sinking.json"
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return data


def test_the_committed_result_is_of_the_settings_in_use_and_says_what_is_claimed() -> None:
    data = result()
    full = EFFORTS["full"]
    assert data["settings"] == asdict(full)
    assert data["command"] == f"gpkit paper battleship-sinking --budget full --seed {data['seed']}"
    rows = {(row["table"], row["quantity"]): row for row in data["rows"]}
    finished = "Figure 8, share of games finished"
    assert rows[finished, "as printed, to the letter"]["verdict"] == "holds"
    assert rows[finished, "both, stacked conditions: the corrected Figure 8"]["measured"] == 1.0
    shots = "The corrected Figure 8, shots"
    for name in ("the default dialect", "target=uniform", "sunk=reset", "if=one-line"):
        assert rows[shots, name]["verdict"] == "holds", name
    evolution = "The source's evolution, shots of the champion on held-out boards"
    assert rows[evolution, "from random programs"]["verdict"] == "fails"


def test_the_page_tells_what_the_source_says_and_what_is_so() -> None:
    rows = {(row["table"], row["quantity"]): row["measured"] for row in result()["rows"]}
    page = results("battleship")
    filters = "The filter as a checkerboard, share of duels won by the corrected Figure 8"
    won = rows[filters, "filter against checkerboard"]
    assert f"the corrected Figure 8 with the filter wins {won:.0%} against itself".replace("%", " %") in page
    hard = "Fleets that are hard to sink, shots of the corrected Figure 8"
    parallel, crossed = (
        rows[hard, f"ships that lie {way} against ships that lie apart"] for way in ("in parallel", "as a T")
    )
    sought = rows[hard, "layouts sought against it, beyond the random ones that searches began with"]
    told = (
        f"{parallel:.1f} shots more where two ships lie in parallel, {crossed:.1f} more where they form a T"
    )
    assert f"it needs {told}, and {sought:.0f} more on layouts that a search found" in page
    evolved = "The source's evolution, shots of the champion on held-out boards"
    source, chance, large = (rows[evolved, name] for name in (SOURCE, CHANCE, LARGE))
    assert f"ends at {source:.1f} shots, and at {chance:.1f} with parents drawn at random" in page
    assert f"With five times as many programs it ends at {large:.1f}." in page


@pytest.mark.slow
def test_the_committed_result_comes_out_again() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(paper, "BRIDON", shipped_presets()["bridon"])
        findings = PAPER.run("full", result()["seed"], SerialExecutor())
    assert json.loads(json.dumps(findings.to_json("full")["rows"])) == result()["rows"]
