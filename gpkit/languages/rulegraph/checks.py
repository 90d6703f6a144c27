"""Static checks of rules that can be read: their header, and rules that can never act."""

import re
from collections.abc import Iterable, Iterator

from gpkit.core.diagnostics import Diagnostic, Span
from gpkit.core.header import header_span
from gpkit.core.primitives import PrimitiveSet
from gpkit.core.registry import is_game
from gpkit.langkit.findings import almost_header, checker, finding, way_to_named_game
from gpkit.languages.rulegraph.conditions import decided
from gpkit.languages.rulegraph.parser import RuleSource
from gpkit.languages.rulegraph.precedence import shadowed
from gpkit.languages.rulegraph.printer import print_comparison
from gpkit.languages.rulegraph.syntax import MARK

NAME = "rulegraph"
"""Name of the language, by which games refer to it."""

KEYS = ("game", "board", "source", "title", "level")
"""The header lines that mean something here; others are notes."""

_BOARD = re.compile(r"[1-9][0-9]?x[1-9][0-9]?")


def _findings(source: RuleSource, primitives: PrimitiveSet | None) -> Iterable[Diagnostic]:
    return [*source.warnings, *_header(source, primitives), *_levels(source), *_shadows(source)]


check = checker(NAME, "E191", lambda source: source.spans[0], _findings)
"""The findings in a program, by their place in its text."""


def _header(source: RuleSource, primitives: PrimitiveSet | None) -> Iterator[Diagnostic]:
    game = source.header.get("game")
    meant = None if primitives is None else primitives.game
    if game is not None and game != meant and not is_game(game):
        fix = way_to_named_game(game, source.filename)
        yield finding("E190", "error", f"there is no game `{game}`", _value(source, "game"), fix)
    elif game is not None and primitives is not None and game != primitives.game:
        message = f"these rules are for `{game}` but are checked for `{primitives.game}`"
        yield finding("W196", "warning", message, _value(source, "game"), f"check them with `--game {game}`")
    board = source.header.get("board")
    if board is not None and not _BOARD.fullmatch(board):
        message = f"`{board}` is not a board size"
        fix = "write its columns and rows of boxes, such as `3x3`"
        yield finding("E193", "error", message, _value(source, "board"), fix)
    yield from almost_header("W197", source, KEYS, MARK)


def _levels(source: RuleSource) -> Iterator[Diagnostic]:
    """Level 1 without its mark, and conditions that decide nothing."""
    marked = source.header.get("level")
    if marked not in (None, "0", "1"):
        message = f"there is no level `{marked}`"
        fix = "write `0`, the language of the source, or `1`, with conditions and rules of equal precedence"
        yield finding("E193", "error", message, _value(source, "level"), fix)
    for named, span, names in zip(source.program.rules, source.spans, source.names, strict=True):
        if named.level and marked != "1":
            why = "has conditions, which are" if named.rule.level else "is joined to the rule above, which is"
            message = f"this rule is of level 1: it {why} beyond the language's source"
            yield finding("E192", "error", message, span, "write `# level: 1` in the header")
        for comparison in named.rule.comparisons:
            answer = decided(named.rule.graph, comparison)
            if answer is not None:
                words = print_comparison(comparison, names)
                message = f"`{words}` {'always' if answer else 'never'} holds where this rule matches"
                fix = "remove the condition" if answer else "remove the rule, or change the condition"
                yield finding("W199", "warning", message, span, fix)


def _value(source: RuleSource, key: str) -> Span:
    return header_span(source.text, key, MARK)


def _shadows(source: RuleSource) -> Iterator[Diagnostic]:
    rules = source.program.rules
    for later, earlier, equal in shadowed(source.program):
        name = rules[earlier].name
        first = f"`{name}`" if name else "the rule"
        message = (
            f"this rule can never act: {first} on line {source.spans[earlier].line} matches whenever it does"
        )
        fix = "remove it, or move it above that one"
        if equal:
            message, fix = f"this rule repeats {first} on line {source.spans[earlier].line}", "remove it"
        yield finding("W195", "warning", message, source.spans[later], fix)
