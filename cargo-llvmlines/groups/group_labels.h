/* What people call groups. */
#ifndef GROUPS_GROUP_LABELS_H
#define GROUPS_GROUP_LABELS_H

#include "groups/groups.h"

/*
 * The names of all groups, in the order of items, as an array in `arena`: the path without type arguments,
 * with std's own copies of crates as such (ir/crates.h). Where several groups share that, with what tells
 * them apart: the crates that are known, when they are of several, "syn@1.0.109::parse"; else, or where that
 * is not enough, the numbers that the compiler gives within one module, " (impl#3, closure#0)"; then all
 * crates as crates_add_label has them. Behind the numbers stands the impl's self type where the path does not
 * have it and all copies do, " (impl#3 for &_)", or else its trait's first argument, " (impl#3 with &str)".
 * Instances that read alike have the numbers in their symbols, " (impl#3, Visitor#1)", or at last the symbol.
 * No two are the same.
 */
const struct slice *group_labels(const struct groups *groups, const struct crates *crates,
                                 struct arena *arena);

#endif
