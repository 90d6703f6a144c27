"""LaTeX, for papers."""
