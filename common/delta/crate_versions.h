/*
 * Which versions of a crate in two results belong together. Names alone do not tell: a crate's version is
 * shown only where a result has several crates of its name.
 */
#ifndef DELTA_CRATE_VERSIONS_H
#define DELTA_CRATE_VERSIONS_H

#include <stdbool.h>

#include "base/intern.h"
#include "base/text.h"
#include "base/vec.h"

/*
 * The crate that a row begins with, borrowed from its text: "syn", "syn 1.0.109", "syn (version unknown)",
 * "syn@1.0.109::parse". What std was built with is "hashbrown@std", a name without a version. Of an
 * impl for anything, "<_ as syn::Parse>::f", it is the trait's.
 */
struct named_crate {
    struct slice name;
    struct slice version; /* empty where it is not shown, or not known */
    struct slice rest;    /* behind both */
};

/* Of a text that begins with no name, the name is empty. */
struct named_crate named_crate_of(struct slice text);

/* A crate as it is shown, without its version: "syn" of "syn 1.0.109", "syn (version unknown)" and "syn". */
struct slice crate_without_version(struct slice crate);

/* One version of a crate in one of the results. */
struct crate_version {
    uint32_t crate;         /* id in `crates` */
    struct slice version;   /* empty: not known */
    struct slice label;     /* what the result calls it */
    bool is_one_of_several; /* "util[1f2e]", "util (version unknown)": it is, of unknown versions */
    bool is_after;
    uint32_t pair; /* from 0; the same for what belongs together; set by crate_versions_finish */
};

/* Zero-initialised is empty; to be released with crate_versions_done. */
struct crate_versions {
    struct intern crates;
    struct intern keys;              /* crate, version and side */
    VEC(struct crate_version) items; /* by the key's id */
    VEC(bool) is_several;            /* by crate: several of its name are to be told apart */
};

void crate_versions_done(struct crate_versions *versions);

/* Adds a crate's version, new or known, of the result before or the one after. `label` is borrowed. */
void crate_versions_add(struct crate_versions *versions, struct slice crate, struct slice version,
                        struct slice label, bool is_after);

/*
 * Pairs the versions of each crate one to one: equal ones, then compatible ones as cargo has it (1.2 and 1.3,
 * 0.2.1 and 0.2.5), then what is left, each time from the highest down; but what is one of several
 * unknown ones is left.
 */
void crate_versions_finish(struct crate_versions *versions);

/*
 * What was added, where one of the results has several versions of the crate, or both show one to tell it
 * from another crate of the name. NULL where none has, and for what was not added.
 */
const struct crate_version *crate_versions_find(const struct crate_versions *versions, struct slice crate,
                                                struct slice version, bool is_after);

/* What the other result has of the pair, or NULL when it has none. */
const struct crate_version *crate_versions_other(const struct crate_versions *versions,
                                                 const struct crate_version *one);

/*
 * Appends to `name` the text without the versions that are to be told apart, and to `pairs` what these belong
 * to: of the crate that the text begins with, whose version is `own` where it is not shown, then of others.
 * A crate of the package of its own name is named without that: "syn" of "syn (of syn)".
 */
void crate_versions_add_name(const struct crate_versions *versions, struct slice text, struct slice own,
                             bool is_after, struct text *name, struct text *pairs);

#endif
