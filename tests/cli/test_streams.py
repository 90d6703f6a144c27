"""Standard streams that are closed or full, for every command, and requests to terminate."""

import io
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from gpkit.cli.commands import all_commands
from gpkit.cli.main import main
from gpkit.core import streams
from gpkit.core.interrupts import terminations_interrupt

SHORT: dict[str, tuple[str, ...]] = {
    "play": ("play", "mastermind"),
    "check": ("check", "-", "--lang", "arithmetic"),
    "fmt": ("fmt", "-", "--lang", "arithmetic"),
    "new": ("new", "arithmetic"),
    "list": ("list", "games"),
    "doctor": ("doctor",),
}
"""A short command line of a command; the others are asked for their help."""


@contextmanager
def closed() -> Iterator[None]:
    """The streams as Python has them where all are closed; what was opened in their place is closed in the end."""
    names = ("stdin", "stdout", "stderr")
    with pytest.MonkeyPatch.context() as patch:
        for name in names:
            patch.setattr(sys, name, None)
        yield
        for name in names:
            getattr(sys, name).close()


@pytest.mark.parametrize("line", all_commands(), ids=lambda line: line.name)
def test_closed_streams_are_no_fault(line) -> None:
    with closed():
        codes = [
            main(arguments)
            for arguments in (SHORT.get(line.name, (line.name, "--help")), (line.name, "--no-such-option"))
        ]
        assert sys.stdin.read() == ""
    assert codes[0] in (0, 1, 2)
    assert codes[1] == 2


def _run(redirections: str, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """Run a command line as a shell would with these redirections."""
    script = f'exec "$0" -m gpkit "$@" {redirections}'
    return subprocess.run(["sh", "-c", script, sys.executable, *arguments], capture_output=True, check=False)


@pytest.mark.parametrize(
    ("redirections", "code", "told"),
    [
        ("<&- >&- 2>&-", 0, b""),
        ("2>&-", 0, b""),
        (">/dev/full", 2, b"error: No space left on device\n"),
        (">/dev/full 2>/dev/full", 2, b""),
    ],
)
def test_streams_as_a_shell_gives_them(redirections: str, code: int, told: bytes) -> None:
    if "/dev/full" in redirections and not Path("/dev/full").exists():
        pytest.skip("the system has no full device")
    done = _run(redirections, "list", "games")
    assert (done.returncode, done.stderr) == (code, told)


def test_what_cannot_be_told_does_not_stop_a_command(tmp_path: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("the system has no full device")
    done = _run("2>/dev/full", "chekc")
    assert (done.returncode, done.stdout) == (2, b"")


def test_files_do_not_take_the_place_of_a_closed_stream(tmp_path: Path) -> None:
    """What is opened next would be standard output otherwise, and hold all that is printed."""
    path = tmp_path / "a.tree"
    assert _run(">&-", "new", "arithmetic", "-o", str(path)).returncode == 0
    text = path.read_text()
    done = _run(">&- 2>&-", "fmt", "--diff", str(path))
    assert done.returncode in (0, 2)
    assert path.read_text() == text


def test_streams_that_are_open_stay() -> None:
    before = (sys.stdin, sys.stdout, sys.stderr)
    streams.open_closed()
    assert (sys.stdin, sys.stdout, sys.stderr) == before


def test_a_stream_that_refuses_the_last_flush_is_discarded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Full(io.StringIO):
        discarded = False

        def flush(self) -> None:
            if not self.discarded:
                raise OSError(28, "No space left on device")

    full = Full()
    monkeypatch.setattr(streams, "discard", lambda stream: setattr(stream, "discarded", True))
    monkeypatch.setattr(sys, "stdout", full)
    streams.settle()
    assert full.discarded


REQUESTS = [
    signal.SIGTERM,
    pytest.param(getattr(signal, "SIGHUP", None), marks=pytest.mark.skipif("os.name == 'nt'")),
]


def _asked_to_end(number: signal.Signals, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make ``gpkit serve`` be asked to end."""

    def serve() -> None:
        signal.raise_signal(number)

    monkeypatch.setattr("gpkit.cli.serve.serve", serve)


@pytest.mark.usefixtures("heard_requests")
@pytest.mark.parametrize("number", REQUESTS)
def test_a_request_to_end_is_an_interrupt(
    number: signal.Signals, gpkit, monkeypatch: pytest.MonkeyPatch
) -> None:
    _asked_to_end(number, monkeypatch)
    outcome = gpkit("serve")
    assert (outcome.code, outcome.out, outcome.err) == (130, "", "interrupted\n")
    assert signal.getsignal(number) is signal.SIG_DFL


@pytest.mark.parametrize("number", REQUESTS)
def test_where_requests_to_end_are_ignored_they_still_are(
    number: signal.Signals, gpkit, monkeypatch: pytest.MonkeyPatch
) -> None:
    _asked_to_end(number, monkeypatch)
    before = signal.signal(number, signal.SIG_IGN)
    try:
        assert gpkit("serve").code == 0
        with terminations_interrupt():
            assert signal.getsignal(number) is signal.SIG_IGN
    finally:
        signal.signal(number, before)
