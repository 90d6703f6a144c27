"""The arithmetic language (``.tree`` files): one formula over a game's sensors for each decision."""
