"""Feedback on codes as bits.

In all of this folder a code is a row of ``bits``, int64 (2 · words,). The first half has a bit for each place and
colour: that of the place's peg is set. The second half has for each colour as many bits set as there are pegs of it.
The bits that two codes have in common in the first half are the black pegs, those in the second half black and white
together.
"""

from gpkit.core.compiled import inlined, kernel
from gpkit.core.kernel.masks import ones

WORD = 62
"""Bits of a word that are used."""


@inlined
def counts_of(guess, secret):  # type: ignore[no-untyped-def]
    """The black pegs of the feedback of two codes as bits, and black and white together."""
    words = guess.shape[0] // 2
    black, both = 0, 0
    for word in range(words):
        black += ones(guess[word] & secret[word])
        both += ones(guess[words + word] & secret[words + word])
    return black, both


@inlined
def answer_of(guess, secret):  # type: ignore[no-untyped-def]
    """The number of the feedback (``rules.Feedback.number``) of two codes as bits."""
    black, both = counts_of(guess, secret)
    return both * (both + 1) // 2 + black


@kernel
def answers(guesses, secrets, found):  # type: ignore[no-untyped-def]
    """The feedback of every guess about every secret.

    Args:
        guesses, secrets: int64 (guesses, 2 · words), (secrets, 2 · words): see above.
        found: int16 (guesses, secrets), written: the number of the feedback.
    """
    for guess in range(guesses.shape[0]):
        for secret in range(secrets.shape[0]):
            found[guess, secret] = answer_of(guesses[guess], secrets[secret])
