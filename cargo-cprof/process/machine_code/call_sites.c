#include "process/machine_code/call_sites.h"

#include <elf.h>
#include <string.h>

#include "base/bytes.h"
#include "base/text.h"
#include "code/aarch64_flow.h"
#include "code/calls.h"
#include "process/remote.h"
#include "profile/heap_events.h"

/* A function and where its file is in memory. */
struct function {
    const struct module *module;
    uint64_t start_svma;
    uint64_t end_svma;
    uint64_t bias; /* to be added to an address of the file */
};

/* The file that the address is of, and where it is there. */
static bool find_place(struct modules *modules, const struct process_space *process, uint64_t avma,
                       struct function *out, uint64_t *svma)
{
    const struct mapping *mapping = address_space_find(&process->space, avma);

    if (!mapping || mapping->module == MODULES_NONE)
        return false;
    out->module = modules_open(modules, mapping->module);
    if (!out->module->image || !disassemble_knows(out->module->image->machine) ||
        !module_svma(out->module, avma - mapping->start_avma + mapping->file_offset, svma))
        return false;
    out->bias = avma - *svma;
    return true;
}

/* A function that has an entry for unwinding. */
static bool find_entry(struct modules *modules, const struct process_space *process, uint64_t avma,
                       struct function *out)
{
    uint64_t svma = 0;

    return find_place(modules, process, avma, out, &svma) &&
           cfi_lookup_range(out->module->frames, svma, &out->start_svma, &out->end_svma);
}

/* By its entry for unwinding or, where it has none, by symbols. */
static bool find_function(struct modules *modules, const struct process_space *process, uint64_t avma,
                          struct function *out)
{
    uint64_t svma = 0;

    return find_place(modules, process, avma, out, &svma) &&
           (cfi_lookup_range(out->module->frames, svma, &out->start_svma, &out->end_svma) ||
            (out->module->code_frames &&
             code_frames_range(out->module->code_frames, svma, &out->start_svma, &out->end_svma)));
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

static bool is_aarch64(const struct module *module)
{
    return module->image->machine == EM_AARCH64;
}

/* The instruction of AArch64 that ends at the file's address, less one. False where it cannot be read. */
static bool read_instruction(const struct module *module, uint64_t last_svma, uint32_t *out)
{
    char bytes[AARCH64_INSTRUCTION_BYTES];
    struct bytes cursor = bytes_of((struct slice){bytes, sizeof(bytes)}, false);

    if ((last_svma + 1) % sizeof(bytes) != 0 ||
        !module_read_code(module, last_svma + 1 - sizeof(bytes), sizeof(bytes), bytes))
        return false;
    *out = bytes_u32(&cursor);
    return true;
}

static enum call_kind find_aarch64_target(const struct function *caller, uint64_t call, uint64_t *avma)
{
    uint64_t last_svma = call - caller->bias;
    uint32_t instruction = 0;

    if (!read_instruction(caller->module, last_svma, &instruction) ||
        !aarch64_is_direct_call(instruction, last_svma + 1 - AARCH64_INSTRUCTION_BYTES, avma))
        return CALL_NOT_KNOWN;
    *avma += caller->bias;
    return CALL_DIRECT;
}

/* All these bytes of the process's memory as it is now. */
static bool read_memory(const struct process_space *process, uint64_t avma, size_t length, char *out)
{
    return !process->is_past && remote_read(process->pid, avma, length, out) == length;
}

/*
 * What is called there, CALL_NOT_KNOWN included, and where it is in memory. What a call leads to through
 * memory is read there.
 */
static enum call_kind find_target(const struct process_space *process, const struct function *caller,
                                  uint64_t call, uint64_t *avma)
{
    SCOPED(text_done) struct text bytes = {0};
    struct code_bytes code;
    struct call_target target;
    struct error unread = {0};

    if (is_aarch64(caller->module))
        return find_aarch64_target(caller, call, avma);
    if (!read_code(caller, &bytes, &code) ||
        calls_target(&code, call + 1 - caller->bias, &target, &unread) < 0)
        return CALL_NOT_KNOWN;
    *avma = target.svma + caller->bias;
    if (target.kind == CALL_THROUGH && !read_memory(process, *avma, sizeof(*avma), (char *)avma))
        return CALL_NOT_KNOWN;
    return target.kind;
}

enum { CALL = 0xe8, CALL_BYTES = 5 };

/* Whether what looks like a direct call ends there, and where it leads then. */
static bool looks_direct(const struct function *caller, uint64_t call, uint64_t *target)
{
    unsigned char bytes[CALL_BYTES];
    int32_t distance = 0;

    if (is_aarch64(caller->module) ||
        !module_read_code(caller->module, call + 1 - CALL_BYTES - caller->bias, sizeof(bytes),
                          (char *)bytes) ||
        bytes[0] != CALL)
        return false;
    memcpy(&distance, bytes + 1, sizeof(distance));
    *target = call + 1 + (uint64_t)(int64_t)distance;
    return true;
}

static enum calls_jumps find_jumps(const struct function *function)
{
    SCOPED(text_done) struct text bytes = {0};
    struct code_bytes code;
    struct error unread = {0};
    enum calls_jumps jumps = CALLS_JUMPS_OUT;

    if (!read_code(function, &bytes, &code))
        return CALLS_JUMPS_OUT;
    if (is_aarch64(function->module))
        return aarch64_may_jump_out(&code) ? CALLS_JUMPS_OUT : CALLS_JUMPS_WITHIN;
    return calls_find_jumps(&code, &jumps, &unread) < 0 ? CALLS_JUMPS_OUT : jumps;
}

/*
 * Whether nothing but a return address is on the stack as it begins (System V ABI of x86-64, 3.4.1), by its
 * entry for unwinding. Parts of functions that compilers put elsewhere mostly begin with more.
 */
static bool begins_like_called(const struct function *function)
{
    enum { STACK_POINTER = 7, RETURN_ADDRESS_BYTES = 8 }; /* a DWARF number */
    uint32_t unused = 0;
    const struct cfi_row *row = cfi_lookup_find(function->module->frames, function->start_svma, &unused);

    return row && row->cfa_rule == CFI_CFA_REGISTER && row->cfa_register == STACK_POINTER &&
           row->cfa_offset == RETURN_ADDRESS_BYTES && row->frame_rule == CFI_SAME;
}

/* Whether `here`, NULL where that is in no function that is known, may be gone on in without a call. */
static bool may_go_on_in(const struct function *function, const struct function *here)
{
    enum calls_jumps jumps = CALLS_JUMPS_OUT;

    /* That has itself called in place of functions (preload/linked/). */
    if (here && heap_library_is(here->module->path))
        return true;
    jumps = find_jumps(function);
    return jumps == CALLS_JUMPS_OUT || (jumps == CALLS_JUMPS_BY_TABLE && !(here && begins_like_called(here)));
}

/* What a call may lead to. */
enum leads {
    LEADS_ELSEWHERE,
    LEADS_ELSEWHERE_NOW, /* by what stands in memory, or is no call there, which may change */
    MAY_LEAD_HERE,
};

/* `here` is NULL where the instruction that it may lead to is in no function that is known. */
static enum leads where_it_leads(struct modules *modules, const struct process_space *process, uint64_t call,
                                 const struct function *here)
{
    struct function caller;
    struct function called;
    uint64_t target = 0;
    enum call_kind kind = CALL_NOT_KNOWN;

    if (!find_function(modules, process, call, &caller) ||
        (here && looks_direct(&caller, call, &target) && target == here->start_svma + here->bias))
        return MAY_LEAD_HERE;
    kind = find_target(process, &caller, call, &target);
    if (kind == CALL_NOT_KNOWN || !find_function(modules, process, target, &called) ||
        called.start_svma + called.bias != target || (here && is_same(&called, here)) ||
        may_go_on_in(&called, here))
        return MAY_LEAD_HERE;
    return kind == CALL_DIRECT ? LEADS_ELSEWHERE : LEADS_ELSEWHERE_NOW;
}

bool call_sites_may_call(struct modules *modules, const struct process_space *process, uint64_t call,
                         uint64_t callee)
{
    struct function holder;

    return !find_function(modules, process, callee, &holder) ||
           where_it_leads(modules, process, call, &holder) == MAY_LEAD_HERE;
}

/* How many bytes ff /2 or /4 takes with this operand: ModR/M and what follows it (Intel SDM, volume
 * 2, 2.1.5). */
static size_t indirect_bytes(unsigned char modrm, unsigned char sib)
{
    enum { OPCODE_AND_MODRM = 2, HAS_SIB = 4, NO_BASE = 5, REGISTER = 3 };
    unsigned mode = modrm >> 6;
    bool has_sib = mode != REGISTER && (modrm & 7) == HAS_SIB;
    unsigned base = has_sib ? sib & 7 : modrm & 7;
    size_t distance = mode == 1 ? 1 : mode == 2 || (mode == 0 && base == NO_BASE) ? 4 : 0;

    return OPCODE_AND_MODRM + has_sib + distance;
}

enum { INDIRECT_CALL = 0x10, INDIRECT_JUMP = 0x20 };

/* Whether the bytes may end with ff /2, a call, or /4, a jump, and its operand. */
static bool ends_with_indirect(const unsigned char *bytes, size_t count, unsigned char kind)
{
    enum { INDIRECT = 0xff, REG_MASK = 0x38 };

    for (size_t i = 0; i + 1 < count; i++)
        if (bytes[i] == INDIRECT && (bytes[i + 1] & REG_MASK) == kind &&
            indirect_bytes(bytes[i + 1], i + 2 < count ? bytes[i + 2] : 0) == count - i)
            return true;
    return false;
}

/* Whether the bytes may end with a call: e8 and a distance, or ff /2 and its operand. */
static bool ends_with_call(const unsigned char *bytes, size_t count)
{
    return (count >= CALL_BYTES && bytes[count - CALL_BYTES] == CALL) ||
           ends_with_indirect(bytes, count, INDIRECT_CALL);
}

/* How code asks where it is: it calls what comes next, and takes the address from the stack at once. */
static bool ends_with_call_of_next(const unsigned char *bytes, size_t count)
{
    static const unsigned char call[CALL_BYTES] = {CALL};

    return count >= sizeof(call) && memcmp(bytes + count - sizeof(call), call, sizeof(call)) == 0;
}

static bool is_in_no_file(const struct process_space *process, uint64_t avma)
{
    const struct mapping *mapping = address_space_find(&process->space, avma);

    return mapping && mapping->module == MODULES_NONE;
}

enum { SHORTEST_CALL = 2, LONGEST_CALL = 7 };

bool call_sites_end_of_made(struct slice bytes)
{
    const unsigned char *start = (const unsigned char *)bytes.data;

    return ends_with_call(start, bytes.length) || ends_with_indirect(start, bytes.length, INDIRECT_JUMP);
}

/* The same of code that is in no file, as it is now: true where it cannot be read. */
static bool is_behind_call_now(const struct process_space *process, uint64_t call)
{
#if defined(__x86_64__)
    unsigned char bytes[LONGEST_CALL];

    return !read_memory(process, call + 1 - sizeof(bytes), sizeof(bytes), (char *)bytes) ||
           call_sites_end_of_made((struct slice){(const char *)bytes, sizeof(bytes)});
#else
    char bytes[AARCH64_INSTRUCTION_BYTES];
    struct bytes cursor = bytes_of((struct slice){bytes, sizeof(bytes)}, false);
    uint32_t instruction = 0;

    if (!read_memory(process, call + 1 - sizeof(bytes), sizeof(bytes), bytes))
        return true;
    instruction = bytes_u32(&cursor);
    return aarch64_is_call(instruction) || aarch64_is_jump(instruction);
#endif
}

/* Whether the instruction before `call + 1` may be a call. */
static bool is_behind_call(struct modules *modules, const struct process_space *process, uint64_t call)
{
    const struct mapping *mapping = address_space_find(&process->space, call);
    const struct module *module = NULL;
    unsigned char bytes[LONGEST_CALL];
    uint32_t instruction = 0;
    uint64_t svma = 0;

    if (!mapping)
        return false;
    if (mapping->module == MODULES_NONE)
        return is_behind_call_now(process, call);
    module = modules_open(modules, mapping->module);
    if (!module->image || !disassemble_knows(module->image->machine) ||
        !module_svma(module, call - mapping->start_avma + mapping->file_offset, &svma))
        return true;
    if (is_aarch64(module))
        return read_instruction(module, svma, &instruction) && aarch64_is_call(instruction);
    /* Not as many bytes stand before a call near the start of a section. */
    for (size_t count = sizeof(bytes); count >= SHORTEST_CALL; count--)
        if (module_read_code(module, svma + 1 - count, count, (char *)bytes))
            return ends_with_call(bytes, count) && !ends_with_call_of_next(bytes, count);
    return false;
}

bool call_sites_is_before_entry(struct modules *modules, const struct process_space *process,
                                uint64_t address)
{
    struct function behind;
    uint64_t svma = 0;

    /* Mostly one function holds both. Symbols take longer to read, and are asked where no call ends alone. */
    if (!find_place(modules, process, address + 1, &behind, &svma) ||
        (cfi_lookup_range(behind.module->frames, svma, &behind.start_svma, &behind.end_svma) &&
         behind.start_svma != svma))
        return false;
    return !is_behind_call(modules, process, address) &&
           find_function(modules, process, address + 1, &behind) && behind.start_svma == svma;
}

/* Fibonacci hashing, as of unwind/rule_cache.c. */
static size_t place_of(uint64_t call, uint64_t start, size_t count)
{
    return ((call + (start << 24)) * UINT64_C(0x9e3779b97f4a7c15) >> 40) % count;
}

/*
 * Whether a function begins in memory as in its file, as far as that is known: where it was replaced while
 * the program ran it begins with a jump.
 */
static bool begins_as_in_file(const struct process_space *process, const struct function *function)
{
    enum { LONGEST_JUMP = 14 }; /* through the 8 bytes behind it */
    char now[LONGEST_JUMP];
    char then[LONGEST_JUMP];

    return !read_memory(process, function->start_svma + function->bias, sizeof(now), now) ||
           !module_read_code(function->module, function->start_svma, sizeof(then), then) ||
           memcmp(now, then, sizeof(now)) == 0;
}

/*
 * Whether a direct call ends there, of the function at `likely` as it looks, that has not led to the one that
 * runs. What is read of code for it is little unless it is so.
 */
static bool leads_past(struct modules *modules, const struct process_space *process, uint64_t call,
                       uint64_t likely, const struct function *here)
{
    struct function caller;
    struct function called;
    uint64_t target = 0;

    return likely != here->start_svma + here->bias && find_entry(modules, process, likely, &called) &&
           called.start_svma + called.bias == likely && !may_go_on_in(&called, here) &&
           find_entry(modules, process, call, &caller) &&
           find_target(process, &caller, call, &target) == CALL_DIRECT && target == likely &&
           begins_as_in_file(process, &called);
}

static struct call_end ask(struct modules *modules, const struct process_space *process, uint64_t call,
                           uint64_t callee)
{
    struct call_end found = {call, 0, UINT64_MAX, process->generation, CALL_SITES_MAY_CALL};
    struct function caller;
    struct function here;
    uint64_t likely = 0;
    uint64_t unused = 0;

    if (is_in_no_file(process, call))
        return found;
    if (!find_place(modules, process, call, &caller, &unused) || !looks_direct(&caller, call, &likely) ||
        likely == call + 1) {
        found.answer = is_behind_call(modules, process, call) ? CALL_SITES_MAY_CALL : CALL_SITES_NO_CALL;
        return found;
    }
    found.start = callee;
    found.end = callee + 1;
    if (!find_entry(modules, process, callee, &here))
        return found;
    found.start = here.start_svma + here.bias;
    found.end = here.end_svma + here.bias;
    if (leads_past(modules, process, call, likely, &here))
        found.answer = CALL_SITES_ELSEWHERE;
    return found;
}

enum call_sites_answer call_sites_ask(struct checked_calls *checked, struct modules *modules,
                                      const struct process_space *process, uint64_t call, uint64_t callee)
{
    enum { NEAR_BITS = 6 }; /* a call may have led to a function and to what it jumps to, in turn */
    struct call_end *known = &checked->ends[place_of(call, callee >> NEAR_BITS, CHECKED_RETURNS)];

    if (known->call != call || known->generation != process->generation || known->generation == 0 ||
        callee < known->start || callee >= known->end)
        *known = ask(modules, process, call, callee);
    return known->answer;
}

static struct checked_call check_call(struct checked_calls *checked, struct modules *modules,
                                      const struct process_space *process, uint64_t call, uint64_t callee)
{
    struct function holder;
    const bool is_known = find_function(modules, process, callee, &holder);
    const uint64_t start = is_known ? holder.start_svma + holder.bias : callee;
    struct checked_call *known = &checked->items[place_of(call, start, CHECKED_CALLS)];
    struct checked_call found = {.call = call, .callee = start, .generation = process->generation};
    enum leads leads = LEADS_ELSEWHERE;
    bool is_behind = false;

    if (known->call == call && known->callee == start && known->generation == process->generation &&
        known->generation != 0)
        return *known;
    is_behind = is_behind_call(modules, process, call);
    if (is_behind)
        leads = where_it_leads(modules, process, call, is_known ? &holder : NULL);
    else if (is_in_no_file(process, call))
        leads = LEADS_ELSEWHERE_NOW;
    found.is_call = leads == MAY_LEAD_HERE;
    found.leads_elsewhere = is_known && is_behind && leads != MAY_LEAD_HERE;
    if (leads != LEADS_ELSEWHERE_NOW)
        *known = found;
    return found;
}

bool call_sites_is_call(struct checked_calls *checked, struct modules *modules,
                        const struct process_space *process, uint64_t call, uint64_t callee)
{
    return check_call(checked, modules, process, call, callee).is_call;
}

bool call_sites_leads_elsewhere(struct checked_calls *checked, struct modules *modules,
                                const struct process_space *process, uint64_t call, uint64_t callee)
{
    return check_call(checked, modules, process, call, callee).leads_elsewhere;
}
