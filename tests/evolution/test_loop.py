"""The loop: what the page about it quotes, and the way to it."""

import ast
import inspect
import re
from pathlib import Path

import gpkit
from gpkit.evolution import loop

PAGE = Path(__file__).resolve().parents[2] / "docs" / "explanation" / "the-loop.md"


def bare(function: ast.FunctionDef) -> str:
    """A function without its types and its docstring."""
    arguments = function.args
    for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
        each.annotation = None
    function.returns = None
    if ast.get_docstring(function):
        function.body = function.body[1:]
    for node in ast.walk(function):
        for field, value in ast.iter_fields(node):
            if isinstance(value, list):
                plain = [
                    ast.Assign([each.target], each.value, lineno=0)
                    if isinstance(each, ast.AnnAssign) and each.value
                    else each
                    for each in value
                ]
                setattr(node, field, plain)
    return ast.unparse(function)


def functions(text: str) -> dict[str, str]:
    """The functions of a module, bare, by name."""
    return {each.name: bare(each) for each in ast.parse(text).body if isinstance(each, ast.FunctionDef)}


def test_the_page_quotes_the_loop_as_it_is_in_60_lines() -> None:
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
    quoted, real = functions("".join(blocks)), functions(inspect.getsource(loop))
    assert list(quoted) == ["run_search", "advance", "next_generation"], "in the order of the file"
    assert quoted == {name: real[name] for name in quoted}
    assert sum(len(block.splitlines()) for block in blocks) <= 60


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
