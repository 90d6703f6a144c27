"""Texts of all languages without an error, and mistakes to put into them: ``tests/cases/recovery.toml``."""

from collections.abc import Mapping, Sequence

from case_files import case_tables

CASES = case_tables("recovery.toml")

VALID: Mapping[str, str] = {language: each["text"] for language, each in CASES.items()}
"""A text of each language without an error."""

MISTAKES: Mapping[str, Sequence[tuple[int, str, str]]] = {
    language: [(number, line, code) for number, line, code in each["mistakes"]]
    for language, each in CASES.items()
}
"""Lines instead of those with these numbers, and the code of the error that each has."""


def with_mistakes(text: str, mistakes: Sequence[tuple[int, str, str]]) -> str:
    """The text with these mistakes in it."""
    lines = text.splitlines()
    for number, wrong, _ in mistakes:
        lines[number - 1] = wrong
    return "\n".join(lines) + "\n"
