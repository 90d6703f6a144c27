"""The grammar at work: text to Lark's tree within the limits, and what went wrong in words."""

from collections.abc import Iterator

from lark import Token
from lark.exceptions import UnexpectedToken

from gpkit.genomes.plan import MAX_STEPS
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

STEPS = frozenset({"DO", "USE", "WAIT", "REPEAT", "WHILE", "DECIDE", "CHANCE", "MERGE"})
"""Terminals at which a step begins."""

RESERVED = frozenset(
    {"do", "use", "wait", "repeat", "while", "decide", "chance", "merge", "and", "or", "max", "end"}
)
"""Words of the language, which no plan, action or feature has for a name."""

_FRIENDLY = {
    "DO": "`do`",
    "USE": "`use`",
    "WAIT": "`wait`",
    "REPEAT": "`repeat`",
    "WHILE": "`while`",
    "DECIDE": "`decide`",
    "CHANCE": "`chance`",
    "MERGE": "`merge`",
    "NUMBER": "a number",
    "MINUS": "`-`",
    "NAME": "a name",
    "COMPARISON": "`<=`, `<`, `>`, `>=`, `==` or `!=`",
    "JOIN": "`and` or `or`",
    "MAX": "`max`",
    "YES": "`yes:`",
    "NO": "`no:`",
    "FROM": "a branch such as `from rush:`",
    "END": "`end`",
    "HEADING": "a heading such as `plan army:`",
    "$END": "the end of the file",
}
"""Terminals in the words of a person, in the order in which they are listed."""

_HINTS = {
    "#": "a comment starts with `//`",
    ";": "every step starts with its own word, such as `do`; it needs no `;`",
    "=": "compare with `==`",
    "{": "branches start with `yes:` and `no:`, and `end` closes a loop",
    "(": "a test is a feature, a comparison and a number",
}


class _Guard:
    """Watches the tokens on their way to the parser: what is too large, and plans that are written twice."""

    always_accept = ()

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        """The same tokens.

        Raises:
            Refused: at the first token that breaks a rule.
        """
        count = 0
        names: set[str] = set()
        for token in stream:
            count += token.type in STEPS
            if count > MAX_STEPS:
                raise exceed("E331", f"the program has more than {MAX_STEPS} steps", token_span(token))
            if token.type == "NUMBER":
                check_length(token, "E332")
            if token.type == "HEADING":
                name = plan_name(token)
                if name in names:
                    raise refuse("E312", f"the plan `{name}` is written twice", token_span(token))
                names.add(name)
            yield token


def plan_name(token: Token) -> str:
    """The name that a heading carries."""
    return token.removeprefix("plan").strip(": \t")


def branch_name(token: Token) -> str:
    """The name that the beginning of a branch carries."""
    return token.removeprefix("from").strip(": \t")


def _unexpected_token(text: str, error: UnexpectedToken) -> Refused:
    accepted = set(error.accepts or error.expected)
    expected = accepted_words(accepted, _FRIENDLY)
    token = error.token
    if token.type == "$END":
        mend = "a loop ends with `end`" if "END" in accepted else ""
        message = "the text ends in the middle of a plan"
        return refuse("E310", message, end_span(text, error), expected=expected, mend=mend)
    mend = ""
    if token.type in STEPS and "NO" not in accepted and not accepted & STEPS and "END" in accepted:
        mend = "nothing follows a decision: write it in both branches"
    elif token.type in STEPS and "YES" in accepted:
        mend = "a decision has a branch `yes:` and a branch `no:`, which can be empty"
    elif token.type == "END":
        mend = "`end` closes `repeat`, `while` and `merge` only"
    return refuse("E310", f"unexpected {shown(token)}", token_span(token), expected=expected, mend=mend)


READING = Reading(
    name="execution",
    guard=_Guard(),
    too_long="E330",
    stray="E311",
    hints=_HINTS,
    unexpected=_unexpected_token,
)
"""The grammar, and what is said about texts that break it; it reads a text."""
