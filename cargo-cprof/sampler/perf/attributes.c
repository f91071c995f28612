#include "sampler/perf/attributes.h"

#include <errno.h>
#include <time.h>

#include "sampler/perf/decode.h"
#include "sampler/perf/setting.h"
#include "sampler/sampler.h"

/* Counted in software, one by one or several at once; a clock counts by a timer of its own. */
static bool is_counted(const struct perf_event_attr *attributes)
{
    return attributes->type == PERF_TYPE_TRACEPOINT || attributes->type == PERF_TYPE_BREAKPOINT ||
           (attributes->type == PERF_TYPE_SOFTWARE && attributes->config != PERF_COUNT_SW_CPU_CLOCK &&
            attributes->config != PERF_COUNT_SW_TASK_CLOCK);
}

static void set_rate(struct perf_event_attr *attributes, const struct sampler_request *request,
                     const struct sampler_event_kind *event)
{
    uint64_t period = event->period;
    uint32_t most_hz = period == 0 ? setting_most_frequency_hz() : 0;

    if (period == 0) {
        attributes->freq = 1;
        attributes->sample_freq = request->frequency_hz < most_hz ? request->frequency_hz : most_hz;
        return;
    }
    attributes->sample_period = period;
    /*
     * Where samples are to tell their period the kernel takes one each time such an event happens, whatever
     * the period (perf_swevent_event in kernel/events/core.c).
     */
    if (period > 1 && is_counted(attributes))
        attributes->sample_type &= ~(uint64_t)PERF_SAMPLE_PERIOD;
}

struct perf_event_attr attributes_of(const struct attributes_wish *wish,
                                     const struct sampler_event_kind *event, bool tells_processes)
{
    const struct sampler_request *request = wish->request;
    bool is_machine = request->scope == SAMPLER_MACHINE;
    struct perf_event_attr attributes = {
        .type = event->type,
        .size = sizeof(struct perf_event_attr),
        .config = event->config,
        .sample_type = DECODE_SAMPLE_TYPE,
        .sample_regs_user = decode_register_mask,
        .sample_stack_user = wish->stack_bytes,
        .sample_max_stack = sampler_calls_of(request),
        .read_format = READ_FORMAT_LOST,
        /*
         * What runs already counts from the open on: a process that is started just while its parent's event
         * is enabled has one that never is, and may swap it for its parent's, which then stays off, too
         * (perf_event_context_sched_out and inherit_event in the kernel's events/core.c).
         */
        .disabled = request->scope == SAMPLER_HELD,
        .enable_on_exec = request->scope == SAMPLER_HELD,
        .inherit = !is_machine,
        .exclude_user = event->is_kernel_only,
        .exclude_kernel = event->is_user_only || request->kernel == SAMPLER_KERNEL_NEVER,
        .exclude_hv = 1,
        .exclude_idle = is_machine,
        .exclude_callchain_kernel = request->stacks == SAMPLER_STACKS_NONE,
        /* A copy of the stack is walked by us. */
        .exclude_callchain_user = request->stacks != SAMPLER_STACKS_FRAME_POINTERS,
        .precise_ip = event->is_most_precise ? SAMPLER_MOST_PRECISE : event->precise,
        .mmap = tells_processes,
        .mmap2 = tells_processes,
        .build_id = tells_processes,
        .comm = tells_processes,
        .comm_exec = tells_processes,
        .task = tells_processes,
        .sample_id_all = 1,
        .use_clockid = 1,
        .clockid = CLOCK_MONOTONIC,
        .watermark = 1,
        .wakeup_watermark = wish->watermark_bytes,
        .bp_type = event->watched.access,
        .bp_addr = event->watched.address,
        .bp_len = event->watched.length_bytes,
    };

    set_rate(&attributes, request, event);
    return attributes;
}

struct perf_event_attr attributes_of_ring(uint32_t watermark_bytes)
{
    return (struct perf_event_attr){
        .type = PERF_TYPE_SOFTWARE,
        .size = sizeof(struct perf_event_attr),
        .config = PERF_COUNT_SW_DUMMY,
        .sample_type = DECODE_SAMPLE_TYPE &
                       ~(uint64_t)(PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER),
        .disabled = 1,
        .exclude_kernel = 1,
        .exclude_hv = 1,
        .sample_id_all = 1,
        .use_clockid = 1,
        .clockid = CLOCK_MONOTONIC,
        .watermark = 1,
        .wakeup_watermark = watermark_bytes,
    };
}

bool attributes_need_switches(const struct sampler_request *request)
{
    for (size_t i = 0; i < request->event_count; i++)
        if (request->events[i].is_waits)
            return true;
    return false;
}

struct perf_event_attr attributes_of_switches(const struct sampler_request *request)
{
    struct perf_event_attr attributes = attributes_of_ring(0);

    attributes.disabled = request->scope == SAMPLER_HELD;
    attributes.enable_on_exec = request->scope == SAMPLER_HELD;
    attributes.inherit = request->scope != SAMPLER_MACHINE;
    attributes.context_switch = 1;
    return attributes;
}

struct perf_event_attr attributes_of_processes_alone(const struct perf_event_attr *sampled)
{
    struct perf_event_attr attributes = *sampled;

    attributes.type = PERF_TYPE_SOFTWARE;
    attributes.config = PERF_COUNT_SW_DUMMY;
    attributes.freq = 0;
    attributes.sample_period = 0;
    attributes.precise_ip = 0;
    return attributes;
}

bool attributes_ask_for_less(struct perf_event_attr *attributes, const struct sampler_request *request,
                             const struct sampler_event_kind *event, int cause)
{
    bool may_drop_kernel = request->kernel == SAMPLER_KERNEL_IF_ALLOWED && !attributes->exclude_user;

    if (cause == EACCES && may_drop_kernel && !attributes->exclude_kernel)
        attributes->exclude_kernel = 1;
    else if (cause == EINVAL && attributes->read_format)
        attributes->read_format = 0; /* before Linux 6.0 */
    else if (cause == EINVAL && attributes->build_id)
        attributes->build_id = 0; /* before 5.12 */
    else if (cause == EOPNOTSUPP && event->is_most_precise && attributes->precise_ip > 0)
        attributes->precise_ip--;
    else
        return false;
    return true;
}
