/*
 * Text with a limit: the piece that would pass it and all that follow are dropped. Pieces
 * are cut where the rustc-demangle crate cuts them, as the place where it stops depends on it.
 */
#ifndef RUST_DEMANGLE_OUTPUT_H
#define RUST_DEMANGLE_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/slice.h"
#include "base/text.h"
#include "rust/symbol.h"

struct demangle_output {
    struct text *text;
    size_t remaining; /* bytes until the limit */
    bool is_full;     /* the limit was reached */
};

/* memcpy for the few bytes of most pieces, without a call: two copies that may overlap. */
static inline void demangle_copy(char *to, const char *from, size_t length)
{
    if (length > 16) {
        memcpy(to, from, length);
    } else if (length >= 8) {
        memcpy(to, from, 8);
        memcpy(to + length - 8, from + length - 8, 8);
    } else if (length >= 4) {
        memcpy(to, from, 4);
        memcpy(to + length - 4, from + length - 4, 4);
    } else {
        for (size_t i = 0; i < length; i++)
            to[i] = from[i];
    }
}

static inline void demangle_emit(struct demangle_output *output, struct slice piece)
{
    struct text *text = output->text;

    /* The second bound is in the first; it is there for the compiler, which warns of longer copies else. */
    if (output->is_full || piece.length > output->remaining || piece.length > INT32_MAX) {
        output->is_full = true;
        return;
    }
    output->remaining -= piece.length;
    if (text->capacity - text->length < piece.length)
        text_add(text, piece);
    else if (piece.length > 0) {
        demangle_copy(text->data + text->length, piece.data, piece.length);
        text->length += piece.length;
    }
}

#define DEMANGLE_EMIT(output, literal) demangle_emit(output, SLICE(literal))

void demangle_emit_decimal(struct demangle_output *output, uint64_t value);
void demangle_emit_hex(struct demangle_output *output, uint64_t value);

/* The character's UTF-8; `character` is a Unicode scalar value. */
void demangle_emit_character(struct demangle_output *output, uint32_t character);

/* A character as Rust's `escape_debug` writes it between `quote`s; the other quote needs no escape. */
void demangle_emit_escaped(struct demangle_output *output, uint32_t character, char quote);

/*
 * A v0 identifier with its punycode decoded (RFC 3492 with '_' for '-' and digits after
 * letters), or `punycode{…}` when it is wrong or longer than 128 characters.
 */
void demangle_emit_punycode(struct demangle_output *output, struct slice name);

/* The printers behind demangle_add; both print node 0, legacy all elements. */
void demangle_v0(struct demangle_output *output, const struct symbol *symbol, bool is_short);
void demangle_legacy(struct demangle_output *output, const struct symbol *symbol, bool is_short);

/* One element of a legacy name with its escapes decoded. */
void demangle_legacy_element(struct demangle_output *output, struct slice element);

#endif
