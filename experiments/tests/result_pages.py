"""Pages of results: whether they have the numbers of a record."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
WORD = re.compile(r"`[^`]*`|[−+-]?(?:\d[\d,]*\.?\d*|\.\d+)")
"""A name in a code span, or a number."""


def words(text: str) -> Sequence[str]:
    """The names and numbers of a text, in their order."""
    return [found.rstrip(",.") for found in WORD.findall(text)]


@dataclass(frozen=True, slots=True)
class Page:
    """A page, which says a sentence if the same names and numbers follow each other in one of its paragraphs.

    Attributes:
        path: of its file, from the folder of the project.
    """

    path: str

    @property
    def text(self) -> str:
        """The text of the file."""
        return (ROOT / self.path).read_text(encoding="utf-8")

    def __contains__(self, sentence: str) -> bool:
        said = words(sentence)
        assert any(set("0123456789") & set(word) for word in said), f"no number: {sentence}"
        found = map(words, self.text.split("\n\n"))
        return any(said == part[place : place + len(said)] for part in found for place in range(len(part)))


def results(name: str) -> Page:
    """The page of results with that name."""
    return Page(f"experiments/results/{name}.md")
