"""The interface of games: game, state, player and view."""
