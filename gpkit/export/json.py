"""The JSON object of a program, which reads back: what all languages share, and what a language adds."""

import json
import math
from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable

from gpkit.core.check_report import CheckReport, CheckRow
from gpkit.core.errors import UsageError
from gpkit.core.header import print_header
from gpkit.core.primitives import Offers, PrimitiveSet, offered
from gpkit.core.registry import all_languages, form, game_of, has_form
from gpkit.export.registry import Document, Subject
from gpkit.genomes.comparisons import SIGNS, Sign

SCHEMA = "gpkit-program-1"

LAYER = "json"


@runtime_checkable
class Membership(Protocol):
    """Programs as members of the object: further parts of ``forms.json`` of a language.

    ``MEMBER`` is the name of the one that holds the program, ``members`` gives it and what else the language adds, and
    ``read`` the program of an object with the lines that it adds to the header; a UsageError says what is wrong in it,
    and a LimitError that it is too large.
    """

    MEMBER: str

    def members(self, subject: Subject) -> Mapping[str, Any]: ...
    def read(
        self, value: Mapping[str, Any], header: Mapping[str, str], primitives: PrimitiveSet | None
    ) -> tuple[Any, Mapping[str, str]]: ...


def documents(subject: Subject, mode: str) -> tuple[Document, ...]:
    """The object as one text.

    Raises:
        UsageError: a switch has a value that it does not have.
    """
    return (Document(".json", json_text(subject)),)


def check(subject: Subject, mode: str, evaluations: int, games: int) -> CheckReport:
    """Whether the text reads back to the program; as many parts as the program has are compared."""
    text = json_text(subject)
    again = read_subject(text)
    failures = int((again.program, again.header) != (subject.program, dict(subject.header)))
    parts = len(json.loads(text)[membership(subject.program.language).MEMBER])
    return CheckReport((CheckRow("json", parts, 0, failures, "it reads back differently" * failures),))


def json_text(subject: Subject) -> str:
    """The program as JSON.

    Raises:
        UsageError: a switch has a value that it does not have.
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
    """Read a subject back from its JSON text: program, name, header and game, but not rules and seed.

    An answer of the ``dialect`` that does not follow from the header becomes a line of it.

    Args:
        text: the JSON.
        game: what the program is for, whatever the text says of it.

    Raises:
        UsageError: it is not JSON, or not of this schema, or a formula or block is not one, or nobody knows the game or
            a word or switch of it, or it contradicts itself.
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
        raise UsageError("the `name` of a program is a word")
    return Subject(program, name, {**header, **lines}, primitives)


def membership(language: str, to: str = LAYER) -> Membership:
    """The form of a language, without which its programs are exported neither to JSON nor by way of it."""
    return form(Membership, LAYER, language, f"export {{}} to {to}")


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
    known = {
        membership(each.name).MEMBER: each.name
        for each in all_languages()
        if has_form(Membership, LAYER, each.name)
    }
    parts = next((name for name in known if name in value), next(iter(known)))
    said = value.get("language", known[parts])
    if said != known[parts]:
        raise UsageError(f"a program of `{parts}` is in the `language` `{known[parts]}`, not `{said}`")
    return known[parts]


def texts(value: Mapping[str, Any], field: str) -> dict[str, str]:
    """An object of strings; empty where there is none.

    Raises:
        UsageError: the field is not an object of strings.
    """
    found = value.get(field, {})
    if not isinstance(found, dict) or not all(isinstance(each, str) for each in found.values()):
        raise UsageError(f"the `{field}` of a program is an object of strings")
    return dict(found)


def is_number(value: Any) -> bool:
    """Whether a value is a finite number, which a double holds."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number that no double holds
        return False


def is_name(value: object) -> bool:
    """Whether a value is a text that is not blank."""
    return isinstance(value, str) and bool(value.strip())


def number(value: Any) -> float | None:
    """The value as a double, or None if it is not a number. -0.0 becomes 0.0."""
    return float(value) + 0.0 if is_number(value) else None


def share(value: Any) -> float | None:
    """The value as a double from 0 to 1, or None if it is not one."""
    found = number(value)
    return found if found is not None and 0.0 <= found <= 1.0 else None


def sign(value: object) -> Sign | None:
    """The value if it is the sign of a comparison, else None."""
    return next((each for each in SIGNS if each == value), None)
