"""Programs as a Python file that needs nothing but Python, and can be tested through its standard input."""

import builtins
import json
import keyword
import subprocess
import sys
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from string import Template
from tempfile import TemporaryDirectory
from typing import Any, Protocol, runtime_checkable

from gpkit.core.errors import UsageError
from gpkit.core.forms import form
from gpkit.core.version import VERSION
from gpkit.data.table import EMPTY
from gpkit.export import python_operators as operators
from gpkit.export.check import CheckReport, CheckRow
from gpkit.export.conformance import SEMANTICS, conformance_text, differences, make_vectors, prove
from gpkit.export.registry import CONFORMANCE, Document, Subject
from gpkit.export.rows import Cell, RowForm, row_form
from gpkit.export.statements import Body, Target

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
"""Names that no local for a sensor may have."""

_TAKEN = _LOCALS | {*dir(builtins), "row", "found"}
"""Names that no function of a section may have: those by which the file calls anything else."""

_ESCAPED = '"\\'
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

_ROWS = Template('''
def cell_is_empty(cell):
    """Whether a cell says nothing: None, NaN, or a text such as NA."""
    return cell is None or cell != cell or (isinstance(cell, str) and cell.strip() in EMPTY)


def cell_is_word(cell, word):
    """1.0 where a cell is a word, or a number that is written so, else 0.0."""
    if isinstance(cell, (int, float)) and not isinstance(cell, bool):
        try:
            return float(float(word) == cell)
        except ValueError:
            return 0.0
    return float(str(cell).strip() == word)


def cell_number(row, column, fill):
    """The number in a cell, or what stands in a gap."""
    cell = row[column]
    if not cell_is_empty(cell):
        return float(cell)
    if fill is None:
        raise ValueError(f"the column {column} is empty, and the formula has no value for gaps")
    return fill

$days
def features(row):
    """The numbers that the program reads of a row, by name."""
    return $cells
''')

_DAYS = '''
DATE = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?)?")


def days_of(cell):
    """The days since 1970-01-01 of a number of them, an ISO text, a date or a datetime without a zone."""
    text = cell.isoformat() if hasattr(cell, "isoformat") else cell
    if not isinstance(text, str) or not DATE.fullmatch(text.strip()):
        return float(text)
    text = text.strip()
    time = datetime.datetime.fromisoformat(text[:19])
    seconds = (time.hour * 60 + time.minute) * 60 + time.second
    return time.toordinal() - 719163 + (seconds * 10**9 + int(text[20:].ljust(9, "0"))) / 86400000000000


def cell_days(row, column, fill):
    """The days since 1970-01-01 of a cell, or what stands in a gap."""
    cell = row[column]
    if cell_is_empty(cell):
        return cell_number(row, column, fill)
    try:
        return days_of(cell)
    except ValueError:
        needed = "a date such as 2024-05-31, without a zone, or a number of days is needed"
        raise ValueError(f"the column {column} is {cell!r}, where {needed}") from None

'''

_CLASSES = Template('''
def odds_of(row):
    """The logarithms of the odds of classes: of two that of the second, of more each against all others."""
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

    A row is a dict of cells by the names of columns; None, NaN and texts such as NA are empty.
    """
    odds = odds_of(row)
    return CLASSES[odds[0] > 0.0 if len(odds) == 1 else odds.index(max(odds))]
''')

_NUMBERS = Template('''
def predict(row):
    """$summary

    A row is a dict of cells by the names of columns; None, NaN and texts such as NA are empty.
    """
    found = $section(features(row), None)
    return $found
''')

_MAIN = Template('''
def main():
    """For every JSON line of standard input, with section, env and random numbers, prints the formula's value."""
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


@dataclass(frozen=True, slots=True)
class Writer:
    """Notation of a language in Python: each part of a program is a function.

    Attributes:
        noun: what a part is called.
        body: a part and the target to the statements of its function.
        title: the first line of its docstring.
    """

    noun: str
    body: Callable[[Any, Target], Body]
    title: Callable[[Any], str]


@runtime_checkable
class Writing(Protocol):
    """Notation of programs that value candidates, as functions: further part of ``forms.python``."""

    WRITER: Writer


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
    trials = [] if form is None else form.trials(evaluations)
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
    end = _ending(row_form(subject), next(iter(names.values())))
    sections = "SECTIONS = {" + ", ".join(f'"{name}": {called}' for name, called in names.items()) + "}"
    modules = ["json", *(["math"] if any("math." in text for text in (*texts, end)) else []), "sys"]
    modules += ["datetime", "re"] if "cell_days(" in end else []
    imports = "\n".join(f"import {module}" for module in sorted(modules))
    return "\n\n\n".join([f"{_header(subject)}\n\n{imports}", *texts, *functions, sections]) + "\n\n" + end


def function_names(names: Sequence[str], taken: frozenset[str], noun: str) -> dict[str, str]:
    """The names of functions by the names of parts of a program, with ``_`` behind those that are taken.

    Raises:
        UsageError: a part whose name no function can have.
    """
    found: dict[str, str] = {}
    for name in names:
        if not (name.isascii() and name.isidentifier()):
            raise UsageError(f"a Python file cannot have a {noun} named `{name}`")
        called = name
        while called in taken or called in {*names, *found.values()} - {name}:
            called += "_"
        found[name] = called
    return found


def in_docstring(text: str) -> str:
    """A line of text inside a docstring, which nothing in the text can end."""
    plain = "".join(c if c.isprintable() else " " for c in text)
    return plain.replace("\\", "\\\\").replace('"""', r"\"\"\"")


def _ending(form: RowForm | None, section: str) -> str:
    """The end of a file: choice between candidates, or predictions of rows; and the main program.

    Args:
        form: of the rows, if the program is for data.
        section: the function of the first section.
    """
    if form is None:
        return _CHOOSE + "\n" + _MAIN.substitute(row="")
    items = ",\n        ".join(f"{_quoted(cell.name)}: {_read(cell)}" for cell in form.cells)
    lists: dict[str, Any] = {"EMPTY": sorted(EMPTY), "CLASSES": [*form.facts.labels]}
    constants = "\n".join(f"{name} = {value!r}" for name, value in lists.items() if value)
    cells = f"{{\n        {items},\n    }}" if items else "{}"
    days = _DAYS if form.dates else ""
    summary = in_docstring(" ".join(form.summary.replace("\\", "").replace('"', "'").split()))
    if form.leaves or not form.facts.labels:
        named = {leaf: label for leaf, label in form.named.items() if repr(leaf) != repr(label)}
        found = f"{named!r}.get(found, found)" if named else "found"
        predict = _NUMBERS.substitute(summary=summary, section=section, found=found)
    else:
        predict = _CLASSES.substitute(summary=summary)
    rows = _ROWS.substitute(days=days, cells=cells)
    return "\n".join([f"\n{constants}\n", rows, predict, _MAIN.substitute(row=_ROW)])


def _read(cell: Cell) -> str:
    """The expression of the number that a program reads of a row."""
    column = _quoted(cell.column)
    if cell.is_never:
        return "0.0"
    if cell.word is not None:
        return f"cell_is_word(row[{column}], {_quoted(cell.word)})"
    if cell.is_gap:
        return f"float(cell_is_empty(row[{column}]))"
    read = "cell_days" if cell.is_date else "cell_number"
    return f"{read}(row, {column}, {'math.nan' if cell.fill != cell.fill else repr(cell.fill)})"


def _quoted(text: str) -> str:
    """A string literal of ASCII."""
    wide = (json.dumps(c)[1:-1] if ord(c) < 0x10000 else f"\\U{ord(c):08x}" for c in text)
    return f'"{"".join(wide)}"'


def quoted(text: str) -> str:
    """A string literal, in which characters that show stand as they are."""
    return f'"{"".join(c if c.isprintable() and c not in _ESCAPED else _quoted(c)[1:-1] for c in text)}"'


_TARGET = Target(
    declare="",
    load=lambda sensor: f"env[{_quoted(sensor)}] + 0.0",
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
