"""The curves, the front and the map of a run as charts, sentences and tables."""

from bisect import bisect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TypeVar

from gpkit.core.codec import Codec, as_text, codec
from gpkit.core.errors import CheckpointError, UsageError
from gpkit.core.layout import aligned
from gpkit.core.work_folder import restored
from gpkit.evolution.fronts import SIZE
from gpkit.evolution.history import History, read_ancestry, read_history
from gpkit.evolution.maps import Archive, Axis, grid_of
from gpkit.evolution.problem import Individual
from gpkit.evolution.run_folder import LOWER, FrontTable, read_front
from gpkit.evolution.search import SearchState
from gpkit.show.chart import Curves, Series
from gpkit.show.fit_findings import PREDICTIONS, predictions_picture
from gpkit.show.heat import MapAxis, MapPicture, Spot, map_svg, map_text
from gpkit.show.lineage import drawn_ancestors, lineage_picture
from gpkit.show.render import render, render_curves, written
from gpkit.show.run_findings import Champion, unit_of_size

FRONT, MAP = "front", "map"


# The course: strength in the metric of the game, sizes and diversity, by generation.


def strength_panels(
    history: History, champions: Sequence[Champion], *, champion: str = ""
) -> tuple[Curves, ...]:
    """Curves of training and of champions: in one chart, or in two charts if training and validation measure different
    things.

    Args:
        history: the run.
        champions: the champions in order, with intervals if they are known; each remains champion until the next one.
        champion: the label of the champions' curve; empty for the default label.
    """
    sign, unit, generations = history.run.metric.direction, unit_of(history), history.generations
    is_game, since = bool(history.config.game), [each.generation for each in champions]
    champion = champion or ("champion in validation" if is_game else "best so far")
    champions = [champions[max(bisect(since, g.generation), 1) - 1] for g in generations]
    training = (
        Series(
            "best in training" if is_game else "best",
            tuple((g.generation, sign * g.best) for g in generations),
        ),
        Series("median", tuple((g.generation, sign * g.median) for g in generations)),
    )
    bands = tuple((c.low, c.high) for c in champions) if all(c.low <= c.high for c in champions) else ()
    measured = Series(
        champion, tuple((g.generation, c.mean) for g, c in zip(generations, champions, strict=True)), bands
    )
    return (
        (Curves("Champions", (measured,), unit), Curves("Training", training, f"{unit}, weighted"))
        if is_guided(history)
        else (Curves("Strength" if is_game else "Score", (*training, measured), unit),)
    )


def size_panels(history: History) -> tuple[Curves, ...]:
    """The size of the best program and the mean size of all programs in each generation, in the language's unit."""
    best = Series("best", tuple((g.generation, g.best_size) for g in history.generations))
    mean = Series("mean of all", tuple((g.generation, g.size) for g in history.generations))
    return (Curves("Size", (best, mean), unit_of_size(history), zero=True),)


def diversity_panels(history: History) -> tuple[Curves, ...]:
    """The number of different programs in each generation."""
    points = tuple((g.generation, round(g.diversity * g.individuals)) for g in history.generations)
    return (Curves("Diversity", (Series("different individuals", points),), "individuals", zero=True),)


def is_guided(history: History) -> bool:
    """Whether training rewards more than the score of the game."""
    guide = history.config.guide
    return guide.grade > 0 or bool(guide.exercises)


def unit_of(history: History) -> str:
    """The unit of strength, in words."""
    words: str = history.run.metric.name.replace("_", " ")
    if is_guided(history) or not history.config.bloat.penalty:
        return words
    return f"{words} {'less' if history.run.metric.direction > 0 else 'plus'} the price of size"


def validated_champions(history: History) -> tuple[Champion, ...]:
    """The champions of a run with their strength in validation."""
    direction, plain = history.run.metric.direction, is_guided(history)
    return tuple(
        Champion(m.generation, direction * (m.score if plain else m.fitness)) for m in history.milestones
    )


# The front and the map.


def archive_of_run(history: History) -> Archive[str] | None:
    """The archive of a run at its last checkpoint, with programs as strings; None if the run fills no map.

    Raises:
        CheckpointError: there is no checkpoint, or it is damaged.
    """
    if not history.config.map:
        return None
    state: SearchState[str] | None = restored(
        history.folder, codec(SearchState, {TypeVar: Codec(str, as_text)}).read
    )
    if state is None:
        raise CheckpointError(f"the run in {history.folder} has no generation yet")
    grid = grid_of(history.config.map)
    return Archive(grid, grid.filled(chain(*state.islands)), history.run.metric)


def front_panels(front: FrontTable) -> Sequence[Curves]:
    """Charts of a front: the first objective against each of the others."""
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
    """The rows of a front's table: place, objectives, and the program on one line."""
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
    """A program on one line."""
    return " · ".join(line.strip() for line in program.splitlines() if line.strip())


def front_text(front: FrontTable) -> str:
    """The front as a text table."""
    return aligned(
        [
            ("", *front.objectives, "program"),
            *(
                (str(first), *(f"{value:.6g}" for value in values), str(program))
                for first, *values, program in front_rows(front)
            ),
        ]
    )


def map_picture(archive: Archive[str]) -> MapPicture:
    """The content of an archive's map: the first two axes, with the best program over all other axes."""
    axes = archive.grid.axes
    across, up = _side(axes[0]), _side(axes[1]) if len(axes) > 1 else MapAxis("", (0.0, 1.0))
    sign = archive.metric.direction
    spots: dict[tuple[int, int], Spot] = {}
    for cell, elite in archive.elites.items():
        spots.setdefault(
            (cell[0], cell[1] if len(axes) > 1 else 0), Spot(sign * elite.score, _words(elite, archive))
        )
    others = ", ".join(axis.name for axis in axes[2:])
    filled = f"{len(archive.elites)} of {archive.grid.cells} cells" if archive.elites else "empty"
    remark = f"{filled}, QD score {archive.qd_score:.6g}" + (f"; the best over {others}" if others else "")
    measure = archive.metric.name.replace("_", " ")
    return MapPicture(f"Map of {measure}", remark, across, up, spots, measure, archive.metric.lower_is_better)


def _side(axis: Axis) -> MapAxis:
    return MapAxis(axis.name, (*(axis.bounds(place)[0] for place in range(axis.bins)), axis.high))


def _words(elite: Individual[str], archive: Archive[str]) -> str:
    pairs = zip(archive.grid.axes, elite.behaviour, strict=True)
    values = ", ".join(f"{axis.name} {value:.4g}" for axis, value in pairs)
    score = archive.metric.direction * elite.score
    return f"{archive.metric.name} {score:.4g}, {values}: {one_line(elite.genome)}"


# Pictures of a run beside its champion, by name.


CURVES: Mapping[str, Callable[[History], Sequence[Curves]]] = {
    "curves": lambda history: strength_panels(history, validated_champions(history)),
    "sizes": size_panels,
    "diversity": diversity_panels,
}
"""Charts of the generations, by name; in each first chart, the champion's line is the first, in `curves` the last."""


def picture_of_runs(runs: Sequence[str], what: str, form: str) -> bytes:
    """A chart of the generations with a line for each run.

    Raises:
        UsageError: the runs measure different things, or gpkit cannot draw the chart in this format.
    """
    panels = [CURVES[what](read_history(Path(run)))[0] for run in runs]
    if len(measures := {each.measure: None for each in panels}) > 1:
        raise UsageError(f"these runs measure different things: {', '.join(measures)}")
    lines = [each.series[-1 if what == "curves" else 0] for each in panels]
    series = tuple(replace(line, name=run) for line, run in zip(lines, runs, strict=True))
    return render_curves(
        (replace(panels[0], title=f"{panels[0].title}: {lines[0].name}", series=series),), form
    )


def run_picture(run: str, what: str, form: str) -> bytes:
    """A picture of a run, but not of its champion.

    Raises:
        UsageError: the run does not have the picture, or not yet, or gpkit cannot draw the picture in this format.
    """
    history = read_history(Path(run))
    if what in CURVES:
        return render_curves(CURVES[what](history), form)
    if what == FRONT:
        front = read_front(history.folder)
        if front is None:
            why = "has not ended yet" if not history.reason else "weighs no objectives"
            raise UsageError(
                f'{history.folder} has no front: the run {why}; scheme.order or selection.name = "pareto" keeps one'
            )
        return front_text(front).encode() if form == "txt" else render_curves(front_panels(front), form)
    if what == MAP:
        archive = archive_of_run(history)
        if archive is None:
            raise UsageError(f'{history.folder} has no map: only scheme.name = "map-elites" fills one')
        drawn = map_picture(archive)
        return written(
            "a map", form, svg=map_svg(drawn), text=map_text(drawn), title=drawn.title, remark=drawn.remark
        )
    if what == PREDICTIONS:
        return predictions_picture(history, form)
    ancestors = drawn_ancestors(read_ancestry(history))
    title = f"{Path(run).resolve().name}: the champion, its first parents and their mates"
    return render(lineage_picture(ancestors, title=title), form)
