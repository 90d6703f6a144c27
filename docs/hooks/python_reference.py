"""The reference of the Python interface, from its docstrings and annotations."""

import inspect
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

import gpkit
import gpkit.types
from gpkit.api.games import commands_of_games
from gpkit.core.registry import GAMES

SECTION = re.compile(r"^(Args|Attributes|Returns|Raises):\n")


def python_reference() -> str:
    """Every public function and type, with its signature, its description and its attributes."""
    named = {name: getattr(gpkit, name) for name in sorted([*gpkit.__all__, "list"], key=str.lower)}
    functions = {name: each for name, each in named.items() if inspect.isfunction(each)}
    classes = {name: each for name, each in named.items() if isinstance(each, type)}
    types = {name: getattr(gpkit.types, name) for name in gpkit.types.__all__}
    of_games = {each.__name__: each for _, functions in commands_of_games(GAMES) for each in functions}
    return "\n\n".join(
        [
            "## Functions",
            *(_entry(f"gpkit.{name}", each) for name, each in functions.items()),
            "## Commands of games",
            "Each function runs the command of the same name. You call it as `gpkit.solve(...)`.",
            *(_entry(f"gpkit.{name}", each) for name, each in of_games.items()),
            "## Types",
            *(_entry(f"gpkit.{name}", each) for name, each in classes.items()),
            "## Further types",
            "These types are in `gpkit.types`.",
            *(_entry(f"gpkit.types.{name}", each) for name, each in types.items()),
            "## Further names",
            ", ".join(f"`gpkit.{name}`" for name in named if name not in {**functions, **classes}) + ".",
        ]
    )


def _entry(name: str, thing: Any) -> str:
    """The entry of a function or a type: its signature, its docstring and its members."""
    parts = [f"### {name}", *_paragraphs(inspect.getdoc(thing) or "")]
    if inspect.isfunction(thing):
        parts.insert(1, f"```python\n{_signature(name, thing)}\n```")
    elif isinstance(thing, type):
        parts.append("\n".join(_members(thing)))
    return "\n\n".join(filter(None, parts))


def documented(docstring: str, until: str = "Raises:") -> str:
    """A docstring as Markdown, up to the section that begins with ``until``."""
    return "\n\n".join(_paragraphs(docstring.partition(f"\n\n{until}")[0]))


def _signature(name: str, function: Any) -> str:
    """The signature without annotations, because the help already gives the types."""
    known = inspect.signature(function).parameters.values()
    shown = [str(each.replace(annotation=inspect.Parameter.empty)) for each in known if each.name != "self"]
    keyword = next((k for k, each in enumerate(known) if each.kind is each.KEYWORD_ONLY), None)
    if keyword is not None:
        shown.insert(keyword - (1 if "self" in [each.name for each in known] else 0), "*")
    shown = [re.sub("<function .*>", "...", each).replace("mappingproxy({})", "{}") for each in shown]
    line = f"{name}({', '.join(shown)})"
    return line if len(line) <= 88 else f"{name}(\n    " + ",\n    ".join(shown) + ",\n)"


def _members(thing: type) -> Iterator[str]:
    """Yield a list item for each method and property of a class; the class's help lists its fields."""
    known = {each.name for each in fields(thing)} if is_dataclass(thing) else set()
    for name, member in vars(thing).items():
        function = member.fget if isinstance(member, property) else getattr(member, "__func__", member)
        if name.startswith("_") or name in known or not inspect.isfunction(function):
            continue
        call = name if isinstance(member, property) else _signature(name, function).replace("\n", " ")
        summary = " ".join((inspect.getdoc(function) or "").split("\n\n")[0].split())
        yield f"- `{' '.join(call.split())}`: {_text(summary)}"


def _paragraphs(docstring: str) -> Iterator[str]:
    """Yield the parts of a docstring as Markdown: paragraphs, examples as code, arguments as lists."""
    for part in docstring.split("\n\n"):
        if part.startswith(">>>"):
            yield f"```pycon\n{part}\n```"
        elif heading := SECTION.match(part):
            yield f"{heading[0]}\n" + "\n".join(map(_item, items(part)))
        else:
            yield _text(" ".join(part.split()))


def section(thing: Any, name: str) -> str:
    """The lines of a docstring section, or an empty text if there is no such section."""
    return (inspect.getdoc(thing) or "").partition(f"{name}:\n")[2].partition("\n\n")[0]


def items(section: str) -> list[str]:
    """The items in a section of a docstring, one line each."""
    return [
        " ".join(each.split()) for each in re.findall(r"^    (\S.*(?:\n     .*)*)", section, re.MULTILINE)
    ]


def _item(text: str) -> str:
    """An item of a docstring section as a Markdown list item."""
    names, colon, meaning = text.partition(": ")
    return f"- `{names}`: {_text(meaning)}" if colon and len(names) < 60 else f"- {_text(text)}"


def _text(text: str) -> str:
    """A text from a docstring as Markdown."""
    return text.replace("``", "`").replace("<", "&lt;") if "`" not in text else text.replace("``", "`")
