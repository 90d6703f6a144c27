"""``gpkit balance``: adds the option for the file of the page."""

from typing import TYPE_CHECKING

from gpkit.api.kinds import Given, Kind
from gpkit.api.matches import balance
from gpkit.cli import output
from gpkit.cli.shell import JSON, command_of, tell_answer
from gpkit.core.files import check_place, check_target, write_atomic

if TYPE_CHECKING:
    from gpkit.analysis.balance import Balance


def _page(path: str | None, given: Given) -> str | None:
    """The path of the page's file, after a check that it can be written.

    Raises:
        UsageError: the file cannot be written.
    """
    if path is not None:
        check_target(path, given["opponents"], ".html")
        check_place(path)
    return path


def _show(found: "Balance", given: Given) -> int:
    from gpkit.show.game_pages import balance_page

    if given["page"] is not None:
        write_atomic(given["page"], balance_page(found))
        output.note(f"wrote {given['page']}")
    return tell_answer("balance", found, {}, as_json=given["as_json"])


command = command_of(
    "balance",
    balance,
    {
        "page": Kind(
            "FILE",
            completes="file",
            option="--html",
            help="Also write a page with the figures and charts of them.",
            read=_page,
        ),
        "as_json": JSON,
    },
    _show,
)
