"""Configurations of fits from the words of ``gpkit fit``."""

from collections.abc import Mapping
from typing import Any

from gpkit.core.files import STANDARD_INPUT
from gpkit.core.settings import NO_SETTINGS, over
from gpkit.evolution.config import Config
from gpkit.evolution.subjects import config_from_data

BALANCED = "balanced"
"""Says that all classes count alike, in place of weights of classes."""


def fit_config_from_words(
    file: str,
    words: Mapping[str, Any],
    settings: Mapping[str, Any] = NO_SETTINGS,
    default: Config | None = None,
) -> Config:
    """The configuration that the words of ``gpkit fit`` describe; what is None or empty is as in the preset.

    Args:
        file: of the table; empty for one in memory.
        words: the options by name; ``class_weights`` are weights by class, or ``BALANCED``.
        settings: tables and keys as in a file, which words go before.
        default: of a run that is resumed, instead of the preset.

    Raises:
        UsageError: as of ``config_from_data``.
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
    tables: dict[str, Any] = {"fit": fit}
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
    return config_from_data(over(tables, settings), default)
