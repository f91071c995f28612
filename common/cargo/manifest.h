/*
 * A Cargo.toml, read to tell a person where a setting stands ("Cargo.toml:12 sets strip = true"). It
 * decides nothing: what cargo does also depends on .cargo/config.toml, the environment and the command line.
 */
#ifndef CARGO_MANIFEST_H
#define CARGO_MANIFEST_H

#include "base/text.h"
#include "base/vec.h"
#include "cargo/toml.h"

struct manifest {
    const char *path; /* as it is to be shown */
    const struct toml_node *root;
};

/*
 * Reads the file, or takes its bytes. The result lives in `arena`. Returns 0, or -1: as of file_read, or
 * ERROR_FORMAT "Cargo.toml: line 7: …".
 */
MUST_CHECK int manifest_read(struct arena *arena, const char *path, struct manifest *out, struct error *err);
MUST_CHECK int manifest_parse(struct arena *arena, const char *path, struct slice content,
                              struct manifest *out, struct error *err);

/* The setting with this dotted name, whose parts are plain keys: "profile.release.strip". Or NULL. */
const struct toml_node *manifest_find(const struct manifest *manifest, const char *name);

/*
 * Appends where a setting stands and what it says: "Cargo.toml:12 sets strip = true". A string's value
 * is quoted; of an array or table only the place and the key are told. Nothing for a NULL setting.
 */
void manifest_add_place(struct text *text, const struct manifest *manifest, const struct toml_node *setting);

/* The first of the tables under [profile]; the key of each is the profile's name. Or NULL. */
const struct toml_node *manifest_first_profile(const struct manifest *manifest);

/* Borrowed from the manifest. Zero-initialised is empty. */
struct manifest_paths {
    VEC(struct slice) items;
};

/*
 * Adds what it names by a path: packages (dependencies, patches), the workspace, files of targets. As they
 * are written: relative to the folder of the manifest. To be given to manifest_paths_done.
 */
void manifest_add_paths(const struct manifest *manifest, struct manifest_paths *paths);
void manifest_paths_done(struct manifest_paths *paths);

#endif
