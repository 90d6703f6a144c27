"""The kinds of programs that evolution varies, and their operators."""
