"""Games of Mastermind with a person, who guesses a code or answers a program's guesses.

A person who answers a program's guesses can change answers that contradict each other. See also
``gpkit.playing.conversation``.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from gpkit.core.errors import UsageError
from gpkit.core.layout import T
from gpkit.core.wording import counted
from gpkit.games.mastermind.board import (
    answer_svg,
    draw,
    feedback_of_text,
    feedback_text,
    guesses_text,
    pins_text,
    spaced,
    turn_text,
)
from gpkit.games.mastermind.game import SecretDeals
from gpkit.games.mastermind.programs import refuse_too_many
from gpkit.games.mastermind.rules import (
    LISTED,
    Code,
    Feedback,
    MastermindRules,
    Turn,
    can_be,
    code_of_number,
    code_of_text,
    code_text,
    codes_left,
    feedback,
    symbols,
)
from gpkit.games.mastermind.state import MastermindState
from gpkit.playing.conversation import Answers, Conversation, Dialogue, Line, ask
from gpkit.playing.decisions import choose

ANSWERING = """\
2 1             2 black pegs and 1 white one; also `2 black 1 white`, `2b1w`, and `none`
= 1123          your code is 1123: the right answer is found for you
c 2             change your answer to guess 2
Enter           show the board again
q               give up and leave
?               this page
Count a black peg for each peg of the right colour in the right place, and a white one for each further peg whose colour
is right and whose place is not; no peg counts twice."""


def play_answers(
    choose: Callable[[MastermindState], int], name: str, rules: MastermindRules, lines: Iterator[str]
) -> Dialogue[tuple[float] | None]:
    """Let a program guess the person's code; returns the number of guesses, or None if the person leaves.

    Args:
        choose: a function that returns the number of the code that the program guesses in a state. The secret of the
            state is some code that fits all answers.
        name: the name of the program.
        rules: the rules.
        lines: the lines that the person types.
    """
    turns: tuple[Turn, ...] = ()
    while True:
        left, shown = codes_left(turns, rules), [_turns_text(turns, rules)]
        found = [count for count, turn in enumerate(turns, start=1) if turn.feedback.black == rules.length]
        if not len(left):
            wrong = contradiction(turns, rules)
            told = f"{_misfit(turns, rules, wrong)}:", _turns_text(turns, rules, wrong)
            clicks, read = partial(_blamed, turns, rules, wrong), partial(_number, turns)
            number = yield from _asked(
                "which guess had a different answer? ", lines, clicks, read, before=told
            )
        elif found:
            count = len(codes_left(turns[: found[0] - 1], rules))
            yield f"Before that guess {counted(count, 'code')} {'was' if count == 1 else 'were'} possible."
            yield f"{name} found your code in {guesses_text(found[0])}."
            return (float(found[0]),)
        elif len(turns) == rules.guesses:
            yield f"{name} did not find your code in {guesses_text(len(turns))}."
            return (rules.guesses + 1.0,)
        else:
            guess = code_of_number(
                choose(MastermindState(rules, code_of_number(int(left[0]), rules), turns)), rules
            )
            yield f"{name} guesses {spaced(guess, rules)}"
            clicks, meant = partial(_clicks, guess, turns, rules, name), partial(_meant, guess, turns, rules)
            said = yield from _asked("black and white? ", lines, clicks, meant, shown)
            if isinstance(said, Feedback):
                turns = (*turns, Turn(guess, said))
                continue
            number = said
        if number is None:
            return None
        guess = turns[number - 1].guess
        question = f"black and white of guess {number}, {spaced(guess, rules)}? "
        clicks = partial(_clicks, guess, turns, rules, "", number)
        answer = yield from _asked(question, lines, clicks, lambda word: feedback_of_text(word, rules), shown)
        if answer is None:
            return None
        turns = (*turns[: number - 1], Turn(guess, answer), *turns[number:])


def _asked(
    question: str,
    lines: Iterator[str],
    clicks: Callable[[], Answers],
    read: Callable[[str], T],
    shown: Sequence[str] = (),
    before: Sequence[str] = (),
) -> Dialogue[T | None]:
    """Ask a question until the answer is valid; returns the answer's meaning, or None if the person leaves.

    Args:
        question: the prompt.
        lines: the lines that the person types.
        clicks: a function that returns the answers that the person can click.
        read: a function that returns the meaning of a valid answer, and raises UsageError for any other answer.
        shown: lines to show if the person types an empty line.
        before: lines to show each time before the question is asked.
    """
    while True:
        yield from before
        word = yield from ask(question, ANSWERING, lines, answers=clicks)
        if word is None:
            return None
        try:
            if word:
                return read(word)
            yield from shown
        except UsageError as mistake:
            yield str(mistake)


def _meant(guess: Code, turns: tuple[Turn, ...], rules: MastermindRules, word: str) -> Feedback | int:
    """The answer that a word states, directly or through the person's code, or the number of a guess to change.

    Raises:
        UsageError: the word is not valid, or the code does not fit an earlier answer.
    """
    if word[0] in "cC" and (word[1:].strip().isdecimal() or not word[1:]):
        return _number(turns, word)
    if not word.startswith("="):
        return feedback_of_text(word, rules)
    code = code_of_text(word[1:], rules)
    for number, turn in enumerate(turns, start=1):
        right = feedback(turn.guess, code)
        if right != turn.feedback:
            raise UsageError(
                f"if your code is {code_text(code, rules)}, the answer to guess {number} is {feedback_text(right)}, "
                f"but you said {feedback_text(turn.feedback)}; `c {number}` changes it"
            )
    return feedback(guess, code)


def _clicks(
    guess: Code, turns: tuple[Turn, ...], rules: MastermindRules, name: str, number: int = 0
) -> Answers:
    """The clickable answers: all possible feedback for a guess, and the earlier guesses whose answers can be changed.

    Args:
        guess: the guess to answer.
        turns: the turns before the guess.
        rules: the rules.
        name: the name of the program that guesses.
        number: the number of an earlier guess whose answer is to be changed, or 0 for a new guess.
    """
    every = map(Feedback.of_number, range(rules.answers))
    answers = {f"{each.black} {each.white}": each for each in every if can_be(each, rules)}
    words = {word: pins_text(each) for word, each in answers.items()}
    if not number:
        words |= {f"c {k}": f"Change answer {k}" for k in range(1, len(turns) + 1)}
    guessed = f"Guess {number} was" if number else f"{name} guesses"
    task = f"{guessed} {spaced(guess, rules)}. How many pegs are right?"
    pins = {word: answer_svg(each, rules.length) for word, each in answers.items()}
    return Answers(task, draw(rules, turns, guess, f"Guess {number or len(turns) + 1}"), words, pins)


def _blamed(turns: tuple[Turn, ...], rules: MastermindRules, wrong: tuple[int, ...]) -> Answers:
    """The guesses whose answers contradict each other."""
    words = {str(number): f"Change answer {number}" for number in wrong}
    return Answers(_misfit(turns, rules, wrong), draw(rules, turns, None, ""), words)


def _misfit(turns: tuple[Turn, ...], rules: MastermindRules, wrong: tuple[int, ...]) -> str:
    """A sentence that names the answers that contradict each other, and the guess that caused the contradiction."""
    *others, last = map(str, wrong)
    since = next(count for count in range(1, len(turns) + 1) if not len(codes_left(turns[:count], rules)))
    named = f"{', '.join(others)} or {last}" if others else last
    return f"No code fits{f' since guess {since}' if since > wrong[0] else ''}. Answer {named} must be wrong"


def contradiction(turns: tuple[Turn, ...], rules: MastermindRules) -> tuple[int, ...]:
    """The numbers, from 1, of turns that contradict each other.

    Without any one of these turns, some code fits the others.
    """
    kept = list(range(len(turns)))
    for number in range(len(turns)):
        rest = [other for other in kept if other != number]
        if not len(codes_left([turns[other] for other in rest], rules)):
            kept = rest
    return tuple(number + 1 for number in kept)


def _number(turns: tuple[Turn, ...], word: str) -> int:
    """The number of a guess, with or without a ``c`` in front.

    Raises:
        UsageError: there is no such guess.
    """
    digits = word.lower().removeprefix("c").strip()
    number = int(digits[:9]) if digits.isascii() and digits.isdecimal() else 0
    if not 1 <= number <= len(turns):
        raise UsageError(
            f"expected the number of a guess, 1 to {len(turns)}"
            if turns
            else "there is no earlier guess to change"
        )
    return number


def _turns_text(turns: tuple[Turn, ...], rules: MastermindRules, numbers: Sequence[int] = ()) -> str:
    """The guesses with these numbers and their answers, or all guesses if no numbers are given."""
    lines = (turn_text(number, turns[number - 1], rules) for number in numbers or range(1, len(turns) + 1))
    return "\n".join(lines) or "no guess has been answered yet"


MOST_NAMED = 8
"""The maximum number of codes to show in the list of codes that are left."""

GUESSING = """\
1123     guess that code: a digit or a letter for each peg; spaces between them do not matter
Enter    show the board again
l        list the codes left: those that fit all answers
h        hint: what a program would guess, and why
q        give up: the code is shown
?        this page
The board shows a black peg as x and a white one as o."""


class MastermindConversation(Conversation):
    """A game in which a person guesses a code maker's code or answers a code breaker's guesses."""

    page = GUESSING
    shows_board = False
    shows_end = False

    @property
    def by_actions(self) -> bool:  # type: ignore[override]
        """Whether the person guesses, rather than thinking of a code and answering."""
        return not self.others[0].decides

    def check(self) -> None:
        """Check that there are not too many codes for the opponent.

        Raises:
            UsageError: there are too many codes.
        """
        if not self.by_actions and self.rules.codes > LISTED:
            raise UsageError(
                f"your answers are checked against all codes, and {self.rules.codes:,} are too many: "
                f"at most {LISTED:,}"
            )
        if self.others[0].is_program:
            refuse_too_many(self.rules)

    def setting(self) -> str:
        """A description of the person's task and the possible codes."""
        rules = self.rules
        repeats = "" if rules.repeats else ", no colour twice"
        codes = f"{rules.length} pegs of {symbols(rules)[0]} to {symbols(rules)[-1]}{repeats}"
        if self.by_actions:
            return f"a code is hidden, {codes}"
        return f"think of a code, {codes}; {self.names_of_others[0]} guesses, you answer"

    def example(self) -> str:
        """An example of a guess if the person guesses, otherwise empty."""
        code = code_text(code_of_number(0, self.rules), self.rules)
        return f"Type a guess such as {code}; " if self.by_actions else ""

    def play_game(self, deals: SecretDeals, lines: Iterator[str]) -> Dialogue[tuple[float, ...] | None]:
        """Play the game of the first deal, in which the person guesses or answers."""
        if self.by_actions:
            return (yield from super().play_game(deals, lines))
        guess = partial(choose, self.game, self.others[0], deals=deals)
        return (yield from play_answers(guess, self.names_of_others[0], self.rules, lines))

    def question(self, state: MastermindState) -> str:
        """The question for the next guess, with the guess's number."""
        return f"guess {len(state.turns) + 1}? "

    def screen(self, state: MastermindState) -> str:
        """The guesses so far."""
        return self.board(state).rstrip("\n")

    def commands(self) -> Mapping[str, Callable[[Any, Any], Iterable[Line]]]:
        """The commands that show hints and the codes left."""
        return {**super().commands(), "l": self.left, "left": self.left}

    def farewell(self, state: MastermindState) -> str:
        """The message to a person who gives up, which reveals the code."""
        return f"You gave up; the code is {spaced(state.secret, state.rules)}. The game does not count."

    def left(self, state: MastermindState, deals: SecretDeals) -> list[Line]:
        """The number of codes that fit all answers, and the first few of these codes."""
        rules = state.rules
        if rules.codes > LISTED:
            return [f"there are {rules.codes:,} codes, too many to be listed"]
        left = codes_left(state.turns, rules)
        shown = " ".join(code_text(code_of_number(int(number), rules), rules) for number in left[:MOST_NAMED])
        more = " ..." * (len(left) > MOST_NAMED)
        return [f"{len(left):,} of {rules.codes:,} codes are left: {shown}{more}"]
