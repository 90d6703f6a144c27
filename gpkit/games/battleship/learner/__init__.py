"""The adaptive player of Battleship after J. Bridon and others, which learns from each game with an opponent."""
