"""Subjects of runs: a fourth one, and that nobody outside their modules asks which one a run has."""

import ast
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from toy_evolution import DATA, SPACE

import gpkit
from gpkit.core.registry import language_entry
from gpkit.evolution.config import Config, PopulationSettings, StopSettings, bare
from gpkit.evolution.loop import evolve
from gpkit.evolution.problem import Representation
from gpkit.evolution.search import Search
from gpkit.evolution.setup import Subject
from gpkit.gamekit.game import Metric

PACKAGE = Path(gpkit.__file__).parent

SMALL = replace(bare(population=PopulationSettings(size=20)), operators={"subtree": 1.0})


@dataclass(frozen=True, slots=True)
class Toy(Subject):
    """Numbers that formulas come near."""

    @property
    def about(self) -> Mapping[str, str]:
        return {"toy": "numbers"}

    @property
    def representation(self) -> Representation[Any]:
        return SPACE

    def search(self) -> Search[Any]:
        return self.search_for(DATA)


def test_a_fourth_subject_evolves_is_stored_and_goes_on(tmp_path: Path) -> None:
    def run(generations: int) -> Subject:
        config: Config = replace(SMALL, stop=StopSettings(generations=generations))
        return Toy(config, language_entry("arithmetic").load(), Metric("score", -1e9, 0.0), None)

    evolved = partial(evolve, folder=tmp_path / "run")
    whole = evolve(run(4))
    evolved(run(2))
    assert evolved(run(4), resume=True).digest == whole.digest
    (champion,) = (tmp_path / "run" / "best").glob("champion.*")
    assert "// toy: numbers" in champion.read_text()


def test_nobody_asks_which_subject_a_run_has() -> None:
    texts = {path: path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py")}
    own = {
        node.name: path
        for path, text in texts.items()
        if "Subject" in text
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.ClassDef) and any(ast.unparse(base) == "Subject" for base in node.bases)
    }
    assert len(own) == 3
    asked = []
    for path, text in texts.items():
        if not any(name in text for name in (*own, "subject_module")):
            continue
        for node in ast.walk(ast.parse(text)):
            is_question = isinstance(node, ast.MatchClass) or (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id == "isinstance"
            )
            if not (is_question or isinstance(node, ast.Compare)):
                continue
            names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
            if is_question and any(own[name] != path for name in names & own.keys()):
                asked.append(f"{path}: {ast.unparse(node)}")
            if isinstance(node, ast.Compare) and "subject_module" in names:
                asked.append(f"{path}: {ast.unparse(node)}")
    assert asked == []
