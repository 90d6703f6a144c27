"""Subjects of runs, chosen by the keys of a configuration; configurations from data, and their runs."""

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from typing import Any, get_type_hints

from gpkit.core.errors import UsageError
from gpkit.core.files import STANDARD_INPUT
from gpkit.core.registry import OWN_FILE, all_languages, has_form, language_entry
from gpkit.core.settings import NO_SETTINGS, UnknownKeyError, from_data, over, parse_settings
from gpkit.evolution import game_subject, problem_subject, table_subject
from gpkit.evolution.config import REPRESENTATION, Config, Evolving, bare, check_tables, evolved
from gpkit.evolution.parts import NO_PARTS, Parts
from gpkit.evolution.presets import tables_beside
from gpkit.evolution.setup import Run
from gpkit.evolution.tables import FitSettings, ProblemSettings
from gpkit.gamekit.game import Game
from gpkit.gamekit.players import Player
from gpkit.playing.players import player_of_name

SUBJECTS: Mapping[str, Any] = {"problem": problem_subject, "fit": table_subject, "game": game_subject}
"""The modules of subjects, by the key that only their configurations have.

In each, ``language_named`` names the language of the programs of a configuration, and ``subject_from`` gives its
subject.
"""

MOVED = "evolution on rows is a fit: gpkit fit FILE --target COLUMN --as tree, in Python gpkit.fit(..., kind='tree')"
"""The message about former options of `gpkit evolve` for tables, and about runs that were started with them."""

USUAL: Mapping[str, Config] = {"problem": bare(problem=ProblemSettings()), "fit": bare(fit=FitSettings())}
"""The usual configurations of problems and fits, which the preset beside the language of the programs completes."""


def resolve(
    config: Config,
    opponent: Callable[[str, Game], Player] = player_of_name,
    own: Parts = NO_PARTS,
    scorer: problem_subject.Scorer | None = None,
) -> Run[Any]:
    """The run of a configuration; if it is a fit, its rows have not been read yet.

    Args:
        config: the configuration.
        opponent: gives the player of an opponent's name; callers above ``evolution`` read program files, too.
        own: parts that were given by argument.
        scorer: gives the scores of a problem; None where only the folder of a run is read.

    Raises:
        UsageError: an unknown game, rule, alphabet, language or operator, or a program to start from that cannot be
            read.
        LimitError: such a program is too large.
    """
    return Run(SUBJECTS[key_of(config)].subject_from(config, opponent, scorer), own=own)


def key_of(config: Config) -> str:
    """The key of ``SUBJECTS`` that says what a configuration is about."""
    return next(key for key in SUBJECTS if getattr(config, key))


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


def config_from_data(data: Mapping[str, Any], default: Config | None = None) -> Config:
    """The configuration of nested mappings, with the values of ``default`` for missing keys.

    Without ``default``, missing keys have their usual values; for problems and fits, these come from the preset beside
    the language of the programs.

    Raises:
        UsageError: as for ``parse_config``.
    """
    if "data" in data:
        raise UsageError(MOVED)
    new = (usual for key, usual in USUAL.items() if key in data and not getattr(default, key, None))
    try:
        config = _read(data, next(new, default) or Config())
    except UnknownKeyError as error:
        languages = [entry.name for entry in all_languages() if has_form(Evolving, "evolution", entry.name)]
        owners = [name for name in languages if error.key in get_type_hints(evolved(name).Settings)]
        if not owners:
            raise
        owner = f"[{REPRESENTATION}] for programs of {' or '.join(owners)}"
        raise UsageError(f"{error.place} has no key `{error.key}`: that belongs to {owner}") from None
    check_tables(config)
    return config


def _read(data: Mapping[str, Any], default: Config) -> Config:
    """The configuration of nested mappings, with the table [representation] of the language of its programs."""
    plain = from_data(Config, {key: data[key] for key in data if key != REPRESENTATION}, default)
    key = key_of(default)
    language = SUBJECTS[key].language_named(plain)
    if not language:
        return plain  # which no search comes of
    entry, table = language_entry(language), evolved(language).Settings
    if type(default.representation) is not table:
        default = replace(default, representation=table())
        if key in USUAL:
            beside = tables_beside(entry).get(key, {})
            default = from_data(Config, beside, replace(default, operators={}))
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
    given: Mapping[str, Any], settings: Mapping[str, Any] = NO_SETTINGS, default: Config | None = None
) -> Config:
    """The configuration that arguments of ``gpkit.fit`` describe; None, False and empty values leave the preset's.

    Args:
        given: the arguments, by the names of keys of [fit] or of ``PLACES``; ``file`` is the path of the table.
        settings: tables and keys as in a file; arguments override them.
        default: the configuration of a resumed run, instead of the preset.

    Raises:
        UsageError: as for ``config_from_data``.
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
