/* A profile as it went on: calls from left to right in the order of time, merged only with those just before.
 */
#ifndef TREE_TIME_TREE_H
#define TREE_TIME_TREE_H

#include "base/error.h"
#include "tree/call_tree.h"

/*
 * Makes a tree of threads, one after the other by name and id, each with its samples in the order of time.
 * Samples are as wide as their weight, so time in which a thread did not run takes no room. `with_gaps`:
 * waits stand where they were in the time of their thread, from its first to its last, with nodes of a kind
 * of their own between; the weights of a thread and of all are of that time then. It changes nothing else. To
 * be released with call_tree_done. Returns 0, or -1 with ERROR_FORMAT when the samples were read from a
 * damaged file.
 */
MUST_CHECK int time_tree_make(struct profile *profile, uint32_t series, bool with_gaps, struct call_tree *out,
                              struct error *err);

#endif
