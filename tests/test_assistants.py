"""The judges of ``docs/assistants/evaluators.md``: each refuses what is no program, and scores what is one."""

import json
import runpy
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest
from sessions import blocks

import gpkit

pytestmark = pytest.mark.release

PAGE = Path(__file__).resolve().parents[1] / "docs" / "assistants" / "evaluators.md"

PROPOSALS = [
    f"// game: sevens\nplay: {a} * env.depth + {b} * env.selfblock\nsend: env.dist\n"
    for a in range(10)
    for b in range(10)
]

HOSTILE = [
    "",
    "play: 1",
    "/etc/passwd",
    "play: env.secret\nsend: 1",
    "play: env.depth +\nsend: 1",
    "import os\nos._exit(0)",
    "__import__('os').system('id')",
    "print('{\"combined_score\": 1}')",
    "play: open('/etc/passwd')\nsend: 1",
    "play: score(1)\nsend: 1",
    "play: 1; send: 2",
    "play: 1e9999\nsend: nan",
    "play: inf\nsend: 1",
    "\x00",
    "play: " + "(" * 100_000,
    "play: 1" + " + 1" * 300_000 + "\nsend: 1",
    "play: 1\nplay: 2\nsend: 3",
    "play: 1\nsend: 2\nwin: 3",
    "// game: ./secret.py\nplay: 1\nsend: secret",
    "play: while 1 do end\nsend: 1",
]

Judge = Callable[[str], tuple[float, str]]


def files() -> dict[str, str]:
    """The files of the page, which play few games here."""
    found = (each for each in blocks(PAGE.read_text(encoding="utf-8")) if each.key == "file")
    return {each.value: each.text.replace("games=3000", "games=30") for each in found}


def run_script(monkeypatch: pytest.MonkeyPatch, *words: str) -> str:
    """What a script prints; a refusal is a ``SystemExit`` with its message."""
    monkeypatch.setattr(sys, "argv", list(words))
    with redirect_stdout(StringIO()) as printed:
        runpy.run_path(words[0], run_name="__main__")
    return printed.getvalue()


def judges(monkeypatch: pytest.MonkeyPatch) -> dict[str, Judge]:
    """For each tool a function that gives the score of a text, and the finding of one that is refused."""
    evaluate = runpy.run_path("evaluator.py")["evaluate"]
    judge = runpy.run_path("judge.py")["judge"]

    def openevolve(text: str) -> tuple[float, str]:
        Path("candidate").write_text(text)
        found = evaluate("candidate")
        return found["metrics"]["combined_score"], found["artifacts"].get("finding", "")

    def shinka(text: str) -> tuple[float, str]:
        Path("candidate").write_text(text)
        run_script(monkeypatch, "evaluate.py", "--program_path", "candidate", "--results_dir", "results")
        metrics, verdict = (
            json.loads(Path("results", f"{name}.json").read_text()) for name in ("metrics", "correct")
        )
        assert verdict["correct"] == (verdict["error"] == "")
        return metrics["combined_score"], verdict["error"]

    def gepa(text: str) -> tuple[float, str]:
        score, told = judge(text)
        return score, told.get("Error", "")

    def autoevolve(text: str) -> tuple[float, str]:
        Path("candidate").write_text(text)
        try:
            printed = run_script(monkeypatch, "arena.py", "--a", "candidate", "--b", "mine.tree", "-n", "30")
        except SystemExit as refused:
            return 0.0, str(refused)
        won = json.loads(printed)
        return (won["wins_a"] + won["draws"] / 2) / sum(won.values()), ""

    return {"OpenEvolve": openevolve, "ShinkaEvolve": shinka, "GEPA": gepa, "autoevolve": autoevolve}


@pytest.mark.parametrize("tool", ["OpenEvolve", "ShinkaEvolve", "GEPA", "autoevolve"])
def test_a_judge_scores_programs_and_refuses_all_else(
    tool: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in files().items():
        Path(name).write_text(text)
    Path("results").mkdir()
    Path("secret.py").write_text("raise SystemExit('imported')")
    judge = judges(monkeypatch)[tool]
    found = [judge(each) for each in PROPOSALS]
    assert {finding for _, finding in found} == {""}
    refused = [judge(each) for each in HOSTILE]
    assert {score for score, _ in refused} == {0.0}
    assert all("error[" in finding or "large" in finding for _, finding in refused), refused
    best = gpkit.parse(PROPOSALS[max(range(100), key=lambda place: found[place][0])], game="sevens")
    assert 0 < gpkit.run(best, "random", games=30, seed=99)[0].mean <= 1
    (report,) = gpkit.exports(best, "lua", check=True, evaluations=200, games=5).reports
    assert report.is_equal
