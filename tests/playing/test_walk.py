"""Walking through a trace: every command, at both ends, on made-up steps."""

from collections.abc import Iterator

import pytest

from gpkit.cli.terminal import Prompt
from gpkit.core.registry import game_of
from gpkit.gamekit.facts import Fact
from gpkit.playing.conversation import HELP, walk
from gpkit.playing.trace import CachedSteps, Seated, Step, Vocabulary

FACTS = (
    Fact("height", "number", "how high", lambda after: after * after, ("after",)),
    Fact("colour", "text", "which", lambda after: "red" if after % 2 else None, ("after",)),
)
VOCABULARY = Vocabulary(FACTS)
SEATED = Seated(game_of("sevens").view, (), (), 0, FACTS)
STEPS = [Step(number, SEATED, None, number) for number in range(6)]


def said(*lines: str, first: int = 0) -> list[str]:
    """What is said when these lines are typed, without prompts."""
    parts = walk(
        CachedSteps(iter(STEPS)),
        VOCABULARY,
        iter(f"{line}\n" for line in lines),
        first=first,
        show=lambda step: f"<{step.number}>",
        formula=lambda step: "nodes" if step.number == 2 else "",
    )
    return [part for part in parts if isinstance(part, str)]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([], ["<0>"]),
        (["n", "", "p"], ["<0>", "<1>", "<2>", "<1>"]),
        (["p"], ["<0>", "this is the first step"]),
        (["j 5", "n", "p"], ["<0>", "<5>", "this is the last step", "<4>"]),
        (["j 4", "j 0"], ["<0>", "<4>", "<0>"]),
        (["j 6", "j 99999999999999"], ["<0>", *["there is no step {}; the last one is 5"] * 2]),
        (["j", "j x", "j -1"], ["<0>", *["j needs a step number, such as j 12"] * 3]),
        (["u height > 3", "u height > 3"], ["<0>", "<2>", "<3>"]),
        (["u height > 99", "n"], ["<0>", "height > 99 holds in no later step", "<1>"]),
        (["f", "j 2", "f"], ["<0>", "the program made no decision in this step", "<2>", "nodes"]),
        (["?"], ["<0>", HELP]),
        (["zz"], ["<0>", "`zz` is not a command; ? shows them all"]),
        (["n", "q", "n"], ["<0>", "<1>"]),
        (["quit"], ["<0>"]),
    ],
)
def test_command(lines: list[str], expected: list[str]) -> None:
    numbers = iter(("6", "99999999999999"))
    assert said(*lines) == [text.format(next(numbers)) if "{}" in text else text for text in expected]


def test_condition_that_is_none_is_explained() -> None:
    assert said("u heigth == 1")[1].startswith("no step has a value `heigth`; did you mean `height`?")


def test_names_are_listed_with_their_values() -> None:
    assert said("v", first=3)[1].split("\n") == ["height         9  how high", "colour     'red'  which"]
    assert said("v", first=2)[1].split("\n")[1] == "colour         -  which"


def test_no_line_is_read_before_its_prompt() -> None:
    read: list[str] = []

    def lines() -> Iterator[str]:
        for line in ("n\n", "q\n"):
            read.append(line)
            yield line

    parts = walk(
        CachedSteps(iter(STEPS)),
        VOCABULARY,
        lines(),
        first=0,
        show=lambda step: f"<{step.number}>",
        formula=repr,
    )
    heard = [(part, len(read)) for part in parts]
    assert heard == [
        ("<0>", 0),
        (Prompt("step 0 (? for help) "), 0),
        ("<1>", 1),
        (Prompt("step 1 (? for help) "), 1),
    ]
