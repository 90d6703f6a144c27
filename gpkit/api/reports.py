"""Runs that are reported on, and pictures of programs and runs, in Python code."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

from gpkit.api.arguments import command
from gpkit.api.drawings import Drawing, drawing_of
from gpkit.api.kinds import Count, GameLike, Number, Seed
from gpkit.api.programs import Program, load
from gpkit.api.progress import watching
from gpkit.api.runs import Run
from gpkit.app.pictures import CHAMPION, chosen_picture, file_picture, played_picture, run_picture
from gpkit.app.run_page import report_on
from gpkit.core.errors import UsageError
from gpkit.core.files import check_place, write_atomic
from gpkit.core.tabular import framed
from gpkit.playing.results import Strength

Part = Literal["champion", "curves", "sizes", "diversity", "lineage", "front", "map", "predictions"]

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


@command
def drawing(
    subject: Program | RunLike,
    what: Part | None = None,
    *,
    game: GameLike | None = None,
    diff: Program | str | os.PathLike[str] | None = None,
    trace: bool = False,
    until: str | None = None,
    opponent: str | None = None,
    seed: Seed = 0,
    deal: Number = 0,
    games: Count = 1,
    rule: str | None = None,
    on: str | None = None,
) -> Drawing:
    """Picture of a program or a run, as ``gpkit draw`` makes it.

    >>> import gpkit
    >>> print(gpkit.drawing("rush", game="build_order").svg[:5])
    <?xml

    Args:
        subject: a program, a run, or the path or name of one; also a ``.board`` or ``.wave`` file.
        what: of a run, the champion without it: ``curves``, ``sizes``, ``diversity``, ``lineage``, or
            of a fit ``predictions``.
        game: of a program whose name programs of several games have.
        diff: another program: what was changed of it.
        trace: what was executed in games; ``until``, ``opponent``, ``seed``, ``deal`` and ``games`` say in which.
        until: up to the first step where this condition holds.
        opponent: in the other seats.
        seed, deal: of the first game.
        games: that are added up, from that deal on.
        rule: of a list of rules only this one, by its name or number.
        on: the position in which the rule is drawn: the file of a board, or a size such as ``3x3``.

    Raises:
        UsageError: there is no such program, run or part, or these do not go together.
        SourceError: a program does not parse, or has an error for its game.
        CheckpointError: the folder holds no run, or a damaged one.
    """
    if not isinstance(subject, Program):
        folder = subject if isinstance(subject, str) else os.fspath(folder_of(subject))
        if what not in (None, CHAMPION):
            return Drawing(partial(run_picture, folder, str(what)))
        if file_picture(folder, "txt") is not None:
            return Drawing(lambda form: file_picture(folder, form) or b"")
        subject = load(folder, game=game)
    elif what is not None:
        raise UsageError(f"what={what!r} is for runs, and {subject.name} is a program")
    named = subject.named
    if rule is not None or on is not None:
        return drawing_of(chosen_picture(named.source, rule, on, seed))
    if trace:
        picture = played_picture(named, condition=until, opponent=opponent, seed=seed, deal=deal, games=games)
        return drawing_of(picture)
    return subject.draw(diff if diff is None or isinstance(diff, Program) else load(diff, game=game))


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
