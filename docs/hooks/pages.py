"""Hook of MkDocs: puts generated sections into pages, and the names of files above their blocks."""

import re
from typing import Any

from reference import SECTIONS  # MkDocs puts this folder on the path


def on_page_markdown(markdown: str, **_: Any) -> str:
    """The Markdown of a page with what its comments ask for.

    Raises:
        KeyError: there is no generated section of that name.
    """
    filled = re.sub(
        r"^<!-- generated: (\w+) -->$", lambda found: SECTIONS[found[1]](), markdown, flags=re.MULTILINE
    )
    return re.sub(r"^<!-- (?:file|more): (\S+) -->\n```(\w*)$", _titled, filled, flags=re.MULTILINE)


def _titled(found: re.Match[str]) -> str:
    """The first line of a block of a file, with its name."""
    name, language = found.groups()
    return f'```{language or "text"} title="{name}"'
