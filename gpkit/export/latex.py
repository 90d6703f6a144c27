"""LaTeX, for papers: numbers, names, signs and aligned lines."""

import re
from collections.abc import Iterable, Mapping

SIGNS: Mapping[str, str] = {"<=": r"\le", ">=": r"\ge", "!=": r"\ne", "==": "=", "<": "<", ">": ">"}
"""Comparisons."""


def aligned(lines: Iterable[str]) -> str:
    """``align*`` with these lines."""
    rows = " \\\\\n".join(f"  {line}" for line in lines)
    return f"\\begin{{align*}}\n{rows}\n\\end{{align*}}\n"


def number(text: str) -> str:
    """A number as Python writes it, with every digit; a power of ten instead of an exponent."""
    digits, _, exponent = text.removesuffix(".0").partition("e")
    return rf"{digits} \cdot 10^{{{int(exponent)}}}" if exponent else digits


def name_text(name: str) -> str:
    """A name in italics without ``env.``, or as text where it is no word."""
    plain = name.removeprefix("env.")
    escaped = re.sub(r"([#$%&_{}])", r"\\\1", plain)
    escaped = re.sub(r"[\\^~](?![#$%&_{}])", "-", escaped)
    return (r"\mathit{" if re.fullmatch(r"[\w.]+", plain) else r"\text{") + escaped + "}"


def italic(name: str) -> str:
    """A name in italics, without ``env.``."""
    return r"\mathit{" + name.removeprefix("env.").replace("_", r"\_") + "}"
