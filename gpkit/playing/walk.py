"""Walking through a trace by commands, forwards and backwards: a conversation that knows no terminal."""

from collections.abc import Callable, Iterator

from gpkit.core.errors import GpkitError
from gpkit.playing.conditions import Vocabulary, read_condition
from gpkit.playing.conversation import Line, Prompt
from gpkit.playing.trace import Step, Tape

HELP = """\
n or Enter  the next step          p       the step before
j N         step number N          u EXPR  the next step where EXPR holds
v           the names that EXPR can use and their values in this step
f           every node's value, where the program decided
q           quit                   ?       this page
An example of EXPR: mine and candidates > 2 and rank == 7"""


def walk(
    tape: Tape,
    vocabulary: Vocabulary,
    lines: Iterator[str],
    *,
    first: int,
    show: Callable[[Step], str],
    formula: Callable[[Step], str],
) -> Iterator[Line]:
    """Walk through the steps by these typed lines, from step number ``first`` on, which exists.

    ``show`` is the text of a step, ``formula`` that of all nodes (empty if the program was not asked).
    """
    here = first
    step = tape.get(here)
    assert step is not None
    yield show(step)
    while True:
        yield Prompt(f"step {here} (? for help) ")
        line = next(lines, None)
        word, _, rest = (line or "q").strip().partition(" ")
        rest = rest.strip()
        if word in ("q", "quit"):
            return
        said = ""
        target = here
        if word in ("", "n"):
            target, said = _moved(tape, here + 1)
        elif word == "p":
            target, said = _moved(tape, here - 1)
        elif word == "j":
            target, said = _jumped(tape, here, rest)
        elif word == "u":
            target, said = _found(tape, vocabulary, here, rest)
        elif word == "v":
            said = values_text(_at(tape, here), vocabulary)
        elif word == "f":
            said = formula(_at(tape, here)) or "the program made no decision in this step"
        else:
            said = HELP if word == "?" else f"`{word[:40]}` is not a command; ? shows them all"
        here = target
        yield said or show(_at(tape, here))


def values_text(step: Step, vocabulary: Vocabulary) -> str:
    """Every name with its value in a step, or - where it has none, and what it means."""
    width = max(len(name.name) for name in vocabulary.names)
    lines = []
    for name in vocabulary.names:
        value = step.values.get(name.name)
        shown = "-" if value is None else repr(value) if isinstance(value, str) else f"{value:.6g}"
        lines.append(f"{name.name:{width}}  {shown:>8}  {name.meaning}")
    return "\n".join(lines)


def _at(tape: Tape, number: int) -> Step:
    step = tape.get(number)
    assert step is not None
    return step


def _moved(tape: Tape, number: int) -> tuple[int, str]:
    """The number of the next step to show, or of the one to stay at and why."""
    if number < 0:
        return 0, "this is the first step"
    if tape.get(number) is None:
        return number - 1, "this is the last step"
    return number, ""


def _jumped(tape: Tape, here: int, rest: str) -> tuple[int, str]:
    if not (rest.isascii() and rest.isdigit()):
        return here, "j needs a step number, such as j 12"
    number = int(rest[:9])
    if tape.get(number) is None:
        return here, f"there is no step {rest[:40]}; the last one is {tape.last}"
    return number, ""


def _found(tape: Tape, vocabulary: Vocabulary, here: int, rest: str) -> tuple[int, str]:
    try:
        step = tape.find(read_condition(rest, vocabulary), here + 1)
    except GpkitError as error:
        return here, str(error)
    return (here, f"{rest} holds in no later step") if step is None else (step.number, "")
