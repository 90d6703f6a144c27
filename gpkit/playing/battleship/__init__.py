"""Battleship with programs that are read: the interpreter and the readable rules together."""
