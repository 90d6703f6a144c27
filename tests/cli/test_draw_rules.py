"""``gpkit draw`` of rules: lists, single ones, in positions, and positions themselves."""

from pathlib import Path

import pytest

RULES = """\
# game: dots_and_boxes
take: x_0 w => x_0 - w
safe: t_0 t_1 => t_0 - t_1
q_0 w => q_0 - w
longer: l_0(2+) l_0 l_0 : l_1(9) w => l_1 - w
"""
BOARD = """\
+---+   +
| x   t |
+---+   +
A 0, B 0; A is to draw
"""
FILES = {"a.rules": RULES, "b.board": BOARD}


def test_all_rules_or_one(folder: Path, gpkit) -> None:
    everything = gpkit("draw", "a.rules")
    assert everything.code == 0
    assert everything.out.count("draw this") == 4
    one = gpkit("draw", "a.rules", "--rule", "take")
    assert one.out == "1 take\nx_0\n└─ w  ← draw this\n"
    assert gpkit("draw", "a.rules", "--rule", "1").out == one.out
    assert gpkit("draw", "a.rules", "--rule", "3").out.startswith("3\nq_0\n")


@pytest.mark.parametrize(
    ("suffix", "magic"),
    [
        ("svg", b"<?xml"),
        *(pytest.param(*each, marks=pytest.mark.release) for each in (("png", b"\x89PNG"), ("html", b"<!"))),
    ],
)
def test_pictures(folder: Path, gpkit, suffix: str, magic: bytes) -> None:
    for arguments in (("a.rules",), ("a.rules", "--on", "b.board"), ("b.board",)):
        outcome = gpkit("draw", *arguments, "-o", f"out.{suffix}")
        assert (outcome.code, outcome.out, outcome.err) == (0, "", f"wrote out.{suffix}\n")
        assert (folder / f"out.{suffix}").read_bytes().startswith(magic)


def test_on_a_position(folder: Path, gpkit) -> None:
    acting = gpkit("draw", "a.rules", "--on", "b.board")
    assert acting.out == f"{BOARD}\na.rules, rule 1 take\nx_0 w => x_0 - w\ndraw B1 left\nx_0 is A1\n"
    other = gpkit("draw", "a.rules", "--on", "b.board", "--rule", "safe")
    assert "cannot act: t_1 has no counterpart: the only node that it could be is taken" in other.out
    assert gpkit("draw", "b.board").out == BOARD


@pytest.mark.parametrize(
    "size", ["2x2", *(pytest.param(size, marks=pytest.mark.release) for size in ("3x3", "5x5"))]
)
def test_on_a_board_of_a_size(folder: Path, gpkit, size: str) -> None:
    outcome = gpkit("draw", "a.rules", "--on", size, "--rule", "safe", "--seed", "3")
    assert outcome.code == 0
    assert "a.rules, rule 2 safe\n" in outcome.out
    assert "draw " in outcome.out
    assert gpkit("draw", "a.rules", "--on", size, "--rule", "safe", "--seed", "3").out == outcome.out


def test_a_score_that_a_rule_asks_for(folder: Path, gpkit) -> None:
    (folder / "c.rules").write_text("# level: 1\n# game: dots_and_boxes\nx_0 w ; score > 1 => x_0 - w\n")
    outcome = gpkit("draw", "c.rules", "--on", "2x2")
    assert "A 2, B 0; A is to draw" in outcome.out


def test_of_several_rules_that_acted_the_one_that_drew(folder: Path, gpkit) -> None:
    text = "# level: 1\n# game: dots_and_boxes\nborder: q_0 n => q_0 - n\n| between: q_0 q_1 => q_0 - q_1\n"
    (folder / "d.rules").write_text(text)
    until = ("--until", "name == 'between'", "--seed", "1")
    told = gpkit("trace", "d.rules", *until).out.splitlines()
    assert [line.split()[:3] for line in told if "0.04167" in line] == [
        ["1", "border", "0.04167"],
        [">", "2", "between"],
    ]
    shown = gpkit("draw", "d.rules", "--trace", *until)
    assert shown.code == 0
    assert "rule 2 between" in shown.out


def test_the_rule_that_acted_in_a_game(folder: Path, gpkit) -> None:
    arguments = ("draw", "a.rules", "--trace", "--seed", "2")
    last = gpkit(*arguments)
    assert last.code == 0
    assert "a.rules (A), seed 2, step 2" in last.out
    told = gpkit("trace", "a.rules", "--until", "name == 'safe'", "--seed", "2").out
    shown = gpkit(*arguments, "--until", "name == 'safe'").out
    assert "rule 2 safe" in shown
    drawn = shown.partition("\ndraw ")[2].partition("\n")[0].partition(",")[0]
    assert f"draws {drawn}, by safe" in told
    assert gpkit(*arguments, "--until", "closes > 2").code == 1


def test_what_changed(folder: Path, gpkit) -> None:
    (folder / "c.rules").write_text(RULES.replace("safe: t_0 t_1 => t_0 - t_1\n", ""))
    lines = gpkit("draw", "c.rules", "--diff", "a.rules").out.splitlines()
    assert "- 2 safe" in lines
    assert "  1 take" in lines


def test_a_number_of_a_rule_without_end(folder: Path, gpkit) -> None:
    outcome = gpkit("draw", "a.rules", "--rule", "1" * 5000)
    assert outcome.code == 2
    assert "1` among the 4 rules" in outcome.err.replace("\n", " ")
