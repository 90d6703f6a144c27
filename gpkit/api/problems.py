"""Your own problems in Python code: a function that scores programs, and the building blocks of the programs."""

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Annotated, Any, Protocol

from gpkit.analysis.values import BuiltSource
from gpkit.api.arguments import command
from gpkit.api.programs import Program
from gpkit.core.diagnostics import shortened, suggestion
from gpkit.core.errors import GuestError, UsageError
from gpkit.core.plugins import digest_of, here, imported_file, is_named, shown_path
from gpkit.core.registry import DEFAULT_LANGUAGE, language_entry, language_of_genome
from gpkit.core.rng import stream
from gpkit.core.settings import NO_SETTINGS, over
from gpkit.core.timeouts import Stuck, patient
from gpkit.evolution.config import PROBLEM, Config, ProblemSettings, there
from gpkit.evolution.parts import blame, name_of_part, source_digest
from gpkit.evolution.problem_subject import evaluation_of
from gpkit.evolution.subjects import config_from_data
from gpkit.genomes.tree import Function
from gpkit.langkit.foreign import know_function
from gpkit.langkit.language import Language, form
from gpkit.langkit.operators import foreign_among, function_of, operator_words
from gpkit.playing.named import Named
from gpkit.vm.isa import MOST_OPERANDS

Sensors = Annotated[
    Mapping[str, Any] | Sequence[str] | str, 'names such as "x y", or bounds by name such as {"x": (-5, 5)}'
]
"""The sensors that programs read: their lowest and highest values by name, or only their names."""


class Evaluator(Protocol):
    """A problem that scores many programs in one call.

    ``changes = False`` means that a program has the same score in every generation, so gpkit does not score survivors
    again. If the problem has a method ``validate`` with the same arguments, the scores from this method determine the
    champions.
    """

    def evaluate(self, programs: Sequence[Program], seed: int, generation: int) -> Sequence[Any]:
        """The score of each program, independent of the other programs; ``gpkit.problem`` lists the valid scores."""


@dataclass(frozen=True, slots=True, repr=False)
class Problem:
    """A problem that you define; ``gpkit.problem`` returns it, and ``gpkit.evolve`` accepts it.

    Attributes:
        score: the function, or the object with ``evaluate``; None if you report the scores to ``gpkit.search``.
        config: the default configuration for evolving programs for this problem.
        language: the language of the problem's programs, if you declared that language yourself.
    """

    score: Callable[..., Any] | Evaluator | None
    config: Config
    language: Language | None = None

    @property
    def table(self) -> ProblemSettings:
        """The problem's table in the configuration: its name, and the building blocks of its programs."""
        return there(self.config.problem)

    def __repr__(self) -> str:
        """The problem in one line: its name, language and sensors."""
        table = self.table
        return f"<Problem {table.name} in {table.language}, of {' '.join(table.sensors) or 'no sensors'}>"


def actions(
    program: Program,
    sense: Callable[[str], float] | Mapping[str, float] = MappingProxyType({}),
    *,
    seed: int = 0,
) -> Iterator[str]:
    r"""The actions of a plan, one after another; request the next action only after you have performed the last one.

    >>> import gpkit
    >>> plan = gpkit.parse("repeat 2\n  do left\n  do forward\nend\n", language="execution")
    >>> list(gpkit.actions(plan))
    ['left', 'forward', 'left', 'forward']

    Args:
        program: the plan.
        sense: a function that returns the current value of a sensor, given its name; or the values by name.
        seed: the seed of the plan's random choices.

    Returns:
        names of actions; an empty name whenever the plan waits.

    Raises:
        UsageError: programs of the language do not act outside games, or a sensor has no value.
    """
    acting = program.named.language.acting() or form(
        program.language, lambda each: each.acting(), "let {} act without a game"
    )
    rng: list[Any] = []  # created when the first random number is drawn

    def drawn() -> float:
        if not rng:
            rng.append(stream(seed, "actions"))
        return float(rng[0].random())

    def value(name: str) -> float:
        if name not in known:
            raise UsageError(f"the program reads `{name}`, which is not given; {suggestion(name, known)}")
        return float(known[name])

    known: Mapping[str, float] = {} if callable(sense) else sense
    ask = (lambda name: float(sense(name))) if callable(sense) else value
    return acting.actions(program.named.source.program, ask, drawn)


Operators = Annotated[
    str | Sequence[str],
    'names of operators of formulas such as "+ - * sin" (gpkit.list("operators") has all), and your own functions '
    "from gpkit.primitive",
]
"""The operators of formulas."""


@command
def primitive(
    formula: str | Callable[..., Any],
    *,
    calls: Sequence[str] = (),
    lua: str = "",
    c: str = "",
    python: str = "",
    sympy: str = "",
) -> Function:
    """Your own function that formulas can call, for ``operators`` of ``gpkit.problem`` and ``gpkit.fit``.

    >>> import gpkit
    >>> hypot = gpkit.primitive("hypot(a, b) = sqrt(a * a + b * b)")
    >>> space = gpkit.primitive("space(a, b, c) = hypot(hypot(a, b), c)", calls=[hypot])
    >>> length = gpkit.problem(len, sensors="x y z", operators=["+", "*", hypot, space])

    Args:
        formula: the function's name, its parameters, and a formula that reads only the parameters. Alternatively, a
            Python function that takes one to three numbers and always returns the same number for the same arguments.
        calls: other functions that the formula calls.
        lua, c, python, sympy: for a Python function, its expression in exports, with ``{0}`` for the first operand:
            ``lua="math.sqrt({0}^2 + {1}^2)"``. Without it, gpkit refuses that export.

    Returns:
        the symbol that stands for the function in formulas. Programs that call a formula contain its definition as a
        section; programs that call a Python function name its file.

    Raises:
        UsageError: the value is not such a function; the message gives the location.
    """
    if callable(formula):
        texts = {"lua": lua, "c": c, "python": python, "sympy": sympy}
        return _of_python(formula, {target: text for target, text in texts.items() if text})
    functions = tuple(each for each in calls if isinstance(each, Function))
    if len(functions) < len(calls):
        raise UsageError(f"calls={shortened(repr(calls))}: expected functions that gpkit.primitive returns")
    return function_of(formula, functions)


def _of_python(function: Callable[..., Any], texts: Mapping[str, str]) -> Function:
    """The symbol that stands for a Python function in formulas.

    Raises:
        UsageError: the function's name is not valid in formulas, or the function does not take one to three numbers.
    """
    name = getattr(function, "__name__", "")
    try:
        parameters = tuple(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        raise UsageError(f"the parameters of {function!r} are unknown: wrap it in a function") from None
    names = tuple(each.name for each in parameters)
    by_place = [
        each for each in parameters if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)
    ]
    if not 1 <= len(names) == len(by_place) <= MOST_OPERANDS:
        raise UsageError(
            f"`{name}` takes {', '.join(map(str, parameters)) or 'nothing'}; expected 1 to {MOST_OPERANDS} numbers"
        )
    function_of(f"{name}({', '.join(names)}) = 0")  # which refuses names
    path = getattr(getattr(function, "__code__", None), "co_filename", "")
    file = path if is_named(path) else ""
    sha256 = digest_of(file) if file else source_digest(function)
    return know_function(name, function, names, sha256, file, texts)


@command
def problem(
    score: Callable[..., Any] | Evaluator | None = None,
    *,
    name: str | None = None,
    sensors: Sensors = (),
    operators: Operators = "+ - * /",
    actions: str | Sequence[str] = (),
    language: str | Language | None = None,
    renewed: bool = False,
    settings: Mapping[str, Any] = NO_SETTINGS,
) -> Problem:
    """Define your own problem: a function that scores programs, and the building blocks of the programs.

    >>> import gpkit
    >>> def fit(program):
    ...     return -sum((program(x=x) - (x * x + x)) ** 2 for x in range(-5, 6))
    >>> square = gpkit.problem(fit, sensors={"x": (-5, 5)}, operators="+ *")
    >>> best, run = gpkit.evolve(square, seed=1, generations=10)
    >>> best(x=7), run.score == 0
    (56.0, True)

    Args:
        score: a function that takes a program and returns a number, higher is better; a tuple of numbers for several
            objectives; a ``gpkit.Evaluation``; or None for a program that failed. Alternatively, an object with a
            method ``evaluate(programs, seed, generation)``, which returns a sequence of such scores; or None if you
            report the scores to ``gpkit.search``.
        name: the name of the problem. Default: the name of the function.
        sensors: the values that programs read: ``{"x": (-5, 5)}`` with the lowest and highest value, or names such as
            "x y".
        operators: the operators of formulas, such as "+ - * / min max neg abs sqrt floor ifle", or a list of these and
            of functions from ``gpkit.primitive``; the operators that make children from parents are ``operators`` of
            ``gpkit.evolve``.
        actions: the actions that decision trees, plans or sinking programs choose from, such as "left right forward".
        language: ``arithmetic`` for formulas, ``decision``, ``execution`` or ``sinking``; or a language from
            ``gpkit.language``. Default: formulas, or decision trees if there are actions.
        renewed: whether scores are valid for one generation only, because the programs' environment changes; if so,
            survivors and the champion are scored again in every generation.
        settings: tables and keys of the configuration, as in a ``.toml`` file: ``{"population": {"size": 500}}``.

    Raises:
        UsageError: an argument names something that does not exist, or the arguments contradict each other.
    """
    if score is not None and not callable(score) and not hasattr(score, "evaluate"):
        raise UsageError(
            f"{shortened(repr(score))} cannot score programs; expected a function of a program, or an object with "
            "evaluate"
        )
    chosen = _words(actions)
    spoken = language.name if isinstance(language, Language) else language
    own = language_entry(spoken).load() if spoken is not None else None
    table = {
        "name": name or (PROBLEM if score is None else name_of_part(score)),
        "language": spoken or (language_of_genome("decision") if chosen else DEFAULT_LANGUAGE),
        "sensors": _bounds(sensors),
        "operators": operator_words(operators),
        "actions": chosen,
        "renewed": renewed,
        **({"grammar": own.grammar} if own is not None and own.grammar else {}),
    }
    config = config_from_data(over(settings, {"problem": table}))
    there(config.problem).primitives()
    return Problem(score, config, own if own is not None and own.grammar else None)


def _words(given: str | Sequence[str]) -> tuple[str, ...]:
    """The words in a sequence of words or in one string."""
    return tuple(given.replace(",", " ").split() if isinstance(given, str) else given)


def _bounds(sensors: Sensors) -> dict[str, list[float]]:
    """The bounds of each sensor, in the form of a configuration.

    Raises:
        UsageError: the bounds of a sensor are not numbers.
    """
    if not isinstance(sensors, Mapping):
        return {name: [] for name in _words(sensors)}
    found = {}
    for name, bounds in sensors.items():
        try:
            found[name] = [float(each) for each in bounds]
        except (TypeError, ValueError):
            raise UsageError(
                f"sensors={{{name!r}: {shortened(repr(bounds))}}}: expected the smallest and largest value, such as "
                f"{{{name!r}: (-5, 5)}}"
            ) from None
    return found


@dataclass(frozen=True, slots=True, eq=False)
class ProgramScorer:
    """A scorer that turns genomes into programs and passes them to the function of a problem.

    Attributes:
        problem: the problem with the function.
        file: the absolute path of the file that contains the problem; empty if the problem was defined in this process.
    """

    problem: Problem
    file: str = ""

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the scorer; a problem from a file is pickled as a reference to the file."""
        if self.file:
            problem = self.problem
            return scorer_of_file, (
                self.file,
                shown_path(self.file),
                self.sha256,
                problem.config,
                (problem.language, *foreign_among(problem.table.operators)),
            )
        return ProgramScorer, (self.problem,)

    @property
    def name(self) -> str:
        """The name shown in messages."""
        return self.problem.table.name

    @property
    def sha256(self) -> str:
        """The SHA-256 of the file, or of the source of the function."""
        return digest_of(self.file) if self.file else source_digest(self.problem.score)

    @property
    def changes(self) -> bool:
        """Whether the score of a program may change between generations; False if it depends only on the program."""
        return bool(getattr(self.problem.score, "changes", hasattr(self.problem.score, "evaluate")))

    def evaluate(
        self, genomes: Sequence[object], seed: int, number: int, *, validates: bool = False
    ) -> Sequence[Any]:
        """The scores of all genomes in a generation, or the scores of a few good genomes for validation.

        Raises:
            GuestError: the function raises an error.
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


def built(genome: Any, language: Language, header: Mapping[str, str], name: str = "program") -> Program:
    """The program for a genome; gpkit generates its text only when the text is needed.

    Args:
        genome: a program value, of the type that the language's parser returns.
        language: its language.
        header: the lines of the program's header, by key.
        name: the name in messages and results.
    """
    return Program(Named(name, BuiltSource(genome, language, header), language))


def scorer_of_file(
    path: str, written: str, sha256: str, config: Config, _known: Sequence[object] = ()
) -> ProgramScorer:
    """The scorer of the problem in a file; this function imports the file.

    Messages show the path as the user wrote it. Unpickling the arguments registers the user's language and functions in
    this process.

    Raises:
        UsageError: the file here differs from the original.
    """
    problem = problem_of_file(path)
    here.written[path] = written
    if problem is None or digest_of(path) != sha256:
        raise UsageError(f"{path} differs from the file with which the run began")
    return ProgramScorer(replace(problem, config=config), path)


def problem_of_file(path: str) -> Problem | None:
    """The problem that a Python file contains; None if it contains none. The file is imported once.

    Raises:
        GuestError: there is no such file, it raises an error (the message names the line), or it contains several
            problems.
    """
    found = {id(each): each for each in vars(imported_file(path)).values() if isinstance(each, Problem)}
    if len(found) > 1:
        names = ", ".join(f"`{each.table.name}`" for each in found.values())
        raise GuestError(f"{path} holds {len(found)} problems, {names}; expected one per file")
    return next(iter(found.values()), None)
