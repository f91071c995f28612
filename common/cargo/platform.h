/*
 * The machine that cargo compiles for, and where its configuration says something of that one alone:
 * [target.TRIPLE], [target.'cfg(…)'] and CARGO_TARGET_TRIPLE_KEY (the Cargo book, "Configuration").
 */
#ifndef CARGO_PLATFORM_H
#define CARGO_PLATFORM_H

#include "cargo/args.h"
#include "cargo/configuration.h"

struct cargo_platform {
    const char *triple;
    const char *rustc;    /* the compiler that cargo asks, too */
    const char *compiler; /* what it is, "rustc 1.95.0 (…)"; NULL: nothing made us ask */
};

/*
 * Asks the options and the configuration, and where these do not tell, `rustc -vV` for the host. Strings live
 * in `arena`. Returns 0, or -1 with `out` untouched: ERROR_CHILD and the failures of run_capture when rustc
 * does not answer, ERROR_FORMAT when it tells no host.
 */
MUST_CHECK int cargo_platform_find(struct arena *arena, const struct options *options,
                                   const struct cargo_configuration *configuration,
                                   struct cargo_platform *out, struct error *err);

/* The machine that the compiler itself runs on. Fails as cargo_platform_find. */
MUST_CHECK int cargo_platform_host(struct arena *arena, const struct cargo_configuration *configuration,
                                   const char **triple, struct error *err);

/* The triple that options or configuration name, without asking rustc; NULL: they leave it to the host. */
const char *cargo_platform_named(struct arena *arena, const struct options *options,
                                 const struct cargo_configuration *configuration);

/*
 * The folder of what rustc links programs for that triple with: `rustc --print target-libdir`. Returns 0, or
 * -1 with the failures of run_capture, ERROR_CHILD when rustc does not know the triple.
 */
MUST_CHECK int cargo_platform_libraries(struct arena *arena, const struct cargo_configuration *configuration,
                                        const char *triple, const char **folder, struct error *err);

/* The value of CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_KEY; NULL when that is not set. */
const char *cargo_platform_variable(struct arena *arena, const struct cargo_platform *platform,
                                    const char *key);

/*
 * Adds those "cfg(…)" which hold for the platform and set the key, the one that counts most first. Where some
 * set it, asks `rustc --print=cfg`. Returns 0, or -1 with the failures of run_capture.
 */
MUST_CHECK int cargo_platform_conditions(const struct cargo_platform *platform,
                                         const struct cargo_configuration *configuration, const char *key,
                                         struct cargo_words *out, struct error *err);

#endif
