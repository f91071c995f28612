/*
 * Checked access to a JSON document (RFC 8259) that cJSON has parsed. What is asked for
 * and not there, or of another type, is an ERROR_FORMAT that names its place:
 * "targets[3].name: not a string".
 *
 * Numbers are doubles: whole numbers are exact up to 2^53, so addresses and hashes are
 * strings in what we write. A string ends at a U+0000 in it. When an object holds a
 * key twice, the first counts. Nothing here checks that strings are UTF-8.
 */
#ifndef JSON_JSON_IN_H
#define JSON_JSON_IN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/slice.h"
#include "base/text.h"

struct cJSON;

/* Owns the tree. Zero-initialised is empty and may be passed to json_document_done. */
struct json_document {
    struct cJSON *root;
};

/*
 * One value of a document, by value. `parent` is borrowed and serves the error messages
 * alone: a value is asked while the value it was taken from is still in place.
 */
struct json_value {
    const struct cJSON *node; /* in the document */
    const struct json_value *parent;
    size_t index; /* place among the items of an array */
};

/*
 * Parses `content`, which may be gone afterwards. Returns 0, or -1 with ERROR_FORMAT: larger
 * than `limit_bytes`, not JSON or cut short (the line is named), nested deeper than 1000, or followed by
 * more than white space; ERROR_MISSING when cJSON, which is loaded now, is not installed.
 */
MUST_CHECK int json_parse(struct slice content, size_t limit_bytes, struct json_document *out,
                          struct error *err);
void json_document_done(struct json_document *document);

/* The outermost value. */
struct json_value json_root(const struct json_document *document);

/* The member's value; false when `object` is no object, has no such member, or null there. */
bool json_find(const struct json_value *object, const char *name, struct json_value *out);

/* Members of an object: fail when it is not there, null included, or of another type. */
MUST_CHECK int json_get_string(const struct json_value *object, const char *name, struct slice *out,
                               struct error *err);
MUST_CHECK int json_get_u64(const struct json_value *object, const char *name, uint64_t *out,
                            struct error *err);
MUST_CHECK int json_get_double(const struct json_value *object, const char *name, double *out,
                               struct error *err);
MUST_CHECK int json_get_bool(const struct json_value *object, const char *name, bool *out, struct error *err);
MUST_CHECK int json_get_array(const struct json_value *object, const char *name, struct json_value *out,
                              struct error *err);
MUST_CHECK int json_get_object(const struct json_value *object, const char *name, struct json_value *out,
                               struct error *err);

/* The value itself. Strings are NUL-terminated and live as long as the document. */
MUST_CHECK int json_as_string(const struct json_value *value, struct slice *out, struct error *err);

/* A whole number from 0 to 2^53. */
MUST_CHECK int json_as_u64(const struct json_value *value, uint64_t *out, struct error *err);
MUST_CHECK int json_as_double(const struct json_value *value, double *out, struct error *err);
MUST_CHECK int json_as_bool(const struct json_value *value, bool *out, struct error *err);

bool json_is_array(const struct json_value *value);
bool json_is_object(const struct json_value *value);
bool json_is_string(const struct json_value *value);

/* How many items an array or object holds; 0 for anything else. Counts them one by one. */
size_t json_count(const struct json_value *value);

/*
 * Walks the items of an array or the members of an object:
 *
 *     for (bool more = json_first(&array, &item); more; more = json_next(&item))
 */
bool json_first(const struct json_value *parent, struct json_value *item);
bool json_next(struct json_value *item);

/* The name of a member of an object; empty for what is none. */
struct slice json_name(const struct json_value *member);

/* Appends the place of `value`, as error messages name it: "targets[3].name". */
void json_add_path(struct text *text, const struct json_value *value);

/* Appends the value as JSON on one line. */
void json_add_value(struct text *text, const struct json_value *value);

#endif
