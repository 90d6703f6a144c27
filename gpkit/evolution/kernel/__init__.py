"""Fits programs to rows with compiled code: scores of values, and the normal equations of constants."""
