"""Results of comparing exported code with the interpreter: a row for each host, and whether anything differs."""

from dataclasses import dataclass

EVALUATIONS = 1000
GAMES = 20

FIRST_KEY = 1001
"""The first game that is compared: not among those that a module carries."""


@dataclass(frozen=True, slots=True)
class CheckRow:
    """Result of one host on the exported code.

    Attributes:
        host: such as ``lua51``, ``lua5.4 (Lua 5.4.6)`` or ``python``.
        evaluations: how many values were compared.
        games: how many whole games were compared.
        failures: how many of both differ, and those that the code's own test finds.
        first: the first difference in words, or empty.
        largest: the largest relative difference of values that the host's mathematical library computes, which counts
            as one only above 1e-9.
    """

    host: str
    evaluations: int
    games: int
    failures: int
    first: str
    largest: float = 0.0


@dataclass(frozen=True, slots=True)
class CheckReport:
    """The rows of all hosts, and what a reader should know of how they were made."""

    rows: tuple[CheckRow, ...]
    notes: tuple[str, ...] = ()

    @property
    def is_equal(self) -> bool:
        """Whether nothing differs."""
        return not any(row.failures for row in self.rows)
