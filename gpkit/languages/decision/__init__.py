"""The language of decision trees (``.decide`` files)."""
