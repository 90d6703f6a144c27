"""Pages as text: the templates, and what all of them are given."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse

from gpkit.core.errors import cut

HERE = Path(__file__).parent
STATIC, VENDOR = HERE / "static", HERE / "vendor"
"""Folders of files that are given as they are: our own, and those of others."""

MOST_FIELDS = 200
"""Fields of a form that are read."""


@cache
def _environment() -> Environment:
    """The templates; every value is escaped unless it is markup."""
    return Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )


def page(template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """A page, or a part of one, of a template; what is no text, as in names of files, becomes question marks."""
    text = _environment().get_template(template).render(**values)
    return HTMLResponse(text.encode("utf-8", "replace"), status)


def is_part(request: Request) -> bool:
    """Whether a page asks for a part of itself, and not a person for a page."""
    return request.headers.get("hx-request") == "true"


async def form_of(request: Request) -> Mapping[str, str]:
    """The fields of a form that was sent; of several of one name the last.

    Raises:
        ValueError: there are too many.
    """
    body = (await request.body()).decode("utf-8", "replace")
    return dict(parse_qsl(body, keep_blank_values=True, max_num_fields=MOST_FIELDS))


def mistake(request: Request, told: str, status: int) -> HTMLResponse:
    """The answer to a request that cannot be met: a page, or a line on the page that asked."""
    template = "mistake_part.html" if is_part(request) else "mistake.html"
    return page(template, status, title="Something went wrong", told=cut(told))
