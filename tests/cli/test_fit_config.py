"""``gpkit fit CONFIG.toml``: a fit by the tables of a file, in the shell and in Python, with parts of one's own."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gpkit
from gpkit.core.errors import UsageError
from gpkit.core.settings import print_config
from gpkit.core.work_folder import read_description
from gpkit.evolution.config import LANGUAGES
from gpkit.evolution.run_folder import KIND, read_run
from gpkit.evolution.subjects import config_from_data
from gpkit.types import Summary

SMALL = """[fit]
file = "rows.csv"
target = "kind"
programs = "trees"
[population]
size = 30
[stop]
generations = 2
"""
WORDS = ("--target", "kind", "--as", "tree", "--population", 30, "--generations", 2)
Rng = np.random.Generator


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    width, height = np.random.default_rng(1).uniform(-1.0, 1.0, (2, 80)).round(4)
    names = np.where(width > 0.25, "wide", np.where(height > 0.0, "tall", "small"))
    rows = [f"{w},{h},{name}" for w, h, name in zip(width, height, names, strict=True)]
    (tmp_path / "rows.csv").write_text("\n".join(["width,height,kind", *rows, ""]))
    (tmp_path / "small.toml").write_text(SMALL)
    return tmp_path


def test_a_file_is_the_same_as_its_options(gpkit: Any) -> None:
    by_file = gpkit("fit", "small.toml", "--out", "by_file", "--json")
    assert by_file.code == 0, by_file.err
    by_words = gpkit("fit", "rows.csv", *WORDS, "--out", "by_words", "--json")
    assert json.loads(by_file.out)["sha256"] == json.loads(by_words.out)["sha256"]
    assert read_run(Path("by_file"))[1] == read_run(Path("by_words"))[1]
    over = json.loads(gpkit("fit", "small.toml", "--generations", 0, "--seed", 7, "--json").out)
    assert (over["seed"], over["folder"]) == (7, "runs/kind-7")
    assert "stopped after 0 generations" in gpkit("fit", "small.toml", "--generations", 0).err


def test_python_takes_files_and_configurations(folder: Path) -> None:
    by_file = gpkit.fit("small.toml")
    assert by_file.run.config.fit is not None
    assert gpkit.fit(folder / "small.toml").run.digest == by_file.run.digest
    again = gpkit.fit(by_file.run.config)
    assert (again.run.digest, again.run.config) == (by_file.run.digest, by_file.run.config)
    (folder / "whole.toml").write_text(print_config(by_file.run.config))
    assert gpkit.fit("whole.toml").run.digest == by_file.run.digest
    other = gpkit.fit("small.toml", seed=5, generations=0, settings={"population": {"size": 9}})
    assert other.run.config.fit is not None
    assert (other.run.config.seed, other.run.config.population.size) == (5, 9)
    (folder / "rows.csv").write_text((folder / "rows.csv").read_text().replace("wide", "broad"))
    with pytest.raises(UsageError, match=r"the rows of rows\.csv have changed"):
        gpkit.fit(by_file.run.config)


MAP = """[scheme]
name = "map-elites"
order = "fitness"
[map]
size = [1, 15, 5]
"""
PLAIN = '[scheme]\nname = "generational"\norder = "fitness"\n[selection]\nname = "{}"\n'
ABILITIES: Mapping[str, tuple[str, Callable[[gpkit.Run], object]]] = {
    "a map": (MAP, lambda run: run.archive is not None and len(run.archive.elites) > 1),
    "islands": (
        "[islands]\ncount = 2\ninterval = 1\n",
        lambda run: len(run.generations) == 3,
    ),
    "tournament": (PLAIN.format("tournament"), lambda run: run.front is None),
    "lexicase": (PLAIN.format("lexicase"), lambda run: run.front is None),
    "refinement": ("[refinement]\nevery = 2\nfinish = false\n", lambda run: run.front is not None),
    "classes": (
        '[front]\nobjectives = ["score", "size", "cases"]\n',
        lambda run: (
            run.front is not None and run.front.objectives[2:] == ("class small", "class tall", "class wide")
        ),
    ),
    "operators": ("[operators]\nbranch = 1.0\nleaf = 0.1\n", lambda run: run.front is not None),
    "limits": (
        "[limits]\nsize = 3\n",
        lambda run: run.front is not None and max(each.program.size for each in run.front.members) <= 3,
    ),
}
"""Tables of a configuration, and what is seen of them in the run."""


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.release] * (name not in ("a map", "islands", "operators")))
        for name in ABILITIES
    ],
)
def test_all_tables_of_a_run_are_those_of_a_fit(name: str, folder: Path) -> None:
    tables, is_seen = ABILITIES[name]
    (folder / "mine.toml").write_text(SMALL + tables)
    found = gpkit.fit("mine.toml", folder="whole")
    assert is_seen(found.run), found.run
    assert found.run.digest != gpkit.fit("small.toml").run.digest
    gpkit.fit("mine.toml", folder="part", generations=1)
    assert gpkit.fit("mine.toml", folder="part", resume=True).run.digest == found.run.digest
    assert found.metrics["held_out"][0].interval.mean > 0.5


def test_the_cases_of_classes_are_the_shares_of_their_rows(folder: Path) -> None:
    (folder / "mine.toml").write_text(SMALL + ABILITIES["classes"][0])
    found = gpkit.fit("mine.toml", test=0.0)
    assert found.run.front is not None
    for member in found.run.front.to_rows():
        program = gpkit.parse(str(member["program"]), language="decision")
        confusion = gpkit.predict(program, "rows.csv", target="kind").confusion
        for name, row in confusion.items():
            assert member[f"class {name}"] == pytest.approx(row.get(name, 0) / sum(row.values()))


def kept(rng: Rng, program: gpkit.Program) -> gpkit.Program:
    """Its parent."""
    return program


def second(rng: Rng, population: Sequence[gpkit.Individual[Any]]) -> int:
    """Always the second best."""
    return 1


def first(rng: Rng, index: int, *, space: Any) -> Any:
    """A random tree."""
    return space.create(rng, 3 * index)


def small(individual: gpkit.Individual[Any]) -> float:
    """The smaller, the better."""
    return -float(individual.size)


def early(summary: Summary, champion: gpkit.Program) -> bool:
    """Ends a run after its first generation."""
    return summary.generation < 1


OWN: Mapping[str, tuple[str, Any, str]] = {
    "operator": ("kept", kept, "[operators]\nkept = 0.5\ncrossover = 0.5\n"),
    "selector": ("second", second, '[selection]\nname = "second"\n'),
    "initialiser": ("first", first, ""),
    "objective": ("small", small, '[front]\nobjectives = ["score", "size", "small"]\n'),
    "callback": ("early", early, ""),
}
"""Parts of one's own by their kinds: name, part, and the table that names it."""


@pytest.mark.parametrize("kind", OWN)
def test_parts_of_ones_own_are_named(kind: str, folder: Path) -> None:
    name, part, tables = OWN[kind]
    text = SMALL + tables
    text = (
        text.replace("size = 30\n", 'size = 30\ninitialiser = "first"\n') if kind == "initialiser" else text
    )
    text = (
        text.replace("generations = 2", 'generations = 2\ncallbacks = ["early"]')
        if kind == "callback"
        else text
    )
    (folder / "mine.toml").write_text(text)
    gpkit.register(kind, name, part)
    try:
        found = gpkit.fit("mine.toml", folder="run")
    finally:
        gpkit.unregister(kind, name)
    versions = read_description(folder / "run", KIND).versions
    assert len(versions[f"own {kind} {name}"]) == 64
    reason = "the callback early" if kind == "callback" else "2 generations"
    assert found.run.reason == reason
    with pytest.raises(UsageError, match=f"no {kind} `{name}`"):
        gpkit.fit("mine.toml")


def test_parts_of_ones_own_are_given_to_the_run_of_a_configuration() -> None:
    few = {"population": {"size": 30}, "refinement": {"finish": False}}
    config = config_from_data({"fit": {"file": "rows.csv", "target": "kind"}, **few})
    champion, run = gpkit.evolve(
        config, operators={"kept": (kept, 0.5)}, selection=second, callbacks=[early], generations=2
    )
    assert run.reason == "the callback early"
    assert gpkit.predict(champion, "rows.csv", target="kind").metrics[0].interval.mean > 0.5


@pytest.mark.parametrize("programs", LANGUAGES)
def test_the_text_to_start_from_runs(programs: str, gpkit: Any, folder: Path) -> None:
    assert gpkit("new", "fit", "--preset", programs, "-o", "mine.toml").code == 0
    refused = gpkit("fit", "mine.toml")
    assert (refused.code, "there is no file DATA.csv" in refused.err) == (2, True), refused.err
    text = (folder / "mine.toml").read_text()
    (folder / "mine.toml").write_text(text.replace("DATA.csv", "rows.csv").replace("COLUMN", "kind"))
    few = ("--population", 20, "--generations", 1, "--json")
    told = [
        json.loads(gpkit("fit", *words, *few, "--out", words[0][:4]).out)
        for words in (("mine.toml",), ("rows.csv", "--target", "kind", "--as", programs[:-1]))
    ]
    assert told[0]["sha256"] == told[1]["sha256"]
