"""``gpkit learn``: files that can be used again, the same for the same seed and after every interruption."""

import json
import shutil
import signal
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from gpkit.cli.main import main
from gpkit.core import compiled
from gpkit.core.interrupts import noticed
from gpkit.core.work_folder import LOCK, locked
from gpkit.games.dots_and_boxes.learner.folder import read_learner
from gpkit.games.dots_and_boxes.learner.learner import Learner
from gpkit.genomes.graph import canonical
from gpkit.languages.rulegraph.text import parse

pytestmark = pytest.mark.usefixtures("small_boards")

TINY = ("dots_and_boxes", "ours", "--games", "90", "--seed", "7")
FILES = {"config.toml", "population.rules", "best.rules", "curves.json", "curves.svg"}


def test_rules_curves_and_configuration_are_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    assert main(["learn", "dots_and_boxes", "ours", "--games", "100", "--seed", "5", "-o", str(one)]) == 0
    told = capsys.readouterr()
    assert "exact win rate" in told.out
    assert "\noptimal " in told.out
    assert f"the whole table: gpkit run {one / 'best.rules'} --ladder" in told.err
    assert {path.name for path in one.iterdir()} - {LOCK} == FILES | {
        "run.json",
        "state.json",
        "state.previous.json",
    }
    assert main(["learn", "dots_and_boxes", str(one / "config.toml"), "-o", str(two), "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    for name in FILES:
        assert (one / name).read_bytes() == (two / name).read_bytes(), name
    rows = {row["opponent"]: row["part"] for row in printed["table"]["rows"]}
    assert rows["chain"] == "trained"
    assert rows["optimal"] == "held out"
    curves = json.loads((one / "curves.json").read_text())
    assert printed["points"] == curves["points"]
    assert curves["seed"] == 5
    assert curves["points"][-1]["games"] == curves["games"] == 100
    source = parse((one / "population.rules").read_text())
    assert len(source.program.rules) == curves["rules"]
    assert all(named.q is not None and named.f is not None for named in source.program.rules)
    assert (
        source.header["trained"]
        == printed["trained"]
        == curves["trained"]
        == "chain, chain+ex12 on board=2x2"
    )
    there = ("--rules", "board=2x2", "--opponent", "chain", "--exact", "--json")
    assert main(["run", str(one / "population.rules"), *there]) == 0
    exact = json.loads(capsys.readouterr().out)["results"][0]["mean"]
    assert exact == pytest.approx(curves["greedy"], abs=1e-12)
    assert main(["run", str(one / "best.rules"), *there]) == 0
    best = json.loads(capsys.readouterr().out)["results"][0]["mean"]
    assert best == pytest.approx(max(point["greedy"] for point in curves["points"]), abs=1e-12)


def test_what_was_learned_has_six_digits_in_the_exact_order(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "r"
    assert main(["learn", "dots_and_boxes", "ours", "--games", "60", "-o", str(folder)]) == 0
    capsys.readouterr()
    _, learner, course = read_learner(folder)
    exact = learner.rules.as_list().rules
    text = (folder / "population.rules").read_text()
    written = parse(text).program.rules
    assert [named.rule for named in written] == [canonical(named.rule) for named in exact]
    for one, other in zip(written, exact, strict=True):
        assert (one.q, one.f) == (float(f"{other.q:.6g}"), float(f"{other.f:.6g}"))
    assert max(len(repr(named.q)) for named in exact) > 12
    assert max(len(repr(named.q).lstrip("-0.")) for named in written) <= 7
    assert "# learned: q is quality, by which the rules are sorted, f accessibility" in text
    assert "# title: learned in 60 games against chain and chain+ex12, seed 1" in text
    assert [point["games"] for point in json.loads((folder / "curves.json").read_text())["points"]] == [
        point.games for point in course.points
    ]


def files_of(folder: Path) -> dict[str, bytes]:
    """The files for people."""
    return {name: (folder / name).read_bytes() for name in FILES}


class Stop:
    """Batches of a learner, in the middle of one of which something happens."""

    def __init__(self, batch: int, event: Callable[[], object]) -> None:
        self._left, self._event, self._play = batch, event, Learner.play_batch

    def __call__(self, learner: Learner) -> None:
        self._left -= 1
        if not self._left:
            self._event()
        self._play(learner)


def crash() -> None:
    """Something that nobody foresaw."""
    raise RuntimeError("the lights went out")


@pytest.mark.parametrize(
    ("end", "batch"),
    [
        (signal.SIGINT, 1),
        *(
            pytest.param(end, batch, marks=pytest.mark.release)
            for end, batch in ((signal.SIGTERM, 5), (signal.SIGINT, 8), ("crash", 1))
        ),
        ("crash", 5),
        pytest.param("crash", 8, marks=pytest.mark.release),
    ],
)
def test_goes_on_to_the_same_files(
    end: signal.Signals | str,
    batch: int,
    tmp_path: Path,
    straight: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = str(tmp_path / "r")
    event = partial(signal.raise_signal, end) if isinstance(end, signal.Signals) else crash
    with monkeypatch.context() as patch:
        stop = Stop(batch, event)
        patch.setattr(Learner, "play_batch", lambda learner: stop(learner))
        code = main(["learn", *TINY, "-o", folder])
    told = capsys.readouterr().err
    assert code == (70 if end == "crash" else 4)
    if end != "crash":
        assert f"interrupted; continue with: gpkit learn --resume --out {folder}" in told
        _, learner, _ = read_learner(tmp_path / "r")
        assert learner.games == 10 * batch
    assert main(["learn", *TINY, "-o", folder]) == 2
    assert "continue it with --resume" in capsys.readouterr().err
    assert main(["learn", "--resume", "--out", folder]) == 0
    assert files_of(tmp_path / "r") == files_of(straight)


def test_an_interrupt_without_a_folder_says_what_would_have_kept_it(gpkit) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Learner, "play_batch", lambda learner: signal.raise_signal(signal.SIGINT))
        outcome = gpkit("learn", *TINY)
    assert outcome.code == 130
    assert "nothing is saved without a folder: name one with --out DIR" in outcome.err


def test_what_the_sum_of_f_tends_to_is_told_where_it_counts_uses(gpkit) -> None:
    games = ("--games", "20")
    assert "used / forgetting" in gpkit("learn", "dots_and_boxes", "constant", *games).out
    assert "used / forgetting" not in gpkit("learn", "dots_and_boxes", "ours", *games).out


@pytest.fixture(scope="module")
def straight(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of ``TINY``, learned without interruption."""
    folder = tmp_path_factory.mktemp("learned") / "straight"
    assert main(["learn", *TINY, "-o", str(folder)]) == 0
    return folder


def test_a_learner_that_is_done_is_told_again(
    straight: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(straight, folder)
    (folder / "best.rules").unlink()
    assert main(["learn", *TINY, "--resume", "-o", str(folder), "--json"]) == 0
    assert files_of(folder) == files_of(straight)
    assert json.loads(capsys.readouterr().out)["games"] == 90


def test_without_a_folder_an_interrupt_ends_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    stop = Stop(2, partial(signal.raise_signal, signal.SIGINT))
    monkeypatch.setattr(Learner, "play_batch", lambda learner: stop(learner))
    assert main(["learn", *TINY]) == 130
    assert capsys.readouterr().err.endswith("interrupted\n")


def test_an_interrupt_before_there_is_a_folder_promises_nothing(
    tmp_path: Path, gpkit, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_arguments: object, **_options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("gpkit.games.dots_and_boxes.learner.folder.opened", interrupted)
    outcome = gpkit("learn", *TINY, "-o", tmp_path / "r")
    assert (outcome.code, outcome.err) == (130, "interrupted\n")


def test_a_second_interrupt_acts_at_once() -> None:
    with pytest.raises(KeyboardInterrupt), noticed() as interrupted:
        assert not interrupted()
        signal.raise_signal(signal.SIGINT)
        assert interrupted()
        signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_where_interrupts_are_ignored_they_still_are(monkeypatch: pytest.MonkeyPatch) -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with noticed() as interrupted:
            signal.raise_signal(signal.SIGINT)
            assert not interrupted()
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_learner_without_rules_has_no_file_of_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "lazy.toml").write_text("preset = 'ours'\ngames = 1\n[covering]\nmending = 0.0\n")
    folder = tmp_path / "r"
    assert main(["learn", "dots_and_boxes", str(tmp_path / "lazy.toml"), "-o", str(folder)]) == 0
    captured = capsys.readouterr()
    assert "wrote config.toml, curves.json, curves.svg in" in captured.err
    assert "1 game, seed" in captured.err
    assert captured.out.endswith("after 1 game\n")
    assert not (folder / "population.rules").exists()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (["--seed", "8"], "cannot resume with another configuration: seed was 7 and is now 8"),
        (["--games", "80"], "games was 90 and is now 80"),
    ],
)
def test_another_configuration_is_not_resumed(
    change: list[str], message: str, straight: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["learn", "--resume", "--out", str(straight), *change]) == 2
    assert message in capsys.readouterr().err


def test_what_was_changed_or_damaged_or_is_in_use_is_not_resumed(
    straight: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(straight, folder)
    config = (folder / "run.json").read_text()
    (folder / "run.json").write_text(config.replace('"rate": 0.002', '"rate": 0.003'))
    assert main(["learn", "--resume", "--out", str(folder)]) == 2
    assert "reward.rate was 0.002 and is now 0.003" in capsys.readouterr().err
    (folder / "run.json").write_text(config)
    with locked(folder):
        assert main(["learn", "--resume", "--out", str(folder)]) == 2
    assert "is in use by process" in capsys.readouterr().err
    for name in ("state.json", "state.previous.json"):
        (folder / name).write_bytes(b"dear")
    assert main(["learn", "--resume", "--out", str(folder)]) == 2
    assert "state.json is not a checkpoint" in capsys.readouterr().err


def test_refusals_come_before_announcements(
    straight: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As long as nothing is compiled, but for what only the checkpoint itself shows."""
    used = tmp_path / "copy"
    shutil.copytree(straight, used)
    (tmp_path / "a").write_text("text")
    monkeypatch.setattr(compiled, "is_cold", lambda: True)

    def refused(*arguments: str) -> str:
        capsys.readouterr()
        assert main(["learn", *arguments]) == 2
        return capsys.readouterr().err

    assert refused(*TINY, "--out", str(used)).startswith(f"error: {used} holds a run already")
    assert refused(*TINY, "--out", str(tmp_path)).startswith(f"error: {tmp_path} is not empty")
    assert refused(*TINY, "--out", str(tmp_path / "a")).startswith(f"error: {tmp_path / 'a'} is a file")
    assert f"{tmp_path / 'a'} is a file" in refused(*TINY, "--out", str(tmp_path / "a" / "b"))
    assert refused("--resume", "--out", str(used), "--seed", "8").startswith("error: cannot resume")
    with locked(used):
        assert refused("--resume", "--out", str(used)).startswith(f"error: {used} is in use by process")
    for name in ("state.json", "state.previous.json"):
        (used / name).write_bytes(b"dear")
    assert "learning against" not in refused("--resume", "--out", str(used))
