"""``gpkit report``: one page about a run."""

from pathlib import Path
from urllib.parse import quote

import click

from gpkit.analysis.evaluation import GAMES_OF_CHAMPION, GAMES_WITHOUT_KERNELS
from gpkit.api.fits import metrics_sheet
from gpkit.app.run_page import report_on
from gpkit.cli import output
from gpkit.cli.matches import MAX_GAMES, tell_strengths
from gpkit.cli.options import WholeNumber, deal_option, game_option, json_option
from gpkit.cli.output import announce_kernels, progress
from gpkit.cli.serve import open_pages
from gpkit.core.files import check_place, write_atomic
from gpkit.core.plain_files import is_there, write_plain
from gpkit.evolution.run_folder import read_run


@click.command(name="report")
@click.argument("run", metavar="RUN")
@game_option
@click.option("-o", "--output", "target", metavar="FILE", help="Output file. Default: report.html in RUN.")
@click.option(
    "--opponent",
    "opponents",
    multiple=True,
    metavar="OPPONENT",
    help="Opponent of the champion: a name, a program file, or name:argument such as pimc:100; may be repeated. "
    "Default: the opponents of the run.",
)
@click.option(
    "--games",
    type=WholeNumber(1, MAX_GAMES),
    help="Held-out games of the champion against each opponent; ignored where the run's fitness is exact. "
    f"Default: {GAMES_OF_CHAMPION}, and {GAMES_WITHOUT_KERNELS} in a game without kernels.",
)
@deal_option(help="Number of the held-out deal whose game the page shows.")
@click.option("--open", "opened", is_flag=True, help="Show the run in the browser, live, and write nothing.")
@json_option
def command(
    run: str,
    game: str | None,
    target: str | None,
    opponents: tuple[str, ...],
    games: int | None,
    deal: int,
    opened: bool,
    as_json: bool,
) -> None:
    """Write a self-contained page about the run in the folder RUN, made by `gpkit evolve` or
    `gpkit learn`.

    The champion as text, as a picture, in other languages and in a game to step through; its strength on
    held-out deals, or computed as in the run; the course of the run; the champion's ancestors and what each
    change was. The run may be running or interrupted: the page shows how far it got.
    """
    folder = Path(run)
    if opened:
        read_run(folder)
        place = folder.resolve()
        open_pages(place.parent, 0, f"/runs/{quote(place.name)}")
        return
    path = folder / "report.html" if target is None else Path(target)
    if target is None:
        is_there(path)
    if folder.is_dir():
        check_place(path)
    with progress() as show:
        findings, page = report_on(
            folder,
            opponents=opponents,
            games=games,
            deal=deal,
            tell=show,
            announce=announce_kernels,
        )
    if target is None:
        write_plain(path, page)
    else:
        write_atomic(path, page)
    if as_json:
        output.json_object("gpkit/report/1", file=str(path), **findings.to_json())
    elif findings.table is not None:
        tell_strengths(findings.strengths, findings.table)
        output.note(f"trained on: {findings.table.trained}")
    elif findings.metrics:
        output.table(*metrics_sheet(findings.metrics))
    output.note(f"wrote {path}: {len(page.encode()) / 1000:,.0f} kB")
