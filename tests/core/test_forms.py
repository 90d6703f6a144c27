"""Forms are found by the name of a language, and nobody above the languages asks for the class of a program."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import gpkit
from gpkit.core.errors import UsageError
from gpkit.core.registry import LANGUAGES
from gpkit.evolution.config import evolved
from gpkit.export.registry import EXPORTERS, require_checkable
from gpkit.export.subject import Subject
from gpkit.show.pictures import picture_of, picture_of_change, picture_of_game

PACKAGE = Path(gpkit.__file__).parent

OWN = ("languages", "genomes", "matching", "forms")
"""Folders in which the class of a program may be asked for."""


def program_classes() -> frozenset[str]:
    """The classes of what the parsers return, by the templates."""
    languages = [entry.load() for entry in LANGUAGES]
    programs = [language.parse(language.template(None), "template").program for language in languages]
    return frozenset(type(program).__name__ for program in programs)


def questions(code: str, classes: frozenset[str]) -> Iterator[int]:
    """The lines on which a class of programs is asked for: isinstance, its type, or a pattern."""
    if not any(name in code for name in classes):
        return
    for node in ast.walk(ast.parse(code)):
        asked: list[ast.AST] = []
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            asked = list(node.args[1:]) if node.func.id in ("isinstance", "issubclass") else []
        elif isinstance(node, ast.Compare) and "type(" in ast.unparse(node):
            asked = [node.left, *node.comparators]
        elif isinstance(node, ast.MatchClass):
            asked = [node.cls]
        names = {getattr(part, "id", getattr(part, "attr", "")) for each in asked for part in ast.walk(each)}
        if names & classes:
            yield node.lineno


def test_nobody_asks_for_the_class_of_a_program() -> None:
    classes = program_classes()
    assert len(classes) == len(LANGUAGES)
    found = [
        f"{path.relative_to(PACKAGE)}:{line}"
        for path in sorted(PACKAGE.rglob("*.py"))
        if not set(path.relative_to(PACKAGE).parts).intersection(OWN)
        for line in questions(path.read_text(encoding="utf-8"), classes)
    ]
    assert found == []


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        ("isinstance(x, Toy)", [1]),
        ("y = 1\nisinstance(x, int | toys.Toy)", [2]),
        ("issubclass(x, (int, Toy))", [1]),
        ("type(x) is Toy", [1]),
        ("match x:\n    case Toy():\n        pass", [2]),
        ("Toy(1)\nisinstance(x, int)\nx == Toy", []),
    ],
)
def test_every_way_to_ask_is_found(code: str, lines: list[int]) -> None:
    assert list(questions(code, frozenset({"Toy"}))) == lines


@pytest.mark.parametrize("entry", LANGUAGES, ids=lambda entry: entry.name)
def test_a_program_knows_its_language(entry: Any) -> None:
    language = entry.load()
    source = language.parse(language.template(None), "template")
    assert source.program.language == language.name == entry.name
    assert language.suffix == entry.suffix
    parts = language.parts(source)
    assert parts
    assert all(isinstance(name, str) for name in parts)


class Toy:
    """A program of a language that no layer has a form for."""

    language = "toy"


def test_a_missing_form_is_refused_by_the_language() -> None:
    toy, source = Toy(), Subject(Toy())
    with pytest.raises(UsageError, match="gpkit cannot draw programs in toy, only those in arithmetic"):
        picture_of(toy, {}, None, title="")
    with pytest.raises(UsageError, match="cannot draw what changed in programs in toy"):
        picture_of_change(toy, toy)
    with pytest.raises(UsageError, match="cannot draw traced games of programs in toy"):
        picture_of_game(source, None, [], name="", place="", until="")
    with pytest.raises(UsageError, match="gpkit cannot evolve programs in toy"):
        evolved("toy")
    for each in EXPORTERS:
        assert each.modes_of("toy") == ()
        with pytest.raises(UsageError, match=f"gpkit cannot export programs in toy to {each.name}"):
            each.export(source, each.default_mode)
        with pytest.raises(UsageError, match="these can be checked: no format"):
            require_checkable(source, each.name)
