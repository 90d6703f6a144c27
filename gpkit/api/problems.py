"""Problems of one's own in Python code: a function that scores programs, and what these are made of."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from types import MappingProxyType
from typing import Annotated, Any, Protocol

from gpkit.analysis.values import BuiltSource
from gpkit.api.arguments import command
from gpkit.api.programs import Program
from gpkit.core.diagnostics import shortened, suggestion
from gpkit.core.errors import GuestError, UsageError
from gpkit.core.plugins import digest_of, here, imported_file, shown_path
from gpkit.core.registry import DEFAULT_LANGUAGE, form, language_entry, language_of_genome
from gpkit.core.rng import stream
from gpkit.core.settings import NO_SETTINGS, over
from gpkit.core.timeouts import Stuck, patient
from gpkit.evolution.config import Config, there
from gpkit.evolution.parts import blame, name_of_part, source_digest
from gpkit.evolution.problem_subject import evaluation_of
from gpkit.evolution.subjects import config_from_data
from gpkit.evolution.tables import PROBLEM, ProblemSettings
from gpkit.langkit.acting import Acting
from gpkit.playing.named import Named

Sensors = Annotated[
    Mapping[str, Any] | Sequence[str] | str, 'names such as "x y", or bounds by name such as {"x": (-5, 5)}'
]
"""Sensors that programs read: by name the least and the greatest value, or the names alone."""

NO_SENSORS: Mapping[str, float] = MappingProxyType({})
"""Values of no sensor."""


class Evaluator(Protocol):
    """A problem that scores many programs at once.

    ``changes = False`` says that a program scores the same in every generation, so that survivors are not asked about
    again. With a method ``validate`` of the same arguments champions are chosen by other scores than parents.
    """

    def evaluate(self, programs: Sequence[Program], seed: int, generation: int) -> Sequence[Any]:
        """The score of each program, whatever the others are; what a score may be, ``gpkit.problem`` says."""


@dataclass(frozen=True, slots=True, repr=False)
class Problem:
    """Problem of one's own, as ``gpkit.problem`` gives it and ``gpkit.evolve`` takes it.

    Attributes:
        score: the function, or the object with ``evaluate``; None where scores are told to ``gpkit.search``.
        config: how evolution solves it, if nothing else is said.
    """

    score: Callable[[Program], Any] | Evaluator | None
    config: Config

    @property
    def table(self) -> ProblemSettings:
        """The table of the configuration: the name, and what programs are made of."""
        return there(self.config.problem)

    def __repr__(self) -> str:
        """The problem in a line: its name, language and sensors."""
        table = self.table
        return f"<Problem {table.name} in {table.language}, of {' '.join(table.sensors) or 'no sensors'}>"


def actions(
    program: Program, sense: Callable[[str], float] | Mapping[str, float] = NO_SENSORS, *, seed: int = 0
) -> Iterator[str]:
    r"""The actions of a plan, one after another; whoever asks for the next one has done the one before.

    >>> import gpkit
    >>> plan = gpkit.parse("repeat 2\n  do left\n  do forward\nend\n", language="execution")
    >>> list(gpkit.actions(plan))
    ['left', 'forward', 'left', 'forward']

    Args:
        program: the plan.
        sense: gives the value of a sensor at that moment, by its name; or the values by name.
        seed: of the chances in the plan.

    Returns:
        names of actions; empty ones where the plan waits.

    Raises:
        UsageError: programs of the language do not act outside games, or a sensor has no value.
    """
    acting = form(Acting, "acting", program.language, "let {} act without a game")
    rng = cache(partial(stream, seed, "actions"))  # made when a chance is drawn

    def drawn() -> float:
        return float(rng().random())

    def value(name: str) -> float:
        if callable(sense):
            return float(sense(name))
        if name not in sense:
            raise UsageError(f"the program reads `{name}`, which is not given; {suggestion(name, sense)}")
        return float(sense[name])

    done: Iterator[str] = acting.actions(program.named.source.program, value, drawn)
    return done


Operators = Annotated[
    str | Sequence[str],
    'names of operators of formulas such as "+ - * sin" (gpkit.list("operators") has all); a function of your own '
    "cannot stand in a formula, which is compiled and exported: compute its value and make it a sensor",
]
"""Operators that formulas are made of."""


@command
def problem(
    score: Callable[[Program], Any] | Evaluator | None = None,
    *,
    name: str | None = None,
    sensors: Sensors = (),
    operators: Operators = "+ - * /",
    actions: str | Sequence[str] = (),
    language: str | None = None,
    settings: Mapping[str, Any] = NO_SETTINGS,
) -> Problem:
    """Problem of one's own: a function that scores programs, the higher the better, and what these are made of.

    >>> import gpkit
    >>> def fit(program):
    ...     return -sum((program(x=x) - (x * x + x)) ** 2 for x in range(-5, 6))
    >>> square = gpkit.problem(fit, sensors={"x": (-5, 5)}, operators="+ *")
    >>> best, run = gpkit.evolve(square, seed=1, generations=10)
    >>> best(x=7), run.score == 0
    (56.0, True)

    Args:
        score: a function of a program, whose score is a number, the higher the better; a tuple of numbers for several
            objectives; a ``gpkit.Evaluation``; or None for a program that failed. Or an object with
            ``evaluate(programs, seed, generation)``, which gives a sequence of these. None where scores are told to
            ``gpkit.search``.
        name: of the problem; without it that of the function.
        sensors: what programs read: ``{"x": (-5, 5)}`` with the least and the greatest value, or names such as "x y".
        operators: that formulas are made of, such as "+ - * / min max neg abs sqrt floor ifle"; those that make
            children of parents are ``operators`` of ``gpkit.evolve``.
        actions: what decision trees, plans or sinking programs choose from, such as "left right forward".
        language: ``arithmetic`` for formulas, ``decision``, ``execution`` or ``sinking``; without it formulas, or
            decision trees where actions are given.
        settings: tables and keys of the configuration, as in a file ``.toml``: ``{"population": {"size": 500}}``.

    Raises:
        UsageError: something of this does not exist or does not go together.
    """
    if score is not None and not callable(score) and not hasattr(score, "evaluate"):
        raise UsageError(
            f"{shortened(repr(score))} scores nothing; expected a function of a program, or an object with evaluate"
        )
    chosen = _words(actions)
    table = {
        "name": name or (PROBLEM if score is None else name_of_part(score)),
        "language": language or (language_of_genome("decision") if chosen else DEFAULT_LANGUAGE),
        "sensors": _bounds(sensors),
        "operators": _words(operators),
        "actions": chosen,
    }
    config = config_from_data(over(settings, {"problem": table}))
    there(config.problem).primitives()
    return Problem(score, config)


def _words(given: str | Sequence[str]) -> tuple[str, ...]:
    """Words that are given one by one, or in one text."""
    return tuple(given.replace(",", " ").split() if isinstance(given, str) else given)


def _bounds(sensors: Sensors) -> dict[str, list[float]]:
    """The bounds of each sensor, as a configuration has them.

    Raises:
        UsageError: those of one are no numbers.
    """
    if not isinstance(sensors, Mapping):
        return {name: [] for name in _words(sensors)}
    found = {}
    for name, bounds in sensors.items():
        try:
            found[name] = [float(each) for each in bounds]
        except (TypeError, ValueError):
            raise UsageError(
                f"sensors={{{name!r}: {shortened(repr(bounds))}}}: expected the least and the greatest value, such as "
                f"{{{name!r}: (-5, 5)}}"
            ) from None
    return found


@dataclass(frozen=True, slots=True, eq=False)
class ProgramScorer:
    """A scorer that turns genomes into programs and passes them to the function of a problem.

    Attributes:
        problem: the problem with the function.
        file: the absolute path of the file that holds the problem; empty if this process made the problem.
    """

    problem: Problem
    file: str = ""

    def __reduce__(self) -> tuple[Any, ...]:
        """Sent to another process, the problem of a file is read from the file there."""
        if self.file:
            return scorer_of_file, (self.file, shown_path(self.file), self.sha256, self.problem.config)
        return ProgramScorer, (self.problem,)

    @property
    def name(self) -> str:
        """Name in messages."""
        return self.problem.table.name

    @property
    def sha256(self) -> str:
        """The SHA-256 of the file, or of the source of the function."""
        return digest_of(self.file) if self.file else source_digest(self.problem.score)

    @property
    def changes(self) -> bool:
        """Whether a program may score differently in another generation: not of a function of the program alone."""
        return bool(getattr(self.problem.score, "changes", hasattr(self.problem.score, "evaluate")))

    def evaluate(
        self, genomes: Sequence[Any], seed: int, number: int, *, validates: bool = False
    ) -> Sequence[Any]:
        """The scores of some genomes in a generation, or of a few good ones when they are validated.

        Raises:
            GuestError: the function raises.
        """
        score, table = self.problem.score, self.problem.table
        language, seconds = language_entry(table.language).load(), table.seconds
        programs = [built(genome, language, {}) for genome in genomes]
        method = "validate" if validates and hasattr(score, "validate") else "evaluate"
        ask = getattr(score, method, None)
        if ask is not None:
            try:
                with patient(None if seconds is None else seconds * len(programs)):
                    found: Sequence[Any] = ask(programs, seed, number)
            except (Exception, Stuck, SystemExit) as error:
                raise blame(error, ask, f"{self.name}.{method}") from error
            return found
        scores = []
        with patient(seconds):
            for program in programs:
                try:
                    scores.append(score(program))  # type: ignore[operator, misc]
                    evaluation_of(scores[-1], "it")  # here, where the program is known
                except (Exception, Stuck, SystemExit) as error:
                    shown = shortened(str(program))
                    raise blame(error, score, f"{self.name}, for the program `{shown}`") from error
        return scores


def built(genome: Any, language: Any, header: Mapping[str, str], name: str = "program") -> Program:
    """The program of a value that a parser could have read, as evolution has it; no text is made before it is needed.

    Args:
        genome: the value.
        language: its language.
        header: lines of its header, by key.
        name: in messages and results.
    """
    return Program(Named(name, BuiltSource(genome, language, header), language))


def scorer_of_file(path: str, written: str, sha256: str, config: Config) -> ProgramScorer:
    """The scorer of the problem in a file; imports the file. Messages show the path as the person wrote it.

    Raises:
        UsageError: the file here differs from the original.
    """
    problem = problem_in(path)
    here.written[path] = written
    if problem is None or digest_of(path) != sha256:
        raise UsageError(f"{path} is another file here than where the run was begun")
    return ProgramScorer(replace(problem, config=config), path)


def problem_in(path: str) -> Problem | None:
    """The problem that a Python file holds; None if it holds none. The file is imported once.

    Raises:
        GuestError: there is no such file, it raises, with the line in the message, or it holds several problems.
    """
    values = vars(imported_file(path)).values()
    found = {id(each): each for each in values if isinstance(each, Problem)}
    if len(found) > 1:
        names = ", ".join(f"`{each.table.name}`" for each in found.values())
        raise GuestError(f"{path} holds {len(found)} problems, {names}; expected one in a file")
    return next(iter(found.values()), None)
