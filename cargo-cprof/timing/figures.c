#include "timing/figures.h"

#include <math.h>

#include "base/memory.h"

double figure_of_run(const struct timed_run *run, enum figure_kind kind)
{
    static const double ns_per_second = 1e9;

    switch (kind) {
    case FIGURE_CPU:
        return (double)(run->user_ns + run->system_ns) / ns_per_second;
    case FIGURE_USER:
        return (double)run->user_ns / ns_per_second;
    case FIGURE_SYSTEM:
        return (double)run->system_ns / ns_per_second;
    case FIGURE_MEMORY:
        return (double)run->peak_bytes;
    default:
        return (double)run->wall_ns / ns_per_second;
    }
}

enum verdict verdict_of_ratio(struct ratio ratio)
{
    if (!ratio.is_bounded)
        return ratio.has_low && ratio.low > 1 ? VERDICT_MORE : VERDICT_UNKNOWN;
    return ratio.low > 1 ? VERDICT_MORE : ratio.high < 1 ? VERDICT_LESS : VERDICT_NOISE;
}

/*
 * Of what half of the runs had none there is no share: the kernel tells user from system time by what it
 * meets at its ticks (times(7)), and in short runs it meets none of one of them.
 */
static struct ratio ratio_of_sides(const struct sample_summary *sides, struct ratio ratio)
{
    if (sides[TIMING_BEFORE].median == 0 || sides[TIMING_AFTER].median == 0)
        return (struct ratio){.estimate = NAN};
    return ratio;
}

/* What is in use grows a little on the way into exec, where each page of code that is not there yet comes
 * with 15 others (fault_around_bytes in the kernel's mm/memory.c). */
bool memory_is_at_most(const struct timed_run *runs, size_t count)
{
    enum { MORE_BYTES = 320 << 10 };
    size_t of_ours = 0;

    for (size_t i = 0; i < count; i++)
        of_ours += runs[i].own_bytes > 0 && runs[i].peak_bytes <= runs[i].own_bytes + MORE_BYTES;
    return of_ours > count / 2;
}

static void judge_memory(const struct timings *timings, struct figures *figures)
{
    struct figure *memory = &figures->items[FIGURE_MEMORY];

    for (size_t side = 0; side < TIMING_SIDES; side++)
        memory->is_at_most[side] = memory_is_at_most(timings->runs[side].items, figures->run_count);
    if (memory->is_at_most[TIMING_BEFORE] && memory->is_at_most[TIMING_AFTER])
        memory->ratio = (struct ratio){.estimate = NAN};
}

void figure_compute(const double *before, const double *after, size_t count, double confidence,
                    struct figure *out)
{
    sample_summarize(before, count, &out->sides[TIMING_BEFORE]);
    sample_summarize(after, count, &out->sides[TIMING_AFTER]);
    out->ratio = ratio_of_pairs(before, after, count, confidence);
}

void figures_compute(const struct timings *timings, double confidence, struct figures *out)
{
    size_t count = timings->runs[TIMING_BEFORE].count;
    SCOPED(memory_free_at) double *before = memory_new(count, sizeof(double));
    SCOPED(memory_free_at) double *after = memory_new(count, sizeof(double));

    *out = (struct figures){.run_count = count, .confidence = confidence};
    for (enum figure_kind kind = 0; kind < FIGURE_COUNT; kind++) {
        for (size_t i = 0; i < count; i++) {
            before[i] = figure_of_run(&timings->runs[TIMING_BEFORE].items[i], kind);
            after[i] = figure_of_run(&timings->runs[TIMING_AFTER].items[i], kind);
        }
        figure_compute(before, after, count, confidence, &out->items[kind]);
        out->items[kind].ratio = ratio_of_sides(out->items[kind].sides, out->items[kind].ratio);
    }
    judge_memory(timings, out);
}
