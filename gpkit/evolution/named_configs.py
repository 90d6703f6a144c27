"""Configurations that people name: a preset, or a TOML file."""

import os
import tomllib
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from gpkit.core.diagnostics import nearest, suggestion
from gpkit.core.errors import UsageError, told_as
from gpkit.core.files import read_text
from gpkit.core.registry import LEARNED, shipped_programs
from gpkit.core.settings import NO_SETTINGS, parse_settings, to_data
from gpkit.core.work_folder import Config, is_run
from gpkit.evolution.config import Config as Evolution
from gpkit.evolution.history import read_history
from gpkit.evolution.presets import all_presets
from gpkit.evolution.run_folder import read_run
from gpkit.evolution.setup import check_parts, start_text
from gpkit.evolution.subjects import MOVED, config_from_data, parse_config

OWN_PYTHON = "for a problem or a game of your own, name its file: gpkit evolve FILE.py"
"""Next step of whoever names neither a preset nor a configuration."""


def evolution_config(what: str) -> Evolution:
    """The configuration of a run of evolution.

    Raises:
        UsageError: there is neither such a preset nor a valid file, or it names the game whose rules are learned, or
            evolution on rows.
    """
    check_evolved(what)
    data: Mapping[str, Any] = {"preset": what}
    if what.endswith(".toml"):
        text = read_text(what)
        with suppress(ValueError, RecursionError):  # no TOML, which is said below
            data = tomllib.loads(text)
    if "data" in data or data.get("preset") == "rows":
        raise UsageError(MOVED)
    if "fit" in data:
        raise UsageError(f"{what} is the configuration of a fit: gpkit fit {what}")
    presets = all_presets()
    if what not in presets and is_run(Path(what)):
        raise UsageError(
            f"{what} is the folder of a run; continue it with gpkit evolve --resume --out {what}"
        )
    return named_config(what, presets, _parsed, OWN_PYTHON)


def _parsed(text: str, presets: Mapping[str, Evolution], filename: str) -> Evolution:
    """The configuration of a text, whose parts all exist.

    Raises:
        UsageError: it is none, or names a part that there is not.
    """
    config = parse_config(text, presets, filename)
    with told_as(UsageError, filename, UsageError):
        check_parts(config)
    return config


def fit_tables(data: Any) -> tuple[Any, Mapping[str, Any]]:
    """The table of a fit, and the settings beside it, where ``data`` is a configuration or the file of one.

    Raises:
        UsageError: the file cannot be read, or its settings are not those of a fit.
    """

    def checked(tables: Mapping[str, Any], _usual: Mapping[str, Any]) -> Mapping[str, Any]:
        check_parts(config_from_data({"fit": {}, **tables}))
        return tables

    if isinstance(data, Evolution):
        found: Mapping[str, Any] = to_data(data)
    elif isinstance(data, str | os.PathLike) and os.fspath(data).endswith(".toml"):
        file = os.fspath(data)
        found = parse_settings(read_text(file), {}, file, read=checked, default=NO_SETTINGS)
    else:
        return data, NO_SETTINGS
    return found.get("fit", {}).get("file", ""), found


def overridden(config: Evolution, seed: int | None, generations: int | None) -> Evolution:
    """The configuration with another seed, and another number of generations, where these are given."""
    if seed is not None:
        config = replace(config, seed=seed)
    if generations is not None:
        config = replace(config, stop=replace(config.stop, generations=generations))
    return config


def start_name(name: str, game: str | None) -> str:
    """The name that a run stores of a program to start from: for the folder of a run, the file of its champion.

    Args:
        name: of a program of the game, a file, or a folder.
        game: of the run; None for a table.

    Raises:
        CheckpointError: the run is damaged, or has no champion yet.
    """
    is_shipped = game is not None and name in shipped_programs(game)
    return name if is_shipped or not is_run(Path(name)) else str(read_history(Path(name)).champion_file)


def with_stored_start(config: Evolution, folder: Path) -> Evolution:
    """The configuration with the texts of its programs to start from as the run in a folder has stored them.

    Raises:
        CheckpointError: the folder holds no run, or its description is damaged.
        UsageError: a program has changed since, or the configuration of the run is one of another version.
    """
    table, stored = config.population, read_run(folder)[1].population
    if table.start != stored.start or table.start_texts == stored.start_texts:
        return config
    given = table.start_texts or [None] * len(table.start)
    for name, then, now in zip(stored.start, stored.start_texts, given, strict=True):
        with suppress(UsageError):  # whose file is gone, which is not needed any more
            now = now or start_text(name, config.game or None)
        if now not in (None, then):
            raise UsageError(f"the program {name} has changed since the run started")
    return replace(config, population=replace(table, start_texts=stored.start_texts))


def check_evolved(game: str) -> None:
    """Check that this is not the game whose rules are learned.

    Raises:
        UsageError: it is.
    """
    if game in LEARNED:
        raise UsageError(LEARNED[game].part("learning").NOT_EVOLVED)


def named_config(
    what: str,
    presets: Mapping[str, Config],
    parse: Callable[[str, Mapping[str, Config], str], Config],
    elsewhere: str = "",
) -> Config:
    """The configuration of a preset, or of a file.

    Raises:
        UsageError: there is neither such a preset nor a valid file.
    """
    if what in presets:
        return presets[what]
    if not what.endswith(".toml"):
        more = f"; {elsewhere}" if elsewhere and nearest(what, presets) is None else ""
        raise UsageError(f"`{what}` is neither a .toml file nor a preset; {suggestion(what, presets)}{more}")
    text = read_text(what)
    if not any(line.strip() and not line.strip().startswith("#") for line in text.splitlines()):
        example = next(iter(presets))
        raise UsageError(f"{what} is empty; expected a configuration, such as the line preset = '{example}'")
    return parse(text, presets, what)
