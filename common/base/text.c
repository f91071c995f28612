#include "base/text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static void reserve(struct text *text, size_t more)
{
    size_t capacity = text->capacity ? text->capacity : 64;

    if (text->capacity - text->length >= more)
        return;
    while (capacity - text->length < more)
        capacity *= 2;
    text->data = memory_resize(text->data, capacity, 1);
    text->capacity = capacity;
}

void text_done(struct text *text)
{
    free(text->data);
    *text = (struct text){0};
}

void text_clear(struct text *text)
{
    text->length = 0;
}

struct slice text_slice(const struct text *text)
{
    return (struct slice){text->data, text->length};
}

const char *text_string(struct text *text)
{
    reserve(text, 1);
    text->data[text->length] = '\0';
    return text->data;
}

char *text_extend(struct text *text, size_t count)
{
    reserve(text, count);
    text->length += count;
    return text->data + text->length - count;
}

void text_add(struct text *text, struct slice bytes)
{
    if (bytes.length > 0)
        memcpy(text_extend(text, bytes.length), bytes.data, bytes.length);
}

void text_add_string(struct text *text, const char *string)
{
    text_add(text, slice_of(string));
}

void text_add_byte(struct text *text, char byte)
{
    *text_extend(text, 1) = byte;
}

void text_add_repeated(struct text *text, char byte, size_t count)
{
    if (count > 0)
        memset(text_extend(text, count), byte, count);
}

void text_format(struct text *text, const char *format, ...)
{
    va_list arguments;
    int length = 0;

    va_start(arguments, format);
    length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length <= 0)
        return;
    reserve(text, (size_t)length + 1);
    va_start(arguments, format);
    vsnprintf(text->data + text->length, (size_t)length + 1, format, arguments);
    va_end(arguments);
    text->length += (size_t)length;
}

size_t text_utf8_length(struct slice bytes)
{
    const uint8_t *at = (const uint8_t *)bytes.data;
    size_t length = at[0] < 0x80 ? 1 : at[0] < 0xc2 ? 0 : at[0] < 0xe0 ? 2 : at[0] < 0xf0 ? 3 : 4;
    uint8_t second_min = at[0] == 0xe0 ? 0xa0 : at[0] == 0xf0 ? 0x90 : 0x80;
    uint8_t second_max = at[0] == 0xed ? 0x9f : at[0] == 0xf4 ? 0x8f : 0xbf;

    if (length <= 1)
        return length;
    if (at[0] > 0xf4 || length > bytes.length || at[1] < second_min || at[1] > second_max)
        return 0;
    for (size_t i = 2; i < length; i++)
        if ((at[i] & 0xc0) != 0x80)
            return 0;
    return length;
}

/* How one format writes a byte or a sequence that cannot stand as it is. */
typedef void escape_fn(struct text *text, unsigned char byte, bool is_utf8);

/*
 * Copies runs that need no escape whole: `is_plain` tells for the ASCII bytes, longer
 * UTF-8 sequences are plain everywhere.
 */
static void add_escaped(struct text *text, struct slice bytes, bool (*is_plain)(unsigned char),
                        escape_fn *escape)
{
    size_t start = 0;
    size_t at = 0;

    while (at < bytes.length) {
        unsigned char byte = (unsigned char)bytes.data[at];
        size_t length = text_utf8_length(slice_range(bytes, at, bytes.length));

        if (length > 1 || (length == 1 && is_plain(byte))) {
            at += length;
            continue;
        }
        text_add(text, slice_range(bytes, start, at));
        escape(text, byte, length == 1);
        start = ++at;
    }
    text_add(text, slice_range(bytes, start, at));
}

static bool is_plain_on_terminal(unsigned char byte)
{
    return byte >= 0x20 && byte != 0x7f;
}

static void escape_for_terminal(struct text *text, unsigned char byte, bool is_utf8)
{
    if (is_utf8 && byte == '\n')
        text_add_string(text, "\\n");
    else if (is_utf8 && byte == '\t')
        text_add_string(text, "\\t");
    else
        text_format(text, "\\x%02x", byte);
}

/* The C1 controls, U+0080 to U+009F, are valid UTF-8 and still drive a terminal. */
static size_t find_c1_control(struct slice bytes)
{
    for (size_t i = 0; i + 1 < bytes.length; i++)
        if ((unsigned char)bytes.data[i] == 0xc2 && (unsigned char)bytes.data[i + 1] < 0xa0)
            return i;
    return bytes.length;
}

void text_add_terminal(struct text *text, struct slice bytes)
{
    for (size_t control = find_c1_control(bytes); control < bytes.length; control = find_c1_control(bytes)) {
        add_escaped(text, slice_range(bytes, 0, control), is_plain_on_terminal, escape_for_terminal);
        text_format(text, "\\u{%x}", (unsigned char)bytes.data[control + 1]);
        bytes = slice_range(bytes, control + 2, bytes.length);
    }
    add_escaped(text, bytes, is_plain_on_terminal, escape_for_terminal);
}

static bool is_plain_in_json(unsigned char byte)
{
    return byte >= 0x20 && byte != '"' && byte != '\\';
}

static void escape_for_json(struct text *text, unsigned char byte, bool is_utf8)
{
    if (!is_utf8)
        text_add_string(text, "\xef\xbf\xbd");
    else if (byte == '"' || byte == '\\')
        text_format(text, "\\%c", byte);
    else
        text_format(text, "\\u%04x", byte);
}

void text_add_json(struct text *text, struct slice bytes)
{
    add_escaped(text, bytes, is_plain_in_json, escape_for_json);
}

static bool is_plain_in_xml(unsigned char byte)
{
    return (byte >= 0x20 && byte != 0x7f && !strchr("<>&\"'", byte)) || byte == '\n' || byte == '\t';
}

static void escape_for_xml(struct text *text, unsigned char byte, bool is_utf8)
{
    if (is_utf8 && byte && strchr("<>&\"'", byte))
        text_format(text, "&#%u;", byte);
    else
        text_add_string(text, "\xef\xbf\xbd");
}

void text_add_xml(struct text *text, struct slice bytes)
{
    add_escaped(text, bytes, is_plain_in_xml, escape_for_xml);
}

static bool needs_csv_quotes(struct slice bytes)
{
    for (size_t i = 0; i < bytes.length; i++)
        if (strchr(",\"\r\n", bytes.data[i]) && bytes.data[i])
            return true;
    return false;
}

void text_add_csv(struct text *text, struct slice bytes)
{
    if (!needs_csv_quotes(bytes)) {
        text_add(text, bytes);
        return;
    }
    text_add_byte(text, '"');
    for (size_t i = 0; i < bytes.length; i++) {
        if (bytes.data[i] == '"')
            text_add_byte(text, '"');
        text_add_byte(text, bytes.data[i]);
    }
    text_add_byte(text, '"');
}

size_t text_columns(struct slice bytes)
{
    size_t columns = 0;
    size_t at = 0;

    while (at < bytes.length) {
        size_t length = text_utf8_length(slice_range(bytes, at, bytes.length));

        at += length ? length : 1;
        columns++;
    }
    return columns;
}
