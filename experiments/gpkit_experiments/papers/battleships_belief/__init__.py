"""The belief-state agent for Battleships, measured again."""
