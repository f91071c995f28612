#include "record/recording.h"

#include <inttypes.h>
#include <string.h>

#include "base/ascii.h"
#include "base/scan.h"
#include "record/event_list.h"
#include "record/heap_options.h"
#include "sampler/perf/event_choices.h"
#include "sampler/perf/event_name.h"
#include "sampler/sampler.h"

enum { USUAL_FREQUENCY_HZ = 997, MOST_FREQUENCY_HZ = 100000, MOST_RUNS = 100000 };

static const char *const stack_names[] = {"dwarf[,BYTES]", "fp[,CALLS]", "none", NULL};

static const struct option_spec recording_specs[] = {
    {"freq", 'F', OPTION_VALUE, "HZ",
     "Samples a second of CPU time; 997 unless given, max: as many as the kernel allows, which take most of "
     "that time themselves",
     NULL, NULL},
    {"rate", 0, OPTION_VALUE, "HZ", NULL, NULL, "freq"},
    {"count", 'c', OPTION_VALUE, "NUM",
     "Take a sample every NUM times that the event happens, instead of by frequency; a prime is in step "
     "with hardly any program. Of cpu-clock NUM is nanoseconds, 10000 at least; beside events that are "
     "counted it keeps its frequency. What software counts is always sampled so: page-faults every 11th, "
     "others every one, unless given",
     NULL, NULL},
    {"event", 'e', OPTION_MANY, "EVENT",
     "What to sample, by perf's names: cycles, page-faults, cache-misses, sched:sched_switch, "
     "mem:0x404028/8:w (writes there) and so on, with its modifiers u, k, p and P (cycles:u); several with "
     "commas. "
     "Each after the first is written to a file of its own: NAME.EVENT.svg",
     event_choices_to_record, NULL},
    {"off-cpu", 0, OPTION_FLAG, NULL,
     "Sample also where threads wait, and for how long: the event off-cpu, written to a file of its own: "
     "NAME.off-cpu.svg. Takes kernel.perf_event_paranoid 1, or root",
     NULL, NULL},
    {"heap", 0, OPTION_FLAG, NULL,
     "Sample also the memory that malloc and its like give to the program, and who asked for it: what "
     "it has at its peak (heap-peak) and at its end (heap-end), all that it was given (alloc-bytes) "
     "and how often (alloc-count), each written to a file of its own. -e takes each by name, and heap "
     "for all",
     NULL, NULL},
    {"duration", 'd', OPTION_VALUE, "TIME",
     "Record for this long: 30, 1.5, 500ms, 2m. A program that was started is then ended (SIGTERM, "
     "after 2 s SIGKILL), what ran before goes on; the exit code is 0",
     NULL, NULL},
    {"delay", 0, OPTION_VALUE, "TIME", "Keep no samples from before this time: 500ms, 2s, 1m", NULL, NULL},
    {"call-graph", 0, OPTION_VALUE, "HOW",
     "How callers are found. dwarf, unless given: by unwind information, from a copy of the stack of "
     "BYTES at most (65528 unless given); what is deeper is read from the process. fp: by frame "
     "pointers, which costs the program less and which it must have; what cargo builds is built anew "
     "with them. none: not at all",
     stack_names, NULL},
    {"call-graphs", 'g', OPTION_FLAG, NULL, NULL, NULL, NULL},
    {"kernel", 0, OPTION_FLAG, NULL,
     "Fail where the kernel's part may not be sampled, instead of leaving it out", NULL, NULL},
    {"no-kernel", 0, OPTION_FLAG, NULL, "Leave the kernel's own part out", NULL, NULL},
    {"all-user", 0, OPTION_FLAG, NULL, NULL, NULL, "no-kernel"},
    {"no-inline", 0, OPTION_FLAG, NULL, "Do not tell inlined calls apart", NULL, NULL},
    {"no-aslr", 0, OPTION_FLAG, NULL, "Give the program the same memory layout each time", NULL, NULL},
    {"runs", 0, OPTION_VALUE, "NUM", "Run the program NUM times, one after the other, into one profile", NULL,
     NULL},
    {"iteration-count", 0, OPTION_VALUE, "NUM", NULL, NULL, "runs"},
    {"root", 0, OPTION_FLAG, NULL,
     "Watch as root, by sudo; what is built and run, and the outputs, stay yours", NULL, NULL},
    {"ignore-status", 0, OPTION_FLAG, NULL, "Exit with 0 whatever the program's exit code is", NULL, NULL},
};

const struct option_table recording_options = {"Recording", recording_specs, ARRAY_COUNT(recording_specs)};

#define WATCHING(pid_letter, all_letter, cpu_letter)                                                         \
    {"pid",                                                                                                  \
     pid_letter,                                                                                             \
     OPTION_MANY,                                                                                            \
     "PID[,PID]...",                                                                                         \
     "Watch processes that run, until they end, Ctrl-C, or the end of a command after `--`",                 \
     NULL,                                                                                                   \
     NULL},                                                                                                  \
        {"all-cpus", all_letter, OPTION_FLAG, NULL, "Watch the whole machine", NULL, NULL},                  \
    {                                                                                                        \
        "cpu", cpu_letter, OPTION_VALUE, "LIST", "Watch these processors of the machine: 0-3,5", NULL, NULL  \
    }

static const struct option_spec watching_specs[] = {WATCHING(0, 0, 0)};
static const struct option_spec watching_specs_with_letters[] = {WATCHING('p', 'a', 'C')};

const struct option_table watching_options = {"What runs already", watching_specs,
                                              ARRAY_COUNT(watching_specs)};
const struct option_table watching_options_with_letters = {"What runs already", watching_specs_with_letters,
                                                           ARRAY_COUNT(watching_specs_with_letters)};

/* "30", "1.5s", "500ms", "2m": 0 when the option was not given. */
static int read_time(const struct options *options, const char *name, uint64_t *out_ns, struct error *err)
{
    const char *value = options_value(options, name);
    struct scan scan = scan_of(slice_of(value));
    uint64_t time_ns = 0;

    if (!value)
        return 0;
    if (scan_time(&scan, &time_ns) && time_ns > 0 && scan_at_end(&scan) && time_ns <= INT64_MAX / 2) {
        *out_ns = time_ns;
        return 0;
    }
    return error_set(err, ERROR_USAGE, "--%s %s: a time is 30, 1.5, 500ms or 2m", name, value);
}

static int read_frequency(const struct options *options, uint32_t *out, struct error *err)
{
    const char *value = options_value(options, "freq");
    uint64_t frequency_hz = 0;

    if (value && strcmp(value, "max") == 0) {
        *out = SAMPLER_MOST_OFTEN;
        return 0;
    }
    if (options_number(options, "freq", USUAL_FREQUENCY_HZ, &frequency_hz, err) < 0) {
        if (value && ascii_is_name(*value))
            error_hint(err, "-F is how often, as perf has it; cargo's --features is -f");
        return -1;
    }
    if (frequency_hz == 0 || frequency_hz > MOST_FREQUENCY_HZ)
        return error_set(err, ERROR_USAGE, "--freq %" PRIu64 ": samples a second are 1 to %d, or max",
                         frequency_hz, MOST_FREQUENCY_HZ);
    *out = (uint32_t)frequency_hz;
    return 0;
}

static int read_rate(const struct options *options, struct sampler_request *sampling, struct error *err)
{
    if (options_has(options, "freq") && options_has(options, "count"))
        return error_set(err, ERROR_USAGE, "--%s and --count: it is one or the other",
                         options_typed_name(options, "freq"));
    if (read_frequency(options, &sampling->frequency_hz, err) < 0)
        return -1;
    if (options_number(options, "count", 0, &sampling->period, err) < 0) {
        /* cargo-flamegraph's -c is the command line of perf. */
        if (slice_starts_with(slice_of(options_value(options, "count")), SLICE("record")))
            error_hint(err, "-F, -e, -c and --call-graph say what is sampled; perf is not run");
        return -1;
    }
    if (options_has(options, "count") && (sampling->period == 0 || sampling->period > INT64_MAX))
        return error_set(err, ERROR_USAGE,
                         "--count %s: how often an event happens between samples is 1 or more",
                         options_value(options, "count"));
    return 0;
}

/* Of time the kernel takes no more samples than one each 10 us (perf_swevent_start_hrtimer, events/core.c).
 */
static int check_count(const struct options *options, const struct sampler_request *sampling,
                       struct error *err)
{
    enum { LEAST_NS = 10000 };
    bool is_time = sampling->event_count == 0;

    for (size_t i = 0; i < sampling->event_count; i++)
        is_time = is_time || (event_is_clock(&sampling->events[i]) && sampling->events[i].period > 0);
    if (sampling->period == 0 || sampling->period >= LEAST_NS || !is_time)
        return 0;
    error_hint(err, "-F NUM takes so many samples a second; -e EVENT says what to count");
    return error_set(err, ERROR_USAGE,
                     "--count %s: of CPU time that is nanoseconds, and the kernel samples each %d at most",
                     options_value(options, "count"), LEAST_NS);
}

/* A frequency is for the events that have one, and there must be one of them. */
static int check_frequency(const struct options *options, const struct sampler_request *sampling,
                           struct error *err)
{
    if (!options_has(options, "freq") || sampling->event_count == 0)
        return 0;
    for (size_t i = 0; i < sampling->event_count; i++)
        if (sampling->events[i].period == 0)
            return 0;
    if (sampling->events[0].is_waits)
        error_hint(err, "each wait is sampled; --off-cpu instead of -e " EVENT_OF_WAITS
                        " samples the CPU time beside it");
    else if (sampling->events[0].heap)
        error_hint(err, "--heap instead of -e %s samples the CPU time beside it", sampling->events[0].name);
    else
        error_hint(err, "-c NUM samples each time it has happened NUM times; 1 is the most there can be");
    return error_set(err, ERROR_USAGE, "--freq %s: %s is counted, not timed", options_value(options, "freq"),
                     sampling->events[0].name);
}

/* What has a sample each time takes no other rate, and which threads come and go is known of all processors
 * or none. */
static int check_waits(const struct options *options, const struct sampler_request *sampling,
                       struct error *err)
{
    bool has_waits = false;
    bool has_others = false;

    for (size_t i = 0; i < sampling->event_count; i++) {
        has_waits = has_waits || sampling->events[i].is_waits;
        has_others = has_others || !sampling->events[i].is_waits;
    }
    if (has_waits && !has_others && options_has(options, "count"))
        return error_set(err, ERROR_USAGE, "--count %s: of %s each wait is sampled",
                         options_value(options, "count"), EVENT_OF_WAITS);
    if (has_waits && options_has(options, "cpu")) {
        error_hint(err, "--all-cpus watches all of them");
        return error_set(err, ERROR_USAGE,
                         "--cpu %s: %s takes all processors, as threads wait on one and go on on another",
                         options_value(options, "cpu"), EVENT_OF_WAITS);
    }
    return 0;
}

/* The values of options that may be given several times. */
static int read_lists(const struct options *options, struct recording *out, struct error *err)
{
    for (size_t i = 0; i < options->uses.count; i++) {
        const struct option_use *use = &options->uses.items[i];
        struct slice value = slice_of(use->value);
        int result = 0;

        if (strcmp(use->spec->name, "event") == 0)
            result = event_list_add(&out->arena, &out->session.sampling, value, err);
        else if (strcmp(use->spec->name, "pid") == 0)
            result = pid_list_read("pid", value, &out->pids, err);
        else if (strcmp(use->spec->name, "cpu") == 0)
            result = machine_read_cpus(value, &out->cpus, err);
        if (result < 0)
            return -1;
    }
    return 0;
}

/* What is sampled beside what is sampled anyway. */
static int add_beside(const struct options *options, struct recording *out, struct error *err)
{
    struct sampler_request *sampling = &out->session.sampling;

    if (options_has(options, "off-cpu") && event_list_add_waits(&out->arena, sampling, err) < 0)
        return -1;
    return options_has(options, "heap") ? event_list_add_heap(&out->arena, sampling, err) : 0;
}

static int read_watched(const struct options *options, struct recording *out, struct error *err)
{
    struct session_request *session = &out->session;

    session->is_machine = options_has(options, "all-cpus") || options_has(options, "cpu");
    session->pids = out->pids;
    session->sampling.cpus = out->cpus.items;
    session->sampling.cpu_count = out->cpus.count;
    if (session->is_machine && session->pids.count > 0)
        return error_set(err, ERROR_USAGE,
                         "--pid watches processes, --all-cpus and --cpu the machine: it is one "
                         "or the other");
    if (recording_watches(out) && options_has(options, "runs"))
        return error_set(err, ERROR_USAGE, "--runs is about a program that is started to be watched");
    return 0;
}

static int read_kernel(const struct options *options, struct sampler_request *sampling, struct error *err)
{
    bool wants = options_has(options, "kernel");
    bool refuses = options_has(options, "no-kernel");

    if (wants && refuses)
        return error_set(err, ERROR_USAGE, "--kernel and --%s: it is one or the other",
                         options_typed_name(options, "no-kernel"));
    for (size_t i = 0; wants && i < sampling->event_count; i++)
        if (sampling->events[i].is_user_only)
            return error_set(err, ERROR_USAGE, "--kernel: --event %s leaves the kernel's part out",
                             sampling->events[i].name);
    sampling->kernel = wants     ? SAMPLER_KERNEL_ALWAYS
                       : refuses ? SAMPLER_KERNEL_NEVER
                                 : SAMPLER_KERNEL_IF_ALLOWED;
    return 0;
}

_Static_assert(SAMPLER_MOST_STACK_BYTES == 65528, "the help of --call-graph says so");

/* "dwarf", "dwarf,8192", "fp,64", "none" */
static int read_stacks(const struct options *options, struct sampler_request *sampling, struct error *err)
{
    enum {
        WORD = sizeof(uint64_t),
        LEAST_STACK_BYTES = 1024, /* the innermost function alone has often more */
        FEWER_STACK_BYTES = 32000 /* half of the most; samply copies as many */
    };
    const char *details = options_choice_details(options, "call-graph");
    struct scan scan = scan_of(slice_of(details));
    uint64_t number = 0;
    bool is_number = scan_decimal(&scan, &number) && scan_at_end(&scan) && number > 0;
    uint16_t most_calls = 0;

    sampling->stacks = (enum sampler_stacks)options_choice(options, "call-graph", SAMPLER_STACKS_COPIED);
    if (!details) {
        sampling->fewer_stack_bytes = FEWER_STACK_BYTES;
        return 0;
    }
    if (sampling->stacks == SAMPLER_STACKS_COPIED) {
        if (!is_number || number < LEAST_STACK_BYTES || number > SAMPLER_MOST_STACK_BYTES)
            return error_set(err, ERROR_USAGE, "--call-graph dwarf,%s: bytes of each stack are %d to %d",
                             details, LEAST_STACK_BYTES, SAMPLER_MOST_STACK_BYTES);
        sampling->most_stack_bytes = (uint32_t)((number + WORD - 1) / WORD * WORD);
        return 0;
    }
    /* Perf's word for calls that are looked for a little later, which are the same ones. */
    if (strcmp(details, "defer") == 0)
        return 0;
    most_calls = sampler_most_calls();
    if (!is_number || number > most_calls) {
        error_hint(err, "kernel.perf_event_max_stack sets how many it is at most");
        return error_set(err, ERROR_USAGE, "--call-graph fp,%s: calls of each stack are 1 to %d", details,
                         most_calls);
    }
    sampling->most_calls = (uint16_t)number;
    return 0;
}

/* Perf's --delay takes milliseconds, so a number alone may be meant as those. */
static int read_delay(const struct options *options, uint64_t *out_ns, struct error *err)
{
    const char *value = options_value(options, "delay");

    if (read_time(options, "delay", out_ns, err) < 0)
        return -1;
    if (value && value[strspn(value, "0123456789")] == '\0')
        return error_set(err, ERROR_USAGE,
                         "--delay %s: with its unit, %sms or %ss, as perf takes a number for milliseconds",
                         value, value, value);
    return 0;
}

int recording_read(const struct options *options, struct recording *out, struct error *err)
{
    struct session_request *session = &out->session;
    uint64_t run_count = 1;

    *out = (struct recording){0};
    if (read_rate(options, &session->sampling, err) < 0 || read_lists(options, out, err) < 0 ||
        add_beside(options, out, err) < 0 || check_frequency(options, &session->sampling, err) < 0 ||
        check_count(options, &session->sampling, err) < 0 ||
        check_waits(options, &session->sampling, err) < 0 || read_watched(options, out, err) < 0 ||
        read_kernel(options, &session->sampling, err) < 0 ||
        read_stacks(options, &session->sampling, err) < 0 ||
        heap_options_check(options, &session->sampling, err) < 0 ||
        read_time(options, "duration", &session->duration_ns, err) < 0 ||
        read_delay(options, &session->delay_ns, err) < 0 ||
        options_number(options, "runs", 1, &run_count, err) < 0)
        return -1;
    if (run_count == 0 || run_count > MOST_RUNS)
        return error_set(err, ERROR_USAGE, "--runs %" PRIu64 ": 1 to %d", run_count, MOST_RUNS);
    session->run_count = (unsigned)run_count;
    session->launch.has_fixed_layout = options_has(options, "no-aslr");
    out->ignores_status = options_has(options, "ignore-status");
    session->runs_on = out->ignores_status;
    out->has_no_inlined = options_has(options, "no-inline");
    return 0;
}

bool recording_watches(const struct recording *recording)
{
    return recording->session.is_machine || recording->session.pids.count > 0;
}

void recording_done(struct recording *recording)
{
    arena_done(&recording->arena);
    vec_done(&recording->cpus);
    vec_done(&recording->pids);
}
