"""Commands on damaged run folders: exit code 2 and a sentence, for what a person can meet and what one can forge."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from gpkit.cli.main import main
from gpkit.core.work_folder import digest

GENERATIONS = 1


def database_folder(run: Path) -> None:
    """A folder instead of the genealogy."""
    (run / "run.db").unlink()
    (run / "run.db").mkdir()


def database_broken_link(run: Path) -> None:
    """A link to nothing instead of the genealogy."""
    (run / "run.db").unlink()
    (run / "run.db").symlink_to("nothing")


def nested(name: str) -> Callable[[Path], None]:
    """JSON that is nested very deep instead of a file."""

    def damage(run: Path) -> None:
        (run / name).write_text("[" * 100_000)

    return damage


def described(text: str) -> Callable[[Path], None]:
    """A configuration with this text instead of the size of its population."""

    def damage(run: Path) -> None:
        content = (run / "run.json").read_text()
        (run / "run.json").write_text(content.replace('"size": 12', f'"size": {text}', 1))

    return damage


def logged(text: str) -> Callable[[Path], None]:
    """This text instead of the number of every champion."""

    def damage(run: Path) -> None:
        lines = (run / "events.jsonl").read_text().splitlines()
        found = [json.loads(line) for line in lines]
        marked = [{**e, "number": "HERE"} if "number" in e else e for e in found if e["event"] != "end"]
        text_of = "".join(json.dumps(event) + "\n" for event in marked)
        (run / "events.jsonl").write_text(text_of.replace('"HERE"', text))

    return damage


def forged(**changes: object) -> Callable[[Path], None]:
    """A checkpoint with other values and the right digest."""

    def damage(run: Path) -> None:
        document = json.loads((run / "state.json").read_text())
        state = {**document["state"], **changes}
        (run / "state.json").write_text(json.dumps({**document, "state": state, "sha256": digest(state)}))

    return damage


RESUME = ("evolve", "--resume", "--generations", "2", "--out")
LINEAGE = ("draw", "--what", "lineage")

CASES: Mapping[str, tuple[Callable[[Path], None], tuple[tuple[str, ...], ...]]] = {
    "genealogy is a folder": (database_folder, (RESUME, ("report",), LINEAGE)),
    "genealogy is a broken link": (database_broken_link, (RESUME, ("report",), LINEAGE)),
    "nested description": (nested("run.json"), (RESUME, ("report",), ("draw",))),
    "nested checkpoint": (nested("state.json"), (RESUME,)),
    "nested log": (nested("events.jsonl"), (("report",), ("draw",))),
    "infinite size": (described("Infinity"), (RESUME, ("report",), ("draw",))),
    "size of no number": (described("NaN"), (RESUME, ("report",), ("draw",))),
    "size of very many digits": (described("9" * 5000), (RESUME, ("report",), ("draw",))),
    "size is a text": (described('"12"'), (RESUME, ("report",), ("draw",))),
    "size is a list": (described("[12]"), (RESUME, ("report",), ("draw",))),
    "champion of a large number": (logged(str(2**63)), (("report",), LINEAGE)),
    "champion of very many digits": (logged("9" * 5000), (("report",), LINEAGE)),
    "champion of an infinite number": (logged("1e999"), (("report",), LINEAGE)),
    "no islands": (forged(islands=[]), (RESUME,)),
    "late generation": (forged(generation=2**63), (RESUME,)),
    "very late generation": (forged(generation=10**400), (RESUME,)),
}


@pytest.mark.parametrize("case", CASES)
def test_damage_ends_with_a_sentence(case: str, run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    damage, commands = CASES[case]
    (run / "state.previous.json").unlink(missing_ok=True)
    damage(run)
    for command in commands:
        capsys.readouterr()
        assert main([*command, str(run)]) == 2, command
        told = capsys.readouterr().err
        assert "error: " in told
        assert str(run) in told, told
