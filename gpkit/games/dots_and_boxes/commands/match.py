"""``gpkit match``: where the rules of a program match, and what they are worth there."""

from dataclasses import asdict

import click

from gpkit.app.players import program_file, read_named, seat
from gpkit.cli import output
from gpkit.cli.options import json_option, language_option
from gpkit.cli.output import announce_kernels
from gpkit.core.errors import UsageError
from gpkit.games.dots_and_boxes.exact import Worth, worth
from gpkit.games.dots_and_boxes.game import GAME, check_classes
from gpkit.games.dots_and_boxes.ladder import searches_of
from gpkit.games.dots_and_boxes.learner.selection import rule_list_of
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.languages.rulegraph.printer import print_rule

COLUMNS = ("rule", "positions", "classes", "acts in", "mean value", "optimal", "regret")

LEAVE_OUT = ("classes", "positions", "mean value")
"""Columns that a narrow terminal goes without, the least important first."""


def _refuse_rules(_context: click.Context, _option: click.Parameter, given: str | None) -> None:
    """Refuse ``--rules``, with the option that chooses the board here.

    Raises:
        UsageError: rules were given as to other commands.
    """
    if given is not None:
        board = given.removeprefix("board=")
        raise UsageError(f"match takes only the board: --board {board} instead of --rules {given}")


@click.command(name="match")
@click.argument("program", metavar="PROGRAM")
@click.option("--board", default="3x3", show_default=True, help="Columns and rows of boxes, at most 3x3.")
@click.option("--rules", hidden=True, expose_value=False, callback=_refuse_rules)
@language_option
@json_option
def command(program: str, board: str, language: str | None, as_json: bool) -> None:
    """Count in how many of all positions of Dots and Boxes each rule of PROGRAM matches, and how good it is there.

    Classes are positions with the same boxes and chains. `acts in` counts the positions in which no rule above matches;
    a rule after a bar has the precedence of the rule before it, so the one before does not count. Over the classes in
    which a rule matches: the mean of their value (the boxes that the player to move gets from here on, less
    the opponent's, with perfect play), the share in which its edge is one of the best, and how many boxes that edge
    loses against a best one. Rules that look at the score are evaluated at an even score.
    """
    (named,) = read_named([program_file(program, GAME.name)], language)
    listed = rule_list_of(named).rules
    rules = Rules.from_options({"board": board})
    check_classes(rules)
    announce_kernels(GAME.name)
    found = worth(searches_of(seat(named, GAME)), rules)
    if as_json:
        results = [
            {"name": each.name or None, "rule": print_rule(each.rule), "joined": each.joined, **asdict(its)}
            for each, its in zip(listed, found, strict=True)
        ]
        output.json_object("gpkit/match/1", program=program, board=board, results=results)
    else:
        rows = [
            ("| " * each.joined + (each.name or print_rule(each.rule)), *_cells(its))
            for each, its in zip(listed, found, strict=True)
        ]
        output.table(COLUMNS, rows, right=COLUMNS[1:], texts=("rule",), leave_out=LEAVE_OUT)


def _cells(its: Worth) -> tuple[str, ...]:
    counts = tuple(f"{count:,}" for count in (its.positions, its.classes, its.acts))
    if its.mean_value is None or its.optimal is None or its.regret is None:
        return (*counts, "", "", "")
    return (*counts, f"{its.mean_value:+.3f}", f"{its.optimal:.1%}", f"{its.regret:.3f}")
