"""The page of a study: its verdicts, medians, tests and curves."""

from collections.abc import Iterator

import numpy as np

from gpkit.analysis.studies import Studied, Yardstick
from gpkit.core.wording import VERSION, counted
from gpkit.show.chart import Curves, Series, curves_svg
from gpkit.show.page import Section, charts, page, paragraph, table

QUARTILES = (25.0, 50.0, 75.0)
"""The percentiles of a curve and the ends of its band."""


NOTES = {
    "Runs": "The median of the runs, with its 95% interval.",
    "Tests": "Runs with the same seed form pairs; p is from the signed-rank test, also with Holm's correction over all "
    "tests. A12 is the chance that a run of the first is better.",
}
"""The titles of the tables, with their captions."""


def study_curves(study: Studied, yard: Yardstick) -> Curves:
    """The best score in training by generation: the median of each configuration's runs, with the quartiles as a band.

    A finished run keeps its last score in later generations.
    """
    lines = []
    for name in study.configurations:
        runs = [
            each.curve
            for each in study.outcomes
            if (each.problem, each.configuration) == (yard.problem, name) and each.curve
        ]
        length = max(map(len, runs), default=0)
        kept = [[*curve, *curve[-1:] * (length - len(curve))] for curve in runs]
        parts = np.percentile(kept, QUARTILES, axis=0, method="nearest").tolist() if runs else ([], [], [])
        lines.append(Series(name, tuple(enumerate(parts[1])), tuple(zip(parts[0], parts[2], strict=True))))
    return Curves(f"Best in training on {yard.problem}", tuple(lines), "best score in training")


def study_page(study: Studied) -> str:
    """The page, a self-contained HTML document."""
    names = (study.configurations, [each.problem for each in study.yardsticks])
    lead = f"{' on '.join(map(', '.join, names))}: {counted(len(study.outcomes), 'run')}."
    return page("Study", lead, [*_sections(study)], footer=f"gpkit {VERSION}")


def _sections(study: Studied) -> Iterator[Section]:
    if study.verdicts:
        yield Section("Verdict", tuple(map(paragraph, study.verdicts)))
    for title, sheet in zip(NOTES, study.sheets(), strict=False):
        yield Section(title, (table(sheet.columns, sheet.rows, caption=NOTES[title]),))
    drawn = [curves_svg(study_curves(study, each)) for each in study.yardsticks]
    yield Section("Curves", (charts(drawn), paragraph("Medians of the runs, with the quartiles as bands.")))
    if study.failed:
        yield Section("Failed", tuple(map(paragraph, study.failed)))
