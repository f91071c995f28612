#include "collect.h"

#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "base/text.h"
#include "process/modules.h"
#include "process/processes.h"
#include "unwind/unwind.h"

/* A recording while it goes on. */
struct recorder {
    struct collection *collection;
    struct modules modules;
    struct processes processes;
    struct unwinder unwinder;
    VEC(uint32_t)
    module_ids;      /* the profile's id of a module, by its id in `modules`; PROFILE_NONE: none yet */
    uint32_t kernel; /* the profile's module of the kernel; PROFILE_NONE: none yet */
    uint32_t series;
    uint64_t last_time_ns;
    const struct process_space *space; /* of the sample that is being walked */
};

static void recorder_init(struct recorder *recorder, struct collection *collection, uint32_t frequency_hz)
{
    *recorder = (struct recorder){.collection = collection, .kernel = PROFILE_NONE};
    unwinder_init(&recorder->unwinder);
    recorder->series = profile_add_series(&collection->profile, slice_of(collection->source.event),
                                          slice_of(collection->source.unit), frequency_hz);
    collection->profile.series.items[recorder->series].is_user_only = collection->source.is_user_only;
}

static void recorder_done(struct recorder *recorder)
{
    vec_done(&recorder->module_ids);
    unwinder_done(&recorder->unwinder);
    processes_done(&recorder->processes);
    modules_done(&recorder->modules);
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
        recorder->module_ids.items[id] = profile_add_module(&recorder->collection->profile, kind_of(module),
                                                            module->path, module->build_id);
    return recorder->module_ids.items[id];
}

/* An address of the current process: its location, and how to leave the function there. */
static void find_address(void *context, uint64_t address, struct unwind_rule *out)
{
    struct recorder *recorder = context;
    struct profile *profile = &recorder->collection->profile;
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
        stack = profile_stack(&recorder->collection->profile, stack, unwinder->frames[i - 1].place);
    return stack;
}

static uint32_t add_kernel_call(struct recorder *recorder, uint32_t stack, uint64_t address)
{
    struct profile *profile = &recorder->collection->profile;

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
    struct profile *profile = &recorder->collection->profile;
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
    struct profile *profile = &recorder->collection->profile;
    struct profile_sample sample = {.time_ns = event->time_ns, .value = event->sample.period};
    enum stack_end end = STACK_NO_USER;

    sample.thread = profile_thread(recorder, event);
    sample.stack = user_stack(recorder, event, &end);
    if (event->sample.in_kernel)
        sample.stack = add_kernel(recorder, sample.stack, &event->sample);
    /* What was still being written when the rings were looked at comes a little late. */
    if (sample.time_ns < recorder->last_time_ns)
        sample.time_ns = recorder->last_time_ns;
    recorder->last_time_ns = sample.time_ns;
    profile->series.items[recorder->series].ended_counts[end]++;
    profile_add_sample(profile, recorder->series, sample);
}

/* A thread that has samples already is called by its last name. */
static void rename_thread(struct recorder *recorder, const struct sampler_event *event)
{
    struct profile *profile = &recorder->collection->profile;
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
        record_sample(recorder, event);
        return;
    }
    if (event->kind == SAMPLER_THROTTLED)
        recorder->collection->throttled_count++;
    processes_apply(&recorder->processes, &recorder->modules, event);
    if (event->kind == SAMPLER_NAME)
        rename_thread(recorder, event);
}

static void drain(struct recorder *recorder, struct sampler *sampler, bool to_the_end)
{
    struct sampler_event event;

    sampler_look(sampler, to_the_end);
    while (sampler_next(sampler, &event))
        record_event(recorder, &event);
}

/*
 * Being late means samples lost, so we go before what we watch, where that is allowed. Returns the priority
 * from before.
 */
static int hurry(void)
{
    enum { EARLIER = -10 };
    int before = getpriority(PRIO_PROCESS, 0);

    (void)setpriority(PRIO_PROCESS, 0, EARLIER);
    return before;
}

/* From the start of the program to the end of all that came from it. */
static void record(struct recorder *recorder, struct sampler *sampler, struct target *target)
{
    enum { WAKE_AT_LEAST_MS = 100 };
    struct collection *collection = recorder->collection;
    bool anything_left = true;
    int priority = hurry();

    while (anything_left && !collection->was_stopped) {
        anything_left = sampler_wait(sampler, target_descriptor(target), WAKE_AT_LEAST_MS);
        collection->was_stopped = !target_update(target);
        drain(recorder, sampler, false);
    }
    if (collection->was_stopped)
        target_kill(target);
    target_wait(target);
    drain(recorder, sampler, true);
    (void)setpriority(PRIO_PROCESS, 0, priority);
}

static void add_totals(struct collection *collection, const struct sampler *sampler,
                       const struct recorder *recorder)
{
    struct profile *profile = &collection->profile;

    profile->wall_ns = collection->end.wall_ns;
    profile->cpu_ns = collection->end.cpu_ns;
    profile->series.items[recorder->series].lost_count = sampler_lost_count(sampler);
    collection->damaged_count = sampler_damaged_count(sampler);
}

static void close_sampler(struct sampler **sampler)
{
    sampler_close(*sampler);
}

static int run(const struct collect_request *request, struct collection *collection, struct error *err)
{
    SCOPED(target_done) struct target target = {0};
    SCOPED(close_sampler) struct sampler *sampler = NULL;
    SCOPED(recorder_done) struct recorder recorder = {0};
    struct sampler_request wanted = {.frequency_hz = request->frequency_hz};

    if (target_launch(&request->launch, &target, err) < 0)
        return -1;
    wanted.pid = target.pid;
    if (sampler_open(&wanted, &sampler, err) < 0)
        return -1;
    collection->source = sampler_source(sampler);
    recorder_init(&recorder, collection, request->frequency_hz);
    if (target_release(&target, request->launch.argv[0], err) < 0)
        return -1;
    record(&recorder, sampler, &target);
    collection->end = target.end;
    add_totals(collection, sampler, &recorder);
    return 0;
}

static void describe_command(struct profile *profile, const char *const *argv)
{
    SCOPED(text_done) struct text command = {0};
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    profile->started_unix_ns = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
    for (size_t i = 0; argv[i]; i++) {
        if (i > 0)
            text_add_byte(&command, ' ');
        text_add_string(&command, argv[i]);
    }
    profile->command = profile_string(profile, text_slice(&command));
}

int collect_run(const struct collect_request *request, struct collection *out, struct error *err)
{
    struct collection collection = {0};

    profile_init(&collection.profile);
    describe_command(&collection.profile, request->launch.argv);
    if (run(request, &collection, err) < 0) {
        collection_done(&collection);
        return -1;
    }
    *out = collection;
    return 0;
}

void collection_done(struct collection *collection)
{
    profile_done(&collection->profile);
}
