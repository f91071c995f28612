/*
 * Functions grouped by the generic that they are instances of: lines and copies of each
 * group. Memory grows with the number of groups, not of functions.
 */
#ifndef CARGO_LLVMLINES_GROUPS_H
#define CARGO_LLVMLINES_GROUPS_H

#include <stdint.h>

#include "base/intern.h"
#include "base/text.h"
#include "base/vec.h"
#include "rust/symbol.h"

struct group {
    uint32_t name; /* id in groups.names */
    uint64_t lines;
    uint64_t copies;
};

/* Zero-initialised is empty. */
struct groups {
    struct intern keys;  /* symbol_key.h's exact key; its id is the group's index in items */
    struct intern names; /* as shown; groups may share one */
    VEC(struct group) items;
    VEC(uint32_t) name_uses; /* by name id: how many groups have it */
    uint64_t lines;          /* of all groups */
    uint64_t copies;
    struct symbol symbol; /* scratch */
    struct text text;     /* scratch */
};

void groups_done(struct groups *groups);

/* Adds one function; an ir_function_fn whose context is the groups. */
void groups_add(void *groups, struct slice symbol, uint64_t lines);

/*
 * The names of all groups, in the order of items, as an array in `arena`: the path without type
 * arguments, and where several groups share that, what tells them apart: " (impl#3, closure#0)",
 * the numbers being those the compiler gives within one module, else the whole key with the crates' hashes.
 * No two are the same.
 */
const struct slice *groups_labels(const struct groups *groups, struct arena *arena);

#endif
