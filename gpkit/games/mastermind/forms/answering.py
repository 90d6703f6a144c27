"""A person thinks of a code and answers a program's guesses; answers that contradict each other can be changed."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from gpkit.core.errors import UsageError
from gpkit.core.tabular import T
from gpkit.core.wording import counted
from gpkit.games.mastermind.board import feedback_of_text, feedback_text, guesses_text, spaced, turn_text
from gpkit.games.mastermind.codes import Code, code_of_number, code_of_text, code_text
from gpkit.games.mastermind.exact import codes_left
from gpkit.games.mastermind.options import Rules
from gpkit.games.mastermind.picture import answer_svg, draw, pins_text
from gpkit.games.mastermind.rules import Feedback, Turn, can_be, feedback
from gpkit.games.mastermind.state import State
from gpkit.playing.conversation import Answers, Dialogue, ask

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
    choose: Callable[[State], int], name: str, rules: Rules, lines: Iterator[str]
) -> Dialogue[tuple[float] | None]:
    """A game in which a program guesses the person's code: the guesses that it took, or None if the person leaves.

    Args:
        choose: the number of the program's guess; the secret of the state that it is asked in is any code that fits.
        name: of the program.
        rules: the rules.
        lines: what is typed.
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
            guess = code_of_number(choose(State(rules, code_of_number(int(left[0]), rules), turns)), rules)
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
    """The meaning of the answer to a question, which is asked until it can be read; None if the person leaves.

    Args:
        question: the prompt.
        lines: what is typed.
        clicks: makes the answers that can be clicked.
        read: gives the meaning of an answer, or raises a UsageError.
        shown: to who types nothing.
        before: said each time before the question.
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


def _meant(guess: Code, turns: tuple[Turn, ...], rules: Rules, word: str) -> Feedback | int:
    """The answer that a word gives, either directly or as the person's code; or the number of a guess to change.

    Raises:
        UsageError: the word is none of these, or the code does not fit an earlier answer.
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
                f"and you said {feedback_text(turn.feedback)}; `c {number}` changes it"
            )
    return feedback(guess, code)


def _clicks(guess: Code, turns: tuple[Turn, ...], rules: Rules, name: str, number: int = 0) -> Answers:
    """All feedback that a guess can have, and the earlier guesses whose answers can be changed.

    Args:
        guess: that is answered.
        turns: answered before.
        rules: the rules.
        name: of who guesses.
        number: of a guess that is answered anew; 0 for one that is new.
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


def _blamed(turns: tuple[Turn, ...], rules: Rules, wrong: tuple[int, ...]) -> Answers:
    """The guesses whose answers contradict each other."""
    words = {str(number): f"Change answer {number}" for number in wrong}
    return Answers(_misfit(turns, rules, wrong), draw(rules, turns, None, ""), words)


def _misfit(turns: tuple[Turn, ...], rules: Rules, wrong: tuple[int, ...]) -> str:
    """The answers of which no code fits all, and the guess since which that is so."""
    *others, last = map(str, wrong)
    since = next(count for count in range(1, len(turns) + 1) if not len(codes_left(turns[:count], rules)))
    named = f"{', '.join(others)} or {last}" if others else last
    return f"No code fits{f' since guess {since}' if since > wrong[0] else ''}. Answer {named} must be wrong"


def contradiction(turns: tuple[Turn, ...], rules: Rules) -> tuple[int, ...]:
    """The numbers, from 1, of turns that no code fits together; without any one of them some code does."""
    kept = list(range(len(turns)))
    for number in range(len(turns)):
        rest = [other for other in kept if other != number]
        if not len(codes_left([turns[other] for other in rest], rules)):
            kept = rest
    return tuple(number + 1 for number in kept)


def _number(turns: tuple[Turn, ...], word: str) -> int:
    """The number of a guess, perhaps behind a c.

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


def _turns_text(turns: tuple[Turn, ...], rules: Rules, numbers: Sequence[int] = ()) -> str:
    """The guesses of these numbers with their answers; without numbers, all."""
    lines = (turn_text(number, turns[number - 1], rules) for number in numbers or range(1, len(turns) + 1))
    return "\n".join(lines) or "no guess has been answered yet"
