#include "collect/stack_end_without_rule.h"

#include "code/frame_shapes.h"

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
