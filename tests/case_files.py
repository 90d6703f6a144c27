"""Texts and tables of ``tests/cases``, by their names."""

import tomllib
from pathlib import Path
from typing import Any

CASES = Path(__file__).parent / "cases"


def case_text(name: str) -> str:
    """A file there, such as ``games/line.txt``."""
    return (CASES / name).read_text(encoding="utf-8")


def case_tables(name: str) -> dict[str, Any]:
    """What a TOML file there holds."""
    return tomllib.loads(case_text(name))


def lua_text(name: str) -> str:
    """A chunk of Lua of ``tests/export/lua``."""
    return (CASES.parent / "export" / "lua" / f"{name}.lua").read_text(encoding="utf-8")
