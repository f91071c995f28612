#include "base/text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/compiler.h"
#include "base/memory.h"

SELDOM static void grow(struct text *text, size_t more)
{
    size_t capacity = text->capacity ? text->capacity : 64;

    /* Half of all addresses is more than there is: memory_resize says so and ends the process. */
    if (more > SIZE_MAX / 2 - text->length)
        capacity = SIZE_MAX;
    while (capacity - text->length < more)
        capacity *= 2;
    text->data = memory_resize(text->data, capacity, 1);
    text->capacity = capacity;
}

void text_make_room(struct text *text, size_t count)
{
    if (!text->data || text->capacity - text->length < count)
        grow(text, count);
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
    text_make_room(text, 1);
    text->data[text->length] = '\0';
    return text->data;
}

char *text_extend(struct text *text, size_t count)
{
    text_make_room(text, count);
    text->length += count;
    return text->data + text->length - count;
}

void text_add(struct text *text, struct slice bytes)
{
    if (bytes.length > 0)
        memcpy(text_extend(text, bytes.length), bytes.data, bytes.length);
}

void text_add_uleb128(struct text *text, uint64_t number)
{
    enum { MOST_BYTES = 10 };
    char *room = text_extend(text, MOST_BYTES);
    size_t length = 0;

    for (; number >= 0x80; number >>= 7)
        room[length++] = (char)(number | 0x80);
    room[length++] = (char)number;
    text->length -= MOST_BYTES - length;
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

void text_format_list(struct text *text, const char *format, va_list arguments)
{
    enum { USUAL_BYTES = 32 };
    va_list again;
    size_t room = 0;
    int length = 0;

    /* Most of what is formatted is short: there is room for it already, and one pass is enough. */
    text_make_room(text, USUAL_BYTES);
    room = text->capacity - text->length;
    va_copy(again, arguments);
    length = vsnprintf(text->data + text->length, room, format, arguments);
    if (length > 0 && (size_t)length >= room) {
        text_make_room(text, (size_t)length + 1);
        vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
    }
    va_end(again);
    if (length > 0)
        text->length += (size_t)length;
}

void text_format(struct text *text, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    text_format_list(text, format, arguments);
    va_end(arguments);
}

/* Each call has a base of its own, known to the compiler: no division by any number. */
static inline char *put_digits(char *at, uint64_t number, unsigned base)
{
    size_t length = 1;
    char *end = NULL;

    for (uint64_t rest = number; rest >= base; rest /= base)
        length++;
    end = at + length;
    for (size_t i = length; i > 0; number /= base)
        at[--i] = "0123456789abcdef"[number % base];
    return end;
}

char *text_put_decimal(char *at, uint64_t number)
{
    return put_digits(at, number, 10);
}

void text_add_decimal(struct text *text, uint64_t number)
{
    char *end = text_put_decimal(text_extend(text, TEXT_DECIMAL_MOST_BYTES), number);

    text->length = (size_t)(end - text->data);
}

void text_add_hex(struct text *text, uint64_t number)
{
    char *end = put_digits(text_extend(text, TEXT_DECIMAL_MOST_BYTES), number, 16);

    text->length = (size_t)(end - text->data);
}

void text_add_hex_bytes(struct text *text, struct slice bytes)
{
    for (size_t i = 0; i < bytes.length; i++)
        text_format(text, "%02x", (uint8_t)bytes.data[i]);
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

/* Where the first byte from `at` on stands that is not ASCII; the length when there is none. */
static size_t find_beyond_ascii(struct slice bytes, size_t at)
{
    const uint64_t high_bits = UINT64_C(0x8080808080808080);
    uint64_t word = 0;

    for (; bytes.length - at >= sizeof(word); at += sizeof(word)) {
        memcpy(&word, bytes.data + at, sizeof(word));
        if (word & high_bits)
            break;
    }
    while (at < bytes.length && (uint8_t)bytes.data[at] < 0x80)
        at++;
    return at;
}

bool text_is_utf8(struct slice bytes)
{
    for (size_t at = find_beyond_ascii(bytes, 0); at < bytes.length; at = find_beyond_ascii(bytes, at)) {
        size_t length = text_utf8_length(slice_range(bytes, at, bytes.length));

        if (length == 0)
            return false;
        at += length;
    }
    return true;
}

size_t text_readable_length(struct slice bytes)
{
    size_t at = 0;

    while (at < bytes.length) {
        size_t length = text_utf8_length(slice_range(bytes, at, bytes.length));
        char byte = bytes.data[at];
        bool is_readable = byte == '\n' || byte == '\t' || byte == '\r' || byte == '\x1b';

        if (length == 0 || (length == 1 && (byte < ' ' || byte == 0x7f) && !is_readable))
            break;
        at += length;
    }
    return at;
}

/* Sets of ASCII characters, a bit each: the first word has those below 64. */
#define ASCII_BIT(character) (UINT64_C(1) << ((character)&63))
#define ASCII_NO_CONTROLS (~(uint64_t)0 << ' ')

/*
 * What one format does with text: a sequence is one code point in UTF-8, or, when it is
 * not well-formed, one byte, which is never plain.
 */
struct escape_rules {
    uint64_t plain_ascii[2];
    bool (*is_plain)(struct slice sequence); /* what is longer may stand as it is; NULL: all may */
    void (*add)(struct text *text, struct slice sequence, bool is_utf8);
};

static unsigned char first_byte(struct slice sequence)
{
    return (unsigned char)sequence.data[0];
}

static size_t skip_plain_ascii(struct slice bytes, size_t at, const struct escape_rules *rules)
{
    while (at < bytes.length) {
        unsigned char byte = (unsigned char)bytes.data[at];

        if (byte >= 0x80 || !(rules->plain_ascii[byte >> 6] >> (byte & 63) & 1))
            break;
        at++;
    }
    return at;
}

/* Copies runs of plain sequences whole. */
static void add_escaped(struct text *text, struct slice bytes, const struct escape_rules *rules)
{
    size_t start = 0;
    size_t at = 0;

    while ((at = skip_plain_ascii(bytes, at, rules)) < bytes.length) {
        size_t length = text_utf8_length(slice_range(bytes, at, bytes.length));
        struct slice sequence = slice_range(bytes, at, at + (length ? length : 1));

        at += sequence.length;
        if (length > 1 && (!rules->is_plain || rules->is_plain(sequence)))
            continue;
        text_add(text, slice_range(bytes, start, at - sequence.length));
        rules->add(text, sequence, length > 0);
        start = at;
    }
    text_add(text, slice_range(bytes, start, at));
}

static void add_replacement_character(struct text *text)
{
    text_add_string(text, "\xef\xbf\xbd");
}

/* What a sequence of UTF-8 stands for; of a byte that is none, less than 0x80. */
static uint32_t code_point(struct slice sequence)
{
    static const unsigned char first_masks[] = {0, 0x7f, 0x1f, 0x0f, 0x07}; /* by length */
    uint32_t code = first_byte(sequence) & first_masks[sequence.length];

    for (size_t i = 1; i < sequence.length; i++)
        code = code << 6 | ((unsigned char)sequence.data[i] & 0x3f);
    return code;
}

/* Past ASCII: what drives a terminal, breaks a line or turns round the text beside it. */
static bool is_long_control(struct slice sequence)
{
    static const struct {
        uint32_t first, last;
    } ranges[] = {
        {0x80, 0x9f},     /* the C1 controls */
        {0x61c, 0x61c},   /* these and the next three: Bidi_Control (Unicode 15, PropList.txt) */
        {0x200e, 0x200f}, /* marks of a direction */
        {0x202a, 0x202e}, /* embeddings and overrides */
        {0x2066, 0x2069}, /* isolates */
        {0x2028, 0x2029}, /* separators of lines and paragraphs */
        {0xfeff, 0xfeff}, /* the mark of byte order */
    };
    uint32_t code = code_point(sequence);

    for (size_t i = 0; i < ARRAY_COUNT(ranges); i++)
        if (code >= ranges[i].first && code <= ranges[i].last)
            return true;
    return false;
}

static bool is_plain_on_terminal(struct slice sequence)
{
    return !is_long_control(sequence);
}

static void escape_for_terminal(struct text *text, struct slice sequence, bool is_utf8)
{
    if (slice_is(sequence, "\n"))
        text_add_string(text, "\\n");
    else if (slice_is(sequence, "\t"))
        text_add_string(text, "\\t");
    else if (is_utf8 && is_long_control(sequence))
        text_format(text, "\\u{%x}", code_point(sequence));
    else
        text_format(text, "\\x%02x", first_byte(sequence));
}

void text_add_terminal(struct text *text, struct slice bytes)
{
    static const struct escape_rules rules = {
        {ASCII_NO_CONTROLS, ~ASCII_BIT(0x7f)}, is_plain_on_terminal, escape_for_terminal};

    add_escaped(text, bytes, &rules);
}

static void escape_for_utf8(struct text *text, struct slice sequence, bool is_utf8)
{
    if (is_utf8)
        text_add(text, sequence);
    else
        text_format(text, "\\x%02x", first_byte(sequence));
}

void text_add_utf8(struct text *text, struct slice bytes)
{
    static const struct escape_rules rules = {{~(uint64_t)0, ~(uint64_t)0}, NULL, escape_for_utf8};

    add_escaped(text, bytes, &rules);
}

static void escape_for_json(struct text *text, struct slice sequence, bool is_utf8)
{
    if (!is_utf8)
        add_replacement_character(text);
    else if (first_byte(sequence) < 0x20)
        text_format(text, "\\u%04x", first_byte(sequence));
    else
        text_format(text, "\\%c", first_byte(sequence));
}

void text_add_json(struct text *text, struct slice bytes)
{
    static const struct escape_rules rules = {
        {ASCII_NO_CONTROLS & ~ASCII_BIT('"'), ~ASCII_BIT('\\')}, NULL, escape_for_json};

    add_escaped(text, bytes, &rules);
}

/* Carriage returns and the marks of the markup, which XML can hold as references. */
#define XML_MARKS                                                                                            \
    (ASCII_BIT('<') | ASCII_BIT('>') | ASCII_BIT('&') | ASCII_BIT('"') | ASCII_BIT('\'') | ASCII_BIT('\r'))

static bool needs_xml_reference(struct slice sequence)
{
    return first_byte(sequence) < 64 && (XML_MARKS & ASCII_BIT(first_byte(sequence))) != 0;
}

/* U+FFFE and U+FFFF are no characters of XML. */
static bool is_plain_in_xml(struct slice sequence)
{
    return !slice_is(sequence, "\xef\xbf\xbe") && !slice_is(sequence, "\xef\xbf\xbf");
}

static void escape_for_xml(struct text *text, struct slice sequence, bool is_utf8)
{
    if (is_utf8 && needs_xml_reference(sequence))
        text_format(text, "&#%u;", first_byte(sequence));
    else
        add_replacement_character(text);
}

void text_add_xml(struct text *text, struct slice bytes)
{
    static const struct escape_rules rules = {
        {(ASCII_NO_CONTROLS | ASCII_BIT('\n') | ASCII_BIT('\t')) & ~XML_MARKS, ~(uint64_t)0},
        is_plain_in_xml,
        escape_for_xml};

    add_escaped(text, bytes, &rules);
}

static bool is_plain_in_xml_line(struct slice sequence)
{
    return is_plain_on_terminal(sequence) && is_plain_in_xml(sequence);
}

static void escape_for_xml_line(struct text *text, struct slice sequence, bool is_utf8)
{
    bool is_control = first_byte(sequence) < 0x20 || first_byte(sequence) == 0x7f;

    if (!is_utf8 || is_control || is_long_control(sequence))
        escape_for_terminal(text, sequence, is_utf8);
    else
        escape_for_xml(text, sequence, is_utf8);
}

void text_add_xml_line(struct text *text, struct slice bytes)
{
    static const struct escape_rules rules = {
        {ASCII_NO_CONTROLS & ~XML_MARKS, ~ASCII_BIT(0x7f)}, is_plain_in_xml_line, escape_for_xml_line};

    add_escaped(text, bytes, &rules);
}

static bool needs_csv_quotes(struct slice line)
{
    return slice_find_byte(line, ',') < line.length || slice_find_byte(line, '"') < line.length;
}

void text_add_csv(struct text *text, struct slice bytes)
{
    SCOPED(text_done) struct text line = {0};

    text_add_terminal(&line, bytes);
    if (!needs_csv_quotes(text_slice(&line))) {
        text_add(text, text_slice(&line));
        return;
    }
    text_add_byte(text, '"');
    for (size_t i = 0; i < line.length; i++) {
        if (line.data[i] == '"')
            text_add_byte(text, '"');
        text_add_byte(text, line.data[i]);
    }
    text_add_byte(text, '"');
}

/* "=" and "~" at the start mean something to shells; elsewhere, as in KEY=VALUE, they do not. */
static bool is_plain_in_shell(struct slice word)
{
    for (size_t i = 0; i < word.length; i++) {
        char byte = word.data[i];

        if (!ascii_is_alphanumeric(byte) && (!byte || !strchr(i ? "_@%+:,./-=" : "_@%+:,./-", byte)))
            return false;
    }
    return word.length > 0;
}

void text_add_shell(struct text *text, struct slice word)
{
    if (is_plain_in_shell(word)) {
        text_add(text, word);
        return;
    }
    text_add_byte(text, '\'');
    for (size_t i = 0; i < word.length; i++)
        if (word.data[i] == '\'')
            text_add_string(text, "'\\''");
        else
            text_add_byte(text, word.data[i]);
    text_add_byte(text, '\'');
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
