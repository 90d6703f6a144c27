"""The way back from the Lua of decision trees: functions of nested conditions.

A chain of conditions that one feature is below rising bounds reads as a switch, whichever it was.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from gpkit.core.errors import LimitError
from gpkit.export.lua.tokens import Reading
from gpkit.genomes.decision import (
    INTERVALS,
    OPPOSITE,
    Chance,
    DecisionTree,
    Inner,
    Leaf,
    Switch,
    Test,
    inner,
    leaf,
)

MAX_DEPTH = 60
"""Levels of a tree, as of its own text."""

_SIGNS = {"<=": "<=", ">=": ">=", "==": "==", "~=": "!="}


@dataclass(frozen=True, slots=True)
class _Question:
    """A condition: a test, or a chance, whose branch yes follows it."""

    node: Test | Chance
    yes: DecisionTree


def begins_tree(reading: Reading) -> bool:
    """Whether the function at the place comes to a condition, or returns a name, before it computes anything."""
    for place in range(reading.place, len(reading.tokens) - 1):
        token = reading.tokens[place]
        if token.kind == "name" and token.text == "if":
            return True
        if token.kind == "name" and token.text == "return":
            return reading.tokens[place + 1].kind == "string"
    return False


def read_tree(reading: Reading) -> DecisionTree:
    """The tree of a function, from its first statement to its end.

    Raises:
        SourceError: the text is not in the exported form.
        LimitError: the tree is too deep.
    """
    features: dict[str, str] = {}
    randoms: dict[str, int] = {}
    while reading.accept("local"):
        name = reading.name()
        reading.expect("=")
        if reading.accept("random", "(", ")"):
            randoms[name] = len(randoms)
        else:
            features[name] = _loaded(reading)
    tree = _branch(reading, features, randoms, 1)
    reading.expect("end")
    return tree


def _branch(
    reading: Reading, features: Mapping[str, str], randoms: Mapping[str, int], level: int
) -> DecisionTree:
    """The statements of a branch: what is returned, or a chain of conditions with their branches."""
    if level > MAX_DEPTH:
        raise LimitError(f"{reading.filename}: the tree has more than {MAX_DEPTH} levels")
    if not reading.accept("if"):
        reading.expect("return")
        return leaf(_leaf(reading))
    questions: list[_Question] = []
    while True:
        node = _condition(reading, features, randoms)
        reading.expect("then")
        questions.append(_Question(node, _branch(reading, features, randoms, level + 1)))
        if not reading.accept("elseif"):
            break
    reading.expect("else")
    tree = _chained(questions, _branch(reading, features, randoms, level + 1))
    reading.expect("end")
    if tree.depth > MAX_DEPTH:
        raise LimitError(f"{reading.filename}: the tree has more than {MAX_DEPTH} levels")
    return tree


def _chained(questions: list[_Question], last: DecisionTree) -> DecisionTree:
    """The tree of a chain of conditions, of which rising bounds of one feature are one switch."""
    place = len(questions)
    while place:
        first = _switch_from(questions, place)
        below = questions[first:place]
        node: Inner = below[0].node
        if len(below) > 1:
            tests = [each.node for each in below if isinstance(each.node, Test)]
            node = Switch(tests[0].feature, tuple(test.threshold for test in tests))
        last = inner(node, *(each.yes for each in below), last)
        place = first
    return last


def _switch_from(questions: list[_Question], end: int) -> int:
    """The first of the conditions up to ``end`` that ask whether one feature is below rising bounds."""
    first = end - 1
    while first > 0 and end - first < INTERVALS[-1] - 1:
        asked = [each.node for each in questions[first - 1 : end]]
        tests = [node for node in asked if isinstance(node, Test) and node.comparison == "<"]
        rising = all(a.feature == b.feature and a.threshold < b.threshold for a, b in pairwise(tests))
        if len(tests) < len(asked) or not rising:
            break
        first -= 1
    return first


def _condition(reading: Reading, features: Mapping[str, str], randoms: Mapping[str, int]) -> Test | Chance:
    if reading.accept("not", "("):
        test = _comparison(reading, features)
        reading.expect(")")
        return Test(test.feature, OPPOSITE[test.comparison], test.threshold)
    if reading.token.text in randoms:
        reading.take()
        reading.expect("<")
        return Chance(_number(reading))
    return _comparison(reading, features)


def _comparison(reading: Reading, features: Mapping[str, str]) -> Test:
    """A comparison of a feature with a threshold."""
    if reading.accept("("):
        feature = _loaded(reading)
        reading.expect(")")
    else:
        token = reading.token
        name = reading.name()
        if name not in features:
            raise reading.wrong("E102", f"`{name}` is no feature that was read before", token)
        feature = features[name]
    for written, sign in _SIGNS.items():
        if reading.accept(written):
            return Test(feature, sign, _number(reading))
    raise reading.unexpected(*(f"`{written}`" for written in _SIGNS))


def _loaded(reading: Reading) -> str:
    """The feature that an expression reads from the table of inputs, as the message says that names it."""
    reading.expect("(")
    while not reading.at("or"):
        if reading.token.kind == "end":
            raise reading.unexpected("`or`")
        reading.take()
    reading.expect("or", "absent", "(")
    feature = _text(reading)
    reading.expect(")", ")", "+")
    _number(reading)
    return feature


def _leaf(reading: Reading) -> Leaf:
    return _text(reading) if reading.token.kind == "string" else _number(reading)


def _text(reading: Reading) -> str:
    """A string in quotation marks, in which only these and backslashes are escaped."""
    token = reading.token
    if token.kind != "string" or token.text[0] != '"':
        raise reading.unexpected("a text in quotation marks")
    reading.take()
    return re.sub(r"\\(.)", r"\1", token.text[1:-1])


def _number(reading: Reading) -> float:
    sign = -1.0 if reading.accept("-") else 1.0
    token = reading.token
    try:
        value = float(token.text) if token.kind == "number" else float("inf")
    except ValueError:
        value = float("inf")
    if value == float("inf"):
        raise reading.unexpected("a number")
    reading.take()
    return sign * value + 0.0
