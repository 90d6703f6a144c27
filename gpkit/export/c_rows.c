/* how many bytes of white space in UTF-8 a text begins with: those of one character, or 0 */
static size_t gp_space(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    if (c[0] == 0x20 || (c[0] >= 0x09 && c[0] <= 0x0d) || (c[0] >= 0x1c && c[0] <= 0x1f)) {
        return 1;
    }
    if (c[0] == 0xc2) {
        return c[1] == 0x85 || c[1] == 0xa0 ? 2 : 0;
    }
    if (c[0] == 0xe2 && c[1] == 0x80) {
        return (c[2] >= 0x80 && c[2] <= 0x8a) || c[2] == 0xa8 || c[2] == 0xa9 || c[2] == 0xaf ? 3 : 0;
    }
    return strncmp(text, "\341\232\200", 3) == 0 || strncmp(text, "\342\201\237", 3) == 0 ||
                   strncmp(text, "\343\200\200", 3) == 0
               ? 3
               : 0;
}

/* whether a cell is a word, without white space around it */
static int gp_is_word(const char *cell, const char *word)
{
    size_t width, k, length = 0;
    if (cell == NULL) {
        return 0;
    }
    while ((width = gp_space(cell)) > 0) {
        cell += width;
    }
    for (k = 0; cell[k] != '\0'; k += width) {
        width = gp_space(cell + k);
        if (width == 0) {
            width = 1;
            length = k + 1;
        }
    }
    return length == strlen(word) && memcmp(cell, word, length) == 0;
}

/* whether a cell says nothing */
static int gp_is_empty(const char *cell)
{
    static const char *const empty[] = {EMPTY};
    size_t k;
    for (k = 0; k < sizeof empty / sizeof *empty; k++) {
        if (gp_is_word(cell, empty[k])) {
            return 1;
        }
    }
    return cell == NULL;
}

/* the number in a cell, or what stands in a gap */
static double gp_number(double cell, double fill)
{
    return cell != cell ? fill : cell;
}
