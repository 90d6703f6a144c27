"""Opponents that are formulas: each must be a program of its game."""

from collections.abc import Iterator
from typing import Any

from gpkit.authoring.contract.findings import Fault
from gpkit.authoring.contract.subject import OPPONENT
from gpkit.core.diagnostics import SourceError
from gpkit.core.registry import language_entry


def check_formulas(game: Any) -> Iterator[Fault]:
    """Texts of opponents are formulas of the game."""
    for name, text in game.texts.items():
        language = language_entry(next(iter(game.offers))).load()
        try:
            findings = language.check(language.parse(text, f"{name}.tree"), game.offers)
        except SourceError as error:
            findings = (error.diagnostic,)
        for found in findings:
            if found.severity == "error":
                mend = f"; {found.help}" if found.help else ""
                yield Fault(f"{OPPONENT}{name}", f"{name}, `{text}`: {found.message}{mend}")
                break
