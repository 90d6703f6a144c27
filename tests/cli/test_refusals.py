"""Command lines with a mistake, from ``tests/cases/refusals``: nothing is printed or written, and the mistake is named.

A line ``$ gpkit ...`` is followed by lines that are said, among other things. ``==== NAME`` begins a file that lies in
the current folder for all lines below it; ``{programs}`` is the folder of the shipped programs.
"""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from gpkit.core.registry import data_folder

CASES = Path(__file__).parents[1] / "cases" / "refusals"
PROGRAMS = str(data_folder("programs"))

Case = tuple[str, str, dict[str, str]]


def refusals(path: Path) -> Iterator[Case]:
    """The command lines of a text, what is said of each, and the files that lie there."""
    files: dict[str, str] = {}
    for part in re.split(r"^(?=\$ gpkit |==== )", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        first, _, rest = part.partition("\n")
        if first.startswith("==== "):
            files = {**files, first.removeprefix("==== "): rest.rstrip("\n") + "\n" * bool(rest.strip())}
        else:
            assert rest.strip(), f"what is said of {first}"
            yield first.removeprefix("$ gpkit "), rest.strip("\n"), files


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    ("line", "said", "files"),
    [
        pytest.param(*case, id=f"{path.stem}: {case[0][:60]}: {case[1].splitlines()[0][:60]}")
        for path in sorted(CASES.glob("*.txt"))
        for case in refusals(path)
    ],
)
def test_a_mistake_is_named_and_nothing_is_done(
    line: str, said: str, files: dict[str, str], gpkit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    before = contents(tmp_path)
    outcome = gpkit(*shlex.split(line.replace("{programs}", PROGRAMS)))
    assert (outcome.code, outcome.out) == (2, "")
    assert [part for part in said.split("\n") if part not in outcome.err] == []
    assert "Traceback" not in outcome.err
    assert "seed" not in outcome.err or not line.startswith("play "), "nothing has begun"
    assert contents(tmp_path) == before
