"""The configuration of a run: one strict, frozen table of tables that gpkit reads from TOML and writes back.

Its tables describe populations, schemes, selection, limits, fitness, islands, refinement, rules and subjects.

Ready configurations have names; a game from outside has one with its own name. A game's ready configurations are the
tables of the file ``presets.toml`` in its folder. In the folder of a language, this file has three tables: ``own`` is
for programs in a game from outside, against its default opponents and former champions; ``problem`` is for programs
that solve a problem without a game; ``fit`` is for programs that predict a column. A table has the keys of a
configuration, and ``language``.
"""

import math
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Annotated, Any, Literal, Protocol, TypeVar

from gpkit.core.codec import Plain, Range
from gpkit.core.errors import UsageError
from gpkit.core.plugins import Entry
from gpkit.core.primitives import Alphabet, HostInstruction, PrimitiveSet, Sensor
from gpkit.core.registry import (
    DEFAULT_GAME,
    DEFAULT_LANGUAGE,
    GAMES,
    ROWS_LANGUAGE,
    all_games,
    language_entry,
)
from gpkit.core.settings import from_data
from gpkit.evolution.parts import Part
from gpkit.evolution.problem import STRIDE, Representation
from gpkit.gamekit.game import Game, language_of_alphabet
from gpkit.genomes.tree import LONE_SECTION
from gpkit.langkit.language import form
from gpkit.langkit.operators import operators_named

STEPS = 2
"""The maximum number of steps of one refinement: a simplification and a tuning."""

LANGUAGES = {"formulas": DEFAULT_LANGUAGE, "trees": ROWS_LANGUAGE}
"""The language of each kind of program that predicts."""

DESCRIPTION = "description-length"
"""The rule that chooses from the front of a fit by default."""

Task = Literal["auto", "regression", "classification"]

PROBLEM = "problem"
"""The name of a problem that has no name of its own."""

Count = Annotated[int, Range(1)]
Share = Annotated[float, Range(0.0, 1.0)]


@dataclass(frozen=True, slots=True, kw_only=True)
class PopulationSettings:
    """The first generation.

    Attributes:
        size: individuals on each island.
        start: programs to start from: files, or names of the game's programs; by default all are random.
        start_share: the share of the first generation that are copies of them; each is there at least once.
        mutant_share: the share of the others that are mutants of them; the rest is random.
        start_texts: the programs themselves, as they were when the run began; empty until they are read.
        initialiser: creates the other programs: ``random``, or one of your own.
    """

    size: Annotated[int, Range(2, 100_000)] = 200
    start: tuple[str, ...] = ()
    start_share: Share = 0.0
    mutant_share: Share = 1.0
    start_texts: tuple[str, ...] = ()
    initialiser: str = "random"


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemeSettings:
    """The scheme that makes a generation from the one before.

    Attributes:
        name: ``article``, ``generational``, ``plus`` or ``map-elites``, as in ``gpkit.evolution.schemes``.
        elites: in ``generational``, how many of the best are cloned.
        order: in ``plus``, whether fitness or the Pareto order of the objectives, see [front], decides who stays.
        alike: in the Pareto order of ``plus``, programs count as copies if their errors (1 less the first objective)
            differ by less than about this share and all else is equal; 0: only if equal. The best score must be 1.
        mates: in ``article``, whether the mate of a crossover comes from the same best or from all.
        attempts: how many times to try again when a child breaks the limits or equals its parent.
    """

    name: str = "generational"
    elites: Annotated[int, Range(0)] = 4
    order: Literal["fitness", "pareto"] = "fitness"
    alike: Annotated[float, Range(0.0, 10.0)] = 0.0
    mates: Literal["top", "all"] = "top"
    attempts: Annotated[int, Range(1, 100)] = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectionSettings:
    """Selection of parents; the schemes ``article`` and ``map-elites`` do not use it.

    Attributes:
        name: a selector of ``gpkit.evolution.schemes``.
        size: contestants of a tournament.
        share: the best that ``truncation`` draws from.
        parsimony: in ``double-tournament``, from 1 (size does not matter) to 2 (the smaller of two wins).
        tolerance: in ``lexicase``, in median deviations; 0 is the plain one.
        sample: in ``lexicase``, how many compete for each parent; 0 is the whole population.
    """

    name: str = "tournament"
    size: Annotated[int, Range(1, 1000)] = 5
    share: Annotated[float, Range(0.001, 1.0)] = 0.5
    parsimony: Annotated[float, Range(1.0, 2.0)] = 1.2
    tolerance: Annotated[float, Range(0.0, 100.0)] = 1.0
    sample: Annotated[int, Range(0, 100_000)] = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontSettings:
    """Several objectives: how they are weighed and how the champion is chosen; used if scheme or selection is `pareto`.

    Attributes:
        objectives: of `score`, `size`, `cases` (each one, such as the score against each opponent) and `problem` (what
            the problem returns). By default those of the problem if it returns several, else score and size.
        choose: the champion of the front: `fittest` as without a front, `first` by the first objective, `knee` the
            farthest from the line through the ends, or `one-se` the best by the second objective among those within one
            standard error of the best by the first.
        names: of the objectives that the problem returns, in order.
    """

    objectives: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    choose: str = "fittest"


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitsSettings:
    """Limits on the size of programs; false means no limit.

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
        tarpeian: the probability that a child that is larger than the mean of its parents' generation gets the worst
            fitness without an evaluation.
    """

    penalty: Annotated[float, Range(0.0)] = 0.0004
    free: Annotated[int, Range(0)] = 20
    tarpeian: Share = 0.0

    def cost(self, size: int) -> float:
        """Parsimony pressure: how much a size takes off the score."""
        return self.penalty * max(0, size - self.free)


@dataclass(frozen=True, slots=True, kw_only=True)
class FitnessSettings:
    """Fitness evaluation: the opponents of individuals, and the number of deals.

    Attributes:
        opponents: names of the game's opponents, or program files; all count equally. Default: those of the game.
        deals: how many in each generation; programs play every deal in every seating against every opponent.
        blocks: cases for lexicase selection by opponent and part of the deals.
        hall: the largest number of former champions that join the opponents.
        hall_every: the number of generations after which a champion joins.
        candidates: how many of the best of a generation are compared with the champion on validation deals.
        validation_deals: how many those are, and how many the final score rests on.
        fresh: every generation has its own deals; if not, all play the deals of the first.
        exact: gpkit computes the strength, in games that allow it, and plays no deals.
        exploitability: with ``exact``, the strength against a best response counts, not that against the opponents; it
            is an even share less the exploitability.
    """

    opponents: tuple[str, ...] = ("random", "simple")
    fresh: bool = True
    exact: bool = False
    exploitability: bool = False
    deals: Annotated[int, Range(1, 1_000_000)] = 100
    blocks: Annotated[int, Range(1, 1000)] = 1
    hall: Annotated[int, Range(0, 100)] = 0
    hall_every: Count = 10
    candidates: Annotated[int, Range(1, 1000)] = 2
    validation_deals: Annotated[int, Range(1, 1_000_000)] = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class GuideSettings:
    """Fitness shaping: terms that are added to the score, except in validation.

    Attributes:
        grade: the weight of a game's finer grade, if it has one; the score has the weight 1.
        exercises: other games that individuals also play, each a text of rules such as "fleet=5 found=yes".
        weight: the weight of every exercise.
        deals: how many of every exercise in a generation.
        blocks: parts of the deals of an exercise; each part is a case for lexicase selection.
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
        first: the deals of the first block; every further block doubles the number of deals; 0 stops none.
        keep: the share of the individuals to keep: the others stop when they are clearly worse than the last of these.
        confidence: how many standard errors of the paired difference count as clearly worse.
    """

    first: Annotated[int, Range(0)] = 0
    keep: Annotated[float, Range(0.01, 1.0)] = 0.5
    confidence: Annotated[float, Range(0.0, 10.0)] = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class IslandsSettings:
    """Populations that evolve apart, with migration around the ring.

    Attributes:
        count: how many at first; 1 is one population.
        interval: generations between migrations.
        migrants: how many of the best move on to the next island, where they replace the worst.
        halve: the number of generations after which only the better half of the islands go on, by their fittest
            individual, until one is left; false keeps all.
    """

    count: Annotated[int, Range(1, 1000)] = 1
    interval: Count = 10
    migrants: Annotated[int, Range(0)] = 2
    halve: Count | None = None

    def left(self, generation: int) -> int:
        """The number of islands that are left after this generation.

        Successive halving of K. Jamieson and A. Talwalkar, "Non-stochastic Best Arm Identification and Hyperparameter
        Optimization", 2016, with islands as the arms.

        >>> [IslandsSettings(count=6, halve=20).left(generation) for generation in (0, 19, 20, 40, 60, 6000)]
        [6, 6, 3, 2, 1, 1]
        """
        brackets = 0 if self.halve is None else generation // self.halve
        return max(1, -(-self.count >> min(brackets, self.count)))


@dataclass(frozen=True, slots=True, kw_only=True)
class RefinementSettings:
    """Simplification and tuning of constants, for the best during the run and for the champion at its end.

    Attributes:
        every: the number of generations after which the fittest of each island is refined; false means never.
        newcomers: how many of the newest programs of each island also have their constants fitted then, if the problem
            can fit them; the best come first, and at most a quarter of the population.
        finish: whether the champion is refined at the end.
        simplify: whether programs are simplified first.
        rounds: rounds of tuning by trial; 0 means none, but a fit still fits constants by least squares.
        candidates: variants in each round.
        deals: the deals that they play.
        race: clearly worse variants stop after this many deals of a round, and again whenever the deals have doubled; 0
            lets all of them play to the end.
        confirm: how many of the best of a round play other deals against the incumbent; 0 means none.
    """

    every: Count | None = None
    newcomers: Annotated[int, Range(0, 1000)] = 0
    finish: bool = True
    simplify: bool = True
    rounds: Annotated[int, Range(0, 1000)] = 0
    candidates: Annotated[int, Range(1, 10_000)] = 20
    deals: Annotated[int, Range(1, 1_000_000)] = 300
    race: Annotated[int, Range(0, 1_000_000)] = 0
    confirm: Annotated[int, Range(0, 1000)] = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class StopSettings:
    """Stopping rules; false means no rule. A resumed run may have others.

    Attributes:
        generations: after this many.
        evaluations: after this many individuals.
        fitness: when the champion reaches it on the validation deals.
        stagnation: after this many generations without a new champion.
        rules: your own rules by name, each with the value that it gets.
        callbacks: the names of your own; gpkit calls them after every generation, and they may end the run.
    """

    generations: Annotated[int, Range(0)] | None = 50
    evaluations: Count | None = None
    fitness: float | None = None
    stagnation: Count | None = None
    rules: Mapping[str, Plain] = field(default_factory=dict)
    callbacks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FitSettings:
    """The table, the column to predict, and how to predict it.

    Attributes:
        file: a CSV or Parquet file; empty for a table in memory.
        target: the column that is predicted.
        inputs: the columns to predict it from; by default all others.
        without: columns that are left out.
        words: columns of words, even if their cells look like numbers.
        task: whether numbers or classes are predicted; `auto` goes by the target.
        programs: the kind of program that predicts.
        operators: those that formulas can use: names, or functions such as ``hypot(a, b) = sqrt(a*a + b*b)``.
        held_out: the share of the rows that evolution does not see, the same in each class.
        split: a column of words; rows with the word `test` are held out; empty if rows are drawn.
        group: a column such as a person's name; rows with the same cell are held out or learned from together.
        after: a column of numbers or dates; the latest rows are held out.
        weights: the column with the rows' weights; empty if all rows count equally.
        balanced: whether all classes count equally, no matter how many rows they have.
        class_weights: the weights of classes, by name; other classes have 1.
        steps: the maximum number of steps to fit constants.
        monotone: columns with + or -, such as `dose+ age-`: predictions rise with them, or fall.
        bounds: the smallest and the largest prediction, such as `0..1`, `0..` or `..1`.
        digits: how many digits the constants of the chosen formula keep; false keeps all.
        no_clip: predictions of a formula chosen by `first` may leave the range of the targets by more than its width.
        loss: the loss of a row for numbers: `squares`, `absolute`, `huber:D`, `quantile:Q`, `poisson`, or your own.
        sha256: the table's hash; empty until the table is read.
    """

    file: str = ""
    target: str = ""
    inputs: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    task: Task = "auto"
    programs: Literal["formulas", "trees"] = "formulas"
    operators: tuple[str, ...] = ("+", "-", "*", "/", "sqrt", "log", "exp")
    held_out: Annotated[float, Range(0.0, 0.9)] = 0.25
    split: str = ""
    group: str = ""
    after: str = ""
    weights: str = ""
    balanced: bool = False
    class_weights: Mapping[str, Annotated[float, Range(0.0)]] = field(default_factory=dict)
    steps: Annotated[int, Range(0, 1000)] = 10
    monotone: str = ""
    bounds: str = ""
    digits: Annotated[int, Range(1, 17)] | None = None
    no_clip: bool = False
    loss: str = "squares"
    sha256: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemSettings:
    """The problem, and the parts that its programs are made of.

    Attributes:
        name: the name of the problem.
        language: the language of the programs.
        sensors: what programs read, each with its smallest and its largest value, or without values if they are not
            known.
        operators: inner nodes of formulas: names, or functions such as ``hypot(a, b) = sqrt(a*a + b*b)``.
        constants: the smallest and the largest constant that formulas draw at random.
        sections: the parts of a program; by default it has one.
        actions: what decision trees, plans and sinking programs choose from; trees without actions give numbers.
        lines: the maximum number of lines in each block of instructions.
        seconds: how long one call of the problem may take; false means no limit.
        renewed: scores hold for one generation only, so survivors and the champion are scored again in every one.
        grammar: the grammar of a language of your own, by which its programs are read again without your file.
    """

    name: str = PROBLEM
    language: str = DEFAULT_LANGUAGE
    sensors: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    operators: tuple[str, ...] = ("+", "-", "*", "/")
    constants: tuple[float, ...] = (-5.0, 5.0)
    sections: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()
    lines: Annotated[int, Range(1, 1000)] = 20
    seconds: Annotated[float, Range(0.01)] | None = 60.0
    renewed: bool = False
    grammar: str = ""

    def primitives(self) -> PrimitiveSet:
        """The sensors, operators and actions that programs can use.

        Raises:
            UsageError: an operator does not exist, or bounds are not two numbers in order.
        """
        sensors = tuple(
            Sensor(
                name,
                "a sensor of the problem",
                *_bounds(f"problem.sensors.{name}", bounds),
                integer=False,
                shared=True,
            )
            for name, bounds in self.sensors.items()
        )
        names = tuple(each.name for each in sensors)
        operators = operators_named(self.operators)
        low, high = _bounds("problem.constants", self.constants or (0.0, 0.0))
        alphabet = Alphabet(self.name, names, operators, bool(self.constants), low, high, self.actions)
        sections = self.sections or (LONE_SECTION,)
        return PrimitiveSet(
            "",
            sections,
            sensors,
            (alphabet,),
            tuple(HostInstruction(name, "an action of the problem", acts=True) for name in self.actions),
            capacities=(self.lines,) * len(sections),
            actions=self.actions,
        )


def _bounds(name: str, bounds: Sequence[float]) -> tuple[float, float]:
    """The smallest and the largest value.

    Raises:
        UsageError: they are not two numbers in order.
    """
    if not bounds:
        return -math.inf, math.inf
    if len(bounds) != 2 or not bounds[0] <= bounds[1]:
        raise UsageError(
            f"{name} = {list(bounds)}: expected the smallest and the largest value, such as [-5, 5]"
        )
    return bounds[0], bounds[1]


WITHOUT_ELITES = ("plus", "map-elites")
"""Schemes that do not clone the best."""

REPRESENTATION = "representation"
"""The key of the table that depends on the language."""


OF_GAME = {"with": "game"}
"""Metadata of a field that only configurations with a game have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """Everything that determines a run; a configuration has only the keys that its subject needs.

    Attributes:
        problem: a problem of your own; None if programs do not solve one.
        fit: the table, and the column that programs predict; None if they do not predict a column.
        game: a game of the registry; empty if programs do not play.
        alphabet: one of the game's alphabets, possibly with more instructions or sensors, such as ``bridon+IfSunk``.
        rules: options of the game, instead of its defaults.
        representation: the language's own settings, with the type of its ``Evolving.DEFAULTS``.
        operators: the share of the children that each operator makes; only their proportions matter.
        seed: the seed of all random numbers.
        map: the axes of the map for the scheme ``map-elites``, each with its smallest and largest value, and its number
            of bins: ``size``, ``depth``, ``problem:1``, or ``uses:NAME`` for the share of a sensor or operator.
    """

    problem: ProblemSettings | None = field(default=None, metadata={"with": "problem"})
    fit: FitSettings | None = field(default=None, metadata={"with": "fit"})
    game: str = field(default=DEFAULT_GAME, metadata=OF_GAME)
    alphabet: str = field(default="article", metadata=OF_GAME)
    rules: Mapping[str, Plain] = field(default_factory=dict, metadata=OF_GAME)
    representation: Any = field(default_factory=lambda: evolved(DEFAULT_LANGUAGE).DEFAULTS)
    operators: Mapping[str, Annotated[float, Range(0.0)]] = field(
        default_factory=lambda: {"constants": 0.2, "subtree": 0.3, "crossover": 0.4, "point": 0.1}
    )
    fitness: FitnessSettings = field(default_factory=FitnessSettings, metadata=OF_GAME)
    guide: GuideSettings = field(default_factory=GuideSettings, metadata=OF_GAME)
    race: RaceSettings = field(default_factory=RaceSettings, metadata=OF_GAME)
    seed: Annotated[int, Range(0)] = 1
    population: PopulationSettings = field(default_factory=PopulationSettings)
    scheme: SchemeSettings = field(default_factory=SchemeSettings)
    selection: SelectionSettings = field(default_factory=SelectionSettings)
    front: FrontSettings = field(default_factory=FrontSettings)
    map: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    limits: LimitsSettings = field(default_factory=LimitsSettings)
    bloat: BloatSettings = field(default_factory=BloatSettings)
    islands: IslandsSettings = field(default_factory=IslandsSettings)
    refinement: RefinementSettings = field(default_factory=RefinementSettings)
    stop: StopSettings = field(default_factory=StopSettings)

    @property
    def dialect(self) -> Mapping[str, str]:
        """The language's switches that are set, if it has dialects."""
        return getattr(self.representation, "dialect", {})


Table = TypeVar("Table")


def there(table: Table | None) -> Table:
    """A table of a configuration that is there because the subject of the run needs it."""
    assert table is not None
    return table


def bare(**tables: Any) -> Config:
    """A configuration with these tables, without a game and without a size penalty."""
    free = BloatSettings(penalty=0.0, free=0)
    return Config(game="", alphabet="", representation=None, operators={}, bloat=free, **tables)


class Evolving(Protocol):
    """Evolution of programs: the form ``evolution`` of a language.

    ``DEFAULTS`` is the table [representation] with the default of every key. ``representation`` gives the
    representation that a configuration describes, or raises a UsageError. ``representation_of_problem`` returns the
    representation of programs that use the first alphabet of a primitive set; it raises a UsageError if programs cannot
    spell one of its names, or if no program is small enough. ``OPERATORS`` maps names to operators, and ``UNIT`` is the
    unit of sizes. ``place_text`` says where an operator has changed a program. ``part_text`` gives the text of that
    part; it raises an IndexError if there is nothing to show.
    """

    UNIT: str
    DEFAULTS: Any

    @property
    def OPERATORS(self) -> Mapping[str, Part]: ...  # noqa: N802
    def representation(self, config: Config, game: Game, alphabet: Alphabet) -> Representation[Any]: ...
    def representation_of_problem(
        self, primitives: PrimitiveSet, settings: Any, size: int | None
    ) -> Representation[Any]: ...
    def place_text(self, section: str, position: int) -> str: ...
    def part_text(self, program: Any, section: str, position: int) -> str: ...


def evolved(language: str) -> Evolving:
    """The form ``evolution`` of a language.

    Raises:
        UsageError: gpkit cannot evolve programs in this language.
    """
    return form(language, lambda each: each.evolution(), "evolve {}")


def check_tables(config: Config) -> None:
    """Check that tables do not contradict each other.

    Raises:
        UsageError: they do.
    """
    size, islands = config.population.size, config.islands
    elites = 0 if config.scheme.name in WITHOUT_ELITES else config.scheme.elites
    migrants = islands.migrants if islands.count > 1 else 0
    for name, few in (("scheme.elites", elites), ("islands.migrants", migrants)):
        if few >= size:
            raise UsageError(f"{name} = {few}: expected less than population.size = {size}")
    refined = STEPS + config.refinement.newcomers
    if islands.count * (size + refined) > STRIDE:
        raise UsageError(
            f"islands.count times population.size: at most {STRIDE:,} individuals in a generation can be "
            f"numbered, including {refined} refined ones of each island"
        )
    for name, table in (("fitness", config.fitness), ("guide", config.guide)):
        if table.blocks > table.deals:
            raise UsageError(f"{name}.blocks is above {name}.deals")
    if not sum(config.operators.values()) > 0.0:
        raise UsageError("[operators] needs an operator with a share above 0")


@cache
def tables_beside(entry: Entry) -> Mapping[str, Mapping[str, Any]]:
    """The presets in the folder of a game or a language, as written there."""
    place = entry.file("presets.toml")
    return {} if place is None else tomllib.loads(place.read_text("utf-8"))


def _config(data: Mapping[str, object], game: str, language: str) -> Config:
    """The configuration that a table describes; this imports no game."""
    own = {key: value for key, value in data.items() if key not in ("language", "title")}
    return from_data(Config, own, Config(game=game, representation=evolved(language).DEFAULTS))


@cache
def _tables() -> Mapping[str, tuple[str, Mapping[str, Any]]]:
    """The presets of gpkit's own games by name, each with its game."""
    return {name: (entry.name, data) for entry in GAMES for name, data in tables_beside(entry).items()}


def title_of(preset: str) -> str:
    """A few words about a ready configuration of gpkit's own games; empty for any other name."""
    title: str = _tables()[preset][1]["title"] if preset in _tables() else ""
    return title


@cache
def _shipped(name: str) -> Config:
    """The ready configuration with this name, for one of gpkit's own games."""
    game, data = _tables()[name]
    return _config(data, game, data["language"])


@dataclass(frozen=True, slots=True, eq=False)
class _Ready(Mapping[str, Config]):
    """Ready configurations, made when they are first needed.

    Attributes:
        outside: returns the games from outside by name; a lookup of gpkit's own configurations does not call it.
    """

    outside: Callable[[], Mapping[str, Entry]]

    def _found(self, name: str) -> tuple[Entry | None, str]:
        """The game from outside in a configuration's name, and the alphabet in a name such as ``chomp-trees``."""
        game, _, alphabet = name.rpartition("-")
        outside = self.outside()
        return (outside[name], "") if name in outside else (outside.get(game), alphabet)

    def __getitem__(self, name: str) -> Config:
        """The configuration with this name.

        Raises:
            UsageError: the game has no such alphabet.
        """
        if name in _tables():
            return _shipped(name)
        entry, alphabet = self._found(name)
        if entry is None:
            raise KeyError(name)
        if name in tables_beside(entry):
            return _config(tables_beside(entry)[name], entry.name, tables_beside(entry)[name]["language"])
        game = entry.load()
        openings = game.openings()
        language = language_of_alphabet(game, alphabet) if alphabet else DEFAULT_LANGUAGE
        own = _config(tables_beside(language_entry(language))["own"], entry.name, language)
        rules = {"opening": openings} if openings else {}
        return replace(own, alphabet=alphabet or own.alphabet, rules=rules)

    def __contains__(self, name: object) -> bool:
        return name in _tables() or (isinstance(name, str) and self._found(name)[0] is not None)

    def __iter__(self) -> Iterator[str]:
        return iter([*_tables(), *self.outside()])

    def __len__(self) -> int:
        return len(_tables()) + len(self.outside())


@cache
def shipped_presets() -> Mapping[str, Config]:
    """The ready configurations of gpkit's own games, by name."""
    return _Ready(dict)


def all_presets() -> Mapping[str, Config]:
    """The ready configurations by name, and for each game from outside the one for your own games.

    A name such as ``chomp-trees`` also chooses the alphabet. In games without chance, this configuration mixes openings
    of no, one and two random actions.
    """

    @cache
    def outside() -> Mapping[str, Entry]:
        shipped = {entry.name for entry in GAMES}
        return {each.name: each for each in all_games() if each.origin and each.name not in shipped}

    return _Ready(outside)


def presets_of(game: str, language: str) -> Iterator[tuple[str, Config]]:
    """The names and ready configurations of a game in a language; this loads no other game or language."""
    own = {name: data for name, (owner, data) in _tables().items() if owner == game}
    ready = shipped_presets() if own else all_presets()
    names = [name for name, data in own.items() if data["language"] == language] if own else [game]
    return ((name, ready[name]) for name in names if name in ready)
