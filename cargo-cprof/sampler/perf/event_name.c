#include "sampler/perf/event_name.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <unistd.h>

#include "base/ascii.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/scan.h"
#include "cli/suggest.h"
#include "sampler/perf/breakpoint.h"

struct known_event {
    const char *name;
    const char *other; /* a second name; NULL for none */
    uint64_t config;
};

static const struct known_event hardware[] = {
    {"cycles", "cpu-cycles", PERF_COUNT_HW_CPU_CYCLES},
    {"instructions", NULL, PERF_COUNT_HW_INSTRUCTIONS},
    {"cache-references", NULL, PERF_COUNT_HW_CACHE_REFERENCES},
    {"cache-misses", NULL, PERF_COUNT_HW_CACHE_MISSES},
    {"branches", "branch-instructions", PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
    {"branch-misses", NULL, PERF_COUNT_HW_BRANCH_MISSES},
    {"bus-cycles", NULL, PERF_COUNT_HW_BUS_CYCLES},
    {"stalled-cycles-frontend", "idle-cycles-frontend", PERF_COUNT_HW_STALLED_CYCLES_FRONTEND},
    {"stalled-cycles-backend", "idle-cycles-backend", PERF_COUNT_HW_STALLED_CYCLES_BACKEND},
    {"ref-cycles", NULL, PERF_COUNT_HW_REF_CPU_CYCLES},
};

enum { SW_CGROUP_SWITCHES = 11 }; /* since Linux 5.13 */

static const struct known_event software[] = {
    {"cpu-clock", NULL, PERF_COUNT_SW_CPU_CLOCK},
    {"task-clock", NULL, PERF_COUNT_SW_TASK_CLOCK},
    {"page-faults", "faults", PERF_COUNT_SW_PAGE_FAULTS},
    {"context-switches", "cs", PERF_COUNT_SW_CONTEXT_SWITCHES},
    {"cpu-migrations", "migrations", PERF_COUNT_SW_CPU_MIGRATIONS},
    {"minor-faults", NULL, PERF_COUNT_SW_PAGE_FAULTS_MIN},
    {"major-faults", NULL, PERF_COUNT_SW_PAGE_FAULTS_MAJ},
    {"alignment-faults", NULL, PERF_COUNT_SW_ALIGNMENT_FAULTS},
    {"emulation-faults", NULL, PERF_COUNT_SW_EMULATION_FAULTS},
    {"dummy", NULL, PERF_COUNT_SW_DUMMY},
    {"bpf-output", NULL, PERF_COUNT_SW_BPF_OUTPUT},
    {"cgroup-switches", NULL, SW_CGROUP_SWITCHES},
};

static const struct known_event caches[] = {
    {"L1-dcache", NULL, PERF_COUNT_HW_CACHE_L1D}, {"L1-icache", NULL, PERF_COUNT_HW_CACHE_L1I},
    {"LLC", NULL, PERF_COUNT_HW_CACHE_LL},        {"dTLB", NULL, PERF_COUNT_HW_CACHE_DTLB},
    {"iTLB", NULL, PERF_COUNT_HW_CACHE_ITLB},     {"branch", NULL, PERF_COUNT_HW_CACHE_BPU},
    {"node", NULL, PERF_COUNT_HW_CACHE_NODE},
};

/* What follows a cache's name: operation and result, as they stand in the number. */
#define CACHE_CONFIG(operation, result)                                                                      \
    (((uint64_t)PERF_COUNT_HW_CACHE_OP_##operation << 8) |                                                   \
     ((uint64_t)PERF_COUNT_HW_CACHE_RESULT_##result << 16))

static const struct known_event cache_operations[] = {
    {"-loads", NULL, CACHE_CONFIG(READ, ACCESS)},
    {"-load-misses", NULL, CACHE_CONFIG(READ, MISS)},
    {"-stores", NULL, CACHE_CONFIG(WRITE, ACCESS)},
    {"-store-misses", NULL, CACHE_CONFIG(WRITE, MISS)},
    {"-prefetches", NULL, CACHE_CONFIG(PREFETCH, ACCESS)},
    {"-prefetch-misses", NULL, CACHE_CONFIG(PREFETCH, MISS)},
};

static const struct known_event *find(const struct known_event *table, size_t count, struct slice name)
{
    for (size_t i = 0; i < count; i++)
        if (slice_is(name, table[i].name) || (table[i].other && slice_is(name, table[i].other)))
            return &table[i];
    return NULL;
}

const char *event_name_of_number(uint32_t type, uint64_t config)
{
    const struct known_event *table = type == PERF_TYPE_HARDWARE ? hardware : software;
    size_t count = type == PERF_TYPE_HARDWARE ? ARRAY_COUNT(hardware) : ARRAY_COUNT(software);

    if (type != PERF_TYPE_HARDWARE && type != PERF_TYPE_SOFTWARE)
        return NULL;
    for (size_t i = 0; i < count; i++)
        if (table[i].config == config)
            return table[i].name;
    return NULL;
}

static bool find_cache(struct slice name, uint64_t *config)
{
    for (size_t i = 0; i < ARRAY_COUNT(caches); i++) {
        struct slice cache = slice_of(caches[i].name);
        const struct known_event *operation = NULL;

        if (slice_starts_with(name, cache))
            operation = find(cache_operations, ARRAY_COUNT(cache_operations),
                             slice_range(name, cache.length, name.length));
        if (!operation)
            continue;
        *config = caches[i].config | operation->config;
        return true;
    }
    return false;
}

static bool find_raw(struct slice name, uint64_t *config)
{
    struct scan scan = scan_of(name);

    return scan_byte(&scan, 'r') && scan_hex(&scan, config) && scan_at_end(&scan);
}

/* What times are in, and what else samples count. */
static const char *unit_of(const struct known_event *event, uint32_t type)
{
    bool is_time = type == PERF_TYPE_SOFTWARE &&
                   (event->config == PERF_COUNT_SW_CPU_CLOCK || event->config == PERF_COUNT_SW_TASK_CLOCK);

    return is_time ? "ns" : event->name;
}

/* Where threads wait: they are sampled as they leave their processor. */
static bool find_waits(struct slice name, struct sampler_event_kind *out)
{
    if (!slice_is(name, EVENT_OF_WAITS))
        return false;
    out->type = PERF_TYPE_SOFTWARE;
    out->config = PERF_COUNT_SW_CONTEXT_SWITCHES;
    out->unit = "us";
    out->is_waits = true;
    return true;
}

static const struct {
    const char *name;
    const char *unit;
} heap_events[] = {
    [SAMPLER_HEAP_PEAK] = {"heap-peak", "bytes"},
    [SAMPLER_HEAP_END] = {"heap-end", "bytes"},
    [SAMPLER_HEAP_BYTES] = {"alloc-bytes", "bytes"},
    [SAMPLER_HEAP_COUNT] = {"alloc-count", "allocations"},
};

const char *event_name_of_heap(enum sampler_heap heap)
{
    return heap < ARRAY_COUNT(heap_events) ? heap_events[heap].name : NULL;
}

/* The memory that a program is given, which it tells itself: the kernel has no event of it. */
static bool find_heap(struct slice name, struct sampler_event_kind *out)
{
    for (unsigned i = SAMPLER_HEAP_PEAK; i < ARRAY_COUNT(heap_events); i++) {
        if (!slice_is(name, heap_events[i].name))
            continue;
        out->type = PERF_TYPE_SOFTWARE;
        out->config = PERF_COUNT_SW_DUMMY;
        out->unit = heap_events[i].unit;
        out->heap = (enum sampler_heap)i;
        out->is_user_only = true;
        return true;
    }
    return false;
}

/* Type, number and unit of what is no tracepoint. */
static bool find_known(struct arena *arena, struct slice name, struct sampler_event_kind *out)
{
    const struct known_event *known = find(hardware, ARRAY_COUNT(hardware), name);

    if (find_waits(name, out) || find_heap(name, out))
        return true;
    out->type = PERF_TYPE_HARDWARE;
    if (!known) {
        known = find(software, ARRAY_COUNT(software), name);
        out->type = PERF_TYPE_SOFTWARE;
    }
    if (known) {
        out->config = known->config;
        out->unit = unit_of(known, out->type);
        return true;
    }
    out->type = PERF_TYPE_HW_CACHE;
    if (find_cache(name, &out->config)) {
        out->unit = arena_copy(arena, name);
        return true;
    }
    out->type = PERF_TYPE_RAW;
    out->unit = "events";
    return find_raw(name, &out->config);
}

/* "ukppp", "P"; false for anything else. */
static bool read_modifiers(struct slice modifiers, struct sampler_event_kind *out)
{
    bool has_user = false;
    bool has_kernel = false;

    for (size_t i = 0; i < modifiers.length; i++) {
        if (modifiers.data[i] == 'u')
            has_user = true;
        else if (modifiers.data[i] == 'k')
            has_kernel = true;
        else if (modifiers.data[i] == 'p' && out->precise < SAMPLER_MOST_PRECISE)
            out->precise++;
        else if (modifiers.data[i] == 'P')
            out->is_most_precise = true;
        else
            return false;
    }
    out->is_user_only = has_user && !has_kernel;
    out->is_kernel_only = has_kernel && !has_user;
    return modifiers.length > 0;
}

/* Names of tracepoints are made of these; nothing else may get into a path. */
static bool is_identifier(struct slice name)
{
    for (size_t i = 0; i < name.length; i++)
        if (!ascii_is_name(name.data[i]) && name.data[i] != '-')
            return false;
    return name.length > 0;
}

/* The folder's entry that is nearest to the name, "" when none is near. Lives in `out`. */
static struct slice nearest_entry(const char *path, struct slice name, struct text *out)
{
    SCOPED(folder_close) DIR *folder = opendir(path);
    struct suggestion best = suggestion_for(name);
    const struct dirent *entry = NULL;

    while (folder && (entry = readdir(folder))) {
        size_t before = best.distance;

        if (entry->d_name[0] != '.')
            suggestion_consider(&best, slice_of(entry->d_name));
        if (best.distance == before)
            continue;
        text_clear(out);
        text_add(out, best.nearest); /* the entry is gone with the next one */
    }
    return text_slice(out);
}

/* What may have been meant: another name of the same subsystem, or that name of another one. */
static void suggest_tracepoint(const char *events, struct slice subsystem, struct slice name,
                               struct error *err)
{
    SCOPED(text_done) struct text path = {0};
    SCOPED(text_done) struct text found = {0};
    SCOPED(text_done) struct text found_name = {0};

    text_format(&path, "%s/%.*s", events, SLICE_ARGUMENTS(subsystem));
    if (access(text_string(&path), F_OK) == 0)
        text_add(&found, subsystem);
    else if (nearest_entry(events, subsystem, &found).length == 0)
        return;
    text_clear(&path);
    text_format(&path, "%s/%s", events, text_string(&found));
    if (nearest_entry(text_string(&path), name, &found_name).length > 0)
        error_hint(err, "did you mean %s:%s?", text_string(&found), text_string(&found_name));
    else
        error_hint(err, "`ls %s` lists them", text_string(&path));
}

static int explain_tracepoint(const char *tracing, const char *path, struct slice name, size_t colon,
                              struct error *err)
{
    SCOPED(text_done) struct text events = {0};

    text_format(&events, "%s/events", tracing);
    if (access(path, R_OK) < 0 && errno == EACCES) {
        error_hint(err, "only root may read them: run cargo cprof with --root or as root");
        return error_set(err, ERROR_DENIED, "--event %.*s: the system does not let us see tracepoints",
                         SLICE_ARGUMENTS(name));
    }
    if (access(text_string(&events), F_OK) == 0) {
        suggest_tracepoint(text_string(&events), slice_range(name, 0, colon),
                           slice_range(name, colon + 1, name.length), err);
        return error_set(err, ERROR_MISSING, "--event %.*s: the kernel has no such tracepoint",
                         SLICE_ARGUMENTS(name));
    }
    error_hint(err, "sudo mount -t tracefs tracefs %s", tracing);
    return error_set(err, ERROR_MISSING, "--event %.*s: tracepoints are not there: %s is not mounted",
                     SLICE_ARGUMENTS(name), tracing);
}

/* SUBSYSTEM:NAME; the number stands in a file. */
static int read_tracepoint(struct slice name, size_t colon, const char *tracing,
                           struct sampler_event_kind *out, struct error *err)
{
    enum { MOST_BYTES = 64 };
    SCOPED(text_done) struct text path = {0};
    SCOPED(text_done) struct text content = {0};
    struct error unread = {0};
    struct scan scan;

    text_format(&path, "%s/events/%.*s/%.*s/id", tracing, SLICE_ARGUMENTS(slice_range(name, 0, colon)),
                SLICE_ARGUMENTS(slice_range(name, colon + 1, name.length)));
    if (file_read(text_string(&path), MOST_BYTES, &content, &unread) < 0)
        return explain_tracepoint(tracing, text_string(&path), name, colon, err);
    scan = scan_of(slice_trim(text_slice(&content)));
    if (!scan_decimal(&scan, &out->config) || !scan_at_end(&scan))
        return error_set(err, ERROR_FORMAT, "%s: not the number of a tracepoint", text_string(&path));
    out->type = PERF_TYPE_TRACEPOINT;
    out->unit = "events";
    return 0;
}

static void suggest(struct slice name, struct error *err)
{
    struct suggestion best = suggestion_for(name);

    for (size_t i = 0; i < ARRAY_COUNT(hardware); i++)
        suggestion_consider(&best, slice_of(hardware[i].name));
    for (size_t i = 0; i < ARRAY_COUNT(software); i++)
        suggestion_consider(&best, slice_of(software[i].name));
    suggestion_consider(&best, slice_of(EVENT_OF_WAITS));
    for (size_t i = SAMPLER_HEAP_PEAK; i < ARRAY_COUNT(heap_events); i++)
        suggestion_consider(&best, slice_of(heap_events[i].name));
    if (slice_find_byte(name, '*') < name.length)
        error_hint(err, "each is named by itself: -e sched:sched_switch,sched:sched_wakeup");
    else if (best.nearest.length > 0)
        error_hint(err, "did you mean %.*s?", SLICE_ARGUMENTS(best.nearest));
    else
        error_hint(err, "names are those of perf: cycles, cpu-clock, page-faults, L1-dcache-load-misses, "
                        "r1a8, sched:sched_switch; with :u, :k or :p behind");
}

static int refuse(struct slice name, struct error *err)
{
    return error_set(err, ERROR_USAGE, "--event %.*s: perf has no such event", SLICE_ARGUMENTS(name));
}

/* What perf takes beside names: "cpu/event=0x3c/" and "{cycles,instructions}"; lists are taken apart before.
 */
static int refuse_form(struct slice name, struct error *err)
{
    if (slice_find_byte(name, '/') < name.length) {
        error_hint(err,
                   "the processor's own events go by their number: cpu/event=0xa8,umask=0x1/ is -e r1a8; "
                   "period=NUM is -c NUM");
        return error_set(err, ERROR_USAGE, "--event %.*s: perf's form PMU/.../ is not understood",
                         SLICE_ARGUMENTS(name));
    }
    error_hint(err, "each is sampled by itself: -e cycles,instructions");
    return error_set(err, ERROR_USAGE, "--event %.*s: perf's groups {...} are not understood",
                     SLICE_ARGUMENTS(name));
}

static bool is_form_of_perf(struct slice name)
{
    return slice_find_byte(name, '/') < name.length || slice_starts_with(name, SLICE("{"));
}

/* SUBSYSTEM:NAME[:MODIFIERS]; `colon` is the first one's place. */
static int read_place(struct arena *arena, struct slice name, size_t colon, const char *tracing,
                      struct sampler_event_kind *out, struct error *err)
{
    size_t last_colon = slice_find_last_byte(name, ':');
    struct slice modifiers = slice_range(name, last_colon + 1, name.length);
    struct slice subsystem = slice_range(name, 0, colon);
    struct slice bare = last_colon > colon ? slice_range(name, 0, last_colon) : name;

    *out = (struct sampler_event_kind){0};
    if (is_identifier(subsystem) && is_identifier(slice_range(bare, colon + 1, bare.length)) &&
        (last_colon == colon || read_modifiers(modifiers, out)) &&
        !find_known(arena, subsystem, &(struct sampler_event_kind){0}))
        return read_tracepoint(bare, colon, tracing, out, err);
    suggest(bare, err);
    return refuse(name, err);
}

static int read_breakpoint(struct slice name, struct sampler_event_kind *out, struct error *err)
{
    struct slice modifiers = {0};

    if (breakpoint_read(name, &modifiers, out) && (modifiers.length == 0 || read_modifiers(modifiers, out)))
        return 0;
    error_hint(err,
               "as in mem:0x404028:w, writes there, mem:0x404028/8:rw, or mem:0x401136:x, an instruction");
    return error_set(err, ERROR_USAGE, "--event %.*s: memory is watched by mem:ADDRESS[/LENGTH][:rwx][:uk]",
                     SLICE_ARGUMENTS(name));
}

static int read_name(struct arena *arena, struct slice name, const char *tracing,
                     struct sampler_event_kind *out, struct error *err)
{
    size_t colon = slice_find_byte(name, ':');
    struct slice bare = slice_range(name, 0, colon);

    if (breakpoint_is_meant(name))
        return read_breakpoint(name, out, err);
    if (is_form_of_perf(name))
        return refuse_form(name, err);
    if (find_known(arena, bare, out) &&
        (colon == name.length || read_modifiers(slice_range(name, colon + 1, name.length), out)))
        return 0;
    if (colon < name.length)
        return read_place(arena, name, colon, tracing, out, err);
    suggest(name, err);
    return refuse(name, err);
}

int event_name_read(struct arena *arena, struct slice name, const char *tracing,
                    struct sampler_event_kind *out, struct error *err)
{
    struct sampler_event_kind event = {0};

    if (read_name(arena, name, tracing, &event, err) < 0)
        return -1;
    event.name = arena_copy(arena, name);
    *out = event;
    return 0;
}

bool event_name_is_same(struct slice a, struct slice b)
{
    SCOPED(arena_done) struct arena arena = {0};
    struct sampler_event_kind first = {0};
    struct sampler_event_kind second = {0};
    struct error unknown = {0};

    if (slice_equal(a, b))
        return true;
    if (breakpoint_is_meant(a) || breakpoint_is_meant(b) ||
        event_name_read(&arena, a, "", &first, &unknown) < 0 ||
        event_name_read(&arena, b, "", &second, &unknown) < 0)
        return false;
    return first.type == second.type && first.config == second.config && first.is_waits == second.is_waits &&
           first.heap == second.heap && first.precise == second.precise &&
           first.is_most_precise == second.is_most_precise && first.is_user_only == second.is_user_only &&
           first.is_kernel_only == second.is_kernel_only;
}
