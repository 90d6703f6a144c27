"""Dispatches on types of node: code outside the tables of nodes that tests the class of a language's node.

    python tests/house/dispatches.py [ROOT]

prints the number of dispatches in each file of ``gpkit``, and their sum. A call of ``isinstance``, a class
pattern in ``match`` and a comparison with ``type(...)`` each count as one dispatch if they name a class of
nodes or an alias of several. Formulas and sinking programs have no such classes: their nodes are texts and
numbers.
"""

import ast
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

NODES = {
    "gpkit.genomes.comparisons": {"Comparison"},
    "gpkit.genomes.decision": {"Comparison", "Switch", "Chance", "Leaf", "Inner"},
    "gpkit.genomes.graph": {"Node", "Link", "Action", "Quantity", "Comparison", "Rule", "NamedRule"},
    "gpkit.genomes.plan": {
        *(
            "Comparison",
            "Test",
            "Holder",
            "Do",
            "Use",
            "Wait",
            "Repeat",
            "While",
            "Decide",
            "Chance",
            "Merge",
        ),
        "Step",
    },
}
"""The classes of nodes of decision trees, rules and plans, and aliases of several classes, by module."""


def counted(tree: ast.Module, module: str) -> int:
    """The number of dispatches in a module."""
    known = set(NODES.get(module, ()))
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            names = NODES.get(node.module or "", set())
            known |= {each.asname or each.name for each in node.names if each.name in names}
    return sum(_is_dispatch(node, known) for node in ast.walk(tree))


def _is_dispatch(node: ast.AST, known: set[str]) -> bool:
    match node:
        case ast.Call(func=ast.Name(id="isinstance"), args=[_, kinds]):
            return _names(kinds, known)
        case ast.MatchClass(cls=kind):
            return _names(kind, known)
        case ast.Compare(left=ast.Call(func=ast.Name(id="type")), comparators=[kinds]):
            return _names(kinds, known)
        case _:
            return False


def _names(kinds: ast.AST, known: set[str]) -> bool:
    return any(isinstance(each, ast.Name) and each.id in known for each in ast.walk(kinds))


def dispatches(root: Path) -> Counter[str]:
    """The number of dispatches in each file of a checkout, without files that have none."""
    found: Counter[str] = Counter()
    for path in sorted((root / "gpkit").rglob("*.py")):
        name = path.relative_to(root).with_suffix("")
        count = counted(ast.parse(path.read_text(encoding="utf-8")), ".".join(name.parts))
        if count:
            found[str(path.relative_to(root))] = count
    return found


if __name__ == "__main__":
    each = dispatches(Path(sys.argv[1]) if sys.argv[1:] else ROOT)
    lines = [*(f"{count:4} {name}" for name, count in each.items()), f"{each.total():4} in {len(each)} files"]
    sys.stdout.write("\n".join(lines) + "\n")
