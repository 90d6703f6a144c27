"""Contract of every language, over the registry: any text is read, or refused in words for people."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from language_cases import language
from odd_texts import PROGRAMS
from recovery_texts import VALID

import gpkit
from gpkit.core.diagnostics import SourceError
from gpkit.core.errors import EXIT_LIMIT, EXIT_USAGE, GpkitError, LimitError
from gpkit.core.primitives import Offers, PrimitiveSet
from gpkit.core.registry import GAMES, LANGUAGES, is_game, offers_of
from gpkit.genomes.graph import faults
from gpkit.langkit import formulas as shared
from gpkit.langkit.findings import BLOCK, explanations_in
from gpkit.langkit.reading import MAX_NUMBER, MAX_TEXT
from gpkit.languages.arithmetic import text as formulas
from gpkit.languages.decision import text as trees
from gpkit.languages.rulegraph import syntax as rules
from gpkit.languages.sinking import text as blocks

NAMES = [entry.name for entry in LANGUAGES]
of_every_language = pytest.mark.parametrize("name", NAMES)

GAPS = ("\n", "\n", "\n", "\r\n", "\t", "\ufeff", "\x00", "\v", "é")
WORDS = {
    "arithmetic": "a env.b env.rank min ifle math.random nan 1 .5 2e3 1e999 7. + - * / ( ) , play: : = 🂱 '",
    "sinking": "Target Shoot IfHit Jump Nop shoot state (2/10) 1. 12. - 3 . / targeting: seeking: : targeting",
    "rulegraph": r"""q_0 t_1 l_2(1+) l_2 l_3(2) x_4 x_5 t_{6} n w x_0 q_9 l_ _0 (2+) : : : => => ⇒ \Rightarrow - -
        [0] [1] $ $$ q take: give: w: @q=1 @f=-2.5e3 @p=0 @q &a &b ; ; ; ! !&b < = != >= score left edges + 5""",
    "decision": 'test switch chance below yes: no: else: play: a env.b 1 - 2.5 <= == : " ( = 1e999 0.5 yes',
    "execution": """do use wait repeat while decide chance max and or end yes: no: army env.tick drone <= == < - 3 =
        0.5 1e999 : ( merge 99999999999999999999999999999999999""",
}
PHRASES = {
    "arithmetic": ("send :", "// c", "// game: sevens"),
    "sinking": (
        *("Targeting state (5/10)", "locking :", "SINKING state", "// c", "// game: battleship"),
        "// if: one-line",
    ),
    "rulegraph": (
        *("x_4 - n", "x_4 - w", "n :", "# c", "# board: 3x3", "# game: sevens", "&a =", "\n&b = t_8 n\n"),
        *("; !t_9 n", "; l_2 < l_3", "; left < 4", "; -2 <= score", "; l_3 = 2"),
    ),
    "decision": ('"x y"', "//c\n", "\x1b"),
    "execution": (
        "plan army:",
        "plan :",
        "// x\n",
        "\u202e",
        "from a:",
        "from b:",
        "// direction: up\n",
        "env.tick < 3",
    ),
}
"""Words of each language and of none, and some that blanks are in: a sequence of them looks like a program."""


def offers_for(name: str) -> Offers:
    """Offers of the first game that takes programs of a language."""
    return next(offers for game in GAMES if name in (offers := game.load().offers))


def every_token_is_kept(source: Any) -> None:
    assert "".join(formulas.READING.tokens(source.text)) == source.text


def rules_are_sound(source: Any) -> None:
    assert all(list(faults(named.rule)) == [] for named in source.program.rules)
    assert len(source.spans) == len(source.names) == len(source.program.rules)


ALSO: Mapping[str, Callable[[Any], None]] = {"arithmetic": every_token_is_kept, "rulegraph": rules_are_sound}


@st.composite
def texts(draw: st.DrawFn, name: str) -> str:
    """Arbitrary characters, and arbitrary sequences of words that look like a program."""
    words: SearchStrategy[list[str]] = st.lists(
        st.sampled_from((*WORDS[name].split(), *PHRASES[name], *GAPS))
    )
    ended = words.map(lambda found: f"{' '.join(found)} => x_4 - w") if name == "rulegraph" else st.nothing()
    plain = st.one_of(st.text(), words.map(" ".join), words.map("\n".join), words.map("".join), ended)
    return draw(st.one_of(plain, changed(name)))


@st.composite
def changed(draw: st.DrawFn, name: str) -> str:
    """A program in which words stand where something else did."""
    text = VALID[name]
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, len(text)))
        word = draw(st.sampled_from((*WORDS[name].split(), *PHRASES[name], *GAPS)))
        text = text[:place] + word + text[place + draw(st.integers(0, 2)) :]
    return text


def fuzz(name: str, text: str) -> None:
    """Read a text and do everything with it; only errors for people may come out."""
    known = language(name)
    try:
        source = known.parse(text, "fuzz")
    except SourceError as error:
        found = error.diagnostic
        assert found.code in explanations_in(f"gpkit.languages.{name}")
        assert 0 <= found.span.start <= found.span.end <= len(text)
        assert "fuzz:" in str(error)
        assert not any(words.isupper() for words in found.expected), "terminals have names for people"
        return
    except LimitError:
        return
    printed = known.parse(known.print_program(source.program)).program
    assert name == "rulegraph" or printed == source.program, "rules are printed in canonical order"
    assert known.parse(known.format_source(source)).program == source.program
    ALSO.get(name, lambda _: None)(source)
    known.check(source, offers_for(name))
    known.check(source, None)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.release] * (name not in ("arithmetic", "rulegraph")))
        for name in NAMES
    ],
)
@given(data=st.data())
@settings(max_examples=100)
def test_no_text_is_a_surprise(name: str, data: st.DataObject) -> None:
    fuzz(name, data.draw(texts(name)))


@pytest.mark.slow
@of_every_language
@given(data=st.data())
@settings(max_examples=20_000)
def test_no_text_is_a_surprise_at_length(name: str, data: st.DataObject) -> None:
    fuzz(name, data.draw(texts(name)))


@of_every_language
def test_no_two_terminals_collide(name: str) -> None:
    grammar = language(name).recovery.reading.grammar(strict=True)
    assert grammar.parse(VALID[name]).data == "program"


@of_every_language
def test_exit_codes(name: str) -> None:
    with pytest.raises(SourceError) as refused:
        language(name).parse("+")
    assert refused.value.exit_code == EXIT_USAGE
    with pytest.raises(LimitError) as exceeded:
        language(name).parse("x" * (MAX_TEXT + 1))
    assert exceeded.value.exit_code == EXIT_LIMIT


def deep(depth: int) -> str:
    """A decision tree of so many levels."""
    return "test a <= 1 yes: 1 no: " * (depth - 1) + "1"


def wide(levels: int) -> str:
    """A decision tree with all branches."""
    return f"test a <= 1 yes: {wide(levels - 1)} no: {wide(levels - 1)}" if levels else "1"


NODES, LINES, MENTIONS = 30_000, 2_000, rules.MAX_MENTIONS
"""Of the limits the first two are lowered, so that the texts that exceed them are read in no time."""

PARENTHESES, DEPTH = formulas.MAX_PARENTHESES, formulas.MAX_DEPTH
ONE_MORE = " : ".join(f"x_{k} w" for k in range(100, 102 + rules.MAX_NODES)) + " => x_100 - w"
LIMITS = [
    ("arithmetic", "number", "a +\n" + "9" * (MAX_NUMBER + 1), "E021", "2:1"),
    ("arithmetic", "text", "a" + " " * MAX_TEXT, "E020", "1:1"),
    ("arithmetic", "bytes", "a // " + "é" * (MAX_TEXT // 2), "E020", "1:1"),
    ("arithmetic", "nodes", "+".join(["a"] * (NODES // 2 + 1)), "E022", ""),
    ("arithmetic", "many nodes", "a" + "+a" * (2 * NODES), "E022", f"1:{2 * NODES + 1}"),
    ("arithmetic", "operands", f"min({','.join(['(' + ' * '.join(['a'] * 2_700) + ')'] * 6)})", "E007", ""),
    ("arithmetic", "depth", "+".join(["a"] * (DEPTH + 1)), "E023", "1:1"),
    ("arithmetic", "calls", "abs(" * DEPTH + "a" + ")" * DEPTH, "E023", f"1:{4 * DEPTH + 1}"),
    ("arithmetic", "parentheses", "(" * (PARENTHESES + 1) + "a", "E023", f"1:{PARENTHESES + 1}"),
    ("arithmetic", "signs", "-" * 2 * NODES + "a", "E022", f"1:{2 * NODES + 1}"),
    ("sinking", "text", "targeting:\n//" + " " * MAX_TEXT, "E127", "1:1"),
    ("sinking", "bytes", "targeting:\n//" + "é" * (MAX_TEXT // 2), "E127", "1:1"),
    ("sinking", "lines", "targeting:\n" + "Nop\n" * (LINES + 1), "E128", f"{LINES + 2}:1"),
    ("sinking", "many lines", "targeting:\n" + "Nop\n" * (LINES + 9), "E128", f"{LINES + 4}:1"),
    ("rulegraph", "text", "x_0 w => x_0 - w\n#" + " " * MAX_TEXT, "E163", "1:1"),
    ("rulegraph", "mentions", "x_0" + " x_0" * MENTIONS, "E164", f"1:{4 * MENTIONS + 1}"),
    ("rulegraph", "nodes", ONE_MORE, "E164", "1:1001"),
    ("rulegraph", "number", "x_0 w => x_0 - w @q=" + "1" * 40, "E165", "1:18"),
    ("decision", "depth", deep(trees.MAX_DEPTH + 1), "E373", ""),
    ("decision", "nodes", wide(13), "E372", ""),
]
LONG = {
    ("rulegraph", "mentions"): pytest.mark.slow,
    ("arithmetic", "nodes"): pytest.mark.release,
    ("arithmetic", "many nodes"): pytest.mark.release,
    ("arithmetic", "operands"): pytest.mark.release,
}
"""Texts that take seconds to be refused."""


@pytest.mark.parametrize(
    ("name", "text", "code", "place"),
    [
        pytest.param(name, text, code, place, id=f"{name} {what}", marks=LONG.get((name, what), ()))
        for name, what, text, code, place in LIMITS
    ],
)
def test_limits(name: str, text: str, code: str, place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formulas, "MAX_NODES", NODES)
    guard = partial(
        replace(formulas.SECTIONS, most=NODES).guarded, watch=formulas.READING.guard.keywords["watch"]
    )
    monkeypatch.setattr(formulas, "READING", replace(formulas.READING, guard=guard))
    monkeypatch.setattr(blocks, "MAX_LINES", LINES)
    with pytest.raises(GpkitError, match=rf"\[{code}\]") as caught:
        language(name).parse(text, "big")
    assert isinstance(caught.value, LimitError) or name == "arithmetic", "too many operands are a mistake"
    assert f"big:{place}" in str(caught.value)
    assert len(str(caught.value)) < 1_000


@of_every_language
def test_every_code_in_the_sources_is_explained(name: str) -> None:
    """That no two languages have one in common is for ``test_registries.py``."""
    used = set()
    for path in (Path(gpkit.__file__).parent / "languages" / name).glob("*.py"):
        used |= set(re.findall(r'"([EWI]\d{3})"', path.read_text(encoding="utf-8")))
    if name == "arithmetic":  # it explains what several languages share
        used |= set(re.findall(r'"([EWI]\d{3})"', Path(shared.__file__).read_text(encoding="utf-8")))
    assert used == set(explanations_in(f"gpkit.languages.{name}"))


RANDOM = {"I037", "I386"}
"""Codes of programs that draw numbers: some examples do that whatever they are examples of."""

TOGETHER = ("sinking", "decision")
"""Languages in which what is wrong may have a second finding."""


def codes_of(name: str, text: str) -> set[str]:
    """The codes that a text leads to in its game; a lone formula is read as both sections."""
    known = language(name)
    try:
        source = known.parse(text)
        lone = name in ("arithmetic", "decision") and source.program.names == ("value",)
        if lone and name == "arithmetic":
            source = known.parse(f"play: {text}\nsend: env.dist")
    except GpkitError as error:
        return set(re.findall(r"error\[(E\d{3})\]", str(error)))
    game = source.header.get("game", "")
    offers = offers_of(game) if is_game(game) else {}
    given = None if lone and name == "decision" else offers if name in offers else offers_for(name)
    return {found.code for found in known.check(source, given)}


@pytest.mark.parametrize(
    ("name", "code", "text"),
    [(name, *each) for name in NAMES for each in explanations_in(f"gpkit.languages.{name}").items()],
)
def test_examples_of_explanations_are_true(name: str, code: str, text: str) -> None:
    *bad, good = BLOCK.findall(text)
    for found in (codes_of(name, each) for each in bad):
        assert found == {code} or (name in TOGETHER and code in found)
    assert codes_of(name, good) <= RANDOM


OF_ANOTHER = {
    "arithmetic": "E015",
    "sinking": "E134",
    "rulegraph": "E191",
    "decision": "E365",
    "execution": "E326",
}


@of_every_language
def test_a_game_of_another_language_is_said_once(name: str) -> None:
    other = "sinking" if name == "arithmetic" else "arithmetic"
    source = language(name).parse(PROGRAMS[name][1])
    (found,) = language(name).check(source, {other: PrimitiveSet("chess", ("move",), (), ())})
    assert (found.code, found.severity) == (OF_ANOTHER[name], "error")
    assert f"`{other}`" in found.message


@of_every_language
def test_a_header_key_must_be_one_word(name: str) -> None:
    with pytest.raises(ValueError, match="one word"):
        language(name).print_program(language(name).parse(VALID[name]).program, {"two words": "x"})


ENDS = {
    "arithmetic": "\nA + B * 7\n",
    "sinking": "\ntargeting:\n  Nop\n",
    "rulegraph": "\ngive: l_0(3+) w => l_0 - w\n",
    "decision": "\ntest A <= 3.0\n  yes: 1.0\n  no: 2.0\n",
    "execution": "\nrepeat 2\n  do something\nend\n",
}


@of_every_language
def test_the_template_without_a_game_is_a_faultless_program(name: str) -> None:
    known = language(name)
    text = known.template(None)
    source = known.parse(text, "new")
    assert known.check(source, None) == ()
    assert known.format_source(source) == text
    assert text.endswith(ENDS[name])
