#include "collect/stack_end_of_outer.h"

#include "process/remote.h"

enum stack_end stack_end_of_outer(enum outer_outcome outcome, uint32_t pid, uint64_t end_of_copy)
{
    switch (outcome) {
    case OUTER_REFUSED:
        return remote_is_gone(pid, end_of_copy) ? STACK_CUT_GONE : STACK_CUT_UNREAD;
    case OUTER_TOO_DEEP:
        return STACK_CUT_LENGTH;
    case OUTER_ELSEWHERE:
        return STACK_CUT_SWITCH;
    default:
        return STACK_CUT_CHANGED;
    }
}
