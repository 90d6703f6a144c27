"""Texts to start from: a small program in a language, or a commented configuration with every key."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from gpkit.core.diagnostics import suggestion
from gpkit.core.errors import UsageError
from gpkit.core.registry import (
    LEARNED,
    all_games,
    data_folder,
    game_entry,
    game_of,
    is_game,
    language_entry,
    offers_of,
)
from gpkit.core.settings import template
from gpkit.evolution.config import evolved
from gpkit.evolution.presets import all_presets, shipped_presets
from gpkit.evolution.subjects import MOVED, config_from_data
from gpkit.evolution.tables import LANGUAGES
from gpkit.gamekit.game import Game, language_of_alphabet

CONFIG, FILE, PROBLEM = "config", "game", "problem"
"""Instead of a language: a configuration, the file of a game, and that of a problem of one's own; besides ``fit``."""


def starting_text(language: str, game: str | None, preset: str | None) -> str:
    """The program or the configuration.

    Raises:
        UsageError: there is no such language, game or preset, or they do not go together.
    """
    if language == FILE:
        return (data_folder("programs") / "games" / "nim.py").read_text(encoding="utf-8")
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
            f"programs of {game} are not in {known.name} but in {' or '.join(offers)}: "
            f"gpkit new {next(iter(offers))} --game {game}"
        )
    return str(known.template(offers[known.name]))


def problem_text() -> str:
    """The file of a problem that evolves as it is, and in comments all settings that it can have."""
    text = (data_folder("programs") / "problems" / "curve.py").read_text(encoding="utf-8")
    lines = [line.lstrip("# ") for line in template(config_from_data({"problem": {}})).splitlines()]
    return "\n".join([text + _SETTINGS, *(f"# {line}".rstrip() for line in lines)]) + "\n"


def fit_text(programs: str) -> str:
    """The configuration of a fit by formulas or trees, with every key; table, target and programs stand as they are.

    Raises:
        UsageError: there are no such programs.
    """
    if programs not in LANGUAGES:
        raise UsageError(f"there is no preset `{programs}` of fits; {suggestion(programs, LANGUAGES)}")
    named = {"file": "DATA.csv", "target": "COLUMN", "programs": programs}
    notes = {"operators": _there_are(evolved(LANGUAGES[programs]).OPERATORS)}
    text = template(config_from_data({"fit": named}), notes=notes)
    return _HEAD.format(use="gpkit fit my.toml") + re.sub(r"(?m)^#(?=(file|target|programs) = )", "", text)


_SETTINGS = """
# All settings with their defaults, as TOML writes them: [stop] generations = 20 is {"stop": {"generations": 20}}."""


def config_text(game: str | None, preset: str | None) -> str:
    """The text for a game, or of a preset.

    Args:
        game: of the registry; None for that of the preset, or the first that is evolved.
        preset: None for the one that is called as the game, or plays it best.

    Raises:
        UsageError: there is no such game or preset, or the preset is for another game.
    """
    presets = all_presets()
    name = preset or _preset_of(game)
    learned = {each: game for game, entry in LEARNED.items() for each in entry.part("learning").PRESETS}
    known = [*presets, *learned]
    if name not in known:
        fix = MOVED if name == "rows" else suggestion(name, known)
        raise UsageError(f"there is no preset `{name}`; {fix}")
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
        learning = LEARNED[meant].part("learning")
        config, notes, use = learning.PRESETS[name], learning.notes(), learning.USE
    return f'{_HEAD.format(use=use)}\npreset = "{name}"\n{template(config, notes=notes)}'


_HEAD = """\
# A configuration with every key, for: {use}
# Values are those of the preset; remove a `#` to set one. Tables with names of your own, such as
# shares, are not commented out: what is written there replaces the whole table.
"""


def _preset_of(game: str | None) -> str:
    """The preset that a game is shown by."""
    if game is None:
        return next(name for name, config in all_presets().items() if name == config.game)
    meant = game_entry(game).name
    return str(LEARNED[meant].part("learning").BEST) if meant in LEARNED else meant


def _evolved_notes(game: Game, alphabet: str) -> Mapping[str, str]:
    """The values that keys of a run may have in a game, with programs of the language of an alphabet."""
    language = language_of_alphabet(game, alphabet)
    own = language_entry(language).load().switches
    asked = (*own, *game.offers[language].switches)
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
