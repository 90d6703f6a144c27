"""Results of comparing exported code with the interpreter: one row for each host, with its differences."""

from dataclasses import dataclass

EVALUATIONS = 1000
GAMES = 20

FIRST_KEY = 1001
"""The number of the first game to compare; this game is not among the tests in exported modules."""


@dataclass(frozen=True, slots=True)
class CheckRow:
    """The result of running the exported code in one host.

    Attributes:
        host: the name of the host, such as ``lua51``, ``lua5.4 (Lua 5.4.6)`` or ``python``.
        evaluations: the number of values compared.
        games: the number of complete games compared.
        failures: the number of differences, plus the number of failures in the test that the exported code contains.
        first: the first difference in words; empty if there is none.
        largest: the largest relative difference between values from the host's math library; a difference counts as a
            failure only if it is greater than 1e-9.
    """

    host: str
    evaluations: int
    games: int
    failures: int
    first: str
    largest: float = 0.0


@dataclass(frozen=True, slots=True)
class CheckReport:
    """The rows of all hosts, and notes for the reader on how gpkit made them."""

    rows: tuple[CheckRow, ...]
    notes: tuple[str, ...] = ()

    @property
    def is_equal(self) -> bool:
        """Whether nothing differs."""
        return not any(row.failures for row in self.rows)
