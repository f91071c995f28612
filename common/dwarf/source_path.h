/*
 * Which package a source file belongs to, told from its path alone: where cargo unpacks packages and
 * what rustc calls the sources of its own libraries.
 */
#ifndef DWARF_SOURCE_PATH_H
#define DWARF_SOURCE_PATH_H

#include <stdbool.h>

#include "base/slice.h"

enum source_kind {
    SOURCE_LOCAL,    /* none of the below: the workspace, or a path dependency */
    SOURCE_REGISTRY, /* …/registry/src/INDEX/NAME-VERSION/ */
    SOURCE_GIT,      /* …/git/checkouts/NAME-HASH/REVISION/ */
    SOURCE_STD,      /* /rustc/HASH/library/NAME/, or …/rustlib/src/rust/library/NAME/ of rust-src */
    SOURCE_STD_DEPS, /* /rust/deps/NAME-VERSION/, /cargo/registry/HASH/NAME-VERSION/: what std depends on */
};

/* All slices point into the path; empty where the path does not tell. */
struct source_origin {
    enum source_kind kind;
    struct slice package; /* as cargo spells it: "regex-automata"; of SOURCE_GIT the repository */
    struct slice version; /* "0.4.8"; of SOURCE_GIT the short revision */
    struct slice path;    /* the file's path inside the package; of SOURCE_LOCAL the whole path */
};

struct source_origin source_path_origin(struct slice path);

/*
 * The folder of the package that a Rust source file is in, where that is laid out as cargo's are: "/ws/util"
 * of
 * "/ws/util/src/a/b.rs". Empty for a file that no "src" is above.
 */
struct slice source_path_package_folder(struct slice path);

/*
 * Whether the path leads to where cargo lets build scripts write, ".../build/NAME-0123456789abcdef/out/..."
 * or
 * ".../build/NAME/0123456789abcdef/out/..."; `package` is then its NAME, part of the path.
 */
bool source_path_of_build_script(struct slice path, struct slice *package);

/* Whether the path leads into the folder, which is written without a last '/'; never below an empty one. */
bool source_path_is_below(struct slice path, struct slice folder);

#endif
