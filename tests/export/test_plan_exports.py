"""Plans in other languages: the same exchanges everywhere, and JSON that reads back."""

import json

import pytest
from case_files import case_text
from generated_plans import program_of

from gpkit.core.errors import GpkitError
from gpkit.export.json import json_text, read_subject
from gpkit.export.lua.hosts import runtime_names
from gpkit.export.registry import check_export, exporter
from gpkit.export.subject import Subject
from gpkit.games.build_order.primitives import OFFERS
from gpkit.languages.execution.forms.exchanges import played_runs, random_runs, recorded
from gpkit.languages.execution.forms.lua import plan_text
from gpkit.languages.execution.text import parse

lupa = pytest.importorskip("lupa")

EVERY_STEP = case_text("games/every_step.plan")


def subject(seed: int) -> Subject:
    return Subject(program_of(seed), f"plan{seed}", {"game": "build_order"}, OFFERS["execution"])


def test_every_lua_and_python_ask_for_the_same() -> None:
    every = Subject(parse(EVERY_STEP).program, "every", {}, OFFERS["execution"])
    for to in ("lua", "python"):
        report = check_export(every, to, "module", evaluations=60, games=3)
        assert report.is_equal, report
        assert {(row.evaluations, row.games) for row in report.rows} == {(60, 3)}
    assert {word for run in random_runs(every, 30) for word in run.words} == {
        *("drone", "tick", "spawning_pool", "overlord", "")
    }
    assert all(run.words[:1] == ("drone",) for run in played_runs(every, 3))


def test_plans_from_leaves_are_the_same_everywhere() -> None:
    up = "// direction: up\ndo zerglings\nmerge\n  from drone:\n    wait env.tick > 4 max 6\n    do drone\n"
    source = parse(
        f"// game: build_order\n{up}  from zerglings:\n    use pool\nend\n\nplan pool:\n  do spawning_pool\n"
    )
    every = Subject(source.program, "up", dict(source.header), OFFERS["execution"])
    for to, mode in (("lua", "module"), ("python", "module"), ("json", "program")):
        report = check_export(every, to, mode, evaluations=20, games=2)
        assert report.is_equal, report
    assert {run.start for run in random_runs(every, 4)} == {"drone", "zerglings"}
    assert {run.start for run in played_runs(every, 2)} == {"zerglings"}
    (document,) = exporter("latex").export(every, "equations")
    assert r"\textbf{from } \mathit{drone}:" in document.text


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_every_lua_asks_for_the_same_in_many_runs(part: int) -> None:
    """Ten thousand runs of two hundred generated plans, in every Lua."""
    for seed in range(200 * part, 200 * (part + 1)):
        report = check_export(subject(seed), "lua", "module", evaluations=48, games=2)
        assert report.is_equal, (seed, report)


def test_a_mutant_of_the_stepper_is_found() -> None:
    every = Subject(parse(EVERY_STEP).program, "every", {}, OFFERS["execution"], carries_tests=True)
    text = plan_text(every, recorded(every))
    mutant = text.replace("happens and S.row + 1 or row.to", "happens and row.to or S.row + 1")
    assert mutant != text
    runtime = runtime_names()[0]
    lua = __import__(f"lupa.{runtime}", fromlist=["LuaRuntime"]).LuaRuntime()
    failures, first = lua.execute(mutant).selftest()
    assert failures > 0
    assert "instead of" in first


def test_states_of_the_stepper_can_be_stored() -> None:
    every = Subject(parse(EVERY_STEP).program, "every", {}, OFFERS["execution"])
    lua = __import__(f"lupa.{runtime_names()[0]}", fromlist=["LuaRuntime"]).LuaRuntime()
    copied = lua.execute(
        f"""
        local M = (function() {plan_text(every, ())} end)()
        local function copy(v)
            if type(v) ~= "table" then assert(type(v) == "number" or type(v) == "boolean") return v end
            local made = {{}}
            for k, each in pairs(v) do made[k] = copy(each) end
            return made
        end
        local env = {{ larvae = 1, tick = 3, free = 2, pool = 0, minerals = 40 }}
        local S, T, said = M.new(5), M.new(5), {{}}
        for k = 1, 60 do
            said[k] = (M.next(S, env) or "") .. " " .. (M.next(T, env) or "")
            T = copy(T)
        end
        return table.concat(said, "\\n")
        """
    )
    pairs = [line.split(" ") for line in copied.split("\n")]
    assert all(first == second for first, second in pairs)
    assert {first for first, _ in pairs} >= {"drone", "tick"}


def test_json_reads_back_and_refuses_what_is_no_plan() -> None:
    for seed in range(30):
        assert read_subject(json_text(subject(seed))).program == subject(seed).program
    value = json.loads(json_text(subject(1)))
    test = {"all": [{"feature": "env.tick", "comparison": "<", "threshold": 3}]}
    for wrong in (
        *(True, None, {}, [3], [{}], [{"do": 3}], [{"do": "end"}], [{"repeat": 0, "body": []}]),
        *([{"repeat": 2}], [{"chance": 2, "yes": [], "no": []}], [{"wait": test, "max": -1}]),
        *([{"while": {"all": []}, "max": 2, "body": []}], [{"wait": {"any": [{"feature": "x"}]}, "max": 2}]),
        [{"decide": test, "yes": [], "no": []}, {"do": "drone"}],
    ):
        value["plans"]["main"] = wrong
        with pytest.raises(GpkitError, match="the plan `main`"):
            read_subject(json.dumps(value))
    deep: list[object] = []
    for _ in range(60):
        deep = [{"repeat": 2, "body": deep}]
    value["plans"]["main"] = deep
    with pytest.raises(GpkitError, match="deeper than 40"):
        read_subject(json.dumps(value))


def test_latex_says_every_step_and_python_its_limits() -> None:
    every = Subject(parse(EVERY_STEP).program, "every", {}, OFFERS["execution"])
    (document,) = exporter("latex").export(every, "equations")
    assert (
        r"\textbf{wait until } \mathit{larvae} > 1 \text{ or } \mathit{tick} > 9 \textbf{ at most } 7"
        in document.text
    )
    assert document.text.count("  & ") == len(every.program) + 6 + 1  # yes and no, and a heading
    deep = "repeat 2\n" * 30 + "do drone\n" + "end\n" * 30
    with pytest.raises(GpkitError, match="nested loops"):
        exporter("python").export(Subject(parse(deep).program), "module")
    for name in ("run", "range", "next", "print", "def", "plan", "from_x"):
        text = f"use {name}\nuse {name}_\nplan {name}:\n  do drone\nplan {name}_:\n  repeat 2\n    do queen\n  end\n"
        used = Subject(parse(text).program, '"""; quit(', {"note": 'x\0"""'}, OFFERS["execution"])
        report = check_export(used, "python", "module", evaluations=5, games=0)
        assert report.is_equal, report
