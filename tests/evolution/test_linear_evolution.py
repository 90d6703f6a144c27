"""Evolution of sinking programs: exercises and grades, dialects, programs to start from, tuning, and a small run."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpkit.core.errors import UsageError
from gpkit.core.rng import stream
from gpkit.evolution.config import Config, FitnessSettings, GuideSettings, RefinementSettings, shipped_presets
from gpkit.evolution.executors import SerialExecutor, executor_for
from gpkit.evolution.game_subject import NO_RACE, Arena, GameProblem
from gpkit.evolution.loop import evolve, tune
from gpkit.evolution.problem import CHOICE
from gpkit.evolution.search import Hooks
from gpkit.evolution.subjects import parse_config, resolve
from gpkit.gamekit.players import Player
from gpkit.games.battleship.game import GAME
from gpkit.genomes.linear import LinearProgram
from gpkit.languages.sinking.forms.evolution import LinearRepresentation, SinkingSettings
from gpkit.languages.sinking.text import parse
from gpkit.playing.players import program_of_name

SERIAL = SerialExecutor()
CORRECTED = program_of_name("corrected", GAME)
RANDOM_SHOTS = parse("targeting:\n  Target\n  Shoot\n").program


def small(**changes: object) -> Config:
    config = shipped_presets()["battleship"]
    reduced = replace(
        config,
        population=replace(config.population, size=40),
        scheme=replace(config.scheme, elites=2),
        islands=replace(config.islands, count=1),
        fitness=replace(config.fitness, deals=8, blocks=1, validation_deals=60),
        guide=replace(config.guide, deals=6),
        refinement=replace(config.refinement, rounds=1, candidates=5, deals=40),
        stop=replace(config.stop, generations=5),
    )
    return replace(reduced, **changes)  # type: ignore[arg-type]


def problem_of(config: Config) -> GameProblem:
    problem = resolve(config).search().problem
    assert isinstance(problem, GameProblem)
    return problem


def test_lower_is_better_outside_and_higher_inside() -> None:
    problem = problem_of(small(guide=GuideSettings()))
    good, bad = problem.evaluate([CORRECTED, RANDOM_SHOTS], 1, 0, SERIAL)
    assert -75.0 < good.score < -40.0
    assert bad.score < good.score - 20.0
    assert good.cases == (good.score,)
    assert good.trials == 8


def test_exercises_and_grades_are_cases_and_count_in_the_score() -> None:
    guide = GuideSettings(
        grade=2.0, exercises=("fleet=3 found=yes", "board=6x6 fleet=3,2"), weight=0.5, deals=10
    )
    problem = problem_of(small(guide=guide))
    found = problem.evaluate([CORRECTED], 1, 3, SERIAL)[0]
    assert len(found.cases) == 2 + 2 * 2
    assert found.score == pytest.approx(np.mean(found.cases[:2]) + 0.5 * sum(found.cases[2:]))
    parts = problem_of(small(guide=replace(guide, blocks=5))).evaluate([CORRECTED], 1, 3, SERIAL)[0]
    assert parts.score == pytest.approx(found.score)
    assert len(parts.cases) == 2 + 5 * 2 * 2
    assert np.reshape(parts.cases[2:], (4, 5)).mean(axis=1) == pytest.approx(found.cases[2:])
    plain = problem_of(small(guide=GuideSettings())).evaluate([CORRECTED], 1, 3, SERIAL)[0]
    assert found.cases[0] == plain.score
    assert -10.0 < found.cases[2] < -3.0, "one ship of three squares, the first shot hits"
    assert found.trials == 8 + 2 * 10
    assert problem.validate([CORRECTED], 1, 0, SERIAL)[0].cases == (
        problem.validate([CORRECTED], 1, 0, SERIAL)[0].score,
    ), "validation is without the guide"


def test_programs_of_the_same_code_play_once(monkeypatch: pytest.MonkeyPatch) -> None:
    idle = parse("targeting:\n  SetTrue\n  Target\n  Nop\n  Shoot\n").program
    programs = [RANDOM_SHOTS, idle, CORRECTED]
    problem = problem_of(small())
    alone = [problem.evaluate([program], 1, 1, SERIAL)[0] for program in programs]
    asked: list[str] = []
    play = Arena.play

    def counted(arena: Arena, player: Player, deals: Any) -> Any:
        asked.append(arena.purpose)
        return play(arena, player, deals)

    monkeypatch.setattr(Arena, "play", counted)
    assert problem.evaluate(programs, 1, 1, SERIAL) == alone
    assert alone[0] == alone[1] != alone[2]
    assert len(asked) == 2 * (1 + len(problem.guide.exercises))


def test_generations_have_boards_of_their_own_unless_games_are_saved() -> None:
    def scores(fresh: bool) -> set[float]:
        config = small(
            guide=GuideSettings(), fitness=FitnessSettings(opponents=("corner",), deals=9, fresh=fresh)
        )
        problem = problem_of(config)
        assert problem.changes is fresh
        return {problem.evaluate([CORRECTED], 1, generation, SERIAL)[0].score for generation in range(4)}

    assert len(scores(fresh=True)) > 1
    assert len(scores(fresh=False)) == 1


def test_programs_are_meant_in_the_dialect_of_the_run() -> None:
    plain, reset = (
        problem_of(
            small(
                guide=GuideSettings(),
                representation=SinkingSettings(dialect=dialect),
                fitness=FitnessSettings(opponents=("uniform",), deals=400),
            )
        )
        for dialect in ({}, {"sunk": "reset"})
    )
    gained = (
        reset.evaluate([CORRECTED], 1, 0, SERIAL)[0].score
        - plain.evaluate([CORRECTED], 1, 0, SERIAL)[0].score
    )
    assert 1.0 < gained < 4.0, "57.9 and 55.7 shots"


def test_words_can_be_added_to_an_alphabet() -> None:
    source, more = (
        resolve(small(alphabet=alphabet)).search().representation
        for alphabet in ("bridon", "bridon+IfSunk+Up")
    )
    assert isinstance(source, LinearRepresentation)
    assert isinstance(more, LinearRepresentation)
    assert more.domain.words == (*source.domain.words, "IfSunk", "Up")


def test_tuning_races_among_programs_without_idle_lines() -> None:
    settings = RefinementSettings(rounds=1, candidates=100, deals=400, race=50, confirm=4)
    space, problem = resolve(small()).search().representation, problem_of(small(refinement=settings))
    variants = [space.tweak(stream(1, "tweak", k), CORRECTED, 1.0) for k in range(60)]
    assert all(space.simplify(variant) == variant for variant in variants)
    distinct = list(dict.fromkeys([CORRECTED, *variants]))
    raced = problem.validate(distinct, 1, 1, SERIAL)
    everything = replace(problem, tuning_race=NO_RACE).validate(distinct, 1, 1, SERIAL)
    assert max(raced, key=lambda one: one.score).score == max(everything, key=lambda one: one.score).score
    assert sum(one.trials for one in raced) < 0.7 * sum(one.trials for one in everything)
    choice = problem.validate(distinct, 1, CHOICE, SERIAL)
    assert len({one.trials for one in choice}) == 1, "nobody stops early where champions are chosen"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[rules]\nmode = 'duel'\n[guide]\nexercises = []", "uniform only places a fleet"),
        ("[fitness]\nopponents = ['hunt']", "hunt shoots"),
    ],
)
def test_a_mistake_of_opponents_and_rules_leaves_no_folder(text: str, message: str, tmp_path: Path) -> None:
    config = parse_config(f'preset = "battleship"\n{text}', shipped_presets())
    with pytest.raises(UsageError, match=message):
        evolve(resolve(config), SERIAL, folder=tmp_path / "run")
    assert not (tmp_path / "run").exists()


@pytest.mark.release
def test_tuning_finds_a_better_neighbour() -> None:
    """Figure 8 without its SavePos has a neighbour that is far better: itself."""
    search = resolve(small(guide=GuideSettings())).search()
    lamed = LinearProgram(
        CORRECTED.names, (tuple(w for w in CORRECTED.blocks[0] if w != "SavePos"), *CORRECTED.blocks[1:])
    )
    assert isinstance(search.representation, LinearRepresentation)
    tuning = RefinementSettings(rounds=4, candidates=60)
    search = replace(search, problem=replace(search.problem, tuning_deals=200), seed=3, refinement=tuning)
    better = tune(search, lamed, 0, SERIAL)
    before, after = search.problem.validate([lamed, better], 3, 0, SERIAL)
    assert after.score > before.score + 1.0


@pytest.mark.release
def test_a_small_run_improves_and_is_the_same_for_two_workers(tmp_path: Path) -> None:
    config = small()
    best: list[float] = []
    result = evolve(
        resolve(config),
        SERIAL,
        folder=tmp_path / "run",
        hooks=Hooks(generation=lambda _, state: best.append(state.champion.fitness)),
    )
    assert best == sorted(best)
    assert best[-1] > best[0]
    text = (tmp_path / "run" / "best" / "champion.sink").read_text()
    source = parse(text)
    assert source.program == result.champion.individual.genome
    assert source.header["game"] == "battleship"
    with executor_for("2") as executor:
        assert evolve(resolve(config), executor).digest == result.digest


def test_the_loop_of_the_source_is_the_sources() -> None:
    search = resolve(shipped_presets()["bridon"]).search()
    assert search.parameters.size == 20
    assert isinstance(search.representation, LinearRepresentation)
    assert all(len(search.representation.create(stream(1, "c", k), k)) == 50 for k in range(5))
    assert not search.problem.changes
    state = evolve(
        resolve(
            replace(
                shipped_presets()["bridon"], stop=replace(shipped_presets()["bridon"].stop, generations=2)
            )
        ),
        SERIAL,
    ).state
    assert sum(i.origin.operator == "clone" for i in state.islands[0]) == 2, "the best tenth stays"
