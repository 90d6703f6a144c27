"""``gpkit draw``: programs and runs as pictures."""

from dataclasses import replace
from pathlib import Path

import click

from gpkit.app.fitting import PREDICTIONS
from gpkit.app.pictures import (
    CHAMPION,
    CURVES,
    LINEAGE,
    change_picture,
    chosen_picture,
    file_picture,
    not_a_run,
    played_picture,
    program_or_champion,
    run_picture,
    whole_picture,
)
from gpkit.app.run_results import FRONT, MAP
from gpkit.cli import output
from gpkit.cli.options import (
    WholeNumber,
    Word,
    deal_option,
    dialect_option,
    game_option,
    language_option,
    seed_option,
)
from gpkit.core.errors import UsageError
from gpkit.core.files import check_place, write_atomic
from gpkit.core.registry import game_of_file
from gpkit.draw.render import FORMATS, format_of, render
from gpkit.langkit.checking import in_dialect


@click.command(name="draw")
@click.argument("subject", metavar="PROGRAM | RUN")
@click.option(
    "-o",
    "--output",
    "target",
    metavar="FILE",
    help=f"Output file; its suffix sets the format: {', '.join(FORMATS)}. Default: text on standard output.",
)
@click.option(
    "--what",
    type=Word([CHAMPION, *CURVES, LINEAGE, FRONT, MAP, PREDICTIONS]),
    help="For a run: its champion (the default), a chart of its generations, the champion's lineage, the front of its "
    "objectives, or its map of behaviour.",
)
@click.option("--diff", "other", metavar="OTHER", help="Draw the differences from OTHER, a program or a run.")
@click.option(
    "--trace",
    "is_traced",
    is_flag=True,
    help="Show what was executed in one game: each formula's latest decision, how often each line ran, or the last "
    "rule that acted, on the board.",
)
@click.option(
    "--until",
    "condition",
    metavar="EXPR",
    help="With --trace: up to the first step where EXPR holds, as in gpkit trace.",
)
@click.option(
    "--opponent", metavar="OPPONENT", help="With --trace: the players in the other seats, as in gpkit trace."
)
@seed_option
@deal_option(help="With --trace: the number of the deal, as in gpkit trace.")
@click.option(
    "--games",
    type=WholeNumber(1, 1000),
    default=1,
    show_default=True,
    help="With --trace: add up what was executed in this many deals, from --deal on.",
)
@click.option("--rule", metavar="NAME", help="Draw only this rule of a rule list, by its name or number.")
@click.option(
    "--on",
    "board",
    metavar="BOARD",
    help="Draw a rule in a position: the board of a text file, or a board of a size such as 3x3 on which the "
    "rule can act.",
)
@game_option
@dialect_option
@language_option
def command(
    subject: str,
    target: str | None,
    what: str | None,
    other: str | None,
    is_traced: bool,
    condition: str | None,
    opponent: str | None,
    seed: int,
    deal: int,
    games: int,
    rule: str | None,
    board: str | None,
    game: str | None,
    dialect: dict[str, str],
    language: str | None,
) -> None:
    """Draw a program: formulas as trees, instructions as blocks with their jumps; code without effect is grey.

    Rules are drawn as graphs, the edge to draw in colour. A .board file, a position of Dots and Boxes as
    text, is drawn with its graph; a .wave file, a wave of Battleship, as curves beside the density that its
    header names. For a run's folder, its champion so far is drawn. Exit code 1 if --until is given and EXPR
    never holds.
    """
    form = format_of(target) if target is not None else "txt"
    if target is not None:
        check_place(target)
    if is_traced and other is not None:
        raise UsageError("choose one of --diff and --trace")
    if not is_traced and (condition is not None or opponent is not None):
        raise UsageError("--until and --opponent need --trace")
    if dialect:
        _check_meaning(subject, what, other)
    is_plain = other is None and not is_traced
    drawn = file_picture(subject, form)
    if drawn is None and what not in (None, CHAMPION):
        if not is_plain:
            raise UsageError(f"--what {what} cannot be combined with --diff or --trace")
        drawn = run_picture(subject, str(what), form)
    elif drawn is None:
        if what is not None and not Path(subject).is_dir():
            raise not_a_run(subject, what)
        named = program_or_champion(subject, language, game)
        named = replace(named, source=in_dialect(named.source, dialect, named.language))
        if rule is not None or board is not None:
            if not is_plain:
                raise UsageError("--rule and --on cannot be combined with --diff or --trace")
            picture = chosen_picture(named.source, rule, board, seed)
        elif other is not None:
            picture = change_picture(named.source, program_or_champion(other, language, game).source)
        elif is_traced:
            picture = played_picture(
                named, condition=condition, opponent=opponent, seed=seed, deal=deal, games=games
            )
            output.note(picture.title)
        else:
            picture = whole_picture(named)
        drawn = render(picture, form)
    if target is None:
        output.say(drawn.decode().removesuffix("\n"))
    else:
        write_atomic(target, drawn)
        output.note(f"wrote {target}")


def _check_meaning(subject: str, what: str | None, other: str | None) -> None:
    """Refuse a dialect for a picture that does not depend on it.

    Raises:
        UsageError: what is drawn does not depend on a dialect.
    """
    if other is not None:
        raise UsageError("--diff compares program texts, which dialects do not change; leave out --dialect")
    if game_of_file(subject) is not None or what not in (None, CHAMPION):
        raise UsageError("--dialect is for programs, and none is drawn here; leave it out")
