#include "view/system_calls.h"

#include "base/memory.h"
#include "profile/heap_events.h"

#define THREAD_START "ret_from_fork" /* of threads of the kernel, and those of programs begin there */

/* How the kernel's functions begin that system calls enter (SYSCALL_DEFINEx; arch/x86 and arch/arm64,
 * include/asm/syscall_wrapper.h). What is behind is the call's name. */
static const char *const call_prefixes[] = {
    "__x64_sys_",         "__arm64_sys_",        "__ia32_sys_",      "__x32_compat_sys_", "__se_sys_",
    "__ia32_compat_sys_", "__arm64_compat_sys_", "__se_compat_sys_", "__do_sys_",         "ksys_",
    "__x64_compat_sys_",
};

/* Functions whose names begin so are entered otherwise (arch/x86/include/asm/idtentry.h, arch/arm64's
 * entry-common.c). */
static const struct named_entry {
    const char *name;
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
    {THREAD_START, "[kernel thread]"},
};

/* Threads of the kernel's that do for a program what it has asked io_uring for (io_uring/io-wq.c, io-wqe.c
 * before Linux 6.4; sqpoll.c), and what they are called where they have nothing to do. */
static const struct ring_worker {
    const char *name;
    const char *what;
    const char *idle;
} ring_workers[] = {
    {"io_wq_worker", "[io_uring worker]", "[idle io_uring worker]"},
    {"io_wqe_worker", "[io_uring worker]", "[idle io_uring worker]"},
    {"io_sq_thread", "[io_uring SQPOLL]", "[idle io_uring SQPOLL]"},
};

/* These call the function of what was asked for, as io_fsync. */
static const char *const ring_issuers[] = {"io_issue_sqe", "__io_issue_sqe"};

/* Whoever waits is in these. */
static const char *const schedulers[] = {"schedule_timeout", "schedule", "__schedule"};

/* Beside the function of such a thread, which is idle there. */
#define IS_IDLE (UINT32_C(1) << 31)

/* What system calls' own functions end with, by a jump that leaves no frame of them. */
static const struct named_entry jumped_to[] = {
    {"kernel_wait4", "wait4"},       {"kernel_waitid", "waitid"},  {"kernel_clone", "clone"},
    {"vm_mmap_pgoff", "mmap"},       {"do_msgrcv", "msgrcv"},      {"do_msgsnd", "msgsnd"},
    {"do_group_exit", "exit_group"}, {"do_exit", "exit"},          {"do_semtimedop", "semtimedop"},
    {"do_readv", "readv"},           {"do_writev", "writev"},      {"do_preadv", "preadv"},
    {"do_pwritev", "pwritev"},       {"__sys_recvmsg", "recvmsg"}, {"__sys_sendmsg", "sendmsg"},
    {"path_getxattrat", "getxattr"},
};

/* Functions that are called otherwise than the call (arch/x86/entry/syscalls/syscall_64.tbl). */
static const struct named_entry called_otherwise[] = {
    {"newstat", "stat"},   {"newlstat", "lstat"},      {"newfstat", "fstat"},  {"newuname", "uname"},
    {"umount", "umount2"}, {"sendfile64", "sendfile"}, {"mmap_pgoff", "mmap"},
};

/* On the way back from whichever call, whose own function has returned: others run first, signals and what
 * was put off are seen to. */
static const char *const returns[] = {
    "exit_to_user_mode_loop", "exit_to_user_mode_prepare", "syscall_exit_to_user_mode",
    "syscall_exit_work",      "do_notify_resume",
};

/* Whoever stops here does so whatever it was asked for. */
static const struct named_entry stops[] = {
    {"do_signal_stop", "[stopped]"},
    {"ptrace_stop", "[traced]"},
    {"vfs_coredump", "[core dump]"},
    {"do_coredump", "[core dump]"},
};

/* Without what compilers call parts and variants of a function by: "el0_svc_common.constprop.0". */
static struct slice plain_name(struct slice name)
{
    return slice_range(name, 0, slice_find_byte(name, '.'));
}

static struct slice find_exactly(const struct named_entry *all, size_t count, struct slice name)
{
    for (size_t i = 0; i < count; i++)
        if (slice_is(name, all[i].name))
            return slice_of(all[i].what);
    return (struct slice){0};
}

/* On the way to any of them, and where all that wait are, which is all that is known of a wait whose callers
 * were not recorded. */
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
    "schedule",
    "__schedule",
    "[kernel]",
};

static bool is_dispatcher(struct slice name)
{
    return slice_is_any(name, dispatchers, ARRAY_COUNT(dispatchers)) ||
           slice_starts_with(name, SLICE("__x86_indirect_thunk_")) ||
           slice_starts_with(name, SLICE("__pi___x86_indirect_thunk_"));
}

/* Of what is behind a prefix. */
static struct slice call_of(struct slice name)
{
    struct slice other = find_exactly(called_otherwise, ARRAY_COUNT(called_otherwise), name);

    return other.length > 0 ? other : name;
}

/* Empty for what tells nothing. */
static struct slice entry_of(struct slice name)
{
    for (size_t i = 0; i < ARRAY_COUNT(call_prefixes); i++) {
        struct slice prefix = slice_of(call_prefixes[i]);

        if (slice_starts_with(name, prefix) && name.length > prefix.length)
            return call_of(slice_range(name, prefix.length, name.length));
    }
    for (size_t i = 0; i < ARRAY_COUNT(entries); i++)
        if (slice_starts_with(name, slice_of(entries[i].name)))
            return slice_of(entries[i].what);
    return find_exactly(jumped_to, ARRAY_COUNT(jumped_to), name);
}

static struct slice full_name_of(const struct profile *profile, uint32_t function)
{
    return profile_text(profile, profile->functions.items[function].name);
}

static struct slice name_of(const struct profile *profile, uint32_t function)
{
    return plain_name(full_name_of(profile, function));
}

enum telling {
    TELLS_NOTHING, /* of what is not the kernel's, too */
    TELLS_LITTLE,
    TELLS_RETURN,
    TELLS,
    TELLS_WORKER, /* a thread of io_uring's, at its own function */
    TELLS_WORK,   /* and beyond, */
    TELLS_ISSUE,  /* up to where it does what was asked for */
    TELLS_DONE,   /* nothing further in tells more, but a stop */
    TELLS_MORE,
};

/* What is known of a stack, from its outermost call to here. */
struct stack_call {
    uint32_t function; /* with IS_IDLE */
    enum telling tells;
    bool has_program;
};

/* Empty for what does not stop. */
static struct slice stop_of(struct slice name)
{
    return find_exactly(stops, ARRAY_COUNT(stops), name);
}

static bool is_return(struct slice name)
{
    return slice_is_any(name, returns, ARRAY_COUNT(returns));
}

/* NULL for other functions. */
static const struct ring_worker *ring_worker_of(struct slice name)
{
    for (size_t i = 0; i < ARRAY_COUNT(ring_workers); i++)
        if (slice_is(name, ring_workers[i].name))
            return &ring_workers[i];
    return NULL;
}

/* By function; to be freed. */
static uint8_t *telling_functions(const struct profile *profile)
{
    uint8_t *tells = memory_new(profile->functions.count + 1, sizeof(*tells));

    for (uint32_t i = 0; i < profile->functions.count; i++) {
        struct slice name = name_of(profile, i);

        if (profile->functions.items[i].category == CATEGORY_KERNEL)
            tells[i] = stop_of(name).length > 0    ? TELLS_MORE
                       : ring_worker_of(name)      ? TELLS_WORKER
                       : entry_of(name).length > 0 ? TELLS
                       : is_return(name)           ? TELLS_RETURN
                       : is_dispatcher(name)       ? TELLS_NOTHING
                                                   : TELLS_LITTLE;
    }
    return tells;
}

static bool is_in_ring_worker(const struct stack_call *call)
{
    return call->tells == TELLS_WORKER || call->tells == TELLS_WORK || call->tells == TELLS_ISSUE;
}

/* The next call there. */
static struct stack_call step_of_worker(const struct profile *profile, struct stack_call outer,
                                        struct stack_call inner)
{
    struct slice name = name_of(profile, inner.function);

    if (inner.tells == TELLS_MORE)
        return inner;
    if (slice_is_any(name, ring_issuers, ARRAY_COUNT(ring_issuers))) {
        outer.tells = TELLS_ISSUE;
    } else if (outer.tells == TELLS_WORKER && slice_is_any(name, schedulers, ARRAY_COUNT(schedulers))) {
        outer.function |= IS_IDLE;
        outer.tells = TELLS_DONE;
    } else if (outer.tells == TELLS_ISSUE && inner.tells != TELLS_NOTHING) {
        inner.tells = TELLS_DONE;
        return inner;
    } else if (outer.tells == TELLS_WORKER) {
        outer.tells = TELLS_WORK;
    }
    return outer;
}

/* What tells more, else what is further out. Of dispatchers the kernel is all that is known. */
static struct stack_call better_of(const struct profile *profile, struct stack_call outer,
                                   struct stack_call inner)
{
    if (outer.function == PROFILE_NONE)
        return inner;
    if (is_in_ring_worker(&outer))
        return step_of_worker(profile, outer, inner);
    return inner.tells > outer.tells ? inner : outer;
}

/* With all calls of its last location. */
static struct stack_call call_of_stack(const struct profile *profile, const uint8_t *tells,
                                       struct stack_call call, uint32_t location_id)
{
    const struct profile_location *location = &profile->locations.items[location_id];

    for (uint32_t j = location->frame_count; j-- > 0;) {
        uint32_t function = profile->frames.items[location->first_frame + j].function;
        bool is_kernels = profile->functions.items[function].category == CATEGORY_KERNEL;

        call.has_program = call.has_program || !is_kernels;
        /* A program's new thread comes from there, too. */
        if (is_kernels &&
            !(call.has_program && slice_starts_with(name_of(profile, function), SLICE(THREAD_START))))
            call = better_of(profile, call,
                             (struct stack_call){function, (enum telling)tells[function], call.has_program});
    }
    return call;
}

/* What tells of memory asks the kernel, too: that is the recording's, and no call of the program's. */
static bool is_in_heap_library(const struct profile *profile, uint32_t location_id)
{
    const struct profile_location *location = &profile->locations.items[location_id];

    return location->module != PROFILE_NONE && location->frame_count > 0 &&
           heap_library_is(profile_text(profile, profile->modules.items[location->module].path));
}

uint32_t *system_calls_of_stacks(const struct profile *profile)
{
    SCOPED(memory_free_at) uint8_t *tells = telling_functions(profile);
    SCOPED(memory_free_at)
    struct stack_call *known = memory_new(profile->stacks.count + 1, sizeof(*known));
    uint32_t *calls = memory_new(profile->stacks.count + 1, sizeof(uint32_t));

    /* A caller's stack has a smaller id. */
    for (size_t i = 0; i < profile->stacks.count; i++) {
        const struct profile_stack *stack = &profile->stacks.items[i];
        struct stack_call outer = {.function = PROFILE_NONE};

        if (stack->parent != PROFILE_NONE)
            outer = known[stack->parent];
        known[i] = call_of_stack(profile, tells, outer, stack->location);
        calls[i] = known[i].function;
        if (calls[i] == PROFILE_NONE && is_in_heap_library(profile, stack->location))
            calls[i] = profile->frames.items[profile->locations.items[stack->location].first_frame].function;
    }
    return calls;
}

struct slice system_call_name(const struct profile *profile, uint32_t call)
{
    uint32_t function = call == PROFILE_NONE ? call : call & ~IS_IDLE;
    const struct ring_worker *worker = NULL;
    struct slice name = {0};
    struct slice what = {0};

    if (function == PROFILE_NONE)
        return SLICE("[program]");
    if (profile->functions.items[function].category != CATEGORY_KERNEL)
        return SLICE("[heap recording]");
    name = name_of(profile, function);
    worker = ring_worker_of(name);
    if (worker)
        return slice_of(call & IS_IDLE ? worker->idle : worker->what);
    what = stop_of(name);
    if (what.length == 0)
        what = entry_of(name);
    if (what.length > 0)
        return what;
    if (is_return(name))
        return SLICE("[return to program]");
    return is_dispatcher(name) ? SLICE("[kernel]") : full_name_of(profile, function);
}
