#include "sampler/perf/event.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/file.h"
#include "proc/file_limit.h"
#include "sampler/capabilities.h"
#include "sampler/perf/denied.h"
#include "sampler/perf/setting.h"

/* What is tried where no event was named, the best first. */
static const struct sampler_event_kind usual_events[] = {
    {.name = "cycles", .unit = "cycles", .type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_CPU_CYCLES},
    {.name = "cpu-clock", .unit = "ns", .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_CPU_CLOCK},
};

/*
 * Threads leave their processors thousands of times a second, and each record takes its room in full: with
 * as much as of others rings are full in no time. Who waits rarely does so in deep calls, and what is deeper
 * can be read meanwhile.
 */
enum { STACK_BYTES_OF_WAITS = 16 << 10 };

int event_open(struct perf_event_attr *attributes, pid_t pid, int cpu)
{
    while (true) {
        int descriptor = (int)syscall(SYS_perf_event_open, attributes, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);

        if (descriptor >= 0 || errno != EMFILE)
            return descriptor;
        if (!file_limit_raise()) {
            errno = EMFILE;
            return -1;
        }
    }
}

/* Tries what is to be sampled on ourselves, or on a processor when it is the machine. 0 or an errno. */
static int try_event(const struct sampler_request *request, const struct sampler_event_kind *event,
                     bool tells_processes, struct event_kind *out)
{
    enum { OURSELVES = 0, ANY = -1 };
    const struct attributes_wish wish = {.request = request};
    struct perf_event_attr attributes = attributes_of(&wish, event, tells_processes);
    bool is_machine = request->scope == SAMPLER_MACHINE;
    bool has_kernel = !attributes.exclude_kernel;
    int descriptor = -1;
    int cause = 0;

    do {
        descriptor = event_open(&attributes, is_machine ? ANY : OURSELVES,
                                is_machine && request->cpu_count ? request->cpus[0] : 0);
        cause = descriptor < 0 ? errno : 0;
    } while (cause && attributes_ask_for_less(&attributes, request, event, cause));
    file_close_descriptor(&descriptor);
    if (!cause)
        *out = (struct event_kind){
            .source = {event->name, event->unit, attributes.freq ? (uint32_t)attributes.sample_freq : 0,
                       attributes.exclude_kernel && !event->heap, has_kernel && attributes.exclude_kernel,
                       event->is_waits, event->heap},
            .attributes = attributes,
            .form = decode_form_of(&attributes),
            .most_stack_bytes = event->is_waits && request->most_stack_bytes == 0 ? STACK_BYTES_OF_WAITS
                                                                                  : SAMPLER_MOST_STACK_BYTES,
        };
    return cause;
}

/* What registers of the processor watch (perf_event_open(2); the kernel's arch/x86/kernel/hw_breakpoint.c).
 */
static int explain_breakpoint(int cause, const char *event, struct error *err)
{
    if (cause == ENOSPC) {
        error_hint(err, "x86-64 has four for each thread, and a debugger takes of them, too");
        return error_set(err, ERROR_IO, "--event %s: no register of the processor is left to watch it",
                         event);
    }
    error_hint(err, "x86-64 has w and rw, of 1, 2, 4 or 8 bytes at a multiple of so many, and x without a "
                    "length; what is the kernel's takes root");
    return error_set(err, ERROR_MISSING, "--event %s: this machine cannot watch that: %s", event,
                     strerror(cause));
}

static int explain(int cause, enum sampler_scope scope, const char *event, uint32_t type, struct error *err)
{
    bool is_counter = type != PERF_TYPE_SOFTWARE && type != PERF_TYPE_TRACEPOINT;

    if (cause == EACCES || cause == EPERM || cause == ENOSYS)
        return denied_explain(cause, scope, err);
    if (type == PERF_TYPE_BREAKPOINT)
        return explain_breakpoint(cause, event, err);
    if (is_counter && (cause == ENOENT || cause == ENODEV || cause == EOPNOTSUPP || cause == EINVAL)) {
        error_hint(err,
                   "virtual machines often have no hardware counters; cpu-clock, task-clock, page-faults "
                   "and context-switches count everywhere");
        return error_set(err, ERROR_MISSING, "--event %s: this machine does not count it", event);
    }
    return error_set(err, ERROR_IO, "perf_event_open of %s: %s", event, strerror(cause));
}

/* Whether it happens in no program's own code, or is asked for (":k") without what does: there it is looked
 * for in vain. */
static bool is_kernels_alone(const struct perf_event_attr *attributes)
{
    return attributes->exclude_user ||
           (attributes->type == PERF_TYPE_SOFTWARE && (attributes->config == PERF_COUNT_SW_CONTEXT_SWITCHES ||
                                                       attributes->config == PERF_COUNT_SW_CPU_MIGRATIONS));
}

static int explain_left_out(const struct event_kind *kind, enum sampler_scope scope, struct error *err)
{
    const char *event = kind->source.event;
    SCOPED(text_done) struct text setting = {0};
    SCOPED(text_done) struct text hint = {0};

    if (!kind->source.is_denied)
        return error_set(err, ERROR_USAGE, "--event %s: it happens in the kernel alone, which is left out",
                         event);
    denied_add_rights(setting_read("perf_event_paranoid", &setting), scope, &hint);
    error_hint(err, "%s", text_string(&hint));
    return error_set(err, ERROR_DENIED,
                     "--event %s: it happens in the kernel, where kernel.perf_event_paranoid keeps you out",
                     event);
}

static int choose_usual(const struct sampler_request *request, uint64_t period, bool tells_processes,
                        struct event_set *set, struct error *err)
{
    struct event_kind kind;
    int cause = 0;

    for (size_t i = 0; i < ARRAY_COUNT(usual_events); i++) {
        struct sampler_event_kind event = usual_events[i];

        event.period = period;
        cause = try_event(request, &event, tells_processes, &kind);
        if (cause)
            continue;
        *vec_add(&set->kinds) = kind;
        return 0;
    }
    return explain(cause, request->scope, "cpu-clock", PERF_TYPE_SOFTWARE, err);
}

static int choose_named(const struct sampler_request *request, struct event_set *set, struct error *err)
{
    for (size_t i = 0; i < request->event_count; i++) {
        struct event_kind kind;
        int cause = 0;

        if (request->events[i].is_usual) {
            if (choose_usual(request, request->events[i].period, i == 0, set, err) < 0)
                return -1;
            continue;
        }
        cause = try_event(request, &request->events[i], i == 0, &kind);
        if (cause)
            return explain(cause, request->scope, request->events[i].name, request->events[i].type, err);
        if (kind.attributes.exclude_kernel && is_kernels_alone(&kind.attributes))
            return explain_left_out(&kind, request->scope, err);
        *vec_add(&set->kinds) = kind;
    }
    return 0;
}

int event_set_choose(const struct sampler_request *request, struct event_set *out, struct error *err)
{
    uint32_t asked_bytes = request->most_stack_bytes ? request->most_stack_bytes : SAMPLER_MOST_STACK_BYTES;
    struct event_set set = {.most_stack_bytes = request->stacks == SAMPLER_STACKS_COPIED ? asked_bytes : 0,
                            .fewer_stack_bytes = request->fewer_stack_bytes};
    int result = request->event_count > 0 ? choose_named(request, &set, err)
                                          : choose_usual(request, request->period, true, &set, err);

    if (result == 0 && attributes_need_switches(request)) {
        struct perf_event_attr attributes = attributes_of_switches(request);

        *vec_add(&set.kinds) = (struct event_kind){
            .source = {.event = "switches"}, .attributes = attributes, .form = decode_form_of(&attributes)};
        set.tells_switches = true;
    }

    if (result < 0)
        event_set_done(&set);
    else
        *out = set;
    return result;
}

size_t event_kind_count(const struct sampler_request *request)
{
    return (request->event_count > 0 ? request->event_count : 1) + attributes_need_switches(request);
}

bool event_is_room_for(uint64_t count)
{
    enum { FOR_ALL_ELSE = 64 };
    struct rlimit limit;

    do
        if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
            return true;
    while (limit.rlim_cur < count + FOR_ALL_ELSE && file_limit_raise());
    return limit.rlim_cur >= count + FOR_ALL_ELSE;
}

static struct perf_event_attr attributes_for(const struct event_set *set, const struct ring_use *use)
{
    struct perf_event_attr attributes = set->kinds.items[use->kind].attributes;

    attributes.wakeup_watermark = use->watermark_bytes;
    return use->is_sampled ? attributes : attributes_of_processes_alone(&attributes);
}

/* One event, sent to its ring. 0, or an errno with nothing added. */
static int add_one(struct event_set *set, const struct rings *rings, pid_t thread, size_t ring, bool is_spare)
{
    const struct ring_use *use = &rings->uses[ring];
    struct perf_event_attr attributes = attributes_for(set, use);
    int descriptor = -1;
    uint64_t id = 0;

    if (is_spare) {
        attributes.sample_stack_user = set->fewer_stack_bytes;
        attributes.disabled = 1;
        attributes.enable_on_exec = 0;
    }
    descriptor = event_open(&attributes, thread, use->cpu);
    if (descriptor < 0)
        return errno;
    if (ioctl(descriptor, PERF_EVENT_IOC_SET_OUTPUT, rings->descriptors[ring]) < 0 ||
        ioctl(descriptor, PERF_EVENT_IOC_ID, &id) < 0) {
        int cause = errno;

        close(descriptor);
        return cause;
    }
    *vec_add(&set->items) = (struct event){id, descriptor, use->kind, is_spare};
    return 0;
}

static void remove_from(struct event_set *set, size_t first)
{
    while (set->items.count > first)
        file_close_descriptor(&set->items.items[--set->items.count].descriptor);
}

static int explain_thread(int cause, pid_t thread, const struct event_set *set, size_t kind,
                          struct error *err)
{
    const struct event_kind *of = &set->kinds.items[kind];

    if (cause == ENFILE) {
        error_hint(err,
                   "each thread takes a file for each processor and event; allow more: sysctl fs.file-max");
        return error_set(err, ERROR_IO, "open perf event number %zu: %s", set->items.count + 1,
                         strerror(cause));
    }
    if (thread > 0 && (cause == EACCES || cause == EPERM)) {
        error_hint(err, geteuid() == 0
                            ? "root may not without the capabilities CAP_PERFMON and CAP_SYS_PTRACE, "
                              "which most containers take away: --cap-add gives them"
                            : "run cargo cprof as the user whose process it is, or as root");
        return error_set(err, ERROR_DENIED, "thread %d: the system does not let us look at it: %s",
                         (int)thread, strerror(cause));
    }
    return explain(cause, thread < 0 ? SAMPLER_MACHINE : SAMPLER_THREADS, of->source.event,
                   of->attributes.type, err);
}

/* They are good to have where files enough may be open. */
static void leave_spare_out(struct event_set *set)
{
    size_t kept = 0;

    for (size_t i = 0; i < set->items.count; i++)
        if (set->items.items[i].is_spare)
            file_close_descriptor(&set->items.items[i].descriptor);
        else
            set->items.items[kept++] = set->items.items[i];
    set->items.count = kept;
    set->fewer_stack_bytes = 0;
}

/* What the rings are made for. */
static void fit_to_rings(struct event_set *set, const struct rings *rings)
{
    uint32_t stack_bytes =
        set->most_stack_bytes < rings->stack_bytes ? set->most_stack_bytes : rings->stack_bytes;

    for (size_t i = 0; i < set->kinds.count - set->tells_switches; i++) {
        struct event_kind *kind = &set->kinds.items[i];

        kind->attributes.sample_stack_user =
            stack_bytes < kind->most_stack_bytes ? stack_bytes : kind->most_stack_bytes;
    }
}

int event_explain_no_room(size_t count, struct error *err)
{
    error_hint(err, "each thread takes a file for each processor and event; allow more: ulimit -n");
    return error_set(err, ERROR_IO, "open %zu perf events: %s", count, strerror(EMFILE));
}

int event_set_add(struct event_set *set, const struct rings *rings, pid_t thread, enum event_outcome *outcome,
                  struct error *err)
{
    size_t before = set->items.count;
    int cause = 0;
    size_t ring = 0;

    fit_to_rings(set, rings);
    while (ring < rings->count) {
        cause = add_one(set, rings, thread, ring, false);
        if (cause)
            break;
        if (set->fewer_stack_bytes > 0 && add_one(set, rings, thread, ring, true) != 0)
            leave_spare_out(set);
        ring++;
    }
    if (cause)
        remove_from(set, before);
    if (cause && cause != ESRCH && cause != EMFILE)
        return explain_thread(cause, thread, set, rings->uses[ring].kind, err);
    *outcome = cause == ESRCH ? EVENT_THREAD_GONE : cause ? EVENT_NO_ROOM : EVENT_ADDED;
    return 0;
}

void event_set_done(struct event_set *set)
{
    remove_from(set, 0);
    vec_done(&set->items);
    vec_done(&set->kinds);
}

bool event_set_tells_lost(const struct event_set *set, uint32_t kind)
{
    return set->kinds.items[kind].attributes.read_format & READ_FORMAT_LOST;
}

static bool is_clock_by_frequency(const struct perf_event_attr *attributes)
{
    return attributes->freq && attributes->type == PERF_TYPE_SOFTWARE &&
           (attributes->config == PERF_COUNT_SW_CPU_CLOCK || attributes->config == PERF_COUNT_SW_TASK_CLOCK);
}

/*
 * A period that is set begins then, also if it was the same before. A clock's frequency the kernel has made a
 * period of (perf_swevent_init_hrtimer in kernel/events/core.c).
 */
void event_set_begin_periods(const struct event_set *set)
{
    const uint64_t second_ns = UINT64_C(1000000000);

    for (size_t i = 0; i < set->items.count; i++) {
        const struct event *event = &set->items.items[i];
        const struct perf_event_attr *attributes = &set->kinds.items[event->kind].attributes;

        if (is_clock_by_frequency(attributes)) {
            uint64_t period_ns = second_ns / attributes->sample_freq;

            (void)ioctl(event->descriptor, PERF_EVENT_IOC_PERIOD, &period_ns);
        }
    }
}

bool event_set_count(const struct event_set *set, uint32_t kind, struct sampler_counts *out)
{
    struct sampler_counts sum = {0};
    size_t size = (event_set_tells_lost(set, kind) ? 2 : 1) * sizeof(uint64_t);

    for (size_t i = 0; i < set->items.count; i++) {
        uint64_t counts[2] = {0}; /* the event's value, the records lost */

        if (set->items.items[i].kind != kind)
            continue;
        if (read(set->items.items[i].descriptor, counts, size) != (ssize_t)size)
            return false;
        sum.happened += counts[0];
        sum.lost += counts[1];
    }
    *out = sum;
    return true;
}
