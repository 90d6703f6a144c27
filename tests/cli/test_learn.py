"""``gpkit learn``: files that can be used again, the same for the same seed."""

import json
from pathlib import Path

import pytest

from gpkit.cli.main import main
from gpkit.languages.rulegraph.parser import parse

FILES = {"config.toml", "population.rules", "best.rules", "curves.json", "curves.svg"}


def test_rules_curves_and_configuration_are_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    assert main(["learn", "dots_and_boxes", "ours", "--games", "100", "--seed", "5", "-o", str(one)]) == 0
    assert "exact win rate" in capsys.readouterr().out
    assert {path.name for path in one.iterdir()} == FILES
    assert main(["learn", "dots_and_boxes", str(one / "config.toml"), "-o", str(two), "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    for name in FILES:
        assert (one / name).read_bytes() == (two / name).read_bytes(), name
    curves = json.loads((one / "curves.json").read_text())
    assert printed["points"] == curves["points"]
    assert curves["seed"] == 5
    assert curves["points"][-1]["games"] == curves["games"] == 100
    source = parse((one / "population.rules").read_text())
    assert len(source.program.rules) == curves["rules"]
    assert all(named.q is not None and named.f is not None for named in source.program.rules)
    assert main(["run", str(one / "population.rules"), "--opponent", "chain", "--exact", "--json"]) == 0
    exact = json.loads(capsys.readouterr().out)["results"][0]["mean"]
    assert exact == pytest.approx(curves["greedy"], abs=1e-12)
    assert main(["run", str(one / "best.rules"), "--opponent", "chain", "--exact", "--json"]) == 0
    best = json.loads(capsys.readouterr().out)["results"][0]["mean"]
    assert best == pytest.approx(max(point["greedy"] for point in curves["points"]), abs=1e-12)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["learn", "sevens", "ours"], "dots_and_boxes"),
        (["learn", "dots_and_boxes", "our"], "ours"),
        (["learn", "dots_and_boxes", "missing.toml"], "missing.toml"),
    ],
)
def test_mistakes_are_explained(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    assert message in capsys.readouterr().err


def test_a_folder_in_use_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine").write_text("text")
    assert main(["learn", "dots_and_boxes", "constant", "--games", "10", "-o", str(tmp_path)]) == 2
    assert "not empty" in capsys.readouterr().err
