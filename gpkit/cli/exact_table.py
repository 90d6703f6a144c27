"""Exact results as a table, the same wherever they are told."""

from collections.abc import Mapping, Sequence

from gpkit.cli import output
from gpkit.play.exact import ExactResult

COLUMNS = ("program", "opponent", "metric", "mean")
TURNS = ("moving first", "moving second")
DETAILS = ("and",)


def tell_exact(results: Sequence[ExactResult]) -> None:
    """Print the results, by who moves first if that matters in every one of them, otherwise with their details."""
    if all(len(result.expected.seatings) > 1 for result in results):
        by_turns = [(*_cells(result), *map(_rounded, result.expected.seatings)) for result in results]
        output.table(COLUMNS + TURNS, by_turns, right=("mean", *TURNS), leave_out=("metric", *TURNS))
    else:
        detailed = [(*_cells(result), details_in_words(result.expected.details)) for result in results]
        output.table(COLUMNS + DETAILS, detailed, right=("mean",), texts=DETAILS, leave_out=("metric",))


def details_in_words(details: Mapping[str, object]) -> str:
    """What else is known of a result, such as ``most 5, lost 0``."""
    parts = (
        f"{name} {' '.join(map(str, value)) if isinstance(value, list) else value}"
        for name, value in details.items()
    )
    return ", ".join(parts)


def _cells(result: ExactResult) -> tuple[str, str, str, str]:
    return result.program, result.opponent, result.metric.name, _rounded(result.expected.mean)


def _rounded(score: float) -> str:
    return f"{score:.4f}"
