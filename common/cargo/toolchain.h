/*
 * Which toolchain cargo and rustc are, where rustup's stand in front of them: that of the nearest file
 * rust-toolchain.toml, unless somebody has chosen another (the rustup book, "Overrides").
 */
#ifndef CARGO_TOOLCHAIN_H
#define CARGO_TOOLCHAIN_H

#include <stdbool.h>

#include "base/arena.h"

/* Who chose the toolchain that rustup has set in our environment. */
enum toolchain_choice {
    TOOLCHAIN_OF_FOLDER, /* rustup, for the folder: its file, or the default */
    TOOLCHAIN_TYPED,     /* people: cargo +nightly, or rustup override set */
    TOOLCHAIN_EXPORTED,  /* the variable RUSTUP_TOOLCHAIN was there before, or this rustup does not tell */
    TOOLCHAIN_NOT_SET,   /* none is in our environment: rustup chooses when a program is started */
};

enum toolchain_choice toolchain_choice(void);

/*
 * The toolchain file that counts in the folder: the path of the nearest one from there up to `root`, which is
 * the folder or one above it. NULL when there is none. In `arena`.
 */
const char *toolchain_file_find(struct arena *arena, const char *folder, const char *root);

/*
 * The toolchain that rustup has for the folder, whatever our environment says. NULL when it does not tell. In
 * `arena`.
 */
const char *toolchain_of_folder(struct arena *arena, const char *folder);

#endif
