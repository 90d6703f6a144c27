"""Characters that show nothing and change what a text seems to say: no program has them, no output shows them raw."""

import html
import re

LINE_ENDS = "\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
"""Line ends that some programs know and others do not; all but LF."""

BIDI = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
"""Orders to show text in another order than it has."""

BYTE_ORDER_MARK = "\ufeff"

ORDERS = re.compile(
    f"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029{BIDI}{BYTE_ORDER_MARK}\ud800-\udfff]"
)
"""Characters that a terminal could obey, or could not show at all: controls but for tab and LF, marks of direction,
and bytes of file names that are no text."""

DECEPTIVE = re.compile(f"[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\r\u2028\u2029{BIDI}{BYTE_ORDER_MARK}\ud800-\udfff]")
"""Controls but for tab, LF and form feed, line ends but for LF, orders about direction, byte order marks, and halves of
surrogate pairs (Unicode Technical Report 36; N. Boucher and R. Anderson, "Trojan Source", 2021)."""

MISPLACED = re.compile(rf"{DECEPTIVE.pattern}(?<!\r(?=\n))(?<!\A{BYTE_ORDER_MARK})")
"""Deceptive characters, except a CR before LF and a byte order mark at the start of a text, which belong there."""


def shown(text: str) -> str:
    r"""The text with every order to a terminal written out, so that a person sees it and the terminal does not.

    >>> print(shown("a\x1b[31m\u202eb"))
    a\x1b[31m\u202eb
    """
    return ORDERS.sub(lambda order: _written_out(ord(order[0])), text)


def in_markup(text: str) -> str:
    r"""The text for an element or an attribute in HTML or SVG; special characters and orders to a terminal are escaped.

    >>> print(in_markup("<a> & \x1b"))
    &lt;a&gt; &amp; \x1b
    """
    return html.escape(shown(text))


def shown_in_json(text: str) -> str:
    r"""JSON with the same characters as their escapes: it says the same.

    >>> print(shown_in_json('"a\x7f"'))
    "a\u007f"
    """
    return ORDERS.sub(lambda order: f"\\u{ord(order[0]):04x}", text)


def _written_out(code: int) -> str:
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def undeceptive(text: str) -> str:
    """The text with a blank for each such character.

    >>> undeceptive("a\\x1b[31m\\u202eb")
    'a [31m b'
    """
    return DECEPTIVE.sub(" ", text)


def is_unicode(text: str) -> bool:
    """Whether a text can be encoded as UTF-8; a text with half of a surrogate pair cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
