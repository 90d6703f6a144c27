"""The configuration of a run: one strict, frozen table of tables that is read from TOML and written back."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Protocol, TypeVar, get_type_hints, runtime_checkable

from gpkit.core.codec import Plain, Range
from gpkit.core.errors import UsageError
from gpkit.core.forms import form, has_form
from gpkit.core.primitives import Alphabet
from gpkit.core.registry import DEFAULT_GAME, DEFAULT_LANGUAGE, OWN_FILE, all_languages, game_of
from gpkit.core.settings import UnknownKeyError, from_data, from_value, parse_settings
from gpkit.evolution.individual import STRIDE
from gpkit.evolution.problem import Representation
from gpkit.evolution.tables import (
    STEPS,
    FitnessSettings,
    GuideSettings,
    RaceSettings,
    Tables,
)
from gpkit.gamekit.game import Game, language_of_alphabet

WITHOUT_ELITES = ("plus", "map-elites")
"""Schemes in which none is cloned for being the best."""

REPRESENTATION = "representation"
"""The key of the table that depends on the language."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Config(Tables):
    """Everything that decides the course of a run.

    Attributes:
        game: a game of the registry.
        alphabet: one of the game's alphabets, or one with instructions or sensors added, such as ``bridon+IfSunk``.
        rules: options of the game, instead of its defaults.
    """

    game: str = DEFAULT_GAME
    alphabet: str = "article"
    rules: Mapping[str, Plain] = field(default_factory=dict)
    representation: Any = field(default_factory=lambda: evolved(DEFAULT_LANGUAGE).Settings())
    operators: Mapping[str, Annotated[float, Range(0.0)]] = field(
        default_factory=lambda: {"constants": 0.2, "subtree": 0.3, "crossover": 0.4, "point": 0.1}
    )
    fitness: FitnessSettings = field(default_factory=FitnessSettings)
    guide: GuideSettings = field(default_factory=GuideSettings)
    race: RaceSettings = field(default_factory=RaceSettings)

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


AnyTables = TypeVar("AnyTables", bound=Tables)


def tables_from_data(data: Mapping[str, Any], default: AnyTables) -> AnyTables:
    """The configuration of nested mappings, with the values of ``default`` for missing keys.

    Raises:
        UsageError: as for ``parse_config``.
    """
    others = {key: value for key, value in data.items() if key != REPRESENTATION}
    table = from_value(
        type(default.representation), data.get(REPRESENTATION, {}), default.representation, REPRESENTATION
    )
    config = replace(from_data(type(default), others, default), representation=table)
    check_tables(config)
    return config


def check_tables(config: Any) -> None:
    """Check that the tables that all configurations have do not contradict each other.

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
