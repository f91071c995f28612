/* Names of crates as people type them. */
#ifndef RUST_CRATE_NAME_H
#define RUST_CRATE_NAME_H

#include <stdbool.h>

#include "base/text.h"

/*
 * Whether `typed` names the crate, which is named as in code: packages are written with "-", the crates they
 * make with "_" (Cargo Book, "The Manifest Format").
 */
bool crate_name_is(struct slice crate, struct slice typed);

/* Appends the name that the package's crate has in code. */
void crate_name_add(struct text *text, struct slice package);

#endif
