#include "tree/time_tree.h"

#include "base/memory.h"
#include "facts/series_unit.h"
#include "profile/samples_by_thread.h"
#include "tree/call_node.h"

/* The calls that are open where the chart of a thread stands, its thread first. */
struct chart {
    struct profile *profile;
    struct call_tree *tree;
    enum weight weight;
    bool with_gaps;       /* between waits */
    uint64_t last_end_us; /* of the thread's last wait; 0: it is the first */
    uint64_t before;      /* the weight of all samples so far */
    VEC(uint32_t) open;   /* nodes */
    VEC(uint32_t) frames; /* of the sample that comes next, innermost first; scratch */
};

static void chart_done(struct chart *chart)
{
    vec_done(&chart->open);
    vec_done(&chart->frames);
}

static uint32_t add_node(struct chart *chart, struct call_node node)
{
    size_t depth = chart->open.count;

    node.parent = depth ? chart->open.items[depth - 1] : 0;
    node.depth = (uint32_t)depth + 1;
    node.start = chart->before;
    *vec_add(&chart->tree->nodes) = node;
    *vec_add(&chart->open) = (uint32_t)chart->tree->nodes.count - 1;
    return (uint32_t)chart->tree->nodes.count - 1;
}

static void collect_frames(struct chart *chart, uint32_t stack)
{
    const struct profile *profile = chart->profile;

    chart->frames.count = 0;
    for (; stack != PROFILE_NONE; stack = profile->stacks.items[stack].parent) {
        const struct profile_location *location =
            &profile->locations.items[profile->stacks.items[stack].location];

        for (uint32_t i = 0; i < location->frame_count; i++)
            *vec_add(&chart->frames) = location->first_frame + i;
    }
}

/* Closes the calls that the next sample is not in. */
static void close_others(struct chart *chart)
{
    size_t same = 1; /* the thread */
    size_t count = chart->frames.count;

    while (same < chart->open.count && same <= count) {
        const struct call_node *node = &chart->tree->nodes.items[chart->open.items[same]];
        const struct profile_frame *frame = &chart->profile->frames.items[chart->frames.items[count - same]];

        if (node->kind != CALL_FUNCTION || node->function != frame->function)
            break;
        same++;
    }
    chart->open.count = same;
}

static void open_call(struct chart *chart, uint32_t id)
{
    const struct profile_frame *frame = &chart->profile->frames.items[id];
    struct call_node node = call_node_of_function(chart->profile, frame->function);

    node.file = frame->file;
    node.first_line = node.last_line = frame->line;
    add_node(chart, node);
}

/* A wait has its time at its end, and how long it was. What calls were open before it may have ended since.
 */
static void add_gap(struct chart *chart, const struct profile_sample *sample)
{
    enum { NS_PER_US = 1000 };
    uint64_t end_us = (sample->time_ns + NS_PER_US / 2) / NS_PER_US;
    uint64_t start_us = end_us > sample->value ? end_us - sample->value : 0;

    if (chart->last_end_us > 0 && start_us > chart->last_end_us) {
        uint64_t gap_us = start_us - chart->last_end_us;
        struct call_node gap = call_node_of_gap(chart->profile);

        chart->open.count = 1;
        gap.weights.self = gap_us;
        add_node(chart, gap);
        weight_add(&chart->before, gap_us);
    }
    if (end_us > chart->last_end_us)
        chart->last_end_us = end_us;
}

static void add_sample(struct chart *chart, const struct profile_sample *sample)
{
    uint64_t weight = chart->weight == WEIGHT_SAMPLES ? 1 : sample->value;

    if (chart->with_gaps)
        add_gap(chart, sample);
    collect_frames(chart, sample->stack);
    close_others(chart);
    if (sample->stack == PROFILE_NONE)
        add_node(chart, call_node_unknown(chart->profile));
    while (chart->open.count <= chart->frames.count)
        open_call(chart, chart->frames.items[chart->frames.count - chart->open.count]);
    for (size_t i = 1; i < chart->open.count; i++) {
        const struct profile_frame *frame =
            i <= chart->frames.count
                ? &chart->profile->frames.items[chart->frames.items[chart->frames.count - i]]
                : NULL;

        if (frame && frame->is_inlined)
            weight_add(&chart->tree->nodes.items[chart->open.items[i]].inlined_weight, weight);
    }
    weight_add(&chart->tree->nodes.items[chart->open.items[chart->open.count - 1]].weights.self, weight);
    weight_add(&chart->before, weight);
}

/* By name, then by id: neighbours in a picture belong together. */
static int compare_threads(const void *left, const void *right, void *context)
{
    const struct profile *profile = context;
    uint32_t a = *(const uint32_t *)left;
    uint32_t b = *(const uint32_t *)right;
    int by_name = slice_compare(profile_text(profile, profile->threads.items[a].name),
                                profile_text(profile, profile->threads.items[b].name));

    return by_name ? by_name : a < b ? -1 : a > b;
}

static void add_thread(struct chart *chart, uint32_t thread, const struct thread_samples *samples)
{
    chart->open.count = 0;
    chart->last_end_us = 0;
    if (samples->items.count > 0)
        add_node(chart, call_node_of_one_thread(chart->profile, thread));
    for (size_t i = 0; i < samples->items.count; i++)
        add_sample(chart, &samples->items.items[i]);
}

int time_tree_make(struct profile *profile, uint32_t series, bool with_gaps, struct call_tree *out,
                   struct error *err)
{
    SCOPED(chart_done)
    struct chart chart = {.profile = profile,
                          .tree = out,
                          .weight = weight_of_series(profile, series),
                          .with_gaps = with_gaps && series_is_of_waits(profile, series)};
    SCOPED(memory_free_at) uint32_t *threads = memory_new(profile->threads.count + 1, sizeof(uint32_t));
    SCOPED(samples_by_thread_done) struct samples_by_thread samples = {0};

    if (samples_by_thread_make(profile, series, &samples, err) < 0)
        return -1;
    *out = (struct call_tree){.is_chart = true};
    *vec_add(&out->nodes) = call_node_of_root(profile);
    for (uint32_t i = 0; i < profile->threads.count; i++)
        threads[i] = i;
    qsort_r(threads, profile->threads.count, sizeof(uint32_t), compare_threads, profile);
    for (size_t i = 0; i < profile->threads.count; i++)
        add_thread(&chart, threads[i], &samples.threads[threads[i]]);
    call_nodes_add_up(out->nodes.items, out->nodes.count);
    return 0;
}
