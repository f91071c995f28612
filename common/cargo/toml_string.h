/* The quoted strings of TOML 1.0 and the cursor that all of its reader shares. */
#ifndef CARGO_TOML_STRING_H
#define CARGO_TOML_STRING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/scan.h"

/* A place in the file. */
struct toml_cursor {
    struct scan scan;    /* over text that is UTF-8 */
    uint32_t line;       /* of the place, from 1 */
    struct arena *arena; /* takes what is decoded */
};

/* Records "line 7: …" with ERROR_FORMAT; is -1. */
#define toml_fail(cursor, err, ...)                                                                          \
    (error_record(err, ERROR_FORMAT, __VA_ARGS__), error_wrap(err, "line %u", (cursor)->line))

/* "\n" or "\r\n"; counts the line. */
bool toml_take_newline(struct toml_cursor *cursor);

/* Whether the byte may stand in a comment or a string: no control character but tab. */
bool toml_is_text_byte(char byte);

/*
 * The string that begins here, with " or ', decoded. Multi-line ones only when `may_span_lines`, which a
 * key may not. Returns 0, or -1 with the line where it goes wrong.
 */
MUST_CHECK int toml_take_string(struct toml_cursor *cursor, bool may_span_lines, struct slice *out,
                                struct error *err);

#endif
