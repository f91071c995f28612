/* rustc's command line as cargo writes it: which unit it is, and whether its IR is to be counted. */
#ifndef BUILD_RUSTC_ARGS_H
#define BUILD_RUSTC_ARGS_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/slice.h"

/* What is said of the unit; empty where nothing is. When said twice, the last counts. */
struct rustc_unit {
    struct slice crate_name;     /* --crate-name */
    struct slice out_dir;        /* --out-dir */
    struct slice extra_filename; /* -C extra-filename: what tells units of one crate apart, "-0123…" */
    bool emits_metadata;         /* --emit, lists and repeated ones together */
    bool emits_link;
    bool has_backend;                 /* -Z codegen-backend: one that may write no LLVM IR */
    bool is_linked;                   /* --crate-type, --test: cargo build would link it, it is no library */
    const struct slice *dependencies; /* --extern: the stems of crates that are read as metadata alone */
    const struct slice *externs;      /* as they stand there; as many */
    size_t dependency_count;
    const char *const *folders; /* -L dependency: where these and what they need stand; NUL-terminated */
    size_t folder_count;
};

/*
 * Reads the arguments behind rustc's own name, NULL-terminated. The result borrows from them and from
 * `arena`. Where an argument is "@FILE" it stands for the lines of that file (rustc(1)). Returns 0, or -1
 * with ERROR_IO when such a file cannot be read.
 */
MUST_CHECK int rustc_unit_parse(struct arena *arena, const char *const *arguments, struct rustc_unit *out,
                                struct error *err);

/*
 * Whether this is a unit of the selected targets or what they depend on. Under `cargo check` those
 * emit metadata and are not linked; build scripts, procedural macros that run and what these depend on are.
 * A compiler that a build script starts to try something has no file name of cargo's.
 */
bool rustc_unit_is_counted(const struct rustc_unit *unit);

/* OUT_DIR/CRATE-HASH: what the names of the unit's files begin with. NUL-terminated, in `arena`. */
const char *rustc_unit_stem(const struct rustc_unit *unit, struct arena *arena);

#endif
