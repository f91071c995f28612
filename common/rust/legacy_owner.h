/* Whose code a legacy name's path is, from what the orphan rule allows. */
#ifndef RUST_LEGACY_OWNER_H
#define RUST_LEGACY_OWNER_H

#include "rust/legacy_path.h"
#include "rust/symbol_path.h"

/* As symbol_defining_crate says it of legacy names. */
struct symbol_owner legacy_owner(struct legacy_path path);

#endif
