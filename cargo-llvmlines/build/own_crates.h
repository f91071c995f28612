/* The crates that are the user's own: those of the workspace, counted or not, and what was asked for. */
#ifndef BUILD_OWN_CRATES_H
#define BUILD_OWN_CRATES_H

#include <stdbool.h>

#include "base/vec.h"
#include "rust/symbol_path.h"

/* Zero-initialised is empty. */
struct own_crates {
    VEC(struct symbol_crate) items; /* names are borrowed; disambiguator 0: whatever has the name */
};

void own_crates_done(struct own_crates *own);

/* Nothing for a crate without a name. */
void own_crates_add(struct own_crates *own, struct symbol_crate crate);

bool own_crates_has(const struct own_crates *own, const struct symbol_crate *crate);

/* Whether a demangled name begins in one: "app::run", "<app::Input as …", "&mut app::Input". */
bool own_crates_has_path(const struct own_crates *own, struct slice path);

#endif
