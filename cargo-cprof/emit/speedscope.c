#include "emit/speedscope.h"

#include "base/memory.h"
#include "emit/function_files.h"
#include "facts/series_unit.h"
#include "profile/samples_by_thread.h"
#include "profile/totals.h"
#include "json/json_out.h"

/* In all lists of calls: about 500 MB, more than which no browser takes as one text. */
enum { MOST_CALLS = 100000000 };

/* One document in the making. */
struct document {
    struct json_out out;
    const struct profile *profile;
    const struct samples_by_thread *samples;
    bool is_of_time; /* amounts are nanoseconds; else samples, or what the event counts, */
    bool is_of_bytes;
    bool is_of_waits;   /* which are microseconds of these */
    enum weight weight; /* of other amounts */
    struct function_files files;
    struct pair_index frames; /* function and file of each frame of the document */
    VEC(uint32_t) calls;      /* of one stack, innermost first */
};

static void put_text(struct json_out *out, const char *key, struct slice value)
{
    json_put_key(out, key);
    json_put_string(out, value);
}

static void put_number(struct json_out *out, const char *key, uint64_t value)
{
    json_put_key(out, key);
    json_put_u64(out, value);
}

/* --- Threads ------------------------------------------------------------------------------------- */

static uint64_t weight_of(const struct document *document, const struct profile_sample *sample)
{
    return document->is_of_time || document->weight == WEIGHT_VALUE ? sample->value : 1;
}

static uint64_t weight_between(const struct document *document, const struct thread_samples *samples,
                               size_t begin, size_t end)
{
    uint64_t sum = 0;

    for (size_t i = begin; i < end; i++)
        weight_add(&sum, weight_of(document, &samples->items.items[i]));
    return sum;
}

/* Behind the samples of one stack that follow each other: the document has them as one. */
static size_t end_of_run(const struct thread_samples *samples, size_t begin)
{
    size_t end = begin + 1;

    while (end < samples->items.count && samples->items.items[end].stack == samples->items.items[begin].stack)
        end++;
    return end;
}

static void add_calls(struct document *document, uint32_t place)
{
    const struct profile *profile = document->profile;
    const struct profile_location *location = &profile->locations.items[place];

    for (uint32_t i = 0; i < location->frame_count; i++) {
        const struct profile_frame *frame = &profile->frames.items[location->first_frame + i];
        uint32_t file = function_file(&document->files, frame, location->module);

        *vec_add(&document->calls) = pair_index_add(&document->frames, frame->function, file);
    }
}

/* A list of frames, outermost first; an empty one where there is no stack. */
static void put_stack(struct document *document, uint32_t stack)
{
    struct json_out *out = &document->out;

    document->calls.count = 0;
    for (; stack != PROFILE_NONE; stack = document->profile->stacks.items[stack].parent)
        add_calls(document, document->profile->stacks.items[stack].location);
    json_begin_array(out);
    for (size_t i = document->calls.count; i-- > 0;)
        json_put_u64(out, document->calls.items[i]);
    json_end_array(out);
}

/* "worker (4242)"; without a number, as of folded stacks, the name alone. */
static void put_name(struct document *document, const struct profile_thread *thread)
{
    SCOPED(text_done) struct text name = {0};
    struct slice own = profile_text(document->profile, thread->name);

    text_add(&name, own.length > 0 ? own : SLICE("[unknown]"));
    if (thread->tid > 0)
        text_format(&name, " (%u)", thread->tid);
    put_text(&document->out, "name", text_slice(&name));
}

static void put_stacks(struct document *document, const struct thread_samples *samples)
{
    json_put_key(&document->out, "samples");
    json_begin_array(&document->out);
    for (size_t i = 0; i < samples->items.count; i = end_of_run(samples, i))
        put_stack(document, samples->items.items[i].stack);
    json_end_array(&document->out);
}

static void put_weights(struct document *document, const struct thread_samples *samples)
{
    json_put_key(&document->out, "weights");
    json_begin_array(&document->out);
    for (size_t i = 0; i < samples->items.count; i = end_of_run(samples, i))
        json_put_u64(&document->out, weight_between(document, samples, i, end_of_run(samples, i)));
    json_end_array(&document->out);
}

static void put_thread(struct document *document, uint32_t thread, uint64_t weight)
{
    struct json_out *out = &document->out;

    json_begin_object(out);
    put_text(out, "type", SLICE("sampled"));
    put_name(document, &document->profile->threads.items[thread]);
    put_text(out, "unit",
             document->is_of_time    ? SLICE("nanoseconds")
             : document->is_of_waits ? SLICE("microseconds")
             : document->is_of_bytes ? SLICE("bytes")
                                     : SLICE("none"));
    put_number(out, "startValue", 0);
    put_number(out, "endValue", weight);
    put_stacks(document, &document->samples->threads[thread]);
    put_weights(document, &document->samples->threads[thread]);
    json_end_object(out);
}

/* --- The whole ----------------------------------------------------------------------------------- */

static void put_frame(struct document *document, struct pair frame)
{
    const struct profile *profile = document->profile;
    struct json_out *out = &document->out;

    json_begin_object(out);
    put_text(out, "name", profile_text(profile, profile->functions.items[frame.first].name));
    if (frame.second != PROFILE_NO_STRING)
        put_text(out, "file", profile_text(profile, (uint32_t)frame.second));
    json_end_object(out);
}

/* Returns the place of the thread that has the most, of those that have samples: the one to be shown first.
 */
static size_t put_threads(struct document *document)
{
    uint64_t most = 0;
    size_t place = 0;
    size_t count = 0;

    json_put_key(&document->out, "profiles");
    json_begin_array(&document->out);
    for (uint32_t i = 0; i < document->samples->thread_count; i++) {
        const struct thread_samples *samples = &document->samples->threads[i];
        uint64_t weight = weight_between(document, samples, 0, samples->items.count);

        if (samples->items.count == 0)
            continue;
        place = weight > most ? count : place;
        most = weight > most ? weight : most;
        put_thread(document, i, weight);
        count++;
    }
    json_end_array(&document->out);
    return place;
}

static void put_document(struct document *document)
{
    const struct profile *profile = document->profile;
    struct json_out *out = &document->out;

    json_begin_object(out);
    put_text(out, "$schema", SLICE("https://www.speedscope.app/file-format-schema.json"));
    put_text(out, "exporter", SLICE("cargo cprof"));
    put_text(out, "name", profile->command ? profile_text(profile, profile->command) : SLICE("cargo cprof"));
    put_number(out, "activeProfileIndex", put_threads(document));
    json_put_key(out, "shared");
    json_begin_object(out);
    json_put_key(out, "frames");
    json_begin_array(out);
    for (size_t i = 0; i < document->frames.pairs.count; i++)
        put_frame(document, document->frames.pairs.items[i]);
    json_end_array(out);
    json_end_object(out);
    json_end_object(out);
}

/* How many calls the lists of all samples have; stops past MOST_CALLS. */
static uint64_t count_calls(const struct profile *profile, const struct samples_by_thread *samples)
{
    SCOPED(memory_free_at) uint64_t *depths = memory_new(profile->stacks.count + 1, sizeof(*depths));
    uint64_t count = 0;

    /* A caller's stack has a smaller id. */
    for (size_t i = 0; i < profile->stacks.count; i++) {
        const struct profile_stack *stack = &profile->stacks.items[i];

        depths[i] = (stack->parent == PROFILE_NONE ? 0 : depths[stack->parent]) +
                    profile->locations.items[stack->location].frame_count;
    }
    for (size_t thread = 0; thread < samples->thread_count; thread++) {
        const struct thread_samples *of = &samples->threads[thread];

        for (size_t i = 0; i < of->items.count && count <= MOST_CALLS; i = end_of_run(of, i))
            count += of->items.items[i].stack == PROFILE_NONE ? 0 : depths[of->items.items[i].stack];
    }
    return count;
}

int speedscope_add(struct text *text, const struct profile *profile, uint32_t series, struct error *err)
{
    SCOPED(samples_by_thread_done) struct samples_by_thread samples = {0};
    struct document document = {
        .out = json_out_of(text),
        .profile = profile,
        .samples = &samples,
        .is_of_time = slice_is(profile_text(profile, profile->series.items[series].unit), "ns"),
        .is_of_waits = series_is_of_waits(profile, series),
        .is_of_bytes = slice_is(profile_text(profile, profile->series.items[series].unit), "bytes"),
        .weight = weight_of_series(profile, series),
    };

    if (samples_by_thread_make(profile, series, &samples, err) < 0)
        return -1;
    if (count_calls(profile, &samples) > MOST_CALLS) {
        error_hint(err, "-o FILE.json.gz, for profiler.firefox.com, has each stack once; or a part of the "
                        "samples by --thread or --time");
        return error_set(err, ERROR_FORMAT, "more than %d calls in all stacks are too many for speedscope",
                         MOST_CALLS);
    }
    function_files_init(&document.files, profile);
    put_document(&document);
    function_files_done(&document.files);
    pair_index_done(&document.frames);
    vec_done(&document.calls);
    return 0;
}
