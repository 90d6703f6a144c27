"""Searches whose scores come from elsewhere: they ask for the scores of programs, and are told them."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from gpkit.api.arguments import command
from gpkit.api.described_runs import Starts, What, described, resolved
from gpkit.api.parts import OwnOperators, OwnParts
from gpkit.api.problems import built
from gpkit.api.programs import Program
from gpkit.api.runs import Run, outcome
from gpkit.core.diagnostics import shortened
from gpkit.core.errors import UsageError
from gpkit.core.settings import NO_SETTINGS
from gpkit.core.work_folder import is_run
from gpkit.evolution.asking import Dialogue, ToldScorer
from gpkit.evolution.history import stored_generations
from gpkit.evolution.search import Hooks, State
from gpkit.evolution.setup import Stop, first_of
from gpkit.evolution.subjects import resolve
from gpkit.evolution.summary import Summary


class Search:
    """Search that asks for the scores of programs and is told them, as ``gpkit.search`` gives it.

    With ``with`` its folder is let go at the end; it also is when the run ends or the process does.

    Attributes:
        generations: in numbers, all from the first on, also those before the run went on.
    """

    def __init__(self, run: Any, scorer: ToldScorer, folder: Path | None, stop: Stop) -> None:
        """Begin a run, or go on with the one in a folder; what it raises, ``gpkit.search`` says."""
        self._run, self._folder = run, folder
        self._dialogue = Dialogue(run, scorer, folder, Hooks(generation=self._count), stop)
        self.generations: list[Summary] = [] if folder is None else list(stored_generations(folder))

    def _count(self, summary: Summary, _state: State[Any]) -> None:
        self.generations.append(summary)

    def ask(self) -> tuple[Program, ...]:
        """The programs whose scores are needed now: the same until these are told, and none when the run has ended."""
        return tuple(built(each, self._run.language, self._run.header) for each in self._dialogue.ask())

    def tell(self, scores: Sequence[Any]) -> None:
        """Take the scores of the programs of the last ``ask``, in their order, and go on.

        Args:
            scores: for each program a number, the higher the better; a tuple of numbers for several objectives; a
                ``gpkit.Evaluation``; or None for one that failed.

        Raises:
            UsageError: nothing was asked, there are more or fewer scores than programs, or no sequence of them.
            GuestError: one of them is no score, or no program of the first generation has one. Nothing was taken then.
            CheckpointError: the file system refuses.
        """
        if isinstance(scores, str | bytes | Mapping) or not hasattr(scores, "__len__"):
            raise UsageError(
                f"search.tell: {shortened(repr(scores))} is no list of scores; expected one for each program"
            )
        self._dialogue.tell(list(scores))

    @property
    def is_over(self) -> bool:
        """Whether the run has ended."""
        return self._dialogue.result is not None

    @property
    def result(self) -> tuple[Program, Run]:
        """The champion, and the run, as ``gpkit.evolve`` gives them.

        Raises:
            UsageError: the run has not ended.
        """
        found = self._dialogue.result
        if found is None:
            raise UsageError(
                "the search has not ended: tell the scores of what it asks until it asks nothing"
            )
        return outcome(self._run, found, self.generations, self._folder)

    def close(self) -> None:
        """Let the folder go; the run is gone on with by ``gpkit.search`` and the same folder."""
        self._dialogue.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        """The state of the search in words."""
        asked = self._dialogue.asked
        what = (
            "ended"
            if self.is_over
            else "asks nothing yet"
            if asked is None
            else f"asks for {len(asked)} scores"
        )
        return f"<gpkit.Search: {len(self.generations)} generations, {what}>"


@command
def search(
    what: What = None,
    *,
    generations: int | None = None,
    seed: int | None = None,
    settings: Mapping[str, Any] = NO_SETTINGS,
    start: Starts = (),
    folder: str | os.PathLike[str] | None = None,
    operators: OwnOperators = NO_SETTINGS,
    selection: Any = None,
    scheme: Any = None,
    initialiser: Any = None,
    stop: Callable[[State[Any]], str | bool | None] | None = None,
    callbacks: Sequence[Any] = (),
    objectives: Sequence[Any] = (),
) -> Search:
    """Search whose scores come from elsewhere: a person, a robot, machines of one's own.

    >>> import gpkit
    >>> line = gpkit.problem(sensors={"x": (-5, 5)}, settings={"population": {"size": 20}})
    >>> search = gpkit.search(line, seed=1, generations=3)
    >>> while programs := search.ask():
    ...     search.tell([-abs(program(x=2) - 5) for program in programs])
    >>> best, run = search.result
    >>> run.generations[-1].generation, run.score > -1
    (3, True)

    The result is that of ``gpkit.evolve`` with a function that gives the same scores. No program is asked about while
    the search still knows its score.

    Args:
        what: a problem of one's own, as ``gpkit.problem`` gives it, perhaps without a function; or what
            ``gpkit.evolve`` takes, whose programs are then scored from outside.
        generations: instead of the configuration's.
        seed: instead of the configuration's.
        settings: tables and keys instead of the configuration's, as in a file ``.toml``.
        start, operators, selection, scheme, initialiser, stop, callbacks, objectives: as ``gpkit.evolve`` takes them.
        folder: where the run is stored. If it holds a search already, that one goes on, also after a crash between
            ``ask`` and ``tell``; nothing that was told is lost.

    Raises:
        UsageError: something that is named does not exist, settings do not go together, or the folder holds another
            run.
        CheckpointError: the folder is in use, not empty, not of a run, damaged, or cannot be written.
    """
    place, scorer = None if folder is None else Path(folder), ToldScorer()
    resumed = place if place is not None and is_run(place) else None
    own = OwnParts(operators, selection, scheme, initialiser, stop, callbacks, objectives)
    config, parts = described(what, settings, own, start, seed=seed, generations=generations, resumed=resumed)
    run = resolve(config).asking(scorer) if config.problem is not None else resolved(config, what, "1")
    return Search(replace(run, own=parts), scorer, place, first_of(*own.rules))
