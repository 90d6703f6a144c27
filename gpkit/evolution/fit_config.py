"""Configurations of fits: which columns of a table predict which, and how evolution looks for the program that does."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from gpkit.core.codec import Range
from gpkit.core.diagnostics import suggestion
from gpkit.core.errors import UsageError
from gpkit.core.files import STANDARD_INPUT
from gpkit.core.registry import DEFAULT_LANGUAGE, ROWS_LANGUAGE
from gpkit.core.settings import NO_SETTINGS, over
from gpkit.evolution.fronts import FITTEST, RULES
from gpkit.evolution.presets import over_preset
from gpkit.evolution.tables import BloatSettings, Tables

FIT = "fit"
"""The key of the table that only such a configuration has, and of the preset beside a language."""

LANGUAGES = {"formulas": DEFAULT_LANGUAGE, "trees": ROWS_LANGUAGE}
"""The language of each kind of program."""

DESCRIPTION = "description-length"
"""The rule that chooses from the front of a fit unless another is named."""

BALANCED = "balanced"
"""Says that all classes count alike, in place of weights of classes."""

MOVED = "evolution on rows is a fit: gpkit fit FILE --target COLUMN --as tree, in Python gpkit.fit(..., kind='tree')"
"""The answer to the words of `gpkit evolve` for rows of a table, and to what they have made."""

Task = Literal["auto", "regression", "classification"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FitSettings:
    """The table, what is predicted from it, and how.

    Attributes:
        file: a CSV or Parquet file; empty for a table in memory.
        target: the column that is predicted.
        inputs: the columns to predict it from; none are all others.
        without: columns that are left out.
        words: columns of words, even if their cells look like numbers.
        task: whether numbers or classes are predicted; `auto` goes by the target.
        programs: what predicts.
        operators: of formulas.
        held_out: the share of the rows, of each class, that evolution does not see.
        split: a column of words, whose rows `test` are held out; empty if rows are drawn.
        weights: the column of weights of rows; empty if all count alike.
        balanced: whether all classes count alike, however many rows they have.
        class_weights: the weight of classes, by name; others have 1.
        steps: the most steps in which constants are fitted.
        sha256: of the table; empty until it is read.
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
    weights: str = ""
    balanced: bool = False
    class_weights: Mapping[str, Annotated[float, Range(0.0)]] = field(default_factory=dict)
    steps: Annotated[int, Range(0, 1000)] = 10
    sha256: str = ""

    @property
    def language(self) -> str:
        """The language of the programs."""
        return LANGUAGES[self.programs]


@dataclass(frozen=True, slots=True, kw_only=True)
class FitConfig(Tables):
    """Everything that decides the course of a fit; the tables are those of ``Tables``.

    Attributes:
        fit: the table, and what is predicted.
    """

    fit: FitSettings = field(default_factory=FitSettings)
    bloat: BloatSettings = field(default_factory=lambda: BloatSettings(penalty=0.0, free=0))


def fit_config_from_data(data: Mapping[str, Any], default: FitConfig | None = None) -> FitConfig:
    """The configuration of nested mappings, with the values of ``default`` for missing keys.

    Without ``default`` they are those of the table ``fit`` of the presets beside the language of the programs.

    Raises:
        UsageError: an unknown key, a wrong type, a value out of range, or values that contradict each other.
    """
    config = over_preset(data, FitConfig() if default is None else default, FIT)
    rules = [DESCRIPTION, FITTEST, *RULES]
    if config.front.choose not in rules:
        choose = config.front.choose
        raise UsageError(f"front.choose: there is no rule `{choose}`; {suggestion(choose, rules)}")
    if config.fit.balanced and config.fit.class_weights:
        raise UsageError("fit.balanced and fit.class_weights contradict each other: leave one of them out")
    return config


def fit_config_from_words(
    file: str,
    words: Mapping[str, Any],
    settings: Mapping[str, Any] = NO_SETTINGS,
    default: FitConfig | None = None,
) -> FitConfig:
    """The configuration that the words of ``gpkit fit`` describe; what is None or empty is as in the preset.

    Args:
        file: of the table; empty for one in memory.
        words: the options by name; ``class_weights`` are weights by class, or ``BALANCED``.
        settings: tables and keys as in a file, which words go before.
        default: of a run that is resumed, instead of the preset.

    Raises:
        UsageError: as of ``fit_config_from_data``.
    """
    fit: dict[str, Any] = {"file": file} if file else {}
    fit |= {"sha256": ""} if file == STANDARD_INPUT else {}  # read again each time
    if words.get("kind"):
        fit["programs"] = "trees" if words["kind"] == "tree" else "formulas"
    weights = words.get("class_weights")
    if weights == BALANCED:
        fit[BALANCED] = True
    elif weights:
        fit["class_weights"] = weights
    names = ("target", "inputs", "without", "words", "task", "split", "weights", "operators")
    fit |= {name: words[name] for name in names if words.get(name)}
    tables: dict[str, Any] = {FIT: fit}
    if words.get("test") is not None:
        fit["held_out"] = words["test"]
    for table, key, word in (
        ("limits", "size", "size"),
        ("front", "choose", "choose"),
        ("population", "size", "population"),
        ("population", "start", "start"),
        ("stop", "generations", "generations"),
    ):
        if words.get(word) not in (None, ()):
            tables.setdefault(table, {})[key] = words[word]
    if words.get("seed") is not None:
        tables["seed"] = words["seed"]
    return fit_config_from_data(over(tables, settings), default)
