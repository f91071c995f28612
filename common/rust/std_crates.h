/* Which crates make up Rust's standard library. */
#ifndef RUST_STD_CRATES_H
#define RUST_STD_CRATES_H

#include <stdbool.h>

#include "base/slice.h"

/*
 * Whether `name` is a crate of the standard library itself: core, alloc, std and what only they can
 * hold (rust-lang/rust, library/). "__rustc" is the compiler's name for the allocator's entry points.
 */
bool std_crates_has(struct slice name);

/*
 * Whether `name` is a crate from elsewhere that std is built with (library/std/Cargo.toml): gimli,
 * hashbrown and the like. A program may use one of its own beside it.
 */
bool std_crates_depend_on(struct slice name);

#endif
