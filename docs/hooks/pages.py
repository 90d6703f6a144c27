"""Hook of MkDocs: puts generated sections and files of the project into pages, names above blocks of files, and dark
pictures beside light ones."""

import re
from typing import Any

from reference import ROOT, SECTIONS, block  # MkDocs puts this folder on the path


def on_page_markdown(markdown: str, **_: Any) -> str:
    """The Markdown of a page with what its comments ask for.

    Raises:
        KeyError: there is no generated section of that name.
        FileNotFoundError: there is no file of that name in the project.
    """
    page = re.sub(
        r"^<!-- generated: (\w+) -->$", lambda found: SECTIONS[found[1]](), markdown, flags=re.MULTILINE
    )
    page = re.sub(
        r"^<!-- included: (\S+) -->$(?:\n\[The text of this page\]\(.*\)$)?",
        _included,
        page,
        flags=re.MULTILINE,
    )
    page = re.sub(r"!\[[^\]]*\]\([./]*(images/[\w-]+)\.png\)", _lit, page)
    return re.sub(r"^<!-- (?:file|more): (\S+) -->\n```(\w*)$", _titled, page, flags=re.MULTILINE)


def _lit(found: re.Match[str]) -> str:
    """A picture, or two where there is a dark one, each shown on pages of its brightness alone."""
    if not (ROOT / "docs" / f"{found[1]}-dark.png").exists():
        return found[0]
    light = found[0].removesuffix(".png)")
    return f"{light}.png#only-light){light}-dark.png#only-dark)"


def _included(found: re.Match[str]) -> str:
    """A file of the project: Markdown as it is, Python as a block."""
    path = ROOT / found[1]
    text = path.read_text(encoding="utf-8")
    return text if path.suffix == ".md" else block(text, f'python title="{path.name}"')


def _titled(found: re.Match[str]) -> str:
    """The first line of a block of a file, with its name."""
    name, language = found.groups()
    return f'```{language or "text"} title="{name}"'
