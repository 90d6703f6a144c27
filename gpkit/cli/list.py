"""``gpkit list``: what there is."""

from collections.abc import Callable, Sequence

import click

from gpkit.cli import output
from gpkit.cli.files import program_paths
from gpkit.cli.options import game_option, json_option
from gpkit.core.primitives import OPERATORS
from gpkit.core.registry import GAMES, LANGUAGES, PAPERS, Entry, data_folder, find

Row = dict[str, str]


def _games(games: Sequence[Entry]) -> list[Row]:
    return [{"name": entry.name, "title": entry.title} for entry in games]


def _languages(games: Sequence[Entry]) -> list[Row]:
    return [{"name": e.name, "suffix": e.suffix, "title": e.title} for e in LANGUAGES]


def _papers(games: Sequence[Entry]) -> list[Row]:
    return [{"name": entry.name, "title": entry.title} for entry in PAPERS]


def _operators(games: Sequence[Entry]) -> list[Row]:
    return [{"name": operator.name, "operands": str(operator.arity)} for operator in OPERATORS]


def _opponents(games: Sequence[Entry]) -> list[Row]:
    return [
        {"name": name, "game": game.name, "kind": kind}
        for game in (entry.load() for entry in games)
        for kind, names in (("program", game.opponents), ("search", game.builtins))
        for name in names
    ]


def _sensors(games: Sequence[Entry]) -> list[Row]:
    return [
        {"name": s.name, "game": game.name, "range": f"{s.low:g} to {s.high:g}", "meaning": s.meaning}
        for game in (entry.load() for entry in games)
        for s in game.primitives.sensors
    ]


def _alphabets(games: Sequence[Entry]) -> list[Row]:
    return [
        {
            "name": alphabet.name,
            "game": game.name,
            "operators": " ".join(o.name for o in alphabet.operators),
            "sensors": " ".join(alphabet.sensors),
        }
        for game in (entry.load() for entry in games)
        for alphabet in game.primitives.alphabets
    ]


def _programs(games: Sequence[Entry]) -> list[Row]:
    folder = data_folder("programs")
    return [{"path": path} for entry in games for path in program_paths([str(folder / entry.name)])]


KINDS: dict[str, Callable[[Sequence[Entry]], list[Row]]] = {
    "games": _games,
    "languages": _languages,
    "opponents": _opponents,
    "papers": _papers,
    "operators": _operators,
    "sensors": _sensors,
    "alphabets": _alphabets,
    "programs": _programs,
}
"""How the rows of each kind are found, for some games."""


@click.command(name="list", help=f"Show what there is of one KIND: {', '.join(KINDS)}.")
@click.argument("kind", type=click.Choice(list(KINDS)), metavar="KIND")
@game_option
@json_option
def command(kind: str, game: str | None, as_json: bool) -> None:
    """Print the rows of one kind, of all games or of one."""
    rows = KINDS[kind](GAMES if game is None else (find(GAMES, game, "game"),))
    if as_json:
        output.json_object("gpkit/list/1", kind=kind, items=rows)
    elif rows:
        output.table(list(rows[0]), [list(row.values()) for row in rows])
