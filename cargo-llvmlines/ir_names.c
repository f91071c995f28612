#include "ir_names.h"

#include <string.h>

static int hex_digit(char digit)
{
    if (digit >= '0' && digit <= '9')
        return digit - '0';
    if (digit >= 'a' && digit <= 'f')
        return digit - 'a' + 10;
    if (digit >= 'A' && digit <= 'F')
        return digit - 'A' + 10;
    return -1;
}

/* What an escape stands for: "\22" is a byte in hexadecimal, "\\" and any other "\" itself. */
static char take_escape(struct scan *escape)
{
    const char *at = escape->rest.data;
    int high = escape->rest.length >= 2 ? hex_digit(at[0]) : -1;
    int low = escape->rest.length >= 2 ? hex_digit(at[1]) : -1;
    struct slice digits;

    if (high >= 0 && low >= 0 && scan_bytes(escape, 2, &digits))
        return (char)(high * 16 + low);
    (void)scan_byte(escape, '\\');
    return '\\';
}

static void add_unquoted(struct text *symbol, struct slice quoted)
{
    struct scan scan = scan_of(quoted);
    struct slice plain;

    while (scan_until(&scan, '\\', &plain)) {
        text_add(symbol, plain);
        text_add_byte(symbol, take_escape(&scan));
    }
    text_add(symbol, scan.rest);
}

/* --- Functions ------------------------------------------------------------------------- */

/* A bare name ends at the "(" and holds no white space; what else it may hold LLVM knows better. */
static bool scan_bare_name(struct scan *scan, struct slice *name)
{
    struct scan ahead = *scan;

    if (!scan_until(&ahead, '(', name) || name->length == 0 || slice_find_byte(*name, ' ') < name->length)
        return false;
    return scan_bytes(scan, name->length, name);
}

/* What stands behind the "@" of a function; `symbol` is filled from empty. */
static bool scan_function_name(struct scan *scan, struct text *symbol)
{
    struct slice name;

    if (!scan_byte(scan, '"')) {
        if (!scan_bare_name(scan, &name))
            return false;
        text_add(symbol, name);
    } else {
        if (!scan_until(scan, '"', &name) || name.length == 0)
            return false;
        add_unquoted(symbol, name);
    }
    return scan_byte(scan, '(');
}

bool ir_name_of_function(struct slice line, struct text *symbol)
{
    struct scan scan = scan_of(line);
    struct slice before;

    text_clear(symbol);
    while (scan_until(&scan, '@', &before)) {
        size_t quote = slice_find_byte(before, '"');

        if (quote == before.length)
            return scan_function_name(&scan, symbol);
        /* The "@" may stand in quotes: on behind the quoted text, which has no quote inside. */
        scan.rest = slice_range(line, (size_t)(before.data - line.data) + quote + 1, line.length);
        if (!scan_until(&scan, '"', &before))
            return false;
    }
    return false;
}

uint32_t ir_attributes_of_function(struct slice line)
{
    struct slice rest = line;
    uint32_t found = IR_NO_ATTRIBUTES;

    for (;;) {
        size_t at = slice_find(rest, SLICE(" #"));
        struct scan scan = scan_of(slice_range(rest, at + 2, rest.length));
        uint64_t number = 0;

        if (at == rest.length)
            return found;
        if (scan_decimal(&scan, &number) && number < IR_NO_ATTRIBUTES && scan_peek(&scan) == ' ')
            found = (uint32_t)number;
        rest = slice_range(rest, at + 2, rest.length);
    }
}

/* --- References ------------------------------------------------------------------------ */

static bool is_name_byte(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') ||
           byte == '_' || byte == '.' || byte == '$' || byte == '-';
}

/* What stands behind an "@"; an empty name when that is none. */
static struct slice take_reference(struct scan *scan, struct text *scratch)
{
    struct slice name = {0};
    size_t length = 0;

    if (scan_byte(scan, '"')) {
        if (!scan_until(scan, '"', &name))
            return (struct slice){0};
        if (slice_find_byte(name, '\\') == name.length)
            return name;
        text_clear(scratch);
        add_unquoted(scratch, name);
        return text_slice(scratch);
    }
    while (length < scan->rest.length && is_name_byte(scan->rest.data[length]))
        length++;
    (void)scan_bytes(scan, length, &name);
    return name;
}

/* Passes over what stands in quotes before `at`; false when the quotes have no end. */
static bool pass_quoted(struct scan *scan, const char *at)
{
    while (scan->rest.data < at) {
        size_t length = (size_t)(at - scan->rest.data);
        size_t quote = slice_find_byte((struct slice){scan->rest.data, length}, '"');
        struct slice passed;

        if (quote == length)
            return true;
        scan->rest.data += quote + 1;
        scan->rest.length -= quote + 1;
        if (!scan_until(scan, '"', &passed))
            return false;
        if (scan->rest.length == 0)
            return true;
    }
    return true;
}

bool ir_next_reference(struct scan *scan, struct text *scratch, struct slice *name)
{
    for (;;) {
        size_t offset = slice_find_byte(scan->rest, '@');
        const char *at = NULL;

        if (offset == scan->rest.length)
            return false;
        at = scan->rest.data + offset;
        if (!pass_quoted(scan, at))
            return false;
        if (scan->rest.length == 0 || scan->rest.data > at)
            continue; /* it stood in quotes */
        offset = (size_t)(at - scan->rest.data);
        scan->rest = slice_range(scan->rest, offset + 1, scan->rest.length);
        *name = take_reference(scan, scratch);
        if (name->length > 0)
            return true;
    }
}

/* --- Attributes ------------------------------------------------------------------------ */

static enum ir_inlining inlining_of(struct slice word)
{
    if (slice_is(word, "alwaysinline"))
        return IR_INLINE_ALWAYS;
    if (slice_is(word, "noinline"))
        return IR_INLINE_NEVER;
    return slice_is(word, "inlinehint") ? IR_INLINE_HINT : IR_INLINE_AS_LIKED;
}

bool ir_attributes_read(struct slice line, uint32_t *number, enum ir_inlining *inlining)
{
    struct scan scan = scan_of(line);
    struct slice word;
    uint64_t read = 0;
    enum ir_inlining found = IR_INLINE_AS_LIKED;

    if (!scan_text(&scan, "attributes #") || !scan_decimal(&scan, &read) || read >= IR_NO_ATTRIBUTES ||
        !scan_text(&scan, " = {"))
        return false;
    /* Words in quotes stand behind those that are not: "probe-stack"="inline-asm". */
    while (scan_skip_any(&scan, " ") && scan_peek(&scan) != '"' && scan_word(&scan, &word))
        if (inlining_of(word) != IR_INLINE_AS_LIKED)
            found = inlining_of(word);
    *number = (uint32_t)read;
    *inlining = found;
    return true;
}
