"""The subjects of runs, which the keys of a configuration determine, and functions to read configurations."""

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any, get_type_hints

from gpkit.core.errors import UsageError
from gpkit.core.files import STANDARD_INPUT
from gpkit.core.registry import OWN_FILE, all_languages, language_entry
from gpkit.core.settings import NO_SETTINGS, UnknownKeyError, from_data, over, parse_settings
from gpkit.evolution.config import (
    REPRESENTATION,
    Config,
    FitSettings,
    ProblemSettings,
    bare,
    check_tables,
    evolved,
    tables_beside,
)
from gpkit.evolution.parts import NO_PARTS, Parts
from gpkit.gamekit.game import Game
from gpkit.gamekit.players import Player
from gpkit.langkit.language import form_of
from gpkit.playing.players import player_of_name

if TYPE_CHECKING:
    from gpkit.evolution.problem_subject import Scorer

SUBJECTS = {"problem": "problem_subject", "fit": "table_subject", "game": "game_subject"}
"""The modules of subjects, by the key that occurs only in their configurations.

In each module, ``language_named`` returns the language of a configuration's programs, and ``subject_from`` returns its
subject. A run imports only the module of its own subject.
"""

USUAL: Mapping[str, Config] = {"problem": bare(problem=ProblemSettings()), "fit": bare(fit=FitSettings())}
"""The default configurations of problems and fits, which the preset in the language's folder completes."""


def resolve(
    config: Config,
    opponent: Callable[[str, Game], Player] = player_of_name,
    own: Parts = NO_PARTS,
    scorer: "Scorer | None" = None,
) -> Any:
    """The ``Subject`` of a configuration; if it is a table, its rows have not been read yet.

    Args:
        config: the configuration.
        opponent: returns the player with this name; callers in layers above ``evolution`` also accept program files.
        own: parts passed as arguments.
        scorer: returns the scores of a problem; None if gpkit only reads the folder of a run.

    Raises:
        UsageError: a game, rule, alphabet, language or operator is unknown, or a program to start from cannot be read.
        LimitError: a program to start from is too large.
    """
    return replace(subject_module(config).subject_from(config, opponent, scorer), own=own)


def subject_module(config: Config) -> Any:
    """The module from ``SUBJECTS`` for a configuration."""
    key = next(key for key in SUBJECTS if getattr(config, key))
    return import_module(f"gpkit.evolution.{SUBJECTS[key]}")


def parse_config(text: str, presets: Mapping[str, Config], filename: str = "<text>") -> Config:
    """Parse a configuration from TOML; its ``preset`` or, without one, its ``game`` gives the values of missing keys.

    Raises:
        UsageError: the text is not valid TOML, a key is unknown, a value has the wrong type or is out of range, or
            values contradict each other.
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


def config_from_data(data: Mapping[str, object], default: Config | None = None) -> Config:
    """The configuration in nested mappings, with the values of ``default`` for missing keys.

    Without ``default``, missing keys get their default values; for problems and fits, these come from the preset in the
    language's folder.

    Raises:
        UsageError: in the same cases as for ``parse_config``.
    """
    new = (usual for key, usual in USUAL.items() if key in data and not getattr(default, key, None))
    try:
        config = _read(data, next(new, default) or Config())
    except UnknownKeyError as error:
        languages = [entry.name for entry in all_languages()]
        forms = {name: form_of(name, lambda each: each.evolution()) for name in languages}
        owners = [
            name for name, each in forms.items() if each and error.key in get_type_hints(type(each.DEFAULTS))
        ]
        if not owners:
            raise
        owner = f"[{REPRESENTATION}] for programs of {' or '.join(owners)}"
        raise UsageError(f"{error.place} has no key `{error.key}`: that belongs to {owner}") from None
    check_tables(config)
    return config


def _read(data: Mapping[str, Any], default: Config) -> Config:
    """The configuration in nested mappings, with the table [representation] of its programs' language."""
    plain = from_data(Config, {key: data[key] for key in data if key != REPRESENTATION}, default)
    language = subject_module(default).language_named(plain)
    if not language:
        return plain  # no search can use it
    table = evolved(language).DEFAULTS  # loads the language, which may be declared in its module
    entry = language_entry(language)
    if type(default.representation) is not type(table):
        default = replace(default, representation=table)
        if entry.origin and (shares := tables_beside(entry).get("problem", {}).get("operators")):
            default = replace(default, operators=shares)
        for key in (each for each in USUAL if getattr(default, each)):
            default = from_data(Config, tables_beside(entry).get(key, {}), replace(default, operators={}))
    return from_data(Config, data, default)


PLACES = {
    "test": ("fit", "held_out"),
    "size": ("limits", "size"),
    "choose": ("front", "choose"),
    "population": ("population", "size"),
    "generations": ("stop", "generations"),
}
"""The table and the key that some arguments of ``gpkit.fit`` set; the others set the key of [fit] with their name."""


def fit_config(
    given: Mapping[str, object], settings: Mapping[str, object] = NO_SETTINGS, default: Config | None = None
) -> Config:
    """The configuration from arguments of ``gpkit.fit``; None, False and empty values keep the preset's value.

    Args:
        given: the arguments, by the keys of [fit] or of ``PLACES``; ``file`` is the path of the table.
        settings: tables and keys as in a configuration file; the arguments override them.
        default: the configuration of a resumed run, instead of the preset.

    Raises:
        UsageError: in the same cases as for ``config_from_data``.
    """
    places = {**{each.name: ("fit", each.name) for each in fields(FitSettings)}, **PLACES}
    tables: dict[str, dict[str, Any]] = {"fit": {}}
    for name, (table, key) in places.items():
        value = given.get(name)
        if value is not None and value is not False and not (hasattr(value, "__len__") and not len(value)):
            tables.setdefault(table, {})[key] = value
    if given.get("file") == STANDARD_INPUT:
        tables["fit"]["sha256"] = ""  # read again each time
    seed = {} if given.get("seed") is None else {"seed": given["seed"]}
    return config_from_data(over({**tables, **seed}, settings), default)
