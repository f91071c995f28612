#include "record/collect.h"

#include <stdlib.h>

#include "base/memory.h"
#include "proc/pid_namespace.h"
#include "process/call_sites.h"
#include "process/modules.h"
#include "process/processes.h"
#include "process/remote.h"
#include "process/snapshot.h"
#include "process/system_call.h"
#include "record/catch_up.h"
#include "record/copies.h"
#include "record/held_samples.h"
#include "record/kernel_calls.h"
#include "record/outside.h"
#include "record/patience.h"
#include "record/recorded_threads.h"
#include "record/stack_end_of_outer.h"
#include "record/stack_end_without_rule.h"
#include "record/stack_prefix.h"
#include "record/taken_away.h"

/* A recording while it goes on. */
struct recorder {
    struct profile *profile; /* borrowed */
    struct modules modules;
    struct processes processes;
    struct unwinder unwinder;
    struct recorded_threads threads;
    struct outer outer; /* by the first of the profile's threads that a thread was */
    struct held_samples held;
    struct stack_prefix prefix;
    struct sampled_modules sampled;
    struct kernel_calls kernel_calls;
    struct outside outside;
    struct checked_calls checked;
    struct known_system_calls system_calls;
    uint32_t first_series; /* of the first event; those of the others follow */
    uint64_t from_ns;      /* samples from before */
    uint64_t until_ns;     /* or since are not kept */
    uint64_t last_time_ns;
    uint64_t last_event_ns;
    uint64_t throttled_count;
    struct catch_up catch_up;
    enum sampler_stacks stacks;
    uint16_t most_calls;
    struct patience patience;
    struct copies copies;
    const struct process_space *space; /* of the sample that is being walked */
};

static size_t read_memory(void *context, uint64_t start, size_t length, char *out)
{
    const uint32_t *pid = context;

    return remote_read(*pid, start, length, out);
}

struct recorder *recorder_new(struct profile *profile)
{
    struct recorder *recorder = memory_new(1, sizeof(*recorder));

    *recorder = (struct recorder){.profile = profile, .until_ns = UINT64_MAX};
    recorder->first_series = (uint32_t)profile->series.count;
    recorder->processes.is_contained = !pid_namespace_is_first();
    recorder->processes.has_foreign_proc = !pid_namespace_has_proc();
    unwinder_init(&recorder->unwinder);
    outer_init(&recorder->outer, read_memory);
    patience_init(&recorder->patience);
    return recorder;
}

void recorder_free(struct recorder *recorder)
{
    if (!recorder)
        return;
    sampled_modules_done(&recorder->sampled);
    held_samples_done(&recorder->held);
    recorded_threads_done(&recorder->threads);
    stack_prefix_done(&recorder->prefix);
    outer_done(&recorder->outer);
    unwinder_done(&recorder->unwinder);
    processes_done(&recorder->processes);
    modules_done(&recorder->modules);
    free(recorder);
}

void recorder_add_series(struct recorder *recorder, const struct sampler *sampler)
{
    struct profile *profile = recorder->profile;

    /* Further runs of a program have the same events as the first. */
    while (profile->series.count - recorder->first_series < sampler_source_count(sampler)) {
        size_t index = profile->series.count - recorder->first_series;
        struct sampler_source source = sampler_source(sampler, index);
        uint32_t series =
            profile_add_series(profile, slice_of(source.event), slice_of(source.unit), source.frequency_hz);

        profile->series.items[series].is_user_only = source.is_user_only;
    }
}

void recorder_forget_processes(struct recorder *recorder)
{
    const struct processes kept = {
        .last_generation = recorder->processes.last_generation, /* the unwinder's: none comes twice */
        .is_contained = recorder->processes.is_contained,
        .has_foreign_proc = recorder->processes.has_foreign_proc,
    };

    processes_done(&recorder->processes);
    recorder->processes = kept;
    copy_size_begin(&recorder->copies.size);
}

void recorder_add_memory(struct recorder *recorder, uint32_t pid)
{
    snapshot_add_memory(&recorder->processes, &recorder->modules, pid);
}

void recorder_add_thread(struct recorder *recorder, uint32_t pid, uint32_t tid)
{
    snapshot_add_thread(&recorder->processes, &recorder->modules, pid, tid);
}

void recorder_add_all_processes(struct recorder *recorder)
{
    snapshot_add_all(&recorder->processes, &recorder->modules);
}

bool recorder_knows_thread(const struct recorder *recorder, uint32_t tid)
{
    return processes_has_thread(&recorder->processes, tid);
}

size_t recorder_process_count(const struct recorder *recorder)
{
    return recorder->processes.spaces.count;
}

void recorder_set_stacks(struct recorder *recorder, enum sampler_stacks stacks, uint16_t most_calls)
{
    recorder->stacks = stacks;
    recorder->most_calls = most_calls;
}

void recorder_keep(struct recorder *recorder, uint64_t from_ns, uint64_t until_ns)
{
    recorder->from_ns = from_ns;
    recorder->until_ns = until_ns;
}

/*
 * Where the address is. A file that cannot be read, is another one by now or has no sections is named all the
 * same, its bytes by their offset; `module` is then NULL.
 */
static uint32_t place_of(struct recorder *recorder, uint64_t address, const struct module **module,
                         uint64_t *svma)
{
    struct profile *profile = recorder->profile;
    const struct mapping *mapping = address_space_find(&recorder->space->space, address);
    uint64_t offset = mapping ? address - mapping->start_avma + mapping->file_offset : 0;
    const struct module *found = NULL;

    *module = NULL;
    if (mapping && mapping->module != MODULES_NONE)
        found = modules_open(&recorder->modules, mapping->module);
    if (found && module_svma(found, offset, svma)) {
        *module = found;
        return profile_location(
            profile, sampled_modules_file(&recorder->sampled, profile, mapping->module, found), *svma);
    }
    if (found && found->code.count == 0 && module_is_file(found))
        return profile_location(
            profile, sampled_modules_file(&recorder->sampled, profile, mapping->module, found), offset);
    return profile_location(
        profile, sampled_modules_jit(&recorder->sampled, profile, &recorder->processes, recorder->space->pid),
        address);
}

/* An address of the current process: its location, and how to leave the function there. */
static void find_address(void *context, uint64_t address, struct unwind_rule *out)
{
    struct recorder *recorder = context;
    const struct module *module = NULL;
    const struct cfi_row *row = NULL;
    uint32_t return_register = 0;
    uint64_t svma = 0;

    *out = (struct unwind_rule){
        .is_code = address_space_find(&recorder->space->space, address) != NULL,
    };
    out->place = place_of(recorder, address, &module, &svma);
    if (!module)
        return;
    out->is_before_entry = call_sites_is_before_entry(&recorder->modules, recorder->space, address);
    row = module_rule(module, svma, &return_register);
    /* No machine has so many: what is cut is as unknown as the whole. */
    out->return_register = return_register < UINT16_MAX ? (uint16_t)return_register : UINT16_MAX;
    if (!row) {
        struct code_frame_hints hints = module_code_hints(module, svma);

        out->moved_stack = hints.moved_stack;
        out->fp_is_callers = hints.fp_is_callers;
        row = module_code_rule(module, svma);
        out->is_inferred = row != NULL;
    }
    if (row) {
        out->row = *row;
        out->section = module_rule_section(module, row);
    }
}

/* For words that may be return addresses. */
static bool is_call(void *context, uint64_t call, uint64_t callee)
{
    struct recorder *recorder = context;

    return call_sites_is_call(&recorder->checked, &recorder->modules, recorder->space, call, callee);
}

/* For stacks that are read from memory. */
static bool may_call(void *context, uint64_t call, uint64_t callee)
{
    struct recorder *recorder = context;

    return call_sites_may_call(&recorder->modules, recorder->space, call, callee);
}

/* Of the frames that are known. */
static uint64_t outermost_address(const struct recorder *recorder)
{
    return recorder->unwinder.frames[recorder->unwinder.frame_count - 1].address;
}

static enum stack_end end_of(struct recorder *recorder, const struct outer_result *result,
                             const struct sample_raw *sample)
{
    switch (result->end) {
    case UNWIND_COMPLETE:
        return result->outcome == OUTER_COMPLETED ? STACK_COMPLETED : STACK_COMPLETE;
    case UNWIND_OTHER_STACK:
        return STACK_CUT_HANDLER;
    case UNWIND_UNREADABLE:
        /* A copy ends early where the stack does, and at pages that were never touched. */
        if (!sample->stack_is_cut && result->outcome == OUTER_NOT_NEEDED)
            return STACK_CUT_BAD;
        return stack_end_of_outer(result->outcome, recorder->space->pid,
                                  sample->registers.values[REGISTERS_SP] + sample->stack.length);
    case UNWIND_NO_RULE:
        return stack_end_without_rule(&recorder->modules, recorder->space, outermost_address(recorder));
    case UNWIND_DEEP:
        return STACK_CUT_DEEP;
    default:
        return STACK_CUT_BAD;
    }
}

/* A walk that went wrong ends in a word that is no address of code: nobody's call. */
static void leave_stray_out(struct unwinder *unwinder, const struct outer_result *result, enum stack_end end)
{
    if (result->end == UNWIND_NO_RULE && end == STACK_CUT_BAD && unwinder->frame_count > 1)
        unwinder->frame_count--;
}

/* In the middle of an exec or an exit the program that the registers are of is gone. */
static bool has_user_stack(const struct recorder *recorder, const struct sample_raw *sample)
{
    if (!sample->has_registers)
        return false;
    return !sample->in_kernel ||
           (sample->stack.length > 0 &&
            processes_may_have_code(recorder->space, sample->registers.values[REGISTERS_IP]));
}

/* Where the program was, on top of what is known of its stack. */
static void add_place(struct recorder *recorder, uint64_t address, struct held_sample *held)
{
    struct unwind_rule rule;

    find_address(recorder, address, &rule);
    held->sample.stack = profile_stack(recorder->profile, held->sample.stack, rule.place);
}

/* Which of the program's instructions was interrupted, or asked for what the kernel does. */
static uint64_t own_instruction(struct recorder *recorder, const struct sample_raw *sample, uint64_t ip)
{
    return sample->in_kernel
               ? system_call_before(&recorder->system_calls, &recorder->modules, recorder->space, ip)
               : ip;
}

/* The stack of the program's own calls, and how it ended; no stack when nothing is known of them. */
static void add_user_stack(struct recorder *recorder, const struct sampler_event *event,
                           struct held_sample *held)
{
    const struct sample_raw *sample = &event->sample;
    const struct unwinder *unwinder = &recorder->unwinder;
    uint32_t pid = event->pid;
    uint32_t thread = processes_thread(&recorder->processes, event->pid, event->tid)->first_mark;
    struct registers registers = sample->registers;
    struct outer_request request = {
        .walk = {.registers = &registers,
                 .stack_start = sample->registers.values[REGISTERS_SP],
                 .stack = sample->stack,
                 .find = find_address,
                 .is_call = is_call,
                 .context = recorder,
                 .thread = thread},
        .may_call = may_call,
        .thread = thread,
        .is_cut = sample->stack.length > 0,
        .context = &pid,
    };
    struct outer_result result;

    recorder->space = processes_space(&recorder->processes, event->pid);
    if (!has_user_stack(recorder, sample)) {
        if (!sample->in_kernel) /* of a 32-bit program, whose registers are not ours to read */
            add_place(recorder, sample->address, held);
        return;
    }
    registers.values[REGISTERS_IP] = own_instruction(recorder, sample, registers.values[REGISTERS_IP]);
    request.walk.generation = recorder->space->generation;
    result = outer_unwind(&recorder->outer, &request, &recorder->unwinder);
    if (result.outcome != OUTER_NOT_NEEDED)
        patience_note_deep(&recorder->patience, &recorder->outer, thread);
    held->is_doubtful =
        copies_note(&recorder->copies, &recorder->outer, &request, &result, &recorder->unwinder);
    held->end = end_of(recorder, &result, sample);
    leave_stray_out(&recorder->unwinder, &result, held->end);
    held->is_candidate = result.outcome == OUTER_COMPLETED;
    held->candidate = result.candidate;
    held->known_count = (uint32_t)result.known_count;
    held->sample.stack =
        stack_prefix_add(&recorder->prefix, recorder->profile, unwinder->frames, unwinder->frame_count);
}

/* Where nothing of ours tells whether a stack is whole. */
static enum stack_end end_of_told(const struct recorder *recorder)
{
    return recorder->stacks == SAMPLER_STACKS_NONE ? STACK_END_COUNT : STACK_UNCHECKED;
}

static bool is_outermost(const struct unwind_rule *rule)
{
    return rule->row.cfa_rule != CFI_CFA_NONE && rule->row.return_rule == CFI_UNDEFINED;
}

/* The program's calls as the kernel has found them, or only where it was. */
static void add_told_stack(struct recorder *recorder, const struct sampler_event *event,
                           struct held_sample *held)
{
    const struct sample_raw *sample = &event->sample;
    size_t count = sample_user_call_count(sample);
    bool has_all_that_fit = count > 0 && count + sample_kernel_call_count(sample) >= recorder->most_calls;
    struct unwind_rule rule;

    held->end = end_of_told(recorder);
    recorder->space = processes_space(&recorder->processes, event->pid);
    for (size_t i = count; i > 0; i--) {
        uint64_t address = sample_user_call(sample, i - 1);

        find_address(recorder, i == 1 ? own_instruction(recorder, sample, address) : address, &rule);
        if (i == count && has_all_that_fit && !is_outermost(&rule))
            held->end = STACK_CUT_CALLS;
        /* Code that keeps its frame in another way leads to words that are no addresses of code. */
        if (i > 1 && !rule.is_code)
            continue;
        held->sample.stack = profile_stack(recorder->profile, held->sample.stack, rule.place);
    }
    if (count == 0 && !sample->in_kernel)
        add_place(recorder, sample->address, held);
}

/* Of a process outside: that it has calls of its own, for which one's they are nobody tells. */
static void add_outside_stack(struct recorder *recorder, const struct sample_raw *sample,
                              struct held_sample *held)
{
    bool is_copied = recorder->stacks == SAMPLER_STACKS_COPIED;

    held->end = is_copied ? STACK_CUT_OUTSIDE : end_of_told(recorder);
    if (sample->has_registers || sample_user_call_count(sample) > 0 || !sample->in_kernel)
        held->sample.stack = profile_stack(recorder->profile, PROFILE_NONE,
                                           outside_location(&recorder->outside, recorder->profile));
}

static void record_sample(struct recorder *recorder, const struct sampler_event *event)
{
    struct held_sample held = {
        .sample = {.time_ns = event->time_ns,
                   .value = event->sample.period,
                   .thread =
                       recorded_thread(&recorder->threads, recorder->profile, &recorder->processes, event),
                   .stack = PROFILE_NONE},
        .series = recorder->first_series + event->kind_index,
        .end = STACK_NO_USER,
    };

    if (processes_is_outside(&recorder->processes, event->pid))
        add_outside_stack(recorder, &event->sample, &held);
    else if (recorder->stacks == SAMPLER_STACKS_COPIED)
        add_user_stack(recorder, event, &held);
    else
        add_told_stack(recorder, event, &held);
    if (event->sample.in_kernel)
        held.known_count += (uint32_t)kernel_calls_add_all(&recorder->kernel_calls, recorder->profile,
                                                           &event->sample, &held.sample.stack);
    if (held.end == STACK_NO_USER && sample_kernel_call_count(&event->sample) > 0 &&
        processes_is_kernel_thread(&recorder->processes, event->pid, event->tid))
        held.end = STACK_COMPLETE;
    /* What was still being written when the rings were looked at comes a little late. */
    if (held.sample.time_ns < recorder->last_time_ns)
        held.sample.time_ns = recorder->last_time_ns;
    recorder->last_time_ns = held.sample.time_ns;
    held_samples_add(&recorder->held, recorder->profile, &recorder->outer, &held);
}

static void forget_thread(struct recorder *recorder, const struct sampler_event *event)
{
    uint32_t id = processes_thread(&recorder->processes, event->pid, event->tid)->first_mark;

    if (id != THREAD_NO_MARK)
        outer_end_thread(&recorder->outer, id);
}

static void take_name(struct recorder *recorder, const struct sampler_event *event)
{
    if (event->name.is_exec) {
        forget_thread(recorder, event);
        recorded_thread_separate(&recorder->processes, event);
    } else {
        recorded_thread_rename(&recorder->threads, recorder->profile, &recorder->processes, event);
    }
}

static void record_event(struct recorder *recorder, const struct sampler_event *event)
{
    if (event->time_ns > recorder->last_event_ns)
        recorder->last_event_ns = event->time_ns;
    if (event->kind == SAMPLER_SAMPLE) {
        if (event->time_ns >= recorder->from_ns && event->time_ns < recorder->until_ns)
            record_sample(recorder, event);
        return;
    }
    if (event->kind == SAMPLER_THROTTLED)
        recorder->throttled_count++;
    if (event->kind == SAMPLER_LOST)
        recorder->catch_up.has_lost = true;
    if (event->kind == SAMPLER_EXIT) {
        forget_thread(recorder, event);
        taken_away_note(recorder->profile, &recorder->processes, event);
    }
    processes_apply(&recorder->processes, &recorder->modules, event);
    if (event->kind == SAMPLER_NAME && !processes_is_outside(&recorder->processes, event->pid))
        take_name(recorder, event);
}

void recorder_drain(struct recorder *recorder, struct sampler *sampler, bool to_the_end)
{
    struct sampler_event event;

    copies_begin_round(&recorder->copies, sampler);
    patience_begin_round(&recorder->patience, &recorder->outer);
    sampler_begin_round(sampler, to_the_end);
    outer_begin_round(&recorder->outer);
    while (sampler_next(sampler, &event))
        record_event(recorder, &event);
    catch_up_if_lost(&recorder->catch_up, &recorder->processes, &recorder->modules);
    copies_settle(&recorder->copies, &recorder->held, recorder->profile, &recorder->outer, to_the_end);
    if (!to_the_end && copies_fit(&recorder->copies, &recorder->held, sampler))
        recorder->catch_up.has_lost = true;
}

int recorder_patience_ms(const struct recorder *recorder)
{
    return patience_ms(&recorder->patience, &recorder->outer);
}

void recorder_note_replaced(struct recorder *recorder)
{
    sampled_modules_note_replaced(&recorder->sampled, &recorder->modules, recorder->profile);
}

void recorder_keep_files(const struct recorder *recorder, struct open_files *files)
{
    sampled_modules_keep_files(&recorder->sampled, &recorder->modules, recorder->profile, files);
}

uint64_t recorder_last_ns(const struct recorder *recorder)
{
    return recorder->last_event_ns;
}

uint64_t recorder_throttled_count(const struct recorder *recorder)
{
    return recorder->throttled_count;
}
