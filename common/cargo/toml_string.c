#include "cargo/toml_string.h"

#include "base/text.h"

bool toml_take_newline(struct toml_cursor *cursor)
{
    bool taken = scan_byte(&cursor->scan, '\n') || scan_text(&cursor->scan, "\r\n");

    cursor->line += taken;
    return taken;
}

bool toml_is_text_byte(char byte)
{
    return (unsigned char)byte >= 0x20 ? byte != 0x7f : byte == '\t';
}

/* One string being read. */
struct string_reader {
    struct toml_cursor *cursor;
    char quote;    /* " or ' */
    bool is_multi; /* three quotes */
    struct text decoded;
};

static void reader_done(struct string_reader *reader)
{
    text_done(&reader->decoded);
}

static void add_code_point(struct text *text, uint32_t code)
{
    if (code < 0x80) {
        text_add_byte(text, (char)code);
        return;
    }
    if (code < 0x800) {
        text_add_byte(text, (char)(0xc0 | code >> 6));
    } else if (code < 0x10000) {
        text_add_byte(text, (char)(0xe0 | code >> 12));
        text_add_byte(text, (char)(0x80 | (code >> 6 & 0x3f)));
    } else {
        text_add_byte(text, (char)(0xf0 | code >> 18));
        text_add_byte(text, (char)(0x80 | (code >> 12 & 0x3f)));
        text_add_byte(text, (char)(0x80 | (code >> 6 & 0x3f)));
    }
    text_add_byte(text, (char)(0x80 | (code & 0x3f)));
}

/* \u and \U: exactly `digits` hexadecimal digits that name a Unicode scalar value. */
static int take_unicode(struct string_reader *reader, size_t digits, struct error *err)
{
    struct slice hex;
    struct scan scan;
    uint64_t code = 0;

    if (!scan_bytes(&reader->cursor->scan, digits, &hex))
        return toml_fail(reader->cursor, err, "an escape ends too early");
    scan = scan_of(hex);
    if (!scan_hex(&scan, &code) || !scan_at_end(&scan))
        return toml_fail(reader->cursor, err, "an escape needs %zu hexadecimal digits", digits);
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
        return toml_fail(reader->cursor, err, "an escape names no Unicode character");
    add_code_point(&reader->decoded, (uint32_t)code);
    return 0;
}

/* A "\" at the end of a line takes all white space up to the next text with it. */
static bool take_line_continuation(struct string_reader *reader)
{
    struct toml_cursor at = *reader->cursor;

    scan_skip_any(&at.scan, " \t");
    if (!reader->is_multi || !toml_take_newline(&at))
        return false;
    do
        scan_skip_any(&at.scan, " \t");
    while (toml_take_newline(&at));
    *reader->cursor = at;
    return true;
}

/* After the "\". */
static int take_escape(struct string_reader *reader, struct error *err)
{
    static const char names[] = "btnfr\"\\";
    static const char values[] = "\b\t\n\f\r\"\\";
    struct scan *scan = &reader->cursor->scan;

    if (take_line_continuation(reader))
        return 0;
    for (size_t i = 0; i < sizeof(names) - 1; i++)
        if (scan_byte(scan, names[i])) {
            text_add_byte(&reader->decoded, values[i]);
            return 0;
        }
    if (scan_byte(scan, 'u'))
        return take_unicode(reader, 4, err);
    if (scan_byte(scan, 'U'))
        return take_unicode(reader, 8, err);
    return toml_fail(reader->cursor, err, "an unknown escape in a string");
}

static size_t count_quotes(const struct string_reader *reader)
{
    struct slice rest = reader->cursor->scan.rest;
    size_t count = 0;

    while (count < rest.length && count < 5 && rest.data[count] == reader->quote)
        count++;
    return count;
}

/*
 * At a quote. True when it ends the string. Up to two quotes may stand in a multi-line string,
 * right before its end too, so that five in a row are two and the end.
 */
static bool take_quotes(struct string_reader *reader)
{
    size_t count = count_quotes(reader);
    size_t closing = reader->is_multi ? 3 : 1;
    bool ends = count >= closing;
    size_t inside = !ends ? count : reader->is_multi ? count - closing : 0;
    struct slice taken;

    if (scan_bytes(&reader->cursor->scan, inside + (ends ? closing : 0), &taken))
        text_add_repeated(&reader->decoded, reader->quote, inside);
    return ends;
}

/* Text up to the next byte that means something. */
static bool take_plain(struct string_reader *reader)
{
    struct slice rest = reader->cursor->scan.rest;
    struct slice taken;
    size_t count = 0;

    while (count < rest.length && toml_is_text_byte(rest.data[count]) && rest.data[count] != reader->quote &&
           (rest.data[count] != '\\' || reader->quote == '\''))
        count++;
    if (count == 0 || !scan_bytes(&reader->cursor->scan, count, &taken))
        return false;
    text_add(&reader->decoded, taken);
    return true;
}

/* Everything after the opening quotes. */
static int take_body(struct string_reader *reader, struct error *err)
{
    struct toml_cursor *cursor = reader->cursor;

    for (;;) {
        if (take_plain(reader))
            continue;
        if (scan_peek(&cursor->scan) == reader->quote) {
            if (take_quotes(reader))
                return 0;
        } else if (reader->quote == '"' && scan_byte(&cursor->scan, '\\')) {
            if (take_escape(reader, err) < 0)
                return -1;
        } else if (reader->is_multi && toml_take_newline(cursor)) {
            text_add_byte(&reader->decoded, '\n');
        } else if (scan_at_end(&cursor->scan)) {
            return toml_fail(cursor, err, "a string that does not end");
        } else {
            return toml_fail(cursor, err, "a control character or a line end in a string");
        }
    }
}

int toml_take_string(struct toml_cursor *cursor, bool may_span_lines, struct slice *out, struct error *err)
{
    SCOPED(reader_done)
    struct string_reader reader = {.cursor = cursor, .quote = scan_peek(&cursor->scan)};

    reader.is_multi = count_quotes(&reader) >= 3;
    if (reader.is_multi && !may_span_lines)
        return toml_fail(cursor, err, "a multi-line string cannot be a key");
    if (reader.is_multi) {
        scan_text(&cursor->scan, reader.quote == '"' ? "\"\"\"" : "'''");
        toml_take_newline(cursor);
    } else {
        scan_byte(&cursor->scan, reader.quote);
    }
    if (take_body(&reader, err) < 0)
        return -1;
    *out = arena_slice(cursor->arena, text_slice(&reader.decoded));
    return 0;
}
