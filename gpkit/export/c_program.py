"""The main function of an exported C file, which tests it, and the literals of C."""

import re
from collections.abc import Callable, Mapping
from string import Template
from typing import Any

from gpkit.export.conformance import CLOSE, Vector, needs_library, prove
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

_MAIN = Template("""
/* without arguments it tests this file; with the name of a section it computes that of every row that it reads */
int main(int argc, char **argv)
{
$chosen
    return $tests;
}
#endif
""")


def own_program(subject: Subject, is_named: Callable[[Any], bool]) -> list[str]:
    """The parts of a main function under ``#ifdef``: it tests the file, or computes a section of rows that it reads.

    Args:
        subject: what is exported.
        is_named: whether the values of a part are names, and not numbers.
    """
    program = subject.program
    vectors = prove(subject).vectors if subject.carries_tests else ()
    parts = ["#ifdef GPKIT_MAIN\n#include <stdio.h>\n#include <string.h>"]
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
            words["rows"] = "\n".join(f"    {{{', '.join(map(_literal, numbers_of(v)))}}}," for v in mine)
            words["results"] = "\n".join(
                f"    {quoted(v.result) if isinstance(v.result, str) else _literal(v.result)}," for v in mine
            )
            parts.append(_filled(_TEST, words))
    chosen = [
        f'    if (argc > 1 && strcmp(argv[1], "{name}") == 0) {{\n        return run_{name}();\n    }}'
        for name in program.names
    ]
    tests = f"{' + '.join(f'test_{name}()' for name in program.names)} > 0" if vectors else "0"
    return [*parts, _filled(_MAIN, {"chosen": "\n".join(chosen), "tests": tests})]


def _filled(template: Template, words: Mapping[str, str]) -> str:
    """The text with its words, without lines that are left empty."""
    return re.sub(r"\n +(?=\n)", "", template.substitute(words))


def numbers_of(vector: Vector) -> tuple[float, ...]:
    """Arguments of a part in a test; one number at least, as no row of C is empty."""
    return (*vector.values, *vector.random) or (0.0,)


def _literal(value: float) -> str:
    if value != value:
        return "NAN"
    return repr(value) if value - value == 0.0 else "INFINITY" if value > 0.0 else "-INFINITY"


def quoted(text: str) -> str:
    """A string literal."""
    return ascii_only('"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"')


def ascii_only(line: str) -> str:
    """A line of code, in whose strings other characters are bytes, and nothing is taken for a trigraph."""
    line = line.replace("??", "?\\?")
    return re.sub(r"[^\x20-\x7e]", lambda found: "".join(f"\\{b:03o}" for b in found[0].encode()), line)
