"""Games as subjects of runs: opponents, rules, training, and the search for programs that play."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Self

from gpkit.core.errors import UsageError, told_as
from gpkit.core.primitives import RANDOM, Alphabet
from gpkit.core.registry import game_of, language_entry
from gpkit.evolution.config import Config, evolved
from gpkit.evolution.dominance import CASES
from gpkit.evolution.fronts import FrontPlan
from gpkit.evolution.game_problem import GameProblem, Program
from gpkit.evolution.individual import WORST, Evaluation
from gpkit.evolution.presets import presets_of
from gpkit.evolution.problem import Executor, Lost, Problem, Representation
from gpkit.evolution.search import Search
from gpkit.evolution.setup import Run, Subject, with_texts
from gpkit.evolution.tables import RaceSettings
from gpkit.gamekit.game import Game, Metric, language_of_alphabet
from gpkit.gamekit.players import Player
from gpkit.langkit.language import Language
from gpkit.playing.evaluation import Ground, Training
from gpkit.playing.match import Match
from gpkit.playing.players import player_of_name, player_of_program
from gpkit.playing.results import expect_match
from gpkit.user_games.rules import OPENING

HALL = "former champions"
"""The opponents of a hall of fame, as a training names them; no trial has them."""

BEST_RESPONSE = "a best response"
"""The opponent of programs whose exploitability counts, in headers."""


def language_named(config: Config) -> str:
    """The language of the alphabet of a configuration; empty if no programs evolve for its game."""
    game: Game = game_of(config.game)
    known = any(primitives.alphabets for primitives in game.offers.values())
    return language_of_alphabet(game, config.alphabet) if known else ""


def subject_from(
    config: Config, opponent: Callable[[str, Game], Player], _scorer: object = None
) -> "GameSubject":
    """The game of a configuration.

    Args:
        config: the configuration.
        opponent: gives the player of an opponent's name; callers above ``evolution`` read program files, too.

    Raises:
        UsageError: an unknown game, rule or alphabet, or a program to start from that cannot be read.
        LimitError: such a program is too large.
    """
    game: Game = game_of(config.game)
    config = with_texts(config)
    words = {True: "yes", False: "no"}
    options = {
        name: words[value] if isinstance(value, bool) else str(value) for name, value in config.rules.items()
    }
    rules = game.make_rules(options)
    language: Language = language_entry(language_named(config)).load()
    alphabet = game.offers[language.name].chosen(config.alphabet)
    return GameSubject(
        config, language, game.metric(rules), game.offers, game, options, rules, alphabet, opponent
    )


@dataclass(frozen=True, slots=True)
class GameSubject(Subject):
    """A game that programs play.

    Attributes:
        game: the game.
        options: the rules that the configuration sets, as texts.
        rules: the rules.
        alphabet: what programs are made of.
        opponent: gives the player of an opponent's name.
    """

    game: Game
    options: Mapping[str, str]
    rules: Any
    alphabet: Alphabet
    opponent: Callable[[str, Game], Player]

    @property
    def about(self) -> Mapping[str, str]:
        """The game."""
        return {"game": self.game.name}

    @property
    def opponents(self) -> tuple[str, ...]:
        """The names of those that programs meet: the configuration's, or the usual ones of the game."""
        return tuple(self.config.fitness.opponents or self.game.rivals(self.rules))

    @property
    def plain_options(self) -> dict[str, str]:
        """The options without the opening of a game of one's own, which is no rule of it but varies its games."""
        return {
            key: text for key, text in self.options.items() if key != OPENING or not self.game.is_of_states
        }

    @property
    def header(self) -> dict[str, str]:
        """Header of champion files.

        The preset is named if only seed, rules and end are its own; else what the programs were trained on.
        """
        config = self.config
        header = {"game": self.game.name, "alphabet": config.alphabet}
        if config.rules:
            header["rules"] = " ".join(f"{name}={text}" for name, text in self.options.items())
        header |= config.dialect
        for name, preset in presets_of(self.game.name, self.language.name):
            same = replace(config, seed=preset.seed, rules=preset.rules, stop=preset.stop) == preset
            if same and list(config.operators) == list(preset.operators):  # a search depends on their order
                header["preset"] = name
        if "preset" not in header:
            header["trained"] = str(self.training)
        return header

    @property
    def training(self) -> Training:
        """The training of the programs: opponents by the rules of the run, and by those of its exercises."""
        met = (*self.opponents, HALL) if self.config.fitness.hall else self.opponents
        if self.config.fitness.exploitability:
            met = (BEST_RESPONSE,)
        grounds = [Ground(met, dict(self.options))]
        for text in self.config.guide.exercises:
            rules = dict(pair.split("=", 1) for pair in text.split())
            grounds.append(Ground(self.opponents[:1], {**self.options, **rules}))
        return Training(tuple(grounds))

    @property
    def representation(self) -> Representation[Any]:
        """Representation of genomes, by the language of the alphabet."""
        return evolved(self.language.name).representation(self.config, self.game, self.alphabet)

    def search(self, run: Run[Any]) -> Search[Any]:
        """The search on games, which are played, or computed.

        Raises:
            UsageError: something that is named does not exist, or cannot be computed.
        """
        fitness = self.config.fitness
        if fitness.exploitability and not fitness.exact:
            raise UsageError(
                "fitness.exploitability is computed, and not sampled: set fitness.exact = true, too"
            )
        found = run.search_for(self._computed() if fitness.exact else self._played())
        return replace(
            found,
            front=found.front and self._weighed(found.front),
            hall=fitness.hall,
            hall_every=fitness.hall_every,
            candidates=fitness.candidates,
        )

    def _weighed(self, front: FrontPlan) -> FrontPlan:
        """Plan of the front, with the names and the bounds of the game."""
        metric, blocks = self.metric, range(self.config.fitness.blocks)
        names = [
            f"against {name}" + (f", block {block + 1}" if len(blocks) > 1 else "")
            for name in self.opponents
            for block in blocks
        ]
        low, high = sorted((metric.direction * metric.low, metric.direction * metric.high))
        return replace(
            front, names={**front.names, CASES: tuple(names)}, direction=metric.direction, bounds=(low, high)
        )

    def _played(self) -> GameProblem:
        """Playing games as the problem.

        Raises:
            UsageError: an unknown opponent, or an exercise that is not a game.
        """
        fitness, tuning = self.config.fitness, self.config.refinement
        return GameProblem(
            self.game,
            self.rules,
            tuple(self.opponent(name, self.game) for name in self.opponents),
            fitness.deals,
            fitness.validation_deals,
            tuning.deals,
            fitness.blocks,
            self.config.race,
            header=self.config.dialect,
            guide=self.config.guide,
            exercises=tuple(self._exercises()),
            changes=fitness.fresh,
            # of a round of tuning those matter that may be confirmed
            tuning_race=RaceSettings(first=tuning.race, keep=max(1, tuning.confirm) / tuning.candidates),
        )

    def _computed(self) -> "ExactProblem":
        """Computed strength as the problem.

        Raises:
            UsageError: the game cannot be computed, an exercise is not a game, or programs draw random numbers.
        """
        if self.game.exact is None:
            raise UsageError(f"fitness.exact: {self.game.name} cannot be computed, only sampled")
        if RANDOM in self.alphabet.sensors:
            raise UsageError(
                f"fitness.exact: programs in the alphabet {self.config.alphabet} draw random numbers"
            )
        against_best = self.config.fitness.exploitability
        return ExactProblem(
            self.game,
            self.rules,
            self.opponents[:1] if against_best else self.opponents,
            tuple(self._exercises()),
            self.config.guide.weight,
            self.config.dialect,
            against_best,
        )

    def _exercises(self) -> Iterator[Any]:
        """The rules of the exercises that guide individuals.

        Raises:
            UsageError: an exercise is not rules of the game, or scores otherwise than the game.
        """
        for text in self.config.guide.exercises:
            pairs = [word.partition("=") for word in text.split()]
            if not all(equals for _, equals, _ in pairs):
                raise UsageError(f'guide.exercises: `{text}` is not rules such as "board=6x6 fleet=3,2"')
            with told_as(UsageError, f"guide.exercises: `{text}`", UsageError):
                rules = self.game.make_rules({**self.options, **{name: value for name, _, value in pairs}})
            scored = self.game.metric(rules).name
            if scored != self.metric.name:
                raise UsageError(f"guide.exercises: `{text}` is scored by {scored}, not {self.metric.name}")
            yield rules


# Games whose strength is computed and not sampled: the same for every generation and seed.

SECONDS = 0.02
"""The expected time of a program, for making batches."""


@dataclass(frozen=True, slots=True)
class ExactProblem(Problem[Any]):
    """Score well for certain: the exact mean of the game's metric over the opponents, negated where lower is better.

    Validation is the same, without the exercises.

    Attributes:
        game: the game.
        rules: its rules.
        opponents: the names of those whom to play; they weigh the same.
        exercises: the rules of other games that count, too; the mean score in each is a case.
        weight: of each exercise in the score.
        header: lines that say in which dialect programs are meant.
        exploitability: whether a best response is the opponent: the score is an even share less the exploitability.
    """

    game: Game
    rules: Any
    opponents: tuple[str, ...]
    exercises: tuple[Any, ...] = ()
    weight: float = 1.0
    header: Mapping[str, str] = field(default_factory=dict)
    exploitability: bool = False

    @property
    def rehearsal(self) -> Self:
        """The problem itself, because it computes its scores and has no smaller version."""
        return self

    def evaluate(
        self, genomes: Sequence[Program], seed: int, generation: int, executor: Executor
    ) -> list[Evaluation]:
        """The evaluations of the programs; the seed and the generation change nothing."""
        return self._compute((self.rules, *self.exercises), genomes, executor)

    def validate(
        self, genomes: Sequence[Program], seed: int, occasion: int, executor: Executor
    ) -> list[Evaluation]:
        """The evaluations without the exercises; the seed and the occasion change nothing."""
        return self._compute((self.rules,), genomes, executor)

    def _compute(
        self, games: Sequence[Any], genomes: Sequence[Program], executor: Executor
    ) -> list[Evaluation]:
        seconds = [SECONDS * len(games)] * len(genomes)
        results = executor.run(partial(_means, self, games), genomes, seconds)
        return [
            Evaluation(WORST, note=means.reason)
            if isinstance(means, Lost)
            else Evaluation(means[0] + self.weight * sum(means[1:]), means)
            for means in results
        ]


def _means(
    problem: ExactProblem, games: Sequence[Any], programs: Sequence[Program]
) -> list[tuple[float, ...]]:
    """For each program its mean score under each of these rules, higher being better."""
    game = problem.game
    others = [player_of_name(name, game) for name in problem.opponents]
    found = []
    for program in programs:
        player = player_of_program(program, game, "candidate", problem.header)
        scores = []
        for rules in games:
            metric = game.metric(rules)
            if problem.exploitability:
                scores.append(_against_best_response(player, rules, metric, game))
                continue
            results = [expect_match(game, Match(player, (other,)), rules).expected for other in others]
            scores.append(metric.direction * sum(each.mean for each in results) / len(results))
        found.append(tuple(scores))
    return found


def _against_best_response(player: Player, rules: Any, metric: Metric, game: Game) -> float:
    """The score against a best response, higher being better.

    Raises:
        UsageError: it is not computed in this game.
    """
    exact = game.exact
    if exact is None or exact.exploited is None or metric.total is None or game.players(rules) != 2:
        raise UsageError(
            f"fitness.exploitability: gpkit run --exact computes none in {game.name}; expected a game for two in "
            "which one wins what the other loses"
        )
    return metric.direction * metric.total / 2.0 - exact.exploited((player,), rules)
