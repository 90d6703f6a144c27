"""The language of rule graphs as the registry knows it."""

import re
from collections.abc import Mapping
from types import MappingProxyType

from gpkit.core.primitives import PrimitiveSet
from gpkit.genomes.graph import RuleList
from gpkit.langkit.language import Language
from gpkit.langkit.recovery import Recovery
from gpkit.languages.rulegraph.checks import NAME, check
from gpkit.languages.rulegraph.formatter import format_source
from gpkit.languages.rulegraph.naming import NAMING
from gpkit.languages.rulegraph.parser import Source, parse
from gpkit.languages.rulegraph.printer import print_program
from gpkit.languages.rulegraph.syntax import READING
from gpkit.matching.plan import Plan, plan_of

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


def compile_for(program: RuleList, header: Mapping[str, str], primitives: PrimitiveSet) -> tuple[Plan, ...]:
    """The searches of the rules, in the order of their precedence.

    Raises:
        LimitError: there are too many rules to be matched together.
    """
    return (plan_of(program),)


def parts(source: Source) -> dict[str, tuple[str, ...]]:
    """The rules as they are written."""
    return {"rules": source.texts}


def template(primitives: PrimitiveSet | None) -> str:
    """A small rule list with comments that say what there is; it passes ``check`` for its game."""
    header = [f"# game: {primitives.game}", "#"] if primitives is not None else []
    return "\n".join([*header, *_notation(), "", _EXAMPLE])


def _notation() -> list[str]:
    return [
        "# One rule a line; the first that matches acts. A rule lists boxes and what their undrawn sides lead to, then",
        "# the side to draw. A box is q, t, l or x, by its 4, 3, 2 or 1 undrawn sides, with an index. l is a chain of",
        "# boxes with its length: (3) three, (3+) three or more. n is the border of the board, w is anything. What an",
        "# entry leaves out is w. l_0[1] is the side that lies one further into the chain.",
        "#",
        "# With `# level: 1` above, conditions stand before the arrow: `; !t_8 t_9` (nowhere in the position), and",
        "# comparisons of lengths, numbers, the score (own boxes less the other player's) and the edges left, as in",
        "# `; l_0 < l_1 ; left >= 12`. A line `&safe = t_0 t_1` names a pattern that `&safe` then stands for.",
        "# A line that begins with `|` has the precedence of the rule above: of all sides that such rules say any one.",
    ]


RECOVERY = Recovery(
    reading=READING,
    local=frozenset(f"E{code}" for code in (*range(170, 187), 190, 192, 193) if code != 183),
    heading=re.compile(""),
    causes=MappingProxyType({"E183": re.compile("&|=(?!>)")}),
)
"""Reading on after an error."""

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
)
