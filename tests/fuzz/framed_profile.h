/* Profile files that let any bytes pass into their tables. */
#ifndef FUZZ_FRAMED_PROFILE_H
#define FUZZ_FRAMED_PROFILE_H

#include "base/text.h"

/*
 * Appends a profile file with the frame that readers check. The input is chunks one after the other, each
 * with its kind and series (a byte each), its count of samples and its length (two each) before it.
 */
void framed_profile_add(struct text *file, struct slice input);

#endif
