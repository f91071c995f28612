#include "ir/names.h"

#include <string.h>

#include "base/ascii.h"
#include "ir/lines.h"

/* What an escape stands for: "\22" is a byte in hexadecimal, "\\" and any other "\" itself. */
static char take_escape(struct scan *escape)
{
    bool has_two = escape->rest.length >= 2;
    unsigned high = has_two ? ascii_digit_value(escape->rest.data[0]) : 16;
    unsigned low = has_two ? ascii_digit_value(escape->rest.data[1]) : 16;
    struct slice digits;

    if (high < 16 && low < 16 && scan_bytes(escape, 2, &digits))
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

/* The number in "#4 " behind a space. */
static bool scan_attributes(struct slice line, size_t hash, uint32_t *number)
{
    struct scan scan = scan_of(slice_range(line, hash + 1, line.length));
    uint64_t read = 0;

    if (hash == 0 || line.data[hash - 1] != ' ' || !scan_decimal(&scan, &read) || read >= IR_NO_ATTRIBUTES ||
        scan_peek(&scan) != ' ')
        return false;
    *number = (uint32_t)read;
    return true;
}

uint32_t ir_attributes_of_function(struct slice line)
{
    struct slice before = line;

    /* It stands near the end; the line is long. */
    for (;;) {
        size_t hash = slice_find_last_byte(before, '#');
        uint32_t number = 0;

        if (hash == before.length)
            return IR_NO_ATTRIBUTES;
        if (scan_attributes(line, hash, &number))
            return number;
        before = slice_range(before, 0, hash);
    }
}

/* --- References ------------------------------------------------------------------------ */

/* Takes what stands behind a quote, up to the next one. Without one on the line, false: the line is over. */
static bool take_quoted(struct scan *scan, struct slice *quoted)
{
    size_t length = slice_find_byte(scan->rest, '"');
    size_t line_length = slice_find_byte(slice_range(scan->rest, 0, length), '\n');

    if (length < scan->rest.length && line_length == length)
        return scan_until(scan, '"', quoted);
    scan->rest = slice_range(scan->rest, line_length, scan->rest.length);
    return false;
}

/* What stands behind an "@"; false when that is no name. */
static bool take_reference(struct scan *scan, struct text *scratch, struct slice *name)
{
    if (!scan_byte(scan, '"'))
        return scan_bytes(scan, ir_name_length(scan->rest), name) && name->length > 0;
    if (!take_quoted(scan, name))
        return false;
    if (slice_find_byte(*name, '\\') < name->length) {
        text_clear(scratch);
        add_unquoted(scratch, *name);
        *name = text_slice(scratch);
    }
    return name->length > 0;
}

/*
 * Goes on behind the "@" at which `left` bytes are left; false, and on behind the quotes, when it stands in
 * quotes.
 */
static bool pass_reference_mark(struct scan *scan, size_t left)
{
    size_t offset = scan->rest.length - left;
    size_t newline = slice_find_last_byte(slice_range(scan->rest, 0, offset), '\n');
    struct slice passed;

    /* Quotes on earlier lines are over. */
    if (newline < offset)
        (void)scan_bytes(scan, newline + 1, &passed);
    while (scan->rest.length >= left) {
        size_t quote = 0;

        offset = scan->rest.length - left;
        quote = slice_find_byte(slice_range(scan->rest, 0, offset), '"');
        (void)scan_bytes(scan, quote + 1, &passed);
        if (quote == offset)
            return true;
        (void)take_quoted(scan, &passed);
    }
    return false;
}

bool ir_next_reference(struct scan *lines, struct text *scratch, struct slice *name)
{
    for (;;) {
        size_t offset = slice_find_byte(lines->rest, '@');
        size_t left = lines->rest.length - offset;

        if (left == 0)
            return false;
        if (pass_reference_mark(lines, left) && take_reference(lines, scratch, name))
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
