/* The crates of Rust's standard library, and those from elsewhere that it is built with. */
#ifndef RUST_STD_CRATES_H
#define RUST_STD_CRATES_H

#include <stdbool.h>

#include "base/slice.h"

/*
 * Whether std is built with a crate of this name, gimli, hashbrown and the like
 * (rust-lang/rust, library/Cargo.lock). A program may use one of its own beside it.
 */
bool std_crates_depend_on(struct slice name);

/*
 * Whether a crate of this name can be none but Rust's own: core, alloc, std and the like. Not test and
 * unwind, which programs may call crates of theirs.
 */
bool std_crates_own(struct slice name);

#endif
