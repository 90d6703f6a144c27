"""Exports plans to Python: each plan becomes a generator of its requests, which tests drive by standard input."""

import builtins
import json
import keyword
from collections.abc import Iterator, Mapping

from gpkit.core.check_report import FIRST_KEY, CheckReport
from gpkit.core.errors import LimitError
from gpkit.core.wording import VERSION
from gpkit.export.python import CALLS, compared, function_names, in_docstring, operator_texts, quoted
from gpkit.export.statements import Body, call_of, name_called
from gpkit.export.subject import Document, Exporting, Subject
from gpkit.genomes.plan import PlanProgram, downward, leaves
from gpkit.genomes.plan import Sequence as Steps
from gpkit.genomes.tree import Computed, sensors_of
from gpkit.langkit.nodes import Texts, filler
from gpkit.languages.execution.forms.exchanges import (
    TICK,
    PlanRun,
    conformance_of,
    played_runs,
    random_runs,
    recorded,
)
from gpkit.languages.execution.text import STEPS, number_text, testing
from gpkit.vm.keyed import CHANCES, KeyedDraws

MOST_LOOPS = 18
"""The maximum nesting of loops, including waits; Python itself allows about twenty levels."""

_TAKEN = frozenset(
    {"json", "sys", "main", "run", "plan", "env", "random", "TICK", "STARTS"}
    | {*keyword.kwlist, *dir(builtins)}
)

_MAIN = '''
def run(sensors, random, start):
    """What the plan asks for, one word for each row of recorded sensors; the last one is empty if the plan is over."""
    env = {}
    asks, steps = [], STARTS[start](env, random)
    for each in sensors:
        env.clear()
        env.update(each)
        asks.append(next(steps, ""))
    return asks


def main():
    """For every JSON line of standard input, with sensors and random numbers, prints what the plan asks for."""
    for line in sys.stdin:
        call = json.loads(line)
        print(json.dumps(run(call["sensors"], iter(call["random"]).__next__, call["start"])))


if __name__ == "__main__":
    main()
'''


def documents(subject: Subject, mode: str) -> tuple[Document, ...]:
    """The Python file and the conformance file.

    Raises:
        UsageError: the name of a plan cannot be the name of a function.
        LimitError: loops are nested more deeply than Python allows.
    """
    return (Document(".py", python_text(subject)), conformance_of(subject, recorded(subject)))


def check(subject: Subject, mode: str, evaluations: int, games: int) -> CheckReport:
    """Compare runs on random sensor values and in games, using a Python process with only the standard library."""
    played = played_runs(subject, games, FIRST_KEY)
    runs = (*random_runs(subject, evaluations, "check"), *played)

    def differ(answers: list[str]) -> list[str]:
        pairs = zip(runs, map(json.loads, answers), strict=False)
        return [
            f"run {run.key}: {words} instead of {list(run.words)}"
            for run, words in pairs
            if words != list(run.words)
        ]

    return compared(python_text(subject), [*map(_call, runs)], (evaluations, len(played)), differ)


def _call(run: PlanRun) -> Mapping[str, object]:
    """A run as input for the module's ``main`` function, with more random numbers than the run draws."""
    draws = KeyedDraws(run.key, CHANCES)
    rows = [dict(zip(run.features, row, strict=True)) for row in run.values]
    numbers = [draws.random() for _ in range(20 * len(rows) + 100)]
    return {"start": run.start, "sensors": rows, "random": numbers}


def python_text(subject: Subject) -> str:
    """The text of the Python file.

    Raises:
        UsageError: the name of a plan cannot be the name of a function.
        LimitError: loops are nested more deeply than Python allows.
    """
    program: PlanProgram = subject.program
    if any(_loops(plan) > MOST_LOOPS for plan in program.plans):
        raise LimitError(
            f"Python accepts at most {MOST_LOOPS} nested loops; move inner loops into named plans"
        )
    starts = leaves(program) if program.goes_up else ()
    begun = {start: downward(program, start) for start in starts or ("",)}
    first = next(iter(begun.values()))
    helpers = operator_texts([Body((), frozenset(each.function for each in program.computed))])
    taken = _TAKEN | {"math", *CALLS.values(), *map(name_called, program.functions), *map(_entry, begun)}
    called = function_names(first.names[1:], taken, "plan")
    functions = [*helpers]
    functions += [_function(_entry(start), START, each.plans[0], called) for start, each in begun.items()]
    functions += [
        _function(called[name], f"The plan {name}.", plan, called)
        for name, plan in zip(first.names[1:], first.plans[1:], strict=True)
    ]
    entries = ", ".join(f'"{start}": {_entry(start)}' for start in begun)
    functions.append(f'STARTS = {{{entries}}}\n"""The plan, by the leaf at which it begins."""')
    modules = ["json", *["math"] * any("math." in text for text in helpers), "sys"]
    imports = "\n".join(f"import {module}" for module in modules)
    head = f'{_header(subject)}\n\n{imports}\n\nTICK = "{TICK}"\n"""Asks to let a tick pass."""'
    return "\n\n\n".join([head, *functions]) + "\n\n" + _MAIN


START = "The plan: yields actions, each of which begins as soon as it can, and TICK, to let a tick pass."
"""The first line of the generator's docstring."""


def _entry(start: str) -> str:
    """The name of the generator that starts at a leaf, or of the only generator."""
    return f"from_{start}" if start else "plan"


def _function(name: str, title: str, plan: Steps, called: Mapping[str, str]) -> str:
    lines = [f"def {name}(env, random):", f'    """{title}"""', *_lines(plan, 1, called)]
    is_generator = any(line.lstrip().startswith("yield") for line in lines)
    return "\n".join(lines if is_generator else [*lines, "    yield from ()"])


def _header(subject: Subject) -> str:
    lines = [
        f'"""{in_docstring(subject.name)}: a plan, written by gpkit {VERSION}.',
        "",
        *(in_docstring(f"{name}: {value.translate(_PLAIN)}") for name, value in subject.header.items()),
        "",
        "STARTS has the plan by the leaf at which it begins, a generator of env and random. env holds the sensors by",
        "name; update it before you ask for the next action. random returns a new number in [0, 1) at each call.",
        '"""',
    ]
    return "\n".join(lines)


_PLAIN = str.maketrans(dict.fromkeys('"\\', " "))

_STEPS = {
    "do": ("yield {action}",),
    "use": ("yield from {plan}(env, random)",),
    "wait": ("for _ in range({most}):", "    if {test}:", "        break", "    yield TICK"),
    "repeat": ("for _ in range({times}):",),
    "while": ("for _ in range({most}):", "    if not ({test}):", "        break"),
    "decide": ("if {test}:",),
    "chance": ("if {probability}:",),
}
"""The Python statements for each kind of step, without its branches."""


def _lines(sequence: Steps, level: int, called: Mapping[str, str]) -> Iterator[str]:
    """The statements of a sequence; ``called`` maps plans to the names of their functions."""
    indent = "    " * level
    texts: Texts = {"action": quoted, "plan": called.__getitem__, "test": _test, "probability": _chance}
    for step in sequence:
        pattern = _STEPS[STEPS.kind(step).word]
        yield from (indent + filler(line, texts)(step) for line in pattern)
        for name, inner in zip(step.HELD, step.held, strict=True):
            if name == "no" and inner:
                yield f"{indent}else:"
            if not inner and name != "no" and len(pattern) == 1:
                yield f"{indent}    pass"
            yield from _lines(inner, level + 1, called)


def _chance(probability: float) -> str:
    """The expression for a chance; if the probability is 0 or 1, it draws no random number."""
    sure = probability in (0.0, 1.0)
    return str(probability == 1.0) if sure else f"random() < {number_text(probability)}"


def _feature(feature: str) -> str:
    """The expression of a feature."""
    read = {name: f"env[{quoted(name)}]" for name in sensors_of(feature)}
    return call_of(feature, read) if isinstance(feature, Computed) else read[feature]


_test = testing({"feature": _feature, "threshold": number_text})


def _loops(sequence: Steps) -> int:
    """The depth of nested loops, including waits."""
    return max(
        (bool(step.COUNT) + max(map(_loops, step.held), default=0) for step in sequence),
        default=0,
    )


EXPORTING = Exporting(documents, check)
