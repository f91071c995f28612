#include "collect.h"

#include <stdlib.h>

#include "base/memory.h"
#include "process/modules.h"
#include "process/processes.h"
#include "process/snapshot.h"
#include "unwind/unwind.h"

/* A recording while it goes on. */
struct recorder {
    struct profile *profile; /* borrowed */
    struct modules modules;
    struct processes processes;
    struct unwinder unwinder;
    VEC(uint32_t)
    module_ids;            /* the profile's id of a module, by its id in `modules`; PROFILE_NONE: none yet */
    uint32_t kernel;       /* the profile's module of the kernel; PROFILE_NONE: none yet */
    uint32_t first_series; /* of the first event; those of the others follow */
    uint64_t from_ns;      /* samples from before */
    uint64_t until_ns;     /* or since are not kept */
    uint64_t last_time_ns;
    uint64_t throttled_count;
    const struct process_space *space; /* of the sample that is being walked */
};

struct recorder *recorder_new(struct profile *profile)
{
    struct recorder *recorder = memory_new(1, sizeof(*recorder));

    *recorder = (struct recorder){.profile = profile, .kernel = PROFILE_NONE, .until_ns = UINT64_MAX};
    recorder->first_series = (uint32_t)profile->series.count;
    unwinder_init(&recorder->unwinder);
    return recorder;
}

void recorder_free(struct recorder *recorder)
{
    if (!recorder)
        return;
    vec_done(&recorder->module_ids);
    unwinder_done(&recorder->unwinder);
    processes_done(&recorder->processes);
    modules_done(&recorder->modules);
    free(recorder);
}

void recorder_add_series(struct recorder *recorder, const struct sampler *sampler, uint32_t frequency_hz)
{
    struct profile *profile = recorder->profile;

    /* Further runs of a program have the same events as the first. */
    while (profile->series.count - recorder->first_series < sampler_source_count(sampler)) {
        size_t index = profile->series.count - recorder->first_series;
        struct sampler_source source = sampler_source(sampler, index);
        uint32_t series =
            profile_add_series(profile, slice_of(source.event), slice_of(source.unit), frequency_hz);

        profile->series.items[series].is_user_only = source.is_user_only;
    }
}

void recorder_forget_processes(struct recorder *recorder)
{
    /* The unwinder remembers generations: none comes twice. */
    uint32_t last_generation = recorder->processes.last_generation;

    processes_done(&recorder->processes);
    recorder->processes = (struct processes){.last_generation = last_generation};
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

void recorder_keep(struct recorder *recorder, uint64_t from_ns, uint64_t until_ns)
{
    recorder->from_ns = from_ns;
    recorder->until_ns = until_ns;
}

static enum module_kind kind_of(const struct module *module)
{
    if (module->is_vdso)
        return MODULE_VDSO;
    return module->is_program ? MODULE_EXECUTABLE : MODULE_LIBRARY;
}

static uint32_t profile_module(struct recorder *recorder, uint32_t id, const struct module *module)
{
    while (recorder->module_ids.count <= id)
        *vec_add(&recorder->module_ids) = PROFILE_NONE;
    if (recorder->module_ids.items[id] == PROFILE_NONE)
        recorder->module_ids.items[id] =
            profile_add_module(recorder->profile, kind_of(module), module->path, module->build_id);
    return recorder->module_ids.items[id];
}

/* An address of the current process: its location, and how to leave the function there. */
static void find_address(void *context, uint64_t address, struct unwind_rule *out)
{
    struct recorder *recorder = context;
    struct profile *profile = recorder->profile;
    const struct mapping *mapping = address_space_find(&recorder->space->space, address);
    const struct module *module = NULL;
    const struct cfi_row *row = NULL;
    uint64_t svma = 0;

    *out = (struct unwind_rule){0};
    if (mapping && mapping->module != MODULES_NONE)
        module = modules_open(&recorder->modules, mapping->module);
    if (!module || !module_svma(module, address - mapping->start_avma + mapping->file_offset, &svma)) {
        out->place = profile_location(profile, PROFILE_NONE, address);
        return;
    }
    out->place = profile_location(profile, profile_module(recorder, mapping->module, module), svma);
    row = module_rule(module, svma, &out->return_register);
    if (row)
        out->row = *row;
}

static enum stack_end end_of(enum unwind_end end, const struct sample_raw *sample)
{
    switch (end) {
    case UNWIND_COMPLETE:
        return STACK_COMPLETE;
    case UNWIND_UNREADABLE:
        return sample->stack_is_cut ? STACK_CUT_BY_COPY : STACK_CUT_BAD;
    case UNWIND_NO_RULE:
        return STACK_CUT_NO_RULE;
    case UNWIND_DEEP:
        return STACK_CUT_DEEP;
    default:
        return STACK_CUT_BAD;
    }
}

/* The stack of the program's own calls; PROFILE_NONE when nothing is known of them. */
static uint32_t user_stack(struct recorder *recorder, const struct sampler_event *event, enum stack_end *end)
{
    const struct sample_raw *sample = &event->sample;
    const struct unwinder *unwinder = &recorder->unwinder;
    struct unwind_request request = {
        .registers = &sample->registers,
        .stack_start = sample->registers.values[REGISTERS_SP],
        .stack = sample->stack,
        .find = find_address,
        .context = recorder,
    };
    uint32_t stack = PROFILE_NONE;

    *end = STACK_NO_USER;
    if (!sample->has_registers)
        return PROFILE_NONE;
    recorder->space = processes_space(&recorder->processes, event->pid);
    /* In the middle of an exec or an exit the program that the registers are of is gone. */
    if (sample->in_kernel &&
        (sample->stack.length == 0 ||
         !address_space_find(&recorder->space->space, sample->registers.values[REGISTERS_IP])))
        return PROFILE_NONE;
    request.generation = recorder->space->generation;
    *end = end_of(unwind(&recorder->unwinder, &request), sample);
    for (size_t i = unwinder->frame_count; i > 0; i--)
        stack = profile_stack(recorder->profile, stack, unwinder->frames[i - 1].place);
    return stack;
}

static uint32_t add_kernel_call(struct recorder *recorder, uint32_t stack, uint64_t address)
{
    struct profile *profile = recorder->profile;

    if (recorder->kernel == PROFILE_NONE)
        recorder->kernel = profile_add_module(profile, MODULE_KERNEL, SLICE("[kernel]"), SLICE(""));
    return profile_stack(profile, stack, profile_location(profile, recorder->kernel, address));
}

/* What the kernel was doing, on top of the program's calls. */
static uint32_t add_kernel(struct recorder *recorder, uint32_t stack, const struct sample_raw *sample)
{
    size_t count = sample_kernel_call_count(sample);

    if (count == 0)
        return add_kernel_call(recorder, stack, sample->address);
    for (size_t i = count; i > 0; i--)
        stack = add_kernel_call(recorder, stack, sample_kernel_call(sample, i - 1));
    return stack;
}

static uint32_t profile_thread(struct recorder *recorder, const struct sampler_event *event)
{
    struct profile *profile = recorder->profile;
    struct processes *processes = &recorder->processes;
    struct process_thread *thread = processes_thread(processes, event->pid, event->tid);
    uint32_t id = thread->mark;
    uint32_t leader_name = 0;

    if (id != THREAD_NO_MARK)
        return id;
    id = profile_add_thread(profile, event->pid, event->tid, processes_name(processes, thread));
    thread->mark = id;
    leader_name = profile_string(
        profile, processes_name(processes, processes_thread(processes, event->pid, event->pid)));
    profile->threads.items[id].process_name = leader_name;
    return id;
}

static void record_sample(struct recorder *recorder, const struct sampler_event *event)
{
    struct profile *profile = recorder->profile;
    struct profile_sample sample = {.time_ns = event->time_ns, .value = event->sample.period};
    uint32_t series = recorder->first_series + event->kind_index;
    enum stack_end end = STACK_NO_USER;

    sample.thread = profile_thread(recorder, event);
    sample.stack = user_stack(recorder, event, &end);
    if (event->sample.in_kernel)
        sample.stack = add_kernel(recorder, sample.stack, &event->sample);
    /* What was still being written when the rings were looked at comes a little late. */
    if (sample.time_ns < recorder->last_time_ns)
        sample.time_ns = recorder->last_time_ns;
    recorder->last_time_ns = sample.time_ns;
    profile->series.items[series].ended_counts[end]++;
    profile_add_sample(profile, series, sample);
}

/* A thread that has samples already is called by its last name. */
static void rename_thread(struct recorder *recorder, const struct sampler_event *event)
{
    struct profile *profile = recorder->profile;
    uint32_t id = processes_thread(&recorder->processes, event->pid, event->tid)->mark;
    uint32_t name = profile_string(profile, event->name.name);

    if (id != THREAD_NO_MARK)
        profile->threads.items[id].name = name;
    if (event->pid != event->tid)
        return;
    for (size_t i = 0; i < profile->threads.count; i++)
        if (profile->threads.items[i].pid == event->pid)
            profile->threads.items[i].process_name = name;
}

static void record_event(struct recorder *recorder, const struct sampler_event *event)
{
    if (event->kind == SAMPLER_SAMPLE) {
        if (event->time_ns >= recorder->from_ns && event->time_ns < recorder->until_ns)
            record_sample(recorder, event);
        return;
    }
    if (event->kind == SAMPLER_THROTTLED)
        recorder->throttled_count++;
    processes_apply(&recorder->processes, &recorder->modules, event);
    if (event->kind == SAMPLER_NAME)
        rename_thread(recorder, event);
}

void recorder_drain(struct recorder *recorder, struct sampler *sampler, bool to_the_end)
{
    struct sampler_event event;

    sampler_look(sampler, to_the_end);
    while (sampler_next(sampler, &event))
        record_event(recorder, &event);
}

uint64_t recorder_throttled_count(const struct recorder *recorder)
{
    return recorder->throttled_count;
}
