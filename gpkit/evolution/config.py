"""The configuration of a run: strict, frozen, nested tables that gpkit reads from TOML and writes back.

Its tables describe populations, schemes, selection, limits, fitness, islands, refinement, rules and subjects.

A preset is a configuration with a name. Each external game has one preset, which is named after the game. A game's
presets are the tables of the file ``presets.toml`` in its folder. In the folder of a language, this file has three
tables: ``own`` is for programs that play an external game against its default opponents and former champions;
``problem`` is for programs that solve a problem without a game; ``fit`` is for programs that predict a column. Each
table has the keys of a configuration, plus ``language``.
"""

import math
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
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
"""The maximum number of steps in one refinement: one simplification and one tuning."""

LANGUAGES = {"formulas": DEFAULT_LANGUAGE, "trees": ROWS_LANGUAGE}
"""The language for each kind of program that makes predictions."""

DESCRIPTION = "description-length"
"""The default rule for choosing a program from the front of a fit."""

Task = Literal["auto", "regression", "classification"]

PROBLEM = "problem"
"""The name of a problem that the user has not named."""

Count = Annotated[int, Range(1)]
Share = Annotated[float, Range(0.0, 1.0)]


@dataclass(frozen=True, slots=True, kw_only=True)
class PopulationSettings:
    """The first generation.

    Attributes:
        size: the number of individuals on each island.
        start: programs to start from: files, or names of the game's programs; by default, all programs are random.
        start_share: the share of the first generation that consists of copies of these programs, each at least once.
        mutant_share: the share of the remaining individuals that are mutants of these programs; the rest are random.
        start_texts: the source of these programs when the run began; empty until gpkit has read them.
        initialiser: the function that creates the random programs: ``random``, or your own.
    """

    size: Annotated[int, Range(2, 100_000)] = 200
    start: tuple[str, ...] = ()
    start_share: Share = 0.0
    mutant_share: Share = 1.0
    start_texts: tuple[str, ...] = ()
    initialiser: str = "random"


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemeSettings:
    """The scheme that makes each generation from the previous one.

    Attributes:
        name: ``article``, ``generational``, ``plus`` or ``map-elites``, as in ``gpkit.evolution.schemes``.
        elites: in ``generational``, the number of best individuals to clone.
        order: in ``plus``, whether fitness or the Pareto order of the objectives (see [front]) decides which
            individuals survive.
        alike: in the Pareto order of ``plus``, programs count as copies if their errors (1 minus the first objective)
            differ by less than about this share and everything else is equal. With 0, the errors must be equal, too.
            The best possible score must be 1.
        mates: in ``article``, whether the second parent of a crossover also comes from the best individuals, or from
            all.
        attempts: the maximum number of tries if children break the limits or equal their parents.
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
        name: the name of a selector in ``gpkit.evolution.schemes``.
        size: the number of contestants in a tournament.
        share: the share of the population, best first, from which ``truncation`` draws.
        parsimony: in ``double-tournament``, a number from 1 (size does not matter) to 2 (the smaller program always
            wins).
        tolerance: in ``lexicase``, the tolerance in median absolute deviations; 0 is plain lexicase.
        sample: in ``lexicase``, the number of individuals that compete to be a parent; 0 means the whole population.
    """

    name: str = "tournament"
    size: Annotated[int, Range(1, 1000)] = 5
    share: Annotated[float, Range(0.001, 1.0)] = 0.5
    parsimony: Annotated[float, Range(1.0, 2.0)] = 1.2
    tolerance: Annotated[float, Range(0.0, 100.0)] = 1.0
    sample: Annotated[int, Range(0, 100_000)] = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontSettings:
    """Several objectives, and the choice of the champion; used if the order of the scheme or the selection is `pareto`.

    Attributes:
        objectives: names among `score`, `size`, `cases` (one objective for each case, such as the score against each
            opponent) and `problem` (the objectives that the problem returns). The default is the problem's objectives
            if it returns several, and otherwise score and size.
        choose: the rule for the champion: `fittest` chooses the fittest program, as without a front; `first` chooses
            the best by the first objective; `knee` chooses the program farthest from the line through the ends of the
            front; `one-se` chooses the best by the second objective among the programs within one standard error of the
            best first objective.
        names: the names of the objectives that the problem returns, in order.
    """

    objectives: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    choose: str = "fittest"


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitsSettings:
    """Limits on the size of programs; false means no limit.

    Attributes:
        size: the maximum total number of nodes or lines in all parts of a program.
    """

    size: Annotated[int, Range(1, 100_000)] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BloatSettings:
    """Parsimony pressure.

    Attributes:
        penalty: the amount to subtract from the score for every node or line above ``free``.
        free: the number of nodes or lines that carry no penalty.
        tarpeian: the probability that a child that is larger than the mean of its parents' generation gets the worst
            fitness without an evaluation.
    """

    penalty: Annotated[float, Range(0.0)] = 0.0004
    free: Annotated[int, Range(0)] = 20
    tarpeian: Share = 0.0

    def cost(self, size: int) -> float:
        """The penalty to subtract from the score of a program of this size."""
        return self.penalty * max(0, size - self.free)


@dataclass(frozen=True, slots=True, kw_only=True)
class FitnessSettings:
    """Fitness evaluation: the opponents of individuals, and the number of deals.

    Attributes:
        opponents: names of the game's opponents, or program files; all have equal weight. Default: the game's
            opponents.
        deals: the number of deals in each generation; programs play every deal in every seating against every opponent.
        blocks: the number of parts into which the deals are divided; each part, against each opponent, is a case for
            lexicase selection.
        hall: the maximum number of former champions that join the opponents.
        hall_every: the number of generations after which another champion joins.
        candidates: the number of best individuals of a generation that gpkit compares with the champion on validation
            deals.
        validation_deals: the number of validation deals, and the number of deals for the final score.
        fresh: whether every generation has new deals; if not, all generations play the deals of the first one.
        exact: whether gpkit computes the exact strength instead of playing deals, in games that allow it.
        exploitability: with ``exact``, whether the score is the strength against a best response (an even share minus
            the exploitability) instead of the strength against the opponents.
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
        grade: the weight of a game's finer grade, if it has one; the score has weight 1.
        exercises: variants of the game that individuals also play, each given by its rules, such as "fleet=5
            found=yes".
        weight: the weight of every exercise.
        deals: the number of deals for every exercise in a generation.
        blocks: the number of parts into which an exercise's deals are divided; each part is a case for lexicase
            selection.
    """

    grade: Annotated[float, Range(0.0, 1000.0)] = 0.0
    exercises: tuple[str, ...] = ()
    weight: Annotated[float, Range(0.0, 1000.0)] = 1.0
    deals: Annotated[int, Range(1, 100_000)] = 20
    blocks: Annotated[int, Range(1, 1000)] = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class RaceSettings:
    """Racing, in which clearly bad individuals stop playing early.

    Attributes:
        first: the number of deals in the first block; every further block doubles the number of deals; 0 means no
            racing.
        keep: the share of individuals to keep; the others stop when they are clearly worse than the worst one kept.
        confidence: the number of standard errors of the paired difference that counts as clearly worse.
    """

    first: Annotated[int, Range(0)] = 0
    keep: Annotated[float, Range(0.01, 1.0)] = 0.5
    confidence: Annotated[float, Range(0.0, 10.0)] = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class IslandsSettings:
    """Separately evolving populations, with migration around a ring.

    Attributes:
        count: the number of islands at the start; 1 means a single population.
        interval: the number of generations between migrations.
        migrants: the number of best individuals that migrate to the next island, where they replace the worst
            individuals.
        halve: the number of generations after which only the better half of the islands, by their fittest individuals,
            continue. This repeats until one island is left; false keeps all islands.
    """

    count: Annotated[int, Range(1, 1000)] = 1
    interval: Count = 10
    migrants: Annotated[int, Range(0)] = 2
    halve: Count | None = None

    def left(self, generation: int) -> int:
        """The number of islands that are left after this generation.

        The method is successive halving by Jamieson and Talwalkar, "Non-stochastic Best Arm Identification and
        Hyperparameter Optimization", 2016, with islands as the arms.

        >>> [IslandsSettings(count=6, halve=20).left(generation) for generation in (0, 19, 20, 40, 60, 6000)]
        [6, 6, 3, 2, 1, 1]
        """
        brackets = 0 if self.halve is None else generation // self.halve
        return max(1, -(-self.count >> min(brackets, self.count)))


@dataclass(frozen=True, slots=True, kw_only=True)
class RefinementSettings:
    """Simplification and tuning of constants, for the best individuals during the run and for the champion at the end.

    Attributes:
        every: the number of generations after which the fittest of each island is refined; false means never.
        newcomers: the number of new programs on each island whose constants are also fitted at these times, best
            programs first, if the problem can fit constants. The maximum is a quarter of the population.
        finish: whether to refine the champion at the end.
        simplify: whether to simplify programs first.
        rounds: the number of rounds of tuning by trial and error; if 0, a fit still fits constants by least squares.
        candidates: the number of variants in each round.
        deals: the number of deals that each variant plays.
        race: the number of deals after which clearly worse variants stop; this repeats each time the number of deals
            doubles. With 0, all variants play to the end.
        confirm: the number of best variants of a round that play other deals against the incumbent; 0 means none.
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
    """Stopping rules; false means no rule. A resumed run may have different rules.

    Attributes:
        generations: stop after this many generations.
        evaluations: stop after this many individuals.
        fitness: stop when the champion reaches this fitness on the validation deals.
        stagnation: stop after this many generations without a new champion.
        rules: your own stopping rules by name, each with its value.
        callbacks: the names of your own callbacks; gpkit calls them after every generation, and they may end the run.
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
        target: the column to predict.
        inputs: the columns from which to predict the target; by default, all other columns.
        without: columns to leave out.
        words: columns to read as words, even if their cells look like numbers.
        task: whether to predict numbers or classes; with `auto`, the target determines this.
        programs: the kind of program to use for predictions.
        operators: the operators that formulas can use: names, or functions such as ``hypot(a, b) = sqrt(a*a + b*b)``.
        held_out: the share of the rows to hold out of evolution, the same in each class.
        split: a column of words; rows with the word `test` are held out; empty if gpkit draws the held-out rows.
        group: a column such as a person's name; rows with the same name are either all held out or all kept.
        after: a column of numbers or dates; the latest rows are held out.
        weights: the column with the rows' weights; empty if all rows count equally.
        balanced: whether all classes count equally, no matter how many rows they have.
        class_weights: the weights of classes, by name; other classes have weight 1.
        steps: the maximum number of steps for fitting constants.
        monotone: columns with + or -, such as `dose+ age-`: predictions rise with `dose` and fall with `age`.
        bounds: the smallest and the largest prediction, such as `0..1`, `0..` or `..1`.
        digits: the number of digits to keep in the constants of the chosen formula; false keeps all digits.
        no_clip: whether the predictions of a formula chosen by `first` may exceed the range of the targets by more than
            its width.
        loss: the loss of a row, for predictions of numbers: `squares`, `absolute`, `huber:D`, `quantile:Q`, `poisson`,
            or your own.
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
    """The problem, and the parts from which its programs are made.

    Attributes:
        name: the name of the problem.
        language: the language of the programs.
        sensors: the inputs of programs, each with its smallest and largest value, or without them if they are unknown.
        operators: the inner nodes of formulas: names, or functions such as ``hypot(a, b) = sqrt(a*a + b*b)``.
        constants: the smallest and the largest random constant in formulas.
        sections: the names of the parts of a program; by default, it has one part.
        actions: the actions of decision trees, plans and sinking programs; trees without actions return numbers.
        lines: the maximum number of lines in each block of instructions.
        seconds: the time limit for one call of the problem; false means no limit.
        renewed: whether scores are valid for one generation only; if so, gpkit scores survivors and the champion again
            in each generation.
        grammar: the grammar of your own language, which lets gpkit read the programs without your file.
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
            UsageError: an operator does not exist, or bounds are not two numbers in ascending order.
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
        UsageError: the bounds are not two numbers in ascending order.
    """
    if not bounds:
        return -math.inf, math.inf
    if len(bounds) != 2 or not bounds[0] <= bounds[1]:
        raise UsageError(
            f"{name} = {list(bounds)}: expected the smallest and the largest value, such as [-5, 5]"
        )
    return bounds[0], bounds[1]


REPRESENTATION = "representation"
"""The key of the table that depends on the language."""


OF_GAME = {"with": "game"}
"""The metadata of a field that exists only in configurations with a game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """Everything that determines a run; a configuration contains only the keys that its subject needs.

    Attributes:
        problem: your own problem; None if programs do not solve one.
        fit: the table and the column to predict; None if programs do not predict a column.
        game: a game in the registry; empty if programs do not play a game.
        alphabet: one of the game's alphabets, possibly with additional instructions or sensors, such as
            ``bridon+IfSunk``.
        rules: options of the game that replace its defaults.
        representation: the language's own settings, of the same type as its ``Evolving.DEFAULTS``.
        operators: the share of the children that each operator makes; only the proportions of the shares matter.
        seed: the seed of all random numbers.
        map: the axes of the map for the scheme ``map-elites``: ``size``, ``depth``, ``problem:1``, or ``uses:NAME`` for
            the share of a sensor or operator. Each axis has a smallest and a largest value, and a number of bins.
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
        """The switches of the language's dialect that are set, if it has dialects."""
        return getattr(self.representation, "dialect", {})


Table = TypeVar("Table")


def there(table: Table | None) -> Table:
    """Return the given table, which is not None because the subject of the run needs it."""
    assert table is not None
    return table


def bare(**tables: Any) -> Config:
    """A configuration that contains these tables, but no game and no size penalty."""
    return Config(
        game="",
        alphabet="",
        representation=None,
        operators={},
        bloat=BloatSettings(penalty=0.0, free=0),
        **tables,
    )


class Evolving(Protocol):
    """The evolution of programs in a language: the form ``evolution`` of the language.

    ``DEFAULTS`` is the table [representation] with the default of every key. ``representation`` returns the
    representation that a configuration describes, or raises a UsageError. ``representation_of_problem`` returns the
    representation of programs that use the first alphabet of a primitive set; it raises a UsageError if the language
    cannot write one of the set's names, or if no program is small enough. ``OPERATORS`` maps names to operators, and
    ``UNIT`` is the unit of sizes. ``place_text`` describes the place where an operator has changed a program.
    ``part_text`` returns the text of the program at that place; it raises an IndexError if there is nothing to show.
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
    elites = 0 if config.scheme.name in ("plus", "map-elites") else config.scheme.elites
    migrants = islands.migrants if islands.count > 1 else 0
    for name, few in (("scheme.elites", elites), ("islands.migrants", migrants)):
        if few >= size:
            raise UsageError(f"{name} = {few}: expected less than population.size = {size}")
    refined = STEPS + config.refinement.newcomers
    if islands.count * (size + refined) > STRIDE:
        raise UsageError(
            f"islands.count times population.size: at most {STRIDE:,} individuals in a generation can be "
            f"numbered, including {refined} refined ones from each island"
        )
    for name, table in (("fitness", config.fitness), ("guide", config.guide)):
        if table.blocks > table.deals:
            raise UsageError(f"{name}.blocks is above {name}.deals")
    if not sum(config.operators.values()) > 0.0:
        raise UsageError("[operators] needs an operator with a share above 0")


@cache
def tables_beside(entry: Entry) -> Mapping[str, Mapping[str, Any]]:
    """The presets in the folder of a game or a language, as they are written in the file."""
    place = entry.file("presets.toml")
    return {} if place is None else tomllib.loads(place.read_text("utf-8"))


def _config(data: Mapping[str, object], game: str, language: str) -> Config:
    """The configuration that a table describes; this function imports no game."""
    own = {key: value for key, value in data.items() if key not in ("language", "title")}
    return from_data(Config, own, Config(game=game, representation=evolved(language).DEFAULTS))


@cache
def _tables() -> Mapping[str, tuple[str, Mapping[str, Any]]]:
    """The presets of gpkit's own games by name, each with its game."""
    return {name: (entry.name, data) for entry in GAMES for name, data in tables_beside(entry).items()}


def title_of(preset: str) -> str:
    """The title of the preset with this name, if it is for one of gpkit's own games; otherwise empty."""
    return _tables()[preset][1]["title"] if preset in _tables() else ""


@cache
def _shipped(name: str) -> Config:
    """The preset with this name, for one of gpkit's own games."""
    game, data = _tables()[name]
    return _config(data, game, data["language"])


class _Ready(Mapping[str, Config]):
    """Presets, created when they are first needed; external games are only looked up for the others' names."""

    @cached_property
    def _outside(self) -> Mapping[str, Entry]:
        shipped = {entry.name for entry in GAMES}
        return {each.name: each for each in all_games() if each.origin and each.name not in shipped}

    def __getitem__(self, name: str) -> Config:
        """The preset with this name.

        Raises:
            UsageError: the game has no such alphabet.
        """
        if name in _tables():
            return _shipped(name)
        game_name, _, alphabet = name.rpartition("-")
        if (entry := self._outside.get(name)) is not None:
            alphabet = ""
        elif (entry := self._outside.get(game_name)) is None:
            raise KeyError(name)
        if name in tables_beside(entry):
            return _config(tables_beside(entry)[name], entry.name, tables_beside(entry)[name]["language"])
        game = entry.load()
        openings = game.openings()
        language = language_of_alphabet(game, alphabet) if alphabet else DEFAULT_LANGUAGE
        own = _config(tables_beside(language_entry(language))["own"], entry.name, language)
        return replace(
            own, alphabet=alphabet or own.alphabet, rules={"opening": openings} if openings else {}
        )

    def __iter__(self) -> Iterator[str]:
        return iter([*_tables(), *self._outside])

    def __len__(self) -> int:
        return len(_tables()) + len(self._outside)


class _Shipped(_Ready):
    """The presets of gpkit's own games."""

    _outside: Mapping[str, Entry] = {}


@cache
def shipped_presets() -> Mapping[str, Config]:
    """The presets of gpkit's own games, by name."""
    return _Shipped()


def all_presets() -> Mapping[str, Config]:
    """All presets by name, including one for each external game.

    A preset name such as ``chomp-trees`` also chooses the alphabet. For external games without chance, this preset
    mixes openings of zero, one and two random actions.
    """
    return _Ready()


def presets_of(game: str, language: str) -> Iterator[tuple[str, Config]]:
    """The presets of a game in a language, by name; this function loads no other game or language."""
    own = {name: data for name, (owner, data) in _tables().items() if owner == game}
    ready = all_presets()
    names = [name for name, data in own.items() if data["language"] == language] if own else [game]
    return ((name, ready[name]) for name in names if name in ready)
