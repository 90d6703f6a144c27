"""The Python interface: every command as a typed function."""
