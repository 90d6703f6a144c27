"""The set-ups that the documentation prints: they name every language, and Helix's is TOML."""

import re
import tomllib
from pathlib import Path

from gpkit.core.registry import LANGUAGES

PAGE = (Path(__file__).resolve().parents[2] / "docs/how-to/editors.md").read_text(encoding="utf-8")
SUFFIXES = {entry.suffix for entry in LANGUAGES}


def test_helix_starts_the_server_for_all_suffixes() -> None:
    (block,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    settings = tomllib.loads(block)
    (language,) = settings["language"]
    assert {f".{suffix}" for suffix in language["file-types"]} == SUFFIXES
    started = settings["language-server"][language["language-servers"][0]]
    assert [started["command"], *started["args"]] == ["gpkit", "lsp"]


def test_neovim_starts_the_server_for_all_suffixes() -> None:
    newer, older = re.findall(r"```lua\n(.*?)```", PAGE, re.DOTALL)
    assert {f".{word}" for word in re.findall(r"(\w+) = \"gpkit\"[ ,}]", newer)} - {".name"} == SUFFIXES
    assert set(re.findall(r"\*(\.\w+)", older)) == SUFFIXES
