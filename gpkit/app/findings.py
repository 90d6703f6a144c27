"""Findings about a run beyond its folder: strength of its champions on held-out deals, and ancestry of the last one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest
from pathlib import Path
from typing import Any

from gpkit.app.ancestors import descent_row
from gpkit.app.evaluation import HeldOut, Measured, held_out, table_of_run
from gpkit.app.watching import Tell, counting
from gpkit.core.codec import codec
from gpkit.core.registry import LEARNED
from gpkit.core.statistics import Interval
from gpkit.core.wording import counted
from gpkit.core.work_folder import kind_of, same_kind
from gpkit.evolution.config import evolved
from gpkit.evolution.history import Ancestry, History, read_ancestry, read_history
from gpkit.evolution.resolved import GameRun
from gpkit.evolution.run_folder import Milestone
from gpkit.evolution.summary import Summary
from gpkit.playing.evaluation import HeldOutTable

UNSEEN = "Evolution has not seen the held-out rows; intervals take the row as the unit."
"""A remark on the results of fits."""

GAMES_OF_MILESTONE = 3_000
"""Games that every champion plays against every opponent for the curve of the run."""


def work_of(folder: Path) -> Any:
    """The module that reports, shows and resumes a game's own long work in a folder; None if it is none."""
    schema = kind_of(folder)
    return next(
        (entry.part("forms.work") for entry in LEARNED.values() if same_kind(entry.work, schema)), None
    )


@dataclass(frozen=True, slots=True)
class Findings:
    """A run and what became of its champions where evolution has not seen them.

    Attributes:
        history: the run.
        ancestry: of the champion.
        strengths: the results of the champion: one against each opponent.
        course: the result of every champion when it was found, over all opponents.
    """

    history: History
    ancestry: Ancestry
    strengths: tuple[Any, ...]
    course: tuple[Any, ...]

    @property
    def descent(self) -> str:
        """A sentence on the ancestry of the champion."""
        return f"The champion has {counted(self.ancestry.count, 'ancestor')}."

    @property
    def key(self) -> str:
        """Key of the results in JSON."""
        return HeldOut.key

    @property
    def more(self) -> Mapping[str, Any]:
        """Further results, as JSON values."""
        return {}

    @property
    def program(self) -> Any:
        """The champion."""
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


@dataclass(frozen=True, slots=True)
class GameFindings(Findings):
    """A run and what games on held-out deals, or exact results, say of it.

    Attributes:
        held_out: what was played, or computed.
        table: the strengths, and quick trials that the run had no part of.
    """

    held_out: HeldOut
    table: HeldOutTable

    @property
    def key(self) -> str:
        """Key of the results in JSON."""
        return self.held_out.key

    @property
    def more(self) -> Mapping[str, Any]:
        """The table."""
        return {"table": self.table.to_json()}


def find_out(history: History, *, games: int, tell: Tell, opponents: Sequence[str] = ()) -> GameFindings:
    """Measure the champions of a run in games, and follow the ancestry of the last one.

    Args:
        history: the run.
        games: of the champion against every opponent, unless results are computed.
        tell: shows how many games have been played.
        opponents: by name, instead of the configuration's.

    Raises:
        UsageError: an opponent does not exist, or its file cannot be read.
        CheckpointError: the genealogy is missing or damaged.
    """
    assert isinstance(history.run, GameRun)
    unseen = held_out(history.run, opponents)
    ancestry = read_ancestry(history)
    programs = [program_of(milestone, history) for milestone in history.milestones]
    few = min(games, GAMES_OF_MILESTONE)
    played = counting(tell, games * len(unseen.opponents), "champion: ")
    champion = program_of(history.champion, history)
    strengths = unseen.strengths(champion, games, played)
    played = counting(tell, few * len(unseen.opponents) * len(programs), "champions: ")
    course = unseen.overall(programs, few, played)
    measured = Measured(str(history.champion_file), champion, strengths, games)
    table = table_of_run(unseen, history.run.training, measured)
    return GameFindings(history, ancestry, tuple(strengths), tuple(course), unseen, table)


QUICK_GAMES = 600
"""Games of a champion against every opponent while somebody waits."""


@lru_cache(64)
def quick_strengths(folder: Path, program: str) -> list[tuple[str, Interval]]:
    """The scores of a run's champion against the opponents of its configuration on fresh deals, from few games.

    ``program`` is the champion's text, by which what was played is known again.

    Raises:
        CheckpointError: as of ``read_history``.
        UsageError: as of ``held_out``.
    """
    history = read_history(folder)
    assert isinstance(history.run, GameRun)
    found = held_out(history.run).strengths(program_of(history.champion, history), QUICK_GAMES)
    return [(each.opponent, each.interval) for each in found]


def find_out_problem(history: History) -> Findings:
    """Follow the ancestry of the last champion of a run on a problem of one's own, whose function is not asked again.

    Raises:
        CheckpointError: the genealogy is missing or damaged.
    """
    return Findings(history, read_ancestry(history), (), ())


def course_of(history: History) -> str:
    """A sentence on how far a run has come."""
    generations = counted(history.generations[-1].generation, "generation")
    islands, individuals = history.config.islands, f"{history.config.population.size}"
    if islands.count > 1:
        individuals = f"{'at first ' if islands.halve else ''}{islands.count} × {individuals}"
    going = "" if history.reason else " so far; the run has not ended"
    return f"{generations} of {individuals} programs{going}."


def problem_parts(findings: Findings) -> dict[str, Any]:
    """The parts of a page that only runs on problems of one's own have."""
    history, champion = findings.history, findings.history.champion
    return {
        "title": f"An evolved program for {history.config.problem.name}",
        "lead": f"{course_of(history)} The champion has "
        f"{counted(champion.size, unit_of_size(history)[:-1])} and the score {champion.score:.6g}.",
        "unit": history.run.metric.name,
        "strengths": (),
        "remark": "",
        "descent": findings.descent,
    }


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
