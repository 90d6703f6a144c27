"""Grammars that were written for another purpose evolve: each file of ``others`` names its source and its licence."""

import re
from collections import Counter
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

import gpkit
from gpkit.core import plugins

FOLDER = Path(__file__).parent / "others"
RULE = re.compile(r"^[?!]*[a-z_]\w*(?:\{\w+\})?:", re.MULTILINE)
PYTHON = {
    "NAME": "x y",
    "STRING": "'s'",
    "LONG_STRING": '"""t"""',
    "DEC_NUMBER": "0 7",
    "HEX_NUMBER": "0x1",
    "OCT_NUMBER": "0o1",
    "BIN_NUMBER": "0b1",
    "FLOAT_NUMBER": "1.5",
    "IMAG_NUMBER": "2j",
    "_NEWLINE": "\n",
}
LARK = {
    "RULE": "a b",
    "TOKEN": "A B",
    "STRING": '"s"',
    "REGEXP": "/t/",
    "NUMBER": "1 2",
    "OP": "+ *",
    "_NL": "\n",
    "_VBAR": "|",
}
INSTALLED = {  # of the package lark, which has the licence MIT
    "python": ("// start: eval_input", PYTHON, "[x for x in y if not x] + 7 * x(y, x=0)"),
    "lark": ("", LARK, 'a: "s" b | A+ -> b\n\n_NL_OR: /t/'),
}
NAMES = sorted([*(each.stem for each in FOLDER.glob("*.lark")), *INSTALLED])


@pytest.fixture(autouse=True)
def fresh() -> Any:
    """Forget the languages of a test."""
    yield
    plugins.here.languages.clear()


def given(name: str) -> tuple[str, dict[str, str], str]:
    """A grammar, its words, and a text that its users would write."""
    if name in INSTALLED:
        start, words, example = INSTALLED[name]
        return f"{files('lark.grammars').joinpath(f'{name}.lark').read_text()}\n{start}\n", words, example
    text = (FOLDER / f"{name}.lark").read_text()
    (example,) = re.findall("^// example: (.*)$", text, re.MULTILINE)
    return text, {}, example


def pairs(text: str) -> Counter[str]:
    """How often each pair of neighbouring words is in a text."""
    words = re.findall(r"\w+|[^\w\s]", text)
    return Counter(map(" ".join, zip(["", *words], [*words, ""], strict=True)))


def evolves(name: str, size: int, generations: int) -> None:
    """Check that programs come nearer to the example, within their limit, and print texts of the same tree."""
    grammar, words, example = given(name)
    wanted, seen = pairs(example), list[Any]()

    def near(program: Any) -> float:
        seen.append(program)
        found = pairs(str(program))
        return 2.0 * (wanted & found).total() / (wanted.total() + found.total())

    language = gpkit.language(f"of_{name}", grammar, meaning=lambda tree: tree, words=words)
    most = 2 * gpkit.parse(example, language=language.name).size
    problem = gpkit.problem(near, name="near", language=language)
    settings = {"population": {"size": size}, "limits": {"size": most}}
    best = list[float]()
    champion, _ = gpkit.evolve(
        problem,
        seed=1,
        generations=generations,
        settings=settings,
        callback=lambda each, _: best.append(each.best),
    )
    assert best[-1] > best[0]
    for program in [champion, *seen[:: max(1, len(seen) // 100)]]:
        assert program.size <= most
        again = gpkit.parse(str(program), language=language.name)
        assert again == program and again() == program()


def test_twenty_grammars_name_their_source_and_licence() -> None:
    rules = {name: len({*RULE.findall(given(name)[0])}) for name in NAMES}
    assert len(NAMES) >= 20 and sum(count > 40 for count in rules.values()) >= 5, rules
    for file in FOLDER.glob("*.lark"):
        assert re.match(r"// source: [^\n]+; licence: ", file.read_text())


@pytest.mark.parametrize("name", ["turtle", "oberon"])
def test_a_grammar_of_others_evolves(name: str) -> None:
    evolves(name, 20, 4)


@pytest.mark.release
@pytest.mark.parametrize("name", NAMES)
def test_every_grammar_of_others_evolves(name: str) -> None:
    evolves(name, 100, 10)
