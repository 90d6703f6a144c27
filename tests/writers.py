"""Small mistakes of writers in shipped programs, drawn: what is wrong, the lines that may be blamed, the right word."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeVar

from language_cases import language

from gpkit.core.primitives import PrimitiveSet
from gpkit.core.registry import data_folder, offers_of
from gpkit.core.rng import below, stream
from gpkit.langkit.operators import NOTATION

T = TypeVar("T")

LANGUAGES = ("arithmetic", "decision", "execution", "rulegraph", "sinking")

KEYWORDS: Mapping[str, tuple[str, ...]] = {
    "arithmetic": tuple(name for name in NOTATION if name.isalpha()),
    "decision": ("test", "switch", "chance", "below", "yes", "no", "else"),
    "execution": (
        *("do", "use", "wait", "repeat", "while", "decide", "chance", "merge", "max", "end"),
        *("yes", "no", "from", "plan", "and", "or"),
    ),
    "rulegraph": ("score", "left"),
    "sinking": ("targeting", "locking", "sinking"),
}
"""Words of the languages themselves."""

PARTS: Mapping[str, tuple[str, ...]] = {
    "arithmetic": (
        r"(?<=[-+*/(,:] )[\w.]+",
        r"(?<=[\w)]) [-+*/](?= [\w(])",
        r"(?<=\w)\((?=\w)",
        r"(?<=\w)\)",
        ":",
    ),
    "decision": (
        *(r"(?<=[=<>] )[-\d.]+", r" (<=|>=|<|>|==)(?= )", r"(?<=test )[\w.]+", r"(?<=switch )[\w.]+"),
        *(
            r"(?<=(?:yes|els|elo): )\S+$",
            r"(?<=no: )\S+$",
            r"\byes:",
            r"\bno:",
            r"\belse:",
            r"(?<=\w):",
            r"(?<=below )\d+",
        ),
        *(r"^ +yes: \S+\n", r"^ +no: \S+\n", r"^ +else: \S+\n"),
    ),
    "execution": (
        *(
            r" max \d+",
            r"(?<=max) \d+",
            r"(?<=do) \w+",
            r"(?<=use) \w+",
            r"(?<=repeat) \d+",
            r"(?<=[=<>]) [-\d.]+",
        ),
        *(
            r" (<=|>=|<|>|==)(?= )",
            r"^ *end\n",
            r"^ *yes:\n",
            r"^ *no:\n",
            r"(?<=yes):",
            r"(?<=no):",
            r"(?<=:)$",
        ),
        *(
            r"\bdo ",
            r"\brepeat ",
            r"\bmax ",
            r"(?<=\w):$",
            r"(?<=decide )[\w.]+ ",
            r"(?<=while )[\w.]+ ",
            r"\bdecide ",
            r"\bwhile ",
        ),
    ),
    "rulegraph": (
        *(
            r" =>.*$",
            r"=> ",
            r" - \w+$",
            r" -(?= )",
            r"(?<=- )\w+$",
            r"_\d+",
            r"\(\d\+?\)(?=.*=>)",
            r" :(?= )",
        ),
        *(r"(?<==> )\w+", r"(?<=\w):(?= )"),
    ),
    "sinking": (r"(?<=\w):$",),
}
"""What a writer leaves out: patterns in the code of a line, or with its end."""

FOREIGN: Mapping[str, tuple[tuple[str, str], ...]] = {
    "arithmetic": (
        *((r"\bmax\b|\bmin\b", "maximum"), (r" \* ", " and "), (r" \+ ", " or "), (r" \* ", " % ")),
        *((r" \+ ", " ^ "), (r": (?=e)", ": if "), (r" \* ", " ** "), (r" \* ", " && "), (r": ", " = ")),
        *((r"^(\w+): ", r"\1(): "), (r"^(\w+): (?=[a-z])", r"\1: test "), (r"\(", "[")),
    ),
    "decision": (
        *((r"\btest\b", "if"), (r"\btest\b", "decide"), (r"\btest\b", "when"), (r"\btest ", "test if ")),
        *(
            (r"\bswitch\b", "case"),
            (r"\bbelow\b", "case"),
            (r"\bswitch\b", "match"),
            (r"\belse:", "otherwise:"),
        ),
        *((r"\belse:", "default:"), (r"(?<=[=<>] )([-\d.]+)$", r"\1 and env.rank > 2"), (r" > ", " <> ")),
        *((r"(?<=[=<>] )([-\d.]+)$", r"\1 or env.rank > 2"), (r"(?<=[=<>] )([-\d.]+)$", r"\1 then")),
        *((r"(?<=[=<>] )([-\d.]+)$", r"\1 && env.rank > 2"), (r"(?<=[=<>] )([-\d.]+)$", r"\1:")),
        *((r" <= ", " = "), (r" <= ", " => "), (r"\byes:", "then:"), (r"\bno:", "else:"), (r"\byes: ", "{")),
        *((r"\btest (.*)$", r"test (\1)"), (r"\bno: test\b", "elif"), (r"\byes:", "true:")),
    ),
    "execution": (
        *((r"\bdecide\b", "if"), (r"\bdecide\b", "test"), (r"\brepeat\b", "loop"), (r"\brepeat\b", "for")),
        *((r"\bend\b", "done"), (r"\bdo\b", "build"), (r"\buse\b", "call"), (r"\bno:", "else:")),
        *(
            (r"\byes:", "then:"),
            (r"\band\b", "&"),
            (r" == ", " = "),
            (r"\bwhile\b", "until"),
            (r"\bplan\b", "def"),
        ),
        *((r"\bmax\b", "most"), (r"\bmax\b", "maximum"), (r"\bend\b", "}"), (r"\bend\b", "next")),
        *(
            (r"\bend\b", "end repeat"),
            (r"\brepeat (\d+)", r"repeat \1 times"),
            (r"\brepeat (\d+)", r"repeat \1:"),
        ),
        *((r"\bdo (\w+)", r"\1()"), (r"\bdo (\w+)", r"do(\1)"), (r"\band\b", "&&"), (r" > ", " greater ")),
        *((r"\bdecide (.*)$", r"decide (\1)"), (r"\bno:", "otherwise:")),
    ),
    "rulegraph": (
        *((r"=>", "->"), (r"=>", "="), (r"=>", ":"), (r"=>", "then"), (r"=>", "=="), (r" : ", ", ")),
        *((r"\b[qtlx]_", "y_"), (r"\b[nw]\b", "m"), (r"\b[nw]\b", "top"), (r"\b([qtlx])_", r"\1")),
        *(
            (r"(?<= )w\b", "?"),
            (r"_(\d)", r"[\1]"),
            (r" - ", " to "),
            (r"\b[qtlx]_", "box_"),
            (r" : ", " and "),
        ),
    ),
    "sinking": (
        *((r"^( +)Jump\b", r"\1Jump sinking"), (r"^( +)Jump\b", r"\1Jump to sinking"), (r"\bIf", "if ")),
        *((r"^( +)(\w+)$", r"\1do \2"), (r"^( +)(\w+)", r"\1\2()"), (r"^(\w+):", r"def \1:")),
        *((r"^(\w+):", r"\1 {"), (r"\bJump\b", "goto sinking"), (r"^( +)(\w+)$", r"\1call \2")),
    ),
}
"""What a writer brings from another language: patterns, and what stands there instead."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """A mistake in a program.

    Attributes:
        kind: what the writer did.
        text: of the program with the mistake.
        lines: those that may be blamed.
        word: that which the writer meant, of a misspelling.
    """

    kind: str
    text: str
    lines: frozenset[int]
    word: str = ""


@cache
def shipped(name: str) -> tuple[str, ...]:
    """The texts of the shipped programs of a language that are not long."""
    paths = sorted(Path(str(data_folder("programs"))).rglob(f"*{language(name).suffix}"))
    texts = [path.read_text(encoding="utf-8") for path in paths if path.stat().st_size < 2_500]
    return tuple(text for text in texts if re.search(r"^(//|#) game: (?!connect|leduc|nim|tic)", text))


@cache
def names_of(name: str, game: str) -> tuple[str, ...]:
    """The words that a game gives programs of a language."""
    offered = offers_of(game).get(name)
    assert isinstance(offered, PrimitiveSet)
    return (
        *offered.sensor_names,
        *(each.name for each in offered.instructions),
        *offered.sections,
        *offered.actions,
    )


def is_one_edit(word: str, other: str) -> bool:
    """Whether one letter more, fewer or other, or two letters the other way round, make one of the other."""
    places = range(len(word) + 1)
    fewer = {word[:k] + word[k + 1 :] for k in places}
    swapped = {word[:k] + word[k + 1 : k + 2] + word[k : k + 1] + word[k + 2 :] for k in places}
    others = {other[:k] + other[k + 1 :] for k in range(len(other) + 1)}
    near = len(word) == len(other) and sum(a != b for a, b in zip(word, other, strict=True)) == 1
    return other in fewer or word in others or other in swapped or near


def code_of(line: str, mark: str) -> str:
    """A line without its comment."""
    return line.partition(mark)[0].rstrip()


class Writer:
    """Draws the mistakes in one text."""

    def __init__(self, name: str, number: int) -> None:
        self.name = name
        self.rng = stream(number, f"writers {name}")
        self.text = self.one_of(shipped(name))
        self.lines = self.text.split("\n")
        self.mark = "#" if name == "rulegraph" else "//"
        self.code = [code_of(line, self.mark) for line in self.lines]
        game = re.search(r"game: (\w+)", self.text)
        assert game is not None
        self.known = {*KEYWORDS[name], *names_of(name, game[1])} | set(
            re.findall(r"&[\w-]+|(?<=plan )\w+", self.text)
        )

    def one_of(self, values: Sequence[T]) -> T:
        return values[below(self.rng, len(values))]

    def written(self, number: int, start: int, end: int, new: str) -> str:
        """The text with something else in a line; a line that is gone leaves nothing."""
        lines = [f"{line}\n" for line in self.lines]
        lines[number] = lines[number][:start] + new + lines[number][end:]
        return "".join(lines)[:-1]

    def places(self, pattern: str) -> list[tuple[int, re.Match[str]]]:
        """Where a pattern is found in the code, by line."""
        return [
            (number, found)
            for number, code in enumerate(self.code)
            if code
            for found in re.finditer(
                pattern, f"{code}\n" if code == self.lines[number] else code, re.MULTILINE
            )
        ]

    def misspelt(self) -> Mistake | None:
        """A word with one letter more, fewer or other, or with two letters the other way round."""
        words = [each for each in self.places(r"&?[A-Za-z_][\w.-]*\w") if each[1][0] in self.known]
        if not words:
            return None
        keywords = [each for each in words if each[1][0] in KEYWORDS[self.name]]
        number, found = self.one_of(keywords if keywords and below(self.rng, 2) else words)
        word = found[0]
        first = max(word.rfind("."), word.rfind("&")) + 1
        place = first + below(self.rng, len(word) - first)
        letter = "abcdefghijklmnopqrstuvwxyz"[below(self.rng, 26)]
        wrong = self.one_of(
            (
                word[:place] + word[place + 1 :],
                word[:place] + letter + word[place + 1 :],
                word[:place] + letter + word[place:],
                word[:place] + word[place + 1 : place + 2] + word[place] + word[place + 2 :],
            )
        )
        near = [each for each in self.known if is_one_edit(wrong, each)]
        if wrong in self.known or near != [word] or len(wrong) < 2 or wrong.endswith("."):
            return None
        text = self.written(number, found.start(), found.end(), wrong)
        lines = {number + 1}
        if word not in KEYWORDS[self.name] and re.search(rf"(&|plan ){word.lstrip('&')}\b", self.text):
            lines = {k for k, code in enumerate(self.code, 1) if word in code}  # where it is used, or defined
            word = "" if re.search("plan |^$", self.code[number][: found.start()]) else word
        return Mistake("misspelt", text, frozenset(lines), word)

    def left_out(self) -> Mistake | None:
        """A part, or an end, is missing."""
        found = self.places(self.one_of(PARTS[self.name]))
        if not found:
            return None
        number, match = self.one_of(found)
        text = self.written(number, match.start(), match.end(), "")
        here = set() if match[0].endswith("\n") else {number + 1}
        return Mistake("left out", text, frozenset({*self.openers(number), *here}))

    def openers(self, number: int) -> Iterator[int]:
        """The lines of what is open around a line, and that of its own opener: those above that stand less deep."""
        deep = len(self.lines[number]) - len(self.lines[number].lstrip()) + 1
        for line in range(number, -1, -1):
            indent = len(self.lines[line]) - len(self.lines[line].lstrip())
            if self.code[line] and indent < deep and line < number:
                yield line + 1
                deep = indent

    def comma(self) -> Mistake | None:
        """A decimal comma."""
        found = self.places(
            r"(?<![\w.])\d+(\.\d+)?\b"
            if self.name in ("arithmetic", "decision")
            else r"(?<![\w.(])\d+\.\d+|(?<=[=<>] )\d+"
        )
        if not found:
            return None
        number, match = self.one_of(found)
        new = match[0].replace(".", ",") if "." in match[0] else f"{match[0]},5"
        return Mistake(
            "comma", self.written(number, match.start(), match.end(), new), frozenset({number + 1})
        )

    def foreign(self) -> Mistake | None:
        """A word or a sign of another language."""
        remark = "//" if self.mark == "#" else "#"
        pattern, new = self.one_of(
            (*FOREIGN[self.name], (r"(?<=\S)$", f"  {remark} why"), (r"(?<=\S)$", ";"))
        )
        found = self.places(pattern)
        if not found:
            return None
        number, match = self.one_of(found)
        text = self.written(number, match.start(), match.end(), match.expand(new))
        return Mistake("foreign", text, frozenset({*self.openers(number), number + 1}))

    def doubled(self) -> Mistake | None:
        """A word stands there twice."""
        found = self.places(r"(?!end\b)[A-Za-z_][\w.]*:?|[+*/<>=]+")  # `end end` closes the loop around, too
        number, match = self.one_of(found)
        text = self.written(number, match.start(), match.end(), f"{match[0]} {match[0]}")
        return Mistake("doubled", text, frozenset({number + 1}))


def mistake(name: str, number: int) -> Mistake | None:
    """A mistake in a shipped program of a language; None where that which was drawn cannot be made there."""
    writer = Writer(name, number)
    made = (writer.misspelt, writer.misspelt, writer.left_out, writer.comma, writer.foreign, writer.doubled)
    return writer.one_of(made)()
