"""The way back: Lua in the exported forms to programs.

Read are files of every mode, single functions, and lone expressions such as the article's. What is read must be as it
was exported: names, operators, and the hand-written functions that carry operators out. Nothing here recurses.
"""

import re
from collections.abc import Callable, Iterator
from typing import TypeVar, cast

from gpkit.core.diagnostics import suggestion
from gpkit.core.errors import LimitError, UsageError
from gpkit.export.lua.conditions import LuaReading, begins_tree, read_tree
from gpkit.export.lua.graph import Graph, SensorName, bracketed
from gpkit.export.lua.layout import helper_parts
from gpkit.export.lua.module import LUAU_TYPES, OWN_NAMES
from gpkit.genomes.decision import DecisionProgram, DecisionTree, leaf
from gpkit.genomes.tree import LONE_SECTION, Tree, TreeProgram, is_constant
from gpkit.langkit.operators import MAX_NODES

Value = TypeVar("Value")

AnyTree = Tree | DecisionTree
AnyProgram = TreeProgram | DecisionProgram

_ROSTER = re.compile(r"^return \{\s*(?:(?:\w+|\[[^\n]*\]) = \{|\})", re.MULTILINE)


def read_program(text: str, filename: str = "<text>") -> AnyProgram:
    """The program of a module, a player, a function, a table of functions, or a lone expression.

    Raises:
        SourceError: the text is not in an exported form.
        LimitError: the text, the program or its depth is too large.
        UsageError: the text is a roster of several programs.
    """
    reading = LuaReading(text, filename)
    if reading.at("export"):
        _same(reading, LUAU_TYPES, "E101", "the types differ from what was exported")
    _helpers(reading)
    is_file = reading.accept("return")
    if _begins_roster(reading):
        raise UsageError(f"{filename} is a roster of several programs, not a program")
    if reading.at("function", "("):
        trees = {LONE_SECTION: _function(reading, _sensor_of_table)}
    elif reading.at("{"):
        trees = _table(reading, lambda r: _function(r, _sensor_of_table))
    elif reading.at("local", "M", "=") and not is_file:
        return _program(reading, dict(_module(reading)))
    else:
        graph = Graph(reading, None, _sensor_as_it_is)
        trees = {LONE_SECTION: graph.tree(graph.expression())}
    if reading.token.kind != "end":
        raise reading.unexpected("the end of the text")
    return _program(reading, trees)


def is_roster(text: str) -> bool:
    """Whether a text looks like a roster of several programs: it returns a table of tables."""
    return _ROSTER.search(text) is not None


def read_roster(text: str, filename: str = "<text>") -> dict[str, tuple[AnyProgram, ...]]:
    """The levels of a roster, each with its specimens.

    Raises:
        SourceError: the text is not in the exported form.
        LimitError: the text, a program or its depth is too large.
    """
    reading = LuaReading(text, filename)
    _helpers(reading)
    reading.expect("return")

    def specimen(reading: LuaReading) -> AnyProgram:
        return _program(reading, _table(reading, lambda r: _function(r, _sensor_as_it_is)))

    levels = _table(reading, lambda r: tuple(_list(r, specimen)))
    if reading.token.kind != "end":
        raise reading.unexpected("the end of the text")
    return levels


def _begins_roster(reading: LuaReading) -> bool:
    """Whether a table comes next whose first value is a table, or which is empty."""
    ahead = [token.text for token in reading.tokens[reading.place : reading.place + 6]]
    return ahead[:1] == ["{"] and (
        ahead[1:2] == ["}"] or ahead[2:4] == ["=", "{"] or ahead[4:6] == ["=", "{"]
    )


def _program(reading: LuaReading, trees: dict[str, AnyTree]) -> AnyProgram:
    if not trees:
        raise reading.wrong("E105", "there is no formula", reading.token)
    if sum(map(len, trees.values())) > MAX_NODES:
        raise LimitError(f"{reading.filename}: the program has more than {MAX_NODES} nodes")
    if all(tree.language == Tree.language for tree in trees.values()):
        return TreeProgram(tuple(trees), cast("tuple[Tree, ...]", tuple(trees.values())))
    return DecisionProgram(tuple(trees), tuple(_decision(reading, tree) for tree in trees.values()))


def _decision(reading: LuaReading, tree: AnyTree) -> DecisionTree:
    """A decision tree; beside one, a lone number is a leaf."""
    if tree.language == DecisionTree.language:
        return cast("DecisionTree", tree)
    (value, *more) = cast("Tree", tree).symbols
    if more or not is_constant(value):
        raise reading.wrong("E105", "there is a formula beside a decision tree", reading.token)
    return leaf(value)


# Files.


def _helpers(reading: LuaReading) -> None:
    """Move over the functions that formulas call, each of which must be as it was exported."""
    while reading.at("local", "function"):
        _helper(reading)


def _helper(reading: LuaReading) -> None:
    token = reading.tokens[reading.place + 2]
    known = helper_parts()
    if token.text not in known:
        fix = suggestion(token.text, known)
        raise reading.wrong("E102", f"`{token.text}` is not an exported function", token, fix)
    _same(reading, known[token.text], "E104", f"the function `{token.text}` differs from what was exported")


def _same(reading: LuaReading, text: str, code: str, message: str) -> None:
    """Move over the tokens of a text."""
    for expected in LuaReading(text, reading.filename).tokens[:-1]:
        if reading.token.text != expected.text:
            raise reading.wrong(code, f"{message}: here `{expected.text}` is missing", reading.token)
        reading.take()


def _module(reading: LuaReading) -> Iterator[tuple[str, AnyTree]]:
    """The formulas of a module, which are all functions in M but those that every module has."""
    seen: set[str] = set()
    while reading.token.kind != "end":
        if reading.at("local", "function") and reading.tokens[reading.place + 2].text in helper_parts():
            _helper(reading)
        elif reading.accept("function", "M", "."):
            token = reading.token
            name = reading.name()
            if name in OWN_NAMES:
                continue
            if name in seen:
                raise reading.wrong("E105", f"the formula `{name}` appears twice", token)
            seen.add(name)
            yield name, _body(reading, _sensor_of_table)
        else:
            reading.take()


def _table(reading: LuaReading, value: Callable[[LuaReading], Value]) -> dict[str, Value]:
    """A table constructor with names as keys."""
    found: dict[str, Value] = {}
    reading.expect("{")
    while not reading.accept("}"):
        token = reading.token
        name = bracketed(reading) if reading.at("[") else reading.name()
        if name in found:
            raise reading.wrong("E105", f"`{name}` appears twice", token)
        reading.expect("=")
        found[name] = value(reading)
        if not reading.at("}"):
            reading.expect(",")
    return found


def _list(reading: LuaReading, value: Callable[[LuaReading], Value]) -> Iterator[Value]:
    """A table constructor without keys."""
    reading.expect("{")
    while not reading.accept("}"):
        yield value(reading)
        if not reading.at("}"):
            reading.expect(",")


# Functions.


def _sensor_of_table(table: str, name: str) -> str:
    return name if table == "inputs" else f"{table}.{name}" if name else ""


def _sensor_as_it_is(table: str, name: str) -> str:
    return f"{table}.{name}" if name else table


def _function(reading: LuaReading, sensor: SensorName) -> AnyTree:
    """A function without a name."""
    reading.expect("function")
    return _body(reading, sensor)


def _body(reading: LuaReading, sensor: SensorName) -> AnyTree:
    """A function from its parameters to its end."""
    reading.expect("(")
    parameters: set[str] = set()
    while not reading.accept(")"):
        parameters.add(reading.name())
        if reading.accept(":"):
            reading.name()
            reading.accept("?")
        if not reading.at(")"):
            reading.expect(",")
    if reading.accept(":"):
        reading.expect("number")
    graph = Graph(reading, frozenset(parameters), sensor)
    _helpers(reading)
    reading.accept("random", "=", "random", "or", "M", ".", "random")
    if begins_tree(reading):
        return read_tree(reading)
    while not reading.accept("return"):
        if not reading.accept("local", "spill", "=", "{", "}"):
            graph.assignment()
    tree = graph.tree(graph.expression())
    reading.expect("end")
    return tree
