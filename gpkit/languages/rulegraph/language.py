"""Defines the language of rule graphs for the registry, and the names in rules: rules, patterns, boxes and words."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from types import MappingProxyType
from typing import TYPE_CHECKING

from gpkit.core.primitives import PrimitiveSet
from gpkit.genomes.graph import RuleList
from gpkit.langkit.language import Language
from gpkit.langkit.naming import Name, Naming, Word, heading_name
from gpkit.langkit.recovery import Lexeme, Recovery
from gpkit.languages.rulegraph import forms
from gpkit.languages.rulegraph.checks import NAME, check
from gpkit.languages.rulegraph.syntax import READING
from gpkit.languages.rulegraph.text import RuleSource, format_source, parse, print_program

if TYPE_CHECKING:
    from gpkit.matching.plan import Plan

_INDEX = ("UNDERSCORE", "INT", "LBRACE", "RBRACE")
"""The terminals in the index of a box; at most four of them follow the letter of the box."""


def names(line: Sequence[Lexeme]) -> Iterator[Name]:
    """The names in the tokens of a line; the name of a box includes its index."""
    boxes: set[str] = set()
    for number, token in enumerate(line):
        if token.terminal == "NAME":
            yield heading_name(token, "rule")
        elif token.terminal == "PATTERN_NAME":
            yield Name(token.text, token.start, "pattern", number == 0)
        elif token.terminal == "BOX":
            index = takewhile(lambda part: part.terminal in _INDEX, line[number + 1 : number + 5])
            text = token.text + "".join(part.text for part in index)
            yield Name(text, token.start, "box", text not in boxes)
            boxes.add(text)
        elif token.terminal in ("ANYTHING", "WORD"):
            yield Name(token.text, token.start, "keyword")


def words(primitives: PrimitiveSet | None) -> tuple[Word, ...]:
    """The words for kinds of boxes, for ends of edges, and for conditions."""
    chain = "A chain of boxes with two undrawn sides each: `(3)` is its length, `(3+)` at least that."
    return (
        Word("q", "box", "q_0", "A box with four undrawn sides."),
        Word("t", "box", "t_0", "A box with three undrawn sides."),
        Word("l", "box", "l_0(2+)", chain),
        Word("x", "box", "x_0", "A box with one undrawn side, which can be taken."),
        Word("n", "keyword", "n", "The ground: the border of the board."),
        Word("w", "keyword", "w", "Anything: a box of any kind, or the ground."),
        Word("score", "keyword", "score", "The boxes of the player to move less those of the other."),
        Word("left", "keyword", "left", "The edges that are not drawn yet."),
    )


NAMING = Naming(names, words, {}, scopes={"NAME": "entity.name.section", "WORD": "variable.language"})


_EXAMPLE = """\
# take a box that one side closes
take: x_0 w => x_0 - w

# draw a side that gives nothing away: both boxes keep two sides or more
safe: t_0 t_1 => t_0 - t_1
safe-at-the-border: t_0 n => t_0 - n
early: q_0 w => q_0 - w

# else give a chain, short ones first
give-one: l_0(1) w => l_0 - w
give-two: l_0(2) w => l_0[1] - w
give: l_0(3+) w => l_0 - w
"""


def compile_for(program: RuleList, header: Mapping[str, str], primitives: PrimitiveSet) -> "tuple[Plan, ...]":
    """The plan that searches for the rules in the order of their precedence.

    Raises:
        LimitError: there are too many rules to match at the same time.
    """
    from gpkit.matching.plan import plan_of  # loads the compiler

    return (plan_of(program),)


def parts(source: RuleSource) -> dict[str, tuple[str, ...]]:
    """The texts of the rules."""
    return {"rules": source.texts}


def template(primitives: PrimitiveSet | None) -> str:
    """A small rule list with explanatory comments; it passes ``check`` for its game."""
    return "\n".join(
        [*([f"# game: {primitives.game}", "#"] if primitives is not None else []), *_NOTATION, "", _EXAMPLE]
    )


_NOTATION = (
    "# One rule a line; the first that matches acts. A rule lists boxes and what their undrawn sides lead to, then",
    "# the side to draw. A box is q, t, l or x, by its 4, 3, 2 or 1 undrawn sides, with an index. l is a chain of",
    "# boxes with its length: (3) three, (3+) three or more. n is the border of the board, w is anything. What an",
    "# entry leaves out is w. l_0[1] is the side that lies one further into the chain.",
    "#",
    "# With `# level: 1` above, conditions stand before the arrow: `; !t_8 t_9` (nowhere in the position), and",
    "# comparisons of lengths, numbers, the score (own boxes less the other player's) and the edges left, as in",
    "# `; l_0 < l_1 ; left >= 12`. A line `&safe = t_0 t_1` names a pattern that `&safe` then stands for.",
    "# A line that begins with `|` has the precedence of the rule above: one of the sides that such "
    "rules propose is drawn.",
)


RECOVERY = Recovery(
    reading=READING,
    local=frozenset(f"E{code}" for code in (*range(170, 187), 190, 192, 193) if code != 183),
    heading=re.compile(""),
    causes=MappingProxyType({"E183": re.compile("&|=(?!>)")}),
)

LANGUAGE = Language(
    recovery=RECOVERY,
    naming=NAMING,
    name=NAME,
    suffix=".rules",
    parse=parse,
    print_program=print_program,
    format_source=format_source,
    check=check,
    compile=compile_for,
    template=template,
    parts=parts,
    draw=lambda: forms.draw.DRAWING,
    json=lambda: forms.exports.JSON,
    latex=lambda: forms.exports.LATEX,
    lua=lambda: forms.exports.EXPORTING,
    steps=lambda: forms.playing.steps,
)
