/* From what a file calls a function to what people are shown: its name, its crate, whose code it is. */
#ifndef SYMBOLIZE_NAMES_H
#define SYMBOLIZE_NAMES_H

#include "base/intern.h"
#include "base/pair_index.h"
#include "dwarf/functions.h"
#include "profile/profile.h"
#include "rust/symbol.h"
#include "symbolize/crate_sources.h"
#include "symbolize/foreign_code.h"
#include "symbolize/package_files.h"

/* Zero-initialised but for `profile` is ready; to be released with naming_done. */
struct naming {
    struct profile *profile;             /* borrowed; gets the functions */
    const struct intern *own_crates;     /* borrowed: crates of the user's workspace; NULL: not known */
    const struct intern *program_crates; /* borrowed: all crates that were built; NULL: not known */
    struct package_files files;          /* C of packages that were built */
    struct crate_sources sources;        /* what tells of them where they are not known */
    struct foreign_code foreign;         /* of which crates are not known */
    struct intern texts;                 /* what was known of functions that have linkage names: */
    struct pair_index known;             /* name with async_fns, source file with module */
    VEC(uint32_t) known_functions;       /* of these; PROFILE_NONE: more than these tells which it is */
    struct symbol symbol;                /* scratch */
    struct text text;                    /* scratch */
    struct text path;                    /* scratch */
};

/* What is known of one function. */
struct found_name {
    struct slice text;               /* a linkage name or a readable one */
    bool is_readable;                /* "module::name" rather than a name to be taken apart */
    bool is_rust;                    /* of one that is not mangled: it is Rust's */
    uint32_t async_fns;              /* as of struct function_name, */
    struct closure_numbers closures; /* and so is this */
    struct slice unit_crate;         /* the crate whose unit it is in; may be empty */
    struct slice unit_root;          /* that crate's root file, or the C source; may be empty */
    struct slice file;               /* its source file; may be empty */
    struct slice file_crate; /* the crate of a source file whose path does not tell it; may be empty */
    struct slice module;     /* file name of the module */
};

void naming_done(struct naming *naming);

/*
 * The profile's function for it. What is not Rust has the module for a crate, or the package that its
 * source, else that of its unit, is in. The body of an async fn, which its names call a closure in it, is the
 * function itself; other closures have their numbers, also where linkage names of the legacy kind leave them
 * out: "{closure#0}" for "{{closure}}".
 */
uint32_t naming_function(struct naming *naming, const struct found_name *found);

/*
 * To be called when all functions are named: where nobody said which crates are the user's, one that is local
 * in most of its places is so in all; and C of which nothing tells whose it is counts as no crate of Rust's.
 */
void naming_settle(struct naming *naming);

/* "::{{closure}}" or "::{closure#0}" where `path` ends in it, else empty. */
struct slice naming_last_closure(struct slice path);

/* A symbol's name as people read it; valid until the next call here. */
struct slice naming_readable(struct naming *naming, struct slice symbol);

/*
 * The function that stands for code whose own name is not known: `name` is what it is called instead
 * ("libfoo.so+0x1f40"; empty: "[unknown]") and `why` the reason, as it reads after "because".
 */
uint32_t naming_unnamed(struct naming *naming, struct slice name, struct slice module, const char *why);

/* A function of the kernel; `module` is that of the kernel it is part of, or empty. */
uint32_t naming_kernel(struct naming *naming, struct slice name, struct slice module);

#endif
