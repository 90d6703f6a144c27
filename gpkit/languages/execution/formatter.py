"""Layout of ``.plan`` files: one step a line, branches and bodies indented; comments and words stay as they are."""

from gpkit.langkit.layout import Layout
from gpkit.languages.execution.parser import READING, STEPS, PlanSource
from gpkit.languages.execution.printer import STEPS as KINDS

_BRANCHES = frozenset({"YES", "NO", "FROM"})

_LAYOUT = Layout(
    begins=STEPS | _BRANCHES | {"END", "HEADING"},
    branches=_BRANCHES,
    frames={
        word.upper(): ((kind.closing or kind.branches[-1]).upper(), 1 if kind.branches == ("body",) else 2)
        for word, kind in KINDS.named.items()
        if kind.branches
    },
    heading="HEADING",
    closing="END",
    is_apart=True,
)


def format_source(source: PlanSource) -> str:
    """The text of a source in canonical layout; formatting it again changes nothing."""
    return _LAYOUT.text(READING.tokens(source.text))
