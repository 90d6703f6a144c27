"""Fields of forms and addresses."""

from gpkit.core.errors import UsageError

RULE = "rule."
"""Beginning of the names of fields that set rules."""


def whole(text: str, what: str, most: int) -> int:
    """The whole number of a field.

    Raises:
        UsageError: it is none.
    """
    if not (text.isascii() and text.isdigit() and len(text) <= 16 and int(text) <= most):
        raise UsageError(f"{what} is a whole number of 0 to {most}")
    return int(text)
