/* Whose code the names of folded stacks, and of what else tells names alone, are, as far as these tell. */
#ifndef IMPORT_FOLDED_NAMES_H
#define IMPORT_FOLDED_NAMES_H

#include "profile/profile.h"

/* Whether it is a function that a thread begins with. */
bool folded_name_is_start(struct slice name);

/* Whether the name, the first of a path, is a function's and not a thread's, as far as it tells by itself. */
bool folded_name_is_code(struct slice name);

/* Whether it may be a linkage name of Rust. */
bool folded_name_is_mangled(struct slice name);

/* Whether it is "libc.so.6+0x1f40", as code without a name is written. */
bool folded_name_is_place(struct slice name);

/*
 * The crate of a path: "alloc" of "alloc::vec::Vec<T>::push", of "<alloc::vec::Vec<T> as Drop>::drop" and of
 * "<&mut alloc::vec::Vec<T> as Read>::read": the first word with "::" behind it. Empty when it has none.
 */
struct slice folded_name_crate(struct slice name);

/* Adds the crate of "app::main": programs' crates have a main function. */
void folded_name_add_own_crate(struct slice name, struct intern *own);

/* Gives each location, whose address is the string of a name as written, its function. */
void folded_names_set(struct profile *profile);

#endif
