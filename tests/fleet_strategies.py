"""Hypothesis strategies for Battleship."""

from hypothesis import strategies as st

from gpkit.games.battleship.options import Rules

RULES = st.builds(
    Rules,
    mode=st.sampled_from(("solitaire", "duel")),
    width=st.integers(4, 8),
    height=st.integers(4, 8),
    fleet=st.sampled_from(((3, 2), (4, 1), (2, 2, 1), (4, 3, 2))),
    touch=st.booleans(),
    announce=st.sampled_from(("ship", "sunk", "hit")),
    shots=st.sampled_from(("one", "again")),
    found=st.booleans(),
)
"""Small boards under all rules."""
