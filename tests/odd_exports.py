"""Programs for data whose headers, columns, words and classes are texts that try to be code, and boxes to run exports.

Nothing that runs in a box can open a file, start a process or reach the network: it can only compute.
"""

import functools
import json
import random
import re
import subprocess
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import gpkit.export
from gpkit.data.features import label_name
from gpkit.data.table import EMPTY
from gpkit.export.lua.hosts import LuaError
from gpkit.export.subject import Subject
from gpkit.genomes.comparisons import Comparison
from gpkit.genomes.decision import DecisionProgram, DecisionTree, inner, leaf
from gpkit.genomes.tree import Tree, TreeProgram
from gpkit.langkit.operators import NOTATION

ENDS = (
    *(
        '"',
        "'",
        '"""',
        "'''",
        "\\",
        "\\\\",
        "\n",
        "\r",
        "\0",
        "]]",
        "]=]",
        "--[[",
        "--",
        "*/",
        "/*",
        "//",
        "??/",
        "%",
    ),
    *(
        "`",
        "$",
        "${",
        "}",
        "{",
        "{0}",
        "%s",
        "%n",
        "&",
        "&amp;",
        "&lt;",
        "<",
        ">",
        "<<",
        ">>",
        "</svg>",
        "<!--",
        "-->",
    ),
    *(
        "]]>",
        "</td>",
        "</title>",
        "#",
        "~",
        "^",
        "_",
        "|",
        ";",
        ",",
        " ",
        "  ",
        "\u00a0",
        "\t",
        "\x0b",
        "\x1c",
        "\x85",
    ),
    *(
        "\u2028",
        "\u202e",
        "\u2066",
        "\u200b",
        "\ufeff",
        "é",
        "e\u0301",
        "µ",
        "年",
        "🎉",
        "\\N",
        "\\l",
        "\\x41",
        "\\u0041",
    ),
)
"""What ends or begins a text, a comment or a tag in one of the formats, and signs that have a meaning there."""

CODE = (
    *("SUMMARY", "ROW", "DAYS\n", "{CELLS}", "SECTION", "FOUND", "EMPTY"),
    *(f"__import__('os').system('{word}')" for word in ("true", "touch gone")),
    *(
        "os.execute('true')",
        "io.open('gone', 'w')",
        'system("true");',
        'exec("import os")',
        "import os",
        "return 1",
    ),
    *(
        "\\input{/etc/passwd}",
        "\\write18{true}",
        "\\end{align*}",
        "$x$",
        "<script>alert(1)</script>",
        "javascript:1",
    ),
    *(
        "<img src=x onerror=alert(1)>",
        "#include <stdio.h>",
        "#define predict",
        "abort();",
        "digraph {",
        'URL="file:"',
    ),
    *(
        "\n    import os\n",
        "\nos.execute('true')\n",
        "'''\nimport os\n'''",
        '"""\nimport os\n"""',
        "]]\nerror()\n--[[",
    ),
)
"""Texts that would do something if they were code, and words that templates once looked for in finished text."""


@functools.cache
def template_words() -> tuple[str, ...]:
    """Words of the exporters' own code: whatever a template looks for is among them."""
    folder = Path(gpkit.export.__file__).parent
    files = [path for suffix in ("py", "c", "lua") for path in folder.rglob(f"*.{suffix}")]
    text = "\n".join(path.read_text(encoding="utf-8") for path in files)
    return tuple(sorted({*re.findall(r"[A-Za-z_]\w*|\$\w+|\{\w+\}", text)}))


def odd_text(rng: random.Random) -> str:
    """A text of such parts."""
    parts = [
        rng.choice(rng.choice((ENDS, CODE, template_words(), template_words())))
        for _ in range(rng.randint(1, 4))
    ]
    return rng.choice(("", "", " ")).join(parts)


def odd_texts(rng: random.Random, count: int, without: str = "") -> list[str]:
    """Different texts, none of which is blank, with white space at an end, empty as a cell, or an operator."""
    found: dict[str, None] = {}
    while len(found) < count:
        text = odd_text(rng).strip()
        if text and not {*text} & {*without} and text not in EMPTY and text not in NOTATION:
            found[text] = None
    return list(found)


def odd_section(rng: random.Random) -> str:
    """A word that a section can have, and that a file may use itself."""
    return re.sub(r"\W", "_", rng.choice(template_words()), flags=re.ASCII).lstrip("0123456789") or "a"


Rows = list[dict[str, float | str | None]]


def odd_subject(seed: int, texts: int = 8, without: str = "") -> tuple[Subject, Rows]:
    """A program whose header, columns, words and classes are such texts, as many as that at least, and rows for it."""
    rng = random.Random(seed)  # noqa: S311 - draws texts
    names = odd_texts(rng, texts + 8, without)
    kind = rng.choice(("number", "odds", "three", "tree", "names"))
    words = {column: rng.sample(names, 3) for column in names[:texts]}
    fills = dict.fromkeys(names[texts : texts + 2], 1.5)
    count = {"odds": 2, "three": 3}.get(kind, 3)
    header = {"target": names[-1], "data": names[-2], "note": names[-3], "task": "regression"}
    header |= {"words": json.dumps(words), "fills": json.dumps(fills)}
    if kind not in ("number", "names"):
        header |= {"task": "classification", "classes": json.dumps(names[-3 - count : -3])}
    inputs = [*fills, *(f"{column}_is_{word}" for column, known in words.items() for word in known[:2])]
    if kind in ("tree", "names"):
        made: Any = _tree(rng, inputs, names[-3 - count : -3])
    else:
        sections = list(dict.fromkeys(odd_section(rng) for _ in range(9)))[: 3 if kind == "three" else 1]
        made = TreeProgram(tuple(sections), tuple(_formula(rng, inputs) for _ in sections))
    rows: Rows = []
    for _ in range(6):
        row: dict[str, float | str | None] = {
            column: rng.choice((*known, None)) for column, known in words.items()
        }
        rows.append(row | {column: rng.choice((0.5, -2.0, None)) for column in fills})
    return Subject(made, rng.choice(names), header), rows


def _formula(rng: random.Random, inputs: Sequence[str]) -> Any:
    parts = [part for name in inputs for part in ("+", "*", rng.choice((-2.0, 0.5, 3.0)), name)]
    return Tree.from_prefix((*parts, 0.25), (*[2, 2, 0, 0] * len(inputs), 0))


def _tree(rng: random.Random, inputs: Sequence[str], leaves: Sequence[str]) -> DecisionProgram:
    tree: DecisionTree = leaf(leaves[0])
    for name in inputs:
        tree = inner(Comparison(name, rng.choice(("<=", ">", "==")), 0.5), tree, leaf(rng.choice(leaves)))
    return DecisionProgram(("value",), (tree,))


_BOX = r"""
import datetime, json, math, re, resource, sys

def refuse(event, arguments):
    if event.split(".")[0] not in {"compile", "exec", "object", "sys", "builtins", "import", "code", "marshal"}:
        raise RuntimeError(f"this is not only computing: {event} {arguments!r}")
    if event == "import" and arguments[0] not in {"datetime", "json", "math", "re", "sys", "_strptime"}:
        raise RuntimeError(f"this is not only computing: import {arguments[0]}")

resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))
sys.addaudithook(refuse)
for line in sys.stdin:
    text, rows = json.loads(line)
    space = {"__name__": "exported"}
    try:
        exec(compile(text, "exported", "exec"), space)
        said = [space["predict"](row) for row in rows]
    except BaseException as error:
        said = f"{type(error).__name__}: {error}"
    print(json.dumps(said), flush=True)
"""


def in_python(files: Sequence[tuple[str, Rows]]) -> list[Any]:
    """What exported Python files predict, or a text on what went wrong, in a box."""
    calls = "".join(f"{json.dumps(each)}\n" for each in files)
    done = subprocess.run(
        [sys.executable, "-I", "-c", _BOX], input=calls, capture_output=True, encoding="ascii", check=True
    )
    return [json.loads(line) for line in done.stdout.split("\n")[:-1]]


class BoxedLua:
    """A Lua of lupa without anything that reaches out of it."""

    OPEN = (
        "_VERSION",
        "string",
        "table",
        "math",
        "tonumber",
        "tostring",
        "type",
        "ipairs",
        "pairs",
        "next",
        "error",
    )
    OPEN += (
        "pcall",
        "select",
        "unpack",
        "setmetatable",
        "getmetatable",
        "rawget",
        "rawset",
        "rawequal",
        "assert",
    )

    def __init__(self, name: str) -> None:
        self.name = name
        self.lupa = import_module(f"lupa.{name}")

    def run(self, chunk: str) -> str:
        """The text that a chunk returns.

        Raises:
            LuaError: it fails.
        """
        lua = self.lupa.LuaRuntime(register_eval=False, register_builtins=False)
        found = lua.globals()
        for name in [*found]:
            if name not in self.OPEN:
                found[name] = None
        try:
            return str(lua.execute(chunk))
        except self.lupa.LuaError as error:
            raise LuaError(str(error).partition("\n")[0]) from None


def same_labels(found: Any, wanted: Sequence[Any]) -> bool:
    """Whether predictions are the same, as a table writes them; numbers to the last bit."""
    return isinstance(found, list) and [*map(label_name, found)] == [*map(label_name, wanted)]
