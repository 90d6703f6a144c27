"""The commands that show what there is and give a start."""

import json
import os
import sys
from importlib import metadata
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import gpkit as in_python
from gpkit.api import health
from gpkit.api.catalogue import KINDS
from gpkit.cli import output
from gpkit.core import compiled
from gpkit.core.cache_folder import CacheFolder
from gpkit.core.compiled import CheckedEntry
from gpkit.core.registry import GAMES, LANGUAGES
from gpkit.evolution.config import shipped_presets
from gpkit.games.dots_and_boxes.learning import PRESETS as LEARNED
from gpkit.user_games.contract import examine


@pytest.mark.parametrize("entry", LANGUAGES, ids=lambda e: e.name)
def test_new_program_is_clean(entry, gpkit, tmp_path: Path) -> None:
    path = tmp_path / f"mine{entry.suffix}"
    outcome = gpkit("new", entry.name, "-o", path)
    assert (outcome.code, outcome.out) == (0, "")
    assert gpkit("check", "--strict", path).code == 0
    assert gpkit("fmt", "--check", path).code == 0
    assert gpkit("new", entry.name).out == path.read_text()


def test_languages_are_listed_with_the_commands_that_take_them(gpkit) -> None:
    items = json.loads(gpkit("list", "languages", "--json").out)["items"]
    text = gpkit("list", "languages").out
    assert max(map(len, text.splitlines())) <= 80
    titles, commands = text.split("\n\n")
    for item, line in zip(items, titles.splitlines()[1:], strict=True):
        assert line.split(maxsplit=2) == [item["name"], item["suffix"], item["title"]]
    heads, *rows = commands.splitlines()
    assert heads.split() == ["command", *(item["name"] for item in items)]
    for row in rows:
        command, *signs = row.rsplit(maxsplit=len(items))
        assert signs == [{"yes": "yes", "no": "-"}[item[command]] for item in items]
    assert len(rows) == len(items[0]) - 3


@pytest.mark.parametrize("entry", GAMES, ids=lambda e: e.name)
@pytest.mark.parametrize(
    ("kind", "languages"),
    [("instructions", {"sinking", "execution"}), ("switches", {"sinking"}), ("operators", {"arithmetic"})],
    ids=["instructions", "switches", "operators"],
)
def test_list_has_the_words_of_languages_for_their_games_alone(
    kind: str, languages: set[str], entry, gpkit
) -> None:
    outcome = gpkit("list", kind, "--game", entry.name, "--json")
    items = json.loads(outcome.out)["items"]
    assert bool(items) == bool(languages & set(entry.load().offers))


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "languages"])
def test_list_is_the_same_as_table_and_as_json(kind: str, gpkit) -> None:
    report = json.loads(gpkit("list", kind, "--json").out)
    assert report["schema"] == "gpkit/list/1"
    assert report["kind"] == kind
    assert report["items"]
    lines = gpkit("list", kind).out.splitlines()
    assert lines[0].split() == list(report["items"][0])
    assert len(lines) == len(report["items"]) + 1
    for line, item in zip(lines[1:], report["items"], strict=True):
        assert all(value in line for value in item.values())


def test_list_alone_shows_the_kinds(gpkit) -> None:
    outcome = gpkit("list")
    assert outcome.code == 0
    heads, *lines = outcome.out.splitlines()
    assert heads.split() == ["kind", "meaning"]
    assert [line.split()[0] for line in lines] == list(KINDS)
    assert {line.split()[1] for line in lines} == {"The", "Players"}, "each in its own words"
    report = json.loads(gpkit("list", "--json").out)
    assert (report["kind"], [row["kind"] for row in report["items"]]) == ("kinds", list(KINDS))


def test_list_has_the_presets_of_a_game_with_their_command(gpkit) -> None:
    items = json.loads(gpkit("list", "presets", "--json").out)["items"]
    assert {item["name"]: item["command"] for item in items} == {
        **dict.fromkeys(shipped_presets(), "gpkit evolve"),
        **dict.fromkeys(LEARNED, "gpkit learn"),
    }
    for entry in GAMES:
        own = json.loads(gpkit("list", "presets", "--game", entry.name, "--json").out)["items"]
        assert own == [item for item in items if item["game"] == entry.name]


def test_list_of_one_game(gpkit) -> None:
    name = GAMES[0].name
    items = json.loads(gpkit("list", "sensors", "--game", name, "--json").out)["items"]
    assert [item["name"] for item in items] == list(GAMES[0].load().offers["arithmetic"].sensor_names)


def test_list_of_rules_has_every_rule_and_its_default_can_be_set(gpkit) -> None:
    items = json.loads(gpkit("list", "rules", "--json").out)["items"]
    games = {entry.name: entry.load() for entry in GAMES}
    assert [(item["game"], item["name"]) for item in items] == [
        (name, option.name) for name, game in games.items() for option in game.all_options
    ]
    for item in items:
        rules = games[item["game"]].make_rules({item["name"]: item["default"]})
        assert rules == games[item["game"]].make_rules({})


def findings_of(gpkit, code: int = 0) -> dict[str, dict[str, object]]:
    outcome = gpkit("doctor", "--json")
    assert outcome.code == code
    return {finding["subject"]: finding for finding in json.loads(outcome.out)["findings"]}


def test_doctor_finds_everything_well(gpkit) -> None:
    findings = findings_of(gpkit)
    assert {"Python", "numba", "numpy", "grammars", "programs", "kernels", "pictures", "Lua"} <= set(findings)
    assert all(finding["ok"] for finding in findings.values())
    assert all(findings[name]["state"] == "ok" for name in ("Python", "numba", "grammars", "pictures"))


def test_doctor_tells_what_is_missing(gpkit, monkeypatch: pytest.MonkeyPatch) -> None:
    extra = "no-such-extra>=2; extra == '{}'".format
    requirements = ["lark>=1.2", "no-such-package>=1", extra("large"), "rich; extra == 'large'", extra("tui")]
    monkeypatch.setattr(health.metadata, "requires", lambda name: requirements)
    outcome = gpkit("doctor")
    assert outcome.code == 1
    lines = {line.split()[0]: line.split(maxsplit=1)[1] for line in outcome.out.splitlines()}
    assert lines["lark"].startswith("ok")
    assert lines["no-such-package"].startswith("MISSING ")
    assert lines["no-such-extra"].startswith("not installed ")
    assert lines["no-such-extra"].endswith("pip install -e '.[tui]'")


def test_doctor_tells_not_installed_from_ok(gpkit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health.metadata, "requires", lambda name: ["no-such-extra; extra == 'dask'"])
    monkeypatch.setitem(sys.modules, "lupa", None)
    monkeypatch.setenv("PATH", "")
    findings = findings_of(gpkit)
    for name in ("no-such-extra", "Lua"):
        assert (findings[name]["ok"], findings[name]["state"]) == (True, "not installed")


def test_doctor_lives_without_what_it_looks_for(gpkit, monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere(name: str) -> list[str]:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(health.metadata, "requires", nowhere)
    for module in ("gpkit.show.render", "gpkit.core.compiled"):
        monkeypatch.setitem(sys.modules, module, None)
    findings = findings_of(gpkit, code=1)
    for name in (health.DISTRIBUTION, "pictures", "kernels"):
        assert (findings[name]["ok"], findings[name]["state"]) == (False, "MISSING")


def test_doctor_is_a_table_on_a_narrow_terminal(gpkit, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where something lies in the home folder a line need not hold its whole path."""
    home = Path(health.__file__).parents[2]
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    monkeypatch.setattr(output, "width_of", lambda stream: 80)
    lines = gpkit("doctor").out.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[0].split() == ["subject", "state", "found"]
    assert lines[2].split()[:2] == ["gpkit", "ok"]
    assert lines[2].endswith(f" in ~{os.sep}gpkit")


def test_doctor_looks_at_every_compiled_kernel(
    gpkit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = CacheFolder(tmp_path / "kernels", "hash")
    monkeypatch.setattr(compiled, "COMPILED", True)
    monkeypatch.setattr(compiled, "kernel_folder", lambda: folder)

    def told(code: int = 0) -> tuple[object, object]:
        finding = findings_of(gpkit, code)["kernels"]
        return finding["state"], finding["found"]

    assert told() == (
        "ok",
        f"not compiled yet: the first command that plays games will do it, in {folder.path}",
    )
    for name in ("one", "other"):
        CheckedEntry(str(folder.make()), name, "").save("key", "code")
    assert told() == ("ok", f"2 compiled, in {folder.path}")
    (tmp_path / "kernels" / "hash" / "one.1.nbc").write_bytes(b"")
    assert told() == ("damaged", f"1 of 2: compiled again when needed, in {folder.path}")
    if hasattr(os, "geteuid"):
        (tmp_path / "kernels").chmod(0o777)
        monkeypatch.setattr(compiled, "kernel_folder", lambda: CacheFolder(tmp_path / "kernels", "hash"))
        state, found = told(code=1)
        assert state == "refused"
        assert f"chmod go-w {tmp_path / 'kernels'}" in str(found)


def test_doctor_says_where_kernels_cannot_be_kept(
    gpkit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("text")
    monkeypatch.setattr(compiled, "COMPILED", True)
    monkeypatch.setattr(compiled, "kernel_folder", lambda: CacheFolder(tmp_path / "file", "hash"))
    finding = findings_of(gpkit)["kernels"]
    assert finding["state"] == "not kept"
    assert str(finding["found"]).endswith(f"compiles them again: {tmp_path / 'file'} is not a folder")


def test_list_says_that_there_is_nothing(gpkit) -> None:
    outcome = gpkit("list", "sensors", "--game", "dots_and_boxes")
    told = "there are no sensors in dots_and_boxes; its programs are in rulegraph\n"
    assert (outcome.code, outcome.out, outcome.err) == (0, "", told)


@pytest.mark.release
@settings(max_examples=4, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(games=st.integers(1, 9), seconds=st.sampled_from([0.0, 60.0]))
def test_a_game_is_examined_as_long_from_python(games: int, seconds: float, gpkit) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(examine, "GAMES", games)
        patch.setattr(examine, "PLAYED_FOR", seconds)
        told = json.loads(gpkit("doctor", "--game", "dots_and_boxes", "--json").out)
        assert told["games"] == in_python.doctor("dots_and_boxes").games == (games if seconds else 1)


def test_operators_are_told_in_the_words_of_gpkit(gpkit) -> None:
    rows = {each["name"]: each for each in json.loads(gpkit("list", "operators", "--json").out)["items"]}
    assert [rows[sign]["meaning"] for sign in "+-*"] == ["a + b", "a - b", "a * b"]
