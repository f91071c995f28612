#include "collect/stack_end.h"

#include "code/frame_shapes.h"
#include "process/remote.h"

enum stack_end stack_end_without_rule(struct modules *modules, const struct process_space *process,
                                      uint64_t address)
{
    const struct mapping *mapping = address_space_find(&process->space, address);
    const struct module *module = NULL;

    /* A return address that is none: what led there is wrong. */
    if (!mapping)
        return process->is_denied ? STACK_CUT_OTHERS : STACK_CUT_BAD;
    if (mapping->module != MODULES_NONE)
        module = modules_open(modules, mapping->module);
    if (module && !module_may_have_code(module, mapping, address))
        return STACK_CUT_BAD;
    if (!module || (!module->is_readable && !module_is_file(module)))
        return STACK_CUT_MADE;
    if (module->is_readable)
        return STACK_CUT_NO_RULE;
    if (module->is_beyond_limit)
        return STACK_CUT_BEYOND_LIMIT;
    return module->is_denied ? STACK_CUT_DENIED : STACK_CUT_NO_FILE;
}

bool stack_end_is_by_moved_stack(struct modules *modules, const struct process_space *process,
                                 uint64_t address)
{
    const struct mapping *mapping = address_space_find(&process->space, address);
    const struct module *module = NULL;
    const struct cfi_row *row = NULL;
    uint32_t return_register = 0;
    uint64_t svma = 0;

    if (!mapping || mapping->module == MODULES_NONE)
        return false;
    module = modules_open(modules, mapping->module);
    if (!module || !module_svma(module, address - mapping->start_avma + mapping->file_offset, &svma))
        return false;
    row = module_rule(module, svma, &return_register);
    return row && row->cfa_rule == CFI_CFA_REGISTER && row->cfa_register == FRAME_RSP &&
           row->return_rule != CFI_UNDEFINED && module_code_hints(module, svma).moved_stack;
}

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
