/* Which crate a unit is, as symbols call it. */
#ifndef COUNTS_UNIT_CRATE_H
#define COUNTS_UNIT_CRATE_H

#include "base/arena.h"
#include "counts/unit_counts.h"
#include "rust/symbol_path.h"

/* What is known so far. Zero-initialised knows nothing. */
struct unit_crate {
    struct symbol_crate told;  /* by the IR itself (ir/count.h); borrowed; empty and 0: it does not tell */
    struct symbol_crate found; /* by symbols; the name lives in an arena of the caller's */
    bool is_sure;              /* a symbol says by which crate it was instantiated */
    bool has_legacy_names;
};

/*
 * Takes in a function that the unit defines, parsed: a generic that it instantiates says which crate it is,
 * else what it defines itself. Where the IR tells the crate's name, those of another name say nothing.
 */
void unit_crate_see(struct unit_crate *unit, struct symbol *symbol, struct arena *arena);

/*
 * The crate, borrowed; no name when neither IR nor symbols tell one. Where symbols tell no disambiguator it
 * is that of the IR, unless there are legacy names, which have none: it is 0 then.
 */
struct symbol_crate unit_crate_result(const struct unit_crate *unit);

/* The same of all that was counted; the name lives in `arena`. */
struct symbol_crate unit_crate_of_counts(struct arena *arena, const struct unit_counts *counts);

/*
 * Whether a function is the source of the unit that defines it, and no other defines it too, though its name
 * tells no crate: it was exported by a name of its own (#[no_mangle]), or by one that rustc has for what a
 * program may bring along, as its panic handler (the crate "__rustc").
 */
bool unit_crate_has_source_of(struct symbol *symbol);

#endif
