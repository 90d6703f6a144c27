"""Common parts of the paper's tables: the effort, the deals on which programs meet, the runs."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import partial
from typing import Any

from gpkit.core.registry import game_of
from gpkit.core.settings import to_data
from gpkit.evolution.config import Config, shipped_presets
from gpkit.evolution.problem import Genome
from gpkit.evolution.search import Search
from gpkit.evolution.subjects import resolve
from gpkit.gamekit.game import Game
from gpkit.genomes.tree import TreeProgram
from gpkit.playing.players import program_of_name
from gpkit_experiments.papers import paper
from gpkit_experiments.papers.controls import Shuffled
from gpkit_experiments.papers.courses import Course, HeldOut, follow

EASY, MEDIUM, HARD, EXPERT = "easy", "medium", "hard", "expert"

GENERATIONS: Mapping[str, int] = {EASY: 0, MEDIUM: 1, HARD: 11, EXPERT: 111}
"""The levels of the article, by the generations that it evolves each for."""

SEEDS = 1000
"""The runs of a seed have the seeds from ``SEEDS`` times it on, so that different seeds share no run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """Effort of the reproduction.

    Attributes:
        runs: runs of the article's algorithm.
        variants: runs of each variant of it; they share their seeds with the first of the others.
        specimens: programs of each level and run.
        games: games of each program against each opponent.
        sample_games: games of the one program that the article prints.
        population_games: games of each program of a whole population.
        tournament_games: games of each pair of programs, either way.
        blue_runs: runs of the population of blue nodes.
        plan_runs: runs of plans and of formulas for the build order.
        plan_generations: the last generation of those.
        plans_visited: plans of the last generation whose games are followed, the fittest.
        data_sets: tables whose rows decision trees classify.
        tree_generations: the last generation of those trees.
        generations: those of each level, the lowest first.
        config: the article's algorithm.
    """

    runs: int
    variants: int
    specimens: int = 5
    games: int
    sample_games: int
    population_games: int
    tournament_games: int
    blue_runs: int = 200
    plan_runs: int
    plan_generations: int = 60
    plans_visited: int = 100
    data_sets: int
    tree_generations: int = 30
    generations: Mapping[str, int] = field(default_factory=lambda: GENERATIONS)
    config: Config = shipped_presets()["article"]

    def to_json(self) -> dict[str, Any]:
        """The fields as JSON values; the seed of the configuration is left out, as every run has its own."""
        config = to_data(self.config)
        del config["seed"]
        own = {each.name: getattr(self, each.name) for each in fields(self)}
        return own | {"generations": dict(self.generations), "config": config}


@dataclass(frozen=True, slots=True)
class Study(paper.Study[Effort]):
    """One reproduction: its game, the deals on which programs meet, its runs."""

    @property
    def game(self) -> Game:
        """The game of the article."""
        game: Game = game_of(self.effort.config.game)
        return game

    def held_out(self, games: int) -> HeldOut:
        """Held-out deals, which no run has, on which programs meet."""
        game = self.game
        return HeldOut(game, game.make_rules({}), self.seed, games)

    def opponent(self, name: str) -> TreeProgram:
        """One of the game's own opponents."""
        program: TreeProgram = program_of_name(name, self.game)
        return program

    def run_seeds(self, count: int) -> range:
        """The seeds of the first ``count`` runs."""
        first = self.seed * SEEDS + 1
        return range(first, first + count)

    def courses(
        self, what: str, config: Config, levels: tuple[str, ...], count: int, *, shuffled: bool = False
    ) -> list[Course[TreeProgram]]:
        """``count`` runs of a configuration as far as the highest of these levels, with the populations of each.

        Args:
            what: the name of the variant, for the watch.
            config: the configuration; its seed is replaced.
            levels: the levels whose populations are wanted.
            count: how many runs.
            shuffled: fitness is given to the wrong programs.
        """
        generations = [self.effort.generations[level] for level in levels]
        searches = [resolve(replace(config, seed=seed)).search() for seed in self.run_seeds(count)]
        if shuffled:
            searches = [replace(search, problem=Shuffled(search.problem)) for search in searches]
        return self.followed(what, searches, generations)

    def followed(
        self, what: str, searches: Sequence[Search[Genome]], generations: Collection[int]
    ) -> list[Course[Genome]]:
        """The courses of some runs, with the populations of these generations.

        Args:
            what: the name of the variant, for the watch.
            searches: the runs.
            generations: whose populations are wanted.
        """
        found = []
        for number, search in enumerate(searches, start=1):
            tell = partial(self._tell, f"{what}, run {number} of {len(searches)}: ")
            found.append(follow(search, generations, self.executor, tell))
        return found

    def _tell(self, what: str, text: str) -> None:
        self.watch(what + text)
