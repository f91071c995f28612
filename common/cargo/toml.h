/*
 * Reads TOML 1.0 (https://toml.io/en/v1.0.0) into a tree that knows the line of each key, to
 * tell a person where a setting stands. Checked against the toml-test suite.
 */
#ifndef CARGO_TOML_H
#define CARGO_TOML_H

#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/slice.h"
#include "cargo/toml_scalar.h"

enum { TOML_LIMIT_BYTES = 1024 * 1024, TOML_LIMIT_NESTING = 256 };

/* How a table or array came to be, which decides what may still be added to it. */
enum toml_origin {
    TOML_ORIGIN_VALUE,    /* {…}, […] or a value: complete */
    TOML_ORIGIN_IMPLICIT, /* the `a` of [a.b] */
    TOML_ORIGIN_DOTTED,   /* the `a` of a.b = 1 */
    TOML_ORIGIN_HEADER,   /* [a]; an item of [[a]] and their array */
};

/* One value. Items of arrays and members of tables are a list, in the order of the file. */
struct toml_node {
    enum toml_kind kind;
    enum toml_origin origin;
    uint32_t id;       /* counts up from 0, the root, within one file */
    uint32_t line;     /* where its key, header or first byte stands; from 1 */
    struct slice key;  /* decoded, NUL-terminated; empty for items of arrays and the root */
    struct slice text; /* a string's value, decoded, else as written; empty for arrays and tables */
    int64_t integer;   /* of a TOML_INTEGER; 1 or 0 of a TOML_BOOL */
    struct toml_node *first_child, *last_child, *next;
};

/*
 * Parses a whole file. The tree lives in `arena`, which also holds copies of all text. Returns 0 with the
 * root table, or -1 with ERROR_FORMAT: "line 7: …" for what TOML 1.0 refuses, arrays and inline tables nested
 * deeper than TOML_LIMIT_NESTING, or more than TOML_LIMIT_BYTES.
 */
MUST_CHECK int toml_parse(struct arena *arena, struct slice content, const struct toml_node **out,
                          struct error *err);

/* The member of a table with this key, or NULL. */
const struct toml_node *toml_find(const struct toml_node *table, struct slice key);

/* Whether a key may stand without quotes. */
bool toml_is_bare_key(struct slice key);

/* The value with these keys below `node`, outermost first, NULL-terminated; NULL when there is none. */
const struct toml_node *toml_find_path(const struct toml_node *node, const char *const *keys);

#endif
