"""Runs that are reported on, in Python code."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from gpkit.api.arguments import command
from gpkit.api.kinds import Count, Number
from gpkit.api.progress import watching
from gpkit.api.runs import Run
from gpkit.app.run_page import report_on
from gpkit.core.errors import UsageError
from gpkit.core.files import check_place, write_atomic
from gpkit.core.tabular import framed
from gpkit.playing.results import Strength

RunLike = Annotated[Run | str | os.PathLike[str], "a run, or the path of its folder"]
"""A run that is stored, or the path of its folder."""


@dataclass(frozen=True, slots=True)
class Report:
    """Report on a run; a notebook shows its page.

    Attributes:
        strengths: the results of the champion against the opponents of the run.
        html: the page: a self-contained document.
        numbers: everything in it as JSON values, among them ``generations``, ``champions`` and ``lineage``.
    """

    strengths: tuple[Strength | Any, ...]
    html: str = field(repr=False)
    numbers: Mapping[str, Any] = field(repr=False)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file.

        Raises:
            UsageError: the file cannot be written.
        """
        check_place(path)
        write_atomic(path, self.html)

    def _repr_html_(self) -> str:
        """The page in a frame."""
        return framed(self.html, 900)


@command
def report(
    run: RunLike, *, opponents: tuple[str, ...] | list[str] = (), games: Count | None = None, deal: Number = 0
) -> Report:
    """Report on a run, as ``gpkit report`` does; nothing is written unless it is saved.

    Args:
        run: that was stored: by ``evolve`` with a folder, by ``gpkit evolve`` or by ``gpkit learn``.
        opponents: of the champion, by name; without them those of the run.
        games: held-out games of the champion against each; without it as many as is usual in its game.
        deal: the number of the held-out deal whose game the page shows.

    Raises:
        CheckpointError: the folder holds no run, or a damaged one.
        UsageError: the run was not stored, an opponent does not exist, or a file cannot be read.
        RenderError: no Graphviz is installed.
    """
    with watching() as tell:
        found, page = report_on(folder_of(run), opponents=opponents, games=games, deal=deal, tell=tell)
    return Report(tuple(found.strengths), page, found.to_json())


def folder_of(run: RunLike) -> Path:
    """The folder of a run.

    Raises:
        UsageError: it was not stored.
    """
    if isinstance(run, str | os.PathLike):
        return Path(run)
    if run.folder is None:
        raise UsageError("this run was not stored: evolve(..., folder=...) stores it")
    return run.folder
