"""Layout of ``.decide`` files: one node a line, its branches indented below it; comments stay, words as they are."""

from gpkit.langkit.layout import Layout
from gpkit.languages.decision.parser import BRANCHES, READING, DecisionSource

_LAYOUT = Layout(
    begins=BRANCHES | {"SECTION"},
    branches=BRANCHES,
    frames={"TEST": ("NO", 1), "CHANCE": ("NO", 1), "SWITCH": ("ELSE", 1)},
    heading="SECTION",
)


def format_source(source: DecisionSource) -> str:
    """The text of a source in canonical layout; formatting it again changes nothing."""
    return _LAYOUT.text(READING.tokens(source.text))
