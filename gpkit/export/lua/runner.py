"""Exported Lua at work: every Lua that the package lupa carries, and functions loaded into one of them."""

import pkgutil
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any

from gpkit.core.errors import UsageError
from gpkit.core.primitives import RANDOM
from gpkit.export.lua.functions import Inputs
from gpkit.export.lua.layout import number, runtime
from gpkit.export.lua.roster import roots_of
from gpkit.export.statements import sensors_of
from gpkit.export.transcripts import Decision, Transcript
from gpkit.genomes.tree import Tree, TreeProgram


def runtime_names() -> tuple[str, ...]:
    """The names of all Luas, such as ``lua51`` and ``luajit21``.

    Raises:
        UsageError: lupa is not installed.
    """
    try:
        lupa = import_module("lupa")
    except ImportError:
        raise UsageError("running Lua needs the package lupa: pip install lupa") from None
    return tuple(sorted(m.name for m in pkgutil.iter_modules(lupa.__path__) if m.name.startswith("lua")))


class Loaded:
    """Exported code in one Lua.

    ``mode`` says what the text is: ``module`` (also a player), ``function``, or ``article``, whose first level's first
    specimen is taken.
    """

    def __init__(self, lua: str, text: str, mode: str, program: TreeProgram) -> None:
        self.lua = import_module(f"lupa.{lua}").LuaRuntime(unpack_returned_tuples=True)
        self.mode = mode
        self.inputs = Inputs.of(program)
        value = self.lua.execute(f"return {text}" if mode == "function" else text)
        if mode == "article":
            value = next(iter(value.values()))[1]
        self.value: Any = value
        self.lone = mode == "function" and len(program.names) == 1
        self.driver = self.lua.execute(runtime("driver"))

    def evaluate(
        self, section: str, tree: Tree, rows: Sequence[tuple[Sequence[float], Sequence[float]]]
    ) -> list[str]:
        """The values of a formula, written with 17 digits, for rows of sensors and random numbers.

        Whole numbers are handed over as integers where Lua has them, which modules and functions make floats of. The
        text of the article is the bare formula: it computes with what it gets, so it gets floats.
        """
        sensors = sensors_of(tree)
        written = repr if self.mode == "article" else number
        if self.mode == "article":
            roots: Sequence[str] = roots_of(tree)
            paths: Sequence[Sequence[str]] = [name.split(".") for name in sensors]
        else:
            roots = (self.inputs.table, "random")
            paths = [(self.inputs.table, self.inputs.field(name)) for name in sensors]
        function = self.value if self.lone else self.value[section]
        text = " ".join(written(float(x)) for values, random in rows for x in (*values, *random))
        draws = tree.symbols.count(RANDOM)
        result = self.driver.evaluate(
            function, self._list(roots), self._list([self._list(p) for p in paths]), draws, len(rows), text
        )
        return str(result).split()

    def decide(
        self, section: str, sensors: Sequence[str], key: int, decisions: Sequence[Decision]
    ) -> list[int]:
        """What a module chooses in decisions of one game about one section."""
        words = []
        for decision in decisions:
            words += [str(decision.actions), str(len(decision.candidates))]
            for candidate in decision.candidates:
                words += [str(candidate.action), *map(number, candidate.sensors.values())]
        fields = self._list([self.inputs.field(name) for name in sensors])
        return [
            int(word)
            for word in self.driver.decide(self.value, section, fields, key, " ".join(words)).split()
        ]

    def play(self, game: str, transcript: Transcript) -> list[float]:
        """What a player does in the game of a transcript: every action, the number of turns, the scores."""
        play = self.lua.execute(runtime(f"{game}_driver"))
        deal = " ".join(str(number) for values in transcript.deal.values() for number in values)
        return [float(word) for word in play(self.value, transcript.key, deal).split()]

    def selftest(self) -> tuple[int, str]:
        """The failures of a module's own test, and the first of them."""
        failures, first = self.value.selftest()
        return int(failures), str(first or "")

    def _list(self, values: Sequence[Any]) -> Any:
        return self.lua.table_from(list(values))


def replayed_shots(lua: str, module: str, games: str) -> tuple[int, str]:
    """How many games go differently in one Lua, with those of the module's own test, and the first difference.

    Args:
        lua: its name.
        module: the text of an exported sinking program.
        games: a chunk that returns a table of recorded games.
    """
    runtime_of = import_module(f"lupa.{lua}").LuaRuntime(unpack_returned_tuples=True)
    loaded = runtime_of.execute(module)
    failures, first = loaded.selftest()
    found = [str(first)] * int(failures)
    for game in runtime_of.execute(games).values():
        if difference := loaded.replay(game):
            found.append(str(difference))
    return len(found), found[0] if found else ""


def replayed_moves(lua: str, module: str, positions: str, games: str) -> tuple[int, str]:
    """How many positions and games go differently in one Lua, with those of the module's own test, and the first.

    Args:
        lua: its name.
        module: the text of an exported list of rules.
        positions, games: chunks that return tables of what was recorded.
    """
    runtime_of = import_module(f"lupa.{lua}").LuaRuntime(unpack_returned_tuples=True)
    loaded = runtime_of.execute(module)
    failures, first = loaded.selftest()
    found = [str(first)] * int(failures)
    for chunk, test in ((positions, loaded.check), (games, loaded.replay)):
        for recorded in runtime_of.execute(chunk).values():
            if difference := test(recorded):
                found.append(str(difference))
    return len(found), found[0] if found else ""


def replayed(loaded: Loaded, program: TreeProgram, transcript: Transcript) -> Iterator[tuple[int, int]]:
    """For every decision of a game what the program chose and what the loaded module chooses."""
    by_section: Mapping[str, list[Decision]] = {name: [] for name in program.names}
    for decision in transcript.decisions:
        by_section[decision.section].append(decision)
    for section, decisions in by_section.items():
        if decisions:
            sensors = sensors_of(program.tree(section))
            chosen = loaded.decide(section, sensors, transcript.key, decisions)
            yield from zip((d.action for d in decisions), chosen, strict=True)
