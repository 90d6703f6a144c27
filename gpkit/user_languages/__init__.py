"""Users' own languages, each from one file with a Lark grammar and the meaning of its rules."""
