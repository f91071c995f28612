/*
 * C symbols that tell which package's they are: the build scripts of ring and aws-lc-sys put the package's
 * name and version before what they compile, so that a program may have several versions of it.
 */
#ifndef RUST_PACKAGE_PREFIX_H
#define RUST_PACKAGE_PREFIX_H

#include <stdbool.h>

#include "base/text.h"

/*
 * Reads "aws_lc_0_47_0_SHA256", "aws_lc_fips_0_13_7_SHA256" and "ring_core_0_17_14__x25519_sc_mask": the
 * package as cargo spells it, static text, and its version, which is appended to `version`. False, with
 * nothing appended, for any other symbol.
 */
bool package_prefix_read(struct slice symbol, struct slice *package, struct text *version);

#endif
