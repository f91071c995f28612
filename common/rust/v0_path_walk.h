/* Steps through the path of a v0 tree that symbol_path.c and symbol_key.c share. */
#ifndef RUST_V0_PATH_WALK_H
#define RUST_V0_PATH_WALK_H

#include <stdint.h>

#include "rust/symbol_node.h"

/* What stands for "no node". */
#define V0_NO_NODE UINT32_MAX

/*
 * The path or type meant by `node`: through back references and, for paths, through their
 * generic arguments. V0_NO_NODE when a hostile name's references lead nowhere.
 */
uint32_t v0_resolve(const struct symbol *symbol, uint32_t node);

/*
 * What a path that is neither a crate nor without a node stands in: an item's parent, an
 * impl's own path, a trait's path for the trait's items.
 */
uint32_t v0_parent(const struct symbol *symbol, uint32_t node);

/* The crate at the root of the path that `node` means; V0_NO_NODE for what is no path. */
uint32_t v0_root_crate(const struct symbol *symbol, uint32_t node);

/* The second and third child of an impl, the children of a trait's item; V0_NO_NODE for others. */
uint32_t v0_self_type(const struct symbol *symbol, uint32_t node);
uint32_t v0_trait(const struct symbol *symbol, uint32_t node);

/*
 * The path that a type is known by (rustc's characteristic_def_id_of_type): its own, or
 * that of what it refers to, points to, is an array of, the first of a tuple that has
 * one, the first trait of a dyn. V0_NO_NODE for primitive types and functions.
 */
uint32_t v0_type_path(const struct symbol *symbol, uint32_t node);

#endif
