"""Coverage: the nodes of a formula that counted when it was evaluated."""

from collections.abc import Mapping

from gpkit.genomes.tree import Tree


def executed_nodes(tree: Tree, values: Mapping[int, float]) -> frozenset[int]:
    """The positions of all nodes but those below the outcomes that an ``ifle`` did not take.

    ``values`` holds the value of every node by position, as the interpreter's steps give them. Operators are eager, so
    the others were evaluated too; their values just went nowhere.
    """
    executed = []
    todo = [0]
    while todo:
        position = todo.pop()
        executed.append(position)
        operands = list(tree.children(position))
        if tree.symbols[position] == "ifle":
            a, b, x, y = operands
            operands = [a, b, x if values[a] <= values[b] else y]
        todo.extend(operands)
    return frozenset(executed)
