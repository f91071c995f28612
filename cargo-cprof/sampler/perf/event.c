#include "sampler/perf/event.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "sampler/perf/decode.h"
#include "sampler/perf/denied.h"

/* What is tried, the best first. */
struct choice {
    const char *event;
    const char *unit;
    uint32_t type;
    uint64_t config;
};

static const struct choice choices[] = {
    {"cycles", "cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    {"cpu-clock", "ns", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK},
};

static struct perf_event_attr attributes_of(const struct choice *choice, const struct event_wish *wish)
{
    return (struct perf_event_attr){
        .type = choice->type,
        .size = sizeof(struct perf_event_attr),
        .config = choice->config,
        .freq = 1,
        .sample_freq = wish->frequency_hz,
        .sample_type = DECODE_SAMPLE_TYPE,
        .sample_regs_user = decode_register_mask,
        .sample_stack_user = wish->stack_bytes,
        .read_format = PERF_FORMAT_LOST,
        .disabled = 1,
        .enable_on_exec = 1,
        .inherit = 1,
        .exclude_hv = 1,
        .exclude_callchain_user = 1, /* that part is walked from the copy of the stack */
        .mmap = 1,
        .mmap2 = 1,
        .build_id = 1,
        .comm = 1,
        .comm_exec = 1,
        .task = 1,
        .sample_id_all = 1,
        .use_clockid = 1,
        .clockid = CLOCK_MONOTONIC,
        .watermark = 1,
        .wakeup_watermark = wish->watermark_bytes,
    };
}

static int open_event(struct perf_event_attr *attributes, pid_t pid, int cpu)
{
    return (int)syscall(SYS_perf_event_open, attributes, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

/* Takes out of the attributes what this kernel may not know or not allow. False: nothing is left to try. */
static bool ask_for_less(struct perf_event_attr *attributes, int cause)
{
    if (cause == EACCES && !attributes->exclude_kernel)
        attributes->exclude_kernel = 1;
    else if (cause == EINVAL && attributes->read_format)
        attributes->read_format = 0; /* before Linux 6.0 */
    else if (cause == EINVAL && attributes->build_id)
        attributes->build_id = 0; /* before 5.12 */
    else
        return false;
    return true;
}

/* 0 with attributes that work on this processor, or an errno. */
static int find_attributes(const struct event_wish *wish, int cpu, struct perf_event_attr *out,
                           struct sampler_source *source)
{
    int cause = 0;

    for (size_t i = 0; i < ARRAY_COUNT(choices); i++) {
        struct perf_event_attr attributes = attributes_of(&choices[i], wish);
        int descriptor = -1;

        do {
            descriptor = open_event(&attributes, wish->pid, cpu);
            cause = descriptor < 0 ? errno : 0;
        } while (cause && ask_for_less(&attributes, cause));
        file_close_descriptor(&descriptor);
        if (!cause) {
            *out = attributes;
            *source = (struct sampler_source){choices[i].event, choices[i].unit, attributes.exclude_kernel};
            return 0;
        }
    }
    return cause;
}

static int explain(int cause, struct error *err)
{
    if (cause == EACCES || cause == EPERM || cause == ENOSYS)
        return denied_explain(cause, err);
    if (cause == EMFILE)
        error_hint(err, "allow more open files: ulimit -n");
    return error_set(err, ERROR_IO, "perf_event_open: %s", strerror(cause));
}

static int open_all(const struct event_wish *wish, struct event_set *set, struct error *err)
{
    long cpu_count = sysconf(_SC_NPROCESSORS_CONF);
    struct perf_event_attr attributes = {0};

    set->items = memory_new((size_t)(cpu_count > 0 ? cpu_count : 1), sizeof(*set->items));
    for (int cpu = 0; cpu < cpu_count; cpu++) {
        int cause = 0;
        int descriptor = -1;

        if (set->count == 0)
            cause = find_attributes(wish, cpu, &attributes, &set->source);
        if (!cause) {
            descriptor = open_event(&attributes, wish->pid, cpu);
            cause = descriptor < 0 ? errno : 0;
        }
        if (cause == ENODEV)
            continue; /* a processor that is switched off */
        if (cause)
            return explain(cause, err);
        set->items[set->count++] = (struct event){descriptor, cpu};
    }
    return set->count > 0 ? 0 : explain(ENODEV, err);
}

int event_set_open(const struct event_wish *wish, struct event_set *out, struct error *err)
{
    struct event_set set = {0};

    if (open_all(wish, &set, err) < 0) {
        event_set_done(&set);
        return -1;
    }
    *out = set;
    return 0;
}

void event_set_done(struct event_set *set)
{
    for (size_t i = 0; i < set->count; i++)
        file_close_descriptor(&set->items[i].descriptor);
    free(set->items);
    *set = (struct event_set){0};
}

bool event_set_lost_count(const struct event_set *set, uint64_t *out)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < set->count; i++) {
        uint64_t counts[2] = {0}; /* the event's value, the records lost */

        if (read(set->items[i].descriptor, counts, sizeof(counts)) != sizeof(counts))
            return false;
        sum += counts[1];
    }
    *out = sum;
    return true;
}
