"""Findings about a run, apart from its files: its champion's ancestry, and the content of its page."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from gpkit.core.codec import codec
from gpkit.core.registry import LEARNED
from gpkit.core.wording import counted
from gpkit.core.work_folder import kind_of, same_kind
from gpkit.data.metrics import Measure
from gpkit.evolution.config import evolved
from gpkit.evolution.history import Ancestry, History
from gpkit.evolution.run_folder import Milestone
from gpkit.evolution.search import Summary
from gpkit.gamekit.forms import Work
from gpkit.playing.evaluation import HeldOutTable
from gpkit.show.lineage import descent_row


def work_of(folder: Path) -> Work | None:
    """The reports and pages of the game-specific job in a folder; None if the folder contains no such job."""
    schema = kind_of(folder)
    return next(
        (entry.load().forms.work() for entry in LEARNED.values() if same_kind(entry.work, schema)), None
    )


class Champion(NamedTuple):
    """An individual that is the best from its generation on, with its strength, and with an interval if it is known."""

    generation: int
    mean: float
    low: float = math.nan
    high: float = math.nan


@dataclass(frozen=True, slots=True)
class Findings:
    """Findings about a run: its champion's ancestry, and the content of its page.

    Attributes:
        history: the run.
        ancestry: the ancestry of the champion.
        strengths: the results of the champion on deals or rows that evolution has not seen; empty for other subjects.
        course: the result of every champion of the run, in order.
        table: the strengths and the quick trials, for a champion that plays.
        key: the key of the strengths in JSON.
        metrics: the metrics of predictions, by part of the rows in words.
        more: further results, as JSON values.
    """

    history: History
    ancestry: Ancestry
    strengths: tuple[Any, ...] = ()
    course: tuple[Any, ...] = ()
    table: HeldOutTable | None = None
    key: str = "held_out"
    metrics: Mapping[str, Sequence[Measure]] = field(default_factory=dict)
    more: Mapping[str, Any] = field(default_factory=dict)

    @property
    def descent(self) -> str:
        """A sentence about the ancestry of the champion."""
        return f"The champion has {counted(self.ancestry.count, 'ancestor')}."

    @property
    def program(self) -> Any:
        """The program of the champion."""
        return program_of(self.history.champion, self.history)

    def to_json(self) -> dict[str, Any]:
        """The run in numbers, as JSON values."""
        history = self.history
        return {
            "folder": str(history.folder),
            **history.run.about,
            "seed": history.config.seed,
            "reason": history.reason or None,
            "generations": [codec(Summary).write(each) for each in history.generations],
            "champion": plain_milestone(history.champion),
            self.key: [result.to_json() for result in self.strengths],
            "champions": [
                plain_milestone(milestone) | ({self.key: result.to_json()} if result is not None else {})
                for milestone, result in zip_longest(history.milestones, self.course)
            ],
            **self.more,
            "ancestors": self.ancestry.count,
            "lineage": [descent_row(each, history.run.language) for each in self.ancestry.descents()],
        }

    def parts(self, deal: int) -> dict[str, Any]:
        """The parts of the page that depend on the subject; for a run on a game, one part shows a game on this deal."""
        del deal
        history, champion = self.history, self.history.champion
        (subject,) = history.run.about.values()
        return {
            "title": f"An evolved program for {subject}",
            "lead": f"{course_of(history)} The champion has "
            f"{counted(champion.size, unit_of_size(history)[:-1])} and the score {champion.score:.6g}.",
            "unit": history.run.metric.name,
            "strengths": (),
            "remark": "",
        }

    @property
    def facts(self) -> Iterator[tuple[str, str]]:
        """Names and values that describe the run."""
        yield from self.history.run.about.items()

    @property
    def fitness(self) -> Iterator[tuple[str, str]]:
        """Names and values that describe the fitness in evolution."""
        yield "fitness", f"the {self.history.run.metric.name} of the problem{penalty_of(self.history)}"

    @property
    def curve(self) -> tuple[str, Sequence[Champion]]:
        """The label of the curve of champions, and its points."""
        return "best so far", [
            Champion(m.generation, m.score, m.score, m.score) for m in self.history.milestones
        ]


def course_of(history: History) -> str:
    """A sentence about the progress of a run."""
    generations = counted(history.generations[-1].generation, "generation")
    islands, individuals = history.config.islands, f"{history.config.population.size}"
    if islands.count > 1:
        individuals = f"{'at first ' if islands.halve else ''}{islands.count} × {individuals}"
    going = "" if history.reason else " so far; the run has not ended"
    return f"{generations} of {individuals} programs{going}."


def penalty_of(history: History) -> str:
    """The penalty on size, in words; empty if there is none."""
    cost = history.config.bloat
    above = f" above {cost.free}" if cost.free else ""
    number = np.format_float_positional(cost.penalty, trim="-")
    return f", less {number} for every {unit_of_size(history)[:-1]}{above}" if cost.penalty else ""


def program_of(milestone: Milestone, history: History) -> Any:
    """The program of a champion."""
    parse = history.run.language.parse
    return parse(milestone.program, f"the champion of generation {milestone.generation}").program


def unit_of_size(history: History) -> str:
    """The unit of the sizes of programs."""
    return evolved(history.run.language.name).UNIT


def plain_milestone(milestone: Milestone) -> dict[str, Any]:
    """A champion as JSON values."""
    return {
        "generation": milestone.generation,
        "number": milestone.number,
        "nodes": milestone.size,
        "fitness": milestone.fitness,
        "score": milestone.score,
        "program": milestone.program,
    }
