/* Which event a comparison is of, where both sides have several. */
#ifndef DIFFED_OTHER_EVENTS_H
#define DIFFED_OTHER_EVENTS_H

#include "base/arena.h"
#include "changes/joined.h"

/*
 * "heap-peak is compared; --event names another: heap-end, alloc-bytes", where `option` is "--event"; NULL
 * when both sides have no other one. Lives in `arena`.
 */
const char *other_events_note(struct arena *arena, const struct joined_part parts[JOINED_SIDES],
                              const char *option);

#endif
