/*
 * A cursor over untrusted text. Each scan_* takes what it names and says true, or
 * says false and leaves the cursor where it was. It never reads past the end.
 */
#ifndef BASE_SCAN_H
#define BASE_SCAN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"

struct scan {
    struct slice rest; /* what is not taken yet */
};

struct scan scan_of(struct slice text);
bool scan_at_end(const struct scan *scan);

/* The next byte without taking it; '\0' at the end (and for a NUL in the text). */
char scan_peek(const struct scan *scan);

bool scan_byte(struct scan *scan, char byte);
bool scan_text(struct scan *scan, const char *literal);

/* One or more digits whose value fits 64 bits; false when it does not. */
bool scan_hex(struct scan *scan, uint64_t *value);
bool scan_decimal(struct scan *scan, uint64_t *value);

/* A byte as two hexadecimal digits, without capitals. */
bool scan_hex_byte(struct scan *scan, char *byte);

/*
 * "12", "1.5" or ".5", no sign and no exponent; a point without a digit behind it is not taken. Of
 * scan_billionths, digits behind the ninth are passed over. False when what stands before the point does not
 * fit 64 bits, or the billionths do not.
 */
bool scan_real(struct scan *scan, double *value);
bool scan_billionths(struct scan *scan, uint64_t *value);

/* A time as people type it, "30", "1.5s", "500ms", "2m"; one too long is UINT64_MAX. False as above. */
bool scan_time(struct scan *scan, uint64_t *ns);

/* One or more bytes up to a space, a tab, a line end or the end. */
bool scan_word(struct scan *scan, struct slice *word);

/* Everything up to `byte`, which must be there and is taken too; `taken` is without it. */
bool scan_until(struct scan *scan, char byte, struct slice *taken);

/* One line without its "\n" or "\r\n"; false only at the end of the text. */
bool scan_line(struct scan *scan, struct slice *line);

/* Exactly `length` bytes. */
bool scan_bytes(struct scan *scan, size_t length, struct slice *taken);

/* Any run of bytes that stand in `set`, which may be none. Always true. */
bool scan_skip_any(struct scan *scan, const char *set);

#endif
