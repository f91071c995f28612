#include "json/json_out.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INDENT_COLUMNS = 2 };

struct json_out json_out_of(struct text *text)
{
    return (struct json_out){.text = text};
}

static bool is_broken(const struct json_out *out)
{
    return out->depth > 0 && out->depth <= out->broken_depth;
}

static void add_line_break(struct json_out *out, unsigned depth)
{
    text_add_byte(out->text, '\n');
    text_add_repeated(out->text, ' ', (size_t)depth * INDENT_COLUMNS);
}

/* What stands between the item before, or the opening bracket, and the item to come. */
static void add_separator(struct json_out *out)
{
    if (out->depth == 0)
        return;
    if (out->has_item)
        text_add_byte(out->text, ',');
    if (is_broken(out))
        add_line_break(out, out->depth);
    else if (out->has_item && out->broken_depth > 0)
        text_add_byte(out->text, ' ');
}

/* Before each value: a key has placed its separator already. */
static void start_value(struct json_out *out)
{
    if (!out->has_key)
        add_separator(out);
    out->has_key = false;
    out->has_item = true;
}

static void begin(struct json_out *out, char bracket)
{
    start_value(out);
    text_add_byte(out->text, bracket);
    out->depth++;
    out->has_item = false;
}

static void end(struct json_out *out, char bracket)
{
    if (is_broken(out) && out->has_item)
        add_line_break(out, out->depth - 1);
    text_add_byte(out->text, bracket);
    out->depth--;
    out->has_item = true;
}

void json_begin_object(struct json_out *out)
{
    begin(out, '{');
}

void json_end_object(struct json_out *out)
{
    end(out, '}');
}

void json_begin_array(struct json_out *out)
{
    begin(out, '[');
}

void json_end_array(struct json_out *out)
{
    end(out, ']');
}

static void add_quoted(struct json_out *out, struct slice value)
{
    text_add_byte(out->text, '"');
    text_add_json(out->text, value);
    text_add_byte(out->text, '"');
}

void json_put_key_slice(struct json_out *out, struct slice key)
{
    add_separator(out);
    add_quoted(out, key);
    text_add_string(out->text, out->broken_depth > 0 ? ": " : ":");
    out->has_key = true;
}

void json_put_key(struct json_out *out, const char *key)
{
    json_put_key_slice(out, slice_of(key));
}

void json_put_string(struct json_out *out, struct slice value)
{
    start_value(out);
    add_quoted(out, value);
}

void json_put_u64(struct json_out *out, uint64_t value)
{
    start_value(out);
    text_format(out->text, "%" PRIu64, value);
}

void json_put_i64(struct json_out *out, int64_t value)
{
    start_value(out);
    text_format(out->text, "%" PRId64, value);
}

void json_put_number(struct json_out *out, struct slice digits)
{
    start_value(out);
    text_add(out->text, digits);
}

/* printf writes the locale's decimal separator, which may be several bytes; JSON has a point. */
static void add_with_point(struct text *text, const char *digits)
{
    size_t before = strspn(digits, "-0123456789");
    size_t separator = strcspn(digits + before, "e0123456789");

    text_add(text, (struct slice){digits, before});
    if (separator > 0)
        text_add_byte(text, '.');
    text_add_string(text, digits + before + separator);
}

void json_put_double(struct json_out *out, double value)
{
    char digits[64];

    if (!isfinite(value)) {
        json_put_null(out);
        return;
    }
    start_value(out);
    for (int precision = 15; precision <= 17; precision++) {
        snprintf(digits, sizeof(digits), "%.*g", precision, value);
        if (strtod(digits, NULL) == value)
            break;
    }
    add_with_point(out->text, digits);
}

void json_put_bool(struct json_out *out, bool value)
{
    start_value(out);
    text_add_string(out->text, value ? "true" : "false");
}

void json_put_null(struct json_out *out)
{
    start_value(out);
    text_add_string(out->text, "null");
}
