"""Exact results as a table, the same wherever they are told."""

from collections.abc import Sequence

from gpkit.cli import output
from gpkit.gamekit.game import BEST_RESPONSE
from gpkit.playing.exact import ExactResult

COLUMNS = ("program", "opponent", "metric", "mean")
TURNS = ("moving first", "moving second")
DETAILS = ("and",)


def tell_exact(results: Sequence[ExactResult]) -> None:
    """Print the results, by who moves first if that matters in every one of them, otherwise with their details.

    What the best response to a program wins is said once for each below the table.
    """
    if all(len(result.expected.seatings) > 1 for result in results):
        known = (
            tuple(name for name in results[0].expected.details if name != BEST_RESPONSE) if results else ()
        )
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

    for line in dict.fromkeys(filter(None, map(_best_response, results))):
        output.tell(line)


def _best_response(result: ExactResult) -> str:
    """A sentence on what the best response to a program wins; empty where that was not computed."""
    won = result.expected.details.get(BEST_RESPONSE)
    if not isinstance(won, list):
        return ""
    first, second = map(_rounded, won)
    return f"The best response to {result.program} wins {first} moving first and {second} moving second."


def _cells(result: ExactResult) -> tuple[str, str, str, str]:
    return result.program, result.opponent, result.metric.name, _rounded(result.expected.mean)


def _rounded(score: float) -> str:
    return f"{score:.4f}"
