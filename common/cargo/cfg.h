/*
 * The conditions of [target.'cfg(…)'] tables in cargo's configuration
 * (https://doc.rust-lang.org/reference/conditional-compilation.html).
 */
#ifndef CARGO_CFG_H
#define CARGO_CFG_H

#include <stdbool.h>

#include "base/slice.h"

/*
 * Whether `key`, as in "cfg(all(unix, target_arch = \"x86_64\"))", holds for a target with these facts, which
 * are what `rustc --print cfg` prints: lines `unix` and `target_arch="x86_64"`. What is not of
 * this form, or nested deeper than 64 levels, does not hold: cargo, which reads it too, says what is wrong.
 */
bool cargo_cfg_holds(struct slice key, struct slice facts);

#endif
