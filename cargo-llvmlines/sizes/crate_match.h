/*
 * The crates of two builds of one program, matched. The compiler tells crates of one name apart by a number
 * that cargo's wishes enter into, so that a crate has another one when it is checked than when it is built.
 */
#ifndef SIZES_CRATE_MATCH_H
#define SIZES_CRATE_MATCH_H

#include <stdbool.h>

#include "base/intern.h"
#include "base/text.h"
#include "rust/symbol_path.h"

enum crate_side { CRATE_COUNTED, CRATE_BUILT, CRATE_SIDES };

/* A crate of one side. */
struct matched_crate {
    struct slice name; /* in the arena */
    uint64_t disambiguator;
    uint32_t partner; /* its index on the other side, or INTERN_NONE */
    bool is_std;      /* std's own copy, that no counted crate is but one with the same number */
};

/* Zero-initialised is empty. */
struct crate_match {
    struct arena arena;
    struct intern keys[CRATE_SIDES]; /* name and number; its id is the index in crates */
    struct {
        VEC(struct matched_crate) items;
    } crates[CRATE_SIDES];
    struct text scratch;
};

void crate_match_done(struct crate_match *match);

/* Notes that a side has the crate; its index there. The name is copied. */
uint32_t crate_match_see(struct crate_match *match, enum crate_side side, struct symbol_crate crate);

/* The same for all crates that a v0 name shows. */
void crate_match_see_symbol(struct crate_match *match, enum crate_side side, const struct symbol *symbol);

/* The two are known to be one crate. Of several built ones that one counted crate became, each may be told.
 */
void crate_match_pair(struct crate_match *match, struct symbol_crate counted, struct symbol_crate built);

/* The built crate is std's own copy of one from elsewhere. */
void crate_match_set_std(struct crate_match *match, struct symbol_crate built);
bool crate_match_is_std(struct crate_match *match, struct symbol_crate built);

/*
 * Matches what was seen and not paired: what has the same number on both sides (the standard library's), then
 * what is the only one left of its name on either side. Anything else stays without a partner.
 */
void crate_match_settle(struct crate_match *match);

/* What the built crate was when it was counted; false when nobody knows. */
bool crate_match_find(struct crate_match *match, struct symbol_crate built, struct symbol_crate *counted);

/* Whether a counted crate of the name has no partner, so that a built one without any may be it. */
bool crate_match_may_be_counted(const struct crate_match *match, struct slice name);

/*
 * Makes a name of the built side one of the counted side (symbol_change_crates). False when it shows a crate
 * that may be one of several counted ones. A crate without a partner keeps its number, which no counted one
 * has.
 */
bool crate_match_translate(struct crate_match *match, struct symbol *symbol);

#endif
