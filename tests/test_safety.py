"""Loading never executes: the package holds no construct that turns text or bytes into running code."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "gpkit"
MODULES = sorted(PACKAGE.rglob("*.py"))

FORBIDDEN_MODULES = {
    "pickle",
    "cPickle",
    "dill",
    "cloudpickle",
    "marshal",
    "shelve",
    "joblib",
    "code",
    "codeop",
    "yaml",
}
FORBIDDEN_NAMES = {"eval", "exec", "compile", "__import__"}
FORBIDDEN_ATTRIBUTES = {
    ("os", "system"),
    ("os", "popen"),
    ("builtins", "eval"),
    ("builtins", "exec"),
    ("np", "load"),
}


def _faults(tree: ast.AST) -> list[str]:
    """Every forbidden import, call and keyword with its line."""
    faults = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            used = {alias.name.split(".")[0] for alias in node.names} & FORBIDDEN_MODULES
        elif isinstance(node, ast.ImportFrom):
            used = {(node.module or "").split(".")[0]} & FORBIDDEN_MODULES
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):  # a field may have such a name
            used = {node.id} & FORBIDDEN_NAMES
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            used = {f"{m}.{a}" for m, a in {(node.value.id, node.attr)} & FORBIDDEN_ATTRIBUTES}
        elif isinstance(node, ast.keyword):
            used = {"shell"} if node.arg == "shell" else set()
        else:
            continue
        faults += [f"line {getattr(node, 'lineno', 0)}: {name}" for name in sorted(used)]
    return faults


WORKERS = {"evolution/guarded.py": {"eval"}, "evolution/parcels.py": {"eval", "pickle"}}
"""Modules that send work to the workers of a run, and what they need: pickles that never are in a file, and a constant
expression that a worker without gpkit can evaluate."""


@pytest.mark.parametrize("path", MODULES, ids=lambda p: p.relative_to(PACKAGE).as_posix())
def test_module_executes_nothing_that_it_loads(path: Path) -> None:
    found = _faults(ast.parse(path.read_text(encoding="utf-8")))
    known = WORKERS.get(path.relative_to(PACKAGE).as_posix(), set())
    assert [fault for fault in found if fault.partition(": ")[2] not in known] == []


@pytest.mark.parametrize(
    "text",
    [
        "import pickle",
        "import os, marshal",
        "from pickle import loads",
        "def f():\n    return eval('1')",
        "exec('1')",
        "run = compile",
        "import os\nos.system('ls')",
        "subprocess.run('ls', shell=True)",
        "np.load('a.npy')",
    ],
)
def test_the_test_would_notice(text: str) -> None:
    assert _faults(ast.parse(text))
