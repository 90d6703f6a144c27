"""Exports programs to other formats, and proves that the exports play in the same way."""
