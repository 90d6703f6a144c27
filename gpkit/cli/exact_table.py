"""Exact results as a table, the same wherever they are told."""

from collections.abc import Sequence

from gpkit.cli import output
from gpkit.playing.exact import ExactResult

COLUMNS = ("program", "opponent", "metric", "mean")
TURNS = ("moving first", "moving second")
DETAILS = ("and",)


def tell_exact(results: Sequence[ExactResult]) -> None:
    """Print the results, by who moves first if that matters in every one of them, otherwise with their details."""
    if all(len(result.expected.seatings) > 1 for result in results):
        known = tuple(name for name in results[0].expected.details) if results else ()
        by_turns = [
            (
                *_cells(result),
                *map(_rounded, result.expected.seatings),
                *(f"{result.expected.details[name]:.4f}" for name in known),
            )
            for result in results
        ]
        output.table(
            COLUMNS + TURNS + known, by_turns, right=("mean", *TURNS, *known), leave_out=("metric", *TURNS)
        )
    else:
        detailed = [(*_cells(result), result.details_in_words) for result in results]
        output.table(COLUMNS + DETAILS, detailed, right=("mean",), texts=DETAILS, leave_out=("metric",))


def _cells(result: ExactResult) -> tuple[str, str, str, str]:
    return result.program, result.opponent, result.metric.name, _rounded(result.expected.mean)


def _rounded(score: float) -> str:
    return f"{score:.4f}"
