/* Names of crates as people type them. */
#ifndef RUST_CRATE_NAME_H
#define RUST_CRATE_NAME_H

#include <stdbool.h>

#include "base/text.h"

/* The row of what no crate is known of, and what people type for it. */
#define CRATE_NAME_UNKNOWN "[Unknown]"
#define CRATE_NAME_UNKNOWN_WORD "Unknown"

/*
 * Whether `typed` names the crate: packages are written with "-", the crates they make with "_" (Cargo Book,
 * "The Manifest Format"), and each is taken for the other.
 */
bool crate_name_is(struct slice crate, struct slice typed);

/*
 * Appends a crate of which there are several versions with its own, as cargo's package ids have it,
 * "dup@1.0.0"; "dup (version unknown)" where that is empty.
 */
void crate_name_add_versioned(struct text *text, struct slice crate, struct slice version);

/*
 * Appends a path with the first crate of this name in it that a path begins with called `label`,
 * "<dup@1.0.0::S as a::T>::f"; where none is, with the label behind it: "<_ as a::T>::f (dup@1.0.0)".
 */
void crate_name_add_labelled(struct text *text, struct slice path, struct slice crate, struct slice label);

/* Appends the name that the package's crate has in code. */
void crate_name_add(struct text *text, struct slice package);

#endif
