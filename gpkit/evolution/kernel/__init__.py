"""Fitting programs to rows, compiled: scores of values, and the normal equations of constants."""
