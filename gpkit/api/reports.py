"""Reports on runs; the function is also a shell command."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from gpkit.api.arguments import command
from gpkit.api.kinds import Count, GameLike, Kind, Number
from gpkit.core.errors import UsageError
from gpkit.core.layout import Note, Sheet, Tabular, framed

if TYPE_CHECKING:
    from gpkit.api.runs import Run
    from gpkit.playing.contest import Result
    from gpkit.playing.results import ExactResult


@dataclass(frozen=True, slots=True)
class Report(Tabular):
    """A report on a run; a notebook shows its page.

    Attributes:
        html: the page, a self-contained document.
    """

    html: str = field(repr=False)
    _found: Any = field(repr=False)

    @property
    def strengths(self) -> "tuple[Result | ExactResult, ...]":
        """The results of the champion against the opponents of the run."""
        return tuple(self._found.strengths)

    def to_json(self) -> dict[str, Any]:
        """The complete report as JSON values, with ``generations``, ``champions`` and ``lineage``."""
        return dict(self._found.to_json())

    def told(self) -> Iterator[str | Sheet]:
        """The strength of the champion, or the metrics of its predictions."""
        from gpkit.analysis.results import strengths_told
        from gpkit.show.fit_findings import metrics_sheet

        found = self._found
        if found.table is not None:
            yield from strengths_told(found.strengths, found.table)
            yield Note(f"trained on: {found.table.trained}")
        elif found.metrics:
            yield metrics_sheet(found.metrics)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file.

        Raises:
            UsageError: the file cannot be written.
        """
        from gpkit.core.files import check_place, write_atomic

        check_place(path)
        write_atomic(path, self.html)

    def _repr_html_(self) -> str:
        """The page in an HTML frame."""
        return framed(self.html, 900)


@command
def report(
    run: Annotated["Run | str | os.PathLike[str]", Kind("RUN", "a run, or the path of its folder", "folder")],
    *,
    game: GameLike | None = None,
    opponents: Annotated[
        Sequence[str], Kind("OPPONENT", completes="opponent", many=True, option="--opponent")
    ] = (),
    games: Count | None = None,
    deal: Number = 0,
) -> Report:
    """Write a report on a run, as one self-contained page.

    The page shows the champion as text, as a picture, in other languages and in a game to step through; its strength on
    held-out deals, or computed as in the run; the curves of the run; and the champion's ancestors with each change. The
    run may still be in progress or interrupted: the page shows its state so far.

    Args:
        run: the folder of the run, made by `gpkit evolve`, `gpkit fit` or `gpkit learn`. In Python it may also be a
            stored run; nothing is written until you save the report.
        game: the file with the game of the run, if it is your own game, or an OpenSpiel game such as openspiel:hex.
        opponents: an opponent of the champion: a name, a program file, or name:argument such as pimc:100; may be
            repeated. Default: the opponents of the run.
        games: the number of held-out games of the champion against each opponent; ignored if the run's fitness is
            exact. Default: 20,000, or 1,000 in a game without kernels.
        deal: the number of the held-out deal for the game on the page.

    Raises:
        CheckpointError: the folder contains no run, or the run is damaged.
        UsageError: the run was not stored, an opponent does not exist, or a file cannot be read.
        RenderError: Graphviz is not installed.
    """
    from gpkit.api.games import name_of
    from gpkit.api.progress import remark_compilation, watching
    from gpkit.show.run_page import report_on

    name_of(game)  # whose file is imported now
    with watching() as tell:
        found, page = report_on(
            Path(path_of(run)),
            opponents=opponents,
            games=games,
            deal=deal,
            tell=tell,
            announce=lambda name: remark_compilation(game=name),
        )
    return Report(page, found)


def path_of(given: "Run | str | os.PathLike[str]") -> str:
    """The given path or name, or the path of a run's folder.

    Raises:
        UsageError: the run was not stored.
    """
    if isinstance(given, str | os.PathLike):
        return os.fspath(given)
    if given.folder is None:
        raise UsageError("this run was not stored: evolve(..., folder=...) stores it")
    return str(given.folder)
