"""Programs as a Python file that needs nothing but Python, and can be tested through its standard input."""

import builtins
import json
import keyword
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from string import Template
from tempfile import TemporaryDirectory

from gpkit.core.check_report import CheckReport, CheckRow
from gpkit.core.registry import form
from gpkit.core.version import VERSION
from gpkit.export import python_operators as operators
from gpkit.export.conformance import SEMANTICS, conformance_text, differences, make_vectors, prove
from gpkit.export.python_notation import ascii_quoted, function_names, in_docstring
from gpkit.export.python_rows import rows_text
from gpkit.export.registry import CONFORMANCE, Document, Subject
from gpkit.export.rows import row_form
from gpkit.export.statements import Target, Writing

_CALLS = {
    "/": "div",
    "min": "minimum",
    "max": "maximum",
    "abs": "absolute",
    "sqrt": "square_root",
    "floor": "floor",
    "ifle": "if_at_most",
    "log": "logarithm",
    "exp": "exponential",
    "sin": "sine",
    "cos": "cosine",
    "tanh": "hyperbolic_tangent",
    "pow": "power",
    "square": "second_power",
}

_LOCALS = frozenset(
    {*_CALLS.values(), "SECTIONS", "json", "math", "sys", "main", "choose", "env", "random", "spill"}
    | {"EMPTY", "CLASSES", "cell_is_empty", "cell_is_word", "cell_number", "features", "odds_of", "predict"}
    | {"DATE", "cell_days", "days_of", "datetime", "probabilities", "re"}
    | {*keyword.kwlist}
)
"""Names that a local variable for a sensor may not have."""

_TAKEN = _LOCALS | {*dir(builtins), "row", "found", "NUMBER", "number_of", "LAST"}
"""Names that the function of a section may not have, because the file uses them itself."""

_SECONDS = 600

WIDTH = 100
"""Characters of a line of a docstring at most."""

_CHOOSE = '''
def choose(section, candidates, random):
    """The index of the best candidate by its sensors; the first of equals, and NaN is the worst."""
    values = [SECTIONS[section](env, random) for env in candidates]
    numbers = [k for k, value in enumerate(values) if value == value]
    return max(numbers, key=lambda k: (values[k], -k)) if numbers else 0
'''

_MAIN = Template('''
def main():
    """Print the formula's value for every JSON line on standard input, which has section, env and random numbers."""
    for line in sys.stdin:
        call = json.loads(line)
$row        value = SECTIONS[call["section"]](call["env"], iter(call["random"]).__next__)
        print(value if isinstance(value, str) else repr(value))


if __name__ == "__main__":
    main()
''')

_ROW = """        if "row" in call:
            print(json.dumps(predict(call["row"])))
            continue
"""


def documents(subject: Subject, mode: str) -> tuple[Document, ...]:
    """The Python file, and the file of conformance.

    Raises:
        UsageError: a section whose name no function can have.
    """
    conformance = Document(CONFORMANCE, conformance_text(subject, prove(subject)))
    return (Document(".py", python_text(subject)), conformance)


def check(subject: Subject, mode: str, evaluations: int, games: int) -> CheckReport:
    """Values of every part, in a Python of its own that can import nothing but the standard library."""
    vectors = make_vectors(subject, evaluations, "check")
    calls = "".join(
        json.dumps(
            {"section": v.section, "env": dict(zip(v.sensors, v.values, strict=True)), "random": v.random}
        )
        + "\n"
        for v in vectors
    )
    form = row_form(subject)
    trials = [] if form is None else form.checked(evaluations)
    calls += "".join(json.dumps({"row": row}) + "\n" for row, _ in trials)

    def differ(values: list[str]) -> list[str]:
        own = [] if form is None else form.differing(trials, values[len(vectors) :])
        return [*differences(vectors, values), *own]

    return compared(python_text(subject), calls, (len(vectors) + len(trials), 0), differ)


def compared(
    text: str, calls: str, counts: tuple[int, int], differ: Callable[[list[str]], list[str]]
) -> CheckReport:
    """Report on a Python file whose standard input are calls, a line each, and whose answers are lines.

    Args:
        text: of the file.
        calls: its standard input.
        counts: of evaluations and whole games, for which there is one call each.
        differ: the answers to the differences in words.
    """
    done = executed(text, calls)
    answers = done.stdout.splitlines()
    found = differ(answers)
    if done.returncode or len(answers) != sum(counts):
        found.append(done.stderr.strip()[-500:] or f"{len(answers)} values instead of {sum(counts)}")
    return CheckReport((CheckRow("python", *counts, len(found), found[0] if found else ""),))


def executed(text: str, calls: str) -> subprocess.CompletedProcess[str]:
    """The run of a Python file on a standard input, alone: it can import nothing but the standard library."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "program.py"
        path.write_text(text, encoding="utf-8")
        return subprocess.run(  # noqa: S603 - this interpreter, on a file just written
            [sys.executable, "-I", str(path)],
            input=calls,
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=False,
        )


def python_text(subject: Subject) -> str:
    """The file.

    Raises:
        UsageError: a section whose name no function can have.
    """
    writer = form(Writing, "python", subject.program.language, "write {} as functions").WRITER
    names = function_names(subject.program.names, _TAKEN, writer.noun)
    functions: list[str] = []
    used: set[str] = set()
    for name, tree in zip(names.values(), subject.program.trees, strict=True):
        body = writer.body(tree, _TARGET)
        used |= body.operators
        reads = f"It reads {', '.join(tree.reads) or 'nothing'}"
        reads += f" and draws {tree.draws} from random." if tree.draws else "."
        said = [f'"""{in_docstring(writer.title(tree))}', ""]
        said += [*map(in_docstring, textwrap.wrap(reads, WIDTH)), '"""']
        indented = (f"    {line}" if line else "" for line in (*said, *body.lines))
        functions.append("\n".join([f"def {name}(env, random):", *indented]))
    texts = [text for operator, text in _operator_texts().items() if operator in used]
    rows = row_form(subject)
    end = _CHOOSE if rows is None else rows_text(rows, next(iter(names.values())))
    end += "\n" + _MAIN.substitute(row="" if rows is None else _ROW)
    sections = "SECTIONS = {" + ", ".join(f'"{name}": {called}' for name, called in names.items()) + "}"
    modules = ["json", *(["math"] if any("math." in text for text in (*texts, end)) else []), "sys"]
    modules += [] if rows is None else ["datetime", "re"] if rows.dates else ["re"]
    imports = "\n".join(f"import {module}" for module in sorted(modules))
    return "\n\n\n".join([f"{_header(subject)}\n\n{imports}", *texts, *functions, sections]) + "\n\n" + end


_TARGET = Target(
    declare="",
    load=lambda sensor: f"env[{ascii_quoted(sensor)}] + 0.0",
    calls=_CALLS,
    reserved=_LOCALS,
    table="spill = {}",
)


def _operator_texts() -> dict[str, str]:
    """The function of every operator, without type annotations, which a formula's file does not need."""
    text = Path(operators.__file__).read_text(encoding="utf-8")
    plain = text.replace(": float", "").replace(" -> float", "")
    parts = {part.split("(", 1)[0]: f"def {part.strip()}" for part in plain.split("\ndef ")[1:]}
    return {operator: parts[name] for operator, name in _CALLS.items()}


def _header(subject: Subject) -> str:
    """The comment lines of the file."""
    lines = [f"# {subject.name}: written by gpkit {VERSION}; the meaning is that of {SEMANTICS}."]
    lines += [f"# {name}: {' '.join(value.split())}" for name, value in subject.header.items()]
    return "\n".join("".join(c if c.isprintable() else " " for c in line) for line in lines)
