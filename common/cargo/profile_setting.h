/*
 * Where a setting of a profile stands, for advice: cargo's configuration and environment before the
 * workspace's Cargo.toml, and a profile before the one that it inherits from (the Cargo book, "Profiles").
 * What single packages are given ([profile.NAME.package]) is not looked at.
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

/*
 * `key` as in "split-debuginfo". Returns false, `out` untouched, when nobody has set it: cargo's own default
 * holds. What `out` points to lives in the profile's arena.
 */
bool cargo_profile_find(const struct cargo_profile *profile, const char *key,
                        struct cargo_profile_setting *out);

/*
 * The same of the profile that cargo built with. `options` are those it built with. What `out` points to
 * lives in `arena`.
 */
bool cargo_profile_setting_find(struct arena *arena, const struct options *options,
                                const struct cargo_built *built, const char *key,
                                struct cargo_profile_setting *out);

#endif
