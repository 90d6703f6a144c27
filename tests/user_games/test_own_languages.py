"""Decision trees and plans of a game of one's own, and programs of a language that somebody installed."""

import json
import pickle
import shutil
from pathlib import Path
from typing import Any

import pytest
from sessions import blocks, write_files

from gpkit.cli.main import main
from gpkit.core import plugins
from gpkit.core.errors import GpkitError
from gpkit.core.registry import game_of, name_game

ROOT = Path(__file__).resolve().parents[2]
PAGES = [page.read_text(encoding="utf-8") for page in sorted((ROOT / "docs" / "game-makers").glob("*.md"))]
WEIGHED = "// game: {}\n{}:\n  -1 {}\n"


@pytest.fixture(autouse=True)
def _files_of_the_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for page in PAGES:
        write_files(blocks(page), tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(plugins, "here", plugins.Discovery())


def printed(line: str, capsys: pytest.CaptureFixture[str], code: int = 0) -> str:
    """What a command prints that ends so."""
    assert main(line.split()) == code, capsys.readouterr().err
    captured = capsys.readouterr()
    return captured.out + captured.err


def results_of(out: str) -> list[dict[str, Any]]:
    """The results in what a command prints as JSON."""
    found: list[dict[str, Any]] = json.loads(out[out.index("{") : out.rindex("}") + 1])["results"]
    return found


@pytest.mark.parametrize("line", ["--games 40 --opponent careful", "--exact --opponent random"])
def test_a_tree_and_the_same_formula_play_alike(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    inner = "ifle(env.left, 1, 100, ifle(2, env.wide, 1, 0))"
    Path("corner.tree").write_text(f"// game: chomp\nbite: ifle(env.left, 0, -100, {inner})\n")
    out = printed(f"run corner.decide corner.tree --game ./chomp.py {line} --json", capsys)
    first, second = (row["mean"] for row in results_of(out))
    assert first == second


@pytest.mark.release
def test_trees_evolve_and_are_taken_away(capsys: pytest.CaptureFixture[str]) -> None:
    Path("trees.toml").write_text(
        'preset = "chomp-trees"\n[population]\nsize = 6\n[stop]\ngenerations = 1\n[fitness]\ndeals = 4\n'
        "[refinement]\nrounds = 1\ncandidates = 2\ndeals = 4\n"
    )
    printed("evolve trees.toml --game ./chomp.py --seed 1 --out run", capsys)
    assert Path("run/best/champion.decide").exists()
    out = printed("export corner.decide --game ./chomp.py --to lua --mode player -o p.lua --check", capsys)
    assert {row.split()[-1] for row in out.splitlines() if row.startswith("corner")} == {"0"}


def test_plans_are_checked_played_and_traced(capsys: pytest.CaptureFixture[str]) -> None:
    assert "2 files, 0 errors" in printed("check steady.plan lazy.plan --game ./quarry.py", capsys)
    out = printed("run steady.plan lazy.plan --game ./quarry.py --games 1 --opponent random", capsys)
    assert [line.split()[3] for line in out.splitlines() if ".plan" in line] == ["9.0000", "21.0000"]
    assert "days of lazy: 21" in printed("trace lazy.plan --game ./quarry.py", capsys)
    assert "do dig" in printed("new execution --game ./quarry.py", capsys)
    Path("wrong.plan").write_text("do dance\n")
    assert "`dance`" in printed("check wrong.plan --game ./quarry.py", capsys, code=1)
    told = printed("run lazy.plan --game ./quarry.py --exact --opponent random", capsys, code=2)
    assert "is a plan, whose results are only sampled" in told


def test_plans_whose_chances_are_drawn_play_as_they_are_traced(capsys: pytest.CaptureFixture[str]) -> None:
    Path("luck.plan").write_text(
        "repeat 9\n  use try\nend\n\nplan try:\nchance 0.5\n  yes:\n    do dig\n  no:\n    do build\n"
    )
    name_game("./quarry.py")
    for deal in range(3):
        out = printed(f"trace luck.plan --game ./quarry.py --seed 4 --deal {deal}", capsys)
        assert "days of luck: " in out
    out = printed("run luck.plan --game ./quarry.py --seed 4 --games 3 --opponent random", capsys)
    assert "luck.plan" in out


def test_a_game_that_no_plan_can_play_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    text = Path("quarry.py").read_text()
    Path("two.py").write_text(text.replace("players=1", "players=2"))
    Path("none.py").write_text(text.replace('tick="rest"', 'tick="sleep"'))
    with pytest.raises(GpkitError, match="has several players, but plans can play only one-player games"):
        name_game("./two.py")
    with pytest.raises(
        GpkitError, match="the tick `sleep` is not one of the actions, which are dig, build, rest"
    ):
        name_game("./none.py")


def test_programs_of_an_installed_language_play_shipped_games_and_those_of_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    site = tmp_path / "site"
    shutil.copytree(ROOT / "tests" / "plugins" / "language", site / "weighing")
    shutil.copy(ROOT / "tests" / "plugins" / "weights.lark", site)
    shutil.copy(ROOT / "grammars" / "terminals.lark", site)
    for path in (site / "weighing").rglob("*.py"):
        text = path.read_text().replace("gpkit.languages.weights", "weighing")
        text = text.replace(
            'str(data_folder("grammars") / "weights.lark")', f"{str(site / 'weights.lark')!r}"
        )
        path.write_text(text.replace('suffix=".weights",', 'suffix=".weights",\n    like="arithmetic",'))
    info = site / "weighing-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: weighing\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[gpkit.languages]\nweights = weighing.language:LANGUAGE\n")
    monkeypatch.syspath_prepend(site)
    Path("left.weights").write_text(WEIGHED.format("chomp", "bite", "env.left"))
    Path("left.tree").write_text("// game: chomp\nbite: -env.left\n")
    Path("suit.weights").write_text(WEIGHED.format("sevens", "play", "env.rank") + "send:\n  1 env.suit\n")
    Path("suit.tree").write_text("// game: sevens\nplay: -env.rank\nsend: env.suit\n")
    for name, game, options in (("left", "./chomp.py", "careful"), ("suit", "sevens", "random")):
        line = f"run {name}.weights {name}.tree --game {game} --opponent {options} --games 60 --json"
        first, second = (row["mean"] for row in results_of(printed(line, capsys)))
        assert first == second, game
        assert f"{name}" in printed(f"tournament {name}.weights {name}.tree --game {game} --games 20", capsys)
    Path("mind.weights").write_text(WEIGHED.format("dots_and_boxes", "play", "env.rank"))
    told = printed("run mind.weights --game dots_and_boxes --games 1", capsys, code=2)
    assert "dots_and_boxes" in told
    assert list(game_of("sevens").offers) == ["arithmetic", "decision"], "it is not named among its own"


CARDS = '''"""Sevens as a file: what a shipped game has are keywords of the same function."""

from gpkit import game
from gpkit.games.sevens.forms import view as encoding
from gpkit.games.sevens.facts import FACTS
from gpkit.games.sevens.game import begin, choose, metric_of, play, shuffle
from gpkit.games.sevens.rules import SevensRules
from gpkit.games.sevens.primitives import OFFERS
from gpkit.games.sevens.sensors import SENSORS
from gpkit.games.sevens.forms.view import VIEW

GAME = game(
    "cards", begin, sensors=SENSORS, facts=FACTS, options=SevensRules, metric=metric_of, offers=OFFERS, deal=shuffle,
    opponents={"low": "play: -env.rank\\nsend: env.rank"}, rivals=["low"], play=play, choose=choose, view=VIEW,
    encoding=encoding,
)
'''


@pytest.mark.release
def test_a_shipped_game_in_a_file_plays_the_same_games(capsys: pytest.CaptureFixture[str]) -> None:
    Path("cards.py").write_text(CARDS)
    for name, sign, game in (("high", "", "cards"), ("high7", "", "sevens"), ("low", "-", "sevens")):
        Path(f"{name}.tree").write_text(f"// game: {game}\nplay: {sign}env.rank\nsend: env.rank\n")
    as_file = results_of(printed("run high.tree --game ./cards.py --games 60 --json", capsys))
    line = "run high7.tree --game sevens --opponent low.tree --games 60 --json"
    assert as_file[0]["mean"] == results_of(printed(line, capsys))[0]["mean"]
    printed("doctor --game ./cards.py", capsys)
    assert pickle.loads(pickle.dumps(game_of("cards"))) is game_of("cards")  # noqa: S301
