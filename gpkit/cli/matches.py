"""Sentences and tables on the strength of a run's champion."""

from collections.abc import Sequence

from gpkit.analysis.results import exactly_told, held_out_told
from gpkit.cli.output import table, tell
from gpkit.core.tabular import Sheet
from gpkit.playing.evaluation import HeldOutTable
from gpkit.playing.results import ExactResult, Strength

MAX_GAMES = 10_000_000


def tell_strengths(strengths: Sequence[Strength], found: HeldOutTable) -> None:
    """Print what the champion of a run reaches.

    Args:
        strengths: its results against the opponents of the run.
        found: the table of these results and the quick trials.
    """
    exact = [result for result in strengths if isinstance(result, ExactResult)]
    told = [
        *(exactly_told(exact) if exact else ()),
        *held_out_told(found.beyond(len(exact)), "champion against"),
    ]
    for part in told:
        if isinstance(part, Sheet):
            table(*part)
        else:
            tell(part)
