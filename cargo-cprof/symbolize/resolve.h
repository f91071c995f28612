/*
 * What stands at an address of one module: resolvers in a chain, the best first, of which the first answer
 * counts.
 */
#ifndef SYMBOLIZE_RESOLVE_H
#define SYMBOLIZE_RESOLVE_H

#include "profile/profile.h"
#include "symbolize/module_symbols.h"
#include "symbolize/names.h"
#include "symbolize/stretches.h"
#include "symbolize/stubs.h"

struct jit_names;

/* One module while its locations get their frames. */
struct symbolizing {
    struct profile *profile;
    struct naming naming;
    struct module_symbols symbols;
    struct stretches stretches;
    struct stubs stubs;
    bool has_no_inlined;               /* as of struct symbolize_request, */
    bool has_library_lines;            /* too */
    bool is_of_other_kernel;           /* than the one that runs */
    const struct jit_names *jit_names; /* likewise */
    struct slice
        module; /* its path without folders, and without cargo's hash; names code that is not Rust's */
    struct text scratch; /* file paths */
    struct text root;    /* of the unit's crate */
    struct text name;    /* names made from addresses */
    VEC(struct profile_frame) frames;
    VEC(uint32_t) reused; /* locations that had another name before, in a file that tells no times */
    struct source_frame found[SOURCE_FRAMES_MOST];
};

void symbolizing_done(struct symbolizing *work);

/* Gives a location of the module its frames; one of an unnamed function when nothing tells more. */
void resolve(struct symbolizing *work, uint32_t location);

#endif
