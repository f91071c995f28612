/* Which characters Rust's `char::escape_debug` writes as `\u{…}`. */
#ifndef RUST_ESCAPE_H
#define RUST_ESCAPE_H

#include <stdbool.h>
#include <stdint.h>

/* Control characters, what has no glyph of its own, and what extends the glyph before it. */
bool escape_is_needed(uint32_t character);

#endif
