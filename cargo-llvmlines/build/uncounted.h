/*
 * What of a build is not counted, because it runs while that compiles: build scripts, procedural macros and
 * what these need; or because it is std, which cargo may build, too (-Zbuild-std).
 */
#ifndef BUILD_UNCOUNTED_H
#define BUILD_UNCOUNTED_H

#include "build/units.h"

bool uncounted_is(const struct units *units, const struct cargo_artifact *artifact);

/* Appends what people call it: "syn", "the build script of libc". */
void uncounted_add_name(struct text *text, const struct cargo_artifact *artifact);

/* Why the artifact, which is none of the units, is not counted: "which runs while compiling". */
const char *uncounted_why(const struct cargo_artifacts *artifacts, const struct cargo_artifact *artifact);

/*
 * Appends a sentence that names the packages of which nothing is counted, build scripts aside; nothing when
 * there are none.
 */
void uncounted_add_note(struct text *text, const struct units *units,
                        const struct cargo_artifacts *artifacts);

#endif
