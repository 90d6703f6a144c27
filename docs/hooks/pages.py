"""MkDocs hook that adds generated sections, project files, file names of code blocks, and dark pictures to pages."""

import re
from typing import Any

from reference import ROOT, SECTIONS, block  # MkDocs puts this folder on the path


def on_page_markdown(markdown: str, **_: Any) -> str:
    """The Markdown of a page, with generated sections and files in place of its comments.

    Raises:
        KeyError: there is no generated section with that name.
        FileNotFoundError: there is no file with that name in the project.
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
    """A picture; if it has a dark version, both versions, each shown only with its colour scheme."""
    if not (ROOT / "docs" / f"{found[1]}-dark.png").exists():
        return found[0]
    light = found[0].removesuffix(".png)")
    return f"{light}.png#only-light){light}-dark.png#only-dark)"


def _included(found: re.Match[str]) -> str:
    """The text of a project file: Markdown is unchanged, and Python becomes a code block."""
    path = ROOT / found[1]
    text = path.read_text(encoding="utf-8")
    return text if path.suffix == ".md" else block(text, f'python title="{path.name}"')


def _titled(found: re.Match[str]) -> str:
    """The opening line of a file's code block, with the name of the file as its title."""
    name, language = found.groups()
    return f'```{language or "text"} title="{name}"'
