"""Fits whose folder was moved, or that are asked for from elsewhere: their table is found beside the folder."""

import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gpkit
from gpkit.evolution.run_folder import read_run

PLACES = st.sampled_from(["", "data", "deep/er"])


@settings(max_examples=6, deadline=None)
@given(PLACES, PLACES, st.booleans(), st.booleans())
def test_a_table_is_found_after_a_move(table: str, runs: str, is_moved: bool, is_beside: bool) -> None:
    with tempfile.TemporaryDirectory() as place, pytest.MonkeyPatch.context() as patch:
        root = Path(place).resolve()
        home = root / "first"
        for each in (table, runs):
            (home / each).mkdir(parents=True, exist_ok=True)
        patch.chdir(home)
        file, folder = Path(table, "rows.csv"), Path(runs, "fit")
        file.write_text("x,y\n" + "".join(f"{k},{2 * k + 1}\n" for k in range(12)))
        how = {"population": 10, "operators": "+ *", "test": 0.0}
        found = gpkit.fit(str(file), "y", folder=folder, generations=1, **how)
        if is_beside:
            shutil.move(file, folder.with_name("rows.csv"))
        if is_moved:
            home = home.rename(root / "second")
        patch.chdir(root)  # also so that the folder can be removed
        assert gpkit.load(home / folder).size == found.program.size
        assert read_run(home / folder)[1].fit.file != str(file)  # type: ignore[union-attr]
        again = gpkit.fit(folder=home / folder, resume=True, generations=2)
        assert again.run.generations[-1].generation == 2
        assert again.metrics["learned"]
