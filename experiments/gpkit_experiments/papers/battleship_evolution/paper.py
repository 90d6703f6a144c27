"""Tables of the study: ablation of the preset ``battleship``, worth of further instructions, limits of the language."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpkit.core.registry import game_of
from gpkit.core.rng import stream
from gpkit.core.statistics import mean_interval, paired_difference
from gpkit.evolution.config import Config, RefinementSettings
from gpkit.evolution.evolve import evolve
from gpkit.evolution.executors import SerialExecutor
from gpkit.evolution.problem import Executor, none_lost
from gpkit.evolution.refinement import refine
from gpkit.evolution.setup import search_of
from gpkit.gamekit.game import Game
from gpkit.games.battleship.presets import BATTLESHIP
from gpkit.genomes.linear import LinearProgram
from gpkit.languages.sinking.printer import print_program
from gpkit.playing.players import player_of_name, player_of_program, program_of_name
from gpkit_experiments.papers.battleship_evolution.ablation import ARMS, reduced
from gpkit_experiments.papers.battleship_evolution.neighbourhood import Contest, search
from gpkit_experiments.papers.paper import Budget, Findings, Row, Watch, exact, ignore

GAME: Game = game_of("battleship")

START = "champion"
"""The program from which evolution goes on with more instructions."""

BEYOND = ("IfSunk", "IfEdge", "IfKnown", "Reset+Up+Down+IfZero")
"""Instructions of level 1 that are added to the source's: conditions one by one, the counter as a whole."""

WHOLE = "The preset without one of its parts, shots of the champion"

EXPECTED_SECONDS = 60.0
"""Of a run of evolution; only their order matters."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Effort:
    """Effort of measuring.

    Attributes:
        games: held-out boards of every champion.
        runs: of every arm of the ablation.
        size: individuals in them.
        generations: of them.
        level_runs, level_size, level_generations: of evolution with more instructions.
        rounds, candidates: of refinement.
        stages: boards on which all neighbours race, stage by stage.
        finalists: neighbours that meet on ``games`` boards.
        lines: the most lines changed for a neighbour.
    """

    games: int
    runs: int
    size: int
    generations: int
    level_runs: int
    level_size: int
    level_generations: int
    rounds: int
    candidates: int
    stages: tuple[int, ...]
    finalists: int
    lines: int

    @property
    def refinement(self) -> RefinementSettings:
        """The preset's, reduced."""
        return replace(BATTLESHIP.refinement, rounds=self.rounds, candidates=self.candidates)


EFFORTS: Mapping[Budget, Effort] = {
    "quick": Effort(
        games=2_000,
        runs=2,
        size=60,
        generations=15,
        level_runs=2,
        level_size=60,
        level_generations=8,
        rounds=2,
        candidates=50,
        stages=(20, 200),
        finalists=5,
        lines=1,
    ),
    "full": Effort(
        games=20_000,
        runs=4,
        size=400,
        generations=90,
        level_runs=2,
        level_size=300,
        level_generations=50,
        rounds=8,
        candidates=1_000,
        stages=(50, 400, 3_000),
        finalists=50,
        lines=2,
    ),
}

NOTES = (
    "Boards are classic and uniform over legal fleets; champions are measured on boards that no run has met.",
    "The ablation runs the preset with one population of fewer programs, one case for each exercise, fewer "
    "generations, and without the refinement at its end; all arms have the same seeds, so differences are paired by "
    "run.",
    "A line that is deleted, inserted or replaced by another word is one change. Neighbours race: whoever takes "
    "clearly more shots than the program (three standard errors, paired by board) stops; the best that are left meet "
    "on other boards, and the best of those is measured on further ones.",
)


@dataclass(frozen=True, slots=True)
class Study:
    """Study: the settings that all tables share."""

    effort: Effort
    seed: int
    executor: Executor
    watch: Watch

    def champions(self, configs: Sequence[Config]) -> list[LinearProgram]:
        """The champion of every configuration; whole runs in the workers."""
        return none_lost(self.executor.run(_champions, configs, [EXPECTED_SECONDS] * len(configs)))

    def shots(self, program: LinearProgram, dialect: Mapping[str, str] = MappingProxyType({})) -> float:
        """The mean shots of a program on the held-out boards."""
        rules = GAME.make_rules({})
        deals = GAME.deal(stream(self.seed, "paper boards"), self.effort.games, rules)
        players = [player_of_program(program, GAME, "champion", dialect), player_of_name("uniform", GAME)]
        return float(GAME.play(players, deals, rules).values.mean())

    def seeds(self, runs: int) -> list[int]:
        """The seeds of the runs of every arm."""
        return [self.seed * 1000 + number for number in range(runs)]


def _champions(configs: Sequence[Config]) -> list[LinearProgram]:
    return [evolve(config, SerialExecutor()).champion.individual.genome for config in configs]


def ablation_rows(study: Study) -> Iterator[Row]:
    """Every arm of the ablation, and what refinement adds to the whole preset."""
    effort = study.effort
    base = reduced(effort.size, effort.generations)
    whole: Floats = np.zeros(0)
    for name, arm in ARMS.items():
        study.watch(f"evolution: {name}")
        configs = [replace(arm(base), seed=seed) for seed in study.seeds(effort.runs)]
        champions = study.champions(configs)
        shots = np.array([study.shots(champion) for champion in champions])
        yield _runs(WHOLE, name, shots)
        if not len(whole):
            whole = shots
            study.watch("refinement of the champions")
            pairs = [
                (replace(c, refinement=effort.refinement), p) for c, p in zip(configs, champions, strict=True)
            ]
            refined = none_lost(study.executor.run(_refined, pairs, [EXPECTED_SECONDS] * len(pairs)))
            after = [study.shots(one) for one in refined]
            yield _runs(WHOLE, "the preset, and refinement", np.array(after))
        else:
            yield Row(
                "Shots lost without a part, paired by run",
                name,
                paired_difference(shots, whole, support=_support()),
                "runs",
            )


def _refined(pairs: Sequence[tuple[Config, LinearProgram]]) -> list[LinearProgram]:
    result = []
    for config, program in pairs:
        found: Any = search_of(config)
        steps = refine(
            found.refinement, found.problem, found.representation, program, config.seed, 0, SerialExecutor()
        )
        result.append(steps[-1][1] if steps else program)
    return result


def level_rows(study: Study) -> tuple[list[Row], dict[str, str]]:
    """Evolution that goes on from the champion with further instructions; and what it found."""
    effort = study.effort
    reached, saved, files = [], [], {}
    source: Floats = np.zeros(0)
    for alphabet in ("bridon", *(f"bridon+{words}" for words in BEYOND), "level-1"):
        study.watch(f"evolution with {alphabet}")
        configs = [_going_on(effort, alphabet, seed) for seed in study.seeds(effort.level_runs)]
        champions = study.champions(configs)
        shots = np.array([study.shots(champion) for champion in champions])
        reached.append(_runs(f"Evolution goes on from {START}, shots", alphabet, shots))
        if alphabet == "bridon":
            source = shots
        else:
            gain = paired_difference(source, shots, support=_support())
            saved.append(Row("Shots that further instructions save, paired by run", alphabet, gain, "runs"))
        best = int(np.argmin(shots))
        header = {"game": "battleship", "alphabet": alphabet, "seed": str(configs[best].seed)}
        stem = alphabet.removeprefix("bridon+").split("+")[0].lower()
        files[f"{stem}.sink"] = print_program(champions[best], header)
    return [*reached, *saved], files


def going_on_rows(study: Study) -> Iterator[Row]:
    """Evolution that goes on from the corrected Figure 8, in the default dialect and where sinking starts again."""
    effort = study.effort
    dialects: tuple[dict[str, str], ...] = ({}, {"sunk": "reset"})
    for dialect in dialects:
        name = " ".join(f"{key}={value}" for key, value in dialect.items()) or "the default dialect"
        study.watch(f"evolution from the corrected Figure 8, {name}")
        configs = [
            _going_on(effort, "bridon", seed, "corrected", dialect) for seed in study.seeds(effort.level_runs)
        ]
        champions = study.champions(configs)
        table = "Evolution goes on from the corrected Figure 8, shots"
        before = study.shots(program_of_name("corrected", GAME), dialect)
        yield Row(table, f"{name}, before", exact(before, effort.games), "games")
        after = np.array([study.shots(champion, dialect) for champion in champions])
        yield _runs(table, f"{name}, after", after)


def _going_on(
    effort: Effort,
    alphabet: str,
    seed: int,
    start: str = START,
    dialect: Mapping[str, str] = MappingProxyType({}),
) -> Config:
    base = reduced(effort.level_size, effort.level_generations)
    return replace(
        base,
        alphabet=alphabet,
        seed=seed,
        representation=replace(base.representation, start=(start,), dialect=dict(dialect)),
        refinement=effort.refinement,
    )


def neighbourhood_rows(study: Study) -> tuple[list[Row], list[str]]:
    """Gains of one or two changed lines, as rows; and those lines, in words."""
    rows, notes = [], []
    effort = study.effort
    places = [(name, alphabet, 1) for name in ("corrected", START) for alphabet in ("bridon", "level-1")]
    places += [(name, "bridon", 2) for name in ("corrected", START) if effort.lines == 2]
    for name, alphabet, changes in places:
        found = search(
            program_of_name(name, GAME),
            alphabet,
            changes,
            Contest(effort.stages, study.seed, effort.finalists, effort.games),
            study.executor,
            lambda said, name=name: study.watch(f"around {name}: {said}"),  # type: ignore[misc]
        )
        heading = ("One changed line", "Two changed lines")[changes - 1]
        rows.append(
            Row(
                f"{heading}, shots that the best of all neighbours takes less",
                f"{name}, {alphabet}: {found.count:,} neighbours",
                found.gain,
                "boards",
            )
        )
        lines = " | ".join(" ".join(block) for block in found.best.blocks)
        notes.append(
            f"{heading} of {name} in {alphabet}: {found.distinct:,} of {found.count:,} neighbours take other steps and "
            f"were not clearly worse at first; the best is {lines}."
        )
    return rows, notes


def _runs(table: str, name: str, shots: Floats) -> Row:
    return Row(table, name, mean_interval(shots, support=_support()), "runs")


def _support() -> tuple[float, float]:
    return GAME.metric(GAME.make_rules({})).support


@dataclass(frozen=True, slots=True)
class EvolutionPaper:
    """Our own evolution of sinking programs, taken apart."""

    efforts: Mapping[Budget, Effort]
    name: str = "battleship-evolution"

    def run(self, budget: Budget, seed: int, executor: Executor, watch: Watch = ignore) -> Findings:
        """Measure the parts of the preset, the further instructions, and the neighbourhoods."""
        study = Study(self.efforts[budget], seed, executor, watch)
        around, said = neighbourhood_rows(study)
        levels, files = level_rows(study)
        levels += going_on_rows(study)
        parts = sorted(ablation_rows(study), key=lambda row: row.table != WHOLE)
        settings = {**asdict(study.effort), "stages": list(study.effort.stages)}
        return Findings(settings, (*NOTES, *said), (*parts, *levels, *around), files)


PAPER = EvolutionPaper(EFFORTS)
