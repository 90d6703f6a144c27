"""Exports programs to Lua: expressions, modules that test themselves, and complete players."""
