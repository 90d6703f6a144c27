"""Finds the Lua versions on this machine, and runs exported Lua in one of them."""

import os
import pkgutil
import re
import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

from gpkit.core.check_report import CheckReport, CheckRow
from gpkit.core.errors import UsageError
from gpkit.core.wording import install_command
from gpkit.export.conformance import Decision, Recorder, Transcript
from gpkit.export.lua.layout import number, quoted, runtime, text_block
from gpkit.export.lua.module import Inputs, candidate_words, course_words, fields_read, roots_of

PROGRAMS = ("lua5.1", "lua5.2", "lua5.3", "lua5.4", "lua5.5", "luajit", "lua")
"""The names of Lua programs to look for; a program that has two of these names is listed under the first one."""

SECONDS = 300.0

_PROBE_SECONDS = 10.0
_VERSION = re.compile(r"Lua(?:JIT)? \d[\w.+-]*")


class LuaError(Exception):
    """An error in Lua code; its text is Lua's error message."""


@dataclass(frozen=True, slots=True)
class LupaHost:
    """A Lua interpreter in the package lupa, such as ``lua51`` or ``luajit21``."""

    name: str

    def run(self, chunk: str) -> str:
        """Run a chunk in a new Lua state and return its result as text.

        Raises:
            LuaError: the chunk fails, or Lua cannot be run.
        """
        lupa = import_module(f"lupa.{self.name}")
        try:
            return str(lupa.LuaRuntime().execute(chunk))
        except lupa.LuaError as error:
            raise LuaError(str(error).partition("\n")[0]) from None


@dataclass(frozen=True, slots=True)
class ProgramHost:
    """A Lua interpreter on the path; its ``name`` includes the version that it reports."""

    name: str
    path: str

    def run(self, chunk: str) -> str:
        """Run a chunk in a new process and return its output.

        Raises:
            LuaError: the chunk fails, or Lua cannot be run.
        """
        with TemporaryDirectory() as folder:
            file = Path(folder) / "chunk.lua"
            file.write_text(f"io.write((function(...) {chunk}\nend)(...))\n", encoding="utf-8", newline="\n")
            try:
                done = _run(self.path, str(file), folder, SECONDS)
            except subprocess.TimeoutExpired:
                raise LuaError(f"not finished after {SECONDS:g} s") from None
            except OSError as error:
                raise LuaError(f"{self.path} cannot be run: {error.strerror or error}") from None
        if done.returncode:
            said = done.stderr.strip().replace(folder, "").splitlines()
            raise LuaError(said[0] if said else f"it ended with the code {done.returncode}")
        return done.stdout


Host: TypeAlias = LupaHost | ProgramHost


def hosts() -> tuple[Host, ...]:
    """All Lua interpreters: first those in lupa, and then the programs on the path.

    Raises:
        UsageError: there is no Lua interpreter.
    """
    found: list[Host] = [*map(LupaHost, runtime_names()), *_programs()]
    if not found:
        raise UsageError(
            f"running Lua needs the package lupa ({install_command('play')}), or lua or luajit on the path"
        )
    return tuple(found)


def runtime_names() -> tuple[str, ...]:
    """The names of the Lua versions in lupa, such as ``lua51`` and ``luajit21``; none if lupa is not installed."""
    try:
        lupa = import_module("lupa")
    except ImportError:
        return ()
    return tuple(sorted(m.name for m in pkgutil.iter_modules(lupa.__path__) if m.name.startswith("lua")))


def _programs() -> tuple[ProgramHost, ...]:
    """The programs on the path that report a Lua version."""
    found: dict[str, ProgramHost] = {}
    for name in PROGRAMS:
        path = shutil.which(name)
        if path is None or os.path.realpath(path) in found:
            continue
        try:
            done = _run(path, "-v", None, _PROBE_SECONDS)
        except (OSError, subprocess.TimeoutExpired):
            continue
        version = _VERSION.match(done.stdout or done.stderr)
        if version is not None:
            found[os.path.realpath(path)] = ProgramHost(f"{name} ({version[0]})", path)
    return tuple(found.values())


def _run(path: str, argument: str, folder: str | None, seconds: float) -> subprocess.CompletedProcess[str]:
    """Run a program without the environment variables that make Lua load other code."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("LUA_")}
    return subprocess.run(  # noqa: S603 - a Lua of the person who asks for it, without a shell
        [path, argument],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=seconds,
        check=False,
    )


def run_everywhere(
    counts: tuple[int, int], test: Callable[[Host], list[str]], notes: tuple[str, ...] = ()
) -> CheckReport:
    """Run a test in every Lua interpreter and report the results.

    Args:
        counts: the number of evaluations and the number of games in the test.
        test: returns the differences in a host; code that fails completely counts as one failure.
        notes: additional remarks for the reader of the report.
    """
    rows = []
    for host in hosts():
        try:
            found = test(host)
        except LuaError as error:
            found = [str(error)]
        rows.append(CheckRow(host.name, *counts, len(found), found[0] if found else ""))
    return CheckReport(tuple(rows), notes)


_PREDICTED = r"""(function(rows)
    local out = {}
    local function shown(v)
        if type(v) == "string" then
            return '"' .. v:gsub('[%c"\\]', function(c) return string.format("\\u%04x", string.byte(c)) end) .. '"'
        elseif type(v) == "boolean" then
            return tostring(v)
        end
        return v ~= v and "NaN" or v == 1 / 0 and "Infinity" or v == -1 / 0 and "-Infinity" or string.format("%.17g", v)
    end
    for k, row in ipairs(rows) do
        out[k] = shown(M.predict(row))
    end
    return table.concat(out, "\n")
end)(ROWS)"""
"""A Lua expression that returns a module's predictions for rows as JSON."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """An exported program in a Lua interpreter.

    Attributes:
        host: the Lua interpreter.
        text: the exported file.
        mode: the kind of file: ``module`` (also for a player), ``function`` or ``article``; for an ``article``, only
            the first specimen of the first level is used.
        program: the original program, before the export.
    """

    host: Host
    text: str
    mode: str
    program: Any

    def evaluate(
        self, section: str, tree: Any, rows: Sequence[tuple[Sequence[float], Sequence[float]]]
    ) -> list[str]:
        """The values of a formula for rows of sensor values and random numbers, as strings with 17 digits.

        If the Lua version has integers, the call passes whole numbers as integers, which modules and functions convert
        to floats. In the mode ``article``, the text contains only the bare formula, so the call passes floats.

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
        """A module's predictions for rows, each as JSON; the rows are Lua tables.

        Raises:
            LuaError: the code fails.
        """
        return self._run(_PREDICTED.replace("ROWS", f"{{ {', '.join(rows)} }}")).split("\n")

    def decide(
        self, section: str, sensors: Sequence[str], decisions: Sequence[tuple[int, Decision]]
    ) -> list[str]:
        """A module's choices in decisions of a single section; each decision is given with the key of its game.

        Raises:
            LuaError: the code fails.
        """
        words = [
            word
            for key, each in decisions
            for word in (str(key), str(each.actions), str(len(each.candidates)), *candidate_words(each))
        ]
        fields = _strings([Inputs.of(self.program).field(name) for name in sensors])
        return self._run(f"driver.decide(M, {quoted(section)}, {fields}, {quoted(' '.join(words))})").split()

    def play(self, recorder: Recorder, transcripts: Sequence[Transcript]) -> list[list[str]]:
        """A player's games for recorded deals, each with its actions, its number of turns and its scores (``outcome``).

        Raises:
            LuaError: the code fails.
        """
        deals = [
            " ".join(map(str, (each.key, *(number for numbers in each.deal.values() for number in numbers))))
            for each in transcripts
        ]
        play = f"(function() {runtime(f'{recorder.game}_driver', *recorder.folders)} end)()"
        played = self._run(f"driver.play(M, {play}, {quoted(chr(10).join(deals))})")
        return [line.split() for line in played.split("\n")]

    def follow(self, transcripts: Sequence[Transcript]) -> tuple[int, str]:
        """The number of games in which a player without its own rules decides differently, and the first difference.

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
        """The number of failures in a module's self-test, and the first failure; -1 if the self-test is empty.

        Raises:
            LuaError: the code fails.
        """
        failures, _, first = self._run("driver.selftest(M)").partition(" ")
        return int(failures), first

    def _run(self, expression: str) -> str:
        taken = "local _, level = next(M)\nM = level[1]" if self.mode == "article" else ""
        return self.host.run(f"{_loading(self.text)}\n{taken}\nreturn {expression}")


def outcome(transcript: Transcript) -> list[str]:
    """The expected result of ``Loaded.play`` for a recorded game."""
    return [*map(str, (*transcript.actions, transcript.turns)), *(f"{x:.17g}" for x in transcript.returns)]


def own_failures(failures: int, first: str, is_tested: bool) -> list[str]:
    """The failures from ``Loaded.selftest`` as messages; an empty self-test is a failure if ``is_tested`` is set."""
    if failures < 0:
        return ["the self-test tests nothing"] if is_tested else []
    return [f"selftest: {first}"] * failures


def replayed(
    host: Host, module: str, replay: str, recorded: dict[str, str], is_tested: bool = True
) -> list[str]:
    """The differences when a Lua interpreter replays recorded data, and the failures of the module's self-test.

    Args:
        host: the Lua interpreter.
        module: the text of an exported program.
        replay: the text of the functions that replay recorded data.
        recorded: chunks that return recorded data, by the name of the function that replays it.
        is_tested: whether the module has a self-test.

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
    """The beginning of a chunk, which defines the exported module ``M`` and the ``driver`` that runs it."""
    return (
        f"local M = (function(...) {text}\nend)(...)\nlocal driver = (function() {runtime('driver')} end)()"
    )


def _listed(items: "Sequence[str] | map[str]") -> str:
    return "{ " + ", ".join(items) + " }"


def _strings(words: Sequence[str]) -> str:
    return _listed([quoted(word) for word in words])
