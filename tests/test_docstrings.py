"""Docstrings of the package, of its constants, too, begin with what a thing is or does, not with a question."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import gpkit

PACKAGE = Path(gpkit.__file__).parent
QUESTION = re.compile(r"(What|Who|Whose|Whom|How|Where|When|Which|Why|That|In (how|what|which))\b")
OWNERS = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def docstrings(tree: ast.Module) -> Iterator[ast.Constant]:
    """The first string of every module, class and function, and every string that follows upon an assignment."""
    for node in ast.walk(tree):
        if not isinstance(node, OWNERS):
            continue
        for before, each in zip([None, *node.body], node.body, strict=False):
            documents = before is None or isinstance(before, ast.Assign | ast.AnnAssign)
            if documents and isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant):
                yield each.value


def questions(source: str) -> list[str]:
    """The first lines of docstrings that begin with a question word; only sources with a candidate are parsed."""
    if not re.search('"""' + QUESTION.pattern, source):
        return []
    texts = [str(each.value).strip() for each in docstrings(ast.parse(source))]
    return [text.splitlines()[0] for text in texts if QUESTION.match(text)]


def test_docstrings_begin_with_what_a_thing_is() -> None:
    found = {
        str(path.relative_to(PACKAGE)): asked
        for path in sorted(PACKAGE.rglob("*.py"))
        if (asked := questions(path.read_text(encoding="utf-8")))
    }
    assert found == {}


def test_question_is_found_wherever_a_docstring_stands() -> None:
    source = '''
"""What a module is."""

SIZE = 3
"""How large."""


class Box:
    """Whatever a class is."""

    side: int = 0
    """Which side."""

    async def open(self) -> None:
        """Who opens."""
'''
    assert questions(source) == ["What a module is.", "How large.", "Which side.", "Who opens."]
