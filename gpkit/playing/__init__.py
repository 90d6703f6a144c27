"""Players and contests: matches, tournaments, series and traces."""
