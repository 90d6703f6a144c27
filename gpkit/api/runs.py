"""Runs of evolution in Python code."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gpkit.api.arguments import command
from gpkit.api.described_runs import OwnOperators, OwnParts, Starts, What, described
from gpkit.api.fronts import Archive, Front, archive_value, front_value
from gpkit.api.kinds import Count, Number, Seconds, Seed
from gpkit.api.problems import built
from gpkit.api.programs import Program
from gpkit.api.progress import watching
from gpkit.core.codec import codec
from gpkit.core.errors import UsageError, interrupted
from gpkit.core.settings import NO_SETTINGS
from gpkit.core.tabular import Tabular, html_table
from gpkit.core.timeouts import GRACE, countdown
from gpkit.core.wording import Tell
from gpkit.core.work_folder import is_run
from gpkit.evolution.config import Config
from gpkit.evolution.history import stored_generations
from gpkit.evolution.loop import evolve as evolve_by
from gpkit.evolution.own_parts import check_takes
from gpkit.evolution.parts import name_of_part
from gpkit.evolution.run_folder import RunResult, champion_header
from gpkit.evolution.search import Champion, Hooks, State
from gpkit.evolution.setup import Run as Running
from gpkit.evolution.summary import Summary

OnGeneration = Callable[[Summary, Program], object]
"""Called for every new generation with its numbers and the champion so far; the run ends when it returns False."""

CHAMPION = "champion"
"""Name of the program that a run returns."""

CALLED_OFF = "the callback"
"""Reason of the end of a run that its callback ended."""


@dataclass(frozen=True, slots=True)
class Run(Tabular):
    """Run of evolution that has ended.

    Attributes:
        config: everything that decided its course.
        generations: in numbers, all from the first on, also those before the run went on.
        score: of the champion, on conditions that no generation has met; higher is better.
        reason: why it ended.
        digest: the SHA-256 of its last state, the same for the same configuration and seed.
        folder: where it is stored; None if nowhere.
        front: the programs that none dominates, where several objectives were weighed.
        archive: the best program of each cell, where a map of behaviour was filled.
    """

    config: Config
    generations: tuple[Summary, ...]
    score: float
    reason: str
    digest: str
    folder: Path | None
    front: Front | None = None
    archive: Archive | None = None

    def __str__(self) -> str:
        """The run in a line."""
        last = self.generations[-1].generation if self.generations else 0
        stored = "" if self.folder is None else f", in {self.folder}"
        return f"generation {last}, stopped after {self.reason}{stored}; SHA-256 {self.digest}"

    def to_rows(self) -> list[Mapping[str, object]]:
        """The generations in numbers."""
        return [codec(Summary).write(each) for each in self.generations]

    def _repr_html_(self) -> str:
        """The generations as a table."""
        return html_table(self.to_rows(), str(self))


@command
def evolve(
    what: What = None,
    *,
    generations: Number | None = None,
    seed: Seed | None = None,
    time_limit: Seconds | None = None,
    settings: Mapping[str, Any] = NO_SETTINGS,
    start: Starts = (),
    callback: OnGeneration | None = None,
    folder: str | os.PathLike[str] | None = None,
    resume: bool = False,
    workers: Count | str = 1,
    operators: OwnOperators = NO_SETTINGS,
    selection: Any = None,
    scheme: Any = None,
    initialiser: Any = None,
    stop: Callable[[State[Any]], str | bool | None] | None = None,
    callbacks: Sequence[Any] = (),
    objectives: Sequence[Any] = (),
) -> tuple[Program, Run]:
    """Evolve programs, as ``gpkit evolve`` does: the same configuration and seed give the same champion.

    >>> import gpkit
    >>> from gpkit.core.registry import data_folder
    >>> tic_tac_toe = data_folder("programs") / "games" / "tic_tac_toe.py"
    >>> small = {"population": {"size": 10}, "fitness": {"deals": 2, "validation_deals": 4}}
    >>> tell = lambda summary, champion: print(summary.generation, summary.best)
    >>> champion, run = gpkit.evolve(tic_tac_toe, generations=1, settings=small, callback=tell)
    0 1.0
    1 0.75
    >>> champion.game, champion.header["generation"], run.reason
    ('tic_tac_toe', '0', '1 generation')

    Args:
        what: a problem of one's own, as ``gpkit.problem`` gives it; a game of one's own, the name of a preset such as
            ``sevens``, a file ``.toml``, or a configuration.
        generations: instead of the configuration's.
        seed: instead of the configuration's.
        time_limit: end within so many seconds.
        settings: tables and keys instead of the configuration's, as in a file ``.toml``.
        start: programs to start from: values, files, or names of the game's programs; with ``population.start_share``
            and ``population.mutant_share`` among the settings.
        callback: called for every new generation with its numbers and the champion so far; if it returns False, the
            run ends.
        folder: where the run is stored, to be gone on with; without it nothing is stored.
        resume: go on with the run in the folder, by its configuration; ``what`` may name its game.
        workers: processes, or the address of a dask scheduler; the result is the same. A script evolves with several
            below ``if __name__ == "__main__":``.
        operators: of one's own by name, each with its share of the children beside those of the configuration, such as
            ``{"mine": (mine, 0.3)}``: a function ``mine(rng, program)`` or ``mine(rng, program, donor)`` that returns a
            program or its text, or a ``gpkit.Operator`` of genomes. A share alone is of an operator that exists. Only
            the proportions of all shares matter.
        selection: a function ``(rng, population)`` that returns the place of a parent, the best first; or a
            ``gpkit.Selector``; or the name of one that exists.
        scheme: a function ``(table, shares, selector)`` that returns a ``gpkit.Scheme``, or a name.
        initialiser: a function ``(rng, index)`` that returns a program of the first generation or its text, or a name.
        stop: a function of a ``gpkit.SearchState`` that returns the reason to end, or None.
        callbacks: functions ``(summary, champion)``, called for every generation and stored with the run by name; the
            run ends when one returns False.
        objectives: what a front weighs, where the scheme or the selector is for several: names, and functions of a
            ``gpkit.Individual`` that return a number, the more the better.

    Returns:
        The champion, and the run.

    Raises:
        UsageError: something that is named does not exist, or settings do not go together.
        CheckpointError: the folder is in use, not empty, not of a run, damaged, or cannot be written.
        GuestError: a fault of a game of one's own; the message names the line.
    """
    if resume and folder is None:
        raise UsageError("resume=True goes on with a stored run: name its folder, as in folder='runs/mine'")
    place = None if folder is None else Path(folder)
    own = OwnParts(operators, selection, scheme, initialiser, stop, callbacks, objectives)
    left = countdown(time_limit)
    with watching() as tell:
        run = described(
            what,
            settings,
            own,
            start,
            seed=seed,
            generations=generations,
            resumed=place if resume else None,
            workers=str(workers),
        )
        followed = Followed(run, callback, tell, left, time_limit)
        with followed.interrupts(place):
            result = evolve_by(
                run,
                str(workers),
                folder=place,
                resume=resume,
                stop=followed.stop,
                hooks=Hooks(generation=followed.generation),
                limit=followed.limit,
            )
    return outcome(run, result, followed.summaries, place)


def outcome(
    run: Running[Any], result: RunResult[Any], summaries: Sequence[Summary], folder: Path | None
) -> tuple[Program, Run]:
    """The champion of a run that has ended, and the run, with the generations that its folder has beside these."""
    champion, before = result.champion, () if folder is None else stored_generations(folder)
    numbered = {each.generation: each for each in (*before, *summaries)}
    ended = Run(
        run.config,
        tuple(numbered[number] for number in sorted(numbered)),
        champion.score,
        result.reason,
        result.digest,
        folder,
        front_value(result.front, run),
        archive_value(result, run),
    )
    return _program(champion, run), ended


class Followed:
    """A run as it goes on: its generations, and whether a callback or the time ended it."""

    def __init__(
        self,
        run: Running[Any],
        callback: OnGeneration | None,
        tell: Tell,
        left: Callable[[], float],
        limit: float | None,
    ) -> None:
        if callback is not None:
            check_takes(callback, f"the callback `{name_of_part(callback)}`", "summary", "champion")
        self.summaries: list[Summary] = []
        self._run, self._callback, self._is_over = run, callback, False
        self._tell, self._left, self._limit = tell, left, limit

    def generation(self, summary: Summary, state: State[Any]) -> None:
        """Count a generation, and tell the callback."""
        self.summaries.append(summary)
        last = self._run.config.stop.generations
        of = "" if last is None else f" of {last}"
        self._tell(f"generation {summary.generation}{of}: best {summary.best:.4f}")
        if self._callback is not None:
            self._is_over = self._callback(summary, _program(state.champion, self._run)) is False

    @property
    def limit(self) -> tuple[float, float] | None:
        """The seconds that the person gave, and those after which the run is abandoned, as ``evolve`` takes them."""
        return None if self._limit is None else (self._limit, self._left() + GRACE)

    @contextmanager
    def interrupts(self, folder: Path | None) -> Iterator[None]:
        """Watch for Ctrl+C.

        Raises:
            KeyboardInterrupt: it came; the message says how the run goes on.
        """
        try:
            yield
        except KeyboardInterrupt:
            reached = self.summaries[-1].generation if self.summaries else None
            last = "at its beginning" if reached is None else f"after generation {reached}"
            stored = folder is not None and is_run(folder)
            how_on = f"it goes on with folder={str(folder)!r}, resume=True" if stored else "it was not stored"
            raise interrupted(f"the run was interrupted {last}; {how_on}") from None

    def stop(self, _state: State[Any]) -> str | None:
        """The reason to end, if a callback wants it, or the time is over."""
        called_off = CALLED_OFF if self._is_over else None
        return f"{self._limit:g} seconds" if self._left() <= 0.0 else called_off


def _program(champion: Champion[Any], run: Running[Any]) -> Program:
    """The champion of a run as a program."""
    header = champion_header(champion, run.header)
    return built(champion.individual.genome, run.language, header, CHAMPION)
