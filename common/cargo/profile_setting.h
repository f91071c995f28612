/*
 * Where a setting of a profile stands, for advice: cargo's configuration and environment before the
 * workspace's Cargo.toml, and a profile before the one that it inherits from (the Cargo book, "Profiles").
 */
#ifndef CARGO_PROFILE_SETTING_H
#define CARGO_PROFILE_SETTING_H

#include "cargo/build.h"
#include "cargo/configuration.h"
#include "cargo/manifest.h"

struct cargo_profile_setting {
    struct slice value; /* as text, without quotes */
    const char *place;  /* "/w/Cargo.toml:12 sets strip = true", "CARGO_PROFILE_DEV_DEBUG=0" */
};

/* One profile and the files that may set something of it. To be released with cargo_profile_done. */
struct cargo_profile {
    struct arena *arena; /* borrowed; what the rest points to lives in it */
    const char *name;
    struct cargo_configuration configuration;
    struct manifest manifest; /* the workspace's; its root is NULL when it cannot be read */
};

/* `options` are those that cargo builds with. Never fails: cargo, which reads the files too, says what is
 * wrong. */
void cargo_profile_read(struct arena *arena, const struct options *options, const struct cargo_graph *graph,
                        const char *name, struct cargo_profile *out);

void cargo_profile_done(struct cargo_profile *profile);

enum { CARGO_PROFILE_KEYS_MAX = 3 };

/*
 * `keys` are those below the profile, NULL-terminated, as in {"split-debuginfo"}, {"build-override", "debug"}
 * or {"package", "itoa", "opt-level"}, at most CARGO_PROFILE_KEYS_MAX. Returns false, `out` untouched, when
 * nobody has set it: cargo's own default holds. What `out` points to lives in the profile's arena.
 */
bool cargo_profile_find(const struct cargo_profile *profile, const char *const *keys,
                        struct cargo_profile_setting *out);

/*
 * Adds the packages that have settings of their own, each once, in the order of their bytes: as they are
 * written, which may be "*" or "itoa@1.0.0". They live in the profile's arena.
 */
void cargo_profile_packages(const struct cargo_profile *profile, struct cargo_words *out);

/*
 * The setting of this name of the profile that cargo built with, likewise. `options` are those it built with.
 * What `out` points to lives in `arena`.
 */
bool cargo_profile_setting_find(struct arena *arena, const struct options *options,
                                const struct cargo_built *built, const char *key,
                                struct cargo_profile_setting *out);

#endif
