/* Crates of which a program has several versions, which names alone do not tell apart. */
#ifndef SYMBOLIZE_VERSIONED_CRATES_H
#define SYMBOLIZE_VERSIONED_CRATES_H

#include "profile/profile.h"

/*
 * To be called when locations have their frames, and again when others got theirs: where source files are of
 * several versions of a crate, its functions become those of "dup@1.0.0" and "dup@2.0.0", and those without
 * a source file that tells of "dup (version unknown)". What std was built with is a version as well.
 */
void versioned_crates_name(struct profile *profile);

#endif
