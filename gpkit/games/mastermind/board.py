"""Games and feedback as text, and pictures of games.

Pictures show pegs on a wooden board. A picture depends only on the guesses, the answers, and the code if it is
revealed. Each guess has a row with its answer in pins and in words, with the first guess at the top. A revealed code is
below the guesses. Every peg also shows the symbol of its colour. A picture does not refer to other files.
"""

import re
from collections.abc import Iterator, Sequence

from gpkit.core.diagnostics import shortened, suggestion
from gpkit.core.errors import UsageError
from gpkit.core.wording import counted
from gpkit.gamekit.svg import box, document, golden
from gpkit.gamekit.svg import number as _n
from gpkit.gamekit.view import Choice, Overlay, Spot
from gpkit.games.mastermind.rules import (
    LISTED,
    Code,
    Feedback,
    MastermindRules,
    Turn,
    can_be,
    code_of_number,
    code_text,
    codes_left,
    least_common,
    symbols,
)
from gpkit.games.mastermind.state import MastermindState

_COLOURS = _BLACK, _WHITE = "black", "white"


def feedback_text(answer: Feedback) -> str:
    """The feedback in words.

    >>> feedback_text(Feedback(2, 1))
    '2 black 1 white'
    """
    return f"{answer.black} black {answer.white} white"


def feedback_of_text(text: str, rules: MastermindRules) -> Feedback:
    """The feedback that a text describes.

    A missing colour counts as 0, colours may be abbreviated, and two numbers alone mean black and white.

    >>> rules = MastermindRules()
    >>> feedback_of_text("2 black 1 white", rules) == feedback_of_text("1w2b", rules) == Feedback(2, 1)
    True
    >>> feedback_of_text("2 1", rules), feedback_of_text("none", rules)
    (Feedback(black=2, white=1), Feedback(black=0, white=0))

    Raises:
        UsageError: the text does not describe feedback, or the feedback is impossible; the message explains the
            problem.
    """
    shown = shortened(text.strip())
    found = re.findall(r"[0-9]+|[^\W\d_]+|[^\s,;+]", text)
    words = [word for word in found if word.lower() not in ("and", "peg", "pegs")]
    if len(words) == 2 and all(map(_is_number, words)):
        words = [words[0], _BLACK, words[1], _WHITE]
    counts = {} if len(words) == 1 and words[0].lower() in ("none", "nothing") else _counted(words, shown)
    answer = Feedback(counts.get(_BLACK, 0), counts.get(_WHITE, 0))
    if not can_be(answer, rules):
        raise UsageError(f"`{shown}` is impossible{_reason(answer, rules)}")
    return answer


def _counted(words: list[str], shown: str) -> dict[str, int]:
    """The number of pegs of each colour, from text with pairs of a number and a colour."""
    expected = "expected an answer such as `2 black 1 white`"
    counts: dict[str, int] = {}
    for number, word in zip(words[::2], words[1::2], strict=False):
        if not _is_number(number):
            raise UsageError(f"`{shown}`: `{number}` is not a number of pegs; {expected}")
        found = [colour for colour in _COLOURS if word.lower() in (colour, colour[0])]
        if not found:
            hint = suggestion(word.lower(), _COLOURS, expected)
            raise UsageError(f"`{shown}`: `{word}` is neither black nor white; {hint}")
        if found[0] in counts:
            raise UsageError(f"`{shown}`: {found[0]} appears twice; {expected}")
        counts[found[0]] = int(number)
    if len(words) % 2:
        last = words[-1]
        wrong = f"no colour follows `{last}`" if _is_number(last) else f"`{last}` is not a number of pegs"
        raise UsageError(f"`{shown}`: {wrong}; {expected}")
    if not words:
        raise UsageError(f"the answer is empty; {expected}, or `none`")
    return counts


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) <= 4


def _reason(answer: Feedback, rules: MastermindRules) -> str:
    """The reason why feedback is impossible, with a hint for a correction."""
    length = rules.length
    if answer.black > length:
        return f": a code has {length} pegs, so at most {length} black"
    if answer.black + answer.white > length:
        most = f"at most {length - answer.black}" if answer.black < length else "no"
        return f": a code has {length} pegs, so {most} white beside {answer.black} black"
    if answer == Feedback(length - 1, 1):
        return (
            f": if {length - 1} pegs are in place, the last one cannot be right elsewhere; "
            f"did you mean `{feedback_text(Feedback(length - 1, 0))}`?"
        )
    if rules.colours == 1:
        return f": there is only one code; did you mean `{feedback_text(Feedback(length, 0))}`?"
    return f": any two codes have {least_common(rules)} pegs or more in common, black and white together"


BLACK, WHITE, NONE = "x", "o", "."


def pegs_text(answer: Feedback, rules: MastermindRules) -> str:
    """Feedback as text, with one symbol for each peg and black pegs first.

    >>> pegs_text(Feedback(2, 1), MastermindRules())
    'xxo.'
    """
    return (BLACK * answer.black + WHITE * answer.white).ljust(rules.length, NONE)


def board_text(state: MastermindState, player: int | None = None, names: Sequence[str] = ()) -> str:
    """The game as lines of text: each guess with its feedback, and the number of guesses.

    Every line ends with a line break.

    Args:
        state: the game.
        player: the viewing player, who sees the code only at the end, or None to show the code always.
        names: the names of the players, which are not used.
    """
    rules = state.rules
    lines = [turn_text(number, turn, rules) for number, turn in enumerate(state.turns, start=1)]
    is_open = player is None or state.is_terminal
    shown = spaced(state.secret, rules) if is_open else " ".join("?" * rules.length)
    made, left = guesses_text(len(state.turns)), rules.guesses - len(state.turns)
    found = "found" if state.is_solved else "not found"
    standing = f"{found} with {made}" if state.is_terminal else f"{made} made, {left} left"
    return "".join(f"{line}\n" for line in [*lines, f"    {shown}   {standing}"])


def turn_text(number: int, turn: Turn, rules: MastermindRules) -> str:
    """A guess with its number and its answer, on one line."""
    answer = turn.feedback
    return f"{number:2}  {spaced(turn.guess, rules)}   {pegs_text(answer, rules)}  {feedback_text(answer)}"


def spaced(code: Code, rules: MastermindRules) -> str:
    """The text of a code, with spaces between the pegs."""
    return " ".join(code_text(code, rules))


def guesses_text(count: int) -> str:
    """A number of guesses as text, such as ``3 guesses``."""
    return "1 guess" if count == 1 else f"{count} guesses"


WOOD, HOLE = "#4a3527", "#35261c"
COLOURS = (
    ("#c8322b", "#ffffff"), ("#1f6fb8", "#ffffff"), ("#f0b429", "#14171a"), ("#23764a", "#ffffff"),
    ("#ee8440", "#14171a"), ("#7d48a5", "#ffffff"), ("#8fd0e8", "#14171a"), ("#8a5a2b", "#ffffff"),
    ("#e88bb5", "#14171a"), ("#9aa35c", "#14171a"), ("#4a5568", "#ffffff"), ("#f3efe0", "#14171a"),
)  # fmt: skip
"""The fill colour and the ink colour of each peg colour; if a game has more colours, the list repeats."""

SMALL = 17.0
"""The distance from one pin to the next, in pixels."""

LISTED_BESIDE = 60


def board_svg(
    state: MastermindState,
    player: int | None = None,
    names: Sequence[str] = (),
    overlay: Overlay | None = None,
) -> str:
    """The game as an SVG document; takes the arguments of ``board_text``, and an overlay without clickable places."""
    code = state.secret if (player is None or state.is_terminal) and not state.is_solved else None
    return draw(state.rules, state.turns, code, "The code", overlay if player is not None else None)


def draw(
    rules: MastermindRules,
    turns: Sequence[Turn],
    code: Code | None,
    about: str,
    overlay: Overlay | None = None,
) -> str:
    """A picture of guesses and their answers, above a code with a caption.

    Args:
        rules: the rules.
        turns: the guesses.
        code: the code in the last row, or None for no code.
        about: the caption beside the code.
        overlay: the overlay of a page, in which every row also shows the number of codes left, or None for a separate
            picture.
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
    """An answer in words, such as ``1 black, 2 white``."""
    pins = {"black": answer.black, "white": answer.white}
    return ", ".join(f"{count} {colour}" for colour, count in pins.items() if count) or "nothing right"


def pins_of(answer: Feedback, left: float, y: float, length: int) -> Iterator[str]:
    """The pins of an answer in two rows: first black pins, then white pins, then holes."""
    columns = (length + 1) // 2
    for pin in range(length):
        x, cy = left + (pin % columns + 0.5) * SMALL, y + (pin // columns - 0.5) * SMALL
        look = 'r="2" fill="#b09a87"'
        if pin < answer.black + answer.white:
            fill, edge = ("#14171a", "#ffffff") if pin < answer.black else ("#ffffff", "#14171a")
            look = f'r="6.5" fill="{fill}" stroke="{edge}"'
        yield f'<circle cx="{_n(x)}" cy="{_n(cy)}" {look}/>'


def answer_svg(answer: Feedback, length: int) -> str:
    """A picture of an answer's pins, for a button."""
    width = (length + 1) // 2 * SMALL + 8
    hole = f'<rect width="{_n(width)}" height="40" rx="6" fill="{HOLE}"/>'
    return document(width, 40, pins_text(answer), [hole, *pins_of(answer, 4, 20, length)])


def left_svg(state: MastermindState) -> tuple[str, str]:
    """Two pictures: the number of possible codes after each guess, on a logarithmic scale, and the codes still left."""
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


def action_parts(state: MastermindState) -> list[list[Choice]]:
    """The possible choices for each peg: all colours."""
    return [
        [Choice(sign, *COLOURS[k % len(COLOURS)]) for k, sign in enumerate(symbols(state.rules))]
    ] * state.rules.length


def _words(x: float, y: float, text: str, size: int = 16, anchor: str = "start") -> str:
    """White text that is vertically centred at ``y``."""
    place = f'x="{_n(x)}" y="{_n(y + 6)}" font-size="{size}" text-anchor="{anchor}"'
    return f'<text {place} fill="#ffffff">{text}</text>'


def _pegs(code: Code, left: float, y: float, step: float, rules: MastermindRules) -> Iterator[str]:
    """The pegs of a code with their symbols; large pegs also have a highlight."""
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
