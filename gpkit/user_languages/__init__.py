"""Languages that users declare, each in one file with a Lark grammar and the meaning of its rules."""
