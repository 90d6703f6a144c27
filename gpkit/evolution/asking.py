"""Ask and tell: a search whose scores come from elsewhere, a person, a robot, or other machines.

The rounds are those of every run. Where scores are missing a round is broken off, and done again when they are told; as
a round is a pure function, the result is that of a run in which a function gave the same scores.
"""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from gpkit.core.codec import print_document, read_document
from gpkit.core.errors import CheckpointError, GpkitError, GuestError, UsageError
from gpkit.core.json_values import print_json
from gpkit.core.plain_files import is_there, read_plain, write_plain
from gpkit.evolution.executors import SerialExecutor
from gpkit.evolution.individual import Evaluation
from gpkit.evolution.loop import attended, description_of, run_search
from gpkit.evolution.run_folder import RunResult, check_folder, open_diary, read_run
from gpkit.evolution.scores import OwnProblem, evaluation_of, expected_of
from gpkit.evolution.search import Hooks, Search, State
from gpkit.evolution.setup import Run, Stop
from gpkit.evolution.summary import Summary

TOLD, SCHEMA = "told.json", "gpkit.told/2"

SCORES = "own scores told"
"""Among the versions of a run: its scores are told, and so only ``gpkit.search`` goes on with it."""

MAX_TOLD = 1 << 30
"""The largest file of scores that is read, in bytes."""

TELL = "search.tell"


@dataclass(frozen=True, slots=True)
class Told:
    """Programs with their evaluations, as they were told."""

    told: tuple[tuple[str, Evaluation], ...]


class Asked(Exception):  # noqa: N818 - no error: it breaks a round off
    """Breaks a round off that needs scores of these genomes."""

    def __init__(self, genomes: Sequence[Any]) -> None:
        super().__init__("scores are missing")
        self.genomes = tuple(genomes)


@dataclass(frozen=True, slots=True, eq=False)
class ToldScorer:
    """Scores of genomes that were told.

    Attributes:
        answers: the evaluations that were told, by genome.
        name: in messages.
    """

    answers: dict[Any, Evaluation] = field(default_factory=dict)
    name: str = TELL

    @property
    def changes(self) -> bool:
        """Whether a program may score differently in another generation: never, it is asked for once."""
        return False

    @property
    def sha256(self) -> str:
        """Mark of scores that no function gives."""
        return "told"

    def evaluate(self, genomes: Sequence[Any], seed: int, generation: int) -> Sequence[Any]:
        """The evaluations of genomes.

        Raises:
            Asked: some are not known.
        """
        if missing := [genome for genome in genomes if genome not in self.answers]:
            raise Asked(missing)
        return [self.answers[genome] for genome in genomes]

    def validate(self, genomes: Sequence[Any], seed: int, occasion: int) -> Sequence[Any]:
        """The evaluations of genomes, the same on all occasions; raises as ``evaluate``."""
        return self.evaluate(genomes, seed, occasion)


class Dialogue:
    """A search that asks for scores and is told them.

    Attributes:
        result: of a run that has ended.
        asked: the genomes whose scores are missing; empty when the run has ended, None before the first question.
    """

    def __init__(
        self,
        run: Run[Any],
        scorer: ToldScorer,
        folder: Path | None,
        hooks: Hooks,
        stop: Stop | None = None,
    ) -> None:
        """Begin a run, or go on with the one in a folder that holds one.

        Args:
            run: whose search has any problem.
            scorer: knows what was told.
            folder: where the run is stored; None stores nothing.
            hooks: called on the way.
            stop: a rule before those of the configuration.

        Raises:
            CheckpointError: the folder is in use, holds something else, or is damaged.
            UsageError: it holds another run.
        """
        search = run.search()
        expected = expected_of(run.config, run.own, search.front)
        self._search: Search[Any] = replace(search, problem=OwnProblem(scorer, expected))
        self._instead = expected.instead
        self._scorer, self._open = scorer, ExitStack()
        self._file = None if folder is None else folder.absolute() / TOLD
        self.asked: tuple[Any, ...] | None = None
        self.result: RunResult[Any] | None = None
        self._state: State[Any] | None = None
        self._heard, diary, resume = hooks.generation, None, False
        rule, hooks = attended(run, stop, replace(hooks, generation=self._remember))
        try:
            if folder is not None:
                description = description_of(run, {**run.versions, SCORES: "told"})
                resume = holds_told(folder)
                check_folder(folder, description, resume=resume)
                opened = open_diary(self._search, folder.absolute(), description, run.header, resume=resume)
                diary = self._open.enter_context(opened)
                self._scorer.answers.update(self._read())
            self._run = partial(run_search, self._search, SerialExecutor(), rule, diary=diary, hooks=hooks)
            if resume:
                self._go_on()
        except BaseException:
            self.close()
            raise

    def ask(self) -> tuple[Any, ...]:
        """The genomes whose scores are needed now, the same until these are told; none when the run has ended."""
        if self.asked is None:
            self._go_on()
        assert self.asked is not None
        return self.asked

    def tell(self, answers: Sequence[Any]) -> None:
        """Take the scores of the genomes that were asked about, and go on until scores are missing again.

        Raises:
            UsageError: nothing was asked, or there are more or fewer scores than genomes.
            GuestError: one of them is no score, or none of the first generation has one. Nothing was taken then.
            CheckpointError: the file system refuses.
        """
        if not self.asked:
            why = "nothing was asked yet: call ask() first" if self.asked is None else "the run has ended"
            raise UsageError(f"{TELL}: {why}")
        if len(answers) != len(self.asked):
            raise UsageError(
                f"{TELL}: {len(answers)} scores for {len(self.asked)} programs; expected one for each, in their order"
            )
        evaluations = [
            evaluation_of_told(place, answer, self._instead) for place, answer in enumerate(answers)
        ]
        found = dict(zip(self.asked, evaluations, strict=True))
        known = dict(self._scorer.answers)
        self._scorer.answers.update(found)
        self._write()
        try:
            self._go_on()
        except GuestError:
            self._scorer.answers.clear()
            self._scorer.answers.update(known)
            self._write()
            raise

    def close(self) -> None:
        """Let the folder go; the run can be gone on with later."""
        self._open.close()

    def _go_on(self) -> None:
        """Do rounds until scores are missing or the run ends."""
        try:
            self.result = self._run(state=self._state)
        except Asked as asked:
            self.asked = asked.genomes
            return
        self.asked = ()
        self._write()
        self.close()

    def _remember(self, summary: Summary, state: State[Any]) -> None:
        """Remember where the search goes on, and forget the scores that it cannot need again."""
        self._state = state
        alive = {i.genome for island in state.islands for i in island} | set(state.hall)
        alive.add(state.champion.individual.genome)
        for genome in [each for each in self._scorer.answers if each not in alive]:
            del self._scorer.answers[genome]
        self._heard(summary, state)

    def _write(self) -> None:
        """Store what was told."""
        if self._file is not None:
            shown = self._search.representation.print
            told = tuple((shown(genome), each) for genome, each in self._scorer.answers.items())
            write_plain(self._file, print_json(print_document(SCHEMA, Told(told))) + "\n")

    def _read(self) -> dict[Any, Evaluation]:
        """Scores that were told before.

        Raises:
            CheckpointError: the file is damaged.
        """
        assert self._file is not None
        if not is_there(self._file):
            return {}
        try:
            told = read_document(read_plain(self._file, MAX_TOLD), SCHEMA, Told).told
            return {self._search.representation.parse(program): each for program, each in told}
        except (ValueError, GpkitError) as error:
            raise CheckpointError(f"{self._file} is damaged: {error}") from error


def evaluation_of_told(place: int, answer: Any, instead: str = "") -> Evaluation:
    """The evaluation that a score means.

    Args:
        place: of the program among those that were asked about.
        answer: its score.
        instead: of several objectives, where these are none.

    Raises:
        GuestError: it is no score, or NaN.
    """
    name = f"{TELL}: score {place}"
    try:
        found = evaluation_of(answer, name, instead)
    except GuestError as error:
        raise GuestError(str(error).replace(f"{name} returned", f"{name} is", 1)) from None
    if answer is not None and found.note:
        raise GuestError(f"{name} is {answer!r}; expected a number, or None for a program that failed")
    return found


def holds_told(folder: Path) -> bool:
    """Whether a folder holds a run whose scores are told.

    Raises:
        UsageError: it holds a run whose scores are not told.
        CheckpointError: it holds something else, or is damaged.
    """
    if not is_there(folder / "run.json"):
        return False
    if SCORES not in read_run(folder)[0].versions:
        raise UsageError(f"the run in {folder} scores its programs itself; continue it with gpkit.evolve")
    return True
