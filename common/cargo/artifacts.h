/*
 * What cargo built, from the JSON messages of `cargo build --message-format=json…`
 * (https://doc.rust-lang.org/cargo/reference/external-tools.html).
 */
#ifndef CARGO_ARTIFACTS_H
#define CARGO_ARTIFACTS_H

#include "base/vec.h"
#include "cargo/choose.h"

/* One target of one package, built with one profile. */
struct cargo_artifact {
    struct slice package_id;
    struct slice manifest_path; /* of the package; absolute; empty where it is not told */
    struct cargo_target target; /* without required_features, which messages leave out */
    struct slice opt_level;     /* "0" to "3", "s", "z" */
    struct slice debuginfo;     /* "0", "1", "2", "line-tables-only", ... */
    bool debug_assertions;
    bool is_test;            /* built with the test harness */
    bool is_fresh;           /* was built before */
    bool is_for_std;         /* built for std itself (-Zbuild-std): the feature rustc-dep-of-std */
    struct slice executable; /* NUL-terminated path; empty for what is none */
    struct cargo_names filenames;
};

struct cargo_package_id {
    struct slice name;
    struct slice version; /* empty when the ID has none */
    struct slice source;  /* "registry+https://…", "path+file:///…", "git+https://…?branch=main" */
};

/*
 * Takes apart "registry+https://…#serde@1.0.2", or "path+file:///…/app#0.1.0", whose path ends in the name
 * (the Cargo book, "Package ID Specifications"); and what cargo had before 1.77, "serde 1.0.2
 * (registry+https://…)".
 */
struct cargo_package_id cargo_package_id_read(struct slice id);

/* The library among the artifact's files, NUL-terminated, or NULL. */
const char *cargo_artifact_rlib(const struct cargo_artifact *artifact);

/* A build script that ran, now or for an earlier build. */
struct cargo_script_run {
    struct slice package_id;
    struct slice folder; /* where it was to write, OUT_DIR; NUL-terminated */
};

/* Owns all it points to. Zero-initialised is empty. */
struct cargo_artifacts {
    struct arena arena;
    VEC(struct cargo_artifact) items; /* in the order cargo finished them */
    VEC(struct cargo_script_run) script_runs;
};

void cargo_artifacts_done(struct cargo_artifacts *artifacts);

/*
 * Takes one line of cargo's output. What is no message of cargo's is let pass: proc macros may print lines
 * of their own. Returns 0, or -1 with ERROR_FORMAT when a compiler-artifact message lacks a member.
 */
MUST_CHECK int cargo_artifacts_add_line(struct cargo_artifacts *artifacts, struct slice line,
                                        struct error *err);

/*
 * The file that was built for the choice, NUL-terminated: its executable, shared or static library; with
 * is_any_test the only executable of tests or benchmarks. Returns 0, or -1 with ERROR_MISSING when there is
 * none, ERROR_USAGE when there are several (built for several --target triples) or only others were built;
 * the hint lists commands.
 */
MUST_CHECK int cargo_artifacts_pick(const char *verb, const struct cargo_artifacts *artifacts,
                                    const struct cargo_choice *choice, const struct cargo_artifact **artifact,
                                    struct slice *path, struct error *err);

#endif
