/*
 * The packages of a workspace and their targets, as `cargo metadata --no-deps` tells them
 * (its format version 1: cargo-metadata(1)). Dependencies from elsewhere are not in it.
 */
#ifndef CARGO_GRAPH_H
#define CARGO_GRAPH_H

#include "cargo/args.h"
#include "cargo/target.h"
#include "json/json_in.h"

struct cargo_feature {
    struct slice name;
    struct cargo_names enables; /* "other", "dep:name", "name/feature", "name?/feature" */
};

struct cargo_package {
    struct slice name;
    struct slice version;
    struct slice id;            /* as build messages name it */
    struct slice manifest_path; /* absolute */
    struct slice default_run;   /* empty when not set */
    const struct cargo_target *targets;
    size_t target_count;
    const struct cargo_feature *features; /* sorted by name */
    size_t feature_count;
    struct json_value metadata; /* [package.metadata]; .node is NULL when there is none */
};

/* Owns all it points to. Zero-initialised is empty. */
struct cargo_graph {
    struct json_document document;
    struct arena arena;
    struct slice workspace_root;
    struct slice target_directory;
    struct slice build_directory;         /* of intermediate files, often the same; empty before cargo 1.91 */
    const struct cargo_package *packages; /* members of the workspace */
    size_t package_count;
    struct cargo_names default_members; /* package IDs: what cargo takes without -p or --workspace */
    struct json_value metadata;         /* [workspace.metadata], as of a package */
};

/* Reads what cargo printed. Returns 0, or -1 with ERROR_FORMAT naming what is not of the format. */
MUST_CHECK int cargo_graph_parse(struct slice json, struct cargo_graph *out, struct error *err);

/*
 * Asks cargo, whose own messages go to standard error. Returns 0, or -1: ERROR_MISSING when there is no
 * cargo, ERROR_CHILD with cargo's exit code when it refuses (it has then said why),
 * ERROR_USAGE for -Z help, which is answered by cargo alone, or as of cargo_graph_parse.
 */
MUST_CHECK int cargo_graph_load(const struct options *options, struct cargo_graph *out, struct error *err);

void cargo_graph_done(struct cargo_graph *graph);

/* The package with this ID, or NULL. */
const struct cargo_package *cargo_graph_find(const struct cargo_graph *graph, struct slice id);

/* Whether a package is what -p or --exclude SPEC names: a name, a pattern, name@version, name:version, an ID,
 * a URL with or without what an ID has behind it.
 */
bool cargo_package_is(const struct cargo_package *package, const char *spec);

/* Whether cargo takes the package for this selection. */
bool cargo_package_is_selected(const struct cargo_graph *graph, const struct cargo_package *package,
                               const struct cargo_selection *selection);

/*
 * Whether all features that the target requires are on under this selection, as far as the package's own
 * table tells: features of dependencies are taken to be on.
 */
bool cargo_target_is_enabled(const struct cargo_package *package, const struct cargo_target *target,
                             const struct cargo_selection *selection);

#endif
