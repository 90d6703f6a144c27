"""Problems of one's own as subjects of runs: a function from outside gives the scores, and gpkit checks them."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Protocol, runtime_checkable

from gpkit.core.diagnostics import shortened
from gpkit.core.errors import GuestError, UsageError
from gpkit.core.primitives import PrimitiveSet
from gpkit.core.registry import form, language_entry
from gpkit.core.work_folder import OWN
from gpkit.evolution import maps
from gpkit.evolution.config import Config, there
from gpkit.evolution.dominance import PROBLEM
from gpkit.evolution.individual import WORST, Evaluation
from gpkit.evolution.parts import Parts
from gpkit.evolution.problem import Executor, Problem, Representation, with_lost
from gpkit.evolution.search import Search
from gpkit.evolution.setup import Run, Subject, weighs, with_texts
from gpkit.evolution.tables import ProblemSettings
from gpkit.gamekit.game import Metric


class Scorer(Protocol):
    """Source of scores; it can be sent to another process.

    Attributes:
        name: of the function, with its file if it has one, for messages.
        changes: whether a program may score differently in another generation.
        sha256: of the file, or of the source of the function.
    """

    @property
    def name(self) -> str: ...
    @property
    def changes(self) -> bool: ...
    @property
    def sha256(self) -> str: ...
    def evaluate(self, genomes: Sequence[Any], seed: int, number: int, *, validates: bool) -> Sequence[Any]:
        """The scores of genomes, one for each.

        ``number`` is the generation or, with ``validates``, the occasion on which a few good genomes are validated.

        A score is a number, several objectives, an Evaluation, or None.
        """


@dataclass(frozen=True, slots=True)
class Expected:
    """Use that a run has for scores.

    Attributes:
        instead: of several objectives, which nothing weighs; empty where something may.
        names: how many names objectives of the problem have; 0 is none.
        behaviour: how many numbers of the behaviour the axes of a map read.
    """

    instead: str = ""
    names: int = 0
    behaviour: int = 0

    def check(self, found: Sequence[Evaluation], name: str) -> None:
        """Check that the evaluations of a generation have as many numbers as the run reads.

        Raises:
            GuestError: they have not.
        """
        known = [each for each in found if each.score > WORST]
        for what in ("objectives", "cases"):
            counts = Counter(len(getattr(each, what)) for each in known)
            if len(counts) > 1:
                shown = " and ".join(f"{count:,} programs {width}" for width, count in sorted(counts.items()))
                raise GuestError(f"{name} gave {shown} {what}; expected as many for every program")
        widths = {len(each.objectives) for each in known} - {0}
        if self.names and widths and widths != {self.names}:
            raise GuestError(
                f"{name} gave {max(widths)} objectives, and front.names has {self.names} names; expected one for each"
            )
        longest = max((len(each.behaviour) for each in known), default=self.behaviour)
        if longest < self.behaviour:
            numbers = ", ".join(f"b{place + 1}" for place in range(self.behaviour))
            numbers += "," if self.behaviour == 1 else ""
            raise GuestError(
                f'{name} gave {longest} numbers of behaviour, and [map] reads "problem:{self.behaviour}"; return '
                f"gpkit.Evaluation(score, behaviour=({numbers}))"
            )


def expected_of(config: Config, parts: Parts) -> Expected:
    """Use that the run of a configuration has for scores; a scheme or selector from outside may weigh objectives.

    Args:
        config: the configuration of the run.
        parts: the parts from outside.

    Raises:
        UsageError: there is no such scheme or selector.
    """
    scheme, selector = config.scheme.name, config.selection.name
    of_outside = (parts.find("scheme", scheme).version, parts.find("selector", selector).version)
    sources = config.front.objectives
    read = [int(axis.removeprefix(maps.PROBLEM)) for axis in config.map if axis.startswith(maps.PROBLEM)]
    return Expected(
        "" if any(of_outside) or weighs(config) else _INSTEAD,
        len(config.front.names) if not sources or PROBLEM in sources else 0,
        max(read, default=0),
    )


_INSTEAD = (
    'this run weighs one: return one number, or set scheme.name = "plus", scheme.order = "pareto" and selection.name = '
    '"pareto"; a map and lexicase selection take gpkit.Evaluation(score, behaviour=(...), cases=(...))'
)


@dataclass(frozen=True, slots=True, eq=False)
class OwnProblem(Problem[Any]):
    """A problem whose scores come from outside.

    Attributes:
        scorer: what is asked for them.
        expected: what the run can do with them.
        changes: whether a program may score differently in another generation.
    """

    scorer: Scorer
    expected: Expected = Expected()
    changes: bool = False

    def evaluate(
        self,
        genomes: Sequence[Any],
        seed: int,
        generation: int,
        executor: Executor,
        *,
        validates: bool = False,
    ) -> list[Evaluation]:
        """The evaluations of the programs of a generation; with ``validates``, of a few good ones.

        Raises:
            GuestError: the function raises, gives what is no score, or scores no program of the first generation.
        """
        ask = partial(_answers, self.scorer, self.expected.instead, seed, generation, validates)
        found = with_lost(executor.run(ask, genomes, [1e-3] * len(genomes)))
        if validates:
            return found
        if generation == 0 and len(found) > 1 and all(each.score == WORST for each in found):
            note = found[0].note or "every score is -inf"
            raise GuestError(
                f"{self.scorer.name}: none of the {len(found)} programs of the first generation has a score ({note}); "
                "expected a number for each, the higher the better"
            )
        self.expected.check(found, self.scorer.name)
        return found

    def validate(
        self, genomes: Sequence[Any], seed: int, occasion: int, executor: Executor
    ) -> list[Evaluation]:
        """The evaluations of a few good programs; raises as ``evaluate``."""
        return self.evaluate(genomes, seed, occasion, executor, validates=True)


def _answers(
    scorer: Scorer, instead: str, seed: int, number: int, validates: bool, genomes: Sequence[Any]
) -> list[Evaluation]:
    """The evaluations that a scorer gives to some programs."""
    name, answers = scorer.name, scorer.evaluate(genomes, seed, number, validates=validates)
    count = len(answers) if hasattr(answers, "__len__") else -1
    if count != len(genomes):
        what = f"{count} scores" if count >= 0 else shortened(repr(answers))
        raise GuestError(f"{name} returned {what} for {len(genomes)} programs; expected one for each")
    return [evaluation_of(answer, name, instead) for answer in answers]


def evaluation_of(answer: Any, name: str, instead: str = "") -> Evaluation:
    """The evaluation that an answer means: a number, a tuple of objectives, or None for a program that failed.

    Args:
        answer: what the function gave.
        name: of the function, for messages.
        instead: of several objectives, where these are none.

    Raises:
        GuestError: it is none of these.
    """
    if isinstance(answer, Evaluation):
        cases, objectives, behaviour = (
            _numbers(each, getattr(answer, each), name) for each in ("cases", "objectives", "behaviour")
        )
        score = _number(answer.score, name)
        return answer._replace(score=score, cases=cases, objectives=objectives, behaviour=behaviour)
    if answer is None:
        return Evaluation(WORST, note="it returned None")
    has_objectives = isinstance(answer, tuple | list) and bool(answer)
    if has_objectives and len(answer) > 1 and instead:
        raise GuestError(
            f"{name} returned {shortened(repr(answer))}, {len(answer)} objectives, and {instead}"
        )
    numbers = tuple(_number(each, name) for each in (answer if has_objectives else (answer,)))
    if any(map(math.isnan, numbers)):
        return Evaluation(WORST, note="it returned NaN")
    return Evaluation(numbers[0], objectives=numbers if has_objectives else ())


def _numbers(what: str, values: Any, name: str) -> tuple[float, ...]:
    """The numbers of a field of an evaluation.

    Raises:
        GuestError: it is no sequence of numbers.
    """
    if isinstance(values, str | bytes) or not hasattr(values, "__iter__"):
        raise GuestError(
            f"{name} returned {what}={shortened(repr(values))} ({type(values).__name__}); expected a tuple of numbers"
        )
    return tuple(_number(each, name) for each in values)


def _number(answer: Any, name: str) -> float:
    """The score of an answer.

    Raises:
        GuestError: it is no number, or above all.
    """
    try:
        score = float("no number" if isinstance(answer, str | bytes) else answer)  # not even the text of one
    except (TypeError, ValueError, OverflowError):
        kind = type(answer).__name__
        raise GuestError(
            f"{name} returned {shortened(repr(answer))} ({kind}); expected a number (higher is better), a tuple of "
            "numbers for several objectives, or None for a program that failed"
        ) from None
    if score == math.inf:
        raise GuestError(
            f"{name} returned infinity; expected a finite number: return -error, for example, instead of 1 / error"
        )
    return score


SCORE = Metric("score", -math.inf, math.inf)
"""The metric of a problem: what its function gives; higher is better."""


@runtime_checkable
class ProblemEvolving(Protocol):
    """Representations of programs for problems without a game: further function of ``forms.evolution``."""

    def representation_of_problem(
        self, primitives: PrimitiveSet, settings: Any, size: int | None
    ) -> Representation[Any]:
        """Programs of what the first alphabet of a primitive set names.

        Raises:
            UsageError: the text of a program cannot say a name, or the limit of size leaves no room for a program.
        """


def language_named(config: Config) -> str:
    """The language of the programs of a configuration."""
    return there(config.problem).language


def subject_from(config: Config, _opponent: object, scorer: Scorer | None) -> "ProblemSubject":
    """The problem that a configuration describes.

    Raises:
        UsageError: an unknown language or operator, or bounds that are none.
    """
    config, problem = with_texts(config), there(config.problem)
    language = language_entry(problem.language).load()
    found = ProblemSubject(config, language, SCORE, {}, problem, scorer)
    # of blocks, those of the language
    offered = getattr(found.representation, "primitives", problem.primitives())
    return replace(found, offers={language.name: offered})


@dataclass(frozen=True, slots=True)
class ProblemSubject(Subject):
    """A problem of one's own.

    Attributes:
        problem: the table [problem] of the configuration.
        scorer: what is asked for scores; None where only the folder of a run is read.
    """

    problem: ProblemSettings
    scorer: Scorer | None = None

    @property
    def versions(self) -> Mapping[str, str]:
        """The SHA-256 of the problem."""
        return {} if self.scorer is None else {f"{OWN}problem {self.problem.name}": self.scorer.sha256}

    @property
    def about(self) -> Mapping[str, str]:
        """The name of the problem."""
        return {"problem": self.problem.name}

    @property
    def representation(self) -> Representation[Any]:
        """Representation of programs of what the problem names."""
        made = form(ProblemEvolving, "evolution", self.language.name, "evolve {} without a game")
        primitives, config = self.problem.primitives(), self.config
        return made.representation_of_problem(primitives, config.representation, config.limits.size)

    def search(self, run: Run[Any]) -> Search[Any]:
        """The search for programs that solve the problem.

        Raises:
            UsageError: the function of the problem is missing; or as for ``Run.search``.
        """
        if self.scorer is None:
            raise UsageError(
                f"the run is on the problem `{self.problem.name}`, which is in a file of yours: name this file "
                "again, as in gpkit evolve problem.py --resume --out DIR"
            )
        found = run.search_for(OwnProblem(self.scorer))  # first, as it refuses operators that are missing
        expected = expected_of(self.config, run.own)
        return replace(found, problem=OwnProblem(self.scorer, expected, self.scorer.changes))
