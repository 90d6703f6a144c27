"""The arithmetic language: formulas over a game's sensors, one for each decision, in ``.tree`` files."""
