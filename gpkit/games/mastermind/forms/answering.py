"""A person thinks of a code and answers a program's guesses; answers that contradict each other can be changed."""

from collections.abc import Iterator
from functools import partial

from gpkit.core.errors import UsageError
from gpkit.core.wording import counted
from gpkit.gamekit.players import Player
from gpkit.games.mastermind.board import feedback_of_text, feedback_text, guesses_text, spaced, turn_text
from gpkit.games.mastermind.codes import Code, code_of_text, code_text
from gpkit.games.mastermind.exact import codes_left
from gpkit.games.mastermind.forms.decisions import guess_of
from gpkit.games.mastermind.options import Rules
from gpkit.games.mastermind.picture import answer_svg, draw, pins_text
from gpkit.games.mastermind.rules import Feedback, Turn, can_be, feedback
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
    player: Player, name: str, key: int, rules: Rules, lines: Iterator[str]
) -> Dialogue[tuple[float] | None]:
    """A game in which a program guesses the person's code; the guesses that it took."""
    turns: tuple[Turn, ...] = ()
    while len(turns) < rules.guesses:
        guess = guess_of(player, turns, key, rules)
        yield f"{name} guesses {spaced(guess, rules)}"
        answered = yield from _answers(guess, turns, rules, lines, name)
        if answered is None:
            return None
        turns = answered
        for count, turn in enumerate(turns, start=1):
            if turn.feedback == Feedback(rules.length, 0):
                left = len(codes_left(turns[: count - 1], rules))
                yield f"Before that guess {counted(left, 'code')} {'was' if left == 1 else 'were'} possible."
                yield f"{name} found your code in {guesses_text(count)}."
                return (float(count),)
    yield f"{name} did not find your code in {guesses_text(len(turns))}."
    return (rules.guesses + 1.0,)


def _answers(
    guess: Code, turns: tuple[Turn, ...], rules: Rules, lines: Iterator[str], name: str
) -> Dialogue[tuple[Turn, ...] | None]:
    """The turns with the person's answer to a guess, or with an earlier answer changed, so that some code fits them.

    None if the person leaves.
    """
    while True:
        word = yield from ask(
            "black and white? ", ANSWERING, lines, answers=partial(_clicks, guess, turns, rules, name)
        )
        if word is None:
            return None
        if word == "":
            yield _turns_text((*enumerate(turns, start=1),), rules)
            continue
        try:
            if word[0] in "cC" and (word[1:].strip().isdecimal() or not word[1:]):
                changed = yield from _changed(_number(word, turns), turns, rules, lines)
            else:
                changed = (*turns, Turn(guess, _answer(word, guess, turns, rules)))
        except UsageError as mistake:
            yield str(mistake)
        else:
            return None if changed is None else (yield from _settled(changed, rules, lines))


def _answer(word: str, guess: Code, turns: tuple[Turn, ...], rules: Rules) -> Feedback:
    """The answer that a word gives, itself or by the person's code.

    Raises:
        UsageError: it is none, or the code does not fit an earlier answer.
    """
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


def _changed(
    number: int, turns: tuple[Turn, ...], rules: Rules, lines: Iterator[str]
) -> Dialogue[tuple[Turn, ...] | None]:
    """The turns with another answer to the guess of that number; None if the person leaves."""
    turn = turns[number - 1]
    while True:
        question = f"black and white of guess {number}, {spaced(turn.guess, rules)}? "
        word = yield from ask(
            question, ANSWERING, lines, answers=partial(_clicks, turn.guess, turns, rules, "", number)
        )
        if word is None:
            return None
        if word == "":
            yield _turns_text((*enumerate(turns, start=1),), rules)
            continue
        try:
            answer = feedback_of_text(word, rules)
        except UsageError as mistake:
            yield str(mistake)
        else:
            return (*turns[: number - 1], Turn(turn.guess, answer), *turns[number:])


def _settled(
    turns: tuple[Turn, ...], rules: Rules, lines: Iterator[str]
) -> Dialogue[tuple[Turn, ...] | None]:
    """The turns with answers changed until some code fits all of them; None if the person leaves."""
    while not len(codes_left(turns, rules)):
        wrong = contradiction(turns, rules)
        yield f"{_misfit(turns, rules, wrong)}:"
        yield _turns_text(tuple((number, turns[number - 1]) for number in wrong), rules)
        word = yield from ask(
            "which guess had a different answer? ",
            ANSWERING,
            lines,
            answers=partial(_blamed, turns, rules, wrong),
        )
        if word is None:
            return None
        if word == "":
            continue
        try:
            changed = yield from _changed(_number(word, turns), turns, rules, lines)
        except UsageError as mistake:
            yield str(mistake)
        else:
            if changed is None:
                return None
            turns = changed
    return turns


def _clicks(guess: Code, turns: tuple[Turn, ...], rules: Rules, name: str, number: int = 0) -> Answers:
    """All feedback that a guess can have, and the earlier guesses whose answers can be changed.

    Args:
        guess: that is answered.
        turns: answered before.
        rules: the rules.
        name: of who guesses.
        number: of a guess that is answered anew; 0 for one that is new.
    """
    every = (Feedback.of_number(k) for k in range((rules.length + 1) * (rules.length + 2) // 2))
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


def _number(word: str, turns: tuple[Turn, ...]) -> int:
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


def _turns_text(turns: tuple[tuple[int, Turn], ...], rules: Rules) -> str:
    """Numbered guesses with their answers."""
    lines = (turn_text(number, turn, rules) for number, turn in turns)
    return "\n".join(lines) or "no guess has been answered yet"
