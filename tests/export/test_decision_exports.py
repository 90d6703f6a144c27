"""Decision trees in other languages."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpkit.core.errors import GpkitError
from gpkit.export.exported import read_subjects
from gpkit.export.json import json_text, read_subject
from gpkit.export.registry import check_export, exporter
from gpkit.export.subject import Subject
from gpkit.games.sevens.primitives import OFFERS
from gpkit.genomes.comparisons import Comparison
from gpkit.genomes.decision import Chance, DecisionProgram, decision_tree
from gpkit.languages.arithmetic.language import LANGUAGE as FORMULAS
from gpkit.languages.decision.language import LANGUAGE as TREES
from gpkit.languages.decision.text import parse
from tests.decision_trees import EVERY_NODE, random_program, seeded


@pytest.mark.parametrize("mode", ["module", pytest.param("player", marks=pytest.mark.release)])
def test_every_lua_agrees(mode: str) -> None:
    source = parse(EVERY_NODE)
    subject = Subject(source.program, "every", dict(source.header), OFFERS["decision"])
    report = check_export(subject, "lua", mode, evaluations=40, games=2)
    assert report.is_equal, report
    assert {(row.evaluations, row.games) for row in report.rows} == {(80, 2)}


@pytest.mark.slow
def test_every_lua_agrees_on_many_values() -> None:
    rng = seeded(6)
    for _ in range(100):
        subject = Subject(random_program(rng), "many", {}, OFFERS["decision"])
        report = check_export(subject, "lua", "function", evaluations=500, games=0)
        assert report.is_equal, report


def test_json_reads_back_and_refuses_what_is_no_tree() -> None:
    rng = seeded(7)
    for _ in range(20):
        subject = Subject(random_program(rng), "some", {"game": "sevens"}, OFFERS["decision"])
        assert read_subject(json_text(subject)).program == subject.program
    value = json.loads(json_text(subject))
    for wrong in (
        True,
        None,
        {},
        [],
        "",
        {"chance": 2, "yes": 1, "no": 2},
        {"switch": "a", "bounds": [1], "intervals": [1]},
    ):
        value["decision_trees"]["play"] = wrong
        with pytest.raises(GpkitError, match="the tree `play` has a node"):
            read_subject(json.dumps(value))


@pytest.mark.parametrize(
    "text",
    ["{send}\nplay: test env.depht < 1 yes: 1 no: 2", "{send}\nplay: env.depht"],
    ids=["tree", "formula"],
)
def test_json_has_sections_in_the_order_of_the_game_and_names_that_it_knows(
    text: str, tmp_path: Path
) -> None:
    language = TREES if "test" in text else FORMULAS
    path = tmp_path / "some.json"
    for name in ("depth", "depht"):
        program = language.parse(text.format(send="send: 1").replace("depht", name)).program
        path.write_text(json_text(Subject(program, "some", {"game": "sevens"}, OFFERS["decision"])))
        if name == "depth":
            (found,) = read_subjects(str(path), None, None, {}, 0)
            assert found.program.names == ("play", "send")
    with pytest.raises(GpkitError, match=r"`sevens` has no sensor `env\.depht`; did you mean `env\.depth`"):
        read_subjects(str(path), None, None, {}, 0)


def test_latex_says_the_cases() -> None:
    subject = Subject(parse("test a_b <= 2 yes: x no: 1e-7").program)
    (document,) = exporter("latex").export(subject, "equations")
    assert (
        r"\begin{cases} \mathit{x} & \mathit{a\_b} \le 2 \\ 1 \cdot 10^{-7} & \mathit{a\_b} > 2"
        in document.text
    )


def test_classes_become_a_function_or_a_module_and_no_player() -> None:
    subject = Subject(parse('test "petal width" <= 0.8 yes: setosa no: "other \\ one"').program)
    (lua,) = exporter("lua").export(subject, "function")
    assert 'return "setosa"' in lua.text
    python, _ = exporter("python").export(subject, "module")
    space: dict[str, object] = {"__name__": "exported"}
    exec(python.text, space)  # noqa: S102 - what was just written
    assert space["value"]({"petal width": 1.0}, None) == "other \\ one"  # type: ignore[operator]
    with pytest.raises(GpkitError, match="the leaf `setosa` is a name"):
        exporter("lua").export(subject, "player")


@pytest.mark.parametrize("seed", [*(pytest.param(seed, marks=pytest.mark.release) for seed in (0, 1, 2)), 3])
def test_every_lua_takes_trees_of_any_size(seed: int) -> None:
    """LuaJIT jumps over 32,767 instructions at most; in Lua 5.1 a function refers to 60 locals of others."""
    rng = np.random.default_rng(seed)
    chances, features = (0.0, 0.0, 0.8, 0.9)[seed], (20, 200, 28, 12)[seed]
    nodes: list[Any] = []
    pending = [(5_000, 5_000, 2_000, 2_000)[seed]]
    while pending:
        leaves = pending.pop()
        if leaves == 1:
            nodes.append(float(round(rng.normal(), 3)))
            continue
        first = max(1, min(leaves - 1, int(leaves * rng.uniform(0.2, 0.8))))
        if rng.random() < chances:
            nodes.append(Chance(float(round(rng.random(), 3))))
            first = first if leaves > 700 else 1
        else:
            nodes.append(Comparison(f"x {rng.integers(features)}", "<=", float(round(rng.normal(), 3))))
        pending += [leaves - first, first]
    subject = Subject(DecisionProgram(("value",), (decision_tree(nodes),)))
    report = check_export(subject, "lua", "function", evaluations=10)
    assert report.is_equal, report
    assert "parts[1]()" in exporter("lua").export(subject, "module")[0].text
