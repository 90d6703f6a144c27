"""``gpkit mcp``: an assistant writes programs as texts and cannot reach anything else."""

import json
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import anyio
import pytest

from gpkit.cli.mcp import COMMANDS, MOST_SEARCH, tool_server

MINE = "play: env.depth + 2 * env.selfblock\nsend: env.dist"


class RefusedError(Exception):
    """The server refused a call; the message is that of the server."""


Call = Callable[..., Any]


def talk(server: Any, script: Callable[[Any], Any]) -> Any:
    """What an asynchronous script gives that talks to a server."""
    from mcp import Client

    async def talked() -> Any:
        async with Client(server) as client:
            return await script(client)

    return anyio.run(talked)


def called(server: Any, *calls: tuple[str, Mapping[str, Any]]) -> list[Any]:
    """The answers of calls, read from JSON where they are JSON; a refusal is a ``RefusedError``."""

    async def script(client: Any) -> list[Any]:
        answers = []
        for name, arguments in calls:
            found = await client.call_tool(name, arguments)
            text = found.content[0].text
            answers.append(
                RefusedError(text) if found.is_error else json.loads(text) if text[:1] == "{" else text
            )
        return answers

    return list(talk(server, script))


def test_tools_have_the_names_types_and_bounds_of_the_commands() -> None:
    async def script(client: Any) -> Any:
        return (await client.list_tools()).tools

    tools = {each.name: each.input_schema for each in talk(tool_server(0, 500, 10.0), script)}
    assert tools.keys() == COMMANDS.keys()
    assert tools["run"]["required"] == ["programs"]
    assert {"seed", "data", "dialect"}.isdisjoint(tools["run"]["properties"])
    whole, none = tools["run"]["properties"]["games"]["anyOf"]
    assert whole == {"type": "integer", "minimum": 1, "maximum": 500}
    assert none == {"type": "null"}


def test_a_program_is_checked_measured_compared_traced_and_exported() -> None:
    sevens = {"game": "sevens"}
    listed, found, results, again, compared, traced, lua, told = called(
        tool_server(0, 30, 60.0),
        ("sensors", sevens),
        ("check", {"text": "play: env.dept\nsend: 1", **sevens}),
        ("run", {"programs": [MINE], **sevens}),
        ("run", {"programs": [MINE], **sevens}),
        ("compare", {"first": MINE, "second": "simple", "opponents": ["random"], **sevens}),
        ("trace", {"program": MINE, "until": "turn > 0", **sevens}),
        ("export", {"programs": [MINE], "to": "lua", **sevens}),
        ("explain", {"code": "E010"}),
    )
    assert "env.depth" in {each["name"] for each in listed["items"]}
    assert [each["code"] for each in found["findings"]] == ["E010", "W034"]
    assert results == again
    assert [each["games"] for each in results["results"]] == [30] * len(results["results"])
    assert all(low < each["mean"] < high for each in results["results"] for low, high in [each["ci95"]])
    assert compared["results"][0]["verdict"] in ("better", "worse", "not distinguished")
    assert traced["steps"][-1]["values"]["turn"] > 0
    assert "selfblock" in lua["text"]
    assert told.startswith("An unknown sensor")


def test_the_guide_of_a_language_has_its_grammar_and_a_program_for_each_game() -> None:
    async def script(client: Any) -> Any:
        return (await client.read_resource("gpkit://guides/sinking")).contents[0].text

    guide = talk(tool_server(0, 30, 60.0), script)
    assert "// Sinking programs" in guide or "sinking" in guide.lower()
    assert "// game: battleship" in guide


HOSTILE: list[tuple[str, dict[str, Any], str]] = [
    ("run", {"programs": ["/etc/passwd"], "game": "sevens"}, "unexpected `/`"),
    ("run", {"programs": ["./champion.tree"], "game": "sevens"}, "`.` is not allowed here"),
    ("run", {"programs": ["champion"], "game": "/etc/passwd"}, "there is no game"),
    ("run", {"programs": ["champion"], "game": "secret.py"}, "there is no game"),
    ("run", {"programs": ["champion"], "game": "openspiel:hex"}, "there is no game"),
    ("run", {"programs": ["-"], "game": "sevens"}, "ends in the middle"),
    ("run", {"programs": ["champion"], "opponents": ["secret.tree"], "game": "sevens"}, "has no sensor"),
    ("run", {"programs": ["champion"], "opponents": ["folder/"], "game": "sevens"}, "ends in the middle"),
    ("run", {"programs": [f"pimc:{MOST_SEARCH + 1}"], "game": "sevens"}, "searches for too long"),
    ("run", {"programs": ["champion"], "games": 31, "game": "sevens"}, "less than or equal to 30"),
    ("run", {"programs": ["champion"], "games": 0, "game": "sevens"}, "greater than or equal to 1"),
    ("run", {"programs": ["// game: ./secret.py\nplay: 1\nsend: 2"]}, "name its language or its game"),
    ("run", {"programs": ["__import__('os').system('id')"], "game": "sevens"}, "is not allowed here"),
    ("run", {"programs": ["play: env.secret\nsend: 1"], "game": "sevens"}, "has no sensor `env.secret`"),
    ("run", {"programs": ["play: " + "(" * 100_000], "game": "sevens"}, "deep"),
    ("run", {"programs": ["play: 1" + " + 1" * 1_000_000], "game": "sevens"}, "large|long"),
    ("run", {"programs": [MINE], "rules": {"players": "../secret"}, "game": "sevens"}, "players"),
    ("compare", {"first": MINE, "second": "secret", "game": "sevens"}, "has no sensor `secret`"),
    ("trace", {"program": "game.json", "game": "sevens"}, "has no sensor"),
    ("export", {"programs": ["run/"], "to": "lua", "game": "sevens"}, "ends in the middle"),
    ("export", {"programs": [MINE], "to": "/tmp/x", "game": "sevens"}, "format"),  # noqa: S108
]


@pytest.mark.parametrize(("tool", "arguments", "why"), HOSTILE)
def test_what_is_no_program_is_refused(
    tool: str, arguments: dict[str, Any], why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files that have these names lie in the folder in which the server runs."""
    monkeypatch.chdir(tmp_path)
    for name in ("secret", "secret.tree", "champion.tree", "game.json"):
        Path(name).write_text(MINE)
    Path("secret.py").write_text("raise SystemExit('imported')")
    Path("folder").mkdir()
    (answer,) = called(tool_server(0, 30, 20.0), (tool, arguments))
    with pytest.raises(RefusedError, match=why):
        raise answer


WATCHED = """
import os, sys
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_TRUNC
def watch(event, arguments):
    if event in ("open", "os.remove", "os.rename", "os.mkdir"):
        if isinstance(arguments[0], int):
            return
        told = [event, os.path.abspath(os.fsdecode(arguments[0]))]
        writes = event != "open" or set(arguments[1] or "") & set("wax+") or arguments[2] & WRITING
        told.append("write" if writes else "read")
    elif event in ("subprocess.Popen", "os.exec", "os.posix_spawn", "os.system", "socket.connect", "socket.bind"):
        told = [event, str(arguments[0]), ""]
    else:
        return
    os.write(seen, (chr(31).join(told) + chr(10)).encode())
seen = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
from gpkit.cli.main import main
import gpkit.api.programs, gpkit.cli.mcp, gpkit.vm.machine, mcp.server
sys.addaudithook(watch)
sys.exit(main(["mcp", "--most-games", "30"]))
"""
"""The server, with an audit hook that writes down every file, process and connection."""


@pytest.mark.release
def test_a_scripted_proposer_improves_a_program_and_touches_nothing(tmp_path: Path) -> None:
    """It sends 100 programs and 20 hostile ones, measures the best one on held-out deals and exports it."""
    from mcp import StdioServerParameters

    home = tmp_path / "home"
    home.mkdir()
    for name in ("secret", "secret.tree", "champion.tree", "game.json"):
        (home / name).write_text(MINE)
    (home / "secret.py").write_text("raise SystemExit('imported')")
    log = tmp_path / "log"
    (tmp_path / "server.py").write_text(WATCHED)
    server = StdioServerParameters(
        command=sys.executable, args=[str(tmp_path / "server.py"), str(log)], cwd=home, env=dict(os.environ)
    )
    proposals = [
        f"play: {a} * env.depth + {b} * env.selfblock\nsend: env.dist" for a in range(10) for b in range(10)
    ]
    calls = [("run", {"programs": [each], "opponents": ["simple"], "game": "sevens"}) for each in proposals]
    answers = called(server, *calls, *((tool, arguments) for tool, arguments, _ in HOSTILE))
    scores = [each["results"][0]["mean"] for each in answers[:100]]
    assert all(isinstance(each, RefusedError) for each in answers[100:])
    best = proposals[scores.index(max(scores))]
    (held_out, lua) = called(
        server,
        ("run", {"programs": [best], "ladder": True, "game": "sevens", "games": 30}),
        ("export", {"programs": [best], "to": "lua", "check": True, "game": "sevens"}),
    )
    assert len(scores) == 100
    assert held_out["schema"].startswith("gpkit/")
    assert lua["results"][0]["equal"]
    assert [host["failures"] for host in lua["results"][0]["hosts"]] == [0] * len(lua["results"][0]["hosts"])
    events = [line.split("\x1f") for line in log.read_text().splitlines()]
    assert {place for _, place, _ in events if Path(place).is_relative_to(home)} <= {str(home)}
    assert [each for each in events if each[0].startswith("socket.")] == []
    assert {Path(place).name for kind, place, _ in events if "Popen" in kind or "spawn" in kind} <= HOSTS
    caches = (os.environ.get("GPKIT_CACHE_DIR", "/nowhere"), str(Path.home() / ".cache"), "/tmp", "/dev")  # noqa: S108
    written = {place for _, place, mode in events if mode == "write" and not place.startswith(caches)}
    assert written == set()


HOSTS = {"lua", "lua5.1", "lua5.2", "lua5.3", "lua5.4", "luajit", "luau", "lua51", "lua52", "lua53", "lua54"}
"""Hosts of Lua in which an export is checked."""
