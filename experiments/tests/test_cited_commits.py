"""Every commit that a record, a page or a program cites is in the history, so that anybody can look at it."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CITED = re.compile(r"\b(?:of|at) commit ([0-9a-f]{8})\b")
IN_LISTS = re.compile(r"\b(?=\d*[a-f])(?=[a-f]*\d)[0-9a-f]{8}\b")
"""A hash in text, where it needs no word before it."""


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="there is no history beside the files")
def test_every_cited_commit_is_in_the_history() -> None:
    cited = dict[str, Path]()
    for folder in ("experiments", "programs", "gpkit", "docs"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix not in (
                ".md",
                ".py",
                ".json",
                ".jsonl",
                ".txt",
                ".tree",
                ".sink",
                ".rules",
                ".toml",
            ):
                continue
            text = path.read_text(encoding="utf-8")
            pattern = IN_LISTS if path.suffix == ".md" and folder == "experiments" else CITED
            cited |= dict.fromkeys(pattern.findall(text), path.relative_to(ROOT))
    asked = "".join(f"{commit}^{{commit}}\n" for commit in cited)
    done = subprocess.run(
        ["git", "cat-file", "--batch-check"],
        input=asked,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    missing = [line.partition("^")[0] for line in done.stdout.splitlines() if line.endswith("missing")]
    assert {commit: str(cited[commit]) for commit in missing} == {}
    assert len(cited) > 10
