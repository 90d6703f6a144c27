"""The reference of games in a file: the members of a state, the keywords of a game, and what sensors and facts are."""

import ast
import inspect
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from python_reference import documented

import gpkit
from gpkit.gamekit.facts import GIVEN
from gpkit.gamekit.state import MEMBERS, State

ROOT = Path(__file__).resolve().parents[2]

FILES = tuple(ROOT / "tests" / "user_games" / name for name in ("walk.py", "pile.py"))
"""Games that set all keywords, which a test plays."""

LONGEST = 16
"""Most lines of an example."""


OPENING = """PASS, BET = 0, 1


@dataclass(frozen=True, slots=True)
class State:
    cards: tuple[int, ...] = ()
    said: tuple[int, ...] = ()
"""
"""The beginning of the game that the examples of members make up."""


def state_members() -> str:
    """Every member of a state, with an example."""
    parts = [_python(OPENING.rstrip())]
    for name, (meaning, example) in MEMBERS.items():
        needed = "required" if hasattr(State, name) else "optional"
        parts += [f"### {name}", f"*{needed}*: {meaning}.", _python(example)]
    return "\n\n".join(parts)


def game_keywords() -> str:
    """Every keyword of a game, with an example."""
    examples = dict(_examples())
    parts = [documented(inspect.getdoc(gpkit.game) or "", until="Args:")]
    for name, meaning in keywords().items():
        parts += [f"### {name}", f"{meaning[:1].upper()}{meaning[1:]}", _python(examples[name])]
    return "\n\n".join(parts)


def keywords() -> Mapping[str, str]:
    """The arguments of ``gpkit.game``, with their meanings."""
    listed = (inspect.getdoc(gpkit.game) or "").partition("Args:\n")[2].partition("\n\n")[0]
    items = re.findall(r"^    (\w+): (.*(?:\n     .*)*)", listed, re.MULTILINE)
    return {name: " ".join(text.split()).replace("``", "`") for name, text in items}


def declarations() -> str:
    """Sensors and facts, and the arguments of facts, each with an example."""
    parts = [
        f"## @{each.__name__}\n\n{documented(inspect.getdoc(each) or '')}"
        for each in (gpkit.sensor, gpkit.fact)
    ]
    for name, (meaning, example) in GIVEN.items():
        parts += [f"### {name}", f"{meaning.replace('``', '`')}.", _python(example)]
    return "\n\n".join(parts)


def _examples() -> Iterator[tuple[str, str]]:
    """Keywords, each with an example from one of the games: the functions that it names, then the keyword."""
    for path in FILES:
        text = path.read_text(encoding="utf-8")
        tree = ast.parse(text)
        defined = {each.name: each for each in tree.body if isinstance(each, ast.FunctionDef | ast.ClassDef)}
        call = next(each for each in ast.walk(tree.body[-1]) if isinstance(each, ast.Call))
        begun = ", ".join(ast.get_source_segment(text, each) or "" for each in call.args)
        given = [
            *zip(("name", "begin"), call.args, strict=True),
            *((each.arg, each.value) for each in call.keywords),
        ]
        for keyword, value in given:
            named = [
                defined[each.id]
                for each in ast.walk(value)
                if isinstance(each, ast.Name) and each.id in defined
            ]
            sources = [
                source for each in named if len((source := _source(text, each)).splitlines()) <= LONGEST
            ]
            said = inspect.cleandoc(ast.get_source_segment(text, value, padded=True) or "")
            line = f"{begun}, ..." if value in call.args else f"..., {keyword}={said}"
            yield keyword or "", "\n\n\n".join([*sources, f"GAME = game({line})"])


def _source(text: str, node: ast.FunctionDef | ast.ClassDef) -> str:
    """The source of a function or a class, with its decorators."""
    first = min(each.lineno for each in (node, *node.decorator_list))
    return "\n".join(text.splitlines()[first - 1 : node.end_lineno])


def _python(text: str) -> str:
    return f"```python\n{text}\n```"
