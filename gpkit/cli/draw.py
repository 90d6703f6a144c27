"""``gpkit draw``: programs and runs as pictures."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from gpkit.app.ancestors import drawn_ancestors
from gpkit.app.drawn_rules import board_picture, chosen_picture
from gpkit.app.files import STANDARD_INPUT, check_place, read_text, write_atomic
from gpkit.app.named import Named, in_dialect, offers_of
from gpkit.app.pairs import dialect_of
from gpkit.app.positions import BOARD_SUFFIX
from gpkit.app.run_curves import diversity_panels, size_panels, strength_panels, validated_champions
from gpkit.app.shipped import program_file
from gpkit.app.sources import language_for
from gpkit.cli import output
from gpkit.cli.followed import followed_steps
from gpkit.cli.options import WholeNumber, Word, dialect_option, game_option, language_option, seed_option
from gpkit.core.diagnostics import SourceError
from gpkit.core.errors import UsageError
from gpkit.core.primitives import PrimitiveSet, offered
from gpkit.draw.curves import Curves
from gpkit.draw.picture import Picture, lineage_picture
from gpkit.draw.programs import picture_of, picture_of_change, picture_of_game
from gpkit.draw.render import FORMATS, format_of, render, render_curves
from gpkit.evolve.ancestry import read_ancestry
from gpkit.evolve.history import History, read_history

CHAMPION, LINEAGE = "champion", "lineage"


CURVES: Mapping[str, Callable[[History], Sequence[Curves]]] = {
    "curves": lambda history: strength_panels(history, validated_champions(history)),
    "sizes": size_panels,
    "diversity": diversity_panels,
}
"""What of a run is a chart, by name."""


@click.command(name="draw")
@click.argument("subject", metavar="PROGRAM | RUN")
@click.option(
    "-o",
    "--output",
    "target",
    metavar="FILE",
    help=f"Write this file; its suffix says the form: {', '.join(FORMATS)}. Default: text on standard output.",
)
@click.option(
    "--what",
    type=Word([CHAMPION, *CURVES, LINEAGE]),
    help="Of a run: its champion (the default), a chart of its generations, or where the champion comes from.",
)
@click.option("--diff", "other", metavar="OTHER", help="Draw what changed from OTHER, a program or a run.")
@click.option(
    "--trace",
    "is_traced",
    is_flag=True,
    help="Show what was executed in one game: of each formula, in its latest decision; of lines, how often; of rules, "
    "the last that acted, on the board.",
)
@click.option(
    "--until", "condition", metavar="EXPR", help="With --trace: as far as EXPR holds, as in gpkit trace."
)
@click.option(
    "--opponent", metavar="OPPONENT", help="With --trace: who sits in the other seats, as in gpkit trace."
)
@seed_option
@click.option(
    "--deal",
    type=WholeNumber(0, 10_000_000),
    default=0,
    show_default=True,
    help="With --trace: which of the deals of the seed, as in gpkit trace.",
)
@click.option("--rule", metavar="NAME", help="Of a list of rules: draw this one only, by its name or number.")
@click.option(
    "--on",
    "board",
    metavar="BOARD",
    help="Draw a rule in a position: that of a file with the text of a board, or one of a size such as 3x3 in which "
    "it may act.",
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
    rule: str | None,
    board: str | None,
    game: str | None,
    dialect: tuple[str, ...],
    language: str | None,
) -> None:
    """Draw a program: formulas as trees, instructions as blocks with their jumps; what cannot matter is grey.

    Rules are drawn as graphs, the string to draw in colour. A file with the suffix .board holds the text of a position
    of Dots and Boxes, which is drawn with its graph. A folder of a run stands for the champion that the run has found
    so far. Exit code 1 if --until is given and EXPR holds at no step.
    """
    form = format_of(target) if target is not None else "txt"
    if target is not None:
        check_place(target)
    if is_traced and other is not None:
        raise UsageError("--diff and --trace are two pictures; choose one")
    if not is_traced and (condition is not None or opponent is not None):
        raise UsageError("--until and --opponent say which game is traced; add --trace")
    header = dialect_of(dialect)
    if header:
        _check_meaning(subject, what, other)
    if Path(subject).suffix == BOARD_SUFFIX:
        drawn = render(board_picture(subject), form)
    elif what in (None, CHAMPION):
        if what is not None and not Path(subject).is_dir():
            raise _not_a_run(subject, what)
        named = _named(subject, language, game)
        source = in_dialect(named.source, header, named.language)
        named = replace(named, source=source)
        if rule is not None or board is not None:
            if is_traced or other is not None:
                raise UsageError("--rule and --on draw rules as they are; leave out --diff and --trace")
            picture = chosen_picture(source, rule, board, title=_name(source), seed=seed)
        elif other is not None:
            picture = _diff(source, _named(other, language, game).source)
        elif is_traced:
            picture = _trace(named, condition=condition, opponent=opponent, seed=seed, deal=deal)
            output.note(picture.title)
        else:
            picture = _program(named)
        drawn = render(picture, form)
    else:
        if is_traced or other is not None:
            raise UsageError(f"--what {what} is a picture of its own, without --diff and --trace")
        drawn = _part(subject, str(what), form)
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
        raise UsageError(
            "--diff compares what is written, which is the same in all dialects; leave out --dialect"
        )
    if Path(subject).suffix == BOARD_SUFFIX or what not in (None, CHAMPION):
        raise UsageError("--dialect says what a program means, and no program is drawn here; leave it out")


def _named(path: str, language: str | None, game: str | None) -> Named:
    """A program file, a program that comes with gpkit, or that of the champion of a run."""
    path = program_file(path, game)
    if path != STANDARD_INPUT and Path(path).is_dir():
        path = str(read_history(Path(path)).champion_file)
    known = language_for(path, language)
    return Named(path, known.parse(read_text(path), path), known)


def _name(source: Any) -> str:
    return "standard input" if source.filename == STANDARD_INPUT else Path(source.filename).name


def _diff(source: Any, other: Any) -> Picture:
    """What changed from one program to another of its language and game.

    Raises:
        UsageError: they are of different ones, so that everything would have changed.
    """
    pair = (source, other)
    kinds = [each.program.language for each in pair]
    if kinds[0] != kinds[1]:
        raise _nothing_alike(pair, [f"is in {kind}" for kind in kinds], "in one language")
    games = [each.header.get("game", "") for each in pair]
    if all(games) and games[0] != games[1]:
        raise _nothing_alike(pair, [f"is for {game}" for game in games], "for one game")
    sections = [each.program.names for each in pair]
    if sections[0] != sections[1] and not set(sections[0]).intersection(sections[1]):
        raise _nothing_alike(
            pair, [f"has {', '.join(names)}" for names in sections], "with the same sections"
        )
    title = f"{_name(other)} → {_name(source)}"
    return picture_of_change(other.program, source.program, title=title, text=source.text)


def _nothing_alike(sources: Sequence[Any], what: Sequence[str], needed: str) -> UsageError:
    told = ", ".join(f"{_name(source)} {each}" for source, each in zip(sources, what, strict=True))
    return UsageError(f"{told}: nothing could be alike; --diff is for two programs {needed}")


def _program(named: Named) -> Picture:
    source = named.source
    return picture_of(source.program, source.header, _checked(named), title=_name(source), text=source.text)


def _checked(named: Named) -> PrimitiveSet | None:
    """What the game of a program offers; where the language needs a game, the program must have no error for it.

    Raises:
        SourceError: it has one; the first.
    """
    offers = offers_of(named)
    for finding in named.language.check(named.source, offers) if named.language.needs_game else ():
        if finding.severity == "error":
            raise SourceError(finding, named.source.text, named.source.filename)
    return offered(offers, named.language.name)


def _trace(named: Named, *, condition: str | None, opponent: str | None, seed: int, deal: int) -> Picture:
    primitives = _checked(named)
    others = [opponent] if opponent else []
    steps = followed_steps(named, condition=condition, opponents=others, seed=seed, deal=deal)
    place = f"seed {seed}, deal {deal}"
    return picture_of_game(
        named.source, primitives, steps, name=_name(named.source), place=place, until=condition or ""
    )


def _part(run: str, what: str, form: str) -> bytes:
    """A picture of a run beside its champion."""
    if not Path(run).is_dir():
        raise _not_a_run(run, what)
    history = read_history(Path(run))
    if what in CURVES:
        return render_curves(CURVES[what](history), form)
    ancestors = drawn_ancestors(read_ancestry(history))
    title = f"{Path(run).resolve().name}: the champion, its first parents and their mates"
    return render(lineage_picture(ancestors, title=title), form)


def _not_a_run(path: str, what: str) -> UsageError:
    return UsageError(f"--what {what} is of a run, and {path} is not the folder of one")
