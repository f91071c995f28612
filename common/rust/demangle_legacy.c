#include "base/ascii.h"
#include "rust/demangle_output.h"
#include "rust/symbol_node.h"

/* The escapes of rustc's legacy mangler with a name; others are "$u" and hex digits. */
static const struct {
    const char *name;
    struct slice text;
} ESCAPES[] = {
    {"SP", {"@", 1}}, {"BP", {"*", 1}}, {"RF", {"&", 1}}, {"LT", {"<", 1}},
    {"GT", {">", 1}}, {"LP", {"(", 1}}, {"RP", {")", 1}}, {"C", {",", 1}},
};

static bool is_printable(uint32_t character)
{
    return character >= 0x20 && !(character >= 0x7f && character < 0xa0) && character <= 0x10ffff &&
           !(character >= 0xd800 && character < 0xe000);
}

/* The character of "u7b": lower case hex, no control character. */
static bool decode_character(struct slice escape, uint32_t *character)
{
    uint64_t value = 0;

    if (escape.length < 2 || escape.data[0] != 'u')
        return false;
    for (size_t i = 1; i < escape.length; i++) {
        if (!ascii_is_lower_hex(escape.data[i]))
            return false;
        value = value << 4 | ascii_digit_value(escape.data[i]);
        if (value > UINT32_MAX)
            return false;
    }
    *character = (uint32_t)value;
    return is_printable(*character);
}

static bool emit_escape(struct demangle_output *output, struct slice escape)
{
    uint32_t character = 0;

    for (size_t i = 0; i < ARRAY_COUNT(ESCAPES); i++)
        if (slice_is(escape, ESCAPES[i].name)) {
            demangle_emit(output, ESCAPES[i].text);
            return true;
        }
    if (!decode_character(escape, &character))
        return false;
    demangle_emit_character(output, character);
    return true;
}

/* Emits the "$…$", "." or ".." that `rest` starts with: its length, 0 when it is no escape. */
static size_t emit_special(struct demangle_output *output, struct slice rest)
{
    if (rest.data[0] == '$') {
        struct slice escape = slice_range(rest, 1, rest.length);
        size_t end = slice_find_byte(escape, '$');

        return end < escape.length && emit_escape(output, slice_range(escape, 0, end)) ? end + 2 : 0;
    }
    if (rest.length > 1 && rest.data[1] == '.') {
        DEMANGLE_EMIT(output, "::");
        return 2;
    }
    DEMANGLE_EMIT(output, ".");
    return 1;
}

void demangle_legacy_element(struct demangle_output *output, struct slice element)
{
    /* An element may not begin with "$": the mangler puts "_" before. */
    if (slice_starts_with(element, SLICE("_$")))
        element = slice_range(element, 1, element.length);
    while (element.length > 0) {
        size_t plain = 0;
        size_t special = 0;

        while (plain < element.length && element.data[plain] != '$' && element.data[plain] != '.')
            plain++;
        demangle_emit(output, slice_range(element, 0, plain));
        element = slice_range(element, plain, element.length);
        if (element.length == 0)
            return;
        special = emit_special(output, element);
        /* What is no escape ends decoding; the rest stands as it is. */
        if (special == 0) {
            demangle_emit(output, element);
            return;
        }
        element = slice_range(element, special, element.length);
    }
}

/* "h" and hex digits of any number and case: what rustc-demangle leaves out of the short form. */
static bool is_hash(struct slice element)
{
    if (element.length == 0 || element.data[0] != 'h')
        return false;
    for (size_t i = 1; i < element.length; i++)
        if (ascii_digit_value(element.data[i]) == 16)
            return false;
    return true;
}

void demangle_legacy(struct demangle_output *output, const struct symbol *symbol, bool is_short)
{
    for (uint32_t i = 0; i < symbol->node_count; i++) {
        struct slice element = symbol_node_name(symbol, &symbol->nodes[i]);

        if (is_short && i + 1 == symbol->node_count && is_hash(element))
            return;
        if (i > 0)
            DEMANGLE_EMIT(output, "::");
        demangle_legacy_element(output, element);
    }
}
