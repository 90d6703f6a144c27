"""The notation of C: valid names for functions, local variables and members; string and number literals; comments."""

import re
import textwrap
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from hashlib import sha256

from gpkit.core.errors import UsageError
from gpkit.export.statements import CALLED

OPERATORS = {
    "/": "gp_div",
    **{name: f"gp_{name}" for name in ("min", "max", "abs", "sqrt", "square", "floor", "ifle")},
    **{name: f"gp_{name}" for name in ("log", "exp", "sin", "cos", "tanh", "pow")},
}

_KEYWORDS = (
    "auto break case char const continue default do double else enum extern float for goto if inline int long "
    "register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while "
    "_Bool _Complex _Imaginary bool true false nullptr"
)

RESERVED = frozenset(
    {
        *_KEYWORDS.split(),
        *OPERATORS.values(),
        "in",
        "draw",
        "NAN",
        "INFINITY",
        "HUGE_VAL",
        "linux",
        "unix",
        "I",
    }
)
"""Names that local variables must not have, including macros of compilers and of ``math.h``."""

_LIBRARY = (
    "acos asin atan atan2 cos sin tan acosh asinh atanh cosh sinh tanh exp exp2 expm1 frexp ilogb ldexp log log10 "
    "log1p log2 logb modf scalbn scalbln cbrt fabs hypot pow sqrt erf erfc lgamma tgamma ceil floor nearbyint rint "
    "lrint llrint round lround llround trunc fmod remainder remquo copysign nan nextafter nexttoward fdim fmax fmin "
    "fma gamma j0 j1 jn y0 y1 yn main abort exit printf scanf strcmp"
)
"""Functions of the standard library; a section must not have the name of one of them."""

_MORE_KEYWORDS = (
    "alignas alignof and and_eq asm bitand bitor catch char8_t char16_t char32_t class compl complex concept "
    "const_cast consteval constexpr constinit co_await co_return co_yield decltype delete dynamic_cast explicit "
    "export fortran friend imaginary mutable namespace new noexcept not not_eq operator or or_eq private protected "
    "public reinterpret_cast requires static_assert static_cast template this thread_local throw try typeid "
    "typename typeof typeof_unqual using virtual wchar_t xor xor_eq "
    "sun mips i386 arm BOOL CONST ERROR FALSE IN OPTIONAL OUT TRUE VOID far hyper interface near small"
)
"""Keywords of later C standards, keywords of C++, because C++ programs can include the header of an exported file, and
macros of compilers and of ``windows.h``."""

_MACROS = (
    "BUFSIZ DECIMAL_DIG EDOM EILSEQ EOF ERANGE FILENAME_MAX FOPEN_MAX HUGE MAXFLOAT MB_CUR_MAX NDEBUG NULL OVERFLOW "
    "DOMAIN SING PLOSS TLOSS UNDERFLOW P_tmpdir RAND_MAX TMP_MAX alloca assert errno fpclassify isfinite isgreater "
    "isgreaterequal isinf isless islessequal islessgreater isnan isnormal isunordered math_errhandling offsetof "
    "signbit stderr stdin stdout"
)

_MACRO = re.compile(r"(DBL|EXIT|FLT|FP|GPKIT|HUGE|LC|LDBL|L|MATH|M|SEEK|SIG)_\w+")

_MORE_LIBRARY = (
    "abs accept access alarm atexit atof atoi atol atoll bind brk bsearch calloc chdir chmod chown clearerr clock "
    "close connect creat crypt daemon div drem dup environ exec fclose feof ferror fflush fgetc fgetpos fgets finite "
    "fork fopen fprintf fputc fputs fread free freopen fscanf fseek fsetpos ftell fwrite getc getchar getenv getopt "
    "gets ilogb index kill labs ldiv link listen llabs lldiv lock malloc mblen memchr memcmp memcpy memmove memset "
    "nice open optarg opterr optind optopt pause perror pipe poll putc putchar puts qsort raise rand random read "
    "realloc recv reboot remove rename rewind rindex scalb select send setbuf setvbuf signal significand sleep "
    "snprintf socket sprintf srand sscanf stat step strcat strchr strcoll strcpy strcspn strerror strlen strncat "
    "strncmp strncpy strpbrk strrchr strspn strstr strtod strtof strtok strtol strtold strtoll strtoul strtoull "
    "isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit tolower toupper "
    "strxfrm sync syscall system time times timezone tmpfile tmpnam truncate tsearch ungetc unlink vfork vprintf wait "
    "write "
    "row predict classes probabilities odds shares best total found k numbers is_known rows predictions failures "
    "wanted argc argv line same same_name next_cell number_in"
)
"""Functions of C and of Unix, which a section with the same name would replace, and names that an exported file uses
for its own functions and variables if it predicts rows."""

_MEANT = frozenset(f"{_MORE_KEYWORDS} {_MACROS}".split())
_CALLED = frozenset(_LIBRARY.split())
_TAKEN = frozenset(_MORE_LIBRARY.split())

_LONGEST = 63
"""The number of leading characters that every compiler takes into account when it compares names."""

_HASHED = 8


def check_function(name: str, noun: str) -> None:
    """Check that the name of a part is a valid name for a C function.

    Raises:
        UsageError: the name is not valid.
    """
    is_word = re.fullmatch(r"[A-Za-z_]\w*", name, re.ASCII) is not None
    is_macro = name in _MACROS.split() or _MACRO.fullmatch(name)
    if not is_word or is_macro or name in RESERVED or {name, name.rstrip("fl")} & _CALLED:
        raise UsageError(f"a C file cannot have a {noun} named `{name}`")


def is_reserved(name: str) -> bool:
    """True if a name has a meaning in C, in C++, or in headers that programs often include."""
    return name in RESERVED | _MEANT or _MACRO.fullmatch(name) is not None


def reserved_among(names: Iterable[str]) -> frozenset[str]:
    """The names that local variables for these columns must not have."""
    return RESERVED | {word for name in names if is_reserved(word := name.rsplit(".", 1)[-1])}


def function_names(sections: Sequence[str]) -> tuple[str, ...]:
    """A function name for each section of a program for data, in order; a reserved name gets a trailing ``_``."""
    taken: set[str] = set()
    found = []
    for section in sections:
        word = re.sub(r"\W", "_", section, flags=re.ASCII)
        name = (
            f"section_{word}" if word.startswith(("gp_", CALLED)) or not word or word[0].isdigit() else word
        )
        while (
            is_reserved(name)
            or name in _TAKEN
            or {name, name.rstrip("fl")} & _CALLED
            or _names_with(name) & taken
        ):
            name += "_"
        taken |= _names_with(name)
        found.append(name)
    return tuple(found)


def _names_with(name: str) -> set[str]:
    """The name of a function, and the names that the file derives from it."""
    return {name, f"{name}_inputs", f"run_{name}", f"test_{name}", f"{name}_rows", f"{name}_results"}


def member_names(columns: Iterable[str]) -> dict[str, str]:
    """The names of a structure's members, by column.

    A column keeps its name if C allows it. Other names are broken into ASCII words, which are joined with ``_``. If two
    columns would get the same name, a hash is added to the end of both names.

    Raises:
        UsageError: two columns still have the same name.
    """
    words = {column: _word(column) for column in columns}
    counts = Counter(words.values())
    found: dict[str, str] = {}
    for column, word in words.items():
        if counts[word] > 1:
            digits = sha256(column.encode("utf-8", "surrogatepass")).hexdigest()[:_HASHED]
            word = f"{word[: _LONGEST - 1 - _HASHED]}_{digits}"
        if word in found.values():
            other = next(each for each, taken in found.items() if taken == word)
            raise UsageError(
                f"the columns `{other}` and `{column}` are both `{word}` in C: rename one of them"
            )
        found[column] = word
    return found


def _word(column: str) -> str:
    """The C name for a column."""
    word = column
    if re.fullmatch(rf"[A-Za-z]\w{{0,{_LONGEST - 1}}}", column, re.ASCII) is None:
        letters = (c for c in unicodedata.normalize("NFKD", column) if not unicodedata.combining(c))
        plain = "".join(c if c.isascii() else f" u{ord(c):04x} " if c.isalnum() else " " for c in letters)
        word = "_".join(re.findall(r"\w+", plain, re.ASCII)).strip("_")
        word = word if word[:1].isalpha() else f"column_{word}".rstrip("_")
        if len(word) > _LONGEST:
            word = f"{word[: _LONGEST // 2]}_{word[-(_LONGEST // 2) :]}"
    return f"{word}_" if is_reserved(word) else word


def literal(value: float) -> str:
    """A number as a C literal."""
    if value != value:
        return "NAN"
    return repr(value) if value - value == 0.0 else "INFINITY" if value > 0.0 else "-INFINITY"


def quoted(text: str) -> str:
    """A string as a C string literal."""
    return ascii_only('"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"')


def ascii_only(line: str) -> str:
    """A line of code in ASCII; non-ASCII characters in strings become byte escapes, and trigraphs are broken up."""
    line = re.sub(r"\?(?=\?)", r"?\\", line)
    return re.sub(r"[^\x20-\x7e]", lambda found: "".join(f"\\{b:03o}" for b in found[0].encode()), line)


def comment(text: str, indent: int = 0) -> list[str]:
    """The lines of an indented comment; nothing in the text can end the comment."""
    plain = "".join(c if c.isprintable() else " " for c in text).encode("ascii", "backslashreplace").decode()
    plain = re.sub(r"\?(?=\?)", "? ", plain.replace("*/", "* /").replace("/*", "/ *"))
    first, *more = textwrap.wrap(plain, 100 - indent) or [""]
    return [
        *([f"/* {first}", *(f" * {line}" for line in more)] if more else [f"/* {first} */"]),
        *([" */"] * bool(more)),
    ]
