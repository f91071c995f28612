/*
 * cargo's configuration as --config options and the files give it (the Cargo book, "Configuration"): those
 * files that stand in .cargo/ of the current folder and of each one above it, the user's own in $CARGO_HOME,
 * and the files that these include. Variables of the environment count more than files and less than
 * --config; they are the caller's to ask.
 */
#ifndef CARGO_CONFIGURATION_H
#define CARGO_CONFIGURATION_H

#include "base/vec.h"
#include "cargo/toml.h"
#include "cli/options.h"

struct cargo_configuration_part {
    const struct toml_node *root;
    const char *path;   /* of the file, absolute; NULL for a --config KEY=VALUE */
    const char *folder; /* absolute; what its paths are relative to: for a file the folder above its own */
    bool is_option;     /* came by --config */
};

/* Parts that count more come first. To be released with cargo_configuration_done. */
struct cargo_configuration {
    VEC(struct cargo_configuration_part) parts;
};

/* One value, and the part that it stands in. Both are NULL for none. */
struct cargo_setting {
    const struct toml_node *value;
    const struct cargo_configuration_part *part;
};

/*
 * Reads all there is, at most 256 files; trees live in `arena`. `options` are of a command that has
 * cargo_general_options. A file that cannot be read or is no TOML is let pass: cargo, which reads it
 * too, says what is wrong.
 */
void cargo_configuration_read(struct arena *arena, const struct options *options,
                              struct cargo_configuration *out);

void cargo_configuration_done(struct cargo_configuration *configuration);

/* The value that counts of those with these keys, as of toml_find_path. */
struct cargo_setting cargo_configuration_find(const struct cargo_configuration *configuration,
                                              const char *const *keys);

/*
 * A program that a setting names: a name without "/" is looked up in PATH by who starts it, and a relative
 * path is put behind `folder`, or behind the current one when that is NULL.
 */
const char *cargo_setting_program(struct arena *arena, struct slice program, const char *folder);

#endif
