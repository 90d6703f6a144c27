"""Equations of physics that are found in their form, by the rules of FastSRB, with a time limit for each."""

from gpkit_experiments import fastsrb
from gpkit_experiments.bench.measure import Measure, Outcome, Session, Target
from gpkit_experiments.cells import Cell, Cells, Key
from gpkit_experiments.signs import share_interval

FOUND = Target("at least", required=45.0, aim=70.0)
"""SymbolicRegression.jl finds 44.7 %, TiSR 69.4 % (V. Martinek, FastSRB, 2025)."""

EASY, EASY_SECONDS = ("I.29.4", "I.14.3"), 3.0
"""Equations of a quick look, and CPU seconds for each."""


def measure(session: Session) -> Outcome:
    """Search for all equations with the first seed, but for those that are stored; for a quick look for two."""
    seed = 1 if session.quick else fastsrb.SEEDS[0]
    if session.quick:
        cells = Cells(None, {})
        keys: list[Key] = [(name, seed) for name in EASY]
        cells.fill(keys, lambda key: fastsrb.measure(key, EASY_SECONDS), session.watch)
        found, seconds = list(cells.found.values()), EASY_SECONDS
    else:
        stored = fastsrb.measured_cells([seed], session.watch).found
        found, seconds = [cell for key, cell in stored.items() if key[1] == seed], fastsrb.SECONDS
    return Outcome(
        f"{len(found)} equations, {seconds:g} CPU seconds each on one core, two at a time, seed {seed}",
        (
            share("listed", "equations found in a form that is listed", "success", found, FOUND),
            share("acceptable", "equations found in a form that is acceptable", "acceptable", found),
        ),
    )


def share(name: str, what: str, key: str, cells: list[Cell], target: Target | None = None) -> Measure:
    """The share of cells in which a key is true, between the ends of its 95 % interval."""
    hits = sum(bool(cell.get(key)) for cell in cells)
    middle, low, high = (100.0 * value for value in share_interval(hits, len(cells)))
    return Measure(name, what, "%", middle, low, high, len(cells), target)
