"""Programs as JSON, for other tools; it reads back to the same program."""

import json
import sys
from collections.abc import Mapping
from typing import Any

from gpkit.core.errors import LimitError, UsageError
from gpkit.export.subject import Document, Subject, require_formulas, require_mode
from gpkit.genomes.tree import Symbol, Tree, TreeProgram, from_prefix
from gpkit.languages.arithmetic.operators import FORM
from gpkit.languages.arithmetic.syntax import MAX_NODES

SCHEMA = "gpkit-program-1"


class JsonExporter:
    """One object: the formulas in prefix order, names as strings, constants as numbers."""

    name = "json"
    title = "JSON: every formula in prefix order; it reads back"
    modes: tuple[str, ...] = ("program",)

    def export(self, subject: Subject, mode: str) -> tuple[Document, ...]:
        """The object as one text.

        Raises:
            UsageError: an unknown mode.
        """
        require_mode(self, mode)
        require_formulas(subject, self.name)
        return (Document(".json", json_text(subject)),)


EXPORTER = JsonExporter()


def json_text(subject: Subject) -> str:
    """The program as JSON."""
    value = {
        "schema": SCHEMA,
        "language": "arithmetic",
        "name": subject.name,
        "game": subject.game,
        "header": dict(subject.header),
        "formulas": {
            name: list(tree.symbols)
            for name, tree in zip(subject.program.names, subject.program.trees, strict=True)
        },
    }
    return json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def read_json(text: str) -> TreeProgram:
    """The program of a JSON text.

    Raises:
        UsageError: it is not JSON, or not of this schema, or a formula is not one.
        LimitError: it has too many nodes.
    """
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"this is not JSON: {error}") from None
    if not isinstance(value, dict) or value.get("schema") != SCHEMA:
        raise UsageError(f'this is not a program: its `schema` should be "{SCHEMA}"')
    formulas = value.get("formulas")
    if not isinstance(formulas, dict) or not formulas:
        raise UsageError("a program has `formulas`, an object of at least one")
    if sum(len(symbols) for symbols in formulas.values() if isinstance(symbols, list)) > MAX_NODES:
        raise LimitError(f"the program has more than {MAX_NODES} nodes")
    return TreeProgram(tuple(formulas), tuple(_tree(formulas, name) for name in formulas))


def _tree(formulas: Mapping[str, Any], name: str) -> Tree:
    symbols = formulas[name]
    if not isinstance(symbols, list) or not all(_is_symbol(s) for s in symbols):
        raise UsageError(f"the formula `{name}` should be a list of names and finite numbers")
    prefix: list[Symbol] = [s if isinstance(s, str) else float(s) + 0.0 for s in symbols]
    try:
        return from_prefix(prefix, [FORM[s].arity if s in FORM else 0 for s in prefix])
    except ValueError as error:
        raise UsageError(f"the formula `{name}` is not in prefix order: {error}") from None


def _is_symbol(value: object) -> bool:
    if isinstance(value, str):
        return bool(value)
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max
