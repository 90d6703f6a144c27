"""Fronts and archives of runs in Python code, with their programs as values."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from gpkit.api.problems import built
from gpkit.api.programs import Program
from gpkit.core.tabular import MOST_SHOWN, Tabular, aligned
from gpkit.evolution import maps
from gpkit.evolution.individual import Individual
from gpkit.evolution.maps import Cell, grid_of
from gpkit.evolution.run_folder import FrontTable
from gpkit.evolution.setup import Run as Running


@dataclass(frozen=True, slots=True)
class FrontMember:
    """Program of a front.

    Attributes:
        program: the program.
        objectives: under the conditions of validation, as they were measured.
        error: the standard error of its score; 0 where it is exact or not known.
    """

    program: Program
    objectives: tuple[float, ...]
    error: float


@dataclass(frozen=True, slots=True, repr=False)
class Front(Tabular):
    """Front of a run: the programs that none other dominates, the first objective from its best on.

    Attributes:
        objectives: their names.
        better: for each of them ``higher`` or ``lower``.
        members: the programs.
        rule: the name of the rule that chose the champion.
        chosen: the place of ``choice``; None if the champion is none of them.
    """

    objectives: tuple[str, ...]
    better: tuple[str, ...]
    members: tuple[FrontMember, ...]
    rule: str
    chosen: int | None

    @property
    def choice(self) -> Program | None:
        """The member that the rule chose; None if the champion is none of them.

        The champion of the run is this program after refinement by its score, which may be no member of the front.
        """
        return None if self.chosen is None else self.members[self.chosen].program

    def __str__(self) -> str:
        """The members as a table of text; the one that the rule chose is marked by ``*``."""
        return _lines(self.to_rows(), [each.program for each in self.members], self.chosen)

    __repr__ = __str__

    def to_rows(self) -> list[dict[str, Any]]:
        """The members as rows of a table: their objectives by name, the error, and the program."""
        return [
            {
                **dict(zip(self.objectives, member.objectives, strict=True)),
                "error": member.error,
                "program": str(member.program),
            }
            for member in self.members
        ]


@dataclass(frozen=True, slots=True)
class Elite:
    """Best program of a cell of a map.

    Attributes:
        cell: the bin on each axis, from 0.
        behaviour: the value on each axis.
        score: that was measured, higher being better.
        program: the program.
    """

    cell: Cell
    behaviour: tuple[float, ...]
    score: float
    program: Program


@dataclass(frozen=True, slots=True, repr=False)
class Archive(Tabular):
    """Archive of a run of MAP-Elites.

    Attributes:
        axes: of the map, each with its least value, its greatest, and its number of bins.
        elites: the best programs of the filled cells, the fittest first.
        coverage: the share of the cells that are filled, 0 to 1.
        qd_score: the sum of the scores, each above the worst that the metric allows, or above 0.
    """

    axes: Mapping[str, tuple[float, float, int]]
    elites: tuple[Elite, ...]
    coverage: float
    qd_score: float

    def __str__(self) -> str:
        """The elites as a table of text, below how much of the map is filled."""
        table = _lines(self.to_rows(), [each.program for each in self.elites])
        return f"{self.coverage:.1%} of the cells, QD score {self.qd_score:.6g}\n{table}"

    __repr__ = __str__

    def to_rows(self) -> list[dict[str, Any]]:
        """The elites as rows of a table: their behaviour by axis, the score, and the program."""
        return [
            {
                **dict(zip(self.axes, elite.behaviour, strict=True)),
                "score": elite.score,
                "program": str(elite.program),
            }
            for elite in self.elites
        ]


def _lines(rows: Sequence[Mapping[str, Any]], programs: Sequence[Program], chosen: int | None = None) -> str:
    """Rows of programs as lines of text, at most ``MOST_SHOWN``, with the program in one line instead of its file.

    A ``*`` marks the chosen program.
    """
    from gpkit.reports.charts import one_line

    cells: list[Sequence[str]] = [("", *rows[0])] if rows else []
    for place, (row, program) in enumerate(zip(rows[:MOST_SHOWN], programs, strict=False)):
        text = program.named.language.print_program(program.named.source.program, {})
        numbers = [f"{value:.6g}" for key, value in row.items() if key != "program"]
        cells.append((f"{place + 1}{'*' * (place == chosen)}", *numbers, one_line(text)))
    more = f"and {len(rows) - MOST_SHOWN:,} more: to_rows gives all" if len(rows) > MOST_SHOWN else ""
    return (aligned(cells) + more).removesuffix("\n") if cells else "none"


def front_value(table: FrontTable, programs: Sequence[Any], run: Running[Any]) -> Front:
    """The front of a run; parses the programs unless they are given."""
    programs = programs or [
        run.program(row.program, table.file(place)) for place, row in enumerate(table.rows)
    ]
    members = tuple(
        FrontMember(built(program, run.language, run.header), row.objectives, row.error)
        for program, row in zip(programs, table.rows, strict=True)
    )
    return Front(table.objectives, table.better, members, table.rule, table.chosen)


def archive_value(islands: Iterable[Sequence[Individual[Any]]], run: Running[Any]) -> Archive:
    """The archive of a run that fills a map, from its last populations."""
    grid = grid_of(run.config.map)
    found = maps.Archive(grid, grid.filled(chain(*islands)), run.metric)
    elites = [
        Elite(cell, i.behaviour, i.score, built(i.genome, run.language, run.header))
        for cell, i in found.elites.items()
    ]
    axes = {axis.name: (axis.low, axis.high, axis.bins) for axis in grid.axes}
    return Archive(axes, tuple(elites), found.coverage, found.qd_score)
