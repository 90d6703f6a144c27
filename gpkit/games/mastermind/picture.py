"""Games as pictures: SVG text, pure functions of the state.

A row for each guess, the first one on top, with its feedback in small pegs to the right; below them the code, hidden by
question marks until the end. Every peg shows the sign of its colour, too. Nothing in a picture refers to anything
outside it.
"""

from collections.abc import Iterator, Sequence
from html import escape

from gpkit.gamekit.svg import CREAM, INK, MUTED, document
from gpkit.gamekit.svg import number as _n
from gpkit.gamekit.view import Choice, Overlay
from gpkit.games.mastermind.board import feedback_text, guesses_text
from gpkit.games.mastermind.codes import Code, code_text, symbols
from gpkit.games.mastermind.options import Rules
from gpkit.games.mastermind.rules import Feedback, State

CELL = 38.0
MARGIN = 22.0
HEADER = 48.0
SMALL = 15.0
"""From one small peg to the next."""

FAINT = "#d9d6cc"
COLOURS = (
    ("#c2372e", "#ffffff"), ("#2b6cb0", "#ffffff"), ("#f0b429", INK), ("#2f855a", "#ffffff"), ("#e07b39", INK),
    ("#7b4ba0", "#ffffff"), ("#8fd0e8", INK), ("#8a5a2b", "#ffffff"), ("#e88bb5", INK), ("#9aa35c", INK),
    ("#4a5568", "#ffffff"), ("#f3efe0", INK),
)  # fmt: skip
"""The fill and the ink of each colour; there are more colours than these, which then begin again."""


def board_svg(
    state: State, player: int | None = None, names: Sequence[str] = (), overlay: Overlay | None = None
) -> str:
    """The game as an SVG document; arguments as of ``board_text``, and an overlay, which has no places here."""
    rules = state.rules
    count = len(state.turns)
    said = guesses_text(count)
    if state.is_terminal:
        said += ", found" if state.is_solved else ", not found"
    columns = (rules.length + 1) // 2
    width = max(2 * MARGIN + 26 + rules.length * CELL + 16 + columns * SMALL, 170.0)
    height = HEADER + (count + 1) * CELL + 10 + MARGIN
    parts = [
        f'<rect width="{_n(width)}" height="{_n(height)}" fill="{CREAM}"/>',
        f'<text x="{_n(MARGIN)}" y="30" font-size="14" fill="{INK}" font-weight="bold">{escape(said)}</text>',
    ]
    for number, turn in enumerate(state.turns):
        y = HEADER + (number + 0.5) * CELL
        parts.append(
            f'<text x="{_n(MARGIN + 14)}" y="{_n(y + 4)}" font-size="12" text-anchor="end" '
            f'fill="{MUTED}">{number + 1}</text>'
        )
        parts += _code(turn.guess, y, rules)
        parts += _feedback(turn.feedback, MARGIN + 26 + rules.length * CELL + 16, y, rules)
    y = HEADER + (count + 0.5) * CELL + 10
    parts.append(
        f'<path d="M{_n(MARGIN)} {_n(y - CELL / 2 - 5)}h{_n(width - 2 * MARGIN)}" stroke="{FAINT}" stroke-width="2"/>'
    )
    if player is None or state.is_terminal:
        parts += _code(state.secret, y, rules)
    else:
        parts += [line for place in range(rules.length) for line in _peg(place, y, "?", FAINT, MUTED)]
    return document(width, height, said, parts)


def action_parts(state: State) -> list[list[Choice]]:
    """Every colour for every peg."""
    colours = [Choice(sign, *COLOURS[k % len(COLOURS)]) for k, sign in enumerate(symbols(state.rules))]
    return [colours] * state.rules.length


def _code(code: Code, y: float, rules: Rules) -> Iterator[str]:
    known = symbols(rules)
    yield f"<g><title>{code_text(code, rules)}</title>"
    for place, colour in enumerate(code):
        fill, ink = COLOURS[colour % len(COLOURS)]
        yield from _peg(place, y, known[colour], fill, ink)
    yield "</g>"


def _peg(place: int, y: float, sign: str, fill: str, ink: str) -> Iterator[str]:
    x = MARGIN + 26 + (place + 0.5) * CELL
    yield f'<circle cx="{_n(x)}" cy="{_n(y)}" r="15" fill="{fill}" stroke="{INK}" stroke-width="1.2"/>'
    yield (
        f'<text x="{_n(x)}" y="{_n(y + 5)}" font-size="14" text-anchor="middle" fill="{ink}" '
        f'font-weight="bold">{sign}</text>'
    )


def _feedback(answer: Feedback, left: float, y: float, rules: Rules) -> Iterator[str]:
    """Small pegs in two rows: black, white, and holes."""
    yield f"<g><title>{feedback_text(answer)}</title>"
    columns = (rules.length + 1) // 2
    for peg in range(rules.length):
        row, column = divmod(peg, columns)
        x, cy = left + (column + 0.5) * SMALL, y + (row - 0.5) * SMALL
        if peg < answer.black:
            style = f'r="5.5" fill="{INK}"'
        elif peg < answer.black + answer.white:
            style = f'r="5.5" fill="#ffffff" stroke="{INK}" stroke-width="1.2"'
        else:
            style = f'r="2" fill="{FAINT}"'
        yield f'<circle cx="{_n(x)}" cy="{_n(cy)}" {style}/>'
    yield "</g>"
