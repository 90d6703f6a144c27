"""Configurations from presets or TOML files, and templates to start from.

A template is a small program in a language, or a commented configuration with every key.
"""

import os
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from gpkit.core.diagnostics import check_known, nearest, suggestion
from gpkit.core.errors import UsageError, told_as
from gpkit.core.files import read_text
from gpkit.core.registry import (
    LEARNED,
    all_games,
    data_folder,
    game_entry,
    game_of,
    is_game,
    language_entry,
    offers_of,
    shipped_programs,
)
from gpkit.core.settings import NO_SETTINGS, parse_settings, template, to_data
from gpkit.core.work_folder import Config, is_run
from gpkit.evolution.config import LANGUAGES, all_presets, evolved, shipped_presets
from gpkit.evolution.config import Config as Evolution
from gpkit.evolution.history import read_history
from gpkit.evolution.run_folder import read_run
from gpkit.evolution.setup import check_parts, start_text
from gpkit.evolution.subjects import config_from_data, parse_config
from gpkit.gamekit.forms import learning_of
from gpkit.gamekit.game import Game, language_of_alphabet


def evolution_config(what: str) -> Evolution:
    """The configuration of a run of evolution.

    Raises:
        UsageError: ``what`` is neither a preset nor a valid file, or it is a game whose rules are learned.
    """
    check_evolved(what)
    data: Mapping[str, Any] = {"preset": what}
    if what.endswith(".toml"):
        text = read_text(what)
        with suppress(ValueError, RecursionError):  # not TOML; parsing it below raises the error
            data = tomllib.loads(text)
    if "fit" in data:
        raise UsageError(f"{what} is the configuration of a fit: gpkit fit {what}")
    presets = all_presets()
    if what not in presets and is_run(Path(what)):
        raise UsageError(
            f"{what} is the folder of a run; continue it with gpkit evolve --resume --out {what}"
        )
    advice = "for a problem or a game of your own, name its file: gpkit evolve FILE.py"
    return named_config(what, presets, _parsed, advice)


def _parsed(text: str, presets: Mapping[str, Evolution], filename: str) -> Evolution:
    """Parse the text of a configuration, and check that all its parts exist.

    Raises:
        UsageError: the text is not a configuration, or names a part that does not exist.
    """
    config = parse_config(text, presets, filename)
    with told_as(UsageError, filename, UsageError):
        check_parts(config)
    return config


def fit_tables(data: object) -> tuple[Any, Mapping[str, Any]]:
    """The table and the settings of a fit, if ``data`` is a configuration or a configuration file.

    Raises:
        UsageError: the file cannot be read, or it is not the configuration of a fit.
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
    """The configuration with the given seed and number of generations, if any."""
    if seed is not None:
        config = replace(config, seed=seed)
    if generations is not None:
        config = replace(config, stop=replace(config.stop, generations=generations))
    return config


def start_name(name: str, game: str | None) -> str:
    """The name under which a run stores a program to start from; for a run folder, the file of its champion.

    Args:
        name: a program of the game, a file, or a folder.
        game: the game of the run; None for a table.

    Raises:
        CheckpointError: the run is damaged, or has no champion yet.
    """
    is_shipped = game is not None and name in shipped_programs(game)
    return name if is_shipped or not is_run(Path(name)) else str(read_history(Path(name)).champion_file)


def with_stored_start(config: Evolution, folder: Path) -> Evolution:
    """The configuration with the texts of the start programs that are stored in the run's folder.

    Raises:
        CheckpointError: the folder holds no run, or its description is damaged.
        UsageError: a program has changed since the run started, or another version of gpkit wrote its configuration.
    """
    table, stored = config.population, read_run(folder)[1].population
    if table.start != stored.start or table.start_texts == stored.start_texts:
        return config
    given = table.start_texts or [None] * len(table.start)
    for name, then, now in zip(stored.start, stored.start_texts, given, strict=True):
        with suppress(UsageError):  # its file is gone, and no longer needed
            now = now or start_text(name, config.game or None)
        if now not in (None, then):
            raise UsageError(f"the program {name} has changed since the run started")
    return replace(config, population=replace(table, start_texts=stored.start_texts))


def check_evolved(game: str) -> None:
    """Check that this is not a game whose rules are learned.

    Raises:
        UsageError: it is.
    """
    if game in LEARNED:
        learning = learning_of(game)
        raise UsageError(f"rules for {game} are learned, not evolved: {learning.command(learning.best)}")


def named_config(
    what: str,
    presets: Mapping[str, Config],
    parse: Callable[[str, Mapping[str, Config], str], Config],
    elsewhere: str = "",
) -> Config:
    """The configuration of a preset, or of a file.

    Raises:
        UsageError: ``what`` is neither a preset nor a valid file.
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


CONFIG, FILE, PROBLEM, LANGUAGE = "config", "game", "problem", "language"
"""Values allowed in place of a language: a configuration, or a file for a game, a problem or a language, or ``fit``."""


def starting_text(language: str, game: str | None, preset: str | None) -> str:
    """The template of a program or a configuration.

    Raises:
        UsageError: the language, game or preset does not exist, or they do not match.
    """
    if language == FILE:
        return (data_folder("programs") / "games" / "nim.py").read_text(encoding="utf-8")
    if language == LANGUAGE:
        return (data_folder("programs") / "languages" / "ant.py").read_text(encoding="utf-8")
    if language == CONFIG:
        return config_text(game, preset)
    if language == PROBLEM:
        return problem_text()
    if language == "fit":
        return fit_text(preset or next(iter(LANGUAGES)))
    if preset is not None:
        raise UsageError(f"--preset is for a configuration: gpkit new {CONFIG} --preset {preset}")
    if is_game(language):
        offers = offers_of(language)
        raise UsageError(
            f"{language} is a game; its programs are in {' or '.join(offers)}: "
            f"gpkit new {next(iter(offers))} --game {language}"
        )
    known = language_entry(language).load()
    if game is None:  # the first whose programs usually are in the language, else the first that takes any
        games = {entry.name: list(offers_of(entry.name)) for entry in all_games()}
        fitting = [name for name, languages in games.items() if languages[0] == known.name]
        fitting += [name for name, languages in games.items() if known.name in languages]
        if not fitting:
            return str(known.template(None))
        game = fitting[0]
    offers = offers_of(game)
    if known.name not in offers:
        raise UsageError(
            f"programs for {game} are not written in {known.name} but in {' or '.join(offers)}: "
            f"gpkit new {next(iter(offers))} --game {game}"
        )
    return str(known.template(offers[known.name]))


def problem_text() -> str:
    """A problem file that runs unchanged, with all possible settings in comments."""
    text = (data_folder("programs") / "problems" / "curve.py").read_text(encoding="utf-8")
    lines = [line.lstrip("# ") for line in template(config_from_data({"problem": {}})).splitlines()]
    return "\n".join([text + _SETTINGS, *(f"# {line}".rstrip() for line in lines)]) + "\n"


def fit_text(programs: str) -> str:
    """The configuration of a fit with formulas or trees, with every key; most keys are commented out.

    Raises:
        UsageError: there is no such kind of program.
    """
    if programs not in LANGUAGES:
        raise UsageError(f"there is no preset `{programs}` for fits; {suggestion(programs, LANGUAGES)}")
    named = {"file": "DATA.csv", "target": "COLUMN", "programs": programs}
    text = template(
        config_from_data({"fit": named}),
        notes={"operators": _there_are(evolved(LANGUAGES[programs]).OPERATORS)},
    )
    return _HEAD.format(use="gpkit fit my.toml") + re.sub(r"(?m)^#(?=(file|target|programs) = )", "", text)


_SETTINGS = """
# All settings with their defaults, as TOML writes them: [stop] generations = 20 is {"stop": {"generations": 20}}."""


def config_text(game: str | None, preset: str | None) -> str:
    """The text of a configuration for a game or a preset.

    Args:
        game: a game in the registry; None means the preset's game or, without a preset, the first game that has one.
        preset: a preset; None means the preset named after the game, or the best preset if the game's rules are
            learned.

    Raises:
        UsageError: the game or preset does not exist, or the preset is for another game.
    """
    presets = all_presets()
    name = preset or _preset_of(game)
    learned = {each: game for game in LEARNED for each in learning_of(game).presets}
    known = [*presets, *learned]
    check_known("preset", name, known)
    meant = presets[name].game if name in presets else learned[name]
    if game is not None and meant != game_entry(game).name:
        raise UsageError(f"the preset {name} is for {meant}, not for {game}")
    config: Any
    if name in presets:
        config = presets[name]
        notes, use = _evolved_notes(game_of(meant), presets[name].alphabet), "gpkit evolve my.toml"
        if external := game_entry(meant).origin:
            use += f" --game {external}"
    else:
        learning = learning_of(meant)
        config, notes, use = learning.presets[name], learning.notes, learning.command("my.toml")
    return f'{_HEAD.format(use=use)}\npreset = "{name}"\n{template(config, notes=notes)}'


_HEAD = """\
# A configuration with every key, for: {use}
# Values are those of the preset; remove a `#` to set one. Tables with names of your own, such as
# shares, are not commented out: what is written there replaces the whole table.
"""


def _preset_of(game: str | None) -> str:
    """The default preset of a game."""
    if game is None:
        return next(name for name, config in all_presets().items() if name == config.game)
    meant = game_entry(game).name
    return learning_of(meant).best if meant in LEARNED else meant


def _evolved_notes(game: Game, alphabet: str) -> Mapping[str, str]:
    """Comments that list the possible values of a run's keys, for programs in an alphabet's language."""
    language = language_of_alphabet(game, alphabet)
    asked = (*language_entry(language).load().switches, *game.offers[language].switches)
    players, shipped = [*game.opponents], shipped_presets()
    return {
        "game": _there_are(
            sorted({shipped[name].game if name in shipped else name for name in all_presets()})
        ),
        "alphabet": f"for {game.name} {_there_are(a.name for each in game.offers.values() for a in each.alphabets)}",
        "rules": "\n".join(f"{o.name}: {o.meaning}: {o.expected}" for o in game.all_options),
        "representation.dialect": "\n".join(f"{s.name}: {s.meaning}: {' or '.join(s.values)}" for s in asked),
        "operators": _there_are(evolved(language).OPERATORS),
        "fitness.opponents": _there_are(players),
    }


def _there_are(names: Iterable[str]) -> str:
    return f"there are {', '.join(dict.fromkeys(names))}"
