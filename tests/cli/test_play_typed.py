"""What people type in all games of ``gpkit play``: errors show it as it was typed, commands may be in capitals."""

import pytest
from case_files import case_tables

TYPED = case_tables("typed.toml")


@pytest.mark.parametrize(
    ("arguments", "typed", "said"),
    TYPED["echoed"],
    ids=str,
)
def test_errors_echo_what_was_typed(arguments: str, typed: str, said: str, gpkit) -> None:
    outcome = gpkit("play", *arguments.split(), "--seed", 3, stdin=f"{typed}\nQ\n".encode())
    assert outcome.code == 0, outcome.err
    assert said in outcome.out
    assert "You gave up" in outcome.out


@pytest.mark.parametrize(
    ("arguments", "lines", "said"),
    TYPED["capitals"],
    ids=str,
)
def test_commands_in_capitals(arguments: str, lines: str, said: str, gpkit) -> None:
    outcome = gpkit("play", *arguments.split(), "--seed", 3, stdin=f"{lines}QUIT\n".encode())
    assert outcome.code == 0, outcome.err
    assert said in outcome.out
    assert "` is " not in outcome.out


@pytest.mark.parametrize("typed", ["A1", "Top", "A1 Tip", "C9 top", "A1 top", "", "h", "?"])
def test_dots_and_boxes_speaks_of_sides(typed: str, gpkit) -> None:
    outcome = gpkit("play", "dots_and_boxes", "--seed", 3, stdin=f"A1 top\n{typed}\nq\n".encode())
    assert "side" in outcome.out
    assert "edge" not in outcome.out
