/*
 * Strings to small dense ids and back: the same bytes get the same id, ids count up
 * from 0, so a caller's own array indexed by id makes a map of it.
 */
#ifndef BASE_INTERN_H
#define BASE_INTERN_H

#include <stdint.h>

#include "base/arena.h"
#include "base/slice.h"
#include "base/vec.h"

#define INTERN_NONE UINT32_MAX

struct intern_entry {
    struct slice text; /* in the interner's arena, NUL-terminated */
    uint32_t hash;
};

/* Zero-initialised is empty and ready. */
struct intern {
    struct arena arena;
    VEC(struct intern_entry) entries;
    uint32_t *table; /* open addressing; id + 1, 0 for a free place */
    uint32_t table_size;
};

void intern_done(struct intern *intern);

/* The id of `text`, new or known. The bytes are copied. */
uint32_t intern_add(struct intern *intern, struct slice text);

/* The id of `text`, or INTERN_NONE when it was never added. */
uint32_t intern_find(const struct intern *intern, struct slice text);

/* The bytes behind `id`, NUL-terminated, valid until intern_done. */
struct slice intern_text(const struct intern *intern, uint32_t id);

#endif
