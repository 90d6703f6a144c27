"""Long texts of many shapes in every language: what is repeated in them until they are as long as is wanted."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count

from odd_texts import PROGRAMS


@dataclass(frozen=True, slots=True)
class Shape:
    """A text that repeats something; in what is repeated ``@`` stands for a number from 0 on, ``&`` for the next one.

    Attributes:
        line: what is repeated.
        head, tail: what stands before and behind it.
        closing: what is repeated as often behind the middle.
        middle: between the two.
    """

    line: str
    head: str = ""
    tail: str = ""
    closing: str = ""
    middle: str = ""

    def text(self, size: int) -> str:
        """A text of nearly so many bytes."""
        left = size - len((self.head + self.middle + self.tail).encode())
        each = len((self.line + self.closing).encode())
        if "@" not in self.line and "&" not in self.line:
            times = max(1, left // each)
            return f"{self.head}{self.line * times}{self.middle}{self.closing * times}{self.tail}"
        lines: list[str] = []
        for number in count():
            lines.append(self.line.replace("@", str(number)).replace("&", str(number + 1)))
            left -= len(lines[-1]) + len(self.closing)
            if left < each + 2 * len(str(number)):
                return f"{self.head}{''.join(lines)}{self.middle}{self.closing * len(lines)}{self.tail}"
        raise AssertionError


HEADERS = {
    "arithmetic": "// game: sevens\n",
    "sinking": "// game: battleship\n",
    "rulegraph": "# game: dots_and_boxes\n# level: 1\n",
    "decision": "// game: sevens\n",
    "execution": "// game: build_order\n",
}


def _common(language: str) -> dict[str, Shape]:
    """Shapes that every language has to bear."""
    head, program = HEADERS[language], PROGRAMS[language][0]
    mark = head.split(" ", 1)[0]
    lines = {
        "errors": "? ?\n",
        "quotation marks": '"',
        "errors in a line": "? ",
        "line ends": "\n",
        "control characters": "\0",
        "invisible characters": "\u200b\n",
        "emoji": f"{mark} \N{PARTY POPPER}\n? \N{PARTY POPPER}\n",
        "letters": "a",
        "digits": "1",
        "words": "w@\n",
        "words in a line": "w@ ",
        "headings": "s@:\n",
        "one heading": "play:\n",
        "headings with errors": "s@: ?\n",
        "opened": "(",
        "opened by line": "(\n",
        "closed by line": ")\n",
        "signs": "-\n",
        "programs": program,
        "programs with errors": f"{program}?\n",
    }
    before = {"blanks": " ", "comments": f"{mark} why\n", "header": f"{mark} k@: v\n"}
    return (
        {name: Shape(line, head) for name, line in lines.items()}
        | {f"{name} before": Shape(line, "", "\n" + program) for name, line in before.items()}
        | {f"{name} behind": Shape(line, program) for name, line in before.items()}
        | {"a comment": Shape("x", f"{head}{mark} ", "\n" + program)}
    )


def _formulas() -> dict[str, Shape]:
    head = HEADERS["arithmetic"]
    in_play = {
        "sum": "env.rank + ",
        "idle": "0 * env.dist + 1 * env.rank +\n",
        "unknown": "env.rnk@\n + ",
        "unknown once": "env.rnk\n + ",
        "unknown and long": f"env.{'rnk' * 100}@\n + ",
        "operators": "maxx@(1)\n + ",
        "operands": "max(1)\n + ",
        "two signs": "1 * * 2\n + ",
        "too large": "1e999\n + ",
        "too long": f"{'1' * 31}\n + ",
        "same": "env.rank - env.rank + ",
        "choices": "ifle(env.rank, env.rank, 1, 2) +\n",
        "commented": "1 // a\n + ",
    }
    return {
        "section twice": Shape("play: 1\n"),
        "section twice in a game": Shape("play: 1\n", head),
        "sections": Shape("s@: env.rank\n"),
        "sections in a game": Shape("s@: env.rank\n", head),
        "sections with errors": Shape("s@: env.rank +\n", head),
        "sections with operators": Shape("s@: maxx(1)\n", head),
        "deep sections": Shape(f"s@: {'(' * 400}1{')' * 400}\n", head),
        "arguments": Shape("1,\n", f"{head}play: max(", "1)\nsend: 1\n"),
        "parentheses": Shape("(", f"{head}play: ", "\nsend: 1\n", ")", "1"),
        "calls": Shape("max(1,\n", f"{head}play: ", "\nsend: 1\n", ")\n", "env.rank"),
        "open calls": Shape("max(1,\n", f"{head}play: "),
        "minus": Shape("-", f"{head}play: ", "env.rank\nsend: 1\n"),
    } | {name: Shape(line, f"{head}play: ", "1\nsend: 1\n") for name, line in in_play.items()}


def _sinkers() -> dict[str, Shape]:
    head = f"{HEADERS['sinking']}targeting:\n"
    lines = {
        "shots": "  Shoot\n",
        "instructions": "  Target\n  Shoot\n  IfHit\n  Jump\n",
        "jumps": "  Jump\n",
        "conditions": "  IfHit\n",
        "unknown": "  Shot@\n",
        "unknown once": "  Shott\n",
        "unknown and long": f"  {'Shot' * 100}@\n",
        "two in a line": "  Shoot Shoot\n",
        "many in a line": "Shoot ",
        "blocks": "targeting:\n  Shoot\n",
        "other blocks": "b@:\n  Shoot\n",
        "numbers": "3.\n",
        "listing": "- 3. Shoot\n",
        "commented": "  Shoot  // why\n\n  // x\n",
    }
    return {name: Shape(line, head, "locking:\n  Shoot\n") for name, line in lines.items()}


def _rules() -> dict[str, Shape]:
    head = HEADERS["rulegraph"]
    lines = {
        "equal": "x_0 w => x_0 - w\n",
        "unlike": "l_0(@) x_1 n : l_2(&) n => l_2 - n\n",
        "name twice": "take: x_0 w => x_0 - w\n",
        "named": "take@: x_0 w => x_0 - w\n",
        "joined": "| x_0 w => x_0 - w\n",
        "patterns": "&p@ = t_0 t_1\n",
        "pattern twice": "&p = t_0 t_1\n",
        "patterns that are used": "&p@ = t_0 t_1\nx_0 w ; !&p@ => x_0 - w\n",
        "patterns of patterns": "&p& = &p@\n",
        "unknown patterns": "&safe@ = t_0 t_1\nx_0 w ; !&safr@ => x_0 - w\n",
        "unknown boxes": "x_0 w => x_1 - w\n",
        "arrows": "x_0 w -> x_0 - w\n",
        "lengths": "l_0(0) w => l_0 - w\n",
        "boxes": "x_@ w => x_@ - w\n",
        "LaTeX": "$ x_{0} w \\Rightarrow x_0 - w $\n",
    }
    in_a_rule = {
        "entries": "q_@ q_& : ",
        "neighbours": "w ",
        "conditions": "; score >= 0 ",
        "absent": "; !t_0 t_1 ",
    }
    return (
        {name: Shape(line, head) for name, line in lines.items()}
        | {name: Shape(line, f"{head}x_0 w ", "=> x_0 - w\n") for name, line in in_a_rule.items()}
        | {
            "patterns of a pattern": Shape("&p& = &p@\n", f"{head}&p0 = t_0 t_1\n", "x_0 w => x_0 - w\n"),
            "joined to one": Shape("| x_0 w => x_0 - w\n", f"{head}x_0 w => x_0 - w\n"),
            "annotations": Shape("\t", f"{head}x_0 w => x_0 - w @q=0.5", "@f=3\n"),
        }
    )


def _trees() -> dict[str, Shape]:
    head = HEADERS["decision"]
    lines = {
        "tests": "test env.rank < 3\n",
        "sections": "s@: 1\n",
        "section twice": "play: 1\n",
        "section twice with tests": "play: test env.rank < 3 yes: 1 no: 2\n",
        "sections with errors": "s@: test env.rank < < 3 yes: 1 no: 2\n",
        "probabilities": "s@: chance 1.5 yes: 1 no: 2\n",
        "unknown": "s@: test env.rnk@ < 3 yes: 1 no: 2\n",
        "all nodes": "s@: test a@ < @ yes: chance 0.5 yes: 1 no: 2 no: switch b below 2: 1 else: c\n",
        "branches": "yes: 1\n",
        "leaves": "1\n",
        "commented": "// a\ns@: // b\n// c\n1 // d\n",
        "switches": "switch env.rank below 3: 1 else: ",
    }
    return {name: Shape(line, head) for name, line in lines.items()} | {
        "sections without a game": Shape("s@: test a < 3 yes: 1 no: 2\n"),
        "nested": Shape("test env.rank < 3\nyes: 1\nno: ", f"{head}play: ", "1\nsend: 1\n"),
        "nested in the first": Shape("test a < 3 yes: ", f"{head}play: ", "\nsend: 1\n", "no: 1 ", "2 "),
        "switch": Shape("below @: 1\n", f"{head}play: switch env.rank\n", "else: 1\nsend: 1\n"),
        "switch that falls": Shape("below 3: 1\n", f"{head}play: switch env.rank\n", "else: 1\nsend: 1\n"),
        "a name": Shape("a", '"', '"\n'),
    }


def _plans() -> dict[str, Shape]:
    head = HEADERS["execution"]
    lines = {
        "steps": "do drone\n",
        "unknown": "do dron@\n",
        "numbers": "do 3\n",
        "plans": "plan p@:\n  do drone\n",
        "chain": "plan p@:\n  use p&\n",
        "circles": "plan p@:\n  use p@\n",
        "plan twice": "plan p:\n  do drone\n",
        "unknown plans": "plan army@:\n  use arny@\n",
        "plans with errors": "plan p@:\n  do do\n",
        "empty plans": "plan p@:\n",
        "open loops": "repeat 2\n",
        "loops": "while env.larvae > 0 max 3\n do drone end\n",
        "decisions": "decide env.danger > 0\nyes: do drone\nno: ",
        "waits": "wait env.larve@ > 0 max 10\n",
        "waits too long": "wait env.larvae > 0 max 100000\n",
        "ends": "end\n",
    }
    upwards = "// direction: up\nmerge\n"
    return {name: Shape(line, head + "use p0\n") for name, line in lines.items()} | {
        "uses": Shape("use army\n", head, "plan army:\n  do drone\n"),
        "nested loops": Shape("repeat 2\n", head, "", "end\n", "do drone\n"),
        "leaves": Shape("from a@: do drone\n", head + upwards, "end\n"),
        "leaf twice": Shape("from a: do drone\n", head + upwards, "end\n"),
        "merges": Shape("merge from a: ", head, "", "end\n", "do drone "),
    }


SHAPES: Mapping[str, Mapping[str, Shape]] = {
    language: _common(language) | own()
    for language, own in {
        "arithmetic": _formulas,
        "sinking": _sinkers,
        "rulegraph": _rules,
        "decision": _trees,
        "execution": _plans,
    }.items()
}
"""Shapes by language and name."""
