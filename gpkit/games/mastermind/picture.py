"""Games as pictures: SVG text, pure functions of the state.

A row for each guess, the first one on top, with its feedback in small pegs to the right; below them the code, hidden by
question marks until the end. Every peg shows the sign of its colour, too. Nothing in a picture refers to anything
outside it.
"""

from collections.abc import Iterator, Sequence
from html import escape

from gpkit.core.wording import counted
from gpkit.gamekit.svg import CREAM, INK, MUTED, box, document, golden
from gpkit.gamekit.svg import number as _n
from gpkit.gamekit.view import Choice, Overlay, Spot
from gpkit.games.mastermind.arrays import LISTED
from gpkit.games.mastermind.board import feedback_text, guesses_text
from gpkit.games.mastermind.codes import Code, code_text, symbols
from gpkit.games.mastermind.exact import codes_left
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

GLOSSY = (
    ("#c8322b", "#ffffff"), ("#1f6fb8", "#ffffff"), ("#f0b429", "#14171a"), ("#23764a", "#ffffff"),
    ("#ee8440", "#14171a"), ("#7d48a5", "#ffffff"), *COLOURS[6:],
)  # fmt: skip
"""The same on a page, with more contrast."""


def board_svg(
    state: State, player: int | None = None, names: Sequence[str] = (), overlay: Overlay | None = None
) -> str:
    """The game as an SVG document; arguments as of ``board_text``, and an overlay, which has no places here."""
    if overlay is not None and player is not None:
        return _page_svg(state, overlay)
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


def _page_svg(state: State, overlay: Overlay) -> str:
    """The guesses with their answers for a player on a page, and at the end the code: in pixels, on wood."""
    rules, narrow = state.rules, overlay.is_narrow
    width, row = (390.0, 76.0) if narrow else (800.0, 68.0)
    step = min(54.0, (width - (160 if narrow else 420)) / rules.length)
    left, parts = (28.0 if narrow else 62.0), list[str]()
    for number, turn in enumerate(state.turns):
        y = 12 + number * row + (32 if narrow else row / 2)
        parts.append(_words(left - 10, y + 6, str(number + 1), anchor="end"))
        parts += _gloss(turn.guess, left, y, step, rules)
        pins = left + rules.length * step + 10
        hole = Spot(pins - 4, y - 19, (rules.length + 1) // 2 * SMALL + 14, 38)
        parts.append(f'<rect class="hole-of" {box(hole)}/>')
        if number == len(state.turns) - 1:
            parts.append(golden(hole))
        parts += _feedback(turn.feedback, pins + 3, y, rules)
        lines = [f"{turn.feedback.black} black", f"{turn.feedback.white} white"]
        for k, line in enumerate(lines if narrow else [", ".join(lines)]):
            parts.append(_words(hole.x + hole.width + 10, y + 6 + (18 * k - 9 if narrow else 0), line))
        if rules.codes <= LISTED:
            count = f"{counted(len(codes_left(state.turns[: number + 1], rules)), 'code')} left"
            parts.append(
                _words(left, y + 38, count, 14) if narrow else _words(width - 20, y + 6, count, 14, "end")
            )
    height = 12 + len(state.turns) * row
    if state.is_terminal and not state.is_solved:
        parts += [
            _words(left, height + 18, "The code was"),
            *_gloss(state.secret, left, height + 50, step, rules),
        ]
        height += 84
    elif not state.turns:
        parts.append(_words(20, 36, "No guesses yet"))
        height = 52
    size = f'width="{_n(width)}" height="{_n(height + 8)}" rx="{0 if narrow else 16}"'
    wood = f'<rect {size} fill="var(--wood)"/>'
    return document(width, height + 8, guesses_text(len(state.turns)), [wood, *parts], overlay)


def _words(x: float, y: float, text: str, size: int = 16, anchor: str = "start") -> str:
    """A text on wood."""
    return f'<text class="on-plain" x="{_n(x)}" y="{_n(y)}" font-size="{size}" text-anchor="{anchor}">{text}</text>'


def _gloss(code: Code, left: float, y: float, step: float, rules: Rules) -> Iterator[str]:
    """The pegs of a code, each with its sign and a gloss."""
    radius = min(22.0, 0.42 * step)
    for place, colour in enumerate(code):
        x, (fill, ink) = left + (place + 0.5) * step, GLOSSY[colour % len(GLOSSY)]
        yield (
            f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius)}" fill="{fill}" stroke="{INK}" stroke-width="1.5"/>'
            f'<path class="gloss" d="M{_n(x - 0.65 * radius)} {_n(y - 0.35 * radius)}a{_n(0.8 * radius)} '
            f'{_n(0.8 * radius)} 0 0 1 {_n(0.5 * radius)}-{_n(0.4 * radius)}"/>'
            f'<text x="{_n(x)}" y="{_n(y + 7)}" font-size="20" text-anchor="middle" fill="{ink}" '
            f'font-weight="bold">{symbols(rules)[colour]}</text>'
        )


def action_parts(state: State) -> list[list[Choice]]:
    """Every colour for every peg."""
    colours = [Choice(sign, *GLOSSY[k % len(GLOSSY)]) for k, sign in enumerate(symbols(state.rules))]
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
