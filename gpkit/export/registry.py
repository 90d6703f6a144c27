"""The languages that programs are exported to."""

from gpkit.core.registry import Entry, find
from gpkit.export.subject import Exporter

EXPORTERS = (
    Entry("lua", "gpkit.export.lua.exporter", "EXPORTER", "Lua 5.1 to 5.5, LuaJIT and Luau", ".lua"),
    Entry("python", "gpkit.export.python", "EXPORTER", "a Python file that needs nothing else", ".py"),
    Entry(
        "json",
        "gpkit.export.json",
        "EXPORTER",
        "formulas in prefix order, blocks line by line, rules as graphs",
        ".json",
    ),
    Entry("latex", "gpkit.export.latex", "EXPORTER", "equations and rules for papers", ".tex"),
)


def exporter(name: str) -> Exporter:
    """The exporter of that name.

    Raises:
        UsageError: there is none; the message names the nearest one.
    """
    found: Exporter = find(EXPORTERS, name, "export format").load()
    return found
