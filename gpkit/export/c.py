"""Programs as a C99 file that needs nothing but the standard library, and tests itself as a program of its own."""

import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from gpkit.core.check_report import CheckReport, CheckRow
from gpkit.core.errors import UsageError
from gpkit.core.registry import form
from gpkit.core.version import VERSION
from gpkit.export.c_notation import (
    OPERATORS,
    RESERVED,
    ascii_only,
    check_function,
    comment,
    function_names,
    quoted,
    reserved_among,
)
from gpkit.export.c_program import numbers_of, own_program
from gpkit.export.c_rows import CRows
from gpkit.export.conformance import (
    SEMANTICS,
    conformance_text,
    differences,
    largest_difference,
    make_vectors,
    needs_library,
    prove,
)
from gpkit.export.registry import CONFORMANCE, HEADER, WRITTEN, Document, Subject
from gpkit.export.rows import row_form
from gpkit.export.statements import Target, Writer, Writing

FLAGS = ("-std=c99", "-O2", "-ffp-contract=off")
"""Options of compilers with which the check compiles; the last one keeps a product and a sum two operations."""

_SECONDS = 300

_OPENING = """
#include <float.h>
#include <math.h>

#ifdef __FAST_MATH__
#error "without -ffast-math: it changes what the formulas compute"
#endif
#if FLT_EVAL_METHOD != 0
#error "doubles have to be computed as doubles: -msse2 -mfpmath=sse"
#endif
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif
""".strip("\n")


def documents(subject: Subject, mode: str) -> tuple[Document, ...]:
    """The C file, of programs for data its header, and the file of conformance.

    Raises:
        UsageError: a section whose name no function can have.
    """
    _, rows = _named_for_c(subject)
    header = "" if rows is None else f"{_header(subject)}\n{rows.declarations}\n"
    return (
        Document(".c", c_text(subject)),
        *([Document(HEADER, header)] if header else []),
        Document(CONFORMANCE, conformance_text(subject, prove(subject))),
    )


def check(subject: Subject, mode: str, evaluations: int, games: int) -> CheckReport:
    """Values of every part, by a program that the compiler of this machine makes of the file.

    Raises:
        UsageError: there is no compiler.
    """
    compiler = _compiler()
    subject, rows = _named_for_c(subject)
    trials = [] if rows is None else rows.form.checked(evaluations)
    vectors = make_vectors(subject, evaluations, "check")
    found: list[str] = []
    values: list[str] = []
    with TemporaryDirectory() as folder:
        program = Path(folder) / "program"
        program.with_suffix(".c").write_text(c_text(subject), encoding="utf-8")
        made = _run([compiler, *FLAGS, "-DGPKIT_MAIN", f"{program}.c", "-o", str(program), "-lm"])
        if made.returncode:
            found.append(f"{compiler}: {made.stderr.strip()[-500:]}")
        else:
            tested = _run([str(program)])
            found += [f"its own test: {tested.stdout.strip()[:500]}"] if tested.returncode else []
            for section in subject.program.names:
                lines = [" ".join(map(repr, numbers_of(v))) for v in vectors if v.section == section]
                values += _run(
                    [str(program), section], "".join(f"{line}\n" for line in lines)
                ).stdout.splitlines()
            found += differences(vectors, values, needs_library(subject.program))
            if rows is not None:
                lines = [rows.line(row) for row, _ in trials]
                answers = _run([str(program), "predict"], "".join(lines)).stdout.splitlines()
                found += rows.form.differing(trials, [*map(rows.answer, answers)])
            if len(values) != len(vectors):
                found.append(f"{len(values)} values instead of {len(vectors)}")
    largest = largest_difference(vectors, values)
    first, count = found[0] if found else "", len(vectors) + len(trials)
    row = CheckRow(_version(compiler), count, 0, len(found), first, largest)
    return CheckReport((row,), (f"compiled with {' '.join(FLAGS)}",))


def _compiler() -> str:
    """The C compiler of this machine.

    Raises:
        UsageError: there is none.
    """
    for name in (os.environ.get("CC", ""), "cc", "gcc", "clang"):
        found = shutil.which(name) if name else None
        if found is not None:
            return found
    raise UsageError("checking C needs a compiler: cc, gcc or clang on the path, or in CC")


def _version(compiler: str) -> str:
    """The name of a compiler with its version."""
    said = _run([compiler, "-dumpversion"]).stdout.strip()
    return f"{Path(compiler).name} {said}".strip()


def _run(command: Sequence[str], text: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603 - a compiler of the person who asks for it, and what it made
        command, input=text, capture_output=True, text=True, timeout=_SECONDS, check=False
    )


def c_text(subject: Subject) -> str:
    """The file.

    Raises:
        UsageError: a section whose name no function can have.
    """
    subject, rows = _named_for_c(subject)
    program, writer = subject.program, _writer(subject)
    functions: list[str] = []
    used: set[str] = set()
    for name, tree in zip(program.names, program.trees, strict=True):
        reserved = RESERVED if rows is None else reserved_among(tree.reads)
        text, operators = _function(name, tree, writer, reserved)
        functions.append(text)
        used |= operators
    helpers = [text for operator, text in _operator_texts().items() if operator in used]
    opening = [_OPENING]
    if rows is not None:
        opening = [
            _OPENING.replace("#include <math.h>", "#include <math.h>\n#include <string.h>"),
            rows.declarations,
        ]
        functions += rows.functions
    main = own_program(subject, writer.is_named, rows)
    parts = [_header(subject, _COMPILED), *opening, *helpers, *functions, *main]
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


@cache
def _operator_texts() -> dict[str, str]:
    """The hand-written function of every operator."""
    text = (Path(__file__).parent / "c_operators.c").read_text(encoding="utf-8")
    parts = {part.split("double ", 1)[1].split("(", 1)[0]: part.strip() for part in text.split("\n\n")}
    return {operator: parts[name] for operator, name in OPERATORS.items()}


def _writer(subject: Subject) -> Writer:
    """The notation of the program."""
    return form(Writing, "c", subject.program.language, "write {} as functions").WRITER


def _named_for_c(subject: Subject) -> tuple[Subject, CRows | None]:
    """The subject with sections named as functions, and for data the functions of rows.

    Raises:
        UsageError: a section whose name no function can have; or C cannot say what a program for data reads or gives.
    """
    program = subject.program
    if row_form(subject) is None:
        for name in program.names:
            check_function(name, _writer(subject).noun)
        return subject, None
    subject = replace(subject, program=replace(program, names=function_names(program.names)))
    rows = row_form(subject)
    return subject, None if rows is None else CRows(rows)


def _function(name: str, tree: Any, writer: Writer, reserved: frozenset[str]) -> tuple[str, frozenset[str]]:
    """The function of a part with the names of what it reads, and the operators that it calls."""
    places = {sensor: place for place, sensor in enumerate(tree.reads)}
    target = Target(
        declare="double ",
        load=lambda sensor: f"in[{places[sensor]}] + 0.0",
        calls=OPERATORS,
        reserved=reserved,
        table="",
        random="draw()",
        locals=1_000_000,
    )
    body = writer.body(tree, target)
    lines = [line if line.endswith(("{", "}")) else f"{line};" for line in body.lines]
    if not places:
        lines.insert(0, "(void)in;")
    kind = "const char *" if writer.is_named(tree) else "double "
    draw = ", double (*draw)(void)" if tree.draws else ""
    names = "".join(f"{quoted(sensor)}, " for sensor in tree.reads)
    return (
        "\n".join(
            [
                *comment(f"{writer.title(tree)} It reads the numbers of {name}_inputs, in this order."),
                f"const char *const {name}_inputs[] = {{{names}0}};",
                "",
                f"{kind}{name}(const double in[]{draw})",
                "{",
                *(f"    {ascii_only(line)}" for line in lines),
                "}",
            ]
        ),
        body.operators,
    )


_COMPILED = (
    f"Compile it with {' '.join(FLAGS)}; -lm links the library. "
    "With -DGPKIT_MAIN it is a program that tests itself."
)


def _header(subject: Subject, *more: str) -> str:
    """The comment at the top of a file, with more sentences at its end."""
    texts = [
        f"{subject.name}: {WRITTEN} {VERSION}; the meaning is that of {SEMANTICS}.",
        *(f"{name}: {value}" for name, value in subject.header.items()),
        *more,
    ]
    return "\n".join(line for text in texts for line in comment(text))
