"""Exported Lua at work in a host: formulas evaluated, decisions and games made again, recorded games compared."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from gpkit.export.lua.functions import Inputs, fields_read, roots_of
from gpkit.export.lua.hosts import Host
from gpkit.export.lua.layout import number, quoted, runtime, text_block
from gpkit.export.lua.module import candidate_words, course_words
from gpkit.export.transcripts import Decision, Recorder, Transcript


@dataclass(frozen=True, slots=True)
class Loaded:
    """Exported formulas in one Lua.

    Attributes:
        host: the Lua.
        text: the exported file.
        mode: what it is: ``module`` (also a player), ``function``, or ``article``, whose first level's first specimen
            is taken.
        program: what it was exported from.
    """

    host: Host
    text: str
    mode: str
    program: Any

    def evaluate(
        self, section: str, tree: Any, rows: Sequence[tuple[Sequence[float], Sequence[float]]]
    ) -> list[str]:
        """The values of a formula, written with 17 digits, for rows of sensors and random numbers.

        Whole numbers are handed over as integers where Lua has them, which modules and functions make floats of. The
        text of the article is the bare formula: it computes with what it gets, so it gets floats.

        Raises:
            LuaError: the code fails.
        """
        sensors = tree.reads
        written: Callable[[float], str] = number
        inputs = Inputs.of(self.program)
        roots: Sequence[str] = (inputs.table, "random")
        paths: Sequence[Sequence[str]] = [(inputs.table, inputs.field(name)) for name in sensors]
        if self.mode == "article":
            written = repr
            roots, paths = roots_of(tree), [name.split(".") for name in sensors]
        is_lone = self.mode == "function" and len(self.program.names) == 1
        function = "M" if is_lone else f"M[{quoted(section)}]"
        text = " ".join(written(float(x)) for values, random in rows for x in (*values, *random))
        draws = tree.draws
        listed = _listed(map(_strings, paths))
        call = (
            f"driver.evaluate({function}, {_strings(roots)}, {listed}, {draws}, {len(rows)}, {quoted(text)})"
        )
        return self._run(call).split("\n")

    def predict(self, rows: Sequence[str]) -> list[str]:
        """The predictions of a module for rows, which are tables in Lua, each as JSON.

        Raises:
            LuaError: the code fails.
        """
        shown = "type(v) == 'string' and text(v) or type(v) == 'boolean' and tostring(v) or "
        shown += "v ~= v and 'NaN' or v == 1 / 0 and 'Infinity' or v == -1 / 0 and '-Infinity' or "
        shown += "string.format('%.17g', v)"
        text = "string.format('\\\\u%04x', string.byte(c))"
        text = f"""local function text(v) return '"' .. v:gsub('[%c"\\\\]', function(c) return {text} end) .. '"' end"""
        each = f"{text} for k, row in ipairs(ROWS) do local v = M.predict(row) out[k] = {shown} end"
        listed = ",\n".join(rows)
        return self._run(
            f"(function() local ROWS, out = {{ {listed} }}, {{}} {each} return table.concat(out, '\\n') end)()"
        ).split("\n")

    def decide(
        self, section: str, sensors: Sequence[str], decisions: Sequence[tuple[int, Decision]]
    ) -> list[str]:
        """The choices of a module in decisions about one section, each of the game of a key.

        Raises:
            LuaError: the code fails.
        """
        words = []
        for key, decision in decisions:
            words += [str(key), str(decision.actions), str(len(decision.candidates))]
            words += candidate_words(decision)
        fields = _strings([Inputs.of(self.program).field(name) for name in sensors])
        return self._run(f"driver.decide(M, {quoted(section)}, {fields}, {quoted(' '.join(words))})").split()

    def play(self, recorder: Recorder, transcripts: Sequence[Transcript]) -> list[list[str]]:
        """A player's recorded games: of each every action, the number of turns, the scores; see ``outcome``.

        Raises:
            LuaError: the code fails.
        """
        deals = []
        for transcript in transcripts:
            numbers = (n for values in transcript.deal.values() for n in values)
            deals.append(" ".join(map(str, (transcript.key, *numbers))))
        play = f"(function() {runtime(f'{recorder.game}_driver', *recorder.folders)} end)()"
        played = self._run(f"driver.play(M, {play}, {quoted(chr(10).join(deals))})")
        return [line.split() for line in played.split("\n")]

    def follow(self, transcripts: Sequence[Transcript]) -> tuple[int, str]:
        """The games that a player whose host brings the rules decides otherwise: how many, and the first difference.

        Raises:
            LuaError: the code fails.
        """
        parts = [fields_read(self.program), text_block("GAMES", course_words(transcripts))]
        parts += map(runtime, ("keyed_uniform", "own_keyed", "numbers", "selftest", "own_replay"))
        count = "local failures, first = check_games(GAMES)"
        said = "return string.format('%d %s', failures, first or '')"
        failures, _, first = self.host.run("\n".join([_loading(self.text), *parts, count, said])).partition(
            " "
        )
        return int(failures), first

    def selftest(self) -> tuple[int, str]:
        """The failures of a module's own test, and the first of them; -1 where it tests nothing.

        Raises:
            LuaError: the code fails.
        """
        failures, _, first = self._run("driver.selftest(M)").partition(" ")
        return int(failures), first

    def _run(self, expression: str) -> str:
        taken = "local _, level = next(M)\nM = level[1]" if self.mode == "article" else ""
        return self.host.run(f"{_loading(self.text)}\n{taken}\nreturn {expression}")


def outcome(transcript: Transcript) -> list[str]:
    """The result of ``Loaded.play`` for a game that goes as recorded."""
    return [*map(str, (*transcript.actions, transcript.turns)), *(f"{x:.17g}" for x in transcript.returns)]


def own_failures(failures: int, first: str, is_tested: bool) -> list[str]:
    """The findings of a module's own test, by ``Loaded.selftest``, where ``is_tested`` tells if it should be one."""
    if failures < 0:
        return ["the self-test tests nothing"] if is_tested else []
    return [f"selftest: {first}"] * failures


def replayed(
    host: Host, module: str, replay: str, recorded: dict[str, str], is_tested: bool = True
) -> list[str]:
    """Differences of what was recorded in one Lua, and what the module's own test finds.

    Args:
        host: the Lua.
        module: the text of an exported program.
        replay: the text of the functions that follow what was recorded.
        recorded: chunks that return tables of it, by the function that follows them.
        is_tested: whether the module has a test of its own.

    Raises:
        LuaError: the code fails.
    """
    parts = [_loading(module), runtime("keyed_uniform"), replay, "local out = {}"]
    for function, chunk in recorded.items():
        said = f"driver.replay({function}, (function() {chunk} end)())"
        parts.append(f"for _, line in ipairs({said}) do out[#out + 1] = line end")
    parts.append('return driver.selftest(M) .. "\\n" .. table.concat(out, "\\n")')
    selftest, *found = host.run("\n".join(parts)).split("\n")
    failures, _, first = selftest.partition(" ")
    return [*own_failures(int(failures), first, is_tested), *(line for line in found if line)]


def _loading(text: str) -> str:
    """A chunk's beginning: ``M`` is what an exported text returns, ``driver`` what it is run with."""
    return (
        f"local M = (function(...) {text}\nend)(...)\nlocal driver = (function() {runtime('driver')} end)()"
    )


def _listed(items: "Sequence[str] | map[str]") -> str:
    return "{ " + ", ".join(items) + " }"


def _strings(words: Sequence[str]) -> str:
    return _listed([quoted(word) for word in words])
