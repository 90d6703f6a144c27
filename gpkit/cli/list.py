"""``gpkit list``: what there is."""

from collections.abc import Sequence

import click

from gpkit.app.catalogue import KINDS, Row, kinds
from gpkit.cli import output
from gpkit.cli.options import Word, game_option, json_option
from gpkit.core.registry import all_games, game_entry, game_of

TEXTS = ("title", "values", "meaning", "operators", "sensors", "instructions")
"""The columns that may take several lines on a narrow terminal."""

LEAVE_OUT = {"programs": ("path",), "sensors": ("shared", "range"), "rules": ("default",)}
"""By kind the columns that a narrow terminal goes without, the least important first."""


@click.command(name="list", help=f"List one KIND of thing, or the kinds: {', '.join(KINDS)}.")
@click.argument("kind", type=Word(list(KINDS)), metavar="[KIND]", required=False)
@game_option
@json_option
def command(kind: str | None, game: str | None, as_json: bool) -> None:
    """Print things of one kind, for all games or one; without a kind, the kinds."""
    if kind is None:
        kind, rows = "kinds", kinds()
    else:
        rows = KINDS[kind](all_games() if game is None else (game_entry(game),))
    if as_json:
        output.json_object("gpkit/list/1", kind=kind, items=rows)
    elif kind == "languages":
        _print_languages(rows)
    elif rows:
        columns = list(rows[0])
        texts = [name for name in TEXTS if name in columns]
        output.table(
            columns, [list(row.values()) for row in rows], texts=texts, leave_out=LEAVE_OUT.get(kind, ())
        )
    else:
        language = " or ".join(game_of(game).offers) if game else ""
        output.note(f"there are no {kind}" + (f" in {game}; its programs are in {language}" if game else ""))


def _print_languages(rows: Sequence[Row]) -> None:
    """The languages, and below them which commands of gpkit take their programs."""
    columns = ("name", "suffix", "title")
    output.table(columns, [[row[name] for name in columns] for row in rows], texts=("title",))
    output.say("")
    commands = [name for name in rows[0] if name not in columns]
    output.table(
        ["command", *(row["name"] for row in rows)],
        [[name, *(row[name].replace("no", "-") for row in rows)] for name in commands],
    )
