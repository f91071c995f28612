#include "rust/v0_scan.h"

#include "base/ascii.h"

/* The value of an ASCII byte as a base-62 digit, 62 for none. */
static const uint8_t BASE62[128] = {
    62, 62, 62, 62, 62, 62, 62, 62, 62, 62, 62, 62, 62, 62, 62, 62, 62, 62, 62, 62, 62, 62, 62, 62, 62, 62,
    62, 62, 62, 62, 62, 62, 62, 62, 62, 62, 62, 62, 62, 62, 62, 62, 62, 62, 62, 62, 62, 62, 0,  1,  2,  3,
    4,  5,  6,  7,  8,  9,  62, 62, 62, 62, 62, 62, 62, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48,
    49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 62, 62, 62, 62, 62, 10, 11, 12, 13, 14, 15, 16,
    17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 62, 62, 62, 62, 62,
};

bool v0_base62(struct v0_scan *scan, uint64_t *value)
{
    enum { DIGITS_ALWAYS_FIT = 10 }; /* 62^10 is less than 2^60 */
    const char *digits = scan->data + scan->next;
    uint32_t room = scan->length - scan->next;
    uint64_t total = 0;
    uint32_t at = 0;

    for (; at < room && digits[at] != '_'; at++) {
        unsigned digit = BASE62[digits[at] & 0x7f];

        if (digit == 62)
            return false;
        if (at < DIGITS_ALWAYS_FIT)
            total = total * 62 + digit;
        else if (__builtin_mul_overflow(total, 62, &total) || __builtin_add_overflow(total, digit, &total))
            return false;
    }
    if (at == room)
        return false;
    scan->next += at + 1;
    *value = total;
    return at == 0 || !__builtin_add_overflow(total, 1, value);
}

bool v0_optional_base62(struct v0_scan *scan, char tag, uint64_t *value)
{
    *value = 0;
    return !v0_eat(scan, tag) || (v0_base62(scan, value) && !__builtin_add_overflow(*value, 1, value));
}

bool v0_identifier(struct v0_scan *scan, struct v0_name *name)
{
    uint64_t length = 0;
    bool is_punycode = v0_eat(scan, 'u');

    if (!ascii_is_digit(v0_peek(scan)))
        return false;
    /* A length has no leading zeros: after "0" comes the empty name. */
    if (!v0_eat(scan, '0'))
        for (; ascii_is_digit(v0_peek(scan)); scan->next++) {
            length = length * 10 + (unsigned)(v0_peek(scan) - '0');
            if (length > scan->length)
                return false;
        }
    /* Stands where the text would begin with a digit or "_". */
    v0_eat(scan, '_');
    if (length > scan->length - scan->next)
        return false;
    *name = (struct v0_name){scan->next, (uint32_t)length, is_punycode};
    scan->next += (uint32_t)length;
    /* The codes follow the last "_"; there must be some. */
    return !is_punycode || (length > 0 && scan->data[scan->next - 1] != '_');
}

bool v0_hex(struct v0_scan *scan, struct v0_name *digits)
{
    uint32_t start = scan->next;

    while (ascii_is_lower_hex(v0_peek(scan)))
        scan->next++;
    *digits = (struct v0_name){start, scan->next - start, false};
    return v0_eat(scan, '_');
}

bool v0_hex_value(struct slice digits, uint64_t *value)
{
    size_t zeros = 0;
    uint64_t total = 0;

    while (zeros < digits.length && digits.data[zeros] == '0')
        zeros++;
    if (digits.length - zeros > 16)
        return false;
    for (size_t i = zeros; i < digits.length; i++)
        total = total << 4 | ascii_digit_value(digits.data[i]);
    *value = total;
    return true;
}

static bool take_hex_byte(struct slice *digits, uint8_t *byte)
{
    if (digits->length < 2)
        return false;
    *byte = (uint8_t)(ascii_digit_value(digits->data[0]) << 4 | ascii_digit_value(digits->data[1]));
    *digits = slice_range(*digits, 2, digits->length);
    return true;
}

/* The smallest character that a sequence of so many bytes may stand for (Unicode, table 3-7). */
static const uint32_t SMALLEST[] = {0, 0, 0x80, 0x800, 0x10000};

bool v0_hex_character(struct slice *digits, uint32_t *character)
{
    struct slice rest = *digits;
    uint8_t byte = 0;
    unsigned length = 1;
    uint32_t code = 0;

    if (!take_hex_byte(&rest, &byte))
        return false;
    code = byte;
    if (byte >= 0x80) {
        length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
        if (byte < 0xc0 || byte > 0xf7)
            return false;
        code = byte & (0x7fU >> length);
    }
    for (unsigned i = 1; i < length; i++) {
        if (!take_hex_byte(&rest, &byte) || (byte & 0xc0) != 0x80)
            return false;
        code = code << 6 | (byte & 0x3f);
    }
    if (code < SMALLEST[length] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
        return false;
    *digits = rest;
    *character = code;
    return true;
}
