"""Rule lists in Lua, JSON and LaTeX: the same moves in every position, and back to the same list.

Exported rule lists have the moves of the compiled matcher in all classes of positions of 3x3 boxes.
"""

import json
import math
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
import pytest
from case_files import lua_text
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from rule_strategies import LEARNED, LEVEL_0, LEVEL_1, rule_lists, rules

from gpkit.core.errors import UsageError
from gpkit.core.registry import data_folder
from gpkit.export.json import json_text, read_subject
from gpkit.export.lua.hosts import LupaHost, hosts, replayed, runtime_names
from gpkit.export.lua.layout import records, runtime
from gpkit.export.registry import check_export, exporter
from gpkit.export.subject import Subject
from gpkit.games.dots_and_boxes.classes import classes
from gpkit.games.dots_and_boxes.forms.record import (
    NO_RULE,
    recorded_games,
    recorded_positions,
    sample,
)
from gpkit.games.dots_and_boxes.rule_lists import choose
from gpkit.games.dots_and_boxes.rules import DotsAndBoxesRules
from gpkit.genomes.graph import Rule, RuleList, canonical
from gpkit.languages.rulegraph.forms.exports import (
    LUA,
    latex_rule,
    latex_rules,
    lua_documents,
    rules_text,
    weights_of,
)
from gpkit.languages.rulegraph.text import parse
from gpkit.matching.plan import asks_for_score, plan_of


def replayed_moves(host: LupaHost, text: str, positions: str, games: str) -> list[str]:
    replay = runtime("rules_replay", LUA)
    return replayed(host, text, replay, {"check": positions, "replay": games})


def subject(text: str, seed: int = 1, **rules: str) -> Subject:
    source = parse(text)
    return Subject(source.program, "sample", dict(source.header), None, rules, seed)


def moves_differ(lua: str, exported: Subject, positions: int = 40, games: int = 2) -> list[str]:
    """What one Lua says of random positions and of games."""
    found, played = recorded_positions(exported, positions), recorded_games(exported, games)
    text = rules_text(exported, found[:3], played[:1])
    return replayed_moves(LupaHost(lua), text, *(records("return ", each) for each in (found, played)))


@settings(max_examples=15, deadline=None)
@given(rule_lists(max_rules=6, max_nodes=4), st.integers(0, 1000), st.data())
def test_generated_rules_have_the_same_moves(generated: RuleList, seed: int, data: st.DataObject) -> None:
    exported = Subject(generated, seed=seed)
    lua = data.draw(st.sampled_from(runtime_names()))
    assert moves_differ(lua, exported, 12, 1) == []


def test_a_negative_zero_leaves_other_zeros_as_they_are() -> None:
    """Lua 5.1 keeps one constant for both."""
    exported = subject("q_0 w => q_0 - w  @q=-0.0 @f=-0.0")
    assert str(exported.program.rules[0].f) == "-0.0"
    for lua in runtime_names():
        assert moves_differ(lua, exported, 12, 1) == []


@pytest.mark.parametrize("board", ["3x3", "2x1", "4x3", "5x5"])
@pytest.mark.parametrize("text", [LEVEL_0, LEVEL_1, LEARNED], ids=["level 0", "level 1", "learned"])
def test_boards_of_any_size(text: str, board: str) -> None:
    assert moves_differ("luajit21", subject(text, board=board)) == []


def test_the_sample_rules_all_act_somewhere() -> None:
    for text in (LEVEL_0, LEVEL_1):
        exported = subject(text)
        acting = {each["rule"] for each in recorded_positions(exported, 300)}
        assert len(acting - {NO_RULE}) >= 3


def test_a_check_runs_every_lua() -> None:
    report = check_export(subject(LEVEL_0), "lua", "module", evaluations=30, games=2)
    assert report.is_equal
    assert [(row.evaluations, row.games) for row in report.rows] == [(30, 2)] * len(hosts())


def test_a_module_that_was_tampered_with_fails_its_own_test() -> None:
    exported = subject("x_0 w => x_0 - w\nq_0 w => q_0 - w\nt_0 w => t_0 - w")
    document = lua_documents(exported, "module")[0].text
    first, *_ = replayed_moves(
        LupaHost("lua54"), document.replace('symbol = "t"', 'symbol = "q"'), *["return {}"] * 2
    )
    assert "instead of" in first


def loaded(text: str) -> Any:
    runtime = import_module("lupa.lua51").LuaRuntime(unpack_returned_tuples=True)
    runtime.globals().M = runtime.execute(lua_documents(subject(text), "module")[0].text)
    return runtime


def test_what_a_host_meets() -> None:
    lua = loaded("take: x_0 w => x_0 - w")
    lua.execute("S = M.new(2, 1)")
    assert list(lua.eval("(M.moves(S))").values()) == [1, 2, 3, 4, 5, 6, 7]  # no rule acts
    assert lua.eval("select(2, M.moves(S))") is None
    assert [lua.eval(f"M.draw(S, {side})") for side in (1, 3, 5)] == [0, 0, 0]
    assert list(lua.eval("(M.moves(S))").values()) == [6]
    assert lua.eval("M.name(select(2, M.moves(S)))") == "take"
    assert lua.eval("M.choose(S, function() return 0.99 end)") == 6
    assert (lua.eval("M.draw(S, 6)"), lua.eval("S.score")) == (1, 1)
    answered, message = lua.execute("return pcall(M.draw, S, 6)")
    assert not answered
    assert "there is no undrawn side 6" in message
    lua.execute("for side = 1, 7 do if not S.drawn[side] then M.draw(S, side) end end")
    assert lua.eval("M.choose(S, function() return 0.5 end)") is None


def test_better_rules_are_drawn_more_often() -> None:
    program = parse(LEARNED).program
    weights, qualities = weights_of(program), [named.q or 0.0 for named in program.rules]
    assert weights == tuple(math.exp(10.0 * (q - 1.5)) for q in qualities)
    rng = np.random.default_rng(1)
    proposed = [(k,) for k in range(len(weights))]
    drawn = [sample(program, weights, proposed, (), tuple(rng.random(2))) for _ in range(4000)]
    best = sorted(range(len(proposed)), key=lambda rule: -weights[rule])[:10]
    total = sum(weights[rule] for rule in best)
    for rule in range(len(proposed)):
        chance = weights[rule] / total if rule in best else 0.0
        assert drawn.count(rule) / 4000 == pytest.approx(
            chance, abs=4.5 * math.sqrt(chance * (1 - chance) / 4000)
        )
    assert sample(program, weights, [()] * len(proposed), (5, 7), (0.5, 0.5)) == 7


def test_other_lists_have_no_weights() -> None:
    assert weights_of(parse(LEVEL_0).program) == ()


def test_a_sampled_side_is_tested() -> None:
    exported = subject(LEARNED)
    document, conformance = lua_documents(exported, "module")
    assert "M.sample" in document.text
    assert '"sampled": ' in conformance.text
    assert (
        "M.sample"
        not in lua_documents(subject(LEVEL_0), "module")[0].text.partition("local function check")[0]
    )
    first, *_ = replayed_moves(
        LupaHost("lua51"), document.text.replace("math.min(#best, 10)", "1"), *["return {}"] * 2
    )
    assert "key " in first


def test_what_comes_with_a_module() -> None:
    module, conformance = lua_documents(subject(LEVEL_1), "module")
    assert (module.suffix, conformance.suffix) == (".lua", ".conformance.jsonl")
    lines = [json.loads(line) for line in conformance.text.splitlines()]
    assert lines[0]["rules"] == ["longer", "ahead", "", "behind", "never"]
    assert [line["kind"] for line in lines[1:]] == ["position"] * 20 + ["game"] * 10


def made() -> dict[str, str]:
    return {
        f"{name}.lua": lua_documents(subject(text), "module")[0].text
        for name, text in (("zero", LEVEL_0), ("one", LEVEL_1), ("learned", LEARNED))
    }


@pytest.mark.parametrize(
    "std",
    [
        pytest.param("min", marks=pytest.mark.release),
        "lua51",
        pytest.param("luajit+love", marks=pytest.mark.release),
    ],
)
def test_luacheck_has_nothing_to_say(std: str, luacheck: Callable[..., str]) -> None:
    assert luacheck(made(), std) == ""


def test_stylua_changes_nothing(stylua: Callable[..., str]) -> None:
    assert stylua(made()) == ""


def test_lines_are_at_most_120_wide() -> None:
    for text in made().values():
        assert max(len(line.expandtabs(4)) for line in text.split("\n")) <= 120


@pytest.mark.parametrize("to", ["python", "lua"])
def test_what_cannot_be_said(to: str) -> None:
    with pytest.raises(
        UsageError, match=r"choose one of lua, json, latex|in the mode module or roster, not `player`"
    ):
        exporter(to).export(subject(LEVEL_0), "player" if to == "lua" else "module")


@pytest.mark.release
@settings(max_examples=40, deadline=None)
@given(rule_lists())
def test_json_reads_back(program: RuleList) -> None:
    exported = Subject(program, header={"board": "3x3"})
    again = read_subject(json_text(exported))
    assert (again.program, dict(again.header)) == (program, {"board": "3x3"})


def test_json_is_for_people_too() -> None:
    (rule,) = json.loads(json_text(subject("a: l_0(2+) x_1 n ; l_0 > 3 ; !q_5 w => l_0[1] - x_1  @q=1.5")))[
        "rules"
    ]
    assert rule == {
        "name": "a",
        "q": 1.5,
        "nodes": [{"symbol": "l", "length": 2, "at_least": True}, {"symbol": "x"}],
        "edges": [[0, 1, 1]],
        "grounds": [1, 0],
        "action": [0, 1, 1],
        "absent": [{"nodes": [{"symbol": "q"}], "edges": [], "grounds": [0]}],
        "comparisons": [[["length", 0], ">", ["number", 3]]],
    }


@settings(max_examples=40, deadline=None)
@given(rules())
def test_latex_of_the_source_reads_back(rule: Rule) -> None:
    (again,) = parse(f"${latex_rule(rule)}$").program.rules
    assert canonical(again.rule) == canonical(rule)


def test_latex() -> None:
    program = parse(LEVEL_1.replace("never", "never_x") + "x_0 n => x_0 - n").program
    text = latex_rules(program)
    assert r"\text{longer:}\quad & l_{0}(1+) n w : l_{1}(1+) n w ;\; \lnot (q_{2} w w w w :" in text
    assert r";\; l_{0} < l_{1} ;\; \mathit{left} < 20 \Rightarrow l_{0} - n \\" in text
    assert r"\mathit{score} \ge 0" in text
    assert r"\text{never\_x:}" in text
    assert text.startswith("% an earlier rule takes precedence\n% a rule after a bar has the precedence")
    assert r"  \mid\; & q_{0} n w w w \Rightarrow q_{0} - n \\" in text
    assert text.endswith("   & x_{0} n \\Rightarrow x_{0} - n\n\\end{align*}\n")


SHIPPED = sorted((data_folder("programs") / "dots_and_boxes").rglob("*.rules"))
LISTS = {path.stem: path.read_text(encoding="utf-8") for path in SHIPPED} | {
    "everything-0": LEVEL_0,
    "everything-1": LEVEL_1,
}
BOARD = DotsAndBoxesRules(3, 3)
BATCH = 5_000
LUAS = ("lua54", "luajit21")

MOVES = lua_text("moves")


def moves_in_lua(
    lua: str, program: RuleList, positions: NDArray[np.int64], score: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The masks of the moves of an exported list, and the rules that act, −1 for none."""
    runtime = import_module(f"lupa.{lua}").LuaRuntime(unpack_returned_tuples=True)
    module = runtime.execute(rules_text(Subject(program), (), ()))
    run = runtime.eval(f"function(...) {MOVES} end")
    words: list[str] = []
    for first in range(0, len(positions), BATCH):
        text = " ".join(map(str, positions[first : first + BATCH].tolist()))
        words += str(run(module, score, text)).split()
    numbers = np.array(words, dtype=np.int64).reshape(-1, 2)
    return numbers[:, 0], numbers[:, 1] - 1


def assert_same(lua: str, program: RuleList, positions: NDArray[np.int64]) -> None:
    """Of several scores where a rule asks for the score."""
    searches = plan_of(program)
    scores = (-2, 0, 1) if asks_for_score(searches) else (0,)
    masks, acting = choose(searches, positions, scores, BOARD)
    for column, score in enumerate(scores):
        moves, rules = moves_in_lua(lua, program, positions, score)
        assert np.array_equal(moves, masks[:, column])
        assert np.array_equal(rules, acting[:, column])


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.release] * (name != "everything-1")) for name in LISTS],
)
def test_moves_in_some_classes(name: str) -> None:
    positions = classes(BOARD).positions[:-1]
    some = np.random.default_rng(1).choice(positions, 400, replace=False)
    assert_same("luajit21", parse(LISTS[name]).program, some)


@pytest.mark.slow
@pytest.mark.parametrize("lua", LUAS)
@pytest.mark.parametrize("name", LISTS)
def test_moves_in_all_classes(name: str, lua: str) -> None:
    positions = classes(BOARD).positions[:-1]
    assert len(positions) == 195_550
    assert_same(lua, parse(LISTS[name]).program, positions)
