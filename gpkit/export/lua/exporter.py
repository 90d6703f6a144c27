"""Lua as one of the languages that programs are exported to."""

from collections.abc import Mapping
from types import MappingProxyType

from gpkit.core.errors import UsageError
from gpkit.export.conformance import Proof, conformance_text, prove
from gpkit.export.lua.module import function_text, luau_text, module_text, player_text
from gpkit.export.lua.roster import roster_text
from gpkit.export.lua.rules import rules_documents
from gpkit.export.lua.sinker import sinker_documents
from gpkit.export.subject import CONFORMANCE, Document, Subject, require_mode
from gpkit.genomes.graph import RuleList
from gpkit.genomes.linear import LinearProgram

LEVEL = "program"
"""The level of a roster of one program whose header names no ``level``."""


MODES: Mapping[str, str] = MappingProxyType(
    {
        "module": "Take this one: each formula as a function of your sensors, or the whole .sink or .rules player.",
        "player": "A .tree for Sevens or Mastermind with the rules, legal moves and sensors of the game built in.",
        "function": "The formula alone: one function, or a table of them. Your game chooses the best candidate.",
        "article": "A roster of levels as in P. Hansson's article: several programs make one file.",
        "luau": "The module with types, for Roblox.",
        "nested": "A .sink as functions with nested conditions, to be read; its games cannot be saved.",
    }
)
"""Names of the modes, and what each of them is for."""


class LuaExporter:
    """Lua 5.1 to 5.5, LuaJIT and Luau."""

    name = "lua"
    title = "Lua 5.1 to 5.5, LuaJIT, Luau: modules that test themselves, and whole players"
    modes: Mapping[str, str] = MODES

    def export(self, subject: Subject, mode: str) -> tuple[Document, ...]:
        """The Lua file, and for modules and players the file of conformance.

        Raises:
            UsageError: an unknown mode, or the program cannot be said in it.
        """
        require_mode(self, mode)
        if isinstance(subject.program, LinearProgram):
            return sinker_documents(subject, mode)
        if isinstance(subject.program, RuleList):
            return rules_documents(subject, mode)
        if mode == "nested":
            raise UsageError("the mode nested is for programs of instructions, not for formulas")
        if mode == "function":
            return (Document(".lua", function_text(subject)),)
        if mode == "article":
            level = subject.header.get("level", LEVEL)
            return (Document(".lua", roster_text({level: [subject.program]})),)
        proof = prove(subject)
        conformance = Document(CONFORMANCE, conformance_text(subject, proof))
        return (Document(".luau" if mode == "luau" else ".lua", lua_text(subject, mode, proof)), conformance)


def lua_text(subject: Subject, mode: str, proof: Proof) -> str:
    """The text of a module, a player or a Luau module."""
    if mode == "player":
        return player_text(subject, proof)
    return luau_text(subject, proof) if mode == "luau" else module_text(subject, proof)


EXPORTER = LuaExporter()
