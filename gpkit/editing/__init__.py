"""Programs while somebody writes them: findings, completions, meanings and definitions."""
