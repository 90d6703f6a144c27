"""The likely meaning of a text that does not parse: misspelt words, words from other languages, missing parts."""

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from copy import copy
from dataclasses import replace
from typing import Any

from lark import Token, Tree
from lark.exceptions import UnexpectedToken

from gpkit.core.diagnostics import Diagnostic, Span, nearest

Words = Mapping[str, Sequence[str]]
"""The words of a language, by terminal."""

NEAR = 80
"""The most characters to search on either side of a place for a word or a number."""


def meant(
    text: str, found: Diagnostic, accepted: Set[str], words: Words, hints: Mapping[str, str]
) -> Diagnostic:
    """The finding, with the probable meaning of the word at its place, or of the word before it on the line.

    Args:
        text: the whole text.
        found: a finding about a place in the text.
        accepted: the terminals that could stand there.
        words: the words of the language.
        hints: advice about words from other languages.

    Returns:
        ``found`` itself if no meaning is likely.
    """
    start = found.span.start
    line = max(text.rfind("\n", 0, start) + 1, start - NEAR)
    whole, part = re.search("[0-9]+$", text[line:start]), re.match(",([0-9]+)", text[start : start + NEAR])
    if whole and part:
        return replace(found, help=f"use a decimal point, not a comma: `{whole[0]}.{part[1]}`")
    here, before = re.compile(r"[A-Za-z_][\w.]+"), re.compile(r"[A-Za-z_][\w.]+(?=[ \t]+$)")
    for word, known, expected in (
        (here.match(text, start), accepted, found.expected),
        (before.search(text, line, start), words, ()),
    ):
        if word is not None and not any(word[0] in each for each in words.values()):
            near = nearest(word[0], [each for name in known for each in words.get(name, ())], cutoff=1.0)
            if fix := f"did you mean `{near}`?" if near else hints.get(word[0]):
                return replace(
                    found,
                    message=f"unexpected `{word[0]}`",
                    span=Span.at(text, *word.span()),
                    expected=expected,
                    help=fix,
                )
    return found


def missing(
    text: str,
    found: Diagnostic,
    error: UnexpectedToken,
    words: Words,
    friendly: Mapping[str, str],
    parts: Mapping[str, Sequence[Token]],
) -> Diagnostic:
    """A finding that a word lacks a part, that a section is missing, or that the line above ends too early.

    Args:
        text: the whole text.
        found: the finding about an unexpected token.
        error: the error of the parser at that token.
        words: the words of the language.
        friendly: everyday words for the terminals.
        parts: examples of the parts that complete a word, as tokens, by the first terminal of the part.

    Returns:
        ``found`` itself if none of these explains the error.
    """
    parser: Any = error.interactive_parser
    token, accepted, stack = error.token, parser.accepts(), parser.parser_state.value_stack
    begun = [each for each in stack if isinstance(each, Token) and each.type == each.upper()]
    for opener in [each for each in begun if each.type in words.keys() - parts][-1:]:
        for part in (each for each in parts if each in accepted):
            if _leads_on(parser, (*(each for each in parts[part] if each.strip()), token)):
                return replace(
                    found,
                    message=f"this `{opener}` has no {friendly[part]}",
                    span=Span.at(text, opener.start_pos or 0, opener.end_pos or 0),
                    expected=(friendly[part],),
                    help=f"add `{''.join(parts[part])}`",
                )
    if token.type == "SECTION" and "$END" in accepted and isinstance(stack[0], Tree):
        return replace(
            found,
            message="this comes before the first section",
            span=Span.at(text, stack[0].meta.start_pos, stack[0].meta.end_pos),
            expected=(friendly["SECTION"],),
        )
    end = getattr(getattr(stack[-1], "meta", stack[-1]), "end_pos", None) if stack else None
    leads = not text[text.rfind("\n", 0, found.span.start) + 1 : found.span.start].strip()
    if end is not None and leads and (token.type == "SECTION" or words.get(token.type)):
        values = [each for each in accepted if not words.get(each)]
        if len(values) == len(accepted) or any(
            _leads_on(parser, (Token(each, ""), token)) for each in values
        ):
            return replace(found, message="the line ends too early", span=Span.at(text, end, end))
    return found


def _leads_on(parser: Any, tokens: Iterable[Token]) -> bool:
    """Whether a parser can go on with these tokens."""
    trial = parser.copy(deepcopy_values=False)
    trial.parser_state.parse_conf = copy(trial.parser_state.parse_conf)
    trial.parser_state.parse_conf.callbacks = {}
    try:
        for token in tokens:
            trial.feed_token(token)
    except UnexpectedToken:
        return False
    return True
