"""A person plays Mastermind (``gpkit.playing.conversation``): guesses a code, or answers a program's guesses."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from gpkit.core.errors import UsageError
from gpkit.games.mastermind.arrays import LISTED
from gpkit.games.mastermind.board import spaced
from gpkit.games.mastermind.codes import code_of_number, code_text, symbols
from gpkit.games.mastermind.exact import codes_left
from gpkit.games.mastermind.forms.answering import play_answers
from gpkit.games.mastermind.game import Deals
from gpkit.games.mastermind.programs import refuse_too_many
from gpkit.games.mastermind.state import State
from gpkit.playing.conversation import Conversation, Dialogue, Line
from gpkit.playing.decisions import choose

MOST_NAMED = 8
"""Codes that are named when it is told which ones are left."""

GUESSING = """\
1123     guess that code: a digit or a letter for each peg; spaces between them do not matter
Enter    show the board again
l        list the codes left: those that fit all answers
h        hint: what a program would guess, and why
q        give up: the code is shown
?        this page
An answer has a black peg (x) for each peg of the right colour in the right place, and a white one (o) for each further
peg whose colour is right and whose place is not."""


class MastermindConversation(Conversation):
    """Conversation at Mastermind: against a code maker the person guesses, against a breaker the person answers."""

    page = GUESSING
    shows_board = False
    shows_end = False

    @property
    def by_actions(self) -> bool:  # type: ignore[override]
        """Whether the person guesses, and does not think of a code and answer."""
        return not self.others[0].decides

    def check(self) -> None:
        """Check that there are not too many codes for the opponent.

        Raises:
            UsageError: there are.
        """
        if not self.by_actions and self.rules.codes > LISTED:
            raise UsageError(
                f"your answers are checked against all codes, and {self.rules.codes:,} are too many: "
                f"{LISTED:,} at most"
            )
        if self.others[0].is_program:
            refuse_too_many(self.rules)

    def setting(self) -> str:
        """Side that has the code, and the codes that there are."""
        rules = self.rules
        repeats = "" if rules.repeats else ", no colour twice"
        codes = f"{rules.length} pegs of {symbols(rules)[0]} to {symbols(rules)[-1]}{repeats}"
        if self.by_actions:
            return f"a code is hidden, {codes}"
        return f"think of a code, {codes}; {self.names_of_others[0]} guesses, you answer"

    def example(self) -> str:
        """A code, for who guesses."""
        code = code_text(code_of_number(0, self.rules), self.rules)
        return f"Type a guess such as {code}; " if self.by_actions else ""

    def play_game(self, deals: Deals, lines: Iterator[str]) -> Dialogue[tuple[float, ...] | None]:
        """The first deal's game, in which the person guesses or answers."""
        if self.by_actions:
            return (yield from super().play_game(deals, lines))
        guess = partial(choose, self.game, self.others[0], deals=deals)
        return (yield from play_answers(guess, self.names_of_others[0], self.rules, lines))

    def question(self, state: State) -> str:
        """The number of the guess."""
        return f"guess {len(state.turns) + 1}? "

    def screen(self, state: State) -> str:
        """The guesses so far."""
        return self.board(state).rstrip("\n")

    def commands(self) -> Mapping[str, Callable[[Any, Any], Iterable[Line]]]:
        """Hints, and which codes are left."""
        return {**super().commands(), "l": self.left, "left": self.left}

    def farewell(self, state: State) -> str:
        """The code."""
        return f"You gave up; the code is {spaced(state.secret, state.rules)}. The game does not count."

    def left(self, state: State, deals: Deals) -> list[Line]:
        """Number of codes that would have given all answers, and the first of them."""
        rules = state.rules
        if rules.codes > LISTED:
            return [f"there are {rules.codes:,} codes, too many to be listed"]
        left = codes_left(state.turns, rules)
        shown = " ".join(code_text(code_of_number(int(number), rules), rules) for number in left[:MOST_NAMED])
        more = " ..." * (len(left) > MOST_NAMED)
        return [f"{len(left):,} of {rules.codes:,} codes are left: {shown}{more}"]


CONVERSATION = MastermindConversation
