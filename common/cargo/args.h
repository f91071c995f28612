/*
 * cargo's selection flags, spelled and behaving as `cargo build` has them (cargo 1.95), in one place for
 * all commands: as option tables for help and parsing, as arguments to hand on, and as plain data.
 *
 * A command with another idea of -F puts a table of its own in place of cargo_feature_options,
 * with the same names; all below goes by names.
 */
#ifndef CARGO_ARGS_H
#define CARGO_ARGS_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/vec.h"
#include "cargo/target.h"
#include "cli/options.h"

extern const struct option_table cargo_package_options;
extern const struct option_table cargo_target_options;
/*
 * --unit-test and --unit-bench, as cargo-flamegraph has them: a library or program with the test harness
 * around it. For commands that run what cargo builds; not one of CARGO_OPTION_TABLES.
 */
extern const struct option_table cargo_unit_options;
extern const struct option_table cargo_feature_options;
extern const struct option_table cargo_compilation_options;
extern const struct option_table cargo_manifest_options;
/* -v, -q, --config and -Z. */
extern const struct option_table cargo_general_options;

/* All of these, for the tables of a command. */
#define CARGO_OPTION_TABLES                                                                                  \
    &cargo_target_options, &cargo_package_options, &cargo_feature_options, &cargo_compilation_options,       \
        &cargo_manifest_options, &cargo_general_options

/* They alone, NULL-terminated. */
extern const struct option_table *const cargo_option_tables[];

/*
 * The first option given that tells cargo what to build, so not -v and -q; NULL when there is none. Where
 * files are named instead there is nothing for it to do.
 */
const struct option_spec *cargo_first_option(const struct options *options);

/* With which of cargo's test harnesses a library or program is built. */
enum cargo_harness { CARGO_NO_HARNESS, CARGO_TEST_HARNESS, CARGO_BENCH_HARNESS };

/* Whether the option is one of those. */
bool cargo_option_tells_what_to_build(const struct option_spec *spec);

/* One of --lib, --bin NAME, --bins, ... */
struct cargo_wish {
    enum cargo_kind kind;
    const char *name; /* may hold *, ?, [...] as cargo allows; NULL for all of the kind */
};

/* What the options select. Strings are borrowed from the options and, where split, from the arena. */
struct cargo_selection {
    VEC(const char *) packages; /* -p: names, package IDs, patterns */
    VEC(const char *) excluded;
    VEC(struct cargo_wish) wishes; /* none: cargo's default */
    enum cargo_harness harness;    /* of --unit-test or --unit-bench, the last one */
    const char *unit;              /* whose tests; NULL for the only one there is */
    VEC(const char *) features;    /* one by one: "a", "package/a" */
    const char *profile;           /* "dev" unless something else was asked for */
    const char *manifest_path;     /* NULL for the one cargo finds */
    bool workspace, all_targets, all_features, no_default_features;
    const struct options *options; /* what the user typed; borrowed */
    bool asks_for_names;           /* --bin, -p or the like without a value: cargo then lists what there is */
    bool wants_program;            /* set by who runs what is built: libraries do not count */
};

void cargo_selection_read(struct arena *arena, const struct options *options, struct cargo_selection *out);
void cargo_selection_done(struct cargo_selection *selection);

/* Whether the option with this name says which packages, or which of their targets. */
bool cargo_option_selects_packages(const char *name);
bool cargo_option_selects_targets(const char *name);

/* A program's arguments; the words are borrowed. Zero-initialised is empty. */
struct cargo_words {
    VEC(const char *) items;
};

void cargo_words_done(struct cargo_words *words);
void cargo_words_add(struct cargo_words *words, const char *word);

/* The words in an array of the arena that ends in NULL. */
const char *const *cargo_words_keep(struct arena *arena, const struct cargo_words *words);

/* Adds all cargo flags among the options, in the order typed, for `cargo build` and the like. */
void cargo_words_add_build(struct arena *arena, const struct options *options, struct cargo_words *words);

/* Of these, those that neither select packages nor targets. */
void cargo_words_add_settings(struct arena *arena, const struct options *options, struct cargo_words *words);

/* And those that select packages. */
void cargo_words_add_packages(struct arena *arena, const struct options *options, struct cargo_words *words);

/* Adds those that `cargo metadata` takes and that change what it answers. */
void cargo_words_add_metadata(struct arena *arena, const struct options *options, struct cargo_words *words);

/* With -v, says on standard error that the words are run, as cargo says it of what it runs. */
void cargo_words_tell(const struct options *options, const struct cargo_words *words);

/* The program to run as cargo: $CARGO, which cargo sets for its subcommands, else "cargo". */
const char *cargo_program(void);

/* Where starting it failed, and the user can do something about it, sets the hint of `err`. Returns -1. */
int cargo_program_explain(struct error *err);

#endif
