"""Cells of long measurements: stored one by one, and a run that breaks off goes on."""

from pathlib import Path

import pytest

from gpkit.core.errors import UsageError
from gpkit_experiments.cells import Cells, cell_of_process

SETTINGS = {"seeds": (1, 2), "seconds": 3.0}


def test_a_run_that_breaks_off_goes_on(tmp_path: Path) -> None:
    path, asked = tmp_path / "cells.jsonl", []

    def measure(key: tuple[object, ...]) -> dict[str, object]:
        asked.append(key)
        if key == ("b", 1) and len(asked) == 2:
            raise KeyboardInterrupt
        return {"test": 0.5}

    keys = [("a", 1), ("b", 1), ("c", 1)]
    with pytest.raises(KeyboardInterrupt):
        Cells(path, SETTINGS).fill(keys, measure, lambda _line: None)
    again = Cells(path, SETTINGS)
    assert ("a", 1) in again.found
    assert ("b", 1) not in again.found
    again.fill(keys, measure, lambda _line: None)
    assert set(Cells(path, SETTINGS).found) == set(keys)
    assert asked.count(("a", 1)) == 1


def test_a_line_that_a_crash_cut_is_measured_again(tmp_path: Path) -> None:
    path = tmp_path / "cells.jsonl"
    Cells(path, SETTINGS).add(("a", 1), {"test": 0.5})
    with path.open("a", encoding="utf-8") as file:
        file.write('{"key": ["b", 1], "ce')
    assert list(Cells(path, SETTINGS).found) == [("a", 1)]
    assert path.read_bytes().endswith(b"}\n")


def test_other_settings_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "cells.jsonl"
    Cells(path, SETTINGS)
    with pytest.raises(UsageError, match=r"begun with other settings \(seconds\)"):
        Cells(path, SETTINGS | {"seconds": 4.0})


def test_a_cell_that_does_not_count_stays_missing() -> None:
    cells = Cells(None, SETTINGS)
    cells.fill([("a", 1)], lambda _key: None, lambda _line: None)
    assert cells.found == {}


def test_a_process_that_fails_is_a_cell_with_an_error() -> None:
    assert "no_such_module" in cell_of_process("no_such_module", [], 30.0)["error"]
