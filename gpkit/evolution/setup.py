"""From a configuration to a search: the one place where names become values."""

import platform
from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib.metadata import version
from typing import Any

from gpkit.core.diagnostics import suggestion
from gpkit.core.errors import UsageError
from gpkit.core.plugins import file_of
from gpkit.core.primitives import RANDOM, Alphabet
from gpkit.core.registry import game_of
from gpkit.core.version import VERSION
from gpkit.core.work_folder import GAME_FILE
from gpkit.evolution.config import Config, SelectionSettings, evolved
from gpkit.evolution.engine import Bloat, Parameters
from gpkit.evolution.exact_problem import ExactProblem
from gpkit.evolution.game_problem import GameProblem, Guide
from gpkit.evolution.islands import Islands
from gpkit.evolution.presets import all_presets, shipped_presets
from gpkit.evolution.problem import Representation
from gpkit.evolution.racing import Race
from gpkit.evolution.refinement import Refinement
from gpkit.evolution.rows_config import AnyConfig
from gpkit.evolution.schemes import Article, Generational, Plus, Scheme, Shares
from gpkit.evolution.search import Hall, Search
from gpkit.evolution.selection import (
    DoubleTournament,
    Lexicase,
    ParetoTournament,
    Roulette,
    Selector,
    Tournament,
    Truncation,
)
from gpkit.gamekit.game import Game, language_of_alphabet
from gpkit.gamekit.players import Player
from gpkit.playing.players import player_of_name
from gpkit.playing.suites import Ground, Training
from gpkit.user_games.rules import OPENING

HALL = "former champions"
"""The opponents of a hall of fame, as a training names them; no trial has them."""

SELECTORS: Mapping[str, Callable[[SelectionSettings], Selector]] = {
    "tournament": lambda table: Tournament(table.size),
    "double-tournament": lambda table: DoubleTournament(table.size, table.parsimony),
    "truncation": lambda table: Truncation(table.share),
    "roulette": lambda table: Roulette(),
    "lexicase": lambda table: Lexicase(table.tolerance, table.sample),
    "pareto": lambda table: ParetoTournament(),
}
"""Every selector by its name in a configuration."""


def search_of(config: Config, opponent: Callable[[str, Game], Player] = player_of_name) -> Search[Any]:
    """The search that a configuration describes.

    Args:
        config: the configuration.
        opponent: gives the player of an opponent's name; the command line also reads program files.

    Raises:
        UsageError: an unknown game, rule, switch, alphabet, operator or opponent, or limits that leave no room for a
            program.
    """
    game: Game = game_of(config.game)
    rules = game.make_rules(rule_options(config))
    fitness = config.fitness
    representation = representation_of(config, game)
    problem: GameProblem | ExactProblem = (
        exact_problem_of(config, game, rules)
        if fitness.exact
        else game_problem_of(config, game, rules, opponent)
    )
    return Search(
        problem,
        representation,
        parameters_of(config, representation),
        config.seed,
        islands_of(config),
        Hall(fitness.hall, fitness.hall_every),
        fitness.candidates,
        refinement_of(config),
    )


def parameters_of(config: AnyConfig, representation: Representation[Any]) -> Parameters:
    """Parameters of evolution.

    Raises:
        UsageError: an operator that the representation does not have.
    """
    return Parameters(
        config.population.size,
        scheme_of(config, representation),
        Bloat(config.bloat.penalty, config.bloat.free, config.bloat.tarpeian),
        config.scheme.attempts,
    )


def islands_of(config: AnyConfig) -> Islands:
    """The island model of a configuration."""
    table = config.islands
    return Islands(table.count, table.interval, table.migrants, table.halve)


def game_problem_of(
    config: Config, game: Game, rules: Any, opponent: Callable[[str, Game], Player]
) -> GameProblem:
    """Playing games as the problem of a configuration; the arguments are those of ``search_of``.

    Raises:
        UsageError: an unknown opponent, or an exercise that is not a game.
    """
    fitness, race = config.fitness, config.race
    return GameProblem(
        game,
        rules,
        tuple(opponent(name, game) for name in fitness.opponents or game.rivals(rules)),
        fitness.deals,
        fitness.validation_deals,
        config.refinement.deals,
        fitness.blocks,
        Race(race.first, race.keep, race.confidence) if race.first else None,
        header=config.dialect,
        guide=guide_of(config, game),
        changes=fitness.fresh,
        tuning_race=tuning_race_of(config),
    )


def exact_problem_of(config: Config, game: Game, rules: Any) -> ExactProblem:
    """Computed strength as the problem of a configuration.

    Raises:
        UsageError: the game cannot be computed, an exercise is not a game, or programs draw random numbers.
    """
    if game.exact is None:
        raise UsageError(f"fitness.exact: {game.name} cannot be computed, only sampled")
    if RANDOM in alphabet_of(config, game).sensors:
        raise UsageError(f"fitness.exact: programs of the alphabet {config.alphabet} draw random numbers")
    guide = guide_of(config, game)
    opponents = config.fitness.opponents or game.rivals(rules)
    return ExactProblem(game, rules, opponents, guide.exercises, guide.weight, config.dialect)


def representation_of(config: Config, game: Game) -> Representation[Any]:
    """Representation of genomes, by the language of the alphabet.

    Raises:
        UsageError: an unknown alphabet, or the representation refuses its table or the limit of size.
    """
    language = language_of_alphabet(game, config.alphabet)
    return evolved(language).representation(config, game, alphabet_of(config, game))


def guide_of(config: Config, game: Game) -> Guide:
    """Fitness shaping: what guides individuals beside their score.

    Raises:
        UsageError: an exercise is not rules of the game, or scores otherwise than the game.
    """
    table = config.guide
    metric = game.metric(game.make_rules(rule_options(config)))
    exercises = []
    for text in table.exercises:
        pairs = [word.partition("=") for word in text.split()]
        if not all(equals for _, equals, _ in pairs):
            raise UsageError(f'guide.exercises: `{text}` is not rules such as "board=6x6 fleet=3,2"')
        try:
            rules = game.make_rules({**rule_options(config), **{name: value for name, _, value in pairs}})
        except UsageError as mistake:
            raise UsageError(f"guide.exercises: `{text}`: {mistake}") from None
        if game.metric(rules).name != metric.name:
            raise UsageError(
                f"guide.exercises: `{text}` is scored by {game.metric(rules).name}, not {metric.name}"
            )
        exercises.append(rules)
    return Guide(table.grade, tuple(exercises), table.weight, table.deals, table.blocks)


def rule_options(config: Config) -> dict[str, str]:
    """The rules of the game that the configuration sets, as text."""
    words = {True: "yes", False: "no"}
    return {
        name: words[value] if isinstance(value, bool) else str(value) for name, value in config.rules.items()
    }


def without_opening(options: Mapping[str, str], game: Game) -> dict[str, str]:
    """Rules without the opening of a game of one's own, which is no rule of it but keeps its games from repeating."""
    return {key: text for key, text in options.items() if key != OPENING or game.first is None}


def training_of(config: Config) -> Training:
    """The training of the programs of a run: opponents by the rules of the run, and by those of its exercises.

    Raises:
        UsageError: there is no such game, or the rules are wrong.
    """
    game: Game = game_of(config.game)
    options = rule_options(config)
    opponents = config.fitness.opponents or game.rivals(game.make_rules(options))
    met = (*opponents, HALL) if config.fitness.hall else tuple(opponents)
    exercises = (dict(pair.split("=", 1) for pair in text.split()) for text in config.guide.exercises)
    grounds = [Ground(met, options), *(Ground((opponents[0],), {**options, **each}) for each in exercises)]
    return Training(tuple(grounds))


def alphabet_of(config: Config, game: Game) -> Alphabet:
    """The alphabet that programs are made of.

    Raises:
        UsageError: the game has none of that name, or a word cannot be added to it.
    """
    base, *words = config.alphabet.split("+")
    primitives = game.offers[language_of_alphabet(game, base)]
    reached = base
    for word in words:
        reached = f"{reached}+{word}"
        if primitives.alphabet(reached) is None:
            known = [*primitives.sensor_names, *(w for a in primitives.alphabets for w in a.instructions)]
            why = "it is there already" if word in known else suggestion(word, known)
            raise UsageError(f"`{word}` cannot be added to the alphabet {base}; {why}")
    alphabet = primitives.alphabet(reached)
    assert alphabet is not None, "every step was looked at"
    return alphabet


def scheme_of(config: AnyConfig, representation: Representation[Any]) -> Scheme:
    """Scheme by which a generation follows from the one before.

    Raises:
        UsageError: an operator that the representation does not have.
    """
    known = representation.operators
    for name in config.operators:
        if name not in known:
            raise UsageError(f"[operators] has no operator `{name}`; {suggestion(name, known)}")
    shares: Shares = tuple(config.operators.items())
    table, selector = config.scheme, SELECTORS[config.selection.name](config.selection)
    match table.name:
        case "article":
            return Article(shares, table.mates)
        case "generational":
            return Generational(shares, selector, table.elites)
        case "plus":
            return Plus(shares, selector, table.order)


def refinement_of(config: AnyConfig) -> Refinement:
    """Refinement of good programs."""
    table = config.refinement
    return Refinement(
        table.every, table.finish, table.simplify, table.rounds, table.candidates, table.confirm
    )


def tuning_race_of(config: Config) -> Race | None:
    """Racing in tuning: clearly worse variants stop early; those that matter are the ones that a round may confirm."""
    table = config.refinement
    return Race(table.race, max(1, table.confirm) / table.candidates) if table.race else None


def header_of(config: Config) -> dict[str, str]:
    """Header of champion files, on their run.

    The preset is named if only seed, rules and end are its own; else what the programs were trained on.
    """
    header = {"game": config.game, "alphabet": config.alphabet}
    if config.rules:
        header["rules"] = " ".join(f"{name}={text}" for name, text in rule_options(config).items())
    header |= config.dialect
    presets = all_presets()
    for name in [name for name in (*shipped_presets(), config.game) if name in presets]:
        preset = presets[name]
        same = replace(config, seed=preset.seed, rules=preset.rules, stop=preset.stop) == preset
        if same and list(config.operators) == list(preset.operators):  # a search depends on their order
            header["preset"] = name
    if "preset" not in header:
        header["trained"] = str(training_of(config))
    return {**header, "seed": str(config.seed)}


def versions(game: str = "") -> dict[str, str]:
    """The versions of what a run of a game depends on; of the file of a game from outside, its SHA-256."""
    brought = file_of(game)
    return {
        **({GAME_FILE: brought[1]} if brought is not None else {}),
        "gpkit": VERSION,
        "python": platform.python_version(),
        **{name: version(name) for name in ("numpy", "numba")},
    }
