"""The design of pages: contrast of its colours, and one name for each in both schemes."""

import re
from pathlib import Path

import pytest

from gpkit.web.site import HERE, STATIC

WHITE = "#ffffff"
TEXT = [
    *((front, back) for front in ("ink", "dim", "link") for back in ("card", "paper", "sunk")),
    *(("ink", back) for back in ("you-tint", "opponent-tint", "gold-tint")),
    *((front, f"{front}-tint") for front in ("good", "bad", "warn")),
    *((front, "card") for front in ("bad", "you", "opponent")),
    *((WHITE, back) for back in ("felt", "sea", "wood")),
    ("on-go", "go"), ("on-go", "go-hover"),
]  # fmt: skip
MARKS = [
    ("edge", "card"),
    ("edge", "paper"),
    ("go", "card"),
    ("go", "sunk"),
    ("link", "paper"),
    ("gold", "felt"),
]


def schemes() -> dict[str, dict[str, str]]:
    """The colours by name: light ones, and those with the dark ones in their places."""
    light, dark = re.findall(
        r":root \{(.*?)\}", (STATIC / "gpkit.css").read_text(encoding="utf-8"), re.DOTALL
    )
    found = [dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", each)) for each in (light, dark)]
    assert set(found[1]) <= set(found[0])
    return {"light": found[0], "dark": found[0] | found[1]}


def luminance(colour: str) -> float:
    """Relative luminance, 0 to 1 (WCAG 2.2)."""
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    red, green, blue = [
        each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in parts
    ]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize(("pairs", "least"), [(TEXT, 4.5), (MARKS, 3.0)])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_contrast(scheme: str, pairs: list[tuple[str, str]], least: float) -> None:
    colours = schemes()[scheme] | {WHITE: WHITE}
    for front, back in pairs:
        low, high = sorted([luminance(colours[front]), luminance(colours[back])])
        assert (high + 0.05) / (low + 0.05) >= least, (front, back)


LEFT = (
    "is to play", "Your turn: sow", "Your turn: side", "Your turn: guess", "Your turn: order", "Play one of",
    "nothing has happened yet", " has won.", "You have not found it", "Follow it", "Hint of", "or type it",
    "The board as text", "New game with other", "Every node of the formula", "Trace of", "did not choose here",
    "Names that a condition", "what each action was worth", "Let them meet", "with commas between",
    "in a process of their own", "Nobody works on this run", "(going on)", "looks again by itself",
    "Where it comes from", "training: win share", "diversity: different", "That did not work", "to the games",
    "to the content", "Write it", "There are none yet", "below FOLDER", ">Findings", "All played",
    "what is written here is lost", "Heat maps of the squares", "Belief", "Transcript",
)  # fmt: skip
"""Words that pages no longer say, as a better one was found for each."""


def test_pages_say_no_word_that_was_replaced() -> None:
    trees = Path(__file__).parents[1] / "cases" / "accessibility_trees.txt"
    told = [*(HERE / "templates").iterdir(), *STATIC.glob("*.js"), trees]
    found = {path.name: [each for each in LEFT if each in path.read_text(encoding="utf-8")] for path in told}
    assert {name: each for name, each in found.items() if each} == {}
