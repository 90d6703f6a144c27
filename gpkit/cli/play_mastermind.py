"""A person plays Mastermind: guesses a code, or thinks of one and answers a program's guesses."""

from collections.abc import Generator, Iterator
from dataclasses import dataclass

from gpkit.app.seating import Seating
from gpkit.cli.terminal import Part, ask, ask_for_another, table_text
from gpkit.core.errors import UsageError
from gpkit.games.mastermind.answers import feedback_of_text, feedback_text
from gpkit.games.mastermind.board import board_text, pegs_text, spaced
from gpkit.games.mastermind.codes import Code, code_of_number, code_of_text, code_text, number_of_code, signs
from gpkit.games.mastermind.exact import codes_left
from gpkit.games.mastermind.options import Rules
from gpkit.games.mastermind.programs import refuse_too_many
from gpkit.games.mastermind.rules import Feedback, State, Turn, feedback
from gpkit.games.mastermind.tables import LISTED
from gpkit.play.mastermind.decisions import decide, decision_table, guess_of
from gpkit.play.match import deal_of
from gpkit.play.players import Player, names_at_table, player_of_name

ADVISER = "entropy"
"""Who gives hints."""

MOST_NAMED = 8
"""Codes that are named when it is told which ones are left."""

GUESSING = """\
1123     guess that code: a digit or a letter for each peg; blanks between them do not matter
Enter    show the board again
l        which codes are left: those that would have given all answers
h        hint: what a program would guess in your place, and why
q        give up: the code is shown
?        this page
An answer has a black peg (x) for each peg of the right colour in the right place, and a white one (o) for each further
peg whose colour is right and whose place is not."""

ANSWERING = """\
2 1             2 black pegs and 1 white one; also `2 black 1 white`, `2b1w`, and `none`
= 1123          your code is 1123: the right answer is found for you
c 2             change your answer to guess 2
Enter           show the board again
q               give up and leave
?               this page
Count a black peg for each peg of the right colour in the right place, and a white one for each further peg whose colour
is right and whose place is not; no peg counts twice."""


@dataclass(frozen=True, slots=True)
class Sitting:
    """Who plays: a code maker against the person, or a breaker that the person answers."""

    rules: Rules
    opponent: Player
    name: str

    @property
    def answers(self) -> bool:
        """Whether the person thinks of a code and answers."""
        return not self.opponent.agent.placement


def session(seating: Seating, lines: Iterator[str], *, seed: int, seat: int) -> Iterator[Part]:
    """Games on the deals of a seed, one after another, with a tally.

    Raises:
        UsageError: the seat is not that of the person, or there are too many codes for the opponent.
    """
    (opponent,) = seating.players
    (name,) = names_at_table([opponent])
    sitting = Sitting(seating.rules, opponent, name)
    rules = sitting.rules
    if seat:
        raise UsageError(
            f"--seat {seat}: --vs says who you are; against a code maker you guess, against {ADVISER} you answer"
        )
    if sitting.answers and rules.codes > LISTED:
        raise UsageError(
            f"your answers are held against all codes, and {rules.codes:,} are too many: {LISTED:,} at most"
        )
    if sitting.answers and not opponent.agent.builtin:
        refuse_too_many(rules)
    colours = f"{rules.length} pegs of {signs(rules)[0]} to {signs(rules)[-1]}"
    if sitting.answers:
        yield f"Mastermind: think of a code, {colours}{_repeats(rules)}; {name} guesses, you answer. ? helps."
    else:
        example = code_text(code_of_number(0, rules), rules)
        yield f"Mastermind: a code is hidden, {colours}{_repeats(rules)}. Type a guess such as {example}; ? helps."
    scores: list[float] = []
    while True:
        deals = deal_of(seating.game, rules, seed, len(scores))
        secret, key = int(deals.secrets[0]), int(deals.keys[0])
        if sitting.answers:
            score = yield from play_answers(sitting, key, lines)
        else:
            score = yield from play_guesses(
                State.begin(code_of_number(secret, rules), rules), key, seating, lines
            )
        if score is None:
            return
        scores.append(score)
        if len(scores) > 1:
            yield f"guesses after {len(scores)} games: {sum(scores) / len(scores):.4g} on average"
        if not (yield from ask_for_another(lines)):
            return


def _repeats(rules: Rules) -> str:
    return "" if rules.repeats else ", no colour twice"


# The person guesses.


def play_guesses(
    state: State, key: int, seating: Seating, lines: Iterator[str]
) -> Generator[Part, None, float | None]:
    """A game in which the person guesses; the guesses that it took, or None if the person left."""
    while not state.is_terminal:
        farewell = (
            f"You give up; the code is {spaced(state.secret, state.rules)}. The game counts for nobody."
        )
        word = yield from ask(f"guess {len(state.turns) + 1}? ", GUESSING, lines, farewell=farewell)
        if word is None:
            return None
        if word == "":
            yield board_text(state).rstrip("\n")
        elif word.lower() in ("l", "left"):
            yield left_text(state.turns, state.rules)
        elif word.lower() in ("h", "hint"):
            yield hint_text(player_of_name(ADVISER, seating.game), state.turns, key, state.rules)
        else:
            try:
                state = state.apply(number_of_code(code_of_text(word, state.rules), state.rules))
            except UsageError as mistake:
                yield str(mistake)
            else:
                yield _answered(len(state.turns), state.turns[-1], state.rules)
    count = len(state.turns)
    if state.is_solved:
        yield f"You have found it with {_guesses(count)}."
    else:
        yield f"You have not found it with {_guesses(count)}; the code is {spaced(state.secret, state.rules)}."
    return state.returns()[0]


def _guesses(count: int) -> str:
    return f"{count} guess{'' if count == 1 else 'es'}"


def _answered(number: int, turn: Turn, rules: Rules) -> str:
    pegs, answer = pegs_text(turn.feedback, rules), feedback_text(turn.feedback)
    return f"{number:2}  {spaced(turn.guess, rules)}   {pegs}  {answer}"


def left_text(turns: tuple[Turn, ...], rules: Rules) -> str:
    """How many codes would have given all answers, and the first of them."""
    if rules.codes > LISTED:
        return f"there are {rules.codes:,} codes, too many to be listed"
    left = codes_left(turns, rules)
    shown = " ".join(code_text(code_of_number(int(number), rules), rules) for number in left[:MOST_NAMED])
    more = " ..." if len(left) > MOST_NAMED else ""
    return f"{len(left):,} of {rules.codes:,} codes are left: {shown}{more}"


def hint_text(player: Player, turns: tuple[Turn, ...], key: int, rules: Rules) -> str:
    """What a program would guess in the person's place; it is told no more than the person knows."""
    try:
        left = codes_left(turns, rules) if rules.codes <= LISTED else None
        decision = None if left is None else decide(turns, left, player.program, key, rules)
    except UsageError as mistake:
        return str(mistake)
    if left is None:
        return f"there are {rules.codes:,} codes, too many for a hint"
    (name,) = names_at_table([player])
    if decision is None:
        return f"{name} would guess {code_text(code_of_number(int(left[0]), rules), rules)}, the first that is left"
    guess = code_text(code_of_number(decision.code, rules), rules)
    return f"{name} would guess {guess}:\n{table_text(decision_table(decision, rules))}"


# The person answers.


def play_answers(sitting: Sitting, key: int, lines: Iterator[str]) -> Generator[Part, None, float | None]:
    """A game in which the person answers; the guesses that it took, or None if the person left."""
    rules = sitting.rules
    turns: tuple[Turn, ...] = ()
    while len(turns) < rules.guesses:
        guess = guess_of(sitting.opponent, turns, key, rules)
        yield f"{len(turns) + 1:2}  {spaced(guess, rules)}"
        answered = yield from _answers(guess, turns, rules, lines)
        if answered is None:
            return None
        turns = answered
        for count, turn in enumerate(turns, start=1):
            if turn.feedback == Feedback(rules.length, 0):
                yield f"{sitting.name} has found your code with {_guesses(count)}."
                return float(count)
    yield f"{sitting.name} has not found your code with {_guesses(len(turns))}."
    return rules.guesses + 1.0


def _answers(
    guess: Code, turns: tuple[Turn, ...], rules: Rules, lines: Iterator[str]
) -> Generator[Part, None, tuple[Turn, ...] | None]:
    """The turns with the person's answer to a guess, or with an earlier answer changed, so that some code fits them.

    None if the person leaves.
    """
    while True:
        word = yield from ask("black and white? ", ANSWERING, lines)
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
) -> Generator[Part, None, tuple[Turn, ...] | None]:
    """The turns with another answer to the guess of that number; None if the person leaves."""
    turn = turns[number - 1]
    while True:
        question = f"black and white of guess {number}, {spaced(turn.guess, rules)}? "
        word = yield from ask(question, ANSWERING, lines)
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
) -> Generator[Part, None, tuple[Turn, ...] | None]:
    """The turns with answers changed until some code fits all of them; None if the person leaves."""
    while not len(codes_left(turns, rules)):
        wrong = contradiction(turns, rules)
        together = "these answers together" if len(wrong) > 1 else "this answer"
        one = "one of them" if len(wrong) > 1 else "it"
        yield f"No code fits {together}, so {one} must be wrong:"
        yield _turns_text(tuple((number, turns[number - 1]) for number in wrong), rules)
        word = yield from ask("which guess had another answer? ", ANSWERING, lines)
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
    lines = (_answered(number, turn, rules) for number, turn in turns)
    return "\n".join(lines) or "no guess was answered so far"
