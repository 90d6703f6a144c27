"""Smaller formulas with the same values, or with the same decisions."""

from collections.abc import Sequence

from gpkit.core.primitives import Sensor
from gpkit.genomes.tree import Symbol, Tree, leaf
from gpkit.languages.arithmetic.grids import Grids, sensor_grids
from gpkit.languages.arithmetic.rewriting import Node, Rules, exact, make, up_to_sign
from gpkit.languages.arithmetic.terms import Terms


def simplify(tree: Tree) -> Tree:
    """A formula of at most as many nodes with the same value, bit for bit, for all inputs and random numbers.

    All NaN count as one. Infinities, NaN and both zeros may be among the inputs; that is why ``x + 0.0`` (not -0.0 for
    x = -0.0), ``x - x`` and ``x * 0.0`` (NaN for infinite x) stay.
    """
    terms = Terms()
    return terms.tree(_rebuild(terms, exact, tree))


def simplify_decision(tree: Tree, sensors: Sequence[Sensor] = ()) -> Tree:
    """A formula of at most as many nodes that chooses the same candidate from every list of candidates.

    The choice is that of the highest value, the first of equal ones, with NaN below everything. Without ``sensors``
    this holds for all inputs. With them it holds for inputs within their bounds, and more can go: parts that are zero
    or one for finite numbers, and at the root what shifts or scales the values of all candidates alike, as far as it
    is proved that rounding merges none of them.
    """
    found = _decision(tree, sensors)
    exactly = simplify(tree)  # where a sign is dropped early, two of them no longer meet
    return found if len(found) <= len(exactly) else _decision(exactly, sensors)


def _decision(tree: Tree, sensors: Sequence[Sensor]) -> Tree:
    terms = Terms()
    grids = Grids(terms, sensor_grids(sensors))
    rules = _decision_rules(grids)
    root = _rebuild(terms, rules, tree)
    common = terms.over({sensor.name for sensor in sensors if sensor.shared})
    if common[root]:
        return leaf(0.0)
    return terms.tree(_strip(terms, rules, grids, common, root))


def _rebuild(terms: Terms, rules: Rules, tree: Tree) -> int:
    """The term of a formula whose nodes are made with these rules, operands first."""
    made = [0] * len(tree)
    for position in range(len(tree) - 1, -1, -1):
        operands = tuple(made[child] for child in tree.children(position))
        made[position] = make(terms, rules, tree.symbols[position], operands)
    return made[0]


def _decision_rules(grids: Grids) -> Rules:
    """Every rule that keeps decisions, with the numbers of each grid known to be finite."""

    def rules(terms: Terms, symbol: Symbol, operands: tuple[int, ...]) -> Node | None:
        return (
            exact(terms, symbol, operands)
            or up_to_sign(terms, symbol, operands)
            or _finite(terms, grids, symbol, operands)
        )

    return rules


def _finite(terms: Terms, grids: Grids, symbol: Symbol, operands: tuple[int, ...]) -> Node | None:
    if len(operands) != 2 or any(grids.of(operand) is None for operand in operands):
        return None
    same = terms.same(*operands)
    if (symbol == "-" and same) or (
        symbol == "*" and 0.0 in (terms.symbols[operand] for operand in operands)
    ):
        return 0.0, ()
    return (1.0, ()) if symbol == "/" and same else None


def _strip(terms: Terms, rules: Rules, grids: Grids, common: Sequence[bool], root: int) -> int:
    """The root without what shifts or scales all candidates alike, one operator at a time.

    Args:
        terms: the table.
        rules: how to make a node.
        grids: what is computed exactly.
        common: by term, whether all candidates share its value; not so at the root.
        root: the term to begin with.
    """
    opposite = False
    while grids.of(root) is not None and terms.symbols[root] in ("neg", "+", "-", "*"):
        symbol, operands = terms.symbols[root], terms.operands[root]
        kept = next(operand for operand in operands if not common[operand])
        if symbol == "neg":
            turns = True
        elif not any(common[operand] for operand in operands):
            break
        elif symbol == "*":
            factor = grids.of(next(operand for operand in operands if common[operand]))
            assert factor is not None
            if factor.low <= 0 <= factor.high:
                break
            turns = factor.high < 0
        else:
            turns = symbol == "-" and kept == operands[1]
        root, opposite = kept, opposite != turns
    return make(terms, rules, "neg", (root,)) if opposite else root
