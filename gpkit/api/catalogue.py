"""Catalogues of games, languages, opponents, rules, sensors, programs and so on, one for each kind.

Shell completion reads an index of the catalogues from the cache folder, so gpkit imports no games while you type.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpkit.core.cache_folder import PRIVATE, base_folder
from gpkit.core.errors import GpkitError
from gpkit.core.plugins import Entry
from gpkit.core.registry import (
    GAMES,
    LEARNED,
    all_games,
    all_languages,
    papers,
    shipped_levels,
    shipped_programs,
)
from gpkit.core.wording import VERSION, first_line
from gpkit.gamekit.forms import learning_of
from gpkit.langkit.language import form_of

if TYPE_CHECKING:
    from gpkit.gamekit.game import Game

Row = dict[str, str]


def _games(games: Sequence[Entry]) -> list[Row]:
    """The games."""
    return [{"name": entry.name, "title": entry.title} for entry in games]


def _languages(games: Sequence[Entry]) -> list[Row]:
    """The languages in which programs are written, and the commands that accept them."""
    return [
        {"name": entry.name, "suffix": entry.suffix, "title": entry.title}
        | {what: "yes" if can else "no" for what, can in capabilities(entry.name).items()}
        for entry in all_languages()
    ]


def capabilities(language: str) -> Mapping[str, bool]:
    """For each command, whether it accepts programs in a language; this depends on games and the language's forms."""
    from gpkit.export.registry import EXPORTERS, checkable

    games = [game for entry in all_games() if language in (game := entry.load()).offers]
    drawing = form_of(language, lambda each: each.draw())
    return {
        "check": True,
        "fmt": True,
        "run": bool(games),
        "trace": any(each.choose is not None for each in games),
        "evolve": form_of(language, lambda each: each.evolution()) is not None,
        "draw": drawing is not None,
        "draw --diff": drawing is not None and drawing.change is not None,
        "draw --trace": drawing is not None and drawing.traced is not None,
        **{f"export --to {each.name}": bool(each.modes_of(language)) for each in EXPORTERS},
        "export --to tree": form_of(language, lambda each: each.json()) is not None,
        **{f"export --to {each.name} --check": each.name in checkable(language) for each in EXPORTERS},
    }


def _members(games: Sequence[Entry]) -> list[Row]:
    """The members of the states of games in a file, for `gpkit.game`."""
    from gpkit.gamekit.state import MEMBERS, State

    needed = {name: "yes" if hasattr(State, name) else "no" for name in MEMBERS}
    return [
        {"name": name, "required": needed[name], "meaning": meaning} for name, (meaning, _) in MEMBERS.items()
    ]


def _papers(games: Sequence[Entry]) -> list[Row]:
    """The papers whose results `gpkit paper` reproduces."""
    return [{"name": entry.name, "title": entry.title} for entry in papers()]


def _operators(games: Sequence[Entry]) -> list[Row]:
    """The operators of formulas."""
    return [dict(row) for each in _languages_of(games) for row in each.listed.get("operators", ())]


def _languages_of(games: Sequence[Entry]) -> list[Any]:
    """The languages of programs that play at least one of these games."""
    offered = [entry.load().offers for entry in games]
    return [entry.load() for entry in all_languages() if any(entry.name in each for each in offered)]


def _opponents(games: Sequence[Entry]) -> list[Row]:
    """Players that you can name as opponents."""
    from gpkit.playing.players import opponent_source

    def players(game: "Game") -> Iterator[tuple[str, str, str]]:
        for name in (*shipped_levels(game.name), *game.programs):
            kind = "program" if name in game.programs else "level"
            yield name, kind, opponent_source(name, game)[0].header.get("title", "")
        yield from ((name, "built in", builtin.title) for name, builtin in game.builtins.items())
        yield from ((name, "placement", title) for name, title in game.placements.items())

    return [
        {"name": name, "game": game.name, "kind": kind, "title": title}
        for game in (entry.load() for entry in games)
        for name, kind, title in players(game)
    ]


def _rules(games: Sequence[Entry]) -> list[Row]:
    """The game rules that `--rules` can set."""
    return [
        {
            "name": option.name,
            "game": game.name,
            "default": defaults.get(option.name, next(iter(option.choices), "")),
            "values": option.expected,
            "meaning": option.meaning,
        }
        for game in (entry.load() for entry in games)
        for defaults in (game.make_rules({}).to_options(),)
        for option in game.all_options
    ]


def _sensors(games: Sequence[Entry]) -> list[Row]:
    """The numbers that programs can read."""
    return [
        {
            "name": s.name,
            "game": game.name,
            "range": f"{s.low:g} to {s.high:g}",
            "shared": "yes" if s.shared else "no",
            "meaning": s.meaning,
        }
        for game in (entry.load() for entry in games)
        for s in dict.fromkeys(sensor for each in game.offers.values() for sensor in each.sensors)
    ]


def _facts(games: Sequence[Entry]) -> list[Row]:
    """The facts that conditions of `gpkit trace --until` can use, in addition to sensors."""
    from gpkit.gamekit.facts import USUAL  # imported late: only lists of facts need it

    own = [(game.name, each) for game in (entry.load() for entry in games) for each in game.facts]
    return [
        {"name": each.name, "game": game, "kind": each.kind, "meaning": each.meaning}
        for game, each in (*(("any", each) for each in USUAL), *own)
    ]


def _instructions(games: Sequence[Entry]) -> list[Row]:
    """The instructions of sinking programs and plans."""
    found = [dict(row) for each in _languages_of(games) for row in each.listed.get("instructions", ())]
    return found + [
        {"name": i.name, "game": game.name, "level": str(i.level), "meaning": i.meaning}
        for game in (entry.load() for entry in games)
        for primitives in game.offers.values()
        for i in primitives.instructions
    ]


def _switches(games: Sequence[Entry]) -> list[Row]:
    """The dialect switches, for program headers and `--dialect`."""
    found = [(switch, "any") for each in _languages_of(games) for switch in each.switches]
    found += [
        (switch, game.name)
        for game in (entry.load() for entry in games)
        for primitives in game.offers.values()
        for switch in primitives.switches
    ]
    return [
        {"name": switch.name, "game": game, "values": " ".join(switch.values), "meaning": switch.meaning}
        for switch, game in found
    ]


def _alphabets(games: Sequence[Entry]) -> list[Row]:
    """The sets of operators, sensors and instructions that evolution chooses from."""
    return [
        {
            "name": alphabet.name,
            "game": game.name,
            "operators": " ".join(o.name for o in alphabet.operators),
            "sensors": " ".join(alphabet.sensors),
            "instructions": " ".join(alphabet.instructions),
        }
        for game in (entry.load() for entry in games)
        for primitives in game.offers.values()
        for alphabet in primitives.alphabets
    ]


def _presets(games: Sequence[Entry]) -> list[Row]:
    """The ready-made configurations for `gpkit evolve` and `gpkit learn`."""
    from gpkit.evolution.config import all_presets, title_of

    found = [(name, config.game, config.alphabet, "evolve") for name, config in all_presets().items()]
    found += [(name, game, "", "learn") for game in LEARNED for name in learning_of(game).presets]
    known = [entry.name for entry in games]
    return [
        {
            "name": name,
            "game": game,
            "alphabet": alphabet,
            "command": f"gpkit {command}",
            "title": title_of(name),
        }
        for name, game, alphabet, command in found
        if game in known
    ]


def _programs(games: Sequence[Entry]) -> list[Row]:
    """The shipped programs."""
    from gpkit.playing.named import read_file  # with what it imports, only where programs are listed

    return [
        {
            "name": name,
            "game": entry.name,
            "title": read_file(str(path)).source.header.get("title", ""),
            "path": str(path),
        }
        for entry in games
        for name, path in shipped_programs(entry.name).items()
    ]


KINDS: dict[str, Callable[[Sequence[Entry]], list[Row]]] = {
    "games": _games,
    "languages": _languages,
    "opponents": _opponents,
    "rules": _rules,
    "papers": _papers,
    "members": _members,
    "operators": _operators,
    "sensors": _sensors,
    "facts": _facts,
    "instructions": _instructions,
    "switches": _switches,
    "alphabets": _alphabets,
    "presets": _presets,
    "programs": _programs,
}
"""For each kind, a function that returns the catalogue rows for the given games; its docstring describes the kind."""


def kinds() -> list[Row]:
    """The kinds of things that gpkit can list, each with its meaning."""
    return [{"kind": name, "meaning": first_line(rows)} for name, rows in KINDS.items()]


PARTS = ("games", "presets", "formats")


@cache
def read_index() -> Mapping[str, Any]:
    """The index from the cache folder; if it is missing, gpkit builds it and stores it there if possible."""
    folder = base_folder()
    place = None if folder is None else folder / f"completion-{VERSION}-{_installed()}.json"
    if place is not None:
        with suppress(OSError, ValueError):
            kept = json.loads(place.read_text(encoding="utf-8"))
            if isinstance(kept, dict) and kept.keys() == set(PARTS):
                return kept
    from gpkit.core.files import write_atomic

    made = index()
    if place is not None:
        with suppress(OSError, GpkitError):
            place.parent.mkdir(mode=PRIVATE, parents=True, exist_ok=True)
            write_atomic(place, json.dumps(made, ensure_ascii=False))
            for former in set(place.parent.glob(f"completion-{VERSION}-*.json")) - {place}:
                former.unlink()
    return made


def index() -> dict[str, Any]:
    """The names that games and configurations offer, as JSON values; this imports all games and configurations."""
    from gpkit.evolution.config import shipped_presets
    from gpkit.export.registry import EXPORTERS

    return {
        "games": {
            entry.name: {
                "players": [*shipped_levels(entry.name), *game.opponents],
                "rules": [
                    {"name": each.name, "meaning": each.meaning, "values": list(each.choices)}
                    for each in game.all_options
                ],
            }
            for entry, game in ((entry, entry.load()) for entry in GAMES)
        },
        "presets": {
            "evolved": list(shipped_presets()),
            "learned": [name for game in LEARNED for name in learning_of(game).presets],
        },
        "formats": [entry.name for entry in EXPORTERS],
    }


def _installed() -> str:
    """A hash of gpkit's modules on disk; it changes with every install and every edit."""
    found = hashlib.sha256()
    for path in sorted(Path(__file__).parents[1].rglob("*.py")):
        about = path.stat()
        found.update(f"{path} {about.st_size} {about.st_mtime_ns}\n".encode())
    return found.hexdigest()[:16]
