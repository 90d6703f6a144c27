"""``gpkit select`` and ``gpkit grow``: a short list out of many rules, and a stronger one out of a weaker one."""

import json
import re
import signal
from pathlib import Path

import numpy as np
import pytest

from gpkit.games.dots_and_boxes.learner import growth, selection
from gpkit.games.dots_and_boxes.learner.selection import Order, change

FILES = {
    "pool.rules": """# game: dots_and_boxes
take: x_0 w => x_0 - w
q_0 n => q_0 - n
t_0 n => t_0 - n
l_0(1+) w => l_0 - w
l_0(2+) w => l_0[1] - w
""",
    "begun.rules": """# game: dots_and_boxes
take: x_0 w => x_0 - w
q_0 n => q_0 - n
l_0(2+) w => l_0[1] - w
""",
}
GROWING = ("--board", "2x2", "--rounds", "2", "--rules", "6", "--seed", "3")


def test_a_list_wins_as_often_as_it_says(folder: Path, gpkit) -> None:
    path = folder / "list.rules"
    options = ("--board", "2x2", "--steps", "200", "--rules", "4", "--seed", "3")
    arguments = ("select", "pool.rules", *options, "-o", path, "--json")
    outcome = gpkit(*arguments)
    assert outcome.code == 0
    report = json.loads(outcome.out)
    assert report["schema"] == "gpkit/select/1"
    assert 0 < report["rules"] <= 4
    assert list(report["rates"]) == ["safe", "safe+min", "chain", "chain+ex12"]
    assert "choosing from 5 rules in 200 steps, seed 3" in outcome.err
    text = path.read_text(encoding="utf-8")
    assert "# title: chosen from pool.rules in 200 steps, seed 3" in text
    assert "# trained: safe, safe+min, chain, chain+ex12 on board=2x2\n" in text
    opponents = [word for name in report["rates"] for word in ("--opponent", name)]
    run = gpkit("run", path, "--exact", "--rules", "board=2x2", *opponents, "--json")
    results = json.loads(run.out)["results"]
    rates = {result["opponent"]: result["mean"] for result in results}
    first, second = results[0]["best_response"]
    assert f"# best-response: {first:.4f} moving first, {second:.4f} moving second\n" in text
    assert rates == pytest.approx(report["rates"], abs=1e-12)
    assert gpkit(*arguments).out == outcome.out
    assert path.read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    "words",
    [("select", "pool.rules", "--board", "2x2", "--steps", "60"), ("grow", "begun.rules", *GROWING)],
    ids=lambda words: words[0],
)
def test_the_list_goes_to_standard_output(words: tuple[str, ...], folder: Path, gpkit) -> None:
    outcome = gpkit(*words, "--opponent", "greedy")
    assert outcome.code == 0
    assert "# rates: greedy 0." in outcome.out
    path = folder / "made.rules"
    path.write_text(outcome.out, encoding="utf-8")
    assert gpkit("check", path).code == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_gives_the_list_so_far(
    number: signal.Signals, folder: Path, gpkit, monkeypatch: pytest.MonkeyPatch
) -> None:
    def change_and_interrupt(rng: np.random.Generator, order: Order, pool: int, most: int) -> Order:
        if len(order) == 2:
            signal.raise_signal(number)
        return change(rng, order, pool, most)

    path = folder / "list.rules"
    monkeypatch.setattr(selection, "change", change_and_interrupt)
    outcome = gpkit(
        "select", "pool.rules", "--board", "2x2", "--steps", "60", "--opponent", "greedy", "-o", path
    )
    assert outcome.code == 4
    steps = re.search(r"interrupted after (\d+ steps): this is the list so far", outcome.err)
    assert steps is not None
    assert f"# title: chosen from pool.rules in {steps[1]}, seed 0" in path.read_text(encoding="utf-8")
    assert gpkit("check", path).code == 0


def test_a_grown_list_wins_as_often_as_it_says(folder: Path, gpkit) -> None:
    path = folder / "list.rules"
    target_rates = ("--opponent", "chain=0.5", "--opponent", "greedy", "--opponent", "greedy=.5@3x2")
    arguments = ("grow", "begun.rules", *GROWING, *target_rates, "--games", "100", "-o", path, "--json")
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


def test_an_interrupt_gives_the_grown_list_so_far(
    folder: Path, gpkit, monkeypatch: pytest.MonkeyPatch
) -> None:
    step = growth.Grower.step

    def step_and_interrupt(self: growth.Grower, *arguments: object) -> growth.Listed:
        signal.raise_signal(signal.SIGINT)
        return step(self, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(growth.Grower, "step", step_and_interrupt)
    path = folder / "list.rules"
    outcome = gpkit("grow", "begun.rules", *GROWING, "--opponent", "greedy", "-o", path)
    assert outcome.code == 4
    assert "interrupted after 1 round: this is the list so far" in outcome.err
    assert gpkit("check", path).code == 0
