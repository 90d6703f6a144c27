"""Programs of all languages with odd characters in odd places: separators, invisible ones, orders to terminals."""

from case_files import case_tables
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

PROGRAMS: dict[str, tuple[str, str]] = case_tables("odd_texts.toml")
"""Texts by language, with headers, comments at the ends of lines, and words that have spellings."""

REFUSED = "\r\x85\u2028\u2029\v\0\x1b\x7f\x1c\x1d\x1e\x1f\x9b\u202a\u202e\u2066\u2069\ufeff\ud800"
"""Characters that no program has anywhere; only a byte order mark at its start, and a CR before an LF."""

ODD = REFUSED + "\f\t\n\u200b\u200e\u00ad\u00a0\u3000\u2003:/#"


@st.composite
def odd_texts(draw: st.DrawFn, language: str) -> str:
    """A program into which characters were put that are no letters."""
    text = draw(st.sampled_from(PROGRAMS[language]))
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(0, len(text)))
        text = text[:place] + draw(st.sampled_from(ODD + "\r\n")) + text[place:]
    return draw(st.sampled_from((text, text, text.replace("\n", "\r\n"))))


def any_odd_text() -> SearchStrategy[tuple[str, str]]:
    """The name of a language, and such a text in it."""
    return st.sampled_from(sorted(PROGRAMS)).flatmap(
        lambda language: st.tuples(st.just(language), odd_texts(language))
    )
