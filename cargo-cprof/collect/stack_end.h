/* Why the stack of a sample ends where it does. */
#ifndef COLLECT_STACK_END_H
#define COLLECT_STACK_END_H

#include "process/modules.h"
#include "process/processes.h"
#include "profile/profile.h"
#include "unwind/outer.h"

/*
 * Where nothing tells how to leave the code at the address, in the outermost frame that is known.
 * STACK_CUT_BAD where no code is.
 */
enum stack_end stack_end_without_rule(struct modules *modules, const struct process_space *process,
                                      uint64_t address);

/*
 * Whether call frame information tells the code at the address to be at a known distance from its frame,
 * where the code itself has moved the stack pointer by nobody knows how much. A zero for a return address is
 * then no thread's start.
 */
bool stack_end_is_by_moved_stack(struct modules *modules, const struct process_space *process,
                                 uint64_t address);

/*
 * Of one that is deeper than its copy, which ends at that address of the process: by what became of the rest.
 */
enum stack_end stack_end_of_outer(enum outer_outcome outcome, uint32_t pid, uint64_t end_of_copy);

#endif
