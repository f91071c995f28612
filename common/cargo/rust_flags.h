/*
 * The flags that rustc gets beside those of a profile: RUSTFLAGS and its like, else "rustflags" of cargo's
 * configuration, and the linker (the Cargo book, "build.rustflags" and "target.<triple>.linker").
 */
#ifndef CARGO_RUST_FLAGS_H
#define CARGO_RUST_FLAGS_H

#include "cargo/platform.h"

/*
 * Appends them with blanks between, in cargo's order, a linker as "-Clinker=NAME"; nothing when there are
 * none. Returns 0, or -1 as of cargo_platform_conditions.
 */
MUST_CHECK int cargo_rust_flags_add(const struct cargo_configuration *configuration,
                                    const struct cargo_platform *platform, struct text *out,
                                    struct error *err);

#endif
