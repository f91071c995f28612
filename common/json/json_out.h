/*
 * Writes JSON (RFC 8259) into a text, one value after the other, with commas and line
 * breaks put where they belong. Keeps no tree, so its memory does not grow.
 *
 *     struct json_out out = json_out_of(&text);
 *     json_begin_object(&out);
 *     json_put_key(&out, "size");
 *     json_put_u64(&out, 17);
 *     json_end_object(&out);
 *
 * The caller pairs begin and end, and puts a key before each value of an object and
 * nowhere else. The form does not depend on the locale.
 */
#ifndef JSON_JSON_OUT_H
#define JSON_JSON_OUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"
#include "base/text.h"

struct json_out {
    struct text *text;     /* borrowed; values are appended */
    unsigned broken_depth; /* objects and arrays this deep or less (1 = outermost) put each of
                              their items on a line of its own; 0 = no spaces, no line breaks */
    unsigned depth;        /* objects and arrays that are open */
    bool has_item;         /* the open one holds an item already */
    bool has_key;          /* a key waits for its value */
};

#define JSON_BROKEN_ALL UINT32_MAX

/* On one line; set broken_depth before the first value for another shape. */
struct json_out json_out_of(struct text *text);

void json_begin_object(struct json_out *out);
void json_end_object(struct json_out *out);
void json_begin_array(struct json_out *out);
void json_end_array(struct json_out *out);

void json_put_key(struct json_out *out, const char *key);

/* Bytes that are not UTF-8 become U+FFFD. */
void json_put_key_slice(struct json_out *out, struct slice key);
void json_put_string(struct json_out *out, struct slice value);

void json_put_u64(struct json_out *out, uint64_t value);
void json_put_i64(struct json_out *out, int64_t value);

/* A number that is written already, in JSON's form. */
void json_put_number(struct json_out *out, struct slice digits);

/* The fewest digits, from 15 on, that read back as the same double; null for what is not finite. */
void json_put_double(struct json_out *out, double value);

void json_put_bool(struct json_out *out, bool value);
void json_put_null(struct json_out *out);

#endif
