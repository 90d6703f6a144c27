"""Every paper with the budget that its page offers for a look: it ends, judges what is exact, and keeps all values."""

import json
from pathlib import Path

import pytest
from kernel_marks import compiled_only

from gpkit_experiments.papers.registry import PAPERS


@pytest.mark.release
@compiled_only
@pytest.mark.parametrize("name", [entry.name for entry in PAPERS])
def test_every_paper_ends_with_the_quick_budget(name: str, gpkit, tmp_path: Path) -> None:
    outcome = gpkit("paper", name, "--budget", "quick", "--json", "-o", tmp_path / name)
    assert outcome.code in (0, 1), outcome.err
    told = json.loads(outcome.out)
    assert outcome.code == ("fails" in [row["verdict"] for row in told["rows"]])
    assert told["rows"]
    assert not [row["quantity"] for row in told["rows"] if not row.get("values")]
