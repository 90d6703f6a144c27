"""Frames of other libraries: tables of Arrow, and frames like those of polars, mean what pandas' ones mean."""

from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gpkit
from gpkit.api.tables import table_for

pytestmark = pytest.mark.skipif(
    find_spec("pyarrow") is None or find_spec("pandas") is None or find_spec("sklearn") is None,
    reason="pyarrow, pandas or scikit-learn is missing: pip install 'gpkit-games[data]'",
)

KINDS: dict[str, st.SearchStrategy[Any]] = {
    "float64": st.integers(-9, 9).map(float),
    "int16": st.integers(-9, 9),
    "string": st.sampled_from(["a", "b", "c d"]),
    "bool_": st.booleans(),
}
COLUMNS = st.dictionaries(st.sampled_from("pqrs"), st.sampled_from(list(KINDS)), min_size=1)


class Foreign:
    """A frame with no more than those of polars share with pandas': columns by name, and how many rows there are."""

    def __init__(self, columns: dict[str, np.ndarray[Any, Any]]) -> None:
        self._columns, self.columns = columns, list(columns)
        self.dtypes = [column.dtype for column in columns.values()]
        self.shape = (len(next(iter(columns.values()))), len(columns))

    def __getitem__(self, name: str) -> np.ndarray[Any, Any]:
        return self._columns[name]

    def __len__(self) -> int:
        return self.shape[0]


def frames(columns: dict[str, tuple[str, Sequence[Any]]]) -> tuple[Any, ...]:
    """The same table of pandas, of Arrow, as a batch of Arrow, and as a frame like those of polars."""
    import pyarrow as pa

    arrow = pa.table({name: pa.array(cells, getattr(pa, kind)()) for name, (kind, cells) in columns.items()})
    pandas = arrow.to_pandas()
    foreign = Foreign({name: pandas[name].to_numpy() for name in pandas.columns})
    return pandas, arrow, arrow.to_batches()[0], foreign


@settings(max_examples=25, deadline=None)
@given(COLUMNS, st.integers(2, 8), st.data())
def test_frames_of_all_kinds_are_the_same_table(
    kinds: dict[str, str], rows: int, data: st.DataObject
) -> None:
    cells = {
        name: (kind, data.draw(st.lists(st.none() | KINDS[kind], min_size=rows, max_size=rows)))
        for name, kind in kinds.items()
    }
    usual, *others = (table_for(frame, ()) for frame in frames(cells))
    for other in others:
        assert other.names == usual.names
        assert [each.texts().tolist() for each in other.columns] == [
            each.texts().tolist() for each in usual.columns
        ]


@pytest.mark.release
@settings(max_examples=2, deadline=None)
@given(st.integers(6, 12), st.data())
def test_fits_and_estimators_take_frames_of_all_kinds(rows: int, data: st.DataObject) -> None:
    from gpkit.sklearn import FormulaRegressor, TreeClassifier

    words = data.draw(st.lists(KINDS["string"], min_size=rows, max_size=rows))
    columns = {"x": ("float64", [float(row) for row in range(rows)]), "w": ("string", words)}
    target = np.arange(rows) * 2.0
    whole = {**columns, "y": ("float64", target.tolist())}
    found = [
        gpkit.fit(frame, "y", population=10, generations=1, test=0.0)
        .predict({"x": [1.0], "w": words[:1]})
        .tolist()
        for frame in frames(whole)
    ]
    assert found == found[:1] * len(found)
    for estimator, labels in ((FormulaRegressor, target), (TreeClassifier, target > rows)):
        model = estimator(population=10, generations=1, random_state=1)
        said = [model.fit(frame, labels).predict(frame).tolist() for frame in frames(columns)]
        assert said == said[:1] * len(said)
        assert model.feature_names_in_.tolist() == ["x", "w"]
