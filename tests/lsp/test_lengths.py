"""Lengths that an editor announces: what cannot fit into memory is refused before it is read."""

import io
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpkit.cli.lsp import LONGEST_HEAD, MOST_DIGITS, Requests
from gpkit.core.errors import EXIT_USAGE, UsageError

DIGITS = st.text("0123456789", min_size=1, max_size=40) | st.text("9", min_size=20, max_size=LONGEST_HEAD)


def requests(text: bytes) -> Requests:
    return Requests(io.BytesIO(text))  # type: ignore[arg-type]


@given(DIGITS)
def test_a_length_is_read_or_refused(digits: str) -> None:
    head = b"Content-Length: %s\r\n" % digits.encode()
    if len(digits.lstrip("0")) <= MOST_DIGITS:
        assert requests(head).readline() == head
    else:
        with pytest.raises(UsageError, match="expected a message of less than"):
            requests(head).readline()


@given(st.binary(min_size=LONGEST_HEAD))
def test_a_line_before_a_message_has_an_end(line: bytes) -> None:
    with pytest.raises(UsageError, match="expected a message of less than"):
        requests(line.replace(b"\n", b" ")).readline()


@pytest.mark.release
def test_the_server_refuses_a_length_of_twenty_digits() -> None:
    text = b"Content-Length: 99999999999999999999\r\n\r\n{}"
    done = subprocess.run([sys.executable, "-m", "gpkit", "lsp"], input=text, capture_output=True, timeout=60)
    assert done.returncode == EXIT_USAGE
    assert b"error: the editor announces" in done.stderr
    assert b"Traceback" not in done.stderr
