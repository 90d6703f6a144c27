"""Exports programs to C99 files, which need only the standard library and can test themselves."""

import os
import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from string import Template
from tempfile import TemporaryDirectory
from typing import Any

from gpkit.core.check_report import CheckReport, CheckRow
from gpkit.core.errors import UsageError
from gpkit.export.c_notation import (
    OPERATORS,
    RESERVED,
    ascii_only,
    check_function,
    comment,
    function_names,
    literal,
    quoted,
    reserved_among,
)
from gpkit.export.c_rows import CRows
from gpkit.export.conformance import (
    CLOSE,
    VECTORS,
    Vector,
    about,
    conformance_of,
    largest_difference,
    needs_library,
    prove,
)
from gpkit.export.rows import Trials, row_form, run
from gpkit.export.statements import (
    Body,
    Target,
    functions_in,
    has_names,
    name_called,
    operators_of,
    writer_of,
)
from gpkit.export.subject import HEADER, Document, Exporting, Subject

_RUN = Template("""
static int run_$name(void)
{
    double row[$width];
    int k;
    for (;;) {
        for (k = 0; k < $width; k++) {
            if (scanf("%lf", row + k) != 1) {
                return 0;
            }
        }
        $point
        printf("$mark\\n", $call);
    }
}
""")

_TEST = Template("""
static const double ${name}_rows[][$width] = {
$rows
};
static ${kind}const ${name}_results[] = {
$results
};

static int test_$name(void)
{
    int failures = 0;
    int k;
    for (k = 0; k < $count; k++) {
        const double *row = ${name}_rows[k];
        ${kind}wanted = ${name}_results[k];
        ${kind}found;
        $point
        found = $call;
        if (!$holds(found, wanted)) {
            failures++;
            printf("$name, row %d: $mark instead of $mark\\n", k + 1, found, wanted);
        }
    }
    return failures;
}
""")

_SAME = """
static int same(double a, double b)
{
    return (a != a && b != b) || (a == b && !signbit(a) == !signbit(b));
}
"""

_CLOSE = f"""
static int same(double a, double b)
{{
    return a == b || (a != a && b != b) || fabs(a - b) < {CLOSE!r} * fabs(b);
}}
"""

_NAMED = """
static int same_name(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}
"""

_DRAWN = """
static const double *next_number;

static double drawn(void)
{
    return *next_number++;
}
"""

_CELLS = r"""
static char line[1 << 16];

/* the next cell of a line: tabs part them, and \t, \n, \r and \\ stand for characters of texts */
static char *next_cell(char **rest)
{
    char *cell = *rest, *from = cell, *to = cell;
    if (cell == NULL) {
        fprintf(stderr, "a row has too few cells\n");
        exit(2);
    }
    for (; *from != '\0' && *from != '\t' && *from != '\n'; from++) {
        if (*from == '\\' && from[1] != '\0') {
            from++;
            *to++ = *from == 't' ? '\t' : *from == 'n' ? '\n' : *from == 'r' ? '\r' : *from;
        } else {
            *to++ = *from;
        }
    }
    *rest = *from == '\t' ? from + 1 : NULL;
    *to = '\0';
    return cell;
}
"""

_NUMBERS = """
static double number_in(const char *cell)
{
    char *end;
    double number = strtod(cell, &end);
    if (end == cell) {
        number = NAN;
    }
    if (cell[strspn(cell, "+-.0123456789eE \\r")] != '\\0' || end[strspn(end, " \\r")] != '\\0' ||
        (end != cell && number - number != 0.0)) {
        fprintf(stderr, "not a number: %s\\n", cell);
        exit(2);
    }
    return number;
}
"""

_PREDICT = Template("""
/* predictions of rows with a line each, whose cells are in the order of struct row */
static int run_predict(void)
{
    struct row row = {0};
    while (fgets(line, sizeof line, stdin) != NULL) {
        char *rest = line;
        if (strchr(line, '\\n') == NULL && !feof(stdin)) {
            fprintf(stderr, "a row is too long\\n");
            return 2;
        }
$readers
        if (rest != NULL) {
            fprintf(stderr, "a row has too many cells\\n");
            return 2;
        }
        printf("$mark\\n", predict(&row));
    }
    return 0;
}
""")

_TEST_ROWS = Template("""
static const struct row rows[] = {
$rows
};
static const $kind predictions[] = {$results};

static int test_predict(void)
{
    int failures = 0;
    int k;
    for (k = 0; k < $count; k++) {
        $kind found = predict(rows + k);
        if ($differ) {
            failures++;
            printf("predict, row %d: $mark instead of $mark\\n", k + 1, found, predictions[k]);
        }
    }
    return failures;
}
""")

_MAIN = Template("""
/* $use */
int main(int argc, char **argv)
{
$chosen
    return $tests;
}
#endif
""")


_USE = "without arguments it tests this file; with the name of a section it computes that of every row that it reads"


def own_program(subject: Subject, rows: CRows | None) -> list[str]:
    """The parts inside ``#ifdef GPKIT_MAIN``: a main program that tests the file or computes a section for each row.

    Args:
        subject: the program to export.
        rows: the row functions, for a program that predicts rows.
    """
    program = subject.program
    vectors = prove(subject).vectors if subject.carries_tests else ()
    library = "" if rows is None else "#include <stdlib.h>\n"
    parts = [f"#ifdef GPKIT_MAIN\n#include <stdio.h>\n{library}#include <string.h>"]
    if any(tree.draws for tree in program.trees):
        parts.append(_DRAWN)
    kinds = {has_names(tree) for tree in program.trees} if subject.carries_tests else set()
    parts += [_NAMED] * (True in kinds) + [_CLOSE if needs_library(program) else _SAME] * (False in kinds)
    for name, tree in program.parts.items():
        is_named, count = has_names(tree), len(tree.reads)
        words = {
            "name": name,
            "width": str(max(1, count + tree.draws)),
            "kind": "const char *" if is_named else "double ",
            "mark": "%s" if is_named else "%.17g",
            "holds": "same_name" if is_named else "same",
            "point": f"next_number = row + {count};" if tree.draws else "",
            "call": f"{name}(row{', drawn' if tree.draws else ''})",
        }
        parts.append(_filled(_RUN, words))
        mine = [vector for vector in vectors if vector.section == name]
        if mine:
            words["count"] = str(len(mine))
            words["rows"] = "\n".join(f"    {{{', '.join(map(literal, numbers_of(v)))}}}," for v in mine)
            words["results"] = "\n".join(
                f"    {quoted(v.result) if isinstance(v.result, str) else literal(v.result)}," for v in mine
            )
            parts.append(_filled(_TEST, words))
    called = program.names
    if rows is not None:
        called = (*called, "predict")
        parts += _row_parts(rows, subject.carries_tests)
    chosen = [
        f'    if (argc > 1 && strcmp(argv[1], "{name}") == 0) {{\n        return run_{name}();\n    }}'
        for name in called
    ]
    tests = f"{' + '.join(f'test_{name}()' for name in called)} > 0" if vectors else "0"
    use = _USE if rows is None else f"{_USE},\n   and with predict the prediction"
    return [*parts, _filled(_MAIN, {"chosen": "\n".join(chosen), "tests": tests, "use": use})]


def _row_parts(rows: CRows, carries_tests: bool) -> list[str]:
    """The parts that compute a prediction for each input row, and the rows that the file contains for its tests."""
    form, kind = rows.form, rows.result
    words = {"kind": kind, "mark": "%d" if kind == "int" else "%.17g"}
    readers = [f"        {line}" for line in rows.readers] or ["        rest = NULL;"]
    parts = [_CELLS] if rows.members else ["static char line[1 << 16];"]
    parts += [_NUMBERS] * (len(form.texts) < len(rows.members))
    parts.append(_filled(_PREDICT, {**words, "readers": "\n".join(readers)}))
    if carries_tests:
        trials = form.trials(VECTORS)
        words["count"] = str(len(trials))
        words["rows"] = "\n".join(f"    {rows.initializer(row)}," for row, _ in trials)
        words["results"] = ", ".join(
            str(form.outcomes.index(label)) if form.outcomes else literal(float(label)) for _, label in trials
        )
        words["differ"] = "found != predictions[k]" if kind == "int" else "!same(found, predictions[k])"
        parts.append(_filled(_TEST_ROWS, words))
    return parts


def _filled(template: Template, words: Mapping[str, str]) -> str:
    """A filled-in template, without the lines that a placeholder left blank."""
    return re.sub(r"\n +(?=\n)", "", template.substitute(words))


def numbers_of(vector: Vector) -> tuple[float, ...]:
    """The arguments of a part in a test; a part without arguments gets a single 0.0, because C has no empty arrays."""
    return (*vector.values, *vector.random) or (0.0,)


FLAGS = ("-std=c99", "-O2", "-ffp-contract=off")
"""The compiler options for the check; the last one stops the compiler from fusing a multiplication and an addition."""

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
    """The C file, the header file for programs that predict rows, and the conformance file.

    Raises:
        UsageError: the name of a section is not a valid function name.
    """
    subject = _ready(subject)
    _, rows = _named_for_c(subject)
    header = "" if rows is None else f"{_header(subject)}\n{rows.declarations}\n"
    return (
        Document(".c", c_text(subject)),
        *([Document(HEADER, header)] if header else []),
        conformance_of(subject),
    )


def check(subject: Subject, mode: str, evaluations: int, games: int) -> CheckReport:
    """Compiles the file with this machine's C compiler, runs it, and compares the values of every part.

    Raises:
        UsageError: there is no compiler, or ``documents`` raises this error.
    """
    subject, rows = _named_for_c(_ready(subject))
    compiler = _compiler()
    tried = Trials(subject, evaluations)
    values, answers = list[str](), list[str]()
    with TemporaryDirectory() as folder:
        program = f"{folder}/program"
        Path(f"{program}.c").write_text(c_text(subject), encoding="utf-8")
        made = run([compiler, *FLAGS, "-DGPKIT_MAIN", f"{program}.c", "-o", program, "-lm"])
        found = [f"{compiler}: {made.stderr.strip()[-500:]}"] if made.returncode else []
        if not found:
            tested = run([program])
            found += [f"its own test: {tested.stdout.strip()[:500]}"] if tested.returncode else []
            for section in subject.program.names:
                mine = (vector for vector in tried.vectors if vector.section == section)
                lines = "".join(f"{' '.join(map(repr, numbers_of(vector)))}\n" for vector in mine)
                values += run([program, section], lines).stdout.splitlines()
            if rows is not None:
                said = run([program, "predict"], "".join(rows.line(row) for row, _ in tried.rows))
                answers = [*map(rows.answer, said.stdout.splitlines())]
            found += tried.differing(values, answers, needs_library(subject.program))
    version = f"{Path(compiler).name} {run([compiler, '-dumpversion']).stdout.strip()}".strip()
    largest = largest_difference(tried.vectors, values)
    row = CheckRow(version, tried.count, 0, len(found), found[0] if found else "", largest)
    return CheckReport((row,), (f"compiled with {' '.join(FLAGS)}",))


def _compiler() -> str:
    """The path of this machine's C compiler.

    Raises:
        UsageError: this machine has no C compiler.
    """
    names = filter(None, (os.environ.get("CC"), "cc", "gcc", "clang"))
    found = next(filter(None, map(shutil.which, names)), None)
    if found is None:
        raise UsageError("checking C needs a compiler: cc, gcc or clang on the path, or in CC")
    return found


def c_text(subject: Subject) -> str:
    """The text of the C file.

    Raises:
        UsageError: the name of a section is not a valid function name.
    """
    subject, rows = _named_for_c(subject)
    program = subject.program
    made = [
        _function(name, tree, RESERVED if rows is None else reserved_among(tree.reads))
        for name, tree in program.parts.items()
    ]
    functions = [text for text, _ in made]
    opening = [_OPENING]
    if rows is not None:
        opening = [
            _OPENING.replace("#include <math.h>", "#include <math.h>\n#include <string.h>"),
            rows.declarations,
        ]
        functions += rows.functions
    helpers = operators_of((body for _, body in made), _TARGET, _operators())
    parts = [_header(subject, _COMPILED), *opening, *helpers, *functions, *own_program(subject, rows)]
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def _ready(subject: Subject) -> Subject:
    """The subject in a form that C functions can express.

    Raises:
        UsageError: some leaves of a part are names and others are numbers, or the program cannot be written as
            functions.
    """
    subject = writer_of(subject.program.language).ready(subject, "remove the chance", True)
    for name, tree in subject.program.parts.items():
        if len(set(map(type, getattr(tree, "leaves", ())))) > 1:
            raise UsageError(
                f"some leaves of `{name}` are names and some are numbers; a C function can return only one kind"
            )
    return subject


def _named_for_c(subject: Subject) -> tuple[Subject, CRows | None]:
    """The subject with a function name for each section, and the row functions (None if the program predicts no rows).

    Raises:
        UsageError: the name of a section is not a valid function name, or C cannot express the inputs or outputs of a
            program for data.
    """
    program = subject.program
    if row_form(subject) is None:
        called = {name_called(each): each for each in program.functions}
        for name in program.names:
            check_function(name, writer_of(program.language).noun)
            if name in called:
                raise UsageError(
                    f"the C function for `{called[name]}` would also be named `{name}`: rename one of them"
                )
        return subject, None
    subject = replace(subject, program=replace(program, names=function_names(program.names)))
    rows = row_form(subject)
    return subject, None if rows is None else CRows(rows)


def _function(name: str, tree: Any, reserved: frozenset[str]) -> tuple[str, Body]:
    """The C code for a part (a list of its input names, and its function), and the body of the function on its own."""
    places = {sensor: place for place, sensor in enumerate(tree.reads)}
    target = replace(_TARGET, load=lambda sensor: f"in[{places[sensor]}] + 0.0", reserved=reserved)
    writer = writer_of(tree.language)
    body = writer.body(tree, target)
    lines = [line if line.endswith(("{", "}")) else f"{line};" for line in body.lines]
    if not places:
        lines.insert(0, "(void)in;")
    kind = "const char *" if has_names(tree) else "double "
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
        body,
    )


def _called_function(name: str, parameters: Sequence[str], lines: Sequence[str]) -> str:
    """The text of a function that formulas call; it casts unused parameters to void."""
    unread = [f"(void){each}" for each in parameters if each not in re.findall(r"\w+", " ".join(lines))]
    head = f"static double {name}({', '.join(f'double {each}' for each in parameters)})"
    return "\n".join([head, "{", *(f"    {line};" for line in (*unread, *lines)), "}"])


_TARGET = Target(
    name="c",
    declare="double ",
    load=str,
    calls=OPERATORS,
    function=_called_function,
    reserved=RESERVED,
    quoted=quoted,
    first="if ({}) {{",
    other="}} else if ({}) {{",
    last="} else {",
    end="}",
    negated="!({})",
    random="draw()",
    locals=1_000_000,
)


@cache
def _operators() -> Mapping[str, str]:
    """The hand-written functions for operators, by name."""
    return functions_in((Path(__file__).parent / "c_operators.c").read_text(encoding="utf-8"))


_COMPILED = (
    f"Compile it with {' '.join(FLAGS)}; -lm links the library. "
    "With -DGPKIT_MAIN it is a program that tests itself."
)


def _header(subject: Subject, *more: str) -> str:
    """The comment at the top of a file, which ends with the given sentences."""
    return "\n".join(line for text in (*about(subject), *more) for line in comment(text))


EXPORTING = Exporting(documents, check)
