"""Players and contests: matches, tournaments and series with their results, and traces."""
