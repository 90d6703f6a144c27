"""Comparisons of the predictions of two programs for the rows of a table."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from gpkit.analysis.predictions import Predictor, judged, strangers
from gpkit.analysis.results import difference_told
from gpkit.core.errors import EXIT_FINDINGS, EXIT_OK, UsageError
from gpkit.core.statistics import Verdict
from gpkit.core.tabular import Note, Sheet, Tabular
from gpkit.core.wording import counted
from gpkit.data.metrics import Difference
from gpkit.data.table import Table


@dataclass(frozen=True, slots=True)
class ComparedRows(Tabular):
    """Two programs compared on the rows of a table.

    Attributes:
        first, second: the names of the programs.
        differences: one for each metric; the first one decides.
        data, target: the table, and the column.
        notes: sentences about what gpkit assumed about the programs.
    """

    first: str
    second: str
    differences: tuple[Difference, ...]
    data: str
    target: str
    notes: tuple[str, ...] = ()

    schema = "compare-rows"

    @property
    def exit_code(self) -> int:
        """The exit code of the command: 1 if the first program is worse."""
        return EXIT_FINDINGS if self.verdict == "worse" else EXIT_OK

    @property
    def verdict(self) -> Verdict:
        """The verdict on the first program, by R² or accuracy: ``better``, ``worse`` or ``not distinguished``."""
        return self.differences[0].verdict

    def to_rows(self) -> list[Mapping[str, object]]:
        """The differences as JSON values."""
        return [each.to_json() for each in self.differences]

    def to_json(self) -> dict[str, object]:
        """The comparison as JSON values."""
        return {
            "first": self.first,
            "second": self.second,
            "data": self.data,
            "target": self.target,
            "verdict": self.verdict,
            "results": self.to_rows(),
            "notes": list(self.notes),
        }

    def told(self) -> Iterator[str | Sheet]:
        """The notes, the table of differences, and the verdict."""
        yield from map(Note, self.notes)
        columns = ("metric", "first", "second", "difference", "95 % interval", "first is", "rows")
        cells = [
            (
                each.name,
                *(f"{mean:.4g}" for mean in (each.first.mean, each.second.mean)),
                *difference_told(each.difference, "+.4g"),
                each.verdict,
                f"{each.difference.units:,}",
            )
            for each in self.differences
        ]
        yield Sheet(
            columns, cells, right=("first", "second", "difference", "rows"), leave_out=("rows", "first is")
        )
        yield str(self)

    def __str__(self) -> str:
        """The verdict in a sentence."""
        decisive = self.differences[0]
        if self.verdict == "not distinguished":
            rows = counted(decisive.difference.units, "row")
            return f"{self.first} and {self.second} cannot be distinguished by {decisive.name} on {rows}"
        by = f"by {abs(decisive.difference.mean):.4g} in {decisive.name}"
        return f"{self.first} is {self.verdict} than {self.second}, {by}"


def compared_on(
    first: Predictor, second: Predictor, tables: Sequence[Table], target: str, task: str | None = None
) -> ComparedRows:
    """A comparison of the predictions of two programs, paired by row, for the rows that have a target.

    Args:
        first, second: the programs.
        tables: the rows as the first program reads them, and as the second program reads them.
        target: the column that both predict.
        task: overrides what the programs say, as for ``Predictor.of_target``.

    Raises:
        UsageError: one predicts numbers and the other one classes, numbers are too large to be squared, or as for
            ``judged``.
    """
    column = tables[0].column(target)
    both = [
        each.of_target(table.column(target), task)
        for each, table in zip((first, second), tables, strict=True)
    ]
    (mine, told), (other, more) = both
    if bool(mine.facts.labels) != bool(other.facts.labels):
        numbers, classes = (other, mine) if mine.facts.labels else (mine, other)
        has_words = column.words is not None or any(isinstance(leaf, str) for leaf in classes.leaves)
        raise UsageError(
            f"{numbers.name} predicts numbers and {classes.name} classes; say what `{target}` is: "
            f"--task {'classification' if has_words else 'regression'}"
        )
    ours, others = (judged(each, table, target)[0] for each, table in zip((mine, other), tables, strict=True))
    for predictor, found in ((mine, ours), (other, others)):
        if not np.isfinite(found[0].value):
            raise UsageError(
                f"{predictor.name} predicts numbers of `{target}` that are too large to be squared"
            )
    theirs = {each.name: each for each in others}
    differences = tuple(
        Difference(
            each.name, each.measure.interval, theirs[each.name].measure.interval, each.less(theirs[each.name])
        )
        for each in ours
        if each.name in theirs
    )
    decisive = differences[0].name
    constant = f"all rows have the same `{target}`, so R² is undefined: the verdict follows from {decisive}"
    alike = () if mine.facts.labels or decisive == "r2" else (constant,)
    strange = (strangers(each.strange(table)) for each, table in zip((mine, other), tables, strict=True))
    notes = tuple(dict.fromkeys((*told, *more, *alike, *chain(*strange))))
    return ComparedRows(first.name, second.name, differences, tables[0].source, target, notes)
