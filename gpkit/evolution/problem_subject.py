"""User-defined problems as subjects of runs: an external function returns the scores, and gpkit checks them."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Protocol

from gpkit.core.diagnostics import shortened
from gpkit.core.errors import GuestError, UsageError
from gpkit.core.plugins import RECORDED
from gpkit.core.registry import known_language, language_entry, language_of_grammar
from gpkit.core.work_folder import OWN
from gpkit.evolution import maps
from gpkit.evolution.config import Config, ProblemSettings, evolved, there
from gpkit.evolution.fronts import PROBLEM
from gpkit.evolution.parts import Parts
from gpkit.evolution.problem import WORST, Evaluation, Executor, Problem, Representation, with_lost
from gpkit.evolution.search import Search
from gpkit.evolution.setup import Subject, weighs, with_texts
from gpkit.gamekit.game import Metric


class Scorer(Protocol):
    """A source of scores, which can be sent to another process.

    Attributes:
        name: the name of the function, with its file if it has one, for messages.
        changes: whether a program may score differently in another generation.
        sha256: the hash of the file, or of the function's source.
    """

    @property
    def name(self) -> str: ...
    @property
    def changes(self) -> bool: ...
    @property
    def sha256(self) -> str: ...
    def evaluate(self, genomes: Sequence[Any], seed: int, number: int, *, validates: bool) -> Sequence[Any]:
        """The scores of genomes, one for each genome.

        ``number`` is the generation; with ``validates``, it counts the validations of a few good genomes.

        A score is a number, a tuple of objectives, an ``Evaluation``, or None.
        """


@dataclass(frozen=True, slots=True)
class Expected:
    """The numbers from a problem's evaluations that a run can use.

    Attributes:
        instead: the message if the problem returns several objectives but the run uses only one; empty if it can use
            several.
        names: the number of the problem's objectives that the configuration names; 0 means that it names none.
        behaviour: the number of behaviour values that the axes of a map use.
    """

    instead: str = ""
    names: int = 0
    behaviour: int = 0

    def check(self, found: Sequence[Evaluation], name: str) -> None:
        """Check that a generation's evaluations have the number of values that the run reads.

        Raises:
            GuestError: there are too few or too many values.
        """
        known = [each for each in found if each.score > WORST]
        for what in ("objectives", "cases"):
            counts = Counter(len(getattr(each, what)) for each in known)
            if len(counts) > 1:
                shown = " and ".join(f"{count:,} programs {width}" for width, count in sorted(counts.items()))
                raise GuestError(
                    f"{name} returned {shown} {what}; expected the same number for every program"
                )
        widths = {len(each.objectives) for each in known} - {0}
        if self.names and widths and widths != {self.names}:
            raise GuestError(
                f"{name} returned {max(widths)} objectives, and front.names has {self.names} names; expected one "
                "for each"
            )
        longest = max((len(each.behaviour) for each in known), default=self.behaviour)
        if longest < self.behaviour:
            numbers = ", ".join(f"b{place + 1}" for place in range(self.behaviour))
            numbers += "," if self.behaviour == 1 else ""
            raise GuestError(
                f'{name} returned {longest} behaviour values, and [map] reads "problem:{self.behaviour}"; return '
                f"gpkit.Evaluation(score, behaviour=({numbers}))"
            )


def expected_of(config: Config, parts: Parts) -> Expected:
    """The numbers that a configuration's run can use; an external scheme or selector may use several objectives.

    Args:
        config: the configuration of the run.
        parts: the external parts.

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
    'this run expects one: return one number, or set scheme.name = "plus", scheme.order = "pareto" and '
    'selection.name = "pareto"; a map and lexicase selection take gpkit.Evaluation(score, behaviour=(...), cases=(...))'
)


@dataclass(frozen=True, slots=True, eq=False)
class OwnProblem(Problem[Any]):
    """A problem with scores from an external function.

    Attributes:
        scorer: the source of the scores.
        expected: the numbers that the run can use.
        changes: whether a program may score differently in another generation.
    """

    scorer: Scorer
    expected: Expected = Expected()
    changes: bool = False

    def evaluate(
        self,
        genomes: Sequence[object],
        seed: int,
        generation: int,
        executor: Executor,
        *,
        validates: bool = False,
    ) -> list[Evaluation]:
        """The evaluations of a generation's programs or, with ``validates``, of a few good programs.

        Raises:
            GuestError: the function raises an error, returns something other than scores, or scores no program of the
                first generation.
        """
        ask = partial(_answers, self.scorer, self.expected.instead, seed, generation, validates)
        found = with_lost(executor.run(ask, genomes, [1e-3] * len(genomes)))
        if validates:
            return found
        if generation == 0 and len(found) > 1 and all(each.score == WORST for each in found):
            note = found[0].note or "every score is -inf"
            raise GuestError(
                f"{self.scorer.name}: none of the {len(found)} programs of the first generation has a score ({note}); "
                "expected a number for each; higher is better"
            )
        self.expected.check(found, self.scorer.name)
        return found

    def validate(
        self, genomes: Sequence[object], seed: int, occasion: int, executor: Executor
    ) -> list[Evaluation]:
        """The evaluations of a few good programs; raises the same errors as ``evaluate``."""
        return self.evaluate(genomes, seed, occasion, executor, validates=True)


def _answers(
    scorer: Scorer, instead: str, seed: int, number: int, validates: bool, genomes: Sequence[object]
) -> list[Evaluation]:
    """The evaluations that a scorer returns for some programs."""
    name, answers = scorer.name, scorer.evaluate(genomes, seed, number, validates=validates)
    count = len(answers) if hasattr(answers, "__len__") else -1
    if count != len(genomes):
        what = f"{count} scores" if count >= 0 else shortened(repr(answers))
        raise GuestError(f"{name} returned {what} for {len(genomes)} programs; expected one for each")
    return [evaluation_of(answer, name, instead) for answer in answers]


PLAIN = 1e300
"""The bound below which an answer that is a number needs no further check."""


def evaluation_of(answer: Any, name: str, instead: str = "") -> Evaluation:
    """The evaluation for an answer, which is a number, a tuple of objectives, or None for a program that failed.

    Args:
        answer: the value that the function returned.
        name: the name of the function, for messages.
        instead: the message if the function returns several objectives but the run uses only one.

    Raises:
        GuestError: the answer is not one of these.
    """
    if answer.__class__ in (int, float) and -PLAIN < answer < PLAIN:
        return Evaluation(float(answer))
    if isinstance(answer, Evaluation):
        cases, objectives, behaviour = (
            _numbers(each, getattr(answer, each), name) for each in ("cases", "objectives", "behaviour")
        )
        return answer._replace(
            score=_number(answer.score, name), cases=cases, objectives=objectives, behaviour=behaviour
        )
    if answer is None:
        return Evaluation(WORST, note="it returned None")
    has_objectives = isinstance(answer, tuple | list) and bool(answer)
    if has_objectives and len(answer) > 1 and instead:
        raise GuestError(
            f"{name} returned {shortened(repr(answer))}, {len(answer)} objectives, but {instead}"
        )
    numbers = tuple(_number(each, name) for each in (answer if has_objectives else (answer,)))
    if any(map(math.isnan, numbers)):
        return Evaluation(WORST, note="it returned NaN")
    return Evaluation(numbers[0], objectives=numbers if has_objectives else ())


def _numbers(what: str, values: object, name: str) -> tuple[float, ...]:
    """The numbers in a field of an evaluation.

    Raises:
        GuestError: the field is not a sequence of numbers.
    """
    if isinstance(values, str | bytes) or not hasattr(values, "__iter__"):
        raise GuestError(
            f"{name} returned {what}={shortened(repr(values))} ({type(values).__name__}); expected a tuple of numbers"
        )
    return tuple(_number(each, name) for each in values)


def _number(answer: Any, name: str) -> float:
    """The score in an answer.

    Raises:
        GuestError: the answer is not a number, or is infinite.
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
"""The metric of a problem, which is the result of its function; higher is better."""


def language_named(config: Config) -> str:
    """The language of a configuration's programs; the stored grammar defines an unknown language."""
    problem = there(config.problem)
    known = known_language(problem.language) if problem.grammar else None
    if problem.grammar and (
        known is None or (known.origin == RECORDED and known.load().grammar != problem.grammar)
    ):
        language_of_grammar(problem.language, problem.grammar)
    return problem.language


def subject_from(config: Config, _opponent: object, scorer: Scorer | None) -> "ProblemSubject":
    """The problem that a configuration describes.

    Raises:
        UsageError: a language or an operator is unknown, or bounds are not two numbers in ascending order.
    """
    config, problem = with_texts(config), there(config.problem)
    language = language_entry(language_named(config)).load()
    found = ProblemSubject(config, language, SCORE, {}, problem, scorer)
    # of blocks, those of the language
    offered = getattr(found.representation, "primitives", problem.primitives())
    return replace(found, offers={language.name: offered})


@dataclass(frozen=True, slots=True)
class ProblemSubject(Subject):
    """A user-defined problem as the subject of a run.

    Attributes:
        problem: the table [problem] of the configuration.
        scorer: the source of scores; None if gpkit only reads the folder of a run.
    """

    problem: ProblemSettings
    scorer: Scorer | None = None

    @property
    def _versions(self) -> Mapping[str, str]:
        """The problem's SHA-256."""
        if self.scorer is None:
            return {}
        own = {f"{OWN}language {self.language.name}": self.language.sha256} if self.language.sha256 else {}
        return {**own, f"{OWN}problem {self.problem.name}": self.scorer.sha256}

    @property
    def about(self) -> Mapping[str, str]:
        """The name of the problem."""
        return {"problem": self.problem.name}

    @property
    def representation(self) -> Representation[Any]:
        """The representation of programs with the problem's sensors, operators and actions."""
        made = evolved(self.language.name)
        primitives, config = self.problem.primitives(), self.config
        return made.representation_of_problem(primitives, config.representation, config.limits.size)

    def search(self) -> Search[Any]:
        """The search for programs that solve the problem.

        Raises:
            UsageError: the problem's function is missing, or ``Subject.search`` raises the error.
        """
        if self.scorer is None:
            raise UsageError(
                f"the run is on the problem `{self.problem.name}`, which is in your own file: name this file "
                "again, as in gpkit evolve problem.py --resume --out DIR"
            )
        found = self.search_for(OwnProblem(self.scorer))  # first, as it refuses operators that are missing
        expected, renewed = expected_of(self.config, self.own), self.problem.renewed
        return replace(
            found, problem=OwnProblem(self.scorer, expected, renewed or self.scorer.changes), renewed=renewed
        )
