"""Writes and reads the JSON object of a program: a common part, and members that the language adds."""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gpkit.core import plugins
from gpkit.core.check_report import CheckReport, CheckRow
from gpkit.core.diagnostics import SourceError
from gpkit.core.errors import UsageError
from gpkit.core.header import print_header
from gpkit.core.primitives import RANDOM, Offers, PrimitiveSet, offered
from gpkit.core.registry import all_languages, game_of
from gpkit.export.subject import Document, Exporting, Subject
from gpkit.genomes.comparisons import SIGNS, Sign
from gpkit.genomes.tree import Computed, Function, Symbol, Tree
from gpkit.langkit.formulas import computed
from gpkit.langkit.language import form, form_of
from gpkit.langkit.operators import NOTATION, PRIMARY

SCHEMA = "gpkit-program-1"

LAYER = "json"


@dataclass(frozen=True, slots=True)
class Membership:
    """The form ``json`` of a language, which writes programs as members of the JSON object.

    Attributes:
        member: the name of the member with the program.
        members: returns the members for a subject: the program, and anything else that the language adds.
        read: takes (object, header, primitives) and returns the program, and lines to add to the header; raises a
            UsageError for an invalid object, and a LimitError for one that is too large.
    """

    member: str
    members: Callable[[Subject], Mapping[str, Any]]
    read: Callable[[Mapping[str, Any], Mapping[str, str], PrimitiveSet | None], tuple[Any, Mapping[str, str]]]


def documents(subject: Subject, mode: str) -> tuple[Document, ...]:
    """The JSON file of a program.

    Raises:
        UsageError: a switch has an unknown value.
    """
    return (Document(".json", json_text(subject)),)


def check(subject: Subject, mode: str, evaluations: int, games: int) -> CheckReport:
    """Checks that reading the text back gives the same program; the report counts the parts of the program."""
    text = json_text(subject)
    again = read_subject(text)
    failures = int((again.program, again.header) != (subject.program, dict(subject.header)))
    parts = len(json.loads(text)[membership(subject.program.language).member])
    return CheckReport((CheckRow("json", parts, 0, failures, "it reads back differently" * failures),))


EXPORTING = Exporting(documents, check)


def json_text(subject: Subject) -> str:
    """The JSON text of a program.

    Raises:
        UsageError: a switch has an unknown value.
    """
    value = {
        "schema": SCHEMA,
        "language": subject.program.language,
        "name": subject.name,
        "game": subject.game,
        "header": dict(subject.header),
        **membership(subject.program.language).members(subject),
    }
    return json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def read_subject(text: str, game: str | None = None) -> Subject:
    """Read a subject back from its JSON text: program, name, header and game, but not the rules or the seed.

    If the value of a switch in ``dialect`` does not follow from the header, it is added to the header.

    Args:
        text: the JSON text.
        game: the game of the program; it overrides the text.

    Raises:
        UsageError: the text is not JSON or does not follow this schema, a formula or a block is malformed, the game or
            one of its words or switches is unknown, or the text contradicts itself.
        LimitError: the program is too large.
    """
    try:
        value = json.loads(text)
        json.dumps(value, ensure_ascii=False).encode()  # which refuses unpaired surrogates
    except (ValueError, RecursionError) as error:
        raise UsageError(f"this is not JSON: {error}") from None
    if not isinstance(value, dict) or value.get("schema") != SCHEMA:
        raise UsageError(f'this is not a program: its `schema` should be "{SCHEMA}"')
    header = texts(value, "header")
    try:
        print_header(header)
    except ValueError as error:
        raise UsageError(str(error)) from None
    game = game or _game(value, header)
    offers: Offers | None = None if game is None else game_of(game).offers
    language = _language(value)
    primitives = offered(offers, language)
    if offers is not None and primitives is None:
        raise UsageError(
            f"`{game}` takes programs in the language `{'` or `'.join(offers)}`, not `{language}`"
        )
    program, lines = membership(language).read(value, header, primitives)
    name = value.get("name", "program")
    if not isinstance(name, str):
        raise UsageError("the `name` of a program must be a word")
    return Subject(program, name, {**header, **lines}, primitives)


def membership(language: str, to: str = LAYER) -> Membership:
    """The ``json`` form of a language; it raises a UsageError if the language has none."""
    return form(language, lambda each: each.json(), f"export {{}} to {to}")


def _game(value: Mapping[str, object], header: Mapping[str, str]) -> str | None:
    """The game that the program or its header names, or None."""
    game, said = value.get("game"), header.get("game")
    if not (game is None or isinstance(game, str)):
        raise UsageError("the `game` of a program must be a name or null")
    if None not in (game, said) and game != said:
        raise UsageError(f"the `game` of the program is `{game}`, but its `header` says `{said}`")
    return said if game is None else game


def _language(value: Mapping[str, Any]) -> str:
    """The language of a program, which follows from the member that holds the program."""
    names = [each.name for each in all_languages()]
    forms = {name: form_of(name, lambda each: each.json()) for name in names}
    known = {name: found.member for name, found in forms.items() if found is not None}
    holds = [name for name, member in known.items() if member in value] or [next(iter(known))]
    said = value.get("language", holds[0])
    if said not in holds:
        raise UsageError(
            f"a program with `{known[holds[0]]}` is in the `language` `{holds[0]}`, not `{said}`"
        )
    return str(said)


def texts(value: Mapping[str, Any], field: str) -> dict[str, str]:
    """The value of a field that must be an object of strings; empty if the field is missing.

    Raises:
        UsageError: the field is not an object of strings.
    """
    found = value.get(field, {})
    if not isinstance(found, dict) or not all(isinstance(each, str) for each in found.values()):
        raise UsageError(f"the `{field}` of a program must be an object of strings")
    return dict(found)


def is_number(value: object) -> bool:
    """True if a value is a finite number that a double can hold."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number that no double holds
        return False


def is_name(value: object) -> bool:
    """True if a value is a string that contains anything other than white space."""
    return isinstance(value, str) and bool(value.strip())


def read_number(value: Any) -> float | None:
    """The value as a double; None if it is not a number. -0.0 becomes 0.0."""
    return float(value) + 0.0 if is_number(value) else None


def share(value: object) -> float | None:
    """The value as a double, or None if it is not a number from 0 to 1."""
    found = read_number(value)
    return found if found is not None and 0.0 <= found <= 1.0 else None


def sign(value: object) -> Sign | None:
    """The value if it is a comparison operator; otherwise None."""
    return next((each for each in SIGNS if each == value), None)


FUNCTIONS = "functions"
"""The key of a program's functions."""


def function_members(functions: Sequence[Function]) -> dict[str, Any]:
    """The member for the functions of a program; none without functions."""
    found = {
        name: {"parameters": list(name.parameters), "formula": list(name.body.symbols)} for name in functions
    }
    return {FUNCTIONS: found} if found else {}


def read_functions(value: Mapping[str, Any]) -> dict[str, Function]:
    """The functions that the formulas of a JSON object can call, by name; Python functions are among them.

    Raises:
        UsageError: a function is malformed.
    """
    known, functions = dict[str, Function](plugins.here.functions), value.get(FUNCTIONS, {})
    if not isinstance(functions, dict):
        raise UsageError("the `functions` of a program must be an object")
    for name, function in functions.items():
        parameters = function.get("parameters") if isinstance(function, dict) else None
        if not isinstance(parameters, list) or not all(isinstance(each, str) for each in parameters):
            raise UsageError(
                f"the function `{name}` should have `parameters`, a list of names, and a `formula`"
            )
        known[name] = Function(name, tuple(parameters), read_formula(function.get("formula"), name, known))
    return known


def own_among(functions: Mapping[str, Function]) -> tuple[Function, ...]:
    """The functions that are formulas."""
    return tuple(each for each in functions.values() if not each.sha256)


def read_formula(symbols: object, name: str, functions: Mapping[str, Function]) -> Tree:
    """The formula for a list of symbols in prefix order.

    Raises:
        UsageError: the list is not a formula.
    """
    if not isinstance(symbols, list) or not all(is_number(s) or (isinstance(s, str) and s) for s in symbols):
        raise UsageError(f"the formula `{name}` should be a list of names and finite numbers")
    prefix: list[Symbol] = [functions.get(s, s) if isinstance(s, str) else float(s) + 0.0 for s in symbols]
    try:
        return Tree.from_prefix(prefix, [NOTATION[s].arity if s in NOTATION else 0 for s in prefix])
    except ValueError as error:
        raise UsageError(f"the formula `{name}` is not in prefix order: {error}") from None


def feature_value(feature: str) -> object:
    """The JSON value of a feature: its name, or the symbols of the formula that computes it."""
    return {"formula": list(feature.tree.symbols)} if isinstance(feature, Computed) else feature


def read_feature(
    functions: Mapping[str, Function], is_word: Callable[[object], object], value: object
) -> str | None:
    """The feature for a JSON value; None if it is neither a name nor a formula.

    Raises:
        UsageError: it is a formula that a condition cannot contain.
    """
    if not isinstance(value, dict):
        return str(value) if is_word(value) else None
    tree = read_formula(value.get("formula"), "condition", functions)
    root = tree.symbols[0]
    if RANDOM in tree.symbols or root not in NOTATION or NOTATION[root].binding != PRIMARY:
        raise UsageError(
            "the formula of a condition should call a function or an operator, and draw no numbers"
        )
    return computed(tree)


def read_again(program: Any, write: Callable[[Any], str], parse: Callable[[str], Any]) -> Any:
    """A program with functions, read again from its text, which checks names, cycles and sizes.

    Raises:
        UsageError: the text cannot be read.
    """
    try:
        return parse(write(program)).program
    except SourceError as error:
        raise UsageError(f"the text of the program cannot be read: {error.diagnostic.message}") from None
