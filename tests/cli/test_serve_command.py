"""``gpkit serve`` on the command line: the address that it prints, and its refusals."""

import html
import os
import re
import signal
import socket
import sys
import tempfile
import webbrowser
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

import pytest
import uvicorn
from tiny_run import evolve_tiny

from gpkit.cli.main import main
from gpkit.web.jobs import Runner


def test_address_is_one_line_with_its_token(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    listened: list[str] = []
    monkeypatch.setattr(
        uvicorn.Server, "run", lambda self, sockets: listened.append(sockets[0].getsockname()[0])
    )
    assert main(["serve", str(tmp_path), "--no-open"]) == 0
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/\?token=[\w-]{32}\n", capsys.readouterr().out)
    assert listened == ["127.0.0.1"]


def test_port_in_use_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        assert main(["serve", str(tmp_path), "--no-open", "--port", str(port)]) == 2
    assert f"cannot listen on port {port}" in capsys.readouterr().err


def test_folder_and_packages_that_are_missing_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["serve", str(tmp_path / "none")]) == 2
    assert "there is no folder" in capsys.readouterr().err
    monkeypatch.delitem(sys.modules, "gpkit.web.server", raising=False)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    assert main(["serve", str(tmp_path), "--no-open"]) == 2
    assert "pip install -e '.[web]'" in capsys.readouterr().err


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="terminals of Windows close otherwise")
@pytest.mark.usefixtures("heard_requests")
def test_terminal_that_closes_ends_the_server_and_its_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[object] = []

    def run(self: uvicorn.Server, sockets: object) -> None:
        signal.raise_signal(signal.SIGHUP)
        said.append(self.should_exit)

    monkeypatch.setattr(uvicorn.Server, "run", run)
    monkeypatch.setattr(Runner, "stop", lambda self: said.append("ended"))
    assert main(["serve", str(tmp_path), "--no-open"]) == 0
    assert said == [True, "ended"]
    assert signal.getsignal(signal.SIGHUP) is signal.SIG_DFL


def test_play_and_report_lead_to_their_pages(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    files: list[Path] = []

    def in_browser(address: str) -> None:
        files.append(Path(url2pathname(urlsplit(address).path)))
        text = files[-1].read_text(encoding="utf-8")
        assert os.name == "nt" or (files[-1].stat().st_mode, files[-1].parent.stat().st_mode) == (
            0o100600,
            0o40700,
        )
        (link,) = re.findall('content="0;url=([^"]+)"', text)
        opened.append(html.unescape(link))
        assert opened[-1].partition("token=")[2] not in address

    make = tempfile.mkdtemp
    places: list[Path] = []

    def made(suffix: str | None = None, prefix: str | None = None, dir: Path | None = None) -> str:  # noqa: A002
        places.extend(
            [dir] if dir else []
        )  # by name or by place: `tempfile.TemporaryDirectory` makes folders, too
        return make(suffix, prefix, tmp_path)

    monkeypatch.setattr(tempfile, "mkdtemp", made)
    monkeypatch.setattr(uvicorn.Server, "run", lambda self, sockets: None)
    monkeypatch.setattr(webbrowser, "open", in_browser)
    asked = ["play", "sevens", "--vs", "hold", "--players", "4", "--seat", "2", "--seed", "7", "--web"]
    assert main(asked) == 0
    page, _, fields = opened[0].partition("?")
    assert page.endswith("/play/sevens")
    assert {"vs=hold", "seat=2", "seed=7", "rule.players=4"} < set(fields.split("&"))
    assert capsys.readouterr().out == f"{opened[0]}\n"
    assert main(["play", "sevens", "--lang", "arithmetic", "--web"]) == 2
    evolve_tiny(tmp_path / "a run", generations=1)
    assert main(["report", str(tmp_path / "a run"), "--open"]) == 0
    assert "/runs/a%20run?token=" in opened[1]
    assert not (tmp_path / "a run" / "report.html").exists()
    assert main(["report", str(tmp_path), "--open"]) == 2
    assert main(["serve", str(tmp_path)]) == 0
    assert places == [Path.home()] * 3
    assert [file.parent.exists() for file in files] == [False, False, False]


@pytest.mark.parametrize("command", ["serve", "lsp", "mcp"])
def test_a_game_that_is_not_there_is_refused(command: str, gpkit) -> None:
    outcome = gpkit(command, "--game", "sevenths")
    assert outcome.code == 2
    assert "there is no game `sevenths`; did you mean `sevens`?" in outcome.err
