"""Compiled drawing of samples."""
