"""The configuration of a run: one strict, frozen table of tables that is read from TOML and written back."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Literal, Protocol, get_type_hints, runtime_checkable

from gpkit.core.errors import UsageError
from gpkit.core.forms import form, has_form
from gpkit.core.primitives import Alphabet
from gpkit.core.registry import DEFAULT_GAME, DEFAULT_LANGUAGE, OWN_FILE, all_languages, game_of
from gpkit.core.settings import (
    Plain,
    Range,
    UnknownKeyError,
    from_data,
    from_value,
    parse_settings,
)
from gpkit.evolution.individual import STRIDE
from gpkit.evolution.problem import Representation
from gpkit.gamekit.game import Game, language_of_alphabet

REPRESENTATION = "representation"
"""The key of the table that depends on the language."""

STEPS = 2
"""The most steps of one refinement: a simplification and a tuning."""

Count = Annotated[int, Range(1)]
Share = Annotated[float, Range(0.0, 1.0)]


@dataclass(frozen=True, slots=True, kw_only=True)
class PopulationSettings:
    """The first generation.

    Attributes:
        size: individuals on each island.
    """

    size: Annotated[int, Range(2, 100_000)] = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemeSettings:
    """Scheme by which a generation follows from the one before.

    Attributes:
        name: ``article``, ``generational`` or ``plus``, as in ``gpkit.evolution.schemes``.
        elites: in ``generational``, how many of the best are cloned.
        order: in ``plus``, whether fitness or the Pareto order of strength and size decides who stays.
        mates: in ``article``, whether the mate of a crossover is among the same best or anybody.
        attempts: how often a child that breaks the limits or equals its parent is drawn anew.
    """

    name: Literal["article", "generational", "plus"] = "generational"
    elites: Annotated[int, Range(0)] = 4
    order: Literal["fitness", "pareto"] = "fitness"
    mates: Literal["top", "all"] = "top"
    attempts: Annotated[int, Range(1, 100)] = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectionSettings:
    """Selection of parents, but for the scheme ``article``.

    Attributes:
        name: a selector of ``gpkit.evolution.selection``.
        size: contestants of a tournament.
        share: the best that ``truncation`` draws from.
        parsimony: in ``double-tournament``, from 1 (size does not matter) to 2 (the smaller of two wins).
        tolerance: in ``lexicase``, in median deviations; 0 is the plain one.
        sample: in ``lexicase``, how many compete for each parent; 0 is the whole population.
    """

    name: Literal["tournament", "double-tournament", "truncation", "roulette", "lexicase", "pareto"] = (
        "tournament"
    )
    size: Annotated[int, Range(1, 1000)] = 5
    share: Annotated[float, Range(0.001, 1.0)] = 0.5
    parsimony: Annotated[float, Range(1.0, 2.0)] = 1.2
    tolerance: Annotated[float, Range(0.0, 100.0)] = 1.0
    sample: Annotated[int, Range(0, 100_000)] = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitsSettings:
    """Limits of the size of programs; false is no limit.

    Attributes:
        size: nodes or lines of all parts of a program together.
    """

    size: Annotated[int, Range(1, 100_000)] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BloatSettings:
    """Parsimony pressure.

    Attributes:
        penalty: taken off the score for every node or line above ``free``.
        free: the nodes or lines that cost nothing.
        tarpeian: the probability that a child larger than the mean of its parents' generation is given the worst
            fitness, unevaluated.
    """

    penalty: Annotated[float, Range(0.0)] = 0.0004
    free: Annotated[int, Range(0)] = 20
    tarpeian: Share = 0.0

    def cost(self, size: int) -> float:
        """Parsimony pressure: the part of the score that a size costs."""
        return self.penalty * max(0, size - self.free)


@dataclass(frozen=True, slots=True, kw_only=True)
class FitnessSettings:
    """Fitness evaluation: what individuals meet, and how often.

    Attributes:
        opponents: names of the game's opponents, or program files; all count equally. Default: those of the game.
        deals: how many each generation; every one is played in every seating against every opponent.
        blocks: cases for lexicase selection by opponent and part of the deals.
        hall: the largest number of former champions that join the opponents.
        hall_every: a champion joins after so many generations.
        candidates: how many of the best of a generation are compared with the champion on validation deals.
        validation_deals: how many those are, and how many the final score rests on.
        fresh: every generation has deals of its own; if not, all have those of the first.
        exact: strength is computed, in games that allow it, and no deals are played.
    """

    opponents: tuple[str, ...] = ("random", "simple")
    fresh: bool = True
    exact: bool = False
    deals: Annotated[int, Range(1, 1_000_000)] = 100
    blocks: Annotated[int, Range(1, 1000)] = 1
    hall: Annotated[int, Range(0, 100)] = 0
    hall_every: Count = 10
    candidates: Annotated[int, Range(1, 1000)] = 2
    validation_deals: Annotated[int, Range(1, 1_000_000)] = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class GuideSettings:
    """Fitness shaping: terms beside the score, until individuals are validated.

    Attributes:
        grade: the weight of the finer grade of a game, where the game has one; the score has the weight 1.
        exercises: other games that individuals also play, each a text of rules such as "fleet=5 found=yes".
        weight: of every exercise.
        deals: of every exercise in a generation.
        blocks: parts of the deals of an exercise, which are cases of their own for lexicase selection.
    """

    grade: Annotated[float, Range(0.0, 1000.0)] = 0.0
    exercises: tuple[str, ...] = ()
    weight: Annotated[float, Range(0.0, 1000.0)] = 1.0
    deals: Annotated[int, Range(1, 100_000)] = 20
    blocks: Annotated[int, Range(1, 1000)] = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class RaceSettings:
    """Clearly bad individuals stop early.

    Attributes:
        first: the deals of the first block; every further block doubles the deals played; 0 lets all play on.
        keep: the share of the individuals that matter: one is stopped when it is clearly worse than the last of them.
        confidence: how many standard errors of the paired difference make it clear.
    """

    first: Annotated[int, Range(0)] = 0
    keep: Annotated[float, Range(0.01, 1.0)] = 0.5
    confidence: Annotated[float, Range(0.0, 10.0)] = 2.0

    def stages(self, deals: int) -> list[int]:
        """The numbers of deals played after each block, the last one all."""
        stages = [min(self.first or deals, deals)]
        while stages[-1] < deals:
            stages.append(min(2 * stages[-1], deals))
        return stages


@dataclass(frozen=True, slots=True, kw_only=True)
class IslandsSettings:
    """Populations that evolve apart, with migration around the ring.

    Attributes:
        count: how many at first; 1 is one population.
        interval: generations between migrations.
        migrants: how many of the best move on to the next island, where they replace the worst.
        halve: after so many generations, and again after as many, only half as many islands go on, those whose best
            is the fittest, until one is left; false keeps all.
    """

    count: Annotated[int, Range(1, 1000)] = 1
    interval: Count = 10
    migrants: Annotated[int, Range(0)] = 2
    halve: Count | None = None

    def left(self, generation: int) -> int:
        """The number of islands that are left after a round that ended at a generation.

        Successive halving of K. Jamieson and A. Talwalkar, "Non-stochastic Best Arm Identification and Hyperparameter
        Optimization", 2016, with islands as the arms.

        >>> [IslandsSettings(count=6, halve=20).left(generation) for generation in (0, 19, 20, 40, 60, 6000)]
        [6, 6, 3, 2, 1, 1]
        """
        brackets = 0 if self.halve is None else generation // self.halve
        return max(1, -(-self.count >> min(brackets, self.count)))


@dataclass(frozen=True, slots=True, kw_only=True)
class RefinementSettings:
    """Simplification and the tuning of constants, of the best during the run and of the champion at its end.

    Attributes:
        every: the best of each island is refined after so many generations; false is never.
        finish: whether the champion is refined at the end.
        simplify: whether programs are simplified first.
        rounds: rounds of tuning; 0 leaves constants alone.
        candidates: variants in each round.
        deals: the deals they meet.
        race: the deals of a round after which clearly worse variants stop, and again whenever the deals have doubled;
            0 lets all of them play to the end.
        confirm: how many of the best of a round meet the incumbent again on other deals; 0 is none.
    """

    every: Count | None = None
    finish: bool = True
    simplify: bool = True
    rounds: Annotated[int, Range(0, 1000)] = 0
    candidates: Annotated[int, Range(1, 10_000)] = 20
    deals: Annotated[int, Range(1, 1_000_000)] = 300
    race: Annotated[int, Range(0, 1_000_000)] = 0
    confirm: Annotated[int, Range(0, 1000)] = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class StopSettings:
    """Stopping rules; false is no rule. A resumed run may have other ones.

    Attributes:
        generations: after so many.
        evaluations: after so many individuals.
        fitness: when the champion has it on the validation deals.
        stagnation: after so many generations without a new champion.
    """

    generations: Annotated[int, Range(0)] | None = 50
    evaluations: Count | None = None
    fitness: float | None = None
    stagnation: Count | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """Everything that decides the course of a run.

    Attributes:
        game: a game of the registry.
        alphabet: one of the game's alphabets, or one with instructions or sensors added, such as ``bridon+IfSunk``.
        seed: of all chance.
        rules: options of the game, instead of its defaults.
        representation: what only programs of the alphabet's language have: ``Settings`` of ``Evolving``.
        operators: the share of the children that each operator makes; only their proportions matter.
    """

    game: str = DEFAULT_GAME
    alphabet: str = "article"
    seed: Annotated[int, Range(0)] = 1
    rules: Mapping[str, Plain] = field(default_factory=dict)
    representation: Any = field(default_factory=lambda: evolved(DEFAULT_LANGUAGE).Settings())
    population: PopulationSettings = PopulationSettings()
    scheme: SchemeSettings = SchemeSettings()
    operators: Mapping[str, Annotated[float, Range(0.0)]] = field(
        default_factory=lambda: {"constants": 0.2, "subtree": 0.3, "crossover": 0.4, "point": 0.1}
    )
    selection: SelectionSettings = SelectionSettings()
    limits: LimitsSettings = LimitsSettings()
    bloat: BloatSettings = BloatSettings()
    fitness: FitnessSettings = FitnessSettings()
    guide: GuideSettings = GuideSettings()
    race: RaceSettings = RaceSettings()
    islands: IslandsSettings = IslandsSettings()
    refinement: RefinementSettings = RefinementSettings()
    stop: StopSettings = StopSettings()

    @property
    def dialect(self) -> Mapping[str, str]:
        """The switches of the language that are set, if it has dialects."""
        return getattr(self.representation, "dialect", {})


@runtime_checkable
class Evolving(Protocol):
    """Evolution of programs: ``forms.evolution`` of a language.

    ``Settings`` is the class of the table [representation], with a default for every key, and ``representation`` what a
    configuration describes, or a UsageError; ``OPERATORS`` are by name, with how many parents each takes, and ``UNIT``
    is that of sizes. ``place_text`` says where an operator has changed a program, and ``part_text`` what stands there,
    with an IndexError for a place of which there is nothing to tell.
    """

    UNIT: str

    @property
    def Settings(self) -> type[Any]: ...  # noqa: N802
    @property
    def OPERATORS(self) -> Mapping[str, tuple[int, Callable[..., Any]]]: ...  # noqa: N802
    def representation(self, config: Config, game: Game, alphabet: Alphabet) -> Representation[Any]: ...
    def place_text(self, section: str, position: int) -> str: ...
    def part_text(self, program: Any, section: str, position: int) -> str: ...


def evolved(language: str) -> Evolving:
    """The form of a language.

    Raises:
        UsageError: its programs cannot be evolved.
    """
    return form(Evolving, "evolution", language, "evolve {}")


def parse_config(text: str, presets: Mapping[str, Config], filename: str = "<text>") -> Config:
    """The configuration of a TOML text; a key ``preset`` names the values to start from, else those of its ``game``.

    Raises:
        UsageError: not TOML, an unknown key, a wrong type, a value out of range, or values that contradict each other.
    """
    return parse_settings(
        text,
        presets,
        filename,
        read=config_from_data,
        default=Config(),
        implied_by="game",
        elsewhere=OWN_FILE,
    )


def config_from_data(data: Mapping[str, Any], default: Config) -> Config:
    """The configuration of nested mappings, with the values of ``default`` for missing keys.

    Raises:
        UsageError: as for ``parse_config``.
    """
    config = _read(data, default)
    check_tables(config)
    if config.fitness.blocks > config.fitness.deals:
        raise UsageError("fitness.blocks is above fitness.deals")
    if config.guide.blocks > config.guide.deals:
        raise UsageError("guide.blocks is above guide.deals")
    return config


def check_tables(config: Any) -> None:
    """Check that the tables that all configurations have do not contradict each other.

    Raises:
        UsageError: they do.
    """
    size, islands = config.population.size, config.islands
    if config.scheme.elites >= size:
        raise UsageError("scheme.elites must be below population.size")
    if islands.count > 1 and islands.migrants >= size:
        raise UsageError("islands.migrants must be below population.size")
    if islands.count * (size + STEPS) > STRIDE:
        raise UsageError(
            f"islands.count times population.size: at most {STRIDE:,} individuals in a generation can be "
            f"numbered, including {STEPS} refined ones of each island"
        )
    if not sum(config.operators.values()) > 0.0:
        raise UsageError("[operators] needs an operator with a share above 0")


def _read(data: Mapping[str, Any], default: Config) -> Config:
    """The configuration with the table of its representation."""
    try:
        config = from_data(Config, {k: v for k, v in data.items() if k != REPRESENTATION}, default)
        return replace(config, representation=_representation(config, data.get(REPRESENTATION, {})))
    except UnknownKeyError as error:
        languages = [entry.name for entry in all_languages() if has_form(Evolving, "evolution", entry.name)]
        owners = [name for name in languages if error.key in get_type_hints(evolved(name).Settings)]
        if not owners:
            raise
        owner = f"[{REPRESENTATION}] for programs of {' or '.join(owners)}"
        raise UsageError(f"{error.place} has no key `{error.key}`: that belongs to {owner}") from None


def _representation(config: Config, value: Any) -> Any:
    """The table that the language of the alphabet has, with the values of the configuration's if it is of that kind."""
    game: Game = game_of(config.game)
    if not any(primitives.alphabets for primitives in game.offers.values()):
        return config.representation  # which no search comes of
    kind = evolved(language_of_alphabet(game, config.alphabet)).Settings
    known = config.representation if type(config.representation) is kind else kind()
    return from_value(kind, value, known, REPRESENTATION)
