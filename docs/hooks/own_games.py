"""The generated parts of the reference for games in a file: states, keywords, sensors and facts."""

import ast
import inspect
from collections.abc import Iterator, Mapping
from pathlib import Path

from python_reference import documented, items, section

import gpkit
from gpkit.gamekit.state import MEMBERS, State

ROOT = Path(__file__).resolve().parents[2]

FILES = tuple(ROOT / "tests" / "user_games" / name for name in ("walk.py", "pile.py"))
"""The games that the examples come from; together, they set all keywords, and a test plays them."""

LONGEST = 16
"""The maximum number of lines of a function in an example."""


def state_members() -> str:
    """Every member of a state, with an example."""
    return "\n\n".join(
        f"### {name}\n\n*{'required' if hasattr(State, name) else 'optional'}*: {meaning}.\n\n{_python(example)}"
        for name, (meaning, example) in MEMBERS.items()
    )


def game_keywords() -> str:
    """Every keyword of a game, with an example."""
    examples = dict(_examples())
    entries = (
        f"### {name}\n\n{meaning[:1].upper()}{meaning[1:]}\n\n{_python(examples[name])}"
        for name, meaning in keywords().items()
    )
    return "\n\n".join([documented(inspect.getdoc(gpkit.game) or "", until="Args:"), *entries])


def keywords() -> Mapping[str, str]:
    """The arguments of ``gpkit.game``, with their meanings."""
    return dict(each.replace("``", "`").split(": ", 1) for each in items(section(gpkit.game, "Args")))


def declarations() -> str:
    """The docstrings of ``gpkit.sensor`` and ``gpkit.fact``; the arguments of facts follow them on the page."""
    return "\n\n".join(
        f"## @{each.__name__}\n\n{documented(inspect.getdoc(each) or '')}"
        for each in (gpkit.sensor, gpkit.fact)
    )


def _examples() -> Iterator[tuple[str, str]]:
    """Yield each keyword with an example from a game: first the functions that the keyword names, then the keyword."""
    for path in FILES:
        text = path.read_text(encoding="utf-8")
        *body, last = ast.parse(text).body
        defined = {each.name: _source(text, each) for each in body if hasattr(each, "decorator_list")}
        call = next(each for each in ast.walk(last) if isinstance(each, ast.Call))
        begun = ", ".join(map(ast.unparse, call.args)).replace("'", '"')
        given = dict(zip(("name", "begin"), call.args, strict=True))
        for keyword, value in {**given, **{each.arg: each.value for each in call.keywords}}.items():
            named = [each.id for each in ast.walk(value) if isinstance(each, ast.Name)]
            sources = [
                defined[each] for each in named if defined.get(each, "").count("\n") in range(1, LONGEST)
            ]
            said = inspect.cleandoc(ast.get_source_segment(text, value, padded=True) or "")
            line = f"{begun}, ..." if keyword in given else f"..., {keyword}={said}"
            yield keyword, "\n\n\n".join([*sources, f"GAME = game({line})"])


def _source(text: str, node: ast.FunctionDef | ast.ClassDef) -> str:
    """The source of a function or class, including its decorators."""
    first = min(each.lineno for each in (node, *node.decorator_list))
    return "\n".join(text.splitlines()[first - 1 : node.end_lineno])


def _python(text: str) -> str:
    return f"```python\n{text}\n```"
