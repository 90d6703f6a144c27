"""The tables of the published sources, measured again."""
