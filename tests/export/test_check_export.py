"""``export --check``: it finds what differs, in every host, and says so."""

import sys
from collections.abc import Callable
from importlib import import_module

import pytest

from gpkit.core.errors import UsageError
from gpkit.export.lua.hosts import hosts
from gpkit.export.lua.valued import MODES
from gpkit.export.registry import check_export, exporter
from gpkit.export.rows import Trials
from gpkit.export.subject import Subject
from gpkit.languages.arithmetic.text import parse

LUA, PYTHON = "gpkit.export.lua.valued", "gpkit.export.python"
JSON = "gpkit.export.json"


@pytest.mark.parametrize(
    "mode", [pytest.param(mode, marks=[pytest.mark.release] * (mode in ("luau", "player"))) for mode in MODES]
)
def test_every_lua_agrees(sample: Subject, mode: str) -> None:
    report = check_export(sample, "lua", mode, evaluations=50, games=2)
    assert report.is_equal, report
    assert tuple(row.host for row in report.rows) == tuple(host.name for host in hosts())
    for row in report.rows:
        assert row.evaluations == 100
        assert row.games == (0 if mode in ("function", "article") else 2)
    assert bool(report.notes) == (mode == "luau")


@pytest.mark.parametrize("to", ["python", "json"])
def test_other_hosts_agree(sample: Subject, to: str) -> None:
    report = check_export(sample, to, exporter(to).default_mode, evaluations=50)
    assert report.is_equal, report
    assert [row.host for row in report.rows] == [to]


def test_without_a_game_a_note_says_that_none_was_played() -> None:
    report = check_export(Subject(parse("A * 2.0").program), "lua", "module", evaluations=5, games=5)
    assert report.is_equal
    assert [row.games for row in report.rows] == [0] * len(report.rows)
    assert "no whole games" in report.notes[0]


def changed(module: str, name: str, before: str, after: str) -> Callable[[pytest.MonkeyPatch], None]:
    """Makes an exporter write something else."""

    def patch(monkeypatch: pytest.MonkeyPatch) -> None:
        original = getattr(import_module(module), name)

        def write(*arguments: object) -> str:
            text: str = original(*arguments)
            assert before in text
            return text.replace(before, after)

        monkeypatch.setattr(import_module(module), name, write)

    return patch


@pytest.mark.parametrize(
    ("to", "mode", "patch", "first"),
    [
        pytest.param(
            "lua",
            "module",
            changed(LUA, "lua_text", "5.0 * selfblock", "5.5 * selfblock"),
            "play(env.selfblock=",
            marks=pytest.mark.release,
        ),
        ("lua", "function", changed(LUA, "function_text", "b < a", "a < b"), "play(env.selfblock="),
        pytest.param(
            "lua",
            "player",
            changed(LUA, "lua_text", "own[other])", "own[other - 1])"),
            "the game with the key",
            marks=pytest.mark.release,
        ),
        (
            "lua",
            "module",
            changed(LUA, "lua_text", "value > highest", "value < highest"),
            "the game with the key",
        ),
        ("lua", "module", changed(LUA, "lua_text", "4294967087.0", "4294967085.0"), "selftest: "),
        (
            "python",
            "module",
            changed(PYTHON, "python_text", "5.0 * selfblock", "5.5 * selfblock"),
            "play(env.selfblock=",
        ),
        (
            "python",
            "module",
            changed(PYTHON, "python_text", "import json", "import jason"),
            "ModuleNotFoundError",
        ),
        ("json", "program", changed(JSON, "json_text", "5.0", "5.5"), "it reads back differently"),
    ],
)
def test_what_differs_is_found(
    sample: Subject,
    to: str,
    mode: str,
    patch: Callable[[pytest.MonkeyPatch], None],
    first: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    patch(monkeypatch)
    report = check_export(sample, to, mode, evaluations=50, games=3)
    assert not report.is_equal
    for row in report.rows:
        assert row.failures
        assert first in row.first


def test_missing_and_further_values_are_differences(sample: Subject) -> None:
    tried = Trials(sample, 3)
    values = [repr(vector.result) for vector in tried.vectors]
    assert tried.differing(values, ()) == []
    assert tried.differing(values[1:], ()) == [f"{len(values) - 1} values instead of {len(values)}"]
    assert tried.differing([*values, "1.0"], ()) == [f"{len(values) + 1} values instead of {len(values)}"]


def test_latex_cannot_be_run(sample: Subject) -> None:
    with pytest.raises(UsageError, match="latex cannot be run"):
        check_export(sample, "latex", "equations")


@pytest.mark.release
def test_without_any_lua_the_message_says_what_to_install(
    sample: Subject, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "lupa", None)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(UsageError, match=r"pip install -e '\.\[play\]'"):
        check_export(sample, "lua", "module", evaluations=2, games=1)
