"""The view of Mastermind (``gpkit.gamekit.view.View``): boards, parsing of guesses, sentences, and feature tables."""

from collections.abc import Iterator, Sequence
from types import MappingProxyType

from gpkit.core.primitives import Sensor
from gpkit.core.wording import counted
from gpkit.gamekit.sensors import FeatureTable
from gpkit.gamekit.view import Move, Played, View, Words
from gpkit.games.mastermind.board import (
    action_parts,
    board_svg,
    board_text,
    feedback_text,
    guesses_text,
    left_svg,
    pins_text,
    spaced,
    turn_text,
)
from gpkit.games.mastermind.kernel.programs import NOTHING_TO_CHOOSE
from gpkit.games.mastermind.primitives import SENSORS
from gpkit.games.mastermind.programs import refuse_too_many, sense_codes
from gpkit.games.mastermind.rules import (
    LISTED,
    MastermindRules,
    code_of_number,
    code_of_text,
    code_text,
    codes_left,
    count_left,
    number_of_code,
)
from gpkit.games.mastermind.sensors import LARGEST, sense
from gpkit.games.mastermind.state import MastermindState
from gpkit.playing.trace import Step


def columns() -> tuple[Sensor, ...]:
    """The sensors of every code; ``env.possible`` marks the codes that can still be the secret."""
    return SENSORS


def actions(rules: MastermindRules) -> int:
    """The number of codes.

    Raises:
        UsageError: the rules allow too many codes.
    """
    refuse_too_many(rules)
    return rules.codes


def encode(state: MastermindState, player: int) -> FeatureTable:
    """A player's knowledge as a table: float64 (actions, columns)."""
    return sense_codes(state.turns, codes_left(state.turns, state.rules), state.rules).T.copy()


def action_text(state: MastermindState, number: int) -> str:
    """The text of a code, such as ``1123``."""
    return code_text(code_of_number(number, state.rules), state.rules)


def parse_action(state: MastermindState, text: str) -> int:
    """The number of a code typed as digits or letters.

    Raises:
        UsageError: the text is not a code; the message names the wrong peg and the nearest valid one.
    """
    return number_of_code(code_of_text(text, state.rules), state.rules)


def sensors(state: MastermindState, number: int) -> dict[str, float]:
    """The value of every sensor for a guess, by name; empty if the game has too many codes for programs."""
    rules = state.rules
    if rules.codes > LARGEST:
        return {}
    left = [code_of_number(int(each), rules) for each in codes_left(state.turns, rules)]
    return sense(code_of_number(number, rules), left, state.turns, rules)


def is_asked(state: MastermindState) -> bool:
    """Whether enough codes are left for a choice, so that gpkit runs a program for the next guess."""
    return len(codes_left(state.turns, state.rules)) > NOTHING_TO_CHOOSE


class MastermindWords(Words):
    """The sentences about a game of Mastermind."""

    noun = "guess"
    candidate = "code"
    setups = MappingProxyType(
        {
            "Four places, six colours": {"length": "4", "colours": "6"},
            "Five places, eight colours": {"length": "5", "colours": "8"},
        }
    )
    examples = (
        ("A black peg", "black > 0"),
        ("Fewer than 10 codes left", "after < 10"),
        ("Its next real choice", "settled == 0"),
    )
    roles = ("You think of a code and answer the guesses.", "You guess.")
    rivals = ("knuth",)
    reasons = MappingProxyType(
        {
            "env.possible": (
                "it can be the code itself, and {other} cannot",
                "{other} could be the code, but tells less",
            ),
            "env.win": (
                "it can be the code itself, and {other} cannot",
                "{other} could be the code, but tells less",
            ),
            **dict.fromkeys(
                ("env.parts", "env.next"),
                (
                    "it can be answered in more ways than {other}",
                    "it can be answered in fewer ways than {other}",
                ),
            ),
            **dict.fromkeys(
                ("env.largest", "env.worst"),
                (
                    "in the worst case it leaves more codes than {other}",
                    "in the worst case it leaves fewer codes than {other}",
                ),
            ),
            "env.expected": (
                "on average it leaves more codes than {other}",
                "on average it leaves fewer codes than {other}",
            ),
            "env.entropy": (
                "its answer tells more than that to {other}",
                "its answer tells less than that to {other}",
            ),
            **{
                name: (
                    f"more of its answers leave {codes} than those to {{other}}",
                    f"fewer of its answers leave {codes} than those to {{other}}",
                )
                for names, codes in (
                    (("singles", "alone"), "a single code"),
                    (("pairs", "twins"), "two codes"),
                    (("triples", "three"), "three codes"),
                )
                for name in (f"env.{each}" for each in names)
            },
            "env.kinds": ("it has more colours than {other}", "it has fewer colours than {other}"),
            "env.new": ("it tries more new colours than {other}", "it tries fewer new colours than {other}"),
        }
    )
    rules = (
        "A code of coloured pegs is hidden. Every guess is answered: a black peg for each peg of the right colour in "
        "the right place, a white one for each further peg whose colour is right and whose place is not."
    )

    def step(self, step: Step) -> str:
        """A sentence about the guess, its answer, and the number of codes left."""
        rules, known = step.after.rules, step.values
        if step.before is None:
            return f"a code is hidden, one of {rules.codes:,}"
        forced = ", the first code left" if known["settled"] and step.seated.followed.is_program else ""
        turn = step.after.turns[-1]
        left = f"{known['after']:,.0f} of {known['left']:,.0f} codes left" if "left" in known else "not found"
        answer = f"{feedback_text(turn.feedback)}, {'found' if step.after.is_solved else left}"
        return f"guess {code_text(turn.guess, rules)}{forced}: {answer}"

    def told(self, move: Move | Step, names: Sequence[str], seat: int | None) -> Iterator[str]:
        """Yield the guess and its answer, as a line of the board."""
        turns = move.after.turns
        yield turn_text(len(turns), turns[-1], move.after.rules)

    def stage(self, state: MastermindState) -> str:
        """The size of the code, and the number of the guess."""
        rules = state.rules
        guess = len(state.turns) + (not state.is_terminal)
        return f"{rules.length} places, {rules.colours} colours, guess {guess} of {rules.guesses}"

    def prompt(self, played: Played) -> tuple[str, str]:
        """The number of the guess, and instructions for choosing its colours."""
        state = played.state
        return (
            f"Guess {len(state.turns) + 1}: choose {state.rules.length} colours",
            "Pick a colour below. Pick a peg to take it out.",
        )

    def beside(self, state: MastermindState) -> tuple[str, str, str]:
        """The codes that are left, if there are not too many to list."""
        if state.rules.codes > LISTED or state.is_terminal:
            return "", "", ""
        return f"{_left(state)} still possible", *left_svg(state)

    def failed(self, state: MastermindState) -> bool:
        """Whether the code was not found."""
        return not state.is_solved

    def compared(self, name: str, score: float, rules: MastermindRules) -> str:
        """A sentence about the number of guesses that a player needs for the same code."""
        found = f"needs {score:.0f} for" if score <= rules.guesses else "does not find"
        return f"{name} {found} this code."

    def act(self, state: MastermindState, action: int, text: str) -> str:
        """The action in words, such as ``try 1123``."""
        return f"try {text}"

    def fact(self, state: MastermindState, action: int) -> str:
        """A phrase about the maximum number of codes that can be left after the answer."""
        known = sensors(state, action)
        if not known:
            return ""
        most, left = int(known["env.largest"]), int(known["env.left"])
        return f"whatever the answer, at most {most:,} of the {left:,} codes left stay possible"

    def happened(self, move: Move, played: Played) -> Iterator[tuple[int, str]]:
        """Yield the guess with its answer."""
        turn = move.after.turns[-1]
        yield played.seat, f"{spaced(turn.guess, move.after.rules)}: {pins_text(turn.feedback)}"

    def ending(self, played: Played) -> tuple[str, str]:
        """The result, and the hidden code or the number of codes that were possible before the last guess."""
        state = played.state
        made = guesses_text(len(state.turns))
        if not state.is_solved:
            return f"Not found in {made}", f"The code is {spaced(state.secret, state.rules)}."
        before = [move.before for move in played.moves if move.before is not None and move.before.turns][-1:]
        return (
            f"You found it in {made}",
            f"Before the last guess {_left(before[0]).replace(' is', ' was').replace(' are', ' were')} possible."
            if before
            else "",
        )


def _left(state: MastermindState) -> str:
    """The number of codes that fit all answers, with a verb, such as ``3 codes are``."""
    count = count_left(state.turns, state.rules)
    if count is None:
        return f"some of {state.rules.codes:,} codes were"
    return f"{counted(count, 'code')} {'is' if count == 1 else 'are'}"


VIEW = View(
    action_text,
    parse_action,
    board_text,
    board_svg,
    sensors,
    action_parts=action_parts,
    is_asked=is_asked,
    words=MastermindWords(),
)
