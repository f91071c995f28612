#include "emit/firefox.h"

#include "base/memory.h"
#include "emit/firefox_ids.h"
#include "emit/firefox_thread.h"
#include "facts/cpu_time.h"
#include "facts/series_unit.h"
#include "profile/samples_by_thread.h"
#include "profile/totals.h"

enum { FORMAT_VERSION = 49 };

static const struct {
    const char *name;
    const char *color; /* of the front-end's palette; the default category must be grey */
} categories[CATEGORY_COUNT] = {
    [CATEGORY_UNKNOWN] = {"Other", "grey"},
    [CATEGORY_OWN] = {"Own crates", "orange"},
    [CATEGORY_DEPENDENCY] = {"Dependencies", "yellow"},
    [CATEGORY_STD] = {"std", "lightblue"},
    [CATEGORY_KERNEL] = {"Kernel", "purple"},
    [CATEGORY_OTHER] = {"C and other", "green"},
};

/* One document in the making. */
struct document {
    struct json_out out;
    const struct profile *profile;
    const struct profile_series *series;
    enum weight weight;
    bool is_of_waits; /* microseconds */
    bool is_of_bytes;
    const struct function_files *files;
    const struct firefox_id *ids; /* by thread */
    bool has_times;               /* folded stacks tell none: each then comes one millisecond after another */
    uint64_t zero_ns;             /* what times count from */
};

static void put_text(struct json_out *out, const char *key, const char *value)
{
    json_put_key(out, key);
    json_put_string(out, slice_of(value));
}

static void put_number(struct json_out *out, const char *key, uint64_t value)
{
    json_put_key(out, key);
    json_put_u64(out, value);
}

static void put_bool(struct json_out *out, const char *key, bool value)
{
    json_put_key(out, key);
    json_put_bool(out, value);
}

static void put_null(struct json_out *out, const char *key)
{
    json_put_key(out, key);
    json_put_null(out);
}

static void put_empty_list(struct json_out *out, const char *key)
{
    json_put_key(out, key);
    json_begin_array(out);
    json_end_array(out);
}

/* --- What is about the whole --------------------------------------------------------------------- */

static void put_categories(struct json_out *out)
{
    json_put_key(out, "categories");
    json_begin_array(out);
    for (size_t i = 0; i < CATEGORY_COUNT; i++) {
        json_begin_object(out);
        put_text(out, "name", categories[i].name);
        put_text(out, "color", categories[i].color);
        json_put_key(out, "subcategories");
        json_begin_array(out);
        json_put_string(out, SLICE("Other"));
        json_end_array(out);
        json_end_object(out);
    }
    json_end_array(out);
}

static void put_extensions(struct json_out *out)
{
    json_put_key(out, "extensions");
    json_begin_object(out);
    put_empty_list(out, "baseURL");
    put_empty_list(out, "id");
    put_number(out, "length", 0);
    put_empty_list(out, "name");
    json_end_object(out);
}

static bool is_of_time(const struct document *document)
{
    return slice_is(profile_text(document->profile, document->series->unit), "ns");
}

/* The time from one sample to the next; 1 where nothing tells it. */
static double interval_ms(const struct document *document)
{
    const struct profile_series *series = document->series;

    if (series->frequency_hz > 0)
        return 1000.0 / series->frequency_hz;
    if (is_of_time(document) && series->samples.count > 0)
        return (double)series_sum_of_values(series) / (double)series->samples.count / 1e6;
    return 1;
}

static void put_meta(struct document *document)
{
    struct json_out *out = &document->out;
    const struct profile *profile = document->profile;

    json_put_key(out, "meta");
    json_begin_object(out);
    put_categories(out);
    put_bool(out, "debug", false);
    put_extensions(out);
    json_put_key(out, "interval");
    json_put_double(out, interval_ms(document));
    put_number(out, "preprocessedProfileVersion", FORMAT_VERSION);
    put_number(out, "processType", 0);
    json_put_key(out, "product");
    json_put_string(out, profile->command ? profile_text(profile, profile->command) : SLICE("cargo cprof"));
    json_put_key(out, "sampleUnits");
    json_begin_object(out);
    put_text(out, "time", "ms");
    put_text(out, "eventDelay", "ms");
    put_text(out, "threadCPUDelta", "µs");
    json_end_object(out);
    json_put_key(out, "startTime");
    json_put_double(out, (double)profile->started_unix_ns / 1e6);
    put_bool(out, "symbolicated", true);
    put_empty_list(out, "pausedRanges");
    put_number(out, "version", 24);
    put_bool(out, "usesOnlyOneStackType", true);
    put_bool(out, "doesNotUseFrameImplementation", true);
    put_bool(out, "sourceCodeIsNotOnSearchfox", true);
    put_empty_list(out, "markerSchema");
    json_end_object(out);
}

/* A build id as Breakpad has it: a GUID, whose first three parts are little-endian, and an age of 0. */
static void add_breakpad_id(struct text *text, struct slice build_id)
{
    static const unsigned char order[16] = {3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15};

    for (size_t i = 0; i < ARRAY_COUNT(order); i++)
        text_format(text, "%02X", order[i] < build_id.length ? (unsigned char)build_id.data[order[i]] : 0);
    text_add_byte(text, '0');
}

static void put_library(struct document *document, const struct profile_module *module)
{
    struct json_out *out = &document->out;
    SCOPED(text_done) struct text id = {0};
    struct slice path = profile_text(document->profile, module->path);
    struct slice build_id = profile_text(document->profile, module->build_id);
    struct slice name = slice_file_name(path);

    json_begin_object(out);
    json_put_key(out, "name");
    json_put_string(out, name);
    json_put_key(out, "path");
    json_put_string(out, path);
    json_put_key(out, "debugName");
    json_put_string(out, name);
    json_put_key(out, "debugPath");
    json_put_string(out, path);
    add_breakpad_id(&id, build_id);
    json_put_key(out, "breakpadId");
    json_put_string(out, text_slice(&id));
    text_clear(&id);
    text_add_hex_bytes(&id, build_id);
    json_put_key(out, "codeId");
    if (id.length > 0)
        json_put_string(out, text_slice(&id));
    else
        json_put_null(out);
    put_null(out, "arch");
    json_end_object(out);
}

/* --- Threads ------------------------------------------------------------------------------------- */

static double milliseconds(const struct document *document, uint64_t time_ns)
{
    return (double)(time_ns - document->zero_ns) / 1e6;
}

static void put_sample_stacks(struct document *document, const struct firefox_thread *tables,
                              const struct thread_samples *samples)
{
    struct json_out *out = &document->out;

    json_put_key(out, "stack");
    json_begin_array(out);
    for (size_t i = 0; i < samples->items.count; i++) {
        uint32_t stack = samples->items.items[i].stack;

        if (stack == PROFILE_NONE || tables->stack_places[stack] == PROFILE_NONE)
            json_put_null(out);
        else
            json_put_u64(out, tables->stack_places[stack]);
    }
    json_end_array(out);
}

static void put_sample_times(struct document *document, const struct thread_samples *samples)
{
    struct json_out *out = &document->out;

    json_put_key(out, "time");
    json_begin_array(out);
    for (size_t i = 0; i < samples->items.count; i++)
        json_put_double(out, document->has_times ? milliseconds(document, samples->items.items[i].time_ns)
                                                 : (double)i);
    json_end_array(out);
}

static void put_weight(struct document *document, uint64_t value)
{
    const double us_per_ms = 1000;

    if (document->is_of_waits)
        json_put_double(&document->out, (double)value / us_per_ms);
    else
        json_put_u64(&document->out, document->weight == WEIGHT_SAMPLES ? 1 : value);
}

static void put_sample_weights(struct document *document, const struct thread_samples *samples)
{
    struct json_out *out = &document->out;

    json_put_key(out, "weight");
    json_begin_array(out);
    for (size_t i = 0; i < samples->items.count; i++)
        put_weight(document, samples->items.items[i].value);
    json_end_array(out);
}

static void put_cpu_times(struct document *document, const struct thread_samples *samples)
{
    struct json_out *out = &document->out;

    json_put_key(out, "threadCPUDelta");
    json_begin_array(out);
    for (size_t i = 0; i < samples->items.count; i++)
        json_put_u64(out, samples->items.items[i].value / 1000);
    json_end_array(out);
}

static void put_samples(struct document *document, const struct firefox_thread *tables,
                        const struct thread_samples *samples)
{
    struct json_out *out = &document->out;

    json_put_key(out, "samples");
    json_begin_object(out);
    put_number(out, "length", samples->items.count);
    put_text(out, "weightType",
             document->is_of_waits   ? "tracing-ms"
             : document->is_of_bytes ? "bytes"
                                     : "samples");
    put_sample_stacks(document, tables, samples);
    put_sample_times(document, samples);
    put_sample_weights(document, samples);
    /* Zeros would say that no time was used: the front-end then draws no activity. */
    if (is_of_time(document))
        put_cpu_times(document, samples);
    json_end_object(out);
}

static void put_markers(struct json_out *out)
{
    static const char *const columns[] = {"category", "data", "endTime", "name", "phase", "startTime"};

    json_put_key(out, "markers");
    json_begin_object(out);
    put_number(out, "length", 0);
    for (size_t i = 0; i < ARRAY_COUNT(columns); i++)
        put_empty_list(out, columns[i]);
    json_end_object(out);
}

/* "4242"; what has the id after others is "4242.1". */
static void put_id(struct json_out *out, const char *key, uint32_t id, uint32_t repeat)
{
    SCOPED(text_done) struct text text = {0};

    text_format(&text, "%u", id);
    if (repeat > 0)
        text_format(&text, ".%u", repeat);
    json_put_key(out, key);
    json_put_string(out, text_slice(&text));
}

static void put_thread_facts(struct document *document, uint32_t number)
{
    struct json_out *out = &document->out;
    const struct profile_thread *thread = &document->profile->threads.items[number];
    const struct firefox_id *id = &document->ids[number];

    json_put_key(out, "name");
    json_put_string(out, profile_text(document->profile, thread->name));
    put_bool(out, "isMainThread", id->is_main);
    put_empty_list(out, "pausedRanges");
    put_id(out, "pid", thread->pid, id->pid_repeat);
    put_id(out, "tid", thread->tid, id->tid_repeat);
    json_put_key(out, "processName");
    json_put_string(out, profile_text(document->profile, thread->process_name));
    json_put_key(out, "processStartupTime");
    json_put_double(out, 0);
    put_null(out, "processShutdownTime");
    put_text(out, "processType", "default");
    json_put_key(out, "registerTime");
    json_put_double(out, 0);
    put_null(out, "unregisterTime");
    put_bool(out, "showMarkersInTimeline", false);
}

/* Marks the stacks of the samples, and their callers'. */
static bool *used_stacks(const struct profile *profile, const struct thread_samples *samples)
{
    bool *used = memory_new(profile->stacks.count + 1, sizeof(bool));

    for (size_t i = 0; i < samples->items.count; i++)
        for (uint32_t stack = samples->items.items[i].stack; stack != PROFILE_NONE && !used[stack];
             stack = profile->stacks.items[stack].parent)
            used[stack] = true;
    return used;
}

static void put_thread(struct document *document, uint32_t id, const struct thread_samples *samples)
{
    SCOPED(memory_free_at) bool *used = used_stacks(document->profile, samples);
    SCOPED(firefox_thread_done) struct firefox_thread tables;

    firefox_thread_init(&tables, document->profile, document->files, used);
    json_begin_object(&document->out);
    put_thread_facts(document, id);
    put_samples(document, &tables, samples);
    put_markers(&document->out);
    firefox_thread_put_tables(&tables, &document->out);
    json_end_object(&document->out);
}

static void put_document(struct document *document, const struct samples_by_thread *samples)
{
    struct json_out *out = &document->out;
    const struct profile *profile = document->profile;

    json_begin_object(out);
    put_meta(document);
    json_put_key(out, "libs");
    json_begin_array(out);
    for (size_t i = 0; i < profile->modules.count; i++)
        put_library(document, &profile->modules.items[i]);
    json_end_array(out);
    json_put_key(out, "threads");
    json_begin_array(out);
    for (uint32_t i = 0; i < profile->threads.count; i++)
        if (samples->threads[i].items.count > 0)
            put_thread(document, i, &samples->threads[i]);
    json_end_array(out);
    put_empty_list(out, "pages");
    put_empty_list(out, "profilerOverhead");
    put_empty_list(out, "counters");
    json_end_object(out);
}

/* When the recording began, which the document tells; of files that do not tell it the first sample. */
static uint64_t find_zero_ns(const struct profile *profile, const struct samples_by_thread *samples)
{
    bool is_known = profile->started_ns > 0 && profile->started_ns <= samples->start_ns;

    return is_known ? profile->started_ns : samples->start_ns;
}

int firefox_add(struct text *text, const struct profile *profile, uint32_t series, struct error *err)
{
    SCOPED(samples_by_thread_done) struct samples_by_thread samples = {0};
    SCOPED(memory_free_at) struct firefox_id *ids = NULL;
    SCOPED(function_files_done) struct function_files files = {0};
    struct document document = {
        .out = json_out_of(text),
        .profile = profile,
        .series = &profile->series.items[series],
        .weight = weight_of_series(profile, series),
        .is_of_waits = series_is_of_waits(profile, series),
        .is_of_bytes = slice_is(profile_text(profile, profile->series.items[series].unit), "bytes"),
        .has_times = sample_store_end_ns(&profile->series.items[series].samples) > 0,
    };

    if (samples_by_thread_make(profile, series, &samples, err) < 0)
        return -1;
    ids = firefox_ids_make(profile);
    document.ids = ids;
    function_files_init(&files, profile);
    document.files = &files;
    document.zero_ns = find_zero_ns(profile, &samples);
    put_document(&document, &samples);
    return 0;
}
