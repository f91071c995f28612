/*
 * Where a setting of a profile stands, for advice: cargo's configuration and environment before the
 * workspace's Cargo.toml, and a profile before the one that it inherits from (the Cargo book, "Profiles").
 * What single packages are given ([profile.NAME.package]) is not looked at.
 */
#ifndef CARGO_PROFILE_SETTING_H
#define CARGO_PROFILE_SETTING_H

#include "cargo/build.h"
#include "cargo/configuration.h"

struct cargo_profile_setting {
    struct slice value; /* as text, without quotes */
    const char *place;  /* "/w/Cargo.toml:12 sets strip = true", "CARGO_PROFILE_DEV_DEBUG=0" */
};

/*
 * `key` as in "split-debuginfo". `options` are those that cargo built with. Returns false, `out` untouched,
 * when nobody has set it: cargo's own default holds. What `out` points to lives in `arena`.
 */
bool cargo_profile_setting_find(struct arena *arena, const struct options *options,
                                const struct cargo_built *built, const char *key,
                                struct cargo_profile_setting *out);

#endif
