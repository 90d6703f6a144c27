"""Scopes of a language's terminals, by which editors colour a text: patterns that are tried in order at every place.

A pattern knows no context, so a word of a language is coloured as such wherever it stands alone. The patterns mean the
same to Oniguruma, the engine of VS Code, and to the browser.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from lark.lexer import TerminalDef

from gpkit.langkit.language import Language

HIDDEN = frozenset({"BLANK", "SPACE", "_NEWLINE"})
"""Terminals that show nothing."""

SCOPES: Mapping[str, str] = {
    "COMMENT": "comment.line",
    "NUMBER": "constant.numeric",
    "INT": "constant.numeric",
    "COUNT": "constant.numeric",
    "_ORDINAL": "constant.numeric",
    "STRING": "string.quoted.double",
    "NAME": "variable.other",
    "WORD": "support.function",
    "SECTION": "entity.name.section",
    "HEADING": "entity.name.section",
    "STATE": "keyword.other",
    "BOX": "entity.name.type",
    "ANYTHING": "constant.language",
    "PATTERN_NAME": "entity.name.class",
    "ANNOTATION": "storage.modifier",
    "ARROW": "keyword.operator.arrow",
    "LPAR": "punctuation.parenthesis",
    "RPAR": "punctuation.parenthesis",
    "COMMA": "punctuation.separator",
    "COLON": "punctuation.separator",
    "SEMICOLON": "punctuation.separator",
    "UNDERSCORE": "punctuation.separator",
    "LBRACE": "punctuation.bracket",
    "RBRACE": "punctuation.bracket",
    "LSQB": "punctuation.bracket",
    "RSQB": "punctuation.bracket",
    **dict.fromkeys(("YES", "NO", "ELSE", "FROM", "JOIN", "END", "MAX"), "keyword.control"),
}
"""Scopes of terminals in all languages, which are TextMate's; other words are ``keyword.control``, other signs
``keyword.operator``.
"""

CALLED = "entity.name.function"
"""Scope of a name before a parenthesis, in languages with calls."""


@dataclass(frozen=True, slots=True)
class Colour:
    """A pattern and the scope of what it matches.

    Attributes:
        pattern: a regular expression of one line.
        scope: without the name of the language.
        groups: scopes of groups of the pattern, by number.
    """

    pattern: str
    scope: str
    groups: Mapping[int, str] = field(default_factory=dict)


def scope_of(language: Language, terminal: TerminalDef) -> str:
    """The scope of a terminal, without the name of the language at its end."""
    known = _own_scopes(language).get(terminal.name) or SCOPES.get(terminal.name)
    return known or ("keyword.control" if _is_word(terminal) else "keyword.operator")


def _own_scopes(language: Language) -> Mapping[str, str]:
    """The scopes of terminals that mean something else in this language than in others."""
    return language.naming.scopes if language.naming is not None else {}


def _is_word(terminal: TerminalDef) -> bool:
    """Whether a terminal is a word, or one of several."""
    return terminal.pattern.value.replace("|", "").replace("(?:", "").replace(")", "").isalpha()


def terminals(language: Language) -> list[TerminalDef]:
    """The terminals of a language in the order in which they are tried, words before names."""
    assert language.recovery is not None
    frontend: Any = language.recovery.reading.grammar().parser
    ordered = [each for each in frontend.lexer.lexer.root_lexer.terminals if each.name not in HIDDEN]
    return sorted(ordered, key=lambda each: not (each.name == "COMMENT" or _is_word(each)))


def comment_mark(language: Language) -> str:
    """The start of comments in a language, ``//`` where it says no terminals."""
    if language.recovery is None:
        return "//"
    comment = next(each for each in terminals(language) if each.name == "COMMENT")
    return "#" if comment.pattern.value.startswith("#") else "//"


def colours(language: Language) -> Iterator[Colour]:
    """The patterns of a language in the order in which they are tried; none of one that says no terminals."""
    if language.recovery is None:
        return
    found = terminals(language)
    heading = rf"^[ \t]*({comment_mark(language)})[ \t]*([A-Za-z_][A-Za-z_0-9-]*)[ \t]*:(.*)$"
    yield Colour(heading, "comment.line", {2: "keyword.other", 3: "string.unquoted"})
    calls = any(each.name == "LPAR" for each in found)
    for terminal in found:
        written = terminal.pattern.to_regexp().removesuffix("(?![A-Za-z_.])").replace("\\/", "/")
        if _is_word(terminal):
            written = rf"(?<![\w.]){written}(?![\w.])"
        if terminal.name == "NAME" and calls and "NAME" not in _own_scopes(language):
            yield Colour(rf"{written}(?=[ \t]*\()", CALLED)
        yield Colour(written, scope_of(language, terminal))
