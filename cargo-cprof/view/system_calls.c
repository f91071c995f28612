#include "view/system_calls.h"

#include "base/memory.h"

/* How the kernel's functions begin that system calls enter (SYSCALL_DEFINEx; arch/x86 and arch/arm64,
 * include/asm/syscall_wrapper.h). What is behind is the call's name. */
static const char *const call_prefixes[] = {
    "__x64_sys_",         "__arm64_sys_",        "__ia32_sys_",      "__x32_compat_sys_", "__se_sys_",
    "__ia32_compat_sys_", "__arm64_compat_sys_", "__se_compat_sys_", "__do_sys_",         "ksys_",
    "__x64_compat_sys_",
};

/* Functions whose names begin so are entered otherwise (arch/x86/include/asm/idtentry.h, arch/arm64's
 * entry-common.c). */
static const struct {
    const char *prefix;
    const char *what;
} entries[] = {
    {"asm_exc_page_fault", "[page fault]"},
    {"exc_page_fault", "[page fault]"},
    {"el0_da", "[page fault]"},
    {"el0_ia", "[page fault]"},
    {"do_mem_abort", "[page fault]"},
    {"asm_sysvec_", "[interrupt]"},
    {"sysvec_", "[interrupt]"},
    {"asm_common_interrupt", "[interrupt]"},
    {"el0_interrupt", "[interrupt]"},
    {"el1_interrupt", "[interrupt]"},
    {"ret_from_fork", "[kernel thread]"},
};

/* On the way to any of them. */
static const char *const dispatchers[] = {
    "entry_SYSCALL_64_after_hwframe",
    "do_syscall_64",
    "x64_sys_call",
    "el0t_64_sync",
    "el0t_64_sync_handler",
    "el0_svc",
    "do_el0_svc",
    "el0_svc_common",
    "invoke_syscall",
    "[kernel]",
};

static bool is_dispatcher(struct slice name)
{
    for (size_t i = 0; i < ARRAY_COUNT(dispatchers); i++)
        if (slice_is(name, dispatchers[i]))
            return true;
    return false;
}

/* Empty for what tells nothing. */
static struct slice entry_of(struct slice name)
{
    for (size_t i = 0; i < ARRAY_COUNT(call_prefixes); i++) {
        struct slice prefix = slice_of(call_prefixes[i]);

        if (slice_starts_with(name, prefix) && name.length > prefix.length)
            return slice_range(name, prefix.length, name.length);
    }
    for (size_t i = 0; i < ARRAY_COUNT(entries); i++)
        if (slice_starts_with(name, slice_of(entries[i].prefix)))
            return slice_of(entries[i].what);
    return (struct slice){0};
}

static struct slice name_of(const struct profile *profile, uint32_t function)
{
    return profile_text(profile, profile->functions.items[function].name);
}

enum telling {
    TELLS_NOTHING, /* of what is not the kernel's, too */
    TELLS_LITTLE,
    TELLS,
};

/* By function; to be freed. */
static uint8_t *telling_functions(const struct profile *profile)
{
    uint8_t *tells = memory_new(profile->functions.count + 1, sizeof(*tells));

    for (uint32_t i = 0; i < profile->functions.count; i++) {
        struct slice name = name_of(profile, i);

        if (profile->functions.items[i].category == CATEGORY_KERNEL)
            tells[i] = entry_of(name).length > 0 ? TELLS : is_dispatcher(name) ? TELLS_NOTHING : TELLS_LITTLE;
    }
    return tells;
}

/* What tells more, else what is further out. Of dispatchers the kernel is all that is known. */
static uint32_t better_of(const struct profile *profile, const uint8_t *tells, uint32_t outer, uint32_t inner)
{
    if (profile->functions.items[inner].category != CATEGORY_KERNEL)
        return outer;
    return outer == PROFILE_NONE || tells[inner] > tells[outer] ? inner : outer;
}

uint32_t *system_calls_of_stacks(const struct profile *profile)
{
    SCOPED(memory_free_at) uint8_t *tells = telling_functions(profile);
    uint32_t *calls = memory_new(profile->stacks.count + 1, sizeof(uint32_t));

    /* A caller's stack has a smaller id. */
    for (size_t i = 0; i < profile->stacks.count; i++) {
        const struct profile_stack *stack = &profile->stacks.items[i];
        const struct profile_location *location = &profile->locations.items[stack->location];
        uint32_t call = stack->parent == PROFILE_NONE ? PROFILE_NONE : calls[stack->parent];

        for (uint32_t j = location->frame_count; j-- > 0;)
            call = better_of(profile, tells, call, profile->frames.items[location->first_frame + j].function);
        calls[i] = call;
    }
    return calls;
}

struct slice system_call_name(const struct profile *profile, uint32_t function)
{
    struct slice name = {0};

    if (function == PROFILE_NONE)
        return SLICE("[program]");
    name = name_of(profile, function);
    return entry_of(name).length > 0 ? entry_of(name) : is_dispatcher(name) ? SLICE("[kernel]") : name;
}
