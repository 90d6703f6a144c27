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
    step = tape.get(first)
    assert step is not None
    yield show(step)
    while True:
        yield Prompt(f"step {step.number} (? for help) ")
        line = next(lines, None)
        word, _, rest = (line or "q").strip().partition(" ")
        rest = rest.strip()
        if word in ("q", "quit"):
            return
        found: Step | None = None
        if word in ("", "n"):
            found, said = tape.get(step.number + 1), "this is the last step"
        elif word == "p":
            found, said = tape.get(step.number - 1), "this is the first step"
        elif word == "j":
            found, said = _jumped(tape, rest)
        elif word == "u":
            found, said = _found(tape, vocabulary, step.number + 1, rest)
        elif word == "v":
            said = values_text(step, vocabulary)
        elif word == "f":
            said = formula(step) or "the program made no decision in this step"
        else:
            said = HELP if word == "?" else f"`{word[:40]}` is not a command; ? shows them all"
        step = step if found is None else found
        yield said if found is None else show(step)


def values_text(step: Step, vocabulary: Vocabulary) -> str:
    """Every name with its value in a step, or - where it has none, and what it means."""
    width = max(len(name.name) for name in vocabulary.names)
    lines = []
    for name in vocabulary.names:
        value = step.values.get(name.name)
        shown = "-" if value is None else repr(value) if isinstance(value, str) else f"{value:.6g}"
        lines.append(f"{name.name:{width}}  {shown:>8}  {name.meaning}")
    return "\n".join(lines)


def _jumped(tape: Tape, rest: str) -> tuple[Step | None, str]:
    """The step that has a number, and a message if there is none."""
    if not (rest.isascii() and rest.isdigit()):
        return None, "j needs a step number, such as j 12"
    found = tape.get(int(rest[:9]))
    return found, "" if found else f"there is no step {rest[:40]}; the last one is {tape.last}"


def _found(tape: Tape, vocabulary: Vocabulary, first: int, rest: str) -> tuple[Step | None, str]:
    """The next step where a condition holds, and a message if there is none."""
    try:
        return tape.find(read_condition(rest, vocabulary), first), f"{rest} holds in no later step"
    except GpkitError as error:
        return None, str(error)
