"""The loop: what the page about it quotes, and the way to it."""

import ast
import inspect
import sys
from pathlib import Path

import gpkit
from gpkit.evolution import loop

sys.path.append(str(Path(__file__).resolve().parents[2] / "docs" / "hooks"))  # as MkDocs does
from the_loop import SECTIONS as STEPS
from the_loop import quoted


def test_the_page_quotes_the_loop_in_60_lines_that_parse() -> None:
    texts = [quoted(name).split("\n", 1)[1].removesuffix("```\n") for name in STEPS]
    names = [
        each.name for each in ast.parse(inspect.getsource(loop)).body if isinstance(each, ast.FunctionDef)
    ]
    assert [name for name in names if name in STEPS] == list(STEPS), "in the order of the file"
    for name, text in zip(STEPS, texts, strict=True):
        (function,) = ast.parse(text).body
        assert isinstance(function, ast.FunctionDef)
        assert (function.name, ast.get_docstring(function)) == (name, None)
        assert function.args.args
        assert not any(each.annotation for each in function.args.args)
    assert sum(len(text.splitlines()) for text in texts) <= 60


def test_three_names_in_two_files_lead_from_the_interface_to_the_body_of_the_loop() -> None:
    def called(function: object) -> set[str]:
        tree = ast.parse(inspect.getsource(inspect.unwrap(function)))  # type: ignore[arg-type]
        calls = [each.func for each in ast.walk(tree) if isinstance(each, ast.Call)]
        return {each.id for each in calls if isinstance(each, ast.Name)}

    assert "from gpkit.evolution.loop import evolve as evolve_by" in inspect.getsource(
        inspect.unwrap(gpkit.evolve)
    )
    assert "evolve_by" in called(gpkit.evolve)
    assert "run_search" in called(loop.evolve)
    assert {"begin", "advance"} <= called(loop.run_search)
