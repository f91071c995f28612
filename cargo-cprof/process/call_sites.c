#include "process/call_sites.h"

#include <elf.h>
#include <string.h>

#include "base/text.h"
#include "code/calls.h"
#include "process/remote.h"

/* A function and where its file is in memory. */
struct function {
    const struct module *module;
    uint64_t start_svma;
    uint64_t end_svma;
    uint64_t bias; /* to be added to an address of the file */
};

static bool find_function(struct modules *modules, const struct process_space *process, uint64_t avma,
                          struct function *out)
{
    const struct mapping *mapping = address_space_find(&process->space, avma);
    uint64_t svma = 0;

    if (!mapping || mapping->module == MODULES_NONE)
        return false;
    out->module = modules_open(modules, mapping->module);
    if (!out->module->image || out->module->image->machine != EM_X86_64 ||
        !module_svma(out->module, avma - mapping->start_avma + mapping->file_offset, &svma) ||
        !cfi_lookup_range(out->module->frames, svma, &out->start_svma, &out->end_svma))
        return false;
    out->bias = avma - svma;
    return true;
}

static bool is_same(const struct function *a, const struct function *b)
{
    return a->start_svma + a->bias == b->start_svma + b->bias;
}

/* The function's code, which lasts as long as `bytes`. False when it cannot be read. */
static bool read_code(const struct function *function, struct text *bytes, struct code_bytes *out)
{
    uint64_t length = function->end_svma - function->start_svma;

    if (length > CALLS_MOST_BYTES ||
        !module_read_code(function->module, function->start_svma, length, text_extend(bytes, length)))
        return false;
    *out = (struct code_bytes){text_slice(bytes), function->start_svma};
    return true;
}

/* Where the call leads to; false when that is not known. */
static bool find_target(const struct process_space *process, const struct function *caller, uint64_t call,
                        uint64_t *avma)
{
    SCOPED(text_done) struct text bytes = {0};
    struct code_bytes code;
    struct call_target target;
    struct error unread = {0};

    if (!read_code(caller, &bytes, &code) ||
        calls_target(&code, call + 1 - caller->bias, &target, &unread) < 0 || target.kind == CALL_NOT_KNOWN)
        return false;
    *avma = target.svma + caller->bias;
    return target.kind == CALL_DIRECT ||
           remote_read(process->pid, *avma, sizeof(*avma), (char *)avma) == sizeof(*avma);
}

/* Whether what looks like a direct call of the function ends there, as nearly always. */
static bool names_start(const struct function *caller, uint64_t call, const struct function *called)
{
    enum { CALL = 0xe8, CALL_BYTES = 5 };
    unsigned char bytes[CALL_BYTES];
    int32_t distance = 0;

    if (!module_read_code(caller->module, call + 1 - CALL_BYTES - caller->bias, sizeof(bytes),
                          (char *)bytes) ||
        bytes[0] != CALL)
        return false;
    memcpy(&distance, bytes + 1, sizeof(distance));
    return call + 1 + (uint64_t)(int64_t)distance == called->start_svma + called->bias;
}

static bool may_jump_out(const struct function *function)
{
    SCOPED(text_done) struct text bytes = {0};
    struct code_bytes code;
    struct error unread = {0};
    bool result = true;

    return !read_code(function, &bytes, &code) || calls_may_jump_out(&code, &result, &unread) < 0 || result;
}

bool call_sites_may_call(struct modules *modules, const struct process_space *process, uint64_t call,
                         uint64_t callee)
{
    struct function caller;
    struct function called;
    struct function holder; /* of `callee` */
    uint64_t target = 0;

    if (!find_function(modules, process, call, &caller) ||
        !find_function(modules, process, callee, &holder) || names_start(&caller, call, &holder) ||
        !find_target(process, &caller, call, &target) || !find_function(modules, process, target, &called) ||
        called.start_svma + called.bias != target)
        return true;
    return is_same(&called, &holder) || may_jump_out(&called);
}
