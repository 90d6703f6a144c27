"""``gpkit report``: one page about a run, whatever state the run is in."""

import html
import json
import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tiny_run import TINY, evolve_tiny

from gpkit.core.work_folder import Description, opened_work
from gpkit.evolution.config import (
    Config,
    FitnessSettings,
    GuideSettings,
    RefinementSettings,
    StopSettings,
    shipped_presets,
)
from gpkit.games.dots_and_boxes.learner.folder import KIND

GENERATIONS = 4

pytestmark = pytest.mark.usefixtures("few_games")

SHOOTING = replace(
    shipped_presets()["battleship"],
    population=replace(shipped_presets()["battleship"].population, size=12),
    scheme=replace(shipped_presets()["battleship"].scheme, elites=2),
    selection=replace(shipped_presets()["battleship"].selection, sample=0),
    fitness=replace(
        shipped_presets()["battleship"].fitness, deals=4, blocks=1, candidates=4, validation_deals=20
    ),
    guide=replace(shipped_presets()["battleship"].guide, exercises=("fleet=2 found=yes",), deals=2, blocks=1),
    islands=replace(shipped_presets()["battleship"].islands, count=1),
    refinement=RefinementSettings(rounds=1, candidates=4, deals=10),
)

BREAKING = replace(
    shipped_presets()["mastermind"],
    population=replace(shipped_presets()["mastermind"].population, size=6),
    scheme=replace(shipped_presets()["mastermind"].scheme, elites=1),
    refinement=RefinementSettings(finish=False, simplify=False),
)


def test_the_page_shows_everything(run: Path, gpkit) -> None:
    outcome = gpkit("report", run, "--games", 30)
    assert outcome.code == 0, outcome.err
    assert outcome.err.endswith(
        f"wrote {run / 'report.html'}: {(run / 'report.html').stat().st_size / 1000:.0f} kB\n"
    )
    assert re.search(r"^random +deals +0\.\d{4} +0\.\d{4} to 0\.\d{4} +30$", outcome.out, re.MULTILINE)
    assert re.search(r"^simple +players=5 +opponent, rules +0\.", outcome.out, re.MULTILINE)
    assert "trained on: random\n" in outcome.err
    page = (run / "report.html").read_text()
    headings = re.findall(r"<h2>(.*?)</h2>", page)
    assert headings == ["The champion", "The run", "Lineage", "A game", "In other languages"]
    for path in (run / "best" / "champion.tree", run / "best" / "generation-000000.tree"):
        assert path.exists()
    assert html.escape((run / "best" / "champion.tree").read_text()) in page
    assert "<p>Trained on: random.</p>" in page
    assert "<td>players=5</td>" in page
    assert page.count('class="gpkit-chart"') == 3
    assert page.count('<div class="frame"') > 20
    assert "so far" not in page
    assert len(page) < 700_000


@pytest.mark.release
def test_the_page_needs_no_network(run: Path, gpkit) -> None:
    gpkit("report", run, "--games", 3)
    page = (run / "report.html").read_text()
    links = re.findall(r"(?:src|href|action|data|poster)=[\"']?([^\"'> ]*)", page)
    assert links
    assert all(link.startswith("#") for link in links)
    named = {name for name in re.findall(r"https?://[^\"'<>\s]*", page) if "www.w3.org" not in name}
    assert named == set()
    ids = set(re.findall(r' id="([^"]*)"', page))
    assert {link[1:] for link in links} <= ids


@pytest.mark.release
def test_the_run_in_numbers(run: Path, gpkit, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    outcome = gpkit("report", run, "-o", page, "--games", 30, "--json")
    data = json.loads(outcome.out)
    assert data["schema"] == "gpkit/report/1"
    assert data["file"] == str(page)
    assert page.is_file()
    assert not (run / "report.html").exists()
    assert [g["generation"] for g in data["generations"]] == [0, 1, 2, 3, 4]
    assert [each["opponent"] for each in data["held_out"]] == ["random"]
    low, high = data["held_out"][0]["ci95"]
    assert low <= data["held_out"][0]["mean"] <= high
    assert data["champions"][0]["generation"] == 0
    assert all(each["held_out"]["games"] == 30 for each in data["champions"])
    assert data["lineage"][-1]["operator"] == "create"
    assert data["reason"] == "4 generations"


@pytest.mark.release
def test_the_same_run_gives_the_same_page(run: Path, gpkit, tmp_path: Path) -> None:
    pages = []
    for name in ("a.html", "b.html"):
        assert gpkit("report", run, "--games", 3, "--deal", 7, "-o", tmp_path / name).code == 0
        pages.append((tmp_path / name).read_bytes())
    assert pages[0] == pages[1]


@pytest.mark.release
def test_other_opponents(run: Path, gpkit) -> None:
    outcome = gpkit("report", run, "--games", 3, "--opponent", "simple", "--opponent", "hold", "--json")
    assert [each["opponent"] for each in json.loads(outcome.out)["held_out"]] == ["simple", "hold"]
    unknown = gpkit("report", run, "--opponent", "simpel")
    assert unknown.code == 2
    assert "did you mean `simple`?" in unknown.err


@pytest.mark.release
def test_a_run_that_goes_on_and_one_that_has_crashed(tmp_path: Path, gpkit) -> None:
    folder, copy = tmp_path / "run", tmp_path / "crashed"
    codes = []

    def look(summary: Any, _state: Any) -> None:
        if summary.generation == 2:
            codes.append(gpkit("report", folder, "--games", 3, "-o", tmp_path / "going.html").code)
            shutil.copytree(folder, copy)

    evolve_tiny(folder, generations=3, on_generation=look)
    assert codes == [0]
    assert (
        "2 generations of 12 programs so far; the run has not ended." in (tmp_path / "going.html").read_text()
    )
    with (copy / "events.jsonl").open("a") as file:
        file.write('{"event": "gener')
    assert gpkit("report", copy, "--games", 3).code == 0
    assert "so far" in (copy / "report.html").read_text()


@pytest.mark.release
def test_a_run_under_other_rules_with_points(tmp_path: Path, gpkit) -> None:
    config = replace(TINY, rules={"players": 4, "end": "points", "gates": True})
    evolve_tiny(tmp_path / "run", generations=1, config=config)
    assert gpkit("report", tmp_path / "run", "--games", 4).code == 0
    page = (tmp_path / "run" / "report.html").read_text()
    assert "sevens with players 4, end points, gates yes" in page
    assert "An even share" not in page
    assert re.search(r"Mean points: -?\d+\.\d{3} against random\.", page)


@pytest.mark.release
def test_a_program_file_as_opponent_that_is_gone(
    tmp_path: Path, gpkit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("rival.tree").write_text("// game: sevens\nplay: env.depth\nsend: env.rank\n")
    config = replace(TINY, fitness=FitnessSettings(opponents=("random",), deals=10, validation_deals=40))
    evolve_tiny(tmp_path / "run", generations=1, config=config)
    path = tmp_path / "run" / "run.json"
    path.write_text(path.read_text().replace('"random"', '"./rival.tree"'))
    assert gpkit("report", "run", "--games", 3).code == 0
    Path("rival.tree").unlink()
    gone = gpkit("report", "run", "--games", 3)
    assert gone.code == 2
    assert "there is no file rival.tree" in gone.err or "there is no file ./rival.tree" in gone.err
    assert gpkit("report", "run", "--games", 3, "--opponent", "random").code == 0


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda run: (run / "run.json").unlink(), "is not the folder of a run"),
        (lambda run: (run / "run.json").write_text("{"), "run.json is damaged"),
        (lambda run: (run / "events.jsonl").write_text(""), "has no generation yet"),
        (lambda run: (run / "run.db").write_text("no database"), "run.db: file is not a database"),
        (lambda run: (run / "run.db").unlink(), "run.db is missing"),
        (lambda run: (run / "best" / "champion.tree").unlink(), "best has no program champion"),
    ],
)
def test_damaged_runs_are_named(run: Path, gpkit, damage: Any, words: str) -> None:
    damage(run)
    outcome = gpkit("report", run, "--games", 3)
    assert outcome.code == 2
    assert words in outcome.err
    assert not (run / "report.html").exists()


def page_of(folder: Path, gpkit, config: Config, *, generations: int = 1) -> str:
    """The page of a new run."""
    evolve_tiny(folder, generations=generations, config=config)
    assert gpkit("report", folder, "--games", 20).code == 0
    return (folder / "report.html").read_text()


def charts_of(page: str) -> list[tuple[str, str]]:
    """The title of every chart and what its vertical axis measures."""
    return [
        (title, measure)
        for title, measure in re.findall(
            r'<text class="title"[^>]*>([^<]*)<.*?<text [^>]*rotate[^>]*>([^<]*)<', page, re.DOTALL
        )
    ]


@pytest.mark.release
def test_a_page_of_lines_and_shots(tmp_path: Path, gpkit) -> None:
    page = page_of(tmp_path / "run", gpkit, SHOOTING)
    assert charts_of(page) == [
        ("Champions", "shots"),
        ("Training", "shots, weighted"),
        ("Size", "lines"),
        ("Diversity", "individuals"),
    ]
    assert "nodes" not in re.sub(r"<pre>.*?</pre>|<svg.*?</svg>", "", page, flags=re.DOTALL)
    assert re.search(r"The champion has \d+ lines?\.", page)
    assert '<th class="number">lines</th>' in page
    assert "1 exercise, times 1.7, less 0.01 for every line" in page
    assert "seat" not in re.sub(r"<pre>.*?</pre>", "", page, flags=re.DOTALL)
    assert "win share" not in page
    assert 'aria-label="next shot"' in page
    assert '<mark class="line">' in page
    assert "<h2>In Lua</h2>" in page
    assert "by create" in page
    values = [float(each) for each in re.findall(r"Mean shots: ([\d.]+)", page)]
    assert all(17 <= value <= 200 for value in values)
    assert values


@pytest.mark.release
def test_without_a_guide_shots_of_training_and_champions_share_an_axis(tmp_path: Path, gpkit) -> None:
    page = page_of(tmp_path / "run", gpkit, replace(SHOOTING, guide=GuideSettings()))
    assert charts_of(page)[0] == ("Strength", "shots plus the price of size")
    assert "\N{MINUS SIGN}" not in re.search(r"Strength.*?</svg>", page, re.DOTALL)[0]


@pytest.mark.release
def test_a_page_of_computed_results_has_no_intervals_and_no_games(tmp_path: Path, gpkit) -> None:
    page = page_of(tmp_path / "run", gpkit, BREAKING)
    assert charts_of(page)[0] == ("Strength", "guesses plus the price of size")
    assert "95%" not in page
    assert ">games<" not in page
    assert "less 0.00002 for every node" in page
    assert "Fitness counts guesses as negative" in page


@pytest.mark.release
def test_a_run_of_one_generation_has_no_course_and_no_lineage(tmp_path: Path, gpkit) -> None:
    config = replace(
        TINY, refinement=RefinementSettings(finish=False, simplify=False), stop=StopSettings(generations=0)
    )
    page = page_of(tmp_path / "run", gpkit, config, generations=0)
    assert "gpkit-chart" not in page
    assert "The champion is a random program, as it was in generation 0." in page
    assert "made by" not in page


@pytest.mark.usefixtures("small_boards")
def test_a_page_of_a_learner(tmp_path: Path, gpkit) -> None:
    folder = tmp_path / "learned"
    assert gpkit("learn", "dots_and_boxes", "short", "--games", 40, "--out", folder).code == 0
    outcome = gpkit("report", folder, "--opponent", "greedy", "--json")
    assert outcome.code == 0, outcome.err
    page = (folder / "report.html").read_text()
    assert charts_of(page) == [("Strength", "win rate"), ("Activity", "share"), ("Population", "rules")]
    assert ">games<" in page
    assert "generation" not in re.sub(r"<pre>.*?</pre>", "", page, flags=re.DOTALL)
    assert re.findall(r"<h2>(.*?)</h2>", page) == ["The champion", "The run", "A game", "In Lua"]
    assert html.escape((folder / "best.rules").read_text()) in page
    assert page.count('<div class="frame"') == 13
    data = json.loads(outcome.out)
    assert data["schema"] == "gpkit/report/1"
    assert (data["games"], data["points"][-1]["games"]) == (40, 40)
    assert [each["opponent"] for each in data["exact"]] == ["greedy"]


def test_a_learner_that_has_learned_nothing(tmp_path: Path, gpkit) -> None:
    with opened_work(tmp_path, Description(KIND, {}, 1, {}), resume=False):
        pass
    refused = gpkit("report", tmp_path)
    assert refused.code == 2
    assert "has learned nothing yet" in refused.err
    assert not (tmp_path / "report.html").exists()
