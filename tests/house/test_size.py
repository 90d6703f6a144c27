"""Totals of the house: they fail when it grows, and when it has shrunk and they were not lowered.

Statements are counted without imports and docstrings, as in ``python tests/house/size.py``. A total rises only in a
commit whose subject names the capability and its issue.
"""

from functools import cache

import pytest
from house.size import ROOT, totals

STATEMENTS, EXPERIMENTS, NODES = 49_174, 8_266, 898_807
"""Of ``gpkit``, of ``experiments`` without its tests, and the syntax nodes of both."""

SLACK = 100
"""Statements that a total may be above what there is; a statement has about twenty nodes."""


@cache
def of_the_house() -> tuple[int, int, int]:
    """The totals of this checkout, counted once and not while tests are collected."""
    return totals(ROOT)


@pytest.mark.release
@pytest.mark.parametrize(
    ("place", "total", "slack"),
    [(0, STATEMENTS, SLACK), (1, EXPERIMENTS, SLACK), (2, NODES, 20 * SLACK)],
    ids=("statements of gpkit", "statements of experiments", "nodes of both"),
)
def test_the_house_does_not_grow_and_its_totals_follow_it(place: int, total: int, slack: int) -> None:
    count = of_the_house()[place]
    assert count <= total, f"{count:,} is above the total of {total:,}"
    assert count >= total - slack, f"{count:,} is far below the total of {total:,}: lower it"


def test_imports_and_docstrings_do_not_count(tmp_path) -> None:
    for place in ("gpkit", "experiments/gpkit_experiments", "experiments/tests"):
        (tmp_path / place).mkdir(parents=True)
    (tmp_path / "gpkit" / "one.py").write_text(
        '"""Text."""\nimport os\n\ndef f():\n    """Text."""\n    return os\n'
    )
    (tmp_path / "experiments" / "gpkit_experiments" / "two.py").write_text("x = 1\n")
    (tmp_path / "experiments" / "tests" / "three.py").write_text("x = 1\ny = 2\n")
    assert totals(tmp_path)[:2] == (2, 1)
