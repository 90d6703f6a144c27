"""The languages. Each language has a folder with a parser, checks, an interpreter, a compiler and other forms."""
