"""Exports programs to Python files that need only the standard library; tests call them through standard input."""

import builtins
import json
import keyword
import re
import sys
import textwrap
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from string import Template
from subprocess import CompletedProcess
from tempfile import TemporaryDirectory
from typing import Any

from gpkit.core.check_report import CheckReport, CheckRow
from gpkit.core.errors import UsageError
from gpkit.data.table import EMPTY, NUMBER
from gpkit.export.conformance import about, conformance_of
from gpkit.export.rows import RowForm, Trials, row_form, run
from gpkit.export.statements import (
    Body,
    Target,
    free_names,
    functions_in,
    name_called,
    operators_of,
    printable,
    writer_of,
)
from gpkit.export.subject import Document, Exporting, Subject
from gpkit.vm import isa

_ESCAPED = '"\\'


def function_names(names: Sequence[str], taken: frozenset[str], noun: str) -> dict[str, str]:
    """The function name for each part of a program, by the part's name; a name that is taken gets a trailing ``_``.

    Raises:
        UsageError: the name of a part cannot be the name of a function.
    """
    for name in names:
        if not (name.isascii() and name.isidentifier()):
            raise UsageError(f"a Python file cannot have a {noun} named `{name}`")
    return free_names(names, taken | {each for each in names if each.startswith("__")})


def in_docstring(text: str) -> str:
    """A line of a docstring, escaped so that nothing in it can end the docstring."""
    return printable(text).replace("\\", "\\\\").replace('"""', r"\"\"\"")


def ascii_quoted(text: str) -> str:
    """A string literal in ASCII."""
    wide = (json.dumps(c)[1:-1] if ord(c) < 0x10000 else f"\\U{ord(c):08x}" for c in text)
    return f'"{"".join(wide)}"'


def quoted(text: str) -> str:
    """A string literal; printable characters stay as they are."""
    return f'"{"".join(c if c.isprintable() and c not in _ESCAPED else ascii_quoted(c)[1:-1] for c in text)}"'


_ROWS = Template('''
NUMBER = re.compile("$number")


def cell_of(row, column):
    """The cell of a row in a column."""
    try:
        return row[column]
    except LookupError:
        raise ValueError(f"the row has no column {column}") from None


def cell_is_empty(cell):
    """Whether a cell is empty: None, NaN, or a text such as NA."""
    return cell is None or cell != cell or (isinstance(cell, str) and cell.strip() in EMPTY)


def cell_is_word(cell, word):
    """1.0 if the cell is this word, or a number equal to it; otherwise 0.0."""
    if isinstance(cell, (int, float)) and not isinstance(cell, bool):
        return float(NUMBER.fullmatch(word) is not None and float(word) == cell)
    return float(str(cell).strip() == word)


def number_of(cell):
    """The number in a cell, which is a finite number or a text of digits."""
    if isinstance(cell, str) and not NUMBER.fullmatch(cell.strip()):
        raise ValueError(cell)
    number = float(cell)
    if number - number != 0.0:
        raise ValueError(cell)
    return number


def cell_number(row, column, fill):
    """The number in a cell, or the value for an empty cell."""
    cell = cell_of(row, column)
    if cell_is_empty(cell):
        if fill is None:
            raise ValueError(f"the column {column} is empty, and the formula has no value for gaps")
        return fill
    try:
        return number_of(cell)
    except (OverflowError, TypeError, ValueError):
        raise ValueError(f"the column {column} is {cell!r}, where a finite number is needed") from None

$days
def features(row):
    """The numbers that the program reads of a row, by name."""
    return $cells
''')

_DAYS = '''
DATE = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?)?")
LAST = 2932896.9999999995  # of the year 9999


def days_of(cell):
    """The days since 1970-01-01 for a number of days, an ISO text, a date or a datetime without a zone."""
    text = cell.isoformat() if hasattr(cell, "isoformat") else cell
    if not isinstance(text, str) or not DATE.fullmatch(text.strip()):
        return number_of(text)
    text = text.strip()
    time = datetime.datetime.fromisoformat(text[:19])
    seconds = (time.hour * 60 + time.minute) * 60 + time.second
    return min(time.toordinal() - 719163 + (seconds * 10**9 + int(text[20:].ljust(9, "0"))) / 86400000000000, LAST)


def cell_days(row, column, fill):
    """The days since 1970-01-01 for a cell, or the value for an empty cell."""
    cell = cell_of(row, column)
    if cell_is_empty(cell):
        return cell_number(row, column, fill)
    try:
        return days_of(cell)
    except (OverflowError, TypeError, ValueError):
        needed = "a date such as 2024-05-31, without a zone, or a number of days is needed"
        raise ValueError(f"the column {column} is {cell!r}, where {needed}") from None

'''

_CLASSES = Template('''
def odds_of(row):
    """The log odds of the classes: of the second of two classes, or of each of several against all others."""
    env = features(row)
    values = [section(env, None) for section in SECTIONS.values()]
    return [min(max(value, -700.0), 700.0) if value == value else 0.0 for value in values]


def probabilities(row):
    """The probability of each class for a row: a list in the order of CLASSES."""
    each = [0.5 * (1.0 + math.tanh(0.5 * odds)) for odds in odds_of(row)]
    if len(each) == 1:
        return [1.0 - each[0], each[0]]
    total = sum(each)
    return [share / total if total else 1.0 / len(each) for share in each]


def predict(row):
    """$summary

    A row is a dict of cells by column name; None, NaN and texts such as NA are empty.
    """
    odds = odds_of(row)
    return CLASSES[odds[0] > 0.0 if len(odds) == 1 else odds.index(max(odds))]
''')

_NUMBERS = Template('''
def predict(row):
    """$summary

    A row is a dict of cells by column name; None, NaN and texts such as NA are empty.
    """
    found = $section(features(row), None)
    return $found
''')


def rows_text(form: RowForm, section: str) -> str:
    """The part of a Python file that predicts rows.

    Args:
        form: the form of the rows.
        section: the name of the first section's function.
    """
    numbers = {
        cell.name: cell.read(
            _READ, ascii_quoted, _fill(cell.fill), f"cell_of(row, {ascii_quoted(cell.column)})"
        )
        for cell in form.cells
    }
    items = ",\n        ".join(f"{ascii_quoted(name)}: {number}" for name, number in numbers.items())
    lists: dict[str, Any] = {"EMPTY": sorted(EMPTY), "CLASSES": [*form.facts.labels]}
    constants = "\n".join(f"{name} = {value!r}" for name, value in lists.items() if value)
    cells = f"{{\n        {items},\n    }}" if items else "{}"
    days = _DAYS if form.dates else ""
    summary = in_docstring(" ".join(form.summary.replace("\\", "").replace('"', "'").split()))
    if form.leaves or not form.facts.labels:
        named = {leaf: label for leaf, label in form.named.items() if repr(leaf) != repr(label)}
        predict = _NUMBERS.substitute(
            summary=summary, section=section, found=f"{named!r}.get(found, found)" if named else "found"
        )
    else:
        predict = _CLASSES.substitute(summary=summary)
    return "\n".join(
        [f"\n{constants}\n", _ROWS.substitute(number=NUMBER.pattern, days=days, cells=cells), predict]
    )


_READ = {
    "word": "cell_is_word({cell}, {word})",
    "gap": "float(cell_is_empty({cell}))",
    "date": "cell_days(row, {column}, {fill})",
    "number": "cell_number(row, {column}, {fill})",
}
"""The expressions for the numbers that a program reads from a row."""


def _fill(number: float | None) -> str:
    """The Python expression for the number that an empty cell stands for."""
    return "math.nan" if number != number else repr(number)


CALLS = {
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
"""The function in ``gpkit.vm.isa`` for every operator without a symbol in Python."""

_LOCALS = frozenset(
    {*CALLS.values(), "SECTIONS", "json", "math", "sys", "main", "choose", "env", "random", "spill"}
    | {"EMPTY", "CLASSES", "cell_is_empty", "cell_is_word", "cell_number", "features", "odds_of", "predict"}
    | {"DATE", "cell_days", "days_of", "datetime", "probabilities", "re"}
    | {*keyword.kwlist}
)
"""Names that a local variable for a sensor must not have."""

WIDTH = 100
"""The maximum width of a line in a docstring."""

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
    """The Python file and the conformance file.

    Raises:
        UsageError: the name of a section is not a valid function name.
    """
    subject = writer_of(subject.program.language).ready(subject, "remove the chance", True)
    return (Document(".py", python_text(subject)), conformance_of(subject))


def check(subject: Subject, mode: str, evaluations: int, games: int) -> CheckReport:
    """Compares the values of every part in a separate Python process, which can import only the standard library."""
    subject = writer_of(subject.program.language).ready(subject, "export it without --check", True)
    tried = Trials(subject, evaluations)
    calls: list[Mapping[str, object]] = [
        {"section": v.section, "env": dict(zip(v.sensors, v.values, strict=True)), "random": v.random}
        for v in tried.vectors
    ]
    calls += [{"row": row} for row, _ in tried.rows]
    count = len(tried.vectors)
    return compared(
        python_text(subject),
        calls,
        (tried.count, 0),
        lambda said: tried.differing(said[:count], said[count:]),
    )


def compared(
    text: str,
    calls: Sequence[Mapping[str, object]],
    counts: tuple[int, int],
    differing: Callable[[list[str]], list[str]],
) -> CheckReport:
    """Run a Python file with these calls on standard input, one per line, and report on its answers.

    Args:
        text: the text of the file.
        calls: the calls for its standard input, as JSON values.
        counts: the number of evaluations and the number of games; there is one call for each of them.
        differing: takes the answers and returns descriptions of the wrong ones.
    """
    done = executed(text, "".join(f"{json.dumps(call)}\n" for call in calls))
    answers = done.stdout.splitlines()
    found = differing(answers)
    if done.returncode or len(answers) != sum(counts):
        found.insert(0, done.stderr.strip()[-500:] or f"{len(answers)} values instead of {sum(counts)}")
    return CheckReport((CheckRow("python", *counts, len(found), found[0] if found else ""),))


_DEFINED = re.compile(r"^(?:def )?(\w+)(?: = |\()", re.MULTILINE)
_PARTS = "\n".join([_DAYS, _CHOOSE, *(each.template for each in (_ROWS, _CLASSES, _MAIN))])

_TAKEN = _LOCALS | {*dir(builtins), "row", "found", *_DEFINED.findall(_PARTS)}
"""Names that a section's function must not have, because the file itself uses them."""


def executed(text: str, calls: str) -> CompletedProcess[str]:
    """Run a Python file with these calls on standard input; the file can import only the standard library."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "program.py"
        path.write_text(text, encoding="utf-8")
        return run([sys.executable, "-I", str(path)], calls)


def python_text(subject: Subject) -> str:
    """The text of the Python file.

    Raises:
        UsageError: the name of a section is not a valid function name.
    """
    writer = writer_of(subject.program.language)
    names = function_names(
        subject.program.names, _TAKEN | {name_called(each) for each in subject.program.functions}, writer.noun
    )
    bodies = [writer.body(tree, _TARGET) for tree in subject.program.trees]
    functions = [
        _function(name, writer.title(tree), tree, body)
        for name, tree, body in zip(names.values(), subject.program.trees, bodies, strict=True)
    ]
    texts = operator_texts(bodies)
    rows = row_form(subject)
    end = _CHOOSE if rows is None else rows_text(rows, next(iter(names.values())))
    end += "\n" + _MAIN.substitute(row="" if rows is None else _ROW)
    sections = "SECTIONS = {" + ", ".join(f'"{name}": {called}' for name, called in names.items()) + "}"
    modules = ["json", *(["math"] if any("math." in text for text in (*texts, end)) else []), "sys"]
    modules += [] if rows is None else ["datetime", "re"] if rows.dates else ["re"]
    imports = "\n".join(f"import {module}" for module in sorted(modules))
    return "\n\n\n".join([f"{_header(subject)}\n\n{imports}", *texts, *functions, sections]) + "\n\n" + end


def _function(name: str, title: str, tree: Any, body: Body) -> str:
    """The text of a part's function."""
    draws = f" and draws {tree.draws} from random." if tree.draws else "."
    reads = textwrap.wrap(f"It reads {', '.join(tree.reads) or 'nothing'}{draws}", WIDTH)
    lines = [f'"""{in_docstring(title)}', "", *map(in_docstring, reads), '"""', *body.lines]
    return "\n".join([f"def {name}(env, random):", *(f"    {line}" if line else "" for line in lines)])


_TARGET = Target(
    name="python",
    declare="",
    load=lambda sensor: f"env[{ascii_quoted(sensor)}] + 0.0",
    calls=CALLS,
    function=lambda name, parameters, lines: "\n    ".join([f"def {name}({', '.join(parameters)}):", *lines]),
    reserved=_LOCALS,
    quoted=quoted,
    first="if {}:",
    other="elif {}:",
    last="else:",
)


def operator_texts(bodies: Sequence[Body]) -> list[str]:
    """The functions that bodies call: those for operators, then the program's own."""
    return operators_of(bodies, _TARGET, _operators())


@cache
def _operators() -> Mapping[str, str]:
    """The functions for operators by name, without type annotations."""
    text = Path(isa.__file__).read_text(encoding="utf-8")
    return functions_in(text.replace(": float", "").replace(" -> float", ""), "\n\n\n")


def _header(subject: Subject) -> str:
    """The comment lines at the top of the file."""
    lines = [
        next(about(subject)),
        *(f"{name}: {' '.join(value.split())}" for name, value in subject.header.items()),
    ]
    return "\n".join(printable(f"# {line}") for line in lines)


EXPORTING = Exporting(documents, check)
