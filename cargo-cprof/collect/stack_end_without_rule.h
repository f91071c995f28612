/* Why nothing tells how to leave code, or only what is wrong. */
#ifndef COLLECT_STACK_END_WITHOUT_RULE_H
#define COLLECT_STACK_END_WITHOUT_RULE_H

#include "process/modules.h"
#include "process/processes.h"
#include "profile/profile.h"

/*
 * Of the code at the address, in the outermost frame that is known: why the walk ended there. STACK_CUT_BAD
 * where no code is.
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

#endif
