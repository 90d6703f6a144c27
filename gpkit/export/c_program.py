"""The main function of an exported C file, which tests it and computes rows that it reads."""

import re
from collections.abc import Callable, Mapping
from string import Template
from typing import Any

from gpkit.export.c_notation import literal, quoted
from gpkit.export.c_rows import CRows
from gpkit.export.conformance import CLOSE, VECTORS, Vector, needs_library, prove
from gpkit.export.registry import Subject

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


def own_program(subject: Subject, is_named: Callable[[Any], bool], rows: CRows | None) -> list[str]:
    """The parts of a main function under ``#ifdef``: it tests the file, or computes a section of rows that it reads.

    Args:
        subject: what is exported.
        is_named: whether the values of a part are names, and not numbers.
        rows: the functions of rows of a program for data.
    """
    program = subject.program
    vectors = prove(subject).vectors if subject.carries_tests else ()
    library = "" if rows is None else "#include <stdlib.h>\n"
    parts = [f"#ifdef GPKIT_MAIN\n#include <stdio.h>\n{library}#include <string.h>"]
    if any(tree.draws for tree in program.trees):
        parts.append(_DRAWN)
    kinds = {is_named(tree) for tree in program.trees} if subject.carries_tests else set()
    parts += [_NAMED] * (True in kinds) + [_CLOSE if needs_library(program) else _SAME] * (False in kinds)
    for name, tree in zip(program.names, program.trees, strict=True):
        has_names, count = is_named(tree), len(tree.reads)
        words = {
            "name": name,
            "width": str(max(1, count + tree.draws)),
            "kind": "const char *" if has_names else "double ",
            "mark": "%s" if has_names else "%.17g",
            "holds": "same_name" if has_names else "same",
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
    """The parts by which the program predicts rows that it reads, and rows that it carries."""
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
    """The text with its words, without lines that are left empty."""
    return re.sub(r"\n +(?=\n)", "", template.substitute(words))


def numbers_of(vector: Vector) -> tuple[float, ...]:
    """Arguments of a part in a test; one number at least, as no row of C is empty."""
    return (*vector.values, *vector.random) or (0.0,)
