"""The seam of languages: reading, sections, recovery, findings, what a language is. It knows none by name."""
