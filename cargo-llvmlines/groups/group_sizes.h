/* Groups beside the code that is left of their copies after optimisation. */
#ifndef GROUPS_GROUP_SIZES_H
#define GROUPS_GROUP_SIZES_H

#include "groups/groups.h"
#include "sizes/code_sizes.h"
#include "sizes/crate_match.h"

/* What one group takes; all 0 when nothing of it is left. */
struct group_size {
    uint64_t size_bytes;      /* of copies that counted crates hold */
    uint64_t left;            /* how many functions that is: codegen units may have one each */
    uint64_t inferred_bytes;  /* of size_bytes: of the group by the path alone */
    uint64_t elsewhere_bytes; /* of copies that other crates hold, which were not counted: std's, say */
};

/* Every byte once: size + elsewhere + ambiguous + other + gaps = total. Zero-initialised is empty. */
struct group_sizes {
    VEC(struct group_size) items; /* by index of the group; none where sizes were not asked for */
    uint64_t total_bytes;
    uint64_t size_bytes;
    uint64_t inferred_bytes;
    uint64_t elsewhere_bytes;
    uint64_t
        ambiguous_bytes;  /* code of one of several groups that share the path, when that is all there is */
    uint64_t other_bytes; /* functions that are of no group */
    uint64_t gap_bytes;   /* padding, and code without a name */
    bool has_counted;     /* a crate that was counted holds some of the code; C's `main` is everybody's */
};

void group_sizes_done(struct group_sizes *sizes);

/* Which crates were counted. `names` are as symbols of the IR have them. */
struct counted_crates {
    VEC(struct symbol_crate) items;
    struct intern plain; /* symbols of the functions in them that have no Rust names */
    bool are_all;        /* some could not be told: whoever holds a copy was counted, but for std */
};

void counted_crates_done(struct counted_crates *crates);

/*
 * Gives each function of the code to the group it belongs to: by its symbol, with the crates of the build
 * translated by `match`, which is settled; where that does not do, a legacy name or one with a crate that has
 * no partner, by the path alone, if one group has it. `groups` serves as scratch. `out` is empty on entry.
 */
void group_sizes_join(struct groups *groups, const struct counted_crates *counted, struct crate_match *match,
                      const struct code_sizes *code, struct group_sizes *out);

#endif
