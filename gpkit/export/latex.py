"""LaTeX, for papers: numbers, names, signs and aligned lines."""

import re
import unicodedata
from collections.abc import Iterable, Mapping

SIGNS: Mapping[str, str] = {"<=": r"\le", ">=": r"\ge", "!=": r"\ne", "==": "=", "<": "<", ">": ">"}


_CAPITALS = ("gamma", "delta", "theta", "lambda", "xi", "pi", "sigma", "upsilon", "phi", "psi", "omega")
_SMALL = (
    *_CAPITALS,
    "alpha",
    "beta",
    "epsilon",
    "zeta",
    "eta",
    "iota",
    "kappa",
    "mu",
    "nu",
    "rho",
    "tau",
    "chi",
)


def _greek(size: str, name: str) -> str:
    return unicodedata.lookup(f"GREEK {size} LETTER {name.replace('lambda', 'lamda')}")


_SIGNS = {
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "|": r"\textbar{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "`": r"\textasciigrave{}",
    '"': r"\symbol{34}",
    "\u00a0": "~",
    **{sign: f"\\{sign}" for sign in "#$%&_{}"},
    **{_greek("SMALL", name): f"$\\{name}$" for name in _SMALL},
    **{_greek("CAPITAL", name): f"$\\{name.capitalize()}$" for name in _CAPITALS},
}
"""Characters that have another meaning or look in LaTeX text, or that its fonts lack."""

_FOREIGN = re.compile("[^\0-\u017f\u2010-\u2026\u20ac\u2122]")


def aligned(lines: Iterable[str]) -> str:
    """An ``align*`` block with these lines; a comment names the characters that the fonts of pdfLaTeX lack."""
    rows = " \\\\\n".join(f"  {line}" for line in lines)
    foreign = "".join(dict.fromkeys(_FOREIGN.findall(rows)))
    note = f"% use XeLaTeX or LuaLaTeX and a font that has {foreign}\n" if foreign else ""
    return f"{note}\\begin{{align*}}\n{rows}\n\\end{{align*}}\n"


def number(text: str) -> str:
    """A number as Python writes it, with every digit; a power of ten instead of an exponent."""
    digits, _, exponent = text.removesuffix(".0").partition("e")
    return rf"{digits} \cdot 10^{{{int(exponent)}}}" if exponent else digits


def name_text(name: str) -> str:
    """A name without ``env.``: in italics if it is an ASCII word, otherwise as text."""
    plain = name.removeprefix("env.")
    is_word = re.fullmatch(r"[\w.]+", plain, re.ASCII) is not None
    return (r"\mathit{" if is_word else r"\text{") + escaped(plain) + "}"


def escaped(text: str) -> str:
    """A text for ``\\text{...}``: nothing in it acts as a command, and no characters or spaces merge."""
    composed = unicodedata.normalize("NFC", text)
    return "".join(map(_escaped, composed, f" {composed}"))


def _escaped(character: str, before: str) -> str:
    """A character that follows another one, escaped."""
    if character in _SIGNS:
        return _SIGNS[character]
    if character.isspace():
        return " " if character == " " != before else "\\ "
    if not character.isprintable():
        return escaped(ascii(character)[1:-1])
    return f"{{}}{character}" if character == before and character in "-',?!" else character
