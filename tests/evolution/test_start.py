"""Runs that start from programs: who is in the first generation, of what parents, and what a run folder keeps of it."""

import shutil
import sqlite3
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import gpkit
from gpkit.cli.main import main
from gpkit.core.errors import GpkitError, UsageError
from gpkit.core.rng import stream
from gpkit.evolution.config import Config, shipped_presets
from gpkit.evolution.executors import SerialExecutor
from gpkit.evolution.loop import evolve
from gpkit.evolution.problem import Individual
from gpkit.evolution.run_folder import read_run
from gpkit.evolution.subjects import config_from_data, resolve

GAMES = {
    "arithmetic": ("sevens", "champion"),
    "decision": ("decisions", "steps"),
    "sinking": ("bridon", "corrected"),
    "execution": ("plans", "twelve"),
}
"""A preset and a program of its game, by the language of its programs."""


def config_of(preset: str, **table: Any) -> Config:
    population = {"size": 20, **table}
    return config_from_data({"population": population, "scheme": {"elites": 1}}, shipped_presets()[preset])


def first_generation(config: Config) -> list[Individual[Any]]:
    """The individuals, not evaluated."""
    search = resolve(config).search()
    size, found = search.parameters.size, []
    for place in range(size):
        rng = stream(search.seed, "create", place)
        genome, origin = search.start.create(rng, search.representation, place, 0, size)
        found.append(Individual(place, genome, search.representation.size(genome), origin))
    return found


@pytest.mark.parametrize(
    "language",
    [
        pytest.param(language, marks=[pytest.mark.release] * (language in ("decision", "execution")))
        for language in GAMES
    ],
)
def test_programs_are_there_and_mutated_and_the_rest_is_random(language: str) -> None:
    preset, name = GAMES[language]
    config = config_of(preset, start=(name,), start_share=0.2, mutant_share=0.5)
    space = resolve(config).representation
    found = first_generation(config)
    operators = [each.origin.operator for each in found]
    assert operators[:4] == [f"start {name}"] * 4, "a fifth"
    assert operators[12:] == ["create"] * 8, "half of the others"
    assert len({each.genome for each in found[:4]}) == 1
    mutants = [each for each in found[4:12] if each.origin.parents]
    assert len(mutants) >= 6
    for mutant in mutants:
        assert mutant.origin.parents == (0,)
        assert space.parents(mutant.origin.operator) == 1
        assert space.admits(mutant.genome)
        assert mutant.genome != found[0].genome
    random = first_generation(config_of(preset))
    assert [each.genome for each in found[12:]] == [each.genome for each in random[12:]]
    assert [each.genome for each in first_generation(config)] == [each.genome for each in found]


def test_each_program_is_there_once_if_nothing_else_is_said() -> None:
    found = first_generation(config_of("sevens", start=("champion", "thrifty")))
    assert [each.origin.operator for each in found[:2]] == ["start champion", "start thrifty"]
    assert {each.origin.parents for each in found[2:]} == {(0,), (1,)}
    assert not {"create", "clone", "crossover"} & {each.origin.operator for each in found}


def test_islands_have_programs_of_their_own() -> None:
    config = config_of("sevens", start=("champion",))
    search = replace(resolve(config).search(), seed=3)
    rng = stream(search.seed, "create", 23)
    _, origin = search.start.create(rng, search.representation, 3, 20, 20)
    assert origin.parents == (20,)


def test_a_program_beyond_the_limits_of_a_language_is_refused() -> None:
    config = config_of("decisions", start=("steps",))
    tight = replace(config, representation=replace(config.representation, max_leaves=2))
    with pytest.raises(UsageError, match=r"steps has the size \d+ and breaks the limits"):
        resolve(tight).search()


TINY = {
    "population": {"size": 6},
    "scheme": {"elites": 1},
    "fitness": {"deals": 2, "validation_deals": 2},
    "refinement": {"finish": False},
}
TINY_FILE = """
preset = "sevens"
population.size = 6
scheme.elites = 1
fitness = {deals = 2, validation_deals = 2}
refinement.finish = false
"""
MINE = "play: env.block + 3\nsend: env.dist\n"


def test_a_run_keeps_its_programs_and_tells_of_them(tmp_path: Path) -> None:
    file, folder = tmp_path / "mine.tree", tmp_path / "run"
    file.write_text(MINE)
    config = config_from_data(
        {**TINY, "population": {"size": 6, "start": [str(file)]}}, shipped_presets()["sevens"]
    )
    config = replace(config, stop=replace(config.stop, generations=0))
    evolve(resolve(config), SerialExecutor(), folder=folder)
    file.unlink()
    _, run = gpkit.evolve(folder=folder, resume=True, generations=2)
    assert run.config.population.start_texts == (MINE,)
    whole = resolve(replace(run.config, stop=replace(config.stop, generations=2)))
    assert evolve(whole, SerialExecutor()).digest == run.digest
    with sqlite3.connect(folder / "run.db") as genealogy:
        first = genealogy.execute(
            "SELECT number, operator, program FROM individuals WHERE generation = 0"
        ).fetchall()
    assert first[0] == (0, f"start {file}", "play: env.block + 3.0\nsend: env.dist\n")


@pytest.mark.release
def test_a_run_is_its_champion(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, _ = gpkit.evolve("sevens", start="champion", generations=0, settings=TINY, folder=tmp_path / "one")
    champion = tmp_path / "one" / "best" / "champion.tree"
    _, run = gpkit.evolve("sevens", start=tmp_path / "one", generations=0, settings=TINY)
    assert run.config.population.start == (str(champion),)
    assert gpkit.parse(run.config.population.start_texts[0]) == one
    (file := tmp_path / "tiny.toml").write_text(TINY_FILE)
    words = ("--generations", "0", "--start", str(tmp_path / "one"), "--out", str(tmp_path / "two"))
    assert main(["evolve", str(file), *words, "--time-limit", "60"]) == 0, capsys.readouterr().err
    assert read_run(tmp_path / "two")[1].population.start == (str(champion),)
    shutil.rmtree(tmp_path / "one" / "best")
    with pytest.raises(GpkitError, match="has no program champion"):
        gpkit.evolve("sevens", start=tmp_path / "one", generations=0, settings=TINY)


def test_values_are_programs_to_start_from() -> None:
    mine = gpkit.parse(MINE, name="mine", game="sevens")
    one, run = gpkit.evolve("sevens", start=mine, generations=0, settings=TINY)
    assert run.config.population.start == ("mine.tree",)
    assert one.game == "sevens"
    champion = gpkit.load("champion", game="sevens")
    _, run = gpkit.evolve("sevens", start=[champion, champion, "thrifty"], generations=0, settings=TINY)
    assert run.config.population.start == ("champion.tree", "champion-2.tree", "thrifty")
    for wrong, message in (
        (3, "expected programs, or files or names of programs"),
        ("thrify", "did you mean `thrifty`"),
    ):
        with pytest.raises(UsageError, match=message):
            gpkit.evolve("sevens", start=[wrong], settings=TINY)  # type: ignore[list-item]


def test_a_problem_of_ones_own_starts_from_a_program() -> None:
    problem = gpkit.problem(lambda program: -abs(program(x=2.0) - 8.0), sensors={"x": (-5, 5)})
    settings = {"population": {"size": 6}, "scheme": {"elites": 1}}
    champion, run = gpkit.evolve(
        problem, start=gpkit.parse("x * x * x"), generations=0, settings=settings, seed=1
    )
    assert run.config.population.start == ("program.tree",)
    assert champion(x=3.0) == 27.0
    with pytest.raises(
        UsageError, match=r"no file x \* x; expected a program file .*gpkit.parse\('x \* x'\)"
    ):
        gpkit.evolve(problem, start="x * x", generations=0)
