#include "delta/same_name.h"

#include "base/ascii.h"
#include "base/scan.h"
#include "rust/drop_glue.h"

static bool is_letter(char byte)
{
    return ascii_is_letter(byte) || byte == '_';
}

static bool is_identifier(char byte)
{
    return ascii_is_name(byte) || (unsigned char)byte >= 0x80;
}

/* How many bytes at the start of `rest` are of the kind. */
static size_t run_length(struct slice rest, bool (*is_kind)(char byte))
{
    size_t length = 0;

    while (length < rest.length && is_kind(rest.data[length]))
        length++;
    return length;
}

/* The length of "::h0123456789abcdef" at the start; 0 for none. */
static size_t legacy_hash(struct slice rest)
{
    enum { PREFIX = 3, DIGITS = 16 };
    struct slice digits = slice_range(rest, PREFIX, rest.length);

    if (!slice_starts_with(rest, SLICE("::h")) || run_length(digits, ascii_is_lower_hex) != DIGITS)
        return 0;
    return digits.length > DIGITS && is_identifier(digits.data[DIGITS]) ? 0 : PREFIX + DIGITS;
}

/* The length of "[1f2e]" at the start. */
static size_t crate_hash(struct slice rest)
{
    enum { DIGITS_MAX = 16 };
    size_t digits = run_length(slice_range(rest, 1, rest.length), ascii_is_lower_hex);

    return digits > 0 && digits <= DIGITS_MAX && digits + 1 < rest.length && rest.data[digits + 1] == ']'
               ? digits + 2
               : 0;
}

/* The length of one sign and the digits after it. */
static size_t number(struct slice rest)
{
    size_t digits = run_length(slice_range(rest, 1, rest.length), ascii_is_digit);

    return digits > 0 ? digits + 1 : 0;
}

/* The length of ".llvm.123", or of ".123" at the very end, which tells two functions of one name apart. */
static size_t llvm_number(char before, struct slice rest)
{
    struct slice start = SLICE(".llvm.");
    size_t digits = run_length(slice_range(rest, start.length, rest.length), ascii_is_digit);

    if (slice_starts_with(rest, start) && digits > 0)
        return start.length + digits;
    return !ascii_is_digit(before) && before != '\0' && number(rest) == rest.length ? rest.length : 0;
}

/*
 * The length of " (impl#3, Visitor#1)" or, unless types are kept, " (impl#3 for &_)" at the start, which must
 * be all there is.
 */
static size_t list_of_numbers(struct slice rest, bool keeps_type)
{
    struct scan scan = scan_of(rest);
    const char *separator = " (";

    while (scan_text(&scan, separator)) {
        struct slice word;
        uint64_t ignored = 0;

        if (!scan_until(&scan, '#', &word) || run_length(word, is_identifier) != word.length ||
            !scan_decimal(&scan, &ignored))
            return 0;
        separator = ", ";
    }
    if (separator[0] != ',')
        return 0;
    if (scan_text(&scan, " for ") || scan_text(&scan, " with "))
        return !keeps_type && slice_ends_with(rest, SLICE(")")) ? rest.length : 0;
    return scan_byte(&scan, ')') && scan_at_end(&scan) ? rest.length : 0;
}

/* How many bytes at the start of `rest` say nothing that lasts; `before` is the byte in front of them. */
static size_t passing_length(char before, struct slice rest, bool keeps_type)
{
    switch (rest.data[0]) {
    case ':':
        if (legacy_hash(rest) > 0)
            return legacy_hash(rest);
        return before != ':' && is_identifier(before) ? number(rest) : 0;
    case '[':
        return is_identifier(before) ? crate_hash(rest) : 0;
    case '#':
        return is_letter(before) ? number(rest) : 0;
    case '.':
        return llvm_number(before, rest);
    case ' ':
        return list_of_numbers(rest, keeps_type);
    default:
        return 0;
    }
}

static void add_lasting(struct text *text, struct slice name, bool keeps_type)
{
    const struct slice legacy_closure = SLICE("{{closure}}"); /* of any number */
    char before = '\0';
    size_t at = drop_glue_path_length(name);

    if (at > 0) {
        text_add_string(text, DROP_GLUE_KEY);
        before = 'e';
    }
    while (at < name.length) {
        size_t passing = passing_length(before, slice_range(name, at, name.length), keeps_type);

        if (passing > 0) {
            at += passing;
            continue;
        }
        if (slice_starts_with(slice_range(name, at, name.length), legacy_closure)) {
            text_add_string(text, "{closure}");
            at += legacy_closure.length;
            before = '}';
            continue;
        }
        before = name.data[at++];
        text_add_byte(text, before);
    }
}

void same_name_add(struct text *text, struct slice name)
{
    add_lasting(text, name, false);
}

void same_name_add_with_type(struct text *text, struct slice name)
{
    add_lasting(text, name, true);
}
