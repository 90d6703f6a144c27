"""Games as a problem: common deals, opponents, cases, racing, and a small evolution that gets stronger."""

import pickle
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpkit.core.registry import GAMES, game_of
from gpkit.evolution.config import Config, GuideSettings, RaceSettings, shipped_presets
from gpkit.evolution.executors import SerialExecutor, executor_for
from gpkit.evolution.game_subject import Arena, GameProblem, block_means
from gpkit.evolution.loop import evolve
from gpkit.evolution.problem import WORST, Lost
from gpkit.evolution.run_folder import read_run
from gpkit.evolution.search import Hooks
from gpkit.evolution.subjects import resolve
from gpkit.gamekit.game import Game
from gpkit.games.sevens.game import GAME
from gpkit.genomes.tree import TreeProgram, leaf
from gpkit.languages.arithmetic.text import parse
from gpkit.playing.players import player_of_name, shipped_players

SERIAL = SerialExecutor()
RULES = GAME.make_rules({})


def program(text: str) -> TreeProgram:
    return parse(text).program


SIMPLE = program("play: env.depth + env.selfblock\nsend: env.dist")
BAD = program("play: 0.0 - env.depth - env.selfblock\nsend: 0.0 - env.dist")
CHANCE = program("play: math.random()\nsend: math.random()")


def problem(**changes: object) -> GameProblem:
    opponents = tuple(player_of_name(name, GAME) for name in ("random", "simple"))
    return replace(GameProblem(GAME, RULES, opponents, 60, 200, 100), **changes)  # type: ignore[arg-type]


def test_scores_are_means_over_opponents_and_come_from_the_same_deals() -> None:
    both = problem().evaluate([SIMPLE, BAD, SIMPLE], 1, 4, SERIAL)
    assert both[0] == both[2]
    assert both[0].score > both[1].score
    assert both[0].trials == 60 * 3 * 2
    assert both[0].score == pytest.approx(np.mean(both[0].cases))
    assert both[0].cases[1] == pytest.approx(1 / 3), "simple against itself, in every seat"
    assert problem().evaluate([BAD], 1, 4, SERIAL) == both[1:2]


def test_a_generation_has_deals_of_its_own_and_so_has_validation() -> None:
    def first_case(generation: int) -> float:
        return problem().evaluate([SIMPLE], 1, generation, SERIAL)[0].cases[0]

    assert len({first_case(generation) for generation in range(5)}) > 1
    occasions = [problem().validate([SIMPLE], 1, occasion, SERIAL)[0] for occasion in (0, 1, 2)]
    assert occasions[0].trials == 200 * 6
    assert occasions[1].trials == occasions[2].trials == 100 * 6
    assert occasions[1].score != occasions[2].score
    assert problem(deals=10).validate([SIMPLE], 1, 0, SERIAL) == occasions[:1]


def test_former_champions_join_the_opponents_but_for_validation() -> None:
    hall = problem().facing([SIMPLE, CHANCE])
    evaluation = hall.evaluate([SIMPLE], 1, 4, SERIAL)[0]
    alone = problem().evaluate([SIMPLE], 1, 4, SERIAL)[0]
    assert evaluation.cases[:2] == alone.cases
    assert evaluation.cases[2] == pytest.approx(1 / 3)
    assert evaluation.cases[3] > 0.6
    assert hall.validate([SIMPLE], 1, 0, SERIAL) == problem().validate([SIMPLE], 1, 0, SERIAL)


@pytest.mark.parametrize(("deals", "blocks"), [(20, 5), (30, 5), (20, 1), (7, 3), (200, 2)])
def test_means_of_parts_are_those_of_each_part_alone(deals: int, blocks: int) -> None:
    scores = np.random.default_rng(1).integers(0, 200, (2, deals)) / 17.0
    alone = [float(part.mean()) for row in scores for part in np.array_split(row, blocks)]
    assert block_means(scores, blocks) == alone


def test_cases_are_blocks_of_deals_and_unplayed_ones_are_the_worst() -> None:
    whole = problem(blocks=4).evaluate([SIMPLE], 1, 4, SERIAL)[0]
    assert len(whole.cases) == 8
    assert np.mean(whole.cases[:4]) == pytest.approx(problem().evaluate([SIMPLE], 1, 4, SERIAL)[0].cases[0])
    strong = [SIMPLE] * 5
    raced = problem(blocks=4, race=RaceSettings(first=15, keep=0.5)).evaluate([*strong, BAD], 1, 4, SERIAL)
    assert raced[0] == whole
    assert raced[-1].trials < whole.trials
    assert raced[-1].cases[-1] == WORST
    assert raced[-1].cases[0] > WORST
    assert raced[-1].score < whole.score


@pytest.mark.release
def test_processes_play_the_same_games() -> None:
    programs = [SIMPLE, BAD, CHANCE, TreeProgram(("play", "send"), (leaf(1.0), leaf("env.rank")))] * 2
    raced = problem(deals=3000, race=RaceSettings(first=1000))
    with executor_for("2") as executor:
        assert raced.evaluate(programs, 1, 0, executor) == raced.evaluate(programs, 1, 0, SERIAL)


@dataclass(frozen=True, slots=True)
class CutAtRandom:
    """An executor that says how many workers it has, and does its items in batches of chance in any order."""

    workers: int
    counts: list[int] = field(default_factory=list)

    def run(
        self,
        function: Callable[[Sequence[Any]], Sequence[Any]],
        items: Sequence[Any],
        seconds: Sequence[float],
    ) -> list[Any]:
        """Results in the order of the items."""
        assert len(seconds) == len(items)
        self.counts.append(len(items))
        rng = np.random.default_rng(len(self.counts))
        cuts = sorted({0, len(items), *rng.integers(0, len(items) + 1, 5).tolist()})
        results: dict[int, Any] = {}
        for place in rng.permutation(len(cuts) - 1).tolist():
            start, end = cuts[place : place + 2]
            sent = pickle.loads(pickle.dumps((function, list(items[start:end]))))  # noqa: S301
            results |= dict(zip(range(start, end), sent[0](sent[1]), strict=True))
        return [results[index] for index in range(len(items))]


@pytest.mark.release
@pytest.mark.parametrize("workers", [1, 2, 3, 40])
def test_however_work_is_cut_the_evaluations_are_the_same(workers: int) -> None:
    programs = [SIMPLE, BAD, CHANCE]
    raced = problem(
        deals=70, race=RaceSettings(first=20), guide=GuideSettings(deals=6, blocks=2), exercises=(RULES,)
    )
    executor = CutAtRandom(workers)
    assert raced.evaluate(programs, 1, 3, executor) == raced.evaluate(programs, 1, 3, SERIAL)
    assert raced.validate(programs, 1, 0, executor) == raced.validate(programs, 1, 0, SERIAL)
    assert raced.validate([SIMPLE], 1, 0, executor) == raced.validate([SIMPLE], 1, 0, SERIAL)
    assert (min(executor.counts) >= 16) == (workers > 1), "few programs are divided by their deals"


@pytest.mark.release
@pytest.mark.parametrize("name", [entry.name for entry in GAMES])
def test_deals_are_played_in_parts_as_at_once(name: str) -> None:
    """The parts of a validation that different workers play make up the whole, byte for byte."""
    game: Game = game_of(name)
    rules = game.make_rules({})
    opponents = [player_of_name(each, game) for each in game.rivals(rules)]
    arena = Arena(game, rules, tuple(opponents), 3, "validation", 0, 12, grade=0.1)
    deals, player = arena.drawn(), next(shipped_players(game))
    whole = arena.play(player, deals)
    for cuts in ([0, 1, 12], [0, 5, 9, 12], list(range(13))):
        parts = [arena.play(player, deals[start:end]) for start, end in pairwise(cuts)]
        assert np.hstack(parts).tobytes() == whole.tobytes()


def test_a_program_of_which_a_part_is_lost_is_lost() -> None:
    class Losing(CutAtRandom):
        def run(self, function: Any, items: Any, seconds: Any) -> list[Any]:
            return [*super().run(function, items, seconds)[:-1], Lost("its worker died")]

    found = problem().validate([SIMPLE, BAD], 1, 0, Losing(2))
    assert found[:1] == problem().validate([SIMPLE], 1, 0, SERIAL)
    assert found[1].score == WORST
    assert found[1].note == "its worker died"


def test_other_rules_and_more_players() -> None:
    rules = GAME.make_rules({"players": "5", "end": "ranks"})
    evaluation = problem(rules=rules).evaluate([SIMPLE], 1, 0, SERIAL)[0]
    assert evaluation.trials == 60 * 5 * 2
    assert evaluation.cases[1] == pytest.approx(0.5), "the mean rank score is a half"


def small(name: str) -> Config:
    config = shipped_presets()[name]
    return replace(
        config,
        population=replace(config.population, size=60),
        scheme=replace(config.scheme, elites=min(config.scheme.elites, 2)),
        fitness=replace(config.fitness, deals=40, validation_deals=300),
        refinement=replace(
            config.refinement, rounds=min(config.refinement.rounds, 1), candidates=5, deals=50
        ),
        race=replace(config.race, first=config.race.first and 20),
        stop=replace(config.stop, generations=6),
    )


@pytest.mark.parametrize("name", ["article", pytest.param("sevens", marks=pytest.mark.release)])
def test_a_small_evolution_gets_stronger_and_its_run_can_be_read(name: str, tmp_path: Path) -> None:
    config = small(name)
    best: list[float] = []
    result = evolve(
        resolve(config),
        SERIAL,
        folder=tmp_path / "r",
        hooks=Hooks(
            generation=lambda summary, state: best.append(state.champion.fitness),
            arguments=("gpkit", "evolve"),
        ),
    )
    assert best == sorted(best)
    assert best[-1] > best[0]
    held_out = problem(validation_deals=1000).validate(
        [result.champion.individual.genome, CHANCE], 99, 0, SERIAL
    )
    assert held_out[0].score > held_out[1].score + 0.15
    assert read_run(tmp_path / "r")[1] == config
    text = (tmp_path / "r" / "best" / "champion.tree").read_text()
    source = parse(text)
    assert source.program == result.champion.individual.genome
    assert set(source.header) == {"game", "alphabet", "trained", "seed", "generation", "fitness", "score"}
    assert evolve(resolve(config), SERIAL).digest == result.digest
