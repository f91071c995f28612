/* Steps up the stack by unwind information. */
#ifndef UNWIND_STEP_BY_RULE_H
#define UNWIND_STEP_BY_RULE_H

#include "unwind/walk.h"

/*
 * Goes from a function to its caller, whose state is that of `callee` on entry. UNWIND_COMPLETE: it went;
 * `*is_last` tells that there is none.
 */
enum unwind_end step_by_rule(const struct unwind_walk *callee, const struct unwind_rule *rule,
                             struct unwind_state *state, uint64_t *cfa, bool *is_last);

#endif
