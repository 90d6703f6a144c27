"""Programs as JSON, for other tools; it reads back to the same program."""

import json
import re
import sys
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from gpkit.core.diagnostics import suggestion
from gpkit.core.errors import LimitError, UsageError
from gpkit.core.header import print_header
from gpkit.core.primitives import Offers, PrimitiveSet, offered
from gpkit.core.registry import GAMES, find
from gpkit.export.json_rules import read_rules, rules_value
from gpkit.export.subject import Document, Subject, require_formulas, require_mode
from gpkit.genomes.graph import RuleList
from gpkit.genomes.linear import LinearProgram
from gpkit.genomes.tree import Symbol, Tree, TreeProgram, from_prefix
from gpkit.languages.arithmetic.operators import FORM
from gpkit.languages.arithmetic.syntax import MAX_NODES
from gpkit.languages.sinking.dialect import dialect_of
from gpkit.languages.sinking.words import BLOCKS, CAPACITIES, vocabulary

SCHEMA = "gpkit-program-1"

FORMULAS, LINES, RULES = "arithmetic", "sinking", "rulegraph"
"""The languages of programs of formulas, of programs of instructions, and of lists of rules."""

_WORD = re.compile(r"[A-Za-z_][A-Za-z_0-9]*", re.ASCII)


class JsonExporter:
    """One object: formulas in prefix order with names as strings, or the lines of every block, or rules as graphs."""

    name = "json"
    title = "JSON: formulas in prefix order, blocks line by line, rules as graphs; it reads back"
    modes: Mapping[str, str] = MappingProxyType({"program": "The program, which reads back."})

    def export(self, subject: Subject, mode: str) -> tuple[Document, ...]:
        """The object as one text.

        Raises:
            UsageError: an unknown mode, or a switch with a value that it does not have.
        """
        require_mode(self, mode)
        return (Document(".json", json_text(subject)),)


EXPORTER = JsonExporter()


def json_text(subject: Subject) -> str:
    """The program as JSON.

    Raises:
        UsageError: a switch has a value that it does not have.
    """
    program = subject.program
    language = (
        RULES if isinstance(program, RuleList) else LINES if isinstance(program, LinearProgram) else FORMULAS
    )
    value: dict[str, object] = {
        "schema": SCHEMA,
        "language": language,
        "name": subject.name,
        "game": subject.game,
        "header": dict(subject.header),
    }
    if language == RULES:
        value["rules"] = rules_value(program)
    elif language == LINES:
        value["dialect"] = dialect_of(subject.header, subject.primitives)
        value["blocks"] = dict(zip(program.names, program.blocks, strict=True))
    else:
        require_formulas(subject, EXPORTER.name)
        trees = zip(program.names, program.trees, strict=True)
        value["formulas"] = {name: list(tree.symbols) for name, tree in trees}
    return json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def read_subject(text: str, game: str | None = None) -> Subject:
    """What a JSON text was written from: program, name, header and game, but not rules and seed.

    An answer of the ``dialect`` that does not follow from the header becomes a line of it.

    Args:
        text: the JSON.
        game: what the program is for, whatever the text says of it.

    Raises:
        UsageError: it is not JSON, or not of this schema, or a formula or block is not one, or nobody knows the game or
            a word or switch of it, or it contradicts itself.
        LimitError: the program is too large.
    """
    value = _object(text)
    header = _header(value)
    game = game or _game(value, header)
    offers: Offers | None = None if game is None else find(GAMES, game, "game").load().offers
    language = _language(value)
    primitives = offered(offers, language)
    if offers is not None and primitives is None:
        raise UsageError(
            f"`{game}` takes programs of the language `{'` or `'.join(offers)}`, not `{language}`"
        )
    program: TreeProgram | LinearProgram | RuleList
    if language == LINES:
        header |= _answers(value, header, primitives)
        program = _blocks(value["blocks"], primitives)
    elif language == RULES:
        program = read_rules(value["rules"])
    else:
        program = _formulas(value)
    name = value.get("name", "program")
    if not isinstance(name, str):
        raise UsageError("the `name` of a program is a word")
    return Subject(program, name, header, primitives)


def _object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"this is not JSON: {error}") from None
    if not isinstance(value, dict) or value.get("schema") != SCHEMA:
        raise UsageError(f'this is not a program: its `schema` should be "{SCHEMA}"')
    return value


def _game(value: Mapping[str, Any], header: Mapping[str, str]) -> str | None:
    """The game that the program or its header names, or None."""
    game, said = value.get("game"), header.get("game")
    if not (game is None or isinstance(game, str)):
        raise UsageError("the `game` of a program is a name, or null")
    if None not in (game, said) and game != said:
        raise UsageError(f"the `game` of the program is `{game}`, but that of its `header` is `{said}`")
    return said if game is None else game


def _language(value: Mapping[str, Any]) -> str:
    """The language that follows from what the program consists of."""
    known = {"blocks": LINES, "rules": RULES, "formulas": FORMULAS}
    parts = next((name for name in known if name in value), "formulas")
    language = known[parts]
    said = value.get("language", language)
    if said != language:
        raise UsageError(f"a program of `{parts}` is in the `language` `{language}`, not `{said}`")
    return language


def _header(value: Mapping[str, Any]) -> dict[str, str]:
    header = _texts(value, "header")
    try:
        print_header(header)
    except ValueError as error:
        raise UsageError(str(error)) from None
    return header


def _texts(value: Mapping[str, Any], field: str) -> dict[str, str]:
    """An object of strings; empty where there is none."""
    found = value.get(field, {})
    if not isinstance(found, dict) or not all(isinstance(each, str) for each in found.values()):
        raise UsageError(f"the `{field}` of a program is an object of strings")
    return dict(found)


def _answers(
    value: Mapping[str, Any], header: Mapping[str, str], primitives: PrimitiveSet | None
) -> dict[str, str]:
    """The answers of the dialect that do not follow from the header."""
    said = dialect_of(header, primitives)
    dialect = _texts(value, "dialect")
    for switch in dialect:
        if switch not in said:
            raise UsageError(f"there is no switch `{switch}`; {suggestion(switch, said)}")
    dialect_of(dialect, primitives)  # refuses an answer that its switch does not have
    return {switch: answer for switch, answer in dialect.items() if said[switch] != answer}


def _blocks(blocks: object, primitives: PrimitiveSet | None) -> LinearProgram:
    """The program of the blocks; one that is not there is empty."""
    if not isinstance(blocks, dict) or not blocks:
        raise UsageError("a program of instructions has `blocks`, an object of at least one")
    for name, lines in blocks.items():
        if name not in BLOCKS:
            raise UsageError(f"there is no block `{name}`; {suggestion(name, BLOCKS)}")
        if not isinstance(lines, list) or not all(_is_instruction(line) for line in lines):
            raise UsageError(f"the block `{name}` should be a list of instructions, each of them one word")
    for name, capacity in zip(BLOCKS, CAPACITIES, strict=True):
        if (length := len(blocks.get(name, ()))) > capacity:
            raise LimitError(f"`{name}` holds at most {capacity} lines; here are {length}")
    known = vocabulary(primitives) if primitives is not None else None
    for word in dict.fromkeys(line for lines in blocks.values() for line in lines):
        if known is not None and word not in known:
            assert primitives is not None
            raise UsageError(f"`{primitives.game}` has no instruction `{word}`; {suggestion(word, known)}")
    return LinearProgram(BLOCKS, tuple(tuple(blocks.get(name, ())) for name in BLOCKS))


def _is_instruction(value: object) -> bool:
    return isinstance(value, str) and _WORD.fullmatch(value) is not None and value.lower() not in BLOCKS


def _formulas(value: Mapping[str, Any]) -> TreeProgram:
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
