"""Hosts that come with Node: Fengari (Lua 5.3 in JavaScript) and Luau in WebAssembly.

They run where node and the packages are found, for instance after ``npm install fengari luau-web`` with NODE_PATH set
to the folder ``node_modules``.
"""

import shutil
import subprocess
from pathlib import Path

import pytest
from rule_strategies import LEVEL_0, LEVEL_1

from gpkit.export.conformance import make_vectors, same_number
from gpkit.export.registry import exporter
from gpkit.export.subject import Subject
from gpkit.languages.rulegraph.text import parse as parse_rules

FENGARI = """
const { lua, lauxlib, lualib, to_luastring, to_jsstring } = require("fengari");
const state = lauxlib.luaL_newstate();
lualib.luaL_openlibs(state);
const text = require("fs").readFileSync(process.argv[2]);
if (lauxlib.luaL_loadbuffer(state, text, null, to_luastring("@exported")) || lua.lua_pcall(state, 0, 1, 0)) {
  throw new Error(to_jsstring(lua.lua_tostring(state, -1)));
}
console.log(to_jsstring(lua.lua_tostring(state, -1)));
"""

LUAU = """
const { readFileSync } = require("node:fs");
const { pathToFileURL } = require("node:url");
import(pathToFileURL(require.resolve("luau-web"))).then(async ({ LuauState }) => {
  const state = await LuauState.createAsync();
  const run = state.loadstring(readFileSync(process.argv[2], "utf8"), "exported", true);
  console.log((await run())[0]);
});
"""

HOSTS = {"fengari": FENGARI, "luau-web": LUAU}


def run(package: str, text: str, folder: Path) -> list[str]:
    """The lines that a chunk returns as one string, in the host of a package; or skip."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not on the path")
    found = subprocess.run([node, "-e", f"require.resolve('{package}')"], capture_output=True, check=False)
    if found.returncode:
        pytest.skip(f"node does not find the package {package}; install it and set NODE_PATH")
    (folder / "run.cjs").write_text(HOSTS[package], encoding="utf-8")
    (folder / "chunk.lua").write_text(text, encoding="utf-8")
    command = [node, str(folder / "run.cjs"), str(folder / "chunk.lua")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def ending(text: str, code: str) -> str:
    """A module's text that does something else at its end than return the module."""
    body, _, rest = text.rpartition("return M\n")
    assert not rest
    return body + code


@pytest.mark.parametrize(
    ("package", "mode"),
    [
        pytest.param(
            package,
            mode,
            id=f"{mode}-{package}",
            marks=[pytest.mark.release]
            * ((package, mode) not in (("fengari", "module"), ("luau-web", "luau"))),
        )
        for mode in ("module", "player", "luau")
        for package in HOSTS
    ],
)
def test_exports_pass_their_own_test(sample: Subject, package: str, mode: str, tmp_path: Path) -> None:
    if (package, mode) == ("fengari", "luau"):
        pytest.skip("Fengari has no types")
    text = exporter("lua").export(sample, mode)[0].text
    code = "local failures, first = M.selftest()\nreturn failures .. ' ' .. tostring(first)\n"
    assert run(package, ending(text, code), tmp_path) == ["0 nil"]


@pytest.mark.parametrize("package", [pytest.param("fengari", marks=pytest.mark.release), "luau-web"])
@pytest.mark.parametrize(
    "text",
    [pytest.param(LEVEL_0, marks=pytest.mark.release, id="level 0"), pytest.param(LEVEL_1, id="level 1")],
)
def test_rules_pass_their_own_test(text: str, package: str, tmp_path: Path) -> None:
    module = exporter("lua").export(Subject(parse_rules(text).program), "module")[0].text
    code = "local failures, first = M.selftest()\nreturn failures .. ' ' .. tostring(first)\n"
    assert run(package, ending(module, code), tmp_path) == ["0 nil"]


@pytest.mark.parametrize("package", HOSTS)
def test_values_are_the_same_to_the_last_bit(sample: Subject, package: str, tmp_path: Path) -> None:
    vectors = make_vectors(sample, 200, "other hosts")
    calls = []
    for vector in vectors:
        fields = [name.removeprefix("env.") for name in sample.program.parts[vector.section].reads]
        env = ", ".join(f"{field} = {value!r}" for field, value in zip(fields, vector.values, strict=True))
        drawn = ", ".join(map(repr, vector.random))
        calls.append(f"show(M.{vector.section}({{ {env} }}, draw({{ {drawn} }})))")
    code = """
    local out = {}
    -- a sign, a whole number of 53 bits and an exponent: nothing depends on how a host prints fractions
    local function show(value)
        local sign = value < 0 and "-" or ""
        local exponent = 0
        if value < 0 then value = -value end
        while value % 1.0 ~= 0.0 do value = value * 2.0 exponent = exponent - 1 end
        out[#out + 1] = sign .. string.format("%.0f", value) .. " " .. exponent
    end
    local function draw(numbers)
        local place = 0
        return function() place = place + 1 return numbers[place] end
    end
    """
    text = exporter("lua").export(sample, "module")[0].text
    lines = run(
        package, ending(text, code + "\n".join(calls) + '\nreturn table.concat(out, "\\n")\n'), tmp_path
    )
    values = [float(int(word)) * 2.0 ** int(exponent) for word, exponent in map(str.split, lines)]
    assert all(
        same_number(value + 0.0, vector.result + 0.0) for value, vector in zip(values, vectors, strict=True)
    )
