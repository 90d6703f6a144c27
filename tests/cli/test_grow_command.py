"""``gpkit grow``: a stronger rule list out of a weaker one, by the least of its win rates."""

import json
import signal
from pathlib import Path

import pytest

from gpkit.games.dots_and_boxes.learner import growth

FILES = {
    "begun.rules": """# game: dots_and_boxes
take: x_0 w => x_0 - w
q_0 n => q_0 - n
l_0(2+) w => l_0[1] - w
"""
}
OPTIONS = ("--board", "2x2", "--rounds", "2", "--rules", "6", "--seed", "3")


def test_a_list_wins_as_often_as_it_says(folder: Path, gpkit) -> None:
    path = folder / "list.rules"
    target_rates = ("--opponent", "chain=0.5", "--opponent", "greedy", "--opponent", "greedy=.5@3x2")
    arguments = ("grow", "begun.rules", *OPTIONS, *target_rates, "--games", "100", "-o", path, "--json")
    outcome = gpkit(*arguments)
    assert outcome.code == 0
    report = json.loads(outcome.out)
    assert report["schema"] == "gpkit/grow/1"
    assert 0 < report["rules"] <= 6
    assert list(report["rates"]) == ["chain", "greedy", "greedy on 3x2"]
    assert "growing from 3 rules in 2 rounds, seed 3" in outcome.err
    text = path.read_text(encoding="utf-8")
    assert "# title: grown from begun.rules in 2 rounds, seed 3\n" in text
    assert "# trained: chain, greedy on board=2x2; greedy on board=3x2\n" in text
    run = gpkit("run", path, "--exact", "--rules", "board=2x2", "--opponent", "chain", "--json")
    (found,) = json.loads(run.out)["results"]
    assert found["mean"] == pytest.approx(report["rates"]["chain"], abs=1e-12)
    first, second = found["best_response"]
    assert f"# best-response: {first:.4f} moving first, {second:.4f} moving second\n" in text
    assert f"# rates: chain {report['rates']['chain']:.4f}, greedy {report['rates']['greedy']:.4f}\n" in text
    assert gpkit(*arguments).out == outcome.out
    assert path.read_text(encoding="utf-8") == text


def test_the_list_goes_to_standard_output(folder: Path, gpkit) -> None:
    outcome = gpkit("grow", "begun.rules", *OPTIONS, "--opponent", "greedy")
    assert outcome.code == 0
    path = folder / "grown.rules"
    path.write_text(outcome.out, encoding="utf-8")
    assert gpkit("check", path).code == 0


def test_an_interrupt_gives_the_list_so_far(folder: Path, gpkit, monkeypatch: pytest.MonkeyPatch) -> None:
    step = growth.Grower.step

    def step_and_interrupt(self: growth.Grower, *arguments: object) -> growth.Listed:
        signal.raise_signal(signal.SIGINT)
        return step(self, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(growth.Grower, "step", step_and_interrupt)
    path = folder / "list.rules"
    outcome = gpkit("grow", "begun.rules", *OPTIONS, "--opponent", "greedy", "-o", path)
    assert outcome.code == 4
    assert "interrupted after 1 round: this is the list so far" in outcome.err
    assert gpkit("check", path).code == 0
