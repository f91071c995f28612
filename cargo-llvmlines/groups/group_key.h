/* Which group a function belongs to, as text. */
#ifndef GROUPS_GROUP_KEY_H
#define GROUPS_GROUP_KEY_H

#include "groups/groups.h"
#include "rust/symbol_path.h"

/* In a key, what stands behind it tells groups apart that the part before does not, but tells people nothing.
 */
#define GROUP_KEY_MARK '\x1f'

/* The part of a key that says something to people, and what is behind it. Both borrowed from the key. */
struct slice group_key_told(struct slice key, struct slice *rest);

/*
 * Appends what all functions of one group have in common and no other has: with crates as "name[hash]" where
 * symbols tell the hash. `is_split` as of struct groups.
 */
void group_key_add(struct text *text, struct symbol *symbol, enum grouping by, bool is_split);

/* Appends the key of all that is the crate's, but for its modules; `with_hash` false: what people call it. */
void group_key_add_crate(struct text *text, struct symbol_crate crate, bool with_hash);

/* Appends what people call the group; several may have the same. */
void group_key_add_name(struct text *text, struct symbol *symbol, enum grouping by, bool is_split);

#endif
