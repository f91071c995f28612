#include "base/scan.h"

#include <string.h>

#include "base/ascii.h"

static void take(struct scan *scan, size_t length)
{
    scan->rest = slice_range(scan->rest, length, scan->rest.length);
}

struct scan scan_of(struct slice text)
{
    return (struct scan){text};
}

bool scan_at_end(const struct scan *scan)
{
    return scan->rest.length == 0;
}

char scan_peek(const struct scan *scan)
{
    return scan->rest.length ? scan->rest.data[0] : '\0';
}

bool scan_byte(struct scan *scan, char byte)
{
    if (scan_at_end(scan) || scan->rest.data[0] != byte)
        return false;
    take(scan, 1);
    return true;
}

bool scan_text(struct scan *scan, const char *literal)
{
    struct slice wanted = slice_of(literal);

    if (!slice_starts_with(scan->rest, wanted))
        return false;
    take(scan, wanted.length);
    return true;
}

static bool scan_number(struct scan *scan, unsigned base, uint64_t *value)
{
    uint64_t total = 0;
    size_t length = 0;

    for (; length < scan->rest.length; length++) {
        unsigned digit = ascii_digit_value(scan->rest.data[length]);

        if (digit >= base)
            break;
        if (__builtin_mul_overflow(total, base, &total) || __builtin_add_overflow(total, digit, &total))
            return false;
    }
    if (length == 0)
        return false;
    take(scan, length);
    *value = total;
    return true;
}

bool scan_hex(struct scan *scan, uint64_t *value)
{
    return scan_number(scan, 16, value);
}

bool scan_hex_byte(struct scan *scan, char *byte)
{
    const char *digits = scan->rest.data;

    if (scan->rest.length < 2 || !ascii_is_lower_hex(digits[0]) || !ascii_is_lower_hex(digits[1]))
        return false;
    *byte = (char)(ascii_digit_value(digits[0]) << 4 | ascii_digit_value(digits[1]));
    scan->rest = slice_range(scan->rest, 2, scan->rest.length);
    return true;
}

bool scan_decimal(struct scan *scan, uint64_t *value)
{
    return scan_number(scan, 10, value);
}

/* Where the digits that begin at `start` end. */
static size_t digits_end(struct slice text, size_t start)
{
    size_t end = start;

    while (end < text.length && ascii_is_digit(text.data[end]))
        end++;
    return end;
}

/* "12", "1.5", ".5": what stands before the point and behind it, one of which may be empty. */
static bool scan_parts(struct scan *scan, struct slice *whole, struct slice *part)
{
    size_t point = digits_end(scan->rest, 0);
    bool has_point = point < scan->rest.length && scan->rest.data[point] == '.';
    size_t end = has_point ? digits_end(scan->rest, point + 1) : point;

    if (end == point + 1) /* of "1..2" no point is the number's */
        end = point;
    if (end == 0)
        return false;
    *whole = slice_range(scan->rest, 0, point);
    *part = slice_range(scan->rest, point < end ? point + 1 : end, end);
    take(scan, end);
    return true;
}

/* 0 for no digits; false when it does not fit. */
static bool read_whole(struct slice digits, uint64_t *value)
{
    struct scan scan = scan_of(digits);

    *value = 0;
    return digits.length == 0 || scan_decimal(&scan, value);
}

/* Divided once: what a double can hold, as n/1024 is, is then that to the bit. */
bool scan_real(struct scan *scan, double *value)
{
    static const double divisor_max = 1e22; /* what a double holds; digits further back change nothing */
    struct scan at = *scan;
    struct slice whole;
    struct slice part;
    uint64_t integer = 0;
    double digits = 0;
    double divisor = 1;

    if (!scan_parts(&at, &whole, &part) || !read_whole(whole, &integer))
        return false;
    digits = (double)integer;
    for (size_t i = 0; i < part.length && divisor < divisor_max; i++) {
        digits = digits * 10 + ascii_digit_value(part.data[i]);
        divisor *= 10;
    }
    *value = digits / divisor;
    *scan = at;
    return true;
}

bool scan_billionths(struct scan *scan, uint64_t *value)
{
    struct scan at = *scan;
    struct slice whole;
    struct slice part;
    uint64_t total = 0;
    uint64_t place = 1000000000;

    if (!scan_parts(&at, &whole, &part) || !read_whole(whole, &total) ||
        __builtin_mul_overflow(total, place, &total))
        return false;
    for (size_t i = 0; i < part.length && place > 1; i++) {
        place /= 10;
        if (__builtin_add_overflow(total, ascii_digit_value(part.data[i]) * place, &total))
            return false;
    }
    *value = total;
    *scan = at;
    return true;
}

static bool ends_word(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

bool scan_time(struct scan *scan, uint64_t *ns)
{
    enum { SECONDS_OF_MINUTE = 60, THOUSAND = 1000 };

    if (!scan_billionths(scan, ns))
        return false;
    if (scan_text(scan, "ms"))
        *ns /= THOUSAND;
    else if (scan_byte(scan, 'm'))
        *ns = *ns <= UINT64_MAX / SECONDS_OF_MINUTE ? *ns * SECONDS_OF_MINUTE : UINT64_MAX;
    else
        (void)scan_byte(scan, 's');
    return true;
}

bool scan_word(struct scan *scan, struct slice *word)
{
    size_t length = 0;

    while (length < scan->rest.length && !ends_word(scan->rest.data[length]))
        length++;
    return length > 0 && scan_bytes(scan, length, word);
}

bool scan_until(struct scan *scan, char byte, struct slice *taken)
{
    size_t length = slice_find_byte(scan->rest, byte);

    if (length == scan->rest.length)
        return false;
    *taken = slice_range(scan->rest, 0, length);
    take(scan, length + 1);
    return true;
}

bool scan_line(struct scan *scan, struct slice *line)
{
    struct slice taken = {0};

    if (scan_at_end(scan))
        return false;
    if (!scan_until(scan, '\n', &taken)) {
        taken = scan->rest;
        scan->rest = (struct slice){0};
    }
    if (taken.length > 0 && taken.data[taken.length - 1] == '\r')
        taken.length--;
    *line = taken;
    return true;
}

bool scan_bytes(struct scan *scan, size_t length, struct slice *taken)
{
    if (length > scan->rest.length)
        return false;
    *taken = slice_range(scan->rest, 0, length);
    take(scan, length);
    return true;
}

bool scan_skip_any(struct scan *scan, const char *set)
{
    size_t length = 0;

    while (length < scan->rest.length && scan->rest.data[length] && strchr(set, scan->rest.data[length]))
        length++;
    take(scan, length);
    return true;
}
