"""Reads, prints, lays out and evaluates formulas and their functions, which several languages share.

Lark's LALR parser, its trees and this module use no recursion, so the depth has no limit other than ``MAX_DEPTH``.
The interpreter of formulas is in plain Python; the compiled machine agrees with it bit for bit.
"""

import math
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from lark import Token
from lark import Tree as Branch

from gpkit.core import plugins
from gpkit.core.diagnostics import Diagnostic, Span, suggestion
from gpkit.core.header import read_header
from gpkit.core.primitives import RANDOM, PrimitiveSet, Sensor
from gpkit.core.registry import language_entry
from gpkit.genomes.tree import (
    LONE_SECTION,
    Computed,
    Function,
    Symbol,
    Tree,
    TreeProgram,
    is_constant,
    nodes_computed,
)
from gpkit.langkit.findings import finding
from gpkit.langkit.naming import written_name
from gpkit.langkit.operators import MAX_DEPTH, MAX_NODES, NOTATION, PRIMARY, WRITTEN_AS_CALL, formula_writer
from gpkit.langkit.reading import Refused, as_token, as_tree, double, exceed, refuse, token_span
from gpkit.vm.program import Program

MAX_FUNCTIONS, MAX_PARAMETERS = 64, 8
"""The maximum number of functions in a program, and the maximum number of parameters of a function."""

RULE = "formulas__"
"""The prefix of rules that a grammar imports from ``formulas.lark`` without naming them."""

INFIX = frozenset({"PLUS", "MINUS", "STAR", "SLASH"})
"""The terminals of infix operators; a minus can also be a sign."""

STRAYS = frozenset({"PLUS", "STAR", "SLASH", "LPAR", "RPAR", "COMMA"})
"""The terminals of characters that have a meaning only in formulas."""

HEADINGS = frozenset({"SECTION", "FUNCTION"})
"""The terminals that begin a part of a program."""

UNCALLED, UNREAD, HIDDEN = "W038", "W039", "I040"
"""The codes of the findings about functions that nothing calls, and about their parameters."""

_SYMBOL = {"add": "+", "subtract": "-", "multiply": "*", "divide": "/", "negate": "neg"}

NO_NUMBERS = frozenset({"inf", "infinity", "nan", "math.huge"})
"""Words, in lower case, that look like numbers; if one of them is a name, it needs quotation marks."""

Functions = Mapping[str, Function]


@dataclass(slots=True)
class Definitions:
    """The functions that a text defines, in its order.

    Attributes:
        functions: the functions.
        heads: the positions of their heads.
        bodies: the positions of the nodes of their bodies.
        known: the functions that formulas can call, by name; Python functions are among them.
        left: the number of nodes that conditions can still compute.
    """

    functions: tuple[Function, ...]
    heads: tuple[Span, ...]
    bodies: tuple[tuple[Span, ...], ...]
    known: Functions
    left: int = MAX_NODES

    @classmethod
    def of(cls, root: Branch[Token]) -> "Definitions":
        """The functions in Lark's tree of a text.

        Raises:
            Refused: a definition breaks a rule, or functions call each other in a cycle.
        """
        heads = dict[str, tuple[Token, Branch[Token]]]()
        for each in map(as_tree, root.children):
            if each.data == "function":
                head, name = as_token(each.children[0]), _words(each.children[0])[0]
                if name in heads:
                    raise refuse("E017", f"the function `{name}` appears twice", token_span(head))
                heads[name] = head, as_tree(each.children[1])
        found = _functions(heads)
        functions, bodies = zip(*(found[name] for name in heads), strict=True) if heads else ((), ())
        known = {**plugins.here.functions, **dict(zip(heads, functions, strict=True))}
        return cls(functions, tuple(token_span(head) for head, _ in heads.values()), bodies, known)

    def computed(self, call: Branch[Token]) -> Computed:
        """The feature that a call in a condition computes.

        Raises:
            Refused: the call breaks a rule, or draws a random number.
        """
        tree, places = flatten(call, self.known)
        if RANDOM in tree.symbols:
            message, place = "a condition draws no random numbers", places[tree.symbols.index(RANDOM)]
            raise refuse("E010", message, place, fix="use `chance`")
        check_depth(tree, places)
        self.left -= nodes_computed(tree)
        if self.left < 0:
            raise exceed("E022", f"conditions compute more than {MAX_NODES} nodes", places[0])
        return computed(tree)

    def findings(self, called: Collection[Function], sensors: Collection[str]) -> Iterator[Diagnostic]:
        """Yield findings about functions that are never called, and about the parameters of functions."""
        for function, head in zip(self.functions, self.heads, strict=True):
            if function not in called:
                yield finding(UNCALLED, f"no formula calls the function `{function}`", head)
            for name in function.parameters:
                if name not in function.body.reads:
                    message = f"the function `{function}` never reads its parameter `{name}`"
                    yield finding(UNREAD, message, head)
                elif name in sensors:
                    message = f"in the function `{function}`, `{name}` is the parameter, not the sensor of this name"
                    yield finding(HIDDEN, message, head)


def computed(tree: Tree) -> Computed:
    """The feature that a formula computes."""
    return Computed(print_formula(tree), tree)


def simpler(feature: str) -> str:
    """The feature, with the formula that computes it simplified; its values stay the same."""
    if not isinstance(feature, Computed):
        return feature
    program = TreeProgram((LONE_SECTION,), (feature.tree,))
    (tree,) = _language().simplify(program, {}, None).trees
    root = tree.symbols[0]
    if root in NOTATION:
        return computed(tree) if NOTATION[root].binding == PRIMARY else feature
    return feature if is_constant(root) else root


def sensed(feature: str, sense: Callable[[str], float]) -> float:
    """The value of a feature; ``sense`` returns the values of sensors."""
    if not isinstance(feature, Computed):
        return sense(feature)
    return NOTATION[feature.function].meaning(*map(sense, feature.function.parameters))


@lru_cache(maxsize=1000)
def code_of(feature: Computed) -> Program:
    """The straight-line machine program that computes a feature."""
    sensors = tuple(Sensor(name, "", -math.inf, math.inf, integer=False) for name in feature.tree.reads)
    primitives = PrimitiveSet("", (LONE_SECTION,), sensors, ())
    code: Program
    (code,) = _language().compile(TreeProgram((LONE_SECTION,), (feature.tree,)), {}, primitives)
    return code


def _language() -> Any:
    """The language of formulas."""
    return language_entry(Tree.language).load()


@contextmanager
def naming_files(text: str) -> Iterator[None]:
    """Add to the error about an unknown function the way to name the files in the header, which gpkit never imports.

    Raises:
        Refused: the error.
    """
    try:
        yield
    except Refused as refused:
        found, files = refused.diagnostic, read_header(text).get("primitives")
        if found.code != "E006" or not files:
            raise
        fix = f"name the file of the functions: `--primitives {files}`; in Python, import it first"
        raise refuse("E006", found.message, found.span, fix=fix) from None


def _functions(
    heads: Mapping[str, tuple[Token, Branch[Token]]],
) -> dict[str, tuple[Function, tuple[Span, ...]]]:
    """The functions in a text by name, with the positions of their nodes; a function follows those that it calls."""
    found: dict[str, tuple[Function, tuple[Span, ...]]] = {}

    def define(name: str, path: tuple[str, ...]) -> None:
        (head, body), path = heads[name], (*path, name)
        parameters = _parameters(name, head)
        words = [str(call.children[0]) for call in body.find_pred(lambda each: _rule(each) == "call")]
        for called in dict.fromkeys(word for word in reversed(words) if word in heads):
            if called in path:
                circle = " calls ".join(f"`{each}`" for each in (*path[path.index(called) :], called))
                fix = "a function can call only functions that do not call it"
                raise refuse("E018", f"{circle}, which never ends", token_span(head), fix=fix)
            if called not in found:
                define(called, path)
        own = {each: function for each, (function, _) in found.items()}
        tree, places = flatten(body, {**plugins.here.functions, **own}, parameters)
        check_depth(tree, places)
        function = Function(name, parameters, tree)
        if function.nodes > MAX_NODES:
            raise exceed("E022", f"the program has more than {MAX_NODES} nodes", token_span(head))
        found[name] = function, places

    if len(heads) > MAX_FUNCTIONS:
        place = token_span([*heads.values()][MAX_FUNCTIONS][0])
        raise exceed("E022", f"the program has more than {MAX_FUNCTIONS} functions", place)
    for name in heads:
        if name not in found:
            define(name, ())
    return found


def _parameters(name: str, head: Token) -> tuple[str, ...]:
    """The parameters in the head of a function."""
    parameters = tuple(_words(head)[1:])
    for each in (name, *parameters):
        if each in NOTATION or each.lower() in NO_NUMBERS:
            raise refuse(
                "E017", f"`{each}` already has a meaning", token_span(head), fix="choose another name"
            )
    twice = next((each for each in parameters if parameters.count(each) > 1), None)
    if twice is not None:
        message = f"the function `{name}` has the parameter `{twice}` twice"
        raise refuse("E017", message, token_span(head), fix="choose another name")
    if len(parameters) > MAX_PARAMETERS:
        raise exceed("E022", f"a function has at most {MAX_PARAMETERS} parameters", token_span(head))
    return parameters


def _rule(branch: Branch[Token]) -> str:
    """The name of the grammar rule of a node."""
    return str(branch.data).removeprefix(RULE)


def _words(head: object) -> list[str]:
    """The name and the parameters in a heading."""
    return re.findall(r"\w+", str(head))


def flatten(
    formula: Branch[Token], functions: Functions, parameters: Sequence[str] | None = None
) -> tuple[Tree, tuple[Span, ...]]:
    """The formula in prefix order, and the positions of its nodes; the body of a function also has ``parameters``."""
    symbols: list[Symbol] = []
    arities: list[int] = []
    spans: list[Span] = []
    pending = [formula]
    while pending:
        branch = pending.pop()
        place = branch.meta
        spans.append(Span(place.start_pos, place.end_pos, place.line, place.column))
        operands = [child for child in branch.children if isinstance(child, Branch)]
        symbol = _symbol(branch, spans[-1], len(operands), functions)
        if parameters is not None and not operands and isinstance(symbol, str) and symbol not in parameters:
            _refuse_outside(symbol, spans[-1], parameters)
        symbols.append(symbol)
        arities.append(len(operands))
        pending.extend(reversed(operands))
    return Tree.from_prefix(symbols, arities), tuple(spans)


def check_depth(tree: Tree, places: Sequence[Span]) -> None:
    """Check the depth of a formula, given the positions of its nodes.

    Raises:
        Refused: it is too deep.
    """
    if tree.depth > MAX_DEPTH:
        first = next(k for k, depth in enumerate(tree.depths) if depth > MAX_DEPTH)
        raise exceed("E023", f"the formula is deeper than {MAX_DEPTH} nodes", places[first])


def _refuse_outside(name: str, place: Span, parameters: Sequence[str]) -> None:
    """Reject a name that a function reads although it is not one of the function's parameters."""
    if name == RANDOM:
        message, fix = "a function draws no random numbers", "draw them where it is called, for a parameter"
    else:
        message = f"a function reads only its parameters, and `{name}` is not one of them"
        fix = suggestion(name, parameters, "add a parameter for it")
    raise refuse("E010", message, place, fix=fix)


def _symbol(branch: Branch[Token], span: Span, operands: int, functions: Functions) -> Symbol:
    """The symbol of the node at a position in the text, given its number of operands."""
    word = branch.children[0]
    if not isinstance(word, Token):
        return _SYMBOL[_rule(branch)]
    match _rule(branch):
        case "constant":
            return double(word, "E009", span)
        case "negative_constant":
            return double(f"-{word}", "E009", span)
        case "sensor":
            if word == RANDOM:
                fix = f"write `{RANDOM}()`"
                raise refuse("E008", f"`{RANDOM}` needs its parentheses", token_span(word), fix=fix)
            if word in WRITTEN_AS_CALL or word in functions:
                what = "a function" if word in functions else "an operator"
                fix = f"write `{NOTATION[functions.get(word, str(word))].usage}`"
                raise refuse("E008", f"`{word}` is {what} and needs operands", token_span(word), fix=fix)
            if word.lower() in NO_NUMBERS:
                raise refuse("E009", f"`{word}` cannot be written: constants are finite", token_span(word))
        case "quoted_sensor":
            return _quoted(word)
        case _:
            if word != RANDOM and word not in WRITTEN_AS_CALL and word not in functions:
                fix = suggestion(
                    word,
                    [*WRITTEN_AS_CALL, *functions, RANDOM],
                    "`gpkit list operators` shows them; numbers and sensors take no parentheses",
                )
                raise refuse("E006", f"there is no operator `{word}`", token_span(word), fix=fix)
            symbol = functions.get(word, str(word))
            taken = None if word == RANDOM else NOTATION[symbol]
            arity, usage = (0, f"{RANDOM}()") if taken is None else (taken.arity, taken.usage)
            if operands != arity:
                message = f"`{word}` takes {arity} operand{'' if arity == 1 else 's'}, got {operands}"
                raise refuse("E007", message, span, fix=f"write `{usage}`")
            return symbol
    return str(word)


def _quoted(token: Token) -> str:
    """The name inside the quotation marks of a token."""
    name = str(token[1:-1])
    if not name.strip():
        raise refuse("E016", "this name is empty", token_span(token))
    if name in NOTATION or name == RANDOM:
        fix = f"a column of this name is read as `env.{name}`"
        raise refuse("E016", f"`{name}` is the name of an operator", token_span(token), fix=fix)
    return name


def print_formula(tree: Tree) -> str:
    """The formula on one line, with as few parentheses as possible; ``parse`` reads it back as the same tree.

    >>> from gpkit.genomes.tree import leaf, node
    >>> print_formula(node("*", node("-", leaf("a"), leaf(-4.0)), node("neg", leaf("b"))))
    '(a - -4.0) * -b'
    """
    return _FEWEST(tree.symbols)


def print_leaf(symbol: Symbol) -> str:
    """The text of a leaf: a sensor's name, ``math.random()``, or the shortest digits that give the same double."""
    if isinstance(symbol, float):
        return repr(symbol)
    return f"{RANDOM}()" if symbol == RANDOM else written_name(symbol, symbol.lower() in NO_NUMBERS)


def _leaf(closeness: int, symbol: Symbol) -> str:
    """The text of a leaf; a constant after a sign gets parentheses, because -(4.0) negates but -4.0 is a constant."""
    text = print_leaf(symbol)
    return f"({text})" if closeness == PRIMARY and is_constant(symbol) else text


_FEWEST = formula_writer({name: (each.usage, each.binding) for name, each in NOTATION.items()}, _leaf)

_TIGHT = frozenset({"RPAR", "COMMA", "COLON"})
_OPERAND_ENDS = frozenset({"NUMBER", "NAME", "STRING", "RPAR"})


def heading(token: Token) -> str:
    """The text of a heading in canonical layout."""
    name, *parameters = _words(token)
    return f"{name}({', '.join(parameters)}):" if parameters else f"{name}:"


def spaced(stream: Iterable[Token]) -> Iterator[tuple[Token, str]]:
    """Yield each token with the white space before it, unless it begins a line; comments and blanks have none."""
    last, sign = "", False
    for token in stream:
        kind = token.type
        if kind in ("BLANK", "COMMENT"):
            yield token, ""
            continue
        is_tight = sign or last == "LPAR" or kind in _TIGHT or (kind == "LPAR" and last == "NAME")
        yield token, "" if is_tight else " "
        sign = kind == "MINUS" and last not in _OPERAND_ENDS
        last = kind


def evaluate(tree: Tree, env: Mapping[str, float], random: Callable[[], float]) -> float:
    """The value of a formula.

    Args:
        tree: the formula.
        env: the value of every sensor that it reads.
        random: returns a number in [0, 1); called for each ``math.random()``, from left to right.

    Raises:
        KeyError: the formula reads a sensor that is not in ``env``.
    """
    return node_values(tree, env, random)[0]


def node_values(tree: Tree, env: Mapping[str, float], random: Callable[[], float]) -> dict[int, float]:
    """The values of all nodes by position; operands come before their operator, from left to right."""
    values: dict[int, float] = {}
    waiting: list[tuple[int, list[float]]] = []  # operators that lack operands, with the operands so far
    for position, symbol in enumerate(tree.symbols):
        if symbol in NOTATION:
            waiting.append((position, []))
            continue
        value = symbol if isinstance(symbol, float) else random() if symbol == RANDOM else env[symbol]
        values[position] = value
        while waiting:
            operator, operands = waiting[-1]
            operands.append(value)
            notation = NOTATION[tree.symbols[operator]]
            if len(operands) < notation.arity:
                break
            waiting.pop()
            values[operator] = value = notation.meaning(*operands)
    return values


def executed_nodes(tree: Tree, values: Mapping[int, float]) -> frozenset[int]:
    """The positions of all nodes except those in outcomes that an ``ifle`` did not take.

    ``values`` contains the value of every node by position, as returned by ``node_values``. Operators are eager, so the
    interpreter also evaluates the other nodes, but nothing uses their values.
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
