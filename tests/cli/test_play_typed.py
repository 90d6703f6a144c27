"""What people type in all games of ``gpkit play``: errors show it as it was typed, commands may be in capitals."""

import pytest


@pytest.mark.parametrize(
    ("arguments", "typed", "said"),
    [
        (("sevens",), "FooBar", "`FooBar` is not a card; "),
        (("battleship",), "Foo", "`Foo` is not a square: "),
        (("battleship", "--vs", "hunt"), "Zz9 V", "`Zz9` is not a square: "),
        (("dots_and_boxes",), "Z9 Top", "`Z9 Top` is not a side: expected a box and one of its sides, "),
        (
            ("dots_and_boxes",),
            "A1 Tip",
            "`A1 Tip`: a box has the sides top, bottom, left, right; did you mean `top`?",
        ),
        (("mastermind",), "1Zz1", "`1Zz1`: peg 2 is `Z`; "),
        (("mastermind",), "1zZ1", "`1zZ1`: peg 2 is `z`; "),
        (
            ("mastermind", "--vs", "entropy"),
            "2 Blakc",
            "`2 Blakc`: `Blakc` is neither black nor white; did you mean",
        ),
        (("mastermind", "--vs", "entropy"), "TWO Black", "`TWO Black`: `TWO` is not a number of pegs; "),
    ],
    ids=str,
)
def test_errors_echo_what_was_typed(arguments: tuple[str, ...], typed: str, said: str, gpkit) -> None:
    outcome = gpkit("play", *arguments, "--seed", 3, stdin=f"{typed}\nQ\n".encode())
    assert outcome.code == 0, outcome.err
    assert said in outcome.out
    assert "You gave up" in outcome.out


@pytest.mark.parametrize(
    ("arguments", "lines", "said"),
    [
        (("sevens",), "H\nHELP\n", " would choose "),
        (("battleship",), "Hint\n", " would shoot "),
        (("battleship", "--vs", "hunt"), "R\nHELP\n", "C4       shoot there"),
        (("battleship", "--vs", "hunt"), "A1 H\nB\n", "Your fleet"),
        (("dots_and_boxes",), "Hint\n", " would draw "),
        (("mastermind",), "L\nH\n", " codes are left: "),
        (("mastermind", "--vs", "entropy"), "NONE\nC 1\n0 Black\n", "1 5 5 6\nentropy guesses 1 5 5 6\n"),
    ],
    ids=str,
)
def test_commands_in_capitals(arguments: tuple[str, ...], lines: str, said: str, gpkit) -> None:
    outcome = gpkit("play", *arguments, "--seed", 3, stdin=f"{lines}QUIT\n".encode())
    assert outcome.code == 0, outcome.err
    assert said in outcome.out
    assert "` is " not in outcome.out


@pytest.mark.parametrize("typed", ["A1", "Top", "A1 Tip", "C9 top", "A1 top", "", "h", "?"])
def test_dots_and_boxes_speaks_of_sides(typed: str, gpkit) -> None:
    outcome = gpkit("play", "dots_and_boxes", "--seed", 3, stdin=f"A1 top\n{typed}\nq\n".encode())
    assert "side" in outcome.out
    assert "edge" not in outcome.out
