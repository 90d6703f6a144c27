"""TextMate grammars: written from the languages, and in the engine of VS Code equal to the languages' own tokens."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from textmate import files

from gpkit.core.registry import LANGUAGES, data_folder
from gpkit.editing.reading_aids import CALLED, HIDDEN, scope_of, terminals
from gpkit.langkit.recovery import lines_of

ROOT = Path(__file__).resolve().parents[2]
EXTENSION = ROOT / "editors" / "vscode"
ENGINE = ("vscode-textmate@9.3.2", "vscode-oniguruma@2.0.1")


def test_the_extension_is_as_the_languages_say() -> None:
    for name, text in files().items():
        fix = "python editors/textmate.py editors/vscode"
        assert (EXTENSION / name).read_text(encoding="utf-8") == text, f"{name} is out of date: {fix}"
    assert (EXTENSION / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()
    assert all(f'"{entry.name}"' in (EXTENSION / "extension.js").read_text() for entry in LANGUAGES)


def test_every_pattern_is_a_regular_expression_of_one_line() -> None:
    for name, text in files().items():
        if name.startswith("syntaxes/"):
            for pattern in json.loads(text)["patterns"]:
                assert re.compile(pattern["match"]).match("") is None
                assert pattern["name"].endswith(Path(name).name.removesuffix(".tmLanguage.json"))


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the packages of the engine."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        pytest.skip("there is no node with npm on the path, which run the engine of VS Code")
    folder = tmp_path_factory.mktemp("engine")
    command = [npm, "install", "--no-audit", "--no-fund", "--prefix", str(folder), *ENGINE]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    if done.returncode != 0:
        pytest.skip(f"npm installs no {ENGINE[0]}: {done.stderr[-200:]}")
    return folder / "node_modules"


@pytest.mark.release
def test_the_engine_sees_the_tokens_of_all_shipped_programs(engine: Path) -> None:
    languages = {entry.suffix: entry.load() for entry in LANGUAGES}
    paths = [path for path in sorted(data_folder("programs").rglob("*")) if path.suffix in languages]
    assert {path.suffix for path in paths} == set(languages)
    asked = {
        "grammars": {
            f"source.gpkit.{each.name}": str(EXTENSION / f"syntaxes/{each.name}.tmLanguage.json")
            for each in languages.values()
        },
        "files": [
            {"scope": f"source.gpkit.{languages[path.suffix].name}", "path": str(path)} for path in paths
        ],
    }
    command = ["node", str(Path(__file__).with_name("tokenise.cjs")), str(engine)]
    done = subprocess.run(
        command, input=json.dumps(asked), capture_output=True, text=True, timeout=120, check=True
    )
    compared = 0
    for path, seen in zip(paths, json.loads(done.stdout), strict=True):
        language, text = languages[path.suffix], path.read_text(encoding="utf-8")
        scopes = {each.name: scope_of(language, each) for each in terminals(language)}
        at = {place: scope for start, end, scope in seen for place in range(start, end)}
        assert language.recovery is not None
        for start, line in lines_of(text, language.recovery):
            for token in line.tokens:
                if token.terminal in HIDDEN:
                    continue
                found = {at[start + k] for k in range(token.start, token.end)}
                wanted = f"{scopes[token.terminal]}.gpkit.{language.name}"
                called = f"{CALLED}.gpkit.{language.name}"
                assert found <= {wanted, called}, f"{path}: {token} is {found}"
                compared += 1
    assert compared > 5_000
