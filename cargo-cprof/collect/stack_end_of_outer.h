/* Why a stack that is deeper than its copy is cut, by what became of the rest. */
#ifndef COLLECT_STACK_END_OF_OUTER_H
#define COLLECT_STACK_END_OF_OUTER_H

#include "profile/series.h"
#include "unwind/outer.h"

/* Of a process, whose copied stack ends at that address. */
enum stack_end stack_end_of_outer(enum outer_outcome outcome, uint32_t pid, uint64_t end_of_copy);

#endif
