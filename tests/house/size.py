"""Size of the house: statements without imports and docstrings, and syntax nodes.

    python tests/house/size.py

prints the statements of ``gpkit``, those of ``experiments`` without its tests, and the syntax nodes of both.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def counted(tree: ast.Module) -> tuple[int, int]:
    """The statements and the syntax nodes of a file that count."""
    statements = nodes = 0
    for node in ast.walk(tree):
        nodes, statements = nodes + 1, statements + isinstance(node, ast.stmt)
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            nodes, statements = nodes - 2, statements - 1
        if isinstance(node, ast.Import | ast.ImportFrom):
            nodes, statements = nodes - 1 - len(node.names), statements - 1
    return statements, nodes


def totals(root: Path) -> tuple[int, int, int]:
    """The three totals of a checkout."""

    def files(name: str) -> Iterator[ast.Module]:
        for path in sorted((root / name).rglob("*.py")):
            if "tests" not in path.relative_to(root).parts:
                yield ast.parse(path.read_text(encoding="utf-8"))

    gpkit, experiments = (list(map(counted, files(name))) for name in ("gpkit", "experiments"))
    statements = [sum(each[0] for each in found) for found in (gpkit, experiments)]
    return statements[0], statements[1], sum(each[1] for each in (*gpkit, *experiments))


if __name__ == "__main__":
    sys.stdout.write(" ".join(f"{count:,}" for count in totals(ROOT)) + "\n")
