"""The languages. Each folder has a parser, checks, an interpreter, a compiler and other forms."""
