/* A borrowed run of bytes, usually text, not NUL-terminated. {NULL, 0} is the empty one. */
#ifndef BASE_SLICE_H
#define BASE_SLICE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

struct slice {
    const char *data;
    size_t length; /* bytes */
};

#define SLICE(literal) ((struct slice){("" literal), sizeof(literal) - 1})

/* For printf's "%.*s", which takes at most INT_MAX bytes. */
#define SLICE_ARGUMENTS(slice)                                                                               \
    (slice).length < INT_MAX ? (int)(slice).length : INT_MAX, (slice).data ? (slice).data : ""

/* The bytes of a NUL-terminated string; NULL is the empty slice. */
struct slice slice_of(const char *string);

/* From byte `start` up to, not including, `end`; both are cut to the slice. */
struct slice slice_range(struct slice text, size_t start, size_t end);

bool slice_equal(struct slice a, struct slice b);

/* `string` is NUL-terminated and never NULL. */
bool slice_is(struct slice a, const char *string);
bool slice_starts_with(struct slice text, struct slice start);
bool slice_ends_with(struct slice text, struct slice end);

/* Takes it off where the text starts with it, and tells whether it does. */
bool slice_skip(struct slice *text, struct slice start);

/*
 * Whether the text is, starts with, ends with or has in it any of these `count` strings, NUL-terminated and
 * never NULL.
 */
bool slice_is_any(struct slice text, const char *const *strings, size_t count);
bool slice_starts_with_any(struct slice text, const char *const *strings, size_t count);
bool slice_ends_with_any(struct slice text, const char *const *strings, size_t count);
bool slice_has_any(struct slice text, const char *const *strings, size_t count);

/* Bytewise order as of memcmp, the shorter first when one starts the other: <0, 0, >0. */
int slice_compare(struct slice a, struct slice b);

/* Offset of the first `part` in `text`, or text.length when there is none. */
size_t slice_find(struct slice text, struct slice part);

/* Whether `part`, which is not empty, stands anywhere in `text`. */
bool slice_has(struct slice text, struct slice part);

/* Offset of the first or last `byte`, or text.length when there is none. */
size_t slice_find_byte(struct slice text, char byte);
size_t slice_find_last_byte(struct slice text, char byte);

/* What follows the last slash of a path; all of it where there is none. */
struct slice slice_file_name(struct slice path);

/* What is before the last slash of a path; empty where there is none, or no other. */
struct slice slice_folder(struct slice path);

/* Without ASCII white space at both ends. */
struct slice slice_trim(struct slice text);

/* Whether it is a hash as cargo and rustc write theirs: 16 hexadecimal digits without capitals. */
bool slice_is_hash(struct slice text);

/* Whether all bytes are 0; of none they are. */
bool slice_is_zero(struct slice bytes);

#endif
