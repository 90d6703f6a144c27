"""Games as pictures: pegs on wood, pure functions of what was guessed and answered.

A row for each guess, the first one on top, with its answer as pins and in words; below them the code, where it is open.
Every peg shows the sign of its colour, too. Nothing in a picture refers to anything outside it.
"""

from collections.abc import Iterator, Sequence

from gpkit.core.wording import counted
from gpkit.gamekit.svg import box, document, golden
from gpkit.gamekit.svg import number as _n
from gpkit.gamekit.view import Choice, Overlay, Spot
from gpkit.games.mastermind.arrays import LISTED
from gpkit.games.mastermind.board import feedback_text, spaced
from gpkit.games.mastermind.codes import Code, code_of_number, symbols
from gpkit.games.mastermind.exact import codes_left
from gpkit.games.mastermind.options import Rules
from gpkit.games.mastermind.rules import Feedback, Turn
from gpkit.games.mastermind.state import State

WOOD, HOLE = "#4a3527", "#35261c"
COLOURS = (
    ("#c8322b", "#ffffff"), ("#1f6fb8", "#ffffff"), ("#f0b429", "#14171a"), ("#23764a", "#ffffff"),
    ("#ee8440", "#14171a"), ("#7d48a5", "#ffffff"), ("#8fd0e8", "#14171a"), ("#8a5a2b", "#ffffff"),
    ("#e88bb5", "#14171a"), ("#9aa35c", "#14171a"), ("#4a5568", "#ffffff"), ("#f3efe0", "#14171a"),
)  # fmt: skip
"""The fill and the ink of each colour; there are more colours than these, which then begin again."""

SMALL = 17.0
"""From one pin to the next, in pixels."""

LISTED_BESIDE = 60


def board_svg(
    state: State, player: int | None = None, names: Sequence[str] = (), overlay: Overlay | None = None
) -> str:
    """The game as an SVG document; arguments as of ``board_text``, and an overlay, which has no places here."""
    code = state.secret if (player is None or state.is_terminal) and not state.is_solved else None
    return draw(state.rules, state.turns, code, "The code", overlay if player is not None else None)


def draw(
    rules: Rules, turns: Sequence[Turn], code: Code | None, about: str, overlay: Overlay | None = None
) -> str:
    """Guesses with their answers, and below them a code and words about it.

    Args:
        rules: the rules.
        turns: the guesses.
        code: the last row; None for none.
        about: words beside it.
        overlay: of a page, where every row says how many codes are left; None for a picture that stands alone.
    """
    narrow, words = overlay is not None and overlay.is_narrow, 92 if overlay and overlay.is_narrow else 150
    left, pins = (36.0 if narrow else 66.0), (rules.length + 1) // 2 * SMALL + 12
    page = 390.0 if narrow else 848.0
    step = min(52.0 if narrow else 56.0, (page - left - pins - words) / rules.length)
    width = page if overlay is not None else left + rules.length * step + pins + words + 20
    row, parts = (84.0 if narrow else 68.0), list[str]()
    for number, turn in enumerate(turns):
        y = number * row + 36
        hole = Spot(left + rules.length * step + 8, y - 20, pins - 2, 40)
        parts += [
            _words(left - 12, y, str(number + 1), anchor="end"),
            *_pegs(turn.guess, left, y, step, rules),
            f'<rect {box(hole)} fill="{HOLE}"/>',
            *pins_of(turn.feedback, hole.x + 5, y, rules.length),
        ]
        parts += [golden(hole)] if overlay is not None and number == len(turns) - 1 else []
        lines = (
            pins_text(turn.feedback).replace("nothing ", "nothing, " if narrow else "nothing ").split(", ")
        )
        for k, line in enumerate(lines if narrow else [", ".join(lines)]):
            parts.append(
                _words(hole.x + hole.width + 10, y + (20 * k - 10 * (len(lines) - 1)) * narrow, line)
            )
        if overlay is not None and rules.codes <= LISTED:
            left_then = len(codes_left(turns[: number + 1], rules))
            count = "found" if turn.feedback.black == rules.length else f"{counted(left_then, 'code')} left"
            x = left + 4 if narrow else width - 20
            parts.append(_words(x, y + 38 * narrow, count, 15, "start" if narrow else "end"))
        parts.append(f'<path d="M16 {_n((number + 1) * row)}h{_n(width - 32)}" stroke="#6b5443"/>')
    if code is not None:
        y = len(turns) * row + 36
        parts += [
            *_pegs(code, left, y, step, rules),
            _words(left + rules.length * step + 12, y, about),
        ]
    elif not turns:
        parts.append(_words(20, 34, "No guesses yet"))
    height = (len(turns) + (code is not None or not turns)) * row
    said = [f"{spaced(turn.guess, rules)}: {feedback_text(turn.feedback)}" for turn in turns]
    title = "; ".join(said + ([f"{about}: {spaced(code, rules)}"] if code is not None else []))
    corners = 0 if overlay is not None else 16
    plank = f'<rect class="plank" width="{_n(width)}" height="{_n(height)}" rx="{corners}" fill="{WOOD}"/>'
    return document(width, height, title or "No guesses yet", [plank, *parts], overlay)


def pins_text(answer: Feedback) -> str:
    """An answer in words: ``1 black, 2 white``."""
    pins = {"black": answer.black, "white": answer.white}
    return ", ".join(f"{count} {colour}" for colour, count in pins.items() if count) or "nothing right"


def pins_of(answer: Feedback, left: float, y: float, length: int) -> Iterator[str]:
    """Pins in two rows: black, white, and holes."""
    columns = (length + 1) // 2
    for pin in range(length):
        x, cy = left + (pin % columns + 0.5) * SMALL, y + (pin // columns - 0.5) * SMALL
        look = 'r="2" fill="#b09a87"'
        if pin < answer.black + answer.white:
            fill, edge = ("#14171a", "#ffffff") if pin < answer.black else ("#ffffff", "#14171a")
            look = f'r="6.5" fill="{fill}" stroke="{edge}"'
        yield f'<circle cx="{_n(x)}" cy="{_n(cy)}" {look}/>'


def answer_svg(answer: Feedback, length: int) -> str:
    """The pins of an answer, for a button."""
    width = (length + 1) // 2 * SMALL + 8
    hole = f'<rect width="{_n(width)}" height="40" rx="6" fill="{HOLE}"/>'
    return document(width, 40, pins_text(answer), [hole, *pins_of(answer, 4, 20, length)])


def left_svg(state: State) -> tuple[str, str]:
    """After each guess how many codes fit, as bars on a scale of orders of magnitude; and the codes that fit now."""
    rules = state.rules
    counts = [len(codes_left(state.turns[:k], rules)) for k in range(len(state.turns) + 1)]
    bars, most = [], rules.codes.bit_length()
    for k, count in enumerate(counts):
        y, name = 28 * k + 19, f"Guess {k}" if k else "Start"
        bars += [
            f'<text x="0" y="{y}" font-size="15" fill="currentColor">{name}</text>',
            f'<rect class="sunk" x="72" y="{y - 12}" width="176" height="13" rx="3"/>',
            f'<rect class="go" x="72" y="{y - 12}" width="{_n(176 * count.bit_length() / most)}" height="13" rx="3"/>',
            f'<text x="312" y="{y}" font-size="15" text-anchor="end" fill="currentColor">{count:,}</text>',
        ]
    title = ", ".join(f"{count:,} codes after guess {k}" for k, count in enumerate(counts) if k)
    step, shown = 26.0, codes_left(state.turns, rules)[:LISTED_BESIDE].tolist()
    width = rules.length * step + 16
    columns = max(1, int(312 // width))
    codes = [code_of_number(number, rules) for number in shown]
    pegs: list[str] = []
    for k, code in enumerate(codes):
        pegs += _pegs(code, k % columns * width, k // columns * 30 + 15, step, rules)
    listed = document(
        312, -(-len(codes) // columns) * 30, ", ".join(spaced(code, rules) for code in codes), pegs
    )
    return document(312, 28 * len(counts), title or "No guesses yet", bars), listed


def action_parts(state: State) -> list[list[Choice]]:
    """Every colour for every peg."""
    colours = [Choice(sign, *COLOURS[k % len(COLOURS)]) for k, sign in enumerate(symbols(state.rules))]
    return [colours] * state.rules.length


def _words(x: float, y: float, text: str, size: int = 16, anchor: str = "start") -> str:
    """A text on wood, its middle at a height."""
    place = f'x="{_n(x)}" y="{_n(y + 6)}" font-size="{size}" text-anchor="{anchor}"'
    return f'<text {place} fill="#ffffff">{text}</text>'


def _pegs(code: Code, left: float, y: float, step: float, rules: Rules) -> Iterator[str]:
    """The pegs of a code, each with its sign; large ones with a gloss."""
    radius = min(23.25, 0.44 * step)
    for place, colour in enumerate(code):
        x, (fill, ink) = left + (place + 0.5) * step, COLOURS[colour % len(COLOURS)]
        at, size = f'cx="{_n(x)}" cy="{_n(y)}"', _n(min(20.0, 1.2 * radius))
        yield f'<circle {at} r="{_n(radius)}" fill="{fill}" stroke="#22262b"/>'
        if radius > SMALL:
            yield (
                f'<path d="M{_n(x - 0.65 * radius)} {_n(y - 0.35 * radius)}a{_n(0.8 * radius)} {_n(0.8 * radius)} '
                f'0 0 1 {_n(0.5 * radius)}-{_n(0.4 * radius)}" fill="none" stroke="#ffffff" stroke-opacity=".6" '
                'stroke-width="3" stroke-linecap="round"/>'
            )
        yield (
            f'<text x="{_n(x)}" y="{_n(y + 0.32 * radius)}" font-size="{size}" text-anchor="middle" fill="{ink}" '
            f'font-weight="bold">{symbols(rules)[colour]}</text>'
        )
