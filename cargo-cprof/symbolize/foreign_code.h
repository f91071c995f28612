/*
 * C of which nothing but the program that it is in is known. A Rust program is mostly called like the crate
 * that it is built from, whose code such C is not.
 */
#ifndef SYMBOLIZE_FOREIGN_CODE_H
#define SYMBOLIZE_FOREIGN_CODE_H

#include "profile/profile.h"

/* Zero-initialised is empty; to be released with foreign_code_done. */
struct foreign_code {
    VEC(uint32_t) functions; /* of the profile, with a module's name for a crate */
};

/* Notes that the function has its module's name for a crate, as nothing tells one. */
void foreign_code_note(struct foreign_code *code, uint32_t function);

/*
 * To be called when all functions are named: where a crate of Rust's has the module's name, "app", or
 * "my_app" of "my-app", those that were noted are "app (C)".
 */
void foreign_code_settle(const struct foreign_code *code, struct profile *profile);

void foreign_code_done(struct foreign_code *code);

#endif
