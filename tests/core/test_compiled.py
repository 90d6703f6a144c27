"""The cache of compiled kernels: its name changes with everything that kernels are made of.

Sets as masks in kernels, against sets.
"""

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpkit.core.compiled import _CONFIG, _PACKAGE, kernel, kernel_hash, kernel_sources
from gpkit.core.kernel.shared import lowest, nth, one_of, ones
from gpkit.genomes import graph
from gpkit.matching.kernel import search


def test_kernels_import_nothing_that_the_name_of_their_cache_does_not_know() -> None:
    """numba freezes the constants that a kernel uses, wherever they are written."""
    types = _PACKAGE / "core" / "arrays.py"  # kernels take from it the types of their arguments alone
    known = {*kernel_sources(), _PACKAGE / "core" / "compiled.py", types}
    for path in kernel_sources():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("gpkit"):
                target = _PACKAGE.parent.joinpath(*str(node.module).split("."))
                files = [target.with_suffix(".py")] if target.with_suffix(".py").exists() else []
                files += [(target / alias.name).with_suffix(".py") for alias in node.names if not files]
                for file in files:
                    assert file in known, f"{path.relative_to(_PACKAGE)} imports {file.relative_to(_PACKAGE)}"


def test_kernels_that_check_their_bounds_are_not_those_that_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    names = set()
    for checks in (None, 0, 1):
        monkeypatch.setattr(_CONFIG, "BOUNDSCHECK", checks)
        names.add(kernel_hash())
    assert len(names) == 3


def test_the_matcher_means_the_same_by_ground_and_anything() -> None:
    assert (search.GROUND, search.WILD) == (graph.GROUND, graph.WILD)


@kernel
def looked_at(mask, n, u):  # type: ignore[no-untyped-def]
    """Everything that is asked of a mask, in one call."""
    return ones(mask), lowest(mask), nth(mask, n), one_of(mask, u)


@given(st.sets(st.integers(0, 61), min_size=1), st.floats(0, 1, exclude_max=True), st.data())
def test_masks_are_sets(numbers: set[int], u: float, data: st.DataObject) -> None:
    ordered = sorted(numbers)
    n = data.draw(st.integers(0, len(ordered) - 1))
    mask = sum(1 << number for number in ordered)
    expected = len(ordered), ordered[0], ordered[n], ordered[int(u * len(ordered))]
    assert looked_at(mask, n, u) == expected
