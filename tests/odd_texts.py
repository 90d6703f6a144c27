"""Programs of all languages with odd characters in odd places: separators, invisible ones, orders to terminals."""

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

PROGRAMS = {
    "arithmetic": (
        "// game: sevens\n// title: a b\n\n// why\nplay: env.depth // here\n  + 2\nsend: env.dist\n// end\n",
        "env.depth *2 // lone",
    ),
    "sinking": (
        "// game: battleship\n// title: a\n\ntargeting:\n  Target // c\n  Shoot\n\n// d\nlocking:\n  LoadPos\n",
        "Targeting state (5/10)\n1. Target // a\n- 2. Shoot\nlocking:\nShoot // b",
    ),
    "rulegraph": (
        "# game: dots_and_boxes\n# level: 1\n\n# c\ntake: x_0 w => x_0 - w # d\n&safe = t_0 t_1\n"
        "l: l_0(3+) n : l_1(3+) n ; !&safe ; l_0 <= l_1 => l_0 - n @q=0.5\n| t_0 n => t_0 - n\n",
        "$ x_{0} w \\Rightarrow x_0 - w $",
    ),
    "decision": (
        "// game: sevens\n// title: a b\n\nplay: test env.depth <= 3 // here\n  yes: 1\n  // why\n  no: chance 0.5\n"
        "    yes: 2\n    no: -3\nsend: switch env.dist\n  below 2: 0\n  else: 1\n// end\n",
        'test "petal width" > 0.8 yes: setosa no: "other one"',
    ),
    "execution": (
        "// game: build_order\n// title: a b\n\nrepeat 2 // here\n  do drone\nend\nwait env.minerals >= 200 max 40\n"
        "// why\ndecide env.danger > 0 and env.tick < -3\n  yes:\n    use army\n  no:\n\nplan army:\n  do queen // d\n",
        "chance 0.5 yes: do drone // a\nno: while env.free <= 1 or env.cap != 2.5 max 3 do overlord end",
    ),
}
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
