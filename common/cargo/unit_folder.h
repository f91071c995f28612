/*
 * Where cargo keeps what it compiles. Up to Rust 1.99 all units of a profile share folders:
 *
 *     PROFILE/deps/NAME-HASH             PROFILE/.fingerprint/PACKAGE-HASH/
 *
 * and with the layout that nightly cargo has since each has one of its own (cargo's documentation,
 * core::compiler::layout):
 *
 *     PROFILE/build/PACKAGE/HASH/out/    PROFILE/build/PACKAGE/HASH/fingerprint/
 */
#ifndef CARGO_UNIT_FOLDER_H
#define CARGO_UNIT_FOLDER_H

#include <stdbool.h>

#include "base/text.h"

/* What stands between PROFILE and a file's name: "deps", "build/app/0123456789abcdef/out"; empty when the
 * folder is none of these. Part of `folder`. */
struct slice cargo_unit_folder(struct slice folder);

/* Appends the folder that has cargo's notes of the unit whose file it is, where each has its own; else false.
 */
bool cargo_unit_own_notes(struct slice file, struct text *notes);

/* Calls `visit` with the path of each folder that libraries of the profile may be in, whether it is there or
 * not. */
void cargo_unit_folders_visit(struct slice profile, void visit(void *context, const char *folder),
                              void *context);

#endif
