"""Mastermind as people see it and type it (``gpkit.gamekit.view.View``)."""

from gpkit.gamekit.view import View
from gpkit.games.mastermind.board import board_text
from gpkit.games.mastermind.codes import code_of_number, code_of_text, code_text, number_of_code
from gpkit.games.mastermind.exact import codes_left
from gpkit.games.mastermind.kernel.programs import NOTHING_TO_CHOOSE
from gpkit.games.mastermind.picture import action_parts, board_svg
from gpkit.games.mastermind.rules import State
from gpkit.games.mastermind.sensors import sense


def action_text(state: State, number: int) -> str:
    """The text of a code, such as ``1123``."""
    return code_text(code_of_number(number, state.rules), state.rules)


def parse_action(state: State, text: str) -> int:
    """The number of a code that is typed as digits or letters.

    Raises:
        UsageError: it is none; the message names the peg and the nearest right thing.
    """
    return number_of_code(code_of_text(text, state.rules), state.rules)


def sensors(state: State, number: int) -> dict[str, float]:
    """The value of every sensor for the guess of a code."""
    rules = state.rules
    left = [code_of_number(int(each), rules) for each in codes_left(state.turns, rules)]
    return sense(code_of_number(number, rules), left, state.turns, rules)


def is_asked(state: State) -> bool:
    """Whether programs are asked: there are codes to choose from."""
    return len(codes_left(state.turns, state.rules)) > NOTHING_TO_CHOOSE


VIEW = View(
    action_text, parse_action, board_text, board_svg, sensors, action_parts=action_parts, is_asked=is_asked
)
