"""Exported Lua in every Lua that this machine has."""

from collections.abc import Callable

from gpkit.export.check import Report, Row
from gpkit.export.lua.hosts import Host, LuaError, hosts


def run_everywhere(
    counts: tuple[int, int], test: Callable[[Host], list[str]], notes: tuple[str, ...] = ()
) -> Report:
    """Results of a test in every Lua, the test giving the differences.

    Args:
        counts: evaluations and whole games in the test.
        test: code that fails altogether counts as one failure.
        notes: what a reader should know.
    """
    rows = []
    for host in hosts():
        try:
            found = test(host)
        except LuaError as error:
            found = [str(error)]
        rows.append(Row(host.name, *counts, len(found), found[0] if found else ""))
    return Report(tuple(rows), notes)
