"""Numbers of rows in messages and findings: those of the table that a person has, whatever part of it is looked at."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gpkit
from gpkit.core.rng import stream
from gpkit.data.table import Table, merged, table_of


@given(st.lists(st.integers(0, 3), min_size=2, max_size=12), st.data())
def test_parts_of_tables_name_the_rows_of_the_whole(cells: list[int], data: st.DataObject) -> None:
    whole = table_of({"x": cells, "weight": [1.0] * len(cells), "row": range(1, len(cells) + 1)})
    part: Table = whole
    for _ in range(data.draw(st.integers(0, 3))):
        places = data.draw(st.lists(st.integers(0, len(part) - 1), min_size=1, max_size=len(part)))
        part = part.part(np.array(places))
    for row, number in enumerate(part.column("row").values.tolist()):
        assert part.place_of(row) == f"the table, row {number:g}"
    one = merged(Table(part.source, part.columns[:2], rows=part.rows), "weight")
    for row, value in enumerate(one.column("x").values.tolist()):
        assert cells[int(one.place_of(row).rpartition(" ")[2]) - 1] == value


@settings(max_examples=4, deadline=None)
@given(st.integers(0, 10**6))
def test_the_rows_that_a_fit_errs_most_for_are_those_of_the_table(seed: int) -> None:
    rng = stream(seed, "errs")
    x, y = rng.normal(size=(2, 40))
    y[rng.random(40) < 0.2] = np.nan  # rows without a target are left out
    found = gpkit.fit({"x": x, "y": y}, "y", generations=0, population=5, seed=seed)
    assert found.misses
    for miss in found.misses:
        assert float(miss.target) == pytest.approx(y[int(miss.place.rpartition(" ")[2]) - 1], rel=1e-5)
