"""The front of a run as a table of plain values: ``front.json``, and a program file for each of its members.

``front.json`` has the names of the objectives and which way is better, and of each program, in the order of the files
below ``front/``, its number, size, objectives as they were measured, standard error, and text.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from gpkit.core.codec import Count, Range, Real, codec, print_document, read_document
from gpkit.core.errors import CheckpointError
from gpkit.core.json_values import print_json
from gpkit.core.plain_files import is_folder, is_there, make_folder, read_plain, remove_plain, write_plain
from gpkit.evolution.engine import itself
from gpkit.evolution.fronts import Front
from gpkit.evolution.individual import Genome
from gpkit.evolution.problem import Representation

TABLE, FOLDER, SCHEMA = "front.json", "front", "gpkit.front/2"

MAX_TABLE = 1 << 28
"""The largest table that is read, in bytes."""

Better = Literal["higher", "lower"]
HIGHER: Better = "higher"
LOWER: Better = "lower"


@dataclass(frozen=True, slots=True)
class FrontRow:
    """One program of a front.

    Attributes:
        number: of the individual.
        size: nodes or lines.
        objectives: in validation, as they were measured.
        error: the standard error of its score; 0 where it is exact or not known.
        program: its text, without a header.
    """

    number: Count
    size: Count
    objectives: tuple[Real, ...]
    error: Annotated[float, Range(0.0)]
    program: str


@dataclass(frozen=True, slots=True)
class FrontTable:
    """The programs that none other dominates in validation, the first objective from its best on.

    Attributes:
        objectives: their names.
        better: for each of them ``higher`` or ``lower``.
        rows: the programs.
        rule: the name of the rule that chooses the champion.
        chosen: the place of the champion among the rows, before it was refined; None if it is none of them.
        suffix: of program files, including the dot.
    """

    objectives: tuple[str, ...]
    better: tuple[Better, ...]
    rows: tuple[FrontRow, ...]
    rule: str
    chosen: Count | None
    suffix: str

    def file(self, place: int) -> str:
        """The name of the program file of a row, below the folder of the run."""
        return f"{FOLDER}/{place + 1:03}{self.suffix}"

    def words(self, place: int) -> str:
        """The objectives of a row in words, such as ``score 0.81, size 12``."""
        pairs = zip(self.objectives, self.rows[place].objectives, strict=True)
        return ", ".join(f"{name} {value:.6g}" for name, value in pairs)

    def members(self) -> list[dict[str, Any]]:
        """The programs as JSON values, each with its file."""
        write = codec(FrontRow).write
        return [{"file": self.file(place), **write(row)} for place, row in enumerate(self.rows)]


def table_of(
    front: Front[Genome], representation: Representation[Genome], written: Callable[[Any], Any] = itself
) -> FrontTable:
    """The table of a front; ``written`` gives the program that people get of a genome, whose size is told."""
    rows = []
    for one in front.members:
        i = one.individual
        whole = written(i.genome)
        values = tuple(value * way for value, way in zip(one.values, front.directions, strict=True))
        rows.append(
            FrontRow(i.number, representation.size(whole), values, one.error, representation.print(whole))
        )
    better = tuple(HIGHER if way > 0.0 else LOWER for way in front.directions)
    return FrontTable(front.names, better, tuple(rows), front.rule, front.chosen, representation.suffix)


def write_front(
    folder: Path, table: FrontTable, representation: Representation[Any], header: Mapping[str, str]
) -> None:
    """Store a front: program files first, then the table.

    Args:
        folder: of the run.
        table: the front.
        representation: of its programs.
        header: what the files of all champions of the run say.

    Raises:
        CheckpointError: the file system refuses.
    """
    remove_front(folder)
    make_folder(folder / FOLDER)
    for place, row in enumerate(table.rows):
        own = {**header, "objectives": table.words(place)}
        write_plain(folder / table.file(place), representation.print(representation.parse(row.program), own))
    write_plain(folder / TABLE, print_json(print_document(SCHEMA, table)) + "\n")


def front_files(folder: Path) -> list[Path]:
    """The program files of the front of the run in a folder.

    Raises:
        CheckpointError: they are in no folder of the run's own.
    """
    return sorted((folder / FOLDER).glob("[0-9]*.*")) if is_folder(folder / FOLDER) else []


def remove_front(folder: Path) -> None:
    """Forget the front of a run that goes on.

    Raises:
        CheckpointError: something that is not a plain file is in the way.
    """
    for path in [*front_files(folder), folder / TABLE]:
        remove_plain(path)


def read_front(folder: Path) -> FrontTable | None:
    """The front of the run in a folder; None while it goes on, or where nothing was weighed.

    Raises:
        CheckpointError: the table is damaged.
    """
    path = folder / TABLE
    if not is_there(path):
        return None
    try:
        table = read_document(read_plain(path, MAX_TABLE), SCHEMA, FrontTable)
        counts = {len(table.objectives), len(table.better), *(len(row.objectives) for row in table.rows)}
        if len(counts) > 1:
            raise ValueError("a program has not as many objectives as there are")
        if table.chosen is not None and table.chosen >= len(table.rows):
            raise ValueError(f"it has no program {table.chosen}")
    except ValueError as error:
        raise CheckpointError(f"{path} is damaged: {error}") from error
    return table
