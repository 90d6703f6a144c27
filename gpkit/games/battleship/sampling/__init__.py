"""The belief-state agent: fleets sampled from what is known, and the shot that most of them would hit."""
