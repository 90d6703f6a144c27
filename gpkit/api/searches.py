"""Ask-and-tell searches, whose scores come from elsewhere, such as from a person, a robot or other machines.

A search runs the same rounds as any other run. If scores are missing, the search abandons the round, and repeats it
when it has the scores. A round is a pure function, so the result is the same as in a run with a function that gives the
same scores.
"""

import os
from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any

from gpkit.api.arguments import command
from gpkit.api.described_runs import described
from gpkit.api.evolving import OwnOperators, What
from gpkit.api.kinds import Starts
from gpkit.api.problems import built
from gpkit.api.programs import Program
from gpkit.api.runs import Run, outcome
from gpkit.core.codec import print_document, print_json, read_document
from gpkit.core.diagnostics import shortened
from gpkit.core.errors import CheckpointError, GpkitError, GuestError, UsageError
from gpkit.core.plain_files import is_there, read_plain, write_plain
from gpkit.core.settings import NO_SETTINGS
from gpkit.core.work_folder import is_run
from gpkit.evolution.executors import SerialExecutor
from gpkit.evolution.history import stored_generations
from gpkit.evolution.loop import description_of, rule_and_hooks, run_search
from gpkit.evolution.problem import Evaluation
from gpkit.evolution.problem_subject import OwnProblem, evaluation_of, expected_of
from gpkit.evolution.run_folder import Diary, RunResult, check_folder, open_diary, read_run
from gpkit.evolution.search import Hooks, SearchState, Summary
from gpkit.evolution.search import Search as Searched

TOLD, SCHEMA = "told.json", "gpkit.told/3"

SCORES = "own scores told"
"""A version entry for a run that gets its scores from outside, so only ``gpkit.search`` can resume it."""

TELL = "search.tell"


@dataclass(frozen=True, slots=True)
class Told:
    """Programs with their reported evaluations, and the number of the last generation before the report, or -1."""

    generation: int
    told: tuple[tuple[str, Evaluation], ...]


class Asked(Exception):  # noqa: N818 - no error: it breaks a round off
    """Raised to abandon a round that needs the scores of these genomes."""

    def __init__(self, genomes: Sequence[object]) -> None:
        super().__init__("scores are missing")
        self.genomes = tuple(genomes)


@dataclass(frozen=True, slots=True, eq=False)
class ToldScorer:
    """A scorer that knows only the scores that were reported.

    Attributes:
        answers: the reported evaluations, by genome.
        name: the name shown in messages.
        changes: False, because a program is scored only once.
        sha256: marks scores that do not come from a function.
    """

    answers: dict[Any, Evaluation] = field(default_factory=dict)
    name: str = TELL
    changes: bool = False
    sha256: str = "told"

    def evaluate(
        self, genomes: Sequence[object], seed: int, number: int, *, validates: bool = False
    ) -> Sequence[Any]:
        """The evaluations of genomes; a genome always has the same evaluation.

        Raises:
            Asked: some evaluations are unknown.
        """
        if missing := [genome for genome in genomes if genome not in self.answers]:
            raise Asked(missing)
        return [self.answers[genome] for genome in genomes]


class Search(AbstractContextManager["Search"]):
    """A search that asks for the scores of programs, as ``gpkit.search`` returns it.

    Leaving a ``with`` block releases the search's folder, as does the end of the run or of the process.

    Attributes:
        generations: the statistics of each generation from the first one on, including those before a resume.
    """

    def __init__(self, run: Any, scorer: ToldScorer, folder: Path | None) -> None:
        """Begin a run, or resume the one in a folder; raises the same errors as ``gpkit.search``."""
        search = run.search()
        expected = expected_of(run.config, run.own)
        self._run, self._scorer, self._folder, self._instead = run, scorer, folder, expected.instead
        self._search: Searched[Any] = replace(search, problem=OwnProblem(scorer, expected, search.renewed))
        self._open, self._told = ExitStack(), None if folder is None else folder.absolute() / TOLD
        self._asked: tuple[Any, ...] | None = None  # before the first question; empty when the run has ended
        self._result: RunResult[Any] | None = None
        self._state: SearchState[Any] | None = None
        self._reached = -1
        self.generations: list[Summary] = []
        rule, hooks = rule_and_hooks(run, Hooks(generation=self._remember))
        try:
            diary = None if folder is None else self._opened(folder)
            self._rounds = partial(run_search, self._search, SerialExecutor(), rule, diary=diary, hooks=hooks)
            if folder is not None and diary is not None and diary.resumed:
                self._go_on()
                self.generations = list(stored_generations(folder))
        except BaseException:
            self.close()
            raise

    def _opened(self, folder: Path) -> Diary[Any]:
        """The diary of a new or resumed run in a folder, including the scores reported so far.

        Raises:
            UsageError: the folder contains a run that computes its scores itself.
            CheckpointError: the folder contains something else, or is damaged.
        """
        description = description_of(self._run, {**self._run.versions, SCORES: "told"})
        resume = is_there(folder / "run.json")
        if resume and SCORES not in read_run(folder)[0].versions:
            raise UsageError(f"the run in {folder} scores its programs itself; continue it with gpkit.evolve")
        check_folder(folder, description, resume=resume)
        diary = self._open.enter_context(
            open_diary(self._search, folder.absolute(), description, self._run.header, resume=resume)
        )
        path = folder / TOLD
        if is_there(path):
            try:
                told = read_document(read_plain(path), SCHEMA, Told)
                parse, state = self._search.representation.parse, diary.restore()
                self._reached = -1 if state is None else state.generation
                if not self._search.renewed or told.generation == self._reached:
                    self._scorer.answers.update((parse(program), each) for program, each in told.told)
            except (ValueError, GpkitError) as error:
                raise CheckpointError(f"{path} is damaged: {error}") from error
        return diary

    def ask(self) -> tuple[Program, ...]:
        """The programs that need scores now: the same until you report the scores, and none when the run has ended."""
        if self._asked is None:
            self._go_on()
        return tuple(built(each, self._run.language, self._run.header) for each in self._asked or ())

    def tell(self, scores: Sequence[object]) -> None:
        """Accept the scores of the programs from the last ``ask``, in the same order, and continue the search.

        Args:
            scores: for each program a number, higher is better; a tuple of numbers for several objectives; a
                ``gpkit.Evaluation``; or None for a program that failed.

        Raises:
            UsageError: the search asked for no scores, the number of scores is not the number of programs, or the
                scores are not a sequence.
            GuestError: one of the values is not a score, or no program of the first generation has a score. In that
                case, the search accepts none of the scores.
            CheckpointError: the file cannot be written.
        """
        if isinstance(scores, str | bytes | Mapping) or not hasattr(scores, "__len__"):
            raise UsageError(
                f"{TELL}: {shortened(repr(scores))} is not a list of scores; expected one for each program"
            )
        if not self._asked:
            why = "nothing was asked yet: call ask() first" if self._asked is None else "the run has ended"
            raise UsageError(f"{TELL}: {why}")
        if len(scores) != len(self._asked):
            raise UsageError(
                f"{TELL}: {len(scores)} scores for {len(self._asked)} programs; expected one for each, in order"
            )
        found = [evaluation_of_told(place, score, self._instead) for place, score in enumerate(scores)]
        known = dict(self._scorer.answers)
        self._scorer.answers.update(zip(self._asked, found, strict=True))
        self._write()
        try:
            self._go_on()
        except GuestError:
            self._scorer.answers.clear()
            self._scorer.answers.update(known)
            self._write()
            raise

    def _go_on(self) -> None:
        """Run rounds until scores are missing or the run ends."""
        try:
            self._result = self._rounds(state=self._state)
        except Asked as asked:
            self._asked = asked.genomes
            return
        self._asked = ()
        self._write()
        self.close()

    def _remember(self, summary: Summary, state: SearchState[Hashable]) -> None:
        """Keep the state from which the search continues, and drop the scores that are no longer needed."""
        self.generations.append(summary)
        self._state, self._reached = state, state.generation
        alive = {i.genome for island in state.islands for i in island} | set(state.hall)
        alive.add(state.champion.individual.genome)
        if self._search.renewed:
            alive.clear()
        for genome in [each for each in self._scorer.answers if each not in alive]:
            del self._scorer.answers[genome]

    def _write(self) -> None:
        """Store the scores that were reported."""
        if self._told is not None:
            shown = self._search.representation.print
            told = tuple((shown(genome), each) for genome, each in self._scorer.answers.items())
            write_plain(self._told, print_json(print_document(SCHEMA, Told(self._reached, told))) + "\n")

    @property
    def is_over(self) -> bool:
        """Whether the run has ended."""
        return self._result is not None

    @property
    def result(self) -> tuple[Program, Run]:
        """The champion and the run, as ``gpkit.evolve`` returns them.

        Raises:
            UsageError: the run has not ended.
        """
        if self._result is None:
            raise UsageError("the search has not ended: tell it scores until it asks for none")
        return outcome(self._run, self._result, self.generations, self._folder)

    def close(self) -> None:
        """Release the folder; ``gpkit.search`` with the same folder resumes the run."""
        self._open.close()

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        """A sentence that describes the state of the search."""
        asked = self._asked
        what = (
            "ended"
            if self.is_over
            else "asks nothing yet"
            if asked is None
            else f"asks for {len(asked)} scores"
        )
        return f"<gpkit.Search: {len(self.generations)} generations, {what}>"


def evaluation_of_told(place: int, answer: object, instead: str = "") -> Evaluation:
    """The evaluation for a score.

    Args:
        place: the index of the program among those that the search asked about.
        answer: the score of the program.
        instead: the reason for refusing several objectives; empty if several objectives are allowed.

    Raises:
        GuestError: the answer is not a score, or it is NaN.
    """
    name = f"{TELL}: score {place}"
    try:
        found = evaluation_of(answer, name, instead)
    except GuestError as error:
        raise GuestError(str(error).replace(f"{name} returned", f"{name} is", 1)) from None
    if answer is not None and found.note:
        raise GuestError(f"{name} is {answer!r}; expected a number, or None for a program that failed")
    return found


@command
def search(
    what: What | None = None,
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
    stop: Callable[[SearchState[Any]], str | bool | None] | None = None,
    callbacks: Sequence[Any] = (),
    objectives: Sequence[Any] = (),
) -> Search:
    """Search with scores from elsewhere: a person, a robot, or your own machines.

    >>> import gpkit
    >>> line = gpkit.problem(sensors={"x": (-5, 5)}, settings={"population": {"size": 20}})
    >>> search = gpkit.search(line, seed=1, generations=3)
    >>> while programs := search.ask():
    ...     search.tell([-abs(program(x=2) - 5) for program in programs])
    >>> best, run = search.result
    >>> run.generations[-1].generation, run.score > -1
    (3, True)

    The result is the same as from ``gpkit.evolve`` with a function that gives the same scores. The search does not ask
    about a program again while it still knows its score.

    Args:
        what: your own problem, as ``gpkit.problem`` returns it, with or without a function; or anything else that
            ``gpkit.evolve`` accepts; in that case, the programs are also scored from outside.
        generations: the number of generations; overrides the configuration.
        seed: the seed of all random numbers; overrides the configuration.
        settings: tables and keys, as in a ``.toml`` file, that override those of the configuration.
        start, operators, selection, scheme, initialiser, stop, callbacks, objectives: as for ``gpkit.evolve``.
        folder: the folder of the run. If the folder already contains a search, that search continues, even after a
            crash between ``ask`` and ``tell``; no reported score is lost.

    Raises:
        UsageError: something that you name does not exist, settings contradict each other, or the folder contains
            another run.
        CheckpointError: the folder is in use, not empty, not a run folder, damaged, or not writable.
    """
    place, scorer = None if folder is None else Path(folder), ToldScorer()
    run = described(
        what,
        settings,
        start,
        seed=seed,
        generations=generations,
        resumed=place if place is not None and is_run(place) else None,
        scorer=scorer,
        operators=operators,
        selection=selection,
        scheme=scheme,
        initialiser=initialiser,
        stop=stop,
        callbacks=callbacks,
        objectives=objectives,
    )
    return Search(run, scorer, place)
