"""The configuration of a run of evolution on the rows of a table: no game is played."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any

from gpkit.core.errors import UsageError
from gpkit.core.registry import ROWS_LANGUAGE
from gpkit.core.settings import Range, from_data, from_value, parse_settings
from gpkit.evolution.config import (
    REPRESENTATION,
    BloatSettings,
    Config,
    GuideSettings,
    IslandsSettings,
    LimitsSettings,
    PopulationSettings,
    RefinementSettings,
    SchemeSettings,
    SelectionSettings,
    StopSettings,
    evolved,
)

DATA = "data"
"""The key of the table that only such a configuration has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DataSettings:
    """The rows, and which of them are held out.

    Attributes:
        file: a CSV file whose first line names its columns.
        target: the column that holds the class of each row.
        inputs: the columns that trees test; none are all others.
        held_out: the share of the rows of each class that evolution does not see.
        sha256: of the rows; empty until they are read.
    """

    file: str = ""
    target: str = ""
    inputs: tuple[str, ...] = ()
    held_out: Annotated[float, Range(0.0, 0.9)] = 0.25
    sha256: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RowsConfig:
    """Everything that decides the course of a run on rows; the tables are those of ``Config``.

    Attributes:
        seed: of all chance, which rows are held out included.
        operators: the share of the children that each operator makes; only their proportions matter.
    """

    seed: Annotated[int, Range(0)] = 1
    data: DataSettings = DataSettings()
    representation: Any = field(
        default_factory=lambda: evolved(ROWS_LANGUAGE).Settings(max_leaves=8, max_depth=8)
    )
    population: PopulationSettings = field(default_factory=PopulationSettings)
    scheme: SchemeSettings = field(default_factory=SchemeSettings)
    operators: Mapping[str, Annotated[float, Range(0.0)]] = field(
        default_factory=lambda: {
            "branch": 0.2,
            "crossover": 0.3,
            "hoist": 0.05,
            "prune": 0.05,
            "scale": 0.05,
            "step": 0.15,
            "feature": 0.1,
            "leaf": 0.1,
        }
    )
    selection: SelectionSettings = field(default_factory=lambda: SelectionSettings(size=4))
    limits: LimitsSettings = field(default_factory=LimitsSettings)
    bloat: BloatSettings = field(default_factory=lambda: BloatSettings(penalty=0.0002, free=0))
    islands: IslandsSettings = field(default_factory=IslandsSettings)
    refinement: RefinementSettings = field(default_factory=RefinementSettings)
    stop: StopSettings = field(default_factory=StopSettings)

    @property
    def guide(self) -> GuideSettings:
        """Fitness shaping: none."""
        return GuideSettings()


AnyConfig = Config | RowsConfig
"""The configuration of any run of evolution."""

ROWS = RowsConfig()
"""Trees of at most eight leaves, in seconds for some hundred rows."""

ROWS_PRESETS: Mapping[str, RowsConfig] = {"rows": ROWS}


def parse_rows_config(text: str, filename: str = "<text>") -> RowsConfig:
    """The configuration of a TOML text.

    Raises:
        UsageError: not TOML, an unknown key, a wrong type, a value out of range, or values that contradict each other.
    """
    return parse_settings(text, ROWS_PRESETS, filename, read=rows_config_from_data, default=ROWS)


def rows_config_from_data(data: Mapping[str, Any], default: RowsConfig = ROWS) -> RowsConfig:
    """The configuration of nested mappings, with the values of ``default`` for missing keys.

    Raises:
        UsageError: as for ``parse_rows_config``.
    """
    others = {key: value for key, value in data.items() if key != REPRESENTATION}
    config = from_data(RowsConfig, others, default)
    known = config.representation
    config = replace(
        config, representation=from_value(type(known), data.get(REPRESENTATION, {}), known, REPRESENTATION)
    )
    if config.scheme.elites >= config.population.size:
        raise UsageError("scheme.elites must be below population.size")
    if config.islands.count > 1 and config.islands.migrants >= config.population.size:
        raise UsageError("islands.migrants must be below population.size")
    if config.representation.start:
        raise UsageError("representation.start: programs to start from are those of a game")
    if not sum(config.operators.values()) > 0.0:
        raise UsageError("[operators] needs an operator with a share above 0")
    return config


def with_rows(config: RowsConfig, file: str | None, target: str | None) -> RowsConfig:
    """The configuration with other rows, where these are given.

    Raises:
        UsageError: it then names no file.
    """
    data = config.data
    if file is not None and file != data.file:
        data = replace(data, file=file, sha256="")
    if target is not None:
        data = replace(data, target=target)
    if not data.file:
        raise UsageError("name the rows: --data FILE --target COLUMN, or [data] file and target")
    return replace(config, data=data)
