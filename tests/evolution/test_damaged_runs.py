"""Damaged and forged files of runs: whatever is in them, who reads them gets a value or an error with a sentence."""

import json
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from damage import Case, changed_bytes, changed_json, changed_text, damaged_json, damaged_lines, refusals
from tiny_run import TINY

from gpkit.core.codec import codec
from gpkit.core.errors import CheckpointError, GpkitError
from gpkit.core.work_folder import Description, digest, read_checkpoint, read_description, restored
from gpkit.evolution.config import Config
from gpkit.evolution.executors import SerialExecutor
from gpkit.evolution.history import History, read_ancestry, read_history
from gpkit.evolution.loop import advance
from gpkit.evolution.run_folder import (
    KIND,
    cut_back,
    decode_state,
    encode_state,
    kept_events,
    open_genealogy,
    read_events,
    read_run,
    record,
)
from gpkit.evolution.search import summarise
from gpkit.evolution.subjects import config_from_data, resolve
from gpkit.languages.arithmetic.text import parse
from gpkit.playing.players import player_of_program
from gpkit.show.lineage import change_dot, descent_row, drawn_ancestors, lineage_text
from gpkit.show.render import render_curves
from gpkit.show.run_charts import CURVES
from gpkit.show.run_findings import program_of

GENERATIONS = 3
SERIAL = SerialExecutor()
SEARCH = resolve(TINY).search()


def go_on(folder: Path, chance: Random) -> None:
    """Restore the state as a resumed run does, store it, and sometimes play the next round."""
    state = restored(folder, partial(decode_state, search=SEARCH))
    assert state is not None
    digest(encode_state(state, SEARCH.representation.print))
    with open_genealogy(folder / "again.db") as connection:
        cut_back(connection, state.generation)
        record(
            connection,
            [(summarise(state.generation, state.islands), state.islands)],
            SEARCH.representation.print,
        )
    (folder / "again.db").unlink()
    if chance.random() < 0.05:
        advance(SEARCH, state, SERIAL)


def read_config(folder: Path, chance: Random) -> None:
    """Read the configuration as all commands do."""
    description = read_description(folder, KIND)
    resolve(config_from_data(description.config, Config())).search()
    json.dumps(codec(Description).write(description))
    ", ".join(f"{name} {version}" for name, version in description.versions.items()).encode()


def read_log(folder: Path, chance: Random) -> None:
    """Draw the course of the run, look at its champions, and cut the log back as a resumed run does."""
    json.dumps(kept_events(read_events(folder / "events.jsonl"), 2), allow_nan=False)
    history = read_history(folder)
    history.champion_file.read_bytes()
    player_of_program(program_of(history.champion, history), SEARCH.problem.game, "champion")
    if chance.random() < 0.02:
        for curves in CURVES.values():
            render_curves(curves(history), "svg")


def read_database(folder: Path, chance: Random) -> None:
    """Follow the ancestry, draw it, and cut the genealogy back as a resumed run does."""
    history = _history(folder)
    ancestry = read_ancestry(history)
    lineage_text(drawn_ancestors(ancestry))
    for descent in ancestry.descents():
        descent_row(descent, history.run.language)
        if descent.parent is not None and chance.random() < 0.01:
            change_dot(descent, history.run.language)
    with open_genealogy(folder / "run.db") as connection:
        cut_back(connection, 1)


@cache
def _history(folder: Path) -> History:
    """The history of a run, of which only the genealogy is damaged."""
    return read_history(folder)


def read_program(folder: Path, chance: Random) -> None:
    """Read a champion as an export or a picture does."""
    content = (folder / "best" / "champion.tree").read_bytes()
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return
    parse(text, "champion.tree")


def forged_state(content: bytes, chance: Random) -> bytes:
    """A checkpoint with changed values and the right digest."""
    document = json.loads(content)
    if chance.random() < 0.1:
        return changed_text(document, chance).encode()
    state = changed_json(document["state"], chance)
    try:
        return json.dumps({**document, "state": state, "sha256": digest(state)}).encode()
    except (ValueError, TypeError):
        return damaged_json(content, chance)


def forged_database(content: bytes, chance: Random) -> bytes:
    """A genealogy with a changed value, of whatever type, or a program of its own."""
    content = content[:18] + b"\x01\x01" + content[20:]  # one without a log can be in memory
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.deserialize(content)
        table, column = chance.choice(_columns(content))
        value = chance.choice((None, -1, 2**62, 0.5, 1e308, "x", b"\xff\x00", "move: 1\n", 7_000_000, ""))
        try:
            connection.execute(f"UPDATE OR IGNORE {table} SET {column} = ?", (value,))  # noqa: S608
            if chance.random() < 0.1:
                connection.execute(f"CREATE VIEW w AS SELECT * FROM {table}")  # noqa: S608
            connection.commit()
        except sqlite3.Error:
            return changed_bytes(content, chance)
        return connection.serialize()


@cache
def _columns(content: bytes) -> list[tuple[str, str]]:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.deserialize(content)
        tables = [
            name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        ]
        return [
            (table, row[1]) for table in tables for row in connection.execute(f"PRAGMA table_info({table})")
        ]


CASES: Mapping[str, Case] = {
    "state, bytes": ("state.json", changed_bytes, go_on),
    "state, forged": ("state.json", forged_state, go_on),
    "description, bytes": ("run.json", changed_bytes, read_config),
    "description, values": ("run.json", damaged_json, read_config),
    "log, bytes": ("events.jsonl", changed_bytes, read_log),
    "log, values": ("events.jsonl", damaged_lines, read_log),
    "genealogy, bytes": ("run.db", changed_bytes, read_database),
    "genealogy, forged": ("run.db", forged_database, read_database),
    "champion": ("best/champion.tree", changed_bytes, read_program),
}


MANY = {
    "state, bytes": 15_000,
    "state, forged": 25_000,
    "description, bytes": 10_000,
    "description, values": 20_000,
    "log, bytes": 3_000,
    "log, values": 6_000,
    "genealogy, bytes": 3_000,
    "genealogy, forged": 3_000,
    "champion": 15_000,
}
"""How often each file is damaged in the long test: 10^5 times in all, less often where it takes long to be read."""

FEW = 100
"""How often each file is damaged in the quick test; of damaged logs, which hold times, a fifth is refused."""


def refused_of(run: Path, case: str, seed: str, times: int) -> int:
    """The number of damaged files that were refused; the state has no previous one to fall back to."""
    if CASES[case][0] == "state.json":
        (run / "state.previous.json").unlink()
    return refusals(run, CASES[case], f"{seed} {case}", times)


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(
            case,
            marks=[pytest.mark.release]
            * (case.startswith("genealogy") or case in ("log, bytes", "state, bytes", "log, values")),
        )
        for case in CASES
    ],
)
def test_damage_is_refused_or_harmless(case: str, run: Path) -> None:
    assert refused_of(run, case, "quick", FEW) > 0


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_much_damage_is_refused_or_harmless(case: str, run: Path) -> None:
    assert refused_of(run, case, "slow", MANY[case]) > MANY[case] // 10


def forged(run: Path, change: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    """The data of the run's checkpoint, changed."""
    data = read_checkpoint(run)
    assert data is not None
    change(data)
    return data


PROGRAM = 1
"""The place of the program in an individual."""

FORGERIES: Mapping[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "no islands": (lambda d: d.update(islands=[]), "it has 0 islands, and the run has 1"),
    "nobody": (lambda d: d.update(islands=[[]]), "it has 0 individuals, and the run has 12"),
    "another game": (
        lambda d: d["islands"][0][0].__setitem__(PROGRAM, "A"),
        "expected the sections 'play', 'send'",
    ),
    "another sensor": (
        lambda d: d["champion"]["individual"].__setitem__(
            PROGRAM, d["champion"]["individual"][PROGRAM].replace(":", ": nothing +", 1)
        ),
        "reads `nothing`",
    ),
    "a large number": (
        lambda d: d["islands"][0][0].__setitem__(0, 2**63),
        r"islands\[0\]\[0\]\.number = 9223372036854775808: expected 0 to",
    ),
    "a late generation": (
        lambda d: d.update(generation=2**63),
        "generation = 9223372036854775808: expected 0 to",
    ),
    "infinite": (lambda d: d["islands"][0][0].__setitem__(4, "inf"), "score = .*: expected a finite number"),
    "a younger parent": (
        lambda d: d["islands"][0][0][3].__setitem__(1, [10**9]),
        "younger than its child",
    ),
    "a crowded hall": (lambda d: d.update(hall=[d["champion"]["individual"][PROGRAM]]), "hall of fame"),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_state_is_refused(name: str, run: Path) -> None:
    change, words = FORGERIES[name]
    with pytest.raises(ValueError, match=words):
        decode_state(forged(run, change), SEARCH)


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        (
            "CREATE TRIGGER t AFTER INSERT ON fitness BEGIN DELETE FROM individuals; END",
            "it holds the trigger 't'",
        ),
        ("CREATE VIEW v AS SELECT 1", "it holds the view 'v'"),
        ("CREATE TABLE more (a)", "it holds the table 'more'"),
    ],
)
def test_a_genealogy_holds_no_programs(statement: str, words: str, run: Path) -> None:
    with closing(sqlite3.connect(run / "run.db")) as connection:
        connection.execute(statement)
        connection.commit()
    with pytest.raises(CheckpointError, match=words):
        read_ancestry(read_history(run))
    with pytest.raises(CheckpointError, match=words), open_genealogy(run / "run.db"):
        raise AssertionError


def test_a_configuration_of_another_kind_is_refused(run: Path) -> None:
    description = json.loads((run / "run.json").read_text())
    for config in ([], "x", 7, {"population": []}, {"bloat": {"penalty": 10**400}}, {"seed": "1"}):
        (run / "run.json").write_text(json.dumps({**description, "config": config}))
        with pytest.raises(GpkitError):
            read_run(run)
