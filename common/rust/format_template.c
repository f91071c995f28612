#include "rust/format_template.h"

#include "base/bytes.h"
#include "base/compiler.h"

enum {
    LONG_TEXT = 0x80,
    PLACEHOLDER = 0xc0, /* and above; the lowest bits tell what stands behind it: */
    HAS_FLAGS = 1,      /* four bytes */
    HAS_WIDTH = 2,      /* and two of each of these */
    HAS_PRECISION = 4,
    HAS_ARGUMENT = 8,
    LEAST_TEXT_BYTES = 2,
};

struct reading {
    struct bytes cursor;
    size_t text_bytes;
    bool has_placeholder;
};

static void skip_options(struct bytes *cursor, uint8_t placeholder)
{
    static const uint8_t of_two_bytes[] = {HAS_WIDTH, HAS_PRECISION, HAS_ARGUMENT};

    if (placeholder & HAS_FLAGS)
        bytes_skip(cursor, sizeof(uint32_t));
    for (size_t i = 0; i < ARRAY_COUNT(of_two_bytes); i++)
        if (placeholder & of_two_bytes[i])
            bytes_skip(cursor, sizeof(uint16_t));
}

/* The next piece, behind its first byte; false where that is none. */
static bool add_piece(struct text *out, struct reading *reading, uint8_t first)
{
    struct slice text;

    if (first >= PLACEHOLDER) {
        skip_options(&reading->cursor, first);
        text_add_string(out, "{}");
        reading->has_placeholder = true;
        return !reading->cursor.failed;
    }
    if (first > LONG_TEXT)
        return false;
    text = bytes_take(&reading->cursor, first == LONG_TEXT ? bytes_u16(&reading->cursor) : first);
    if (text.length == 0 || text_readable_length(text) < text.length)
        return false;
    text_add(out, text);
    reading->text_bytes += text.length;
    return true;
}

bool format_template_add(struct text *out, struct slice data)
{
    struct reading reading = {.cursor = bytes_of(data, false)};
    size_t before = out->length;

    for (;;) {
        uint8_t first = bytes_u8(&reading.cursor);

        if (first == 0 || !add_piece(out, &reading, first))
            break;
    }
    /* The last byte read is the one that ends it. */
    if (!reading.cursor.failed && reading.has_placeholder && reading.text_bytes >= LEAST_TEXT_BYTES &&
        slice_is_zero(slice_range(data, reading.cursor.at - 1, data.length)))
        return true;
    out->length = before;
    return false;
}
