"""Replays: what is shared is written once, the line that is executed is marked, buttons and keys are there."""

import html
import re

from gpkit.show.page import SCRIPT, STYLE, paragraph
from gpkit.show.traced import Frame, replay

SVG = '<svg width="90pt"><g><title>t</title></g></svg>'
OTHER = '<svg width="91pt"><g><title>t</title></g></svg>'
LINES = "targeting:\n>  1  Target\n   2  Shoot"


def test_a_replay_shows_its_first_moment_without_scripts() -> None:
    made = replay([Frame(SVG, "one"), Frame(SVG, "two"), Frame(SVG, "three")])
    assert re.findall(r'class="frame"[^>]*?( hidden)?>', made) == ["", " hidden", " hidden"]
    assert 'max="2"' in made
    assert "No moves" in replay([])


def test_a_replay_holds_every_definition_once() -> None:
    boards = [
        '<svg width="9">\n<defs>\n<path id="a" d="M0 0"/>\n<path id="b" d="M1 1"/>\n</defs>\n<use href="#a"/></svg>',
        '<svg width="9">\n<defs>\n<path id="a" d="M0 0"/>\n<path id="c" d="M2 2"/>\n</defs>\n<use href="#c"/></svg>',
    ]
    made = replay([Frame(board, "words") for board in boards])
    assert made.count("<defs>") == 1
    assert re.findall(r'<path id="(.)"', made) == ["a", "b", "c"]
    assert made.index("</defs>") < made.index('<use href="#a"') < made.index('<use href="#c"')
    assert "<defs>" not in replay([Frame(SVG, "one")])


def test_a_board_that_several_frames_show_is_written_once() -> None:
    made = replay([Frame(board, "words") for board in (SVG, SVG, OTHER, SVG)])
    assert re.findall(r'<div class="board"( hidden)?>', made) == ["", " hidden"]
    assert re.findall(r'class="frame" data-board="(.)"', made) == ["0", "0", "1", "0"]


def test_the_executed_line_is_marked_and_escaped() -> None:
    frames = [Frame(SVG, "start"), Frame(SVG, "one", listing=LINES), Frame(SVG, "two", listing=">  1  a < b")]
    made = replay([*frames, frames[1]])
    assert made.count('<div class="listing"') == 2
    assert '<mark class="line"><i>&gt;</i>  1  Target</mark><span class="line">   2  Shoot</span>' in made
    assert "a &lt; b" in made
    assert re.findall(r'data-listing="(.)"( data-idle)?', made) == [
        ("1", " data-idle"),
        ("0", ""),
        ("1", ""),
        ("0", ""),
    ]
    assert "listings" not in replay([Frame(SVG, "one")])


def test_a_button_goes_on_to_the_next_stop() -> None:
    frames = [Frame(SVG, "one"), Frame(SVG, "two", stop=True)]
    made = replay(frames, skip="next shot")
    assert re.findall(r'data-do="(\w+)" aria-label="([\w ]+)"', made)[4] == ("stop", "next shot")
    assert re.findall(r'class="frame"[^>]*?( data-stop)?( hidden)?>', made) == [
        ("", ""),
        (" data-stop", " hidden"),
    ]
    assert 'data-do="stop"' not in replay(frames)


def test_the_script_finds_every_button_and_listens_to_the_arrow_keys() -> None:
    made = replay([Frame(SVG, "one", (paragraph("more"),))], skip="next shot")
    for name in re.findall(r'data-do="(\w+)"', made):
        assert f'button("{name}").onclick = ' in SCRIPT
    assert 'addEventListener("keydown"' in SCRIPT
    assert {"ArrowLeft", "ArrowRight"} <= set(re.findall(r"\bArrow\w+", SCRIPT))


def test_the_bar_breaks_on_narrow_screens() -> None:
    (bar,) = re.findall(r"\.replay \.bar\{(.*?)\}", STYLE, re.DOTALL)
    assert "flex-wrap:wrap" in bar
    assert html.escape("<") in replay([Frame(SVG, "<")])
