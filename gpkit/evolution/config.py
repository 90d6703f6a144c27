"""The configuration of a run: one strict, frozen table of tables that is read from TOML and written back."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Protocol, TypeVar, runtime_checkable

from gpkit.core.codec import Plain, Range
from gpkit.core.errors import UsageError
from gpkit.core.primitives import Alphabet
from gpkit.core.registry import DEFAULT_GAME, DEFAULT_LANGUAGE, form
from gpkit.evolution.individual import STRIDE
from gpkit.evolution.parts import Part
from gpkit.evolution.problem import Representation
from gpkit.evolution.tables import (
    STEPS,
    BloatSettings,
    FitnessSettings,
    FitSettings,
    FrontSettings,
    GuideSettings,
    IslandsSettings,
    LimitsSettings,
    PopulationSettings,
    ProblemSettings,
    RaceSettings,
    RefinementSettings,
    SchemeSettings,
    SelectionSettings,
    StopSettings,
)
from gpkit.gamekit.game import Game

WITHOUT_ELITES = ("plus", "map-elites")
"""Schemes in which none is cloned for being the best."""

REPRESENTATION = "representation"
"""The key of the table that depends on the language."""


OF_GAME = {"with": "game"}
"""Metadata of a field that is a key only in configurations with a game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """Everything that decides the course of a run; a configuration has only the keys that its subject needs.

    Attributes:
        problem: a problem of your own; None if programs do not solve one.
        fit: the table, and the column that programs predict; None if they do not predict.
        game: a game of the registry; empty if programs do not play.
        alphabet: one of the game's alphabets, or one with instructions or sensors added, such as ``bridon+IfSunk``.
        rules: options of the game, instead of its defaults.
        representation: what only programs of the language have: ``Settings`` of ``Evolving``.
        operators: the share of the children that each operator makes; only their proportions matter.
        seed: of all chance.
        map: of the scheme ``map-elites``, the axes of its map, each with its least and greatest value and its number of
            bins: ``size``, ``depth``, ``problem:1``, or ``uses:NAME`` for the share of a sensor or operator.
    """

    problem: ProblemSettings | None = field(default=None, metadata={"with": "problem"})
    fit: FitSettings | None = field(default=None, metadata={"with": "fit"})
    game: str = field(default=DEFAULT_GAME, metadata=OF_GAME)
    alphabet: str = field(default="article", metadata=OF_GAME)
    rules: Mapping[str, Plain] = field(default_factory=dict, metadata=OF_GAME)
    representation: Any = field(default_factory=lambda: evolved(DEFAULT_LANGUAGE).Settings())
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
        """The switches of the language that are set, if it has dialects."""
        return getattr(self.representation, "dialect", {})


Table = TypeVar("Table")


def there(table: Table | None) -> Table:
    """A table of a configuration; it is not None, because the subject of the run needs it."""
    assert table is not None
    return table


def bare(**tables: Any) -> Config:
    """A configuration with these tables, without a game and without a penalty for size."""
    free = BloatSettings(penalty=0.0, free=0)
    return Config(game="", alphabet="", representation=None, operators={}, bloat=free, **tables)


@runtime_checkable
class Evolving(Protocol):
    """Evolution of programs: ``forms.evolution`` of a language.

    ``Settings`` is the class of the table [representation], with a default for every key. ``representation`` gives the
    representation that a configuration describes, or raises a UsageError. ``OPERATORS`` maps names to operators, and
    ``UNIT`` is the unit of sizes. ``place_text`` says where an operator has changed a program, and ``part_text`` what
    stands there, with an IndexError for a place of which there is nothing to tell.
    """

    UNIT: str

    @property
    def Settings(self) -> type[Any]: ...  # noqa: N802
    @property
    def OPERATORS(self) -> Mapping[str, Part]: ...  # noqa: N802
    def representation(self, config: Config, game: Game, alphabet: Alphabet) -> Representation[Any]: ...
    def place_text(self, section: str, position: int) -> str: ...
    def part_text(self, program: Any, section: str, position: int) -> str: ...


def evolved(language: str) -> Evolving:
    """The form of a language.

    Raises:
        UsageError: its programs cannot be evolved.
    """
    return form(Evolving, "evolution", language, "evolve {}")


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
