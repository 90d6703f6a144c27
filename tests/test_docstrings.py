"""Docstrings of the package, of its constants, too, begin with what a thing is or does, not with a question."""

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

import gpkit

PACKAGE = Path(gpkit.__file__).parent
SOURCES = (PACKAGE, PACKAGE.parent / "experiments" / "gpkit_experiments")
QUESTION = re.compile(r"(What|Who|Whose|Whom|How|Where|When|Which|Why|That|In (how|what|which))\b")
ALIAS = re.compile(r"^(\w+) = NDArray\[[^\]]*\]$", re.MULTILINE)
SHAPE = re.compile(r"\b(u?int\d+|float\d+|bool|objects)\b,?( of shape)? \(|\bshape\b|\bas (of|in|for) ``")
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
        str(path.relative_to(PACKAGE.parent)): asked
        for path in sorted(path for folder in SOURCES for path in folder.rglob("*.py"))
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


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef]:
    """Public functions of a module and methods of its public classes, but not commands, whose docstrings are helps."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield from functions(node)
        elif isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            yield from [node] * all("command" not in ast.unparse(each) for each in node.decorator_list)


def raises(node: ast.AST) -> bool:
    """Whether a function itself raises an error, other than one that it caught; functions in it do not count."""
    inner = [each for each in ast.iter_child_nodes(node) if not isinstance(each, OWNERS)]
    return any((isinstance(each, ast.Raise) and each.exc is not None) or raises(each) for each in inner)


def arrays_of(source: str, known: Mapping[str, set[str]]) -> set[str]:
    """Names for arrays in a source: ``NDArray``, its own aliases, and those that it imports."""
    imported = re.findall(r"^from (gpkit\S*) import (\([^)]*\)|.*)$", source, re.MULTILINE)
    taken = {
        name
        for module, names in imported
        for name in re.findall(r"\w+", names)
        if name in known.get(module, ())
    }
    return {"NDArray", *ALIAS.findall(source), *taken}


def faults(source: str, known: Mapping[str, set[str]]) -> list[str]:
    """Public functions that raise without ``Raises:``, or take or give arrays without a shape."""
    names, found = arrays_of(source, known), []
    if not re.search(rf"\b(raise|{'|'.join(names)})\b", source):
        return []  # nothing to parse for
    for node in functions(ast.parse(source)):
        text = ast.get_docstring(node) or ""
        if raises(node) and not re.search(r"Raises:|\braises?\b", text):
            found.append(f"{node.name} raises")
        hints = [each.annotation for each in [*node.args.args, *node.args.kwonlyargs]] + [node.returns]
        used = {word for each in hints if each is not None for word in re.findall(r"\w+", ast.unparse(each))}
        if used & names and not SHAPE.search(text):
            found.append(f"{node.name} has arrays")
    return found


@pytest.mark.release
def test_public_functions_state_shapes_and_what_they_raise() -> None:
    sources = {path: path.read_text(encoding="utf-8") for path in sorted(PACKAGE.rglob("*.py"))}
    module = {path: ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts) for path in sources}
    known = {module[path]: set(ALIAS.findall(source)) for path, source in sources.items()}
    found = {module[path]: each for path, source in sources.items() if (each := faults(source, known))}
    assert found == {}


def test_missing_shapes_and_raises_are_found() -> None:
    source = "from gpkit.a import Floats\ndef sums(a: Floats):\n    '''Sums.'''\n    raise ValueError\n"
    assert faults(source, {"gpkit.a": {"Floats"}}) == ["sums raises", "sums has arrays"]
    assert faults(source.replace("Sums.", "Sums, float64 (rows,); raises it."), {"gpkit.a": {"Floats"}}) == []
