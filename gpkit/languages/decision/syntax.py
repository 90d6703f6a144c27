"""The grammar at work: text to Lark's tree within the limits, and what went wrong in words."""

from collections.abc import Iterator

from lark import Token
from lark.exceptions import UnexpectedToken

from gpkit.core.diagnostics import Span
from gpkit.langkit.reading import (
    Reading,
    Refused,
    accepted_words,
    check_length,
    end_span,
    exceed,
    refuse,
    shown,
    token_span,
)
from gpkit.langkit.sections import Sectioning, section_name

MAX_NODES = 10_000
"""The most nodes of a program, all sections together."""

MAX_DEPTH = 60
"""The most nodes from the root of a tree to a leaf, so that every host can nest its conditions."""

SECTIONS = Sectioning(part="tree", twice="E352", empty="E353", missing="E361", unknown="E362")
"""Words and codes for sections of trees."""

WORDS = frozenset({"test", "switch", "chance", "below"})
"""Words that are no names unless they stand in quotation marks."""

_FRIENDLY = {
    "TEST": "`test`",
    "SWITCH": "`switch`",
    "CHANCE": "`chance`",
    "NUMBER": "a number",
    "MINUS": "`-`",
    "NAME": "a name",
    "STRING": 'a name such as `"sepal length"`',
    "COMPARISON": "`<=`, `<`, `>`, `>=`, `==` or `!=`",
    "BELOW": "`below`",
    "COLON": "`:`",
    "YES": "`yes:`",
    "NO": "`no:`",
    "ELSE": "`else:`",
    "SECTION": "a section such as `play:`",
    "$END": "the end of the file",
}
"""Terminals in the words of a person, in the order in which they are listed."""

_HINTS = {
    "#": "a comment starts with `//`",
    ";": "branches start with `yes:`, `no:`, `below 3:` or `else:`; they need no `;`",
    "=": "compare with `==`",
    '"': "the quotation mark is never closed on its line",
    "{": "branches start with `yes:` and `no:`",
    "(": 'write `chance 0.5`, and names with blanks as in `"sepal length (cm)"`',
}

_INNER = frozenset({"TEST", "SWITCH", "CHANCE"})
BRANCHES = frozenset({"YES", "NO", "BELOW", "ELSE"})
"""Terminals at which a branch begins."""

_BRANCH_NAMES = frozenset({"yes", "no", "else"})


class _Guard:
    """Watches the tokens on their way to the parser: sections, and what is too large; it keeps nothing."""

    always_accept = ("SECTION",)  # known as such where only a node fits, for the sake of the message

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        """The same tokens.

        Raises:
            Refused: at the first token that breaks a rule.
        """
        words = 0
        sections: set[str] = set()
        last: Token | None = None
        for token in stream:
            words += token.type in _INNER or token.type in BRANCHES
            if words > 2 * MAX_NODES:
                raise too_many_nodes(token_span(token))
            if token.type == "NUMBER":
                check_length(token, "E371")
            if token.type == "SECTION":
                SECTIONS.check_filled(last)
                name = section_name(token)
                if name in _BRANCH_NAMES:
                    raise refuse("E350", f"the branch `{name}:` follows no test", token_span(token))
                SECTIONS.check_new(token, sections)
            last = token
            yield token
        if last is None:
            raise refuse("E353", "there is no tree", Span(0, 0, 1, 1), mend="a leaf is one, such as `1.0`")
        SECTIONS.check_filled(last)


def too_many_nodes(span: Span) -> Refused:
    """The program is larger than ``MAX_NODES``."""
    return exceed("E372", f"the program has more than {MAX_NODES} nodes", span)


def _unexpected_token(text: str, error: UnexpectedToken) -> Refused:
    accepted = set(error.accepts or error.expected)
    expected = accepted_words(accepted, _FRIENDLY)
    token = error.token
    if token.type == "$END":
        message = "the text ends in the middle of a tree"
        return refuse("E350", message, end_span(text, error), expected=expected)
    mend = ""
    if token.type == "YES" and "BELOW" in accepted:
        mend = "a switch has intervals, as in `below 3: 1.0`, and then `else:`"
    elif token.type in BRANCHES and "$END" in accepted:
        mend = "every test before it has both its branches"
    elif token.type == "SECTION" and accepted & BRANCHES:
        mend = "a test has a branch `yes:` and a branch `no:`"
    return refuse("E350", f"unexpected {shown(token)}", token_span(token), expected=expected, mend=mend)


READING = Reading(
    name="decision",
    guard=_Guard(),
    too_long="E370",
    stray="E351",
    hints=_HINTS,
    unexpected=_unexpected_token,
)
"""The grammar, and what is said about texts that break it; it reads a text."""
