"""Lua as one of the languages that programs are exported to."""

from gpkit.core.errors import UsageError
from gpkit.export.conformance import Proof, conformance_text, prove
from gpkit.export.lua.module import function_text, luau_text, module_text, player_text
from gpkit.export.lua.roster import roster_text
from gpkit.export.lua.rules import rules_documents
from gpkit.export.lua.sinker import sinker_documents
from gpkit.export.subject import Document, Subject, require_mode
from gpkit.genomes.graph import RuleList
from gpkit.genomes.linear import LinearProgram

LEVEL = "program"
"""The level of a roster of one program whose header names no ``level``."""


class LuaExporter:
    """Lua 5.1 to 5.5, LuaJIT and Luau."""

    name = "lua"
    title = "Lua 5.1 to 5.5, LuaJIT, Luau: modules that test themselves, and whole players"
    modes: tuple[str, ...] = ("module", "player", "function", "article", "luau", "nested")

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
        conformance = Document(".conformance.jsonl", conformance_text(subject, proof))
        return (Document(".luau" if mode == "luau" else ".lua", lua_text(subject, mode, proof)), conformance)


def lua_text(subject: Subject, mode: str, proof: Proof) -> str:
    """The text of a module, a player or a Luau module."""
    if mode == "player":
        return player_text(subject, proof)
    return luau_text(subject, proof) if mode == "luau" else module_text(subject, proof)


EXPORTER = LuaExporter()
