"""The little languages, a folder each: text to genome and back, meaning, compilation."""
