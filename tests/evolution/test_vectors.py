"""Objectives and behaviour of individuals, from the problem through checkpoint and genealogy, and back."""

import json
import math
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from toy_evolution import Weighed
from toy_run import TOY, toy_diary

from gpkit.core.codec import Codec, codec
from gpkit.core.work_folder import read_checkpoint
from gpkit.evolution.executors import SerialExecutor
from gpkit.evolution.loop import run_search
from gpkit.evolution.problem import Evaluation, Individual
from gpkit.evolution.run_folder import RunResult
from gpkit.evolution.setup import after_generations
from gpkit.genomes.tree import TreeProgram

SEARCH = replace(TOY, problem=Weighed())


def run_in(folder: Path, generations: int, *, resume: bool = False) -> RunResult[TreeProgram]:
    with toy_diary(folder, SEARCH, resume=resume) as diary:
        return run_search(SEARCH, SerialExecutor(), after_generations(generations), diary=diary)


def test_objectives_and_behaviour_reach_checkpoint_and_genealogy(tmp_path: Path) -> None:
    result = run_in(tmp_path / "run", 3)
    best = result.state.islands[0][0]
    assert best.objectives == best.cases[:2]
    assert best.behaviour == (best.size, best.genome.trees[0].depth)
    checkpoint = read_checkpoint(tmp_path / "run")
    assert checkpoint is not None
    assert checkpoint["islands"][0][0][-2:] == [list(best.objectives), list(best.behaviour)]
    with closing(sqlite3.connect(tmp_path / "run" / "run.db")) as database:
        rows = database.execute("SELECT objectives, behaviour FROM vectors WHERE generation = 3 AND rank = 0")
        assert rows.fetchall() == [(json.dumps(best.objectives), json.dumps(best.behaviour))]


def test_a_resumed_run_has_the_same_objectives_and_behaviour(tmp_path: Path) -> None:
    whole = run_in(tmp_path / "whole", 5)
    run_in(tmp_path / "parts", 2)
    parts = run_in(tmp_path / "parts", 5, resume=True)
    assert parts.digest == whole.digest
    dumps = []
    for name in ("whole", "parts"):
        with closing(sqlite3.connect(tmp_path / name / "run.db")) as database:
            dumps.append(list(database.iterdump()))
    assert dumps[0] == dumps[1]


def test_individuals_with_vectors_round_trip(tmp_path: Path) -> None:
    individual = run_in(tmp_path / "run", 0).state.islands[0][0]
    evaluation = Evaluation(1.0, objectives=(1.0, -math.inf), behaviour=(math.inf, 0.5))
    odd = individual.evaluated(evaluation, 0.0)
    text = SEARCH.representation.print
    individuals = codec(Individual, {TypeVar: Codec(text, SEARCH.representation.parse)})
    assert individuals.read(json.loads(json.dumps(individuals.write(odd), allow_nan=False))) == odd
