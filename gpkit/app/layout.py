"""Programs laid out in the canonical way."""

from gpkit.langkit.language import Language


def laid_out(language: Language, text: str, path: str) -> str:
    """The text laid out, certain to be the same program: people's files are overwritten with it.

    Raises:
        AssertionError: the text would be another program.
    """
    before = language.parse(text, path)
    formatted = language.format_source(before)
    after = language.parse(formatted, path)
    if (after.program, after.header) != (before.program, before.header):
        raise AssertionError(f"formatting {path} would change the program")
    return formatted
