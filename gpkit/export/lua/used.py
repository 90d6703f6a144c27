"""Lua text without the definitions that it does not use."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_DEFINED = re.compile(r"^local (?:function (\w+)|([\w, ]+))", re.MULTILINE)
_NOT_CODE = re.compile(r'--.*|"(?:[^"\\\n]|\\.)*"')
_NAME = re.compile(r"(?<![.\w])[A-Za-z_]\w*")
_CONTINUES = ("\t", "end", "}")


@dataclass(frozen=True, slots=True)
class _Statement:
    """A statement of the top level with the comment above it.

    Attributes:
        text: its lines.
        gap: the empty lines above it.
    """

    text: str
    gap: str

    @property
    def defines(self) -> frozenset[str]:
        """The names of locals that it defines."""
        match = _DEFINED.search(self.text)
        return frozenset(_NAME.findall(match[1] or match[2])) if match else frozenset()

    @property
    def mentions(self) -> frozenset[str]:
        """The names in its code, but for those of fields behind a point."""
        return frozenset(_NAME.findall(_NOT_CODE.sub(" ", self.text)))


def used(text: str) -> str:
    """The text without the locals of its top level that no other statement needs, directly or through others.

    The text is laid out as StyLua does it, and has no long strings. A ``local`` of several names stays whole.

    >>> print(used("local A = 1\\nlocal B = 2\\n\\n-- Not B.\\nlocal C = A\\n\\nreturn B\\n"), end="")
    local B = 2
    <BLANKLINE>
    return B
    """
    statements = list(_statements(text))
    pending = [s for s in statements if not s.defines]
    definition = {name: s for s in statements for name in s.defines}
    kept = set(pending)
    while pending:
        for name in pending.pop().mentions:
            found = definition.get(name)
            if found is not None and found not in kept:
                kept.add(found)
                pending.append(found)
    out: list[str] = []
    gap = ""
    for statement in statements:
        gap = max(gap, statement.gap)
        if statement in kept:
            out += [gap if out else "", statement.text]
            gap = ""
    return "".join(out)


def _statements(text: str) -> Iterator[_Statement]:
    """The statements in their order; a comment with an empty line below it stands for itself."""
    lines: list[str] = []
    above = gap = ""
    for line in text.split("\n"):
        if not line:
            gap = "\n"
            continue
        inside = line.startswith(_CONTINUES) or (not gap and bool(lines) and lines[-1].startswith("--"))
        if lines and not inside:
            yield _Statement("\n".join(lines) + "\n", above)
            lines = []
        if not lines:
            above = gap
        elif gap:
            lines.append("")
        lines.append(line)
        gap = ""
    if lines:
        yield _Statement("\n".join(lines) + "\n", above)
