"""An animated picture of a game: an evolved program plays, and its formula shows the numbers of each choice.

    python -m gpkit_experiments.moving_picture docs/images/plays.svg

Every frame is a decision of a traced game, as `gpkit serve` shows it: the board with the value of each square, and the
formula with the value of each of its parts for the chosen square. The picture is one SVG file without scripts.
"""

import html
import re
import sys
from collections.abc import Iterator, Sequence

from gpkit.core.files import write_atomic
from gpkit.gamekit.view import Overlay
from gpkit.playing.session import GameSetup
from gpkit.show.page import inline_svg
from gpkit.web.trace import traced

GAME, PROGRAM, OPPONENT = "battleship", "marksman", "uniform"
SEED = 3
FIRST, FRAMES = 5, 10
"""The number of the first decision in the picture, and the number of decisions."""

SECONDS = 1.6
"""The number of seconds for which the picture shows each decision."""

WIDTH, HEIGHT, BOARD = 1120, 640, 780
"""The size of the picture, and the width of its board, in pixels."""


def frames() -> Iterator[tuple[str, str, str]]:
    """The caption, the board and the formula of each frame; the board and the formula are SVG documents."""
    watched = traced(GameSetup(GAME, (OPPONENT,), {}, 0, SEED, 0), PROGRAM, PROGRAM, [OPPONENT])
    number = watched.decision(-1)
    for place in range(FIRST + FRAMES):
        assert number is not None, "the game has that many decisions"
        step = watched.step(number)
        assert step.action is not None
        if place >= FIRST:
            overlay = Overlay(values=step.worths, best=(step.action,))
            board = watched.view.board_svg(step.before, 0, watched.trace.names, overlay)
            yield f"Shot {place + 1}: {step.words()}", board, watched.drawn(number)
        number = watched.decision(number)


def placed(svg: str, x: int, y: int, width: int, height: int) -> str:
    """An SVG document, placed inside another one."""
    bare = re.sub(r"<title>.*?</title>\n?|</?a\b[^>]*>\n?", "", inline_svg(svg), flags=re.S)
    box = re.search(r'viewBox="[^"]*"', bare)
    assert box is not None
    inside = bare[bare.index(">") + 1 :]
    return f'<svg x="{x}" y="{y}" width="{width}" height="{height}" {box[0]}>{inside}'


def animated(found: Sequence[tuple[str, str, str]]) -> str:
    """The animated picture; a viewer that does not animate it shows the first frame."""
    whole = SECONDS * len(found)
    style = (
        f"@keyframes shown {{ 0% {{ visibility: visible }} {100 / len(found):.4g}%, 100% {{ visibility: hidden }} }} "
        f".frame {{ visibility: hidden; animation: shown {whole:g}s step-end infinite }} "
        ".frame:first-of-type { visibility: visible } rect.best { fill: none; stroke: #fff; stroke-width: 5 } "
        "@keyframes lit { 20% { filter: drop-shadow(0 0 7px #e8b023) } } "
        f".lit {{ animation: lit {SECONDS:g}s infinite }}"
    )
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}" font-family="Helvetica, Arial, sans-serif">',
        f"<style>{style}</style>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="16" fill="#ffffff"/>',
    ]
    for place, (caption, board, formula) in enumerate(found):
        parts += [
            f'<g class="frame" style="animation-delay: {place * SECONDS:g}s">',
            f'<text x="24" y="44" font-size="26" fill="#24292f">{html.escape(caption)}</text>',
            placed(board, 16, 64, BOARD, HEIGHT - 80),
            f'<g class="lit">{placed(formula, BOARD + 16, 16, WIDTH - BOARD - 32, HEIGHT - 32)}</g>',
            "</g>",
        ]
    return "\n".join([*parts, "</svg>\n"])


if __name__ == "__main__":
    write_atomic(sys.argv[1], animated(list(frames())))
