"""Results of comparing exported code with the interpreter: a row for each host, and whether anything differs."""

from dataclasses import dataclass

EVALUATIONS = 1000
GAMES = 20

FIRST_KEY = 1001
"""The number of the first game to compare; exported modules do not contain it as a test."""


@dataclass(frozen=True, slots=True)
class CheckRow:
    """The result of one host for the exported code.

    Attributes:
        host: the name of the host, such as ``lua51``, ``lua5.4 (Lua 5.4.6)`` or ``python``.
        evaluations: the number of values compared.
        games: the number of whole games compared.
        failures: the number of differences, plus the failures of the code's own test.
        first: the first difference in words, or empty.
        largest: the largest relative difference between values from the host's mathematical library; it counts as a
            failure only above 1e-9.
    """

    host: str
    evaluations: int
    games: int
    failures: int
    first: str
    largest: float = 0.0


@dataclass(frozen=True, slots=True)
class CheckReport:
    """The rows of all hosts, and notes for the reader on how they were made."""

    rows: tuple[CheckRow, ...]
    notes: tuple[str, ...] = ()

    @property
    def is_equal(self) -> bool:
        """Whether nothing differs."""
        return not any(row.failures for row in self.rows)
