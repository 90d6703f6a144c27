"""Fronts and maps of runs as charts, texts and tables."""

from collections.abc import Sequence

from gpkit.core.errors import UsageError
from gpkit.core.tabular import aligned
from gpkit.draw.chart import Curves, Series
from gpkit.draw.map import MapPicture, Side, Spot, map_svg, map_text
from gpkit.draw.page import Section, drawing, page
from gpkit.draw.render import render_curves
from gpkit.evolution.archive import Archive, Niche, read_archive
from gpkit.evolution.dominance import SIZE
from gpkit.evolution.history import History
from gpkit.evolution.maps import Axis, grid_of
from gpkit.evolution.run_folder import LOWER, FrontTable, read_front

FRONT, MAP = "front", "map"


def archive_of_run(history: History) -> Archive | None:
    """The archive of a run at its last checkpoint; None of one that fills no map.

    Raises:
        CheckpointError: the checkpoints are damaged.
    """
    table = history.config.map
    return read_archive(history.folder, grid_of(table), history.run.metric) if table else None


def result_picture(history: History, what: str, form: str) -> bytes:
    """The front or the map of a run as the content of a file.

    Raises:
        UsageError: the run has none, or not yet, or it cannot be drawn in that format.
    """
    if what == FRONT:
        front = read_front(history.folder)
        if front is None:
            why = "has not ended yet" if not history.reason else "weighs no objectives"
            raise UsageError(
                f'{history.folder} has no front: the run {why}; scheme.order or selection.name = "pareto" keeps one'
            )
        return front_text(front).encode() if form == "txt" else render_curves(front_panels(front), form)
    archive = archive_of_run(history)
    if archive is None:
        raise UsageError(f'{history.folder} has no map: only scheme.name = "map-elites" fills one')
    drawn = map_picture(archive)
    if form == "txt":
        return map_text(drawn).encode()
    if form == "html":
        return page(drawn.title, drawn.remark, [Section("", (drawing(map_svg(drawn)),))]).encode()
    if form == "svg":
        return map_svg(drawn).encode()
    raise UsageError(f"a map cannot be drawn as .{form}; use .svg, .html and .txt")


def front_panels(front: FrontTable) -> Sequence[Curves]:
    """Charts of a front: the first objective by each of the others."""
    names = [
        f"{name}, lower is better" if better == LOWER else name
        for name, better in zip(front.objectives, front.better, strict=True)
    ]
    panels = []
    for place in range(1, len(names)) if len(names) > 1 else (0,):
        points = sorted((row.objectives[place], row.objectives[0]) for row in front.rows)
        series = [Series(FRONT, tuple(points), dots=True)]
        if front.chosen is not None:
            chosen = front.rows[front.chosen].objectives
            series.append(Series("champion", ((chosen[place], chosen[0]),)))
        panels.append(Curves("Front", tuple(series), names[0], x=names[place], whole=False))
    return panels


def front_rows(front: FrontTable) -> list[tuple[str | int | float, ...]]:
    """The rows of a table of a front: place, objectives, the program in one line."""
    return [
        (
            f"{place + 1}{' champion' if place == front.chosen else ''}",
            *(
                row.size if name == SIZE else value
                for name, value in zip(front.objectives, row.objectives, strict=True)
            ),
            one_line(row.program),
        )
        for place, row in enumerate(front.rows)
    ]


def one_line(program: str) -> str:
    """A program in one line."""
    return " · ".join(line.strip() for line in program.splitlines() if line.strip())


def front_text(front: FrontTable) -> str:
    """The front as a table in lines of text."""
    cells = [
        ("", *front.objectives, "program"),
        *(
            (str(first), *(f"{value:.6g}" for value in values), str(program))
            for first, *values, program in front_rows(front)
        ),
    ]
    return aligned(cells)


def map_picture(archive: Archive) -> MapPicture:
    """The map of an archive, before it is drawn: by its first two axes, the best over all others."""
    across, up = (
        _side(archive.axes[0]),
        _side(archive.axes[1]) if len(archive.axes) > 1 else Side("", (0.0, 1.0)),
    )
    sign = archive.metric.direction
    spots: dict[tuple[int, int], Spot] = {}
    for niche in archive.niches:
        place = (niche.cell[0], niche.cell[1] if len(archive.axes) > 1 else 0)
        spots.setdefault(place, Spot(sign * niche.score, _words(niche, archive)))
    others = ", ".join(axis.name for axis in archive.axes[2:])
    filled = (
        f"{len(archive.niches)} of {len(archive.niches) / archive.coverage:.0f} cells"
        if archive.niches
        else "empty"
    )
    remark = f"{filled}, QD score {archive.qd_score:.6g}" + (f"; the best over {others}" if others else "")
    measure = archive.metric.name.replace("_", " ")
    return MapPicture(f"Map of {measure}", remark, across, up, spots, measure, archive.metric.lower_is_better)


def _side(axis: Axis) -> Side:
    return Side(axis.name, (*(axis.bounds(place)[0] for place in range(axis.bins)), axis.high))


def _words(niche: Niche, archive: Archive) -> str:
    values = [f"{axis.name} {value:.4g}" for axis, value in zip(archive.axes, niche.behaviour, strict=True)]
    score = archive.metric.direction * niche.score
    return f"{archive.metric.name} {score:.4g}, {', '.join(values)}: {one_line(niche.program)}"
