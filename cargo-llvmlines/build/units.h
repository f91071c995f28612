/*
 * The units that were selected, among all that cargo names in its messages, and what was
 * counted of each.
 */
#ifndef BUILD_UNITS_H
#define BUILD_UNITS_H

#include "cargo/artifacts.h"
#include "counts/unit_counts.h"

/* One unit that `cargo check` compiled, for the machine that the program is for. */
struct unit {
    const struct cargo_artifact *artifact; /* borrowed */
    const char *metadata_path;             /* its .rmeta file */
    const char *stem; /* what the names of our files for it begin with: OUT_DIR/CRATE-HASH */
    struct slice crate_name;
    struct slice hash;    /* "0123456789abcdef" */
    struct slice package; /* its name and version */
    struct slice version;
    bool is_member;    /* the package is one of the workspace: the user's own code */
    bool is_selected;  /* what was asked for, not something that it depends on */
    bool has_namesake; /* a target of another package is of its kind and name */
};

/* The strings live in an arena of the caller. Zero-initialised is empty. */
struct units {
    VEC(struct unit) items; /* by name, version, kind: in the same order on every run */
};

void units_done(struct units *units);

/*
 * Takes from the artifacts all that is compiled for the machine that the program is for, and marks what the
 * selection names, as cargo understands it: with none of --lib, --bin and
 * the like, libraries and binaries; with them, those; with the test harness only where that was asked for, as
 * the profile "test" does. Build scripts, procedural macros that run and what these depend on are linked, and
 * not taken at all. `out` borrows from artifacts and arena.
 */
void units_select(struct arena *arena, const struct cargo_graph *graph,
                  const struct cargo_selection *selection, const struct cargo_artifacts *artifacts,
                  struct units *out);

/* Whether its code is final, as that of a program, a shared or static library: with the harness anything is.
 */
bool unit_is_final(const struct unit *unit);

/* Whether that of one of those that were selected is. */
bool units_select_final(const struct units *units);

/* Whether another unit has a crate of the same name: another version, or another target. */
bool units_share_crate_name(const struct units *units, const struct unit *unit);

/* Appends which of the targets of a package it is, but for the name: "bin", "lib test" with the harness. */
void unit_add_kind(struct text *text, const struct unit *unit);

/*
 * Appends what people call it: "test client", "bin app (test)"; for what is not of the workspace with
 * its version, "lib syn@1.0.109"; with its package where another's is called the same, "bin extra of tools".
 */
void unit_add_label(struct text *text, const struct unit *unit);

/*
 * Reads what was counted of the unit. Returns 0, or -1 with `out` empty: ERROR_MISSING or ERROR_FORMAT when
 * the counts are not there, damaged, or older than the unit itself; then unit_forget and another run of
 * cargo put it right. ERROR_IO when they cannot be read.
 */
MUST_CHECK int unit_load(const struct unit *unit, struct unit_counts *out, struct error *err);

/*
 * Removes what makes cargo take the unit for up to date. Returns 0, or -1 with ERROR_IO when that is not
 * where it should be or cannot be removed.
 */
MUST_CHECK int unit_forget(const struct unit *unit, struct error *err);

#endif
