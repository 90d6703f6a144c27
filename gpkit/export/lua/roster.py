"""The article's Lua file: for every level of play several specimens, each with a function for every decision.

P. Hansson, "Light Introduction to Genetic Programming", 2013, section "Running the tool": the file ``computer.txt``
holds the exported evaluation functions of the levels easy, medium, hard and expert. Its layout was not published; that
of its formulas was, and is kept byte for byte.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from gpkit.core.errors import UsageError
from gpkit.core.forms import form
from gpkit.core.primitives import RANDOM
from gpkit.export.lua.functions import operator_texts, target
from gpkit.export.lua.layout import KEYWORDS, key
from gpkit.export.statements import NESTED_DEPTH, Body, statements
from gpkit.genomes.tree import Tree, TreeProgram, is_constant
from gpkit.langkit.operators import NOTATION

_SAME_IN_LUA = frozenset("+-*")
"""The operators that mean the same in Lua as they are written in the article."""

Level = Sequence[TreeProgram]


@runtime_checkable
class ArticleWriting(Protocol):
    """Formulas, each as the article has it: further function of ``forms.lua``."""

    def article(self, tree: Any) -> str: ...


def roster_text(levels: Mapping[str, Level]) -> str:
    """The file of all levels: a table of levels, of specimens, of functions.

    A formula of ``+ - *`` and at most ``NESTED_DEPTH`` deep is the article's text; others need statements.

    Raises:
        UsageError: a sensor's name cannot be said in Lua.
    """
    written = [
        (level, [[(name, tree, _body(tree)) for name, tree in _sections(program)] for program in specimens])
        for level, specimens in levels.items()
    ]
    bodies = [body for _, specimens in written for specimen in specimens for _, _, body in specimen]
    lines = ["-- luacheck: no max line length"]
    for part in operator_texts(bodies):
        lines += ["", *part.split("\n")]
    lines += ["", "return {"]
    for level, specimens in written:
        lines.append(f"\t{key(level)} = {{")
        for specimen in specimens:
            lines.append("\t\t{")
            for name, tree, body in specimen:
                lines.append(f"\t\t\t{key(name)} = function({', '.join(roots_of(tree))})")
                lines += [f"\t\t\t\t{line}" for line in body.lines]
                lines.append("\t\t\tend,")
            lines.append("\t\t},")
        lines.append("\t},")
    return "\n".join([*lines, "}"]) + "\n"


def is_plain(tree: Tree) -> bool:
    """Whether the article's text of a formula means the same in every Lua, to the last bit.

    A part made of constants alone must not be −0.0, which Lua 5.1 computes while it compiles and then stores as 0.0.
    """
    if tree.depth > NESTED_DEPTH or not {s for s in tree.symbols if s in NOTATION} <= _SAME_IN_LUA:
        return False
    parts: list[
        float | None
    ] = []  # the values of finished operands to the right, nearest last; None if not constant
    for symbol, size in zip(reversed(tree.symbols), reversed(tree.sizes), strict=True):
        if size == 1:
            parts.append(symbol if is_constant(symbol) else None)
            continue
        left, right = parts.pop(), parts.pop()
        value = None if left is None or right is None else NOTATION[symbol].meaning(left, right)
        if value == 0.0 and math.copysign(1.0, value) < 0.0:
            return False
        parts.append(value)
    return True


def _sections(program: TreeProgram) -> list[tuple[str, Tree]]:
    return list(zip(program.names, program.trees, strict=True))


def _body(tree: Tree) -> Body:
    if is_plain(tree):
        writing = form(ArticleWriting, "lua", tree.language, "write {} as the article does")
        return Body((f"return {writing.article(tree)}",), frozenset())
    roots = frozenset(roots_of(tree))
    return statements(tree, target(lambda sensor: f"{sensor} + 0.0", roots, f"{RANDOM}()"))


def roots_of(tree: Tree) -> tuple[str, ...]:
    """The first words of all sensors."""
    names = tuple(dict.fromkeys(name.split(".", 1)[0] for name in tree.reads))
    for name in tree.reads:
        for word in name.split("."):
            if word in KEYWORDS or word == "math":
                raise UsageError(f"the sensor `{name}` cannot be written in Lua: `{word}` is a Lua keyword")
    return names
