/*
 * What cargo notes of the units that it compiles: a file called as the target is, "bin-app",
 * "test-integration-test-whole", in a folder that belongs to the unit's own file (unit_folder.h; cargo's
 * documentation, core::compiler::fingerprint).
 */
#ifndef CARGO_UNIT_NOTES_H
#define CARGO_UNIT_NOTES_H

#include <stdbool.h>

#include "base/arena.h"
#include "cargo/target.h"

struct cargo_unit {
    enum cargo_kind kind;
    const char *name; /* of the target, in the arena */
    bool has_harness; /* the unit tests of a library, program or example */
};

/* Whether the file at `path` is of such a unit and cargo's note of it is there; sets `out` if so. */
bool cargo_unit_find(struct arena *arena, const char *path, struct cargo_unit *out);

#endif
