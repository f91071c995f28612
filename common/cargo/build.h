/*
 * From the options of a command to the file it is about: asks cargo what there is, decides which target
 * is meant, has cargo build it. One run of `cargo metadata`, unless its answer is there already, and one of
 * `cargo build`, both of which write what they have to say to standard error. In place of the second it may
 * be `cargo run`, `cargo test` or `cargo bench`, whichever runs the target.
 */
#ifndef CARGO_BUILD_H
#define CARGO_BUILD_H

#include "cargo/artifacts.h"
#include "cargo/diagnostics.h"
#include "proc/run.h"

/* Has cargo run, too, what it built. All borrowed. */
struct cargo_run {
    const char *const *arguments; /* the program's, NULL-terminated; NULL: none */
    run_line_fn *take_line;       /* given each line that cargo or the program writes to standard output */
    void *context;                /* for take_line */
};

/* What to build. All borrowed. */
struct cargo_request {
    const char *verb;                /* the command as typed after "cargo", for hints: "bloatc" */
    const struct options *options;   /* of a command that has the tables of cargo/args.h */
    const struct options *typed;     /* what was typed where that is less, for hints; NULL: `options` */
    const struct cargo_graph *graph; /* as cargo_graph_load gives it for the options; NULL: not asked yet */
    const char *file_verb;           /* the verb as typed before a file, for hints; NULL: `verb` */
    const char *const *extra;        /* more arguments for cargo build, NULL-terminated; NULL: none */
    const char *const *environment;  /* changes for cargo build, as of struct spawn; NULL: none */
    const struct cargo_run *run;     /* NULL: only build */
    const char *own_directory;       /* a folder of the target directory to build in; NULL: not of our own */
    struct cargo_diagnostics *diagnostics; /* takes what compilers say; NULL: cargo writes it itself */
    bool is_unlinked; /* libraries alone are wanted: no target is chosen, no file picked */
};

/* Owns all it points to, but for a graph that the request gave. */
struct cargo_built {
    struct arena arena;
    struct cargo_selection selection;
    const struct cargo_graph *graph;
    struct cargo_graph *own_graph; /* in `arena`; NULL: the request gave it */
    struct cargo_choice choice;
    struct cargo_artifacts artifacts;      /* everything cargo named, the dependencies too */
    const struct cargo_artifact *artifact; /* what was chosen; NULL where nothing is to be */
    struct slice path;                     /* its file, NUL-terminated; then empty */
};

/*
 * The absolute path of a target directory of our own: `name` in that of --target-dir, else in the one that
 * cargo uses. In `arena`.
 */
const char *cargo_own_directory(struct arena *arena, const struct options *options,
                                const struct cargo_graph *graph, const char *name);

/*
 * Adds what cargo_words_add_build does, but for a build in `directory`, absolute and a target directory of
 * our own: intermediate files go there, too, wherever the user's settings have theirs.
 */
void cargo_words_add_build_in(struct arena *arena, const struct options *options,
                              const struct cargo_graph *graph, const char *directory,
                              struct cargo_words *words);

/*
 * Returns 0, or -1: as of cargo_graph_load, cargo_choose, cargo_one_platform_check and cargo_artifacts_pick;
 * ERROR_CHILD with cargo's exit code when the build fails, after cargo has said why, with a hint when it does
 * not know the profile and a name is near.
 */
MUST_CHECK int cargo_build(const struct cargo_request *request, struct cargo_built *out, struct error *err);

void cargo_built_done(struct cargo_built *built);

#endif
