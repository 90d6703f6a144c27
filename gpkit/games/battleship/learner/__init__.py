"""The adaptive player of Battleship by J. Bridon and others, which learns from each game with an opponent."""
