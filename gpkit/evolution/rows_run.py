"""Evolution on rows: which of them are held out, the search on the others, and its run."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from gpkit.core.forms import form
from gpkit.core.registry import ROWS_LANGUAGE
from gpkit.core.rng import stream
from gpkit.core.settings import to_data
from gpkit.core.work_folder import Description
from gpkit.evolution.classification import Classification
from gpkit.evolution.problem import Executor, Representation
from gpkit.evolution.rows_config import RowsConfig
from gpkit.evolution.run import QUIET, Hooks, Result, check_folder, open_diary, run_search
from gpkit.evolution.run_folder import KIND
from gpkit.evolution.search import Search
from gpkit.evolution.setup import islands_of, parameters_of, refinement_of, versions
from gpkit.evolution.stop import Stop, first_of, stop_of

Columns = NDArray[np.float64]
"""Float64 (inputs, rows)."""


@runtime_checkable
class RowsEvolving(Protocol):
    """Representations of programs that put rows into classes: further function of ``forms.evolution``."""

    def representation_of_rows(
        self, inputs: Sequence[str], columns: Columns, classes: Sequence[str], settings: Any, size: int | None
    ) -> Representation[Any]: ...


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Rows with their classes.

    Attributes:
        inputs: the names of the columns.
        targets: the class of each row.
    """

    inputs: tuple[str, ...]
    columns: Columns
    targets: NDArray[np.str_]

    def part(self, chosen: NDArray[np.bool_]) -> "Table":
        """The rows that are chosen: bool (rows,)."""
        return Table(self.inputs, self.columns[:, chosen], self.targets[chosen])


def parted(table: Table, held_out: float, seed: int) -> tuple[Table, Table]:
    """The rows to learn from, and those held out: of each class that share, rounded, and one row at least is kept."""
    rng = stream(seed, "held out")
    hidden = np.zeros(len(table.targets), dtype=np.bool_)
    for name in np.unique(table.targets):
        rows = rng.permutation(np.flatnonzero(table.targets == name))
        hidden[rows[: min(round(held_out * len(rows)), len(rows) - 1)]] = True
    return table.part(~hidden), table.part(hidden)


def rows_search_of(config: RowsConfig, table: Table) -> Search[Any]:
    """The search that a configuration describes, on the rows to learn from.

    Raises:
        UsageError: an unknown operator, or a name that programs cannot say.
    """
    classes = sorted(set(table.targets.tolist()))
    space = form(RowsEvolving, "evolution", ROWS_LANGUAGE, "evolve {}").representation_of_rows(
        table.inputs, table.columns, classes, config.representation, config.limits.size
    )
    return Search(
        Classification(table.inputs, table.columns, tuple(table.targets.tolist())),
        space,
        parameters_of(config, space),
        config.seed,
        islands_of(config),
        refinement=refinement_of(config),
    )


def evolve_rows(
    config: RowsConfig,
    table: Table,
    executor: Executor,
    *,
    folder: Path | None = None,
    resume: bool = False,
    stop: Stop | None = None,
    hooks: Hooks = QUIET,
    arguments: Sequence[str] = (),
) -> Result[Any]:
    """Evolve a program that classifies rows; arguments as of ``gpkit.evolution.evolve.evolve``.

    Args:
        config: everything that decides the course of the run.
        table: all rows; those held out are left aside.

    Raises:
        UsageError: an unknown operator, or another configuration than that of the run, or other rows.
        CheckpointError: the folder is in use, not empty, not of a run, damaged, or cannot be written.
    """
    learned, _ = parted(table, config.data.held_out, config.seed)
    search = rows_search_of(config, learned)
    rule = stop_of(config.stop) if stop is None else first_of(stop_of(config.stop), stop)
    if folder is None:
        return run_search(search, executor, rule, hooks=hooks)
    description = Description(KIND, to_data(config), config.seed, versions(), arguments)
    check_folder(folder, description, resume=resume)
    with open_diary(search, folder, description, rows_header_of(config), resume=resume) as diary:
        return run_search(search, executor, rule, diary=diary, hooks=hooks)


def rows_header_of(config: RowsConfig) -> dict[str, str]:
    """Header of champion files: the rows, and the seed."""
    return {"data": config.data.file, "target": config.data.target, "seed": str(config.seed)}
