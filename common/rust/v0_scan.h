/*
 * The leaves of a v0 name: numbers, identifiers, hex digits. Each v0_* takes what it names
 * from the cursor, or says false; the cursor then stands anywhere and parsing ends.
 */
#ifndef RUST_V0_SCAN_H
#define RUST_V0_SCAN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"

struct v0_scan {
    const char *data; /* the whole name without its prefix */
    uint32_t length;
    uint32_t next; /* offset of what is not taken yet */
};

struct v0_name {
    uint32_t start; /* offset of the text */
    uint32_t length;
    bool is_punycode;
};

/* The next byte, '\0' at the end. */
static inline char v0_peek(const struct v0_scan *scan)
{
    return scan->next < scan->length ? scan->data[scan->next] : '\0';
}

/* Takes the next byte when it is `byte`. */
static inline bool v0_eat(struct v0_scan *scan, char byte)
{
    if (v0_peek(scan) != byte)
        return false;
    scan->next++;
    return true;
}

/* base-62-number: "_" is 0, "0_" is 1. */
bool v0_base62(struct v0_scan *scan, uint64_t *value);

/* `tag` and a base-62 number, which counts one more; 0 when `tag` is not there. */
bool v0_optional_base62(struct v0_scan *scan, char tag, uint64_t *value);

/* identifier without its disambiguator. */
bool v0_identifier(struct v0_scan *scan, struct v0_name *name);

/* Lower case hex digits up to "_", which is taken too. There may be none. */
bool v0_hex(struct v0_scan *scan, struct v0_name *digits);

/* The number that hex digits stand for; false when it does not fit 64 bits. */
bool v0_hex_value(struct slice digits, uint64_t *value);

/*
 * Takes the next character of a string constant, hex digits of UTF-8, from `*digits`.
 * False at the end and, with digits left, where they are no UTF-8.
 */
bool v0_hex_character(struct slice *digits, uint32_t *character);

#endif
