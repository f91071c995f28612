/* Why nothing tells how to leave code. */
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

#endif
