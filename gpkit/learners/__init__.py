"""Players that learn: populations of programs that play, are rewarded, and are replaced while they play."""
