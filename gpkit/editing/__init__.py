"""Help for editing programs: findings, completions, meanings and definitions."""
