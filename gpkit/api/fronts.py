"""Fronts and archives of runs in Python code, with their programs as values."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gpkit.api.problems import built
from gpkit.api.programs import Program
from gpkit.core.tabular import Tabular
from gpkit.evolution.archive import archive_of
from gpkit.evolution.diary import RunResult
from gpkit.evolution.front_table import FrontTable
from gpkit.evolution.maps import Cell, grid_of
from gpkit.evolution.resolved import ResolvedRun


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


@dataclass(frozen=True, slots=True)
class Front(Tabular):
    """Front of a run: the programs that none other dominates, the first objective from its best on.

    Attributes:
        objectives: their names.
        better: for each of them ``higher`` or ``lower``.
        members: the programs.
        rule: the name of the rule that chose the champion.
        chosen: the place of the champion, before it was refined; None if it is none of them.
    """

    objectives: tuple[str, ...]
    better: tuple[str, ...]
    members: tuple[FrontMember, ...]
    rule: str
    chosen: int | None

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


@dataclass(frozen=True, slots=True)
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


def front_value(table: FrontTable | None, run: ResolvedRun) -> Front | None:
    """The front of a run; None where nothing was weighed."""
    if table is None:
        return None
    programs = [run.program(row.program, table.file(place)) for place, row in enumerate(table.rows)]
    members = tuple(
        FrontMember(built(program, run.language, run.header), row.values, row.error)
        for program, row in zip(programs, table.rows, strict=True)
    )
    return Front(table.objectives, table.better, members, table.rule, table.chosen)


def archive_value(result: RunResult[Any], run: ResolvedRun) -> Archive | None:
    """The archive of a run; None of one that fills no map."""
    if not run.config.map:
        return None
    islands = result.state.islands
    found = archive_of(islands, grid_of(run.config.map), run.metric, run.representation)
    genomes = {individual.number: individual.genome for island in islands for individual in island}
    elites = [
        Elite(n.cell, n.behaviour, n.score, built(genomes[n.number], run.language, run.header))
        for n in found.niches
    ]
    axes = {axis.name: (axis.low, axis.high, axis.bins) for axis in found.axes}
    return Archive(axes, tuple(elites), found.coverage, found.qd_score)
