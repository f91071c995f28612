#include "collect/heap/samples.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "collect/heap/moment.h"

/*
 * What samples of a process stand for together differs by chance from what there really was, which is known.
 * The difference is theirs in proportion to their variances, as far as chance may have made it (calibration:
 * Deville and Sarndal, Journal of the American Statistical Association 87, 1992).
 */
struct heap_fit {
    double all;       /* that there really was */
    double estimated; /* by the samples, */
    double variance;  /* of that, */
    double picked;    /* by those that stand for others, and these others */
    double others;
    bool is_picked; /* not all that it was given was told */
};

/*
 * Of one measure, by process. Of those with few samples many have none, which the samples of others stand
 * for: they are one, the last.
 */
struct heap_measure {
    const struct heap *heap;
    enum sampler_heap what;
    struct heap_kept kept; /* of a moment's */
    struct heap_fit *fits; /* owned */
    uint32_t *fit_of;      /* owned; by process */
};

static bool is_of_moment(const struct heap_measure *measure)
{
    return measure->what == SAMPLER_HEAP_PEAK || measure->what == SAMPLER_HEAP_END;
}

static bool is_told(const struct heap_measure *measure, const struct heap_block *block)
{
    return !is_of_moment(measure) || heap_is_kept(measure->heap, block, measure->kept.time_ns);
}

static double each_of(const struct heap_measure *measure, const struct heap_block *block)
{
    return measure->what == SAMPLER_HEAP_COUNT ? 1 : (double)block->size_bytes;
}

/* That is given as there is the most is there for certain: by chance it was not picked then. */
static double count_of(const struct heap_measure *measure, const struct heap_block *block)
{
    const struct heap_kept *kept = &measure->kept;
    bool makes_moment =
        is_of_moment(measure) && block->process == kept->process && block->sample.time_ns == kept->time_ns;

    return makes_moment ? 1 : block->count;
}

static double all_of(const struct heap_measure *measure, uint32_t process)
{
    const struct heap_process *of = &measure->heap->processes.items[process];

    return is_of_moment(measure)                 ? (double)measure->kept.bytes[process]
           : measure->what == SAMPLER_HEAP_COUNT ? fmax((double)of->sampled_count, 0)
                                                 : fmax((double)of->sampled_bytes, 0);
}

/* Where all allocations were told a process is as it is, with however few. */
static void choose_fits(struct heap_measure *measure)
{
    enum { FEW = 200 };
    const struct heap *heap = measure->heap;
    const uint32_t together = (uint32_t)heap->processes.count;
    SCOPED(memory_free_at) uint32_t *picked_counts = memory_new(together + 1, sizeof(*picked_counts));

    for (size_t i = 0; i < heap->blocks.count; i++)
        picked_counts[heap->blocks.items[i].process] += heap->blocks.items[i].interval_bytes > 0;
    measure->fit_of = memory_new(together + 1, sizeof(*measure->fit_of));
    for (uint32_t i = 0; i < together; i++)
        measure->fit_of[i] =
            heap->processes.items[i].sampled_count > 0 && picked_counts[i] < FEW ? together : i;
}

static void note_all(struct heap_measure *measure, uint32_t process)
{
    struct heap_fit *fit = &measure->fits[measure->fit_of[process]];

    fit->all += all_of(measure, process);
    fit->is_picked = fit->is_picked || measure->heap->processes.items[process].sampled_count > 0;
}

static void measure_begin(struct heap_measure *measure)
{
    const struct heap *heap = measure->heap;

    if (is_of_moment(measure))
        measure->kept = measure->what == SAMPLER_HEAP_PEAK ? heap_kept_at_peak(heap) : heap_kept_at_end(heap);
    choose_fits(measure);
    measure->fits = memory_new(heap->processes.count + 1, sizeof(*measure->fits));
    for (uint32_t i = 0; i < heap->processes.count; i++)
        note_all(measure, i);
    for (size_t i = 0; i < heap->blocks.count; i++) {
        const struct heap_block *block = &heap->blocks.items[i];
        struct heap_fit *fit = &measure->fits[measure->fit_of[block->process]];
        double each = each_of(measure, block);
        double count = count_of(measure, block);

        /* What threads tell that they were given is in no sum where each was told. */
        if (!is_told(measure, block) || (!is_of_moment(measure) && block->interval_bytes == 0))
            continue;
        fit->estimated += each * count;
        fit->variance += each * each * count * (count - 1);
        fit->picked += count > 1 ? each * count : 0;
        fit->others += each * (count - 1);
    }
}

static void measure_done(struct heap_measure *measure)
{
    free(measure->kept.bytes);
    free(measure->fits);
    free(measure->fit_of);
}

/*
 * How much more samples may be made to stand for. Of a moment they may be few, and nobody knows whether what
 * there is beyond them is of the same functions: as much as chance may make, and the double at most.
 */
static double most_of(const struct heap_measure *measure, const struct heap_fit *fit)
{
    double deviation = sqrt(fit->variance);

    return is_of_moment(measure) ? fmin(3 * deviation, fit->picked) : 4 * deviation;
}

/* What the samples are to have more than they stand for, or less. */
static double difference_of(const struct heap_measure *measure, const struct heap_fit *fit)
{
    return fmax(-fit->others, fmin(most_of(measure, fit), fit->all - fit->estimated));
}

/* What no sample stands for: of functions of which none was picked, or given before any were. */
static double rest_of(const struct heap_measure *measure, const struct heap_fit *fit)
{
    const double least_bytes = 64 << 10; /* what threads have not told yet may be as much */
    double rest = fit->all - fit->estimated - difference_of(measure, fit);

    if (fit->is_picked)
        return fmax(rest, 0);
    return rest >= least_bytes && rest >= fit->all / 100 ? rest : 0;
}

static double value_of(const struct heap_measure *measure, const struct heap_block *block)
{
    const struct heap_fit *fit = &measure->fits[measure->fit_of[block->process]];
    double each = each_of(measure, block);
    double count = count_of(measure, block);
    double difference = difference_of(measure, fit);

    if (count <= 1 || fit->variance <= 0)
        return each * count;
    /* Much less is less of each, so that none has less than nothing. */
    if (difference < -fmin(2 * sqrt(fit->variance), fit->picked / 2))
        count += (count - 1) * difference / fit->others;
    else
        count += each * count * (count - 1) * difference / fit->variance;
    return each * fmax(count, 1);
}

/* Rounded so that sums of many are right: what one is too small the next has more. */
static uint64_t round_on(double value, double *rest)
{
    double whole = floor(value + *rest);

    *rest += value - whole;
    return whole > 0 ? (uint64_t)whole : 0;
}

/* Each class of sizes has its own. */
static void note_interval(struct profile_series *series, const struct heap_block *block)
{
    size_t count = series->intervals.count;
    uint64_t last = count > 0 ? series->intervals.items[count - 1].bytes : 0;

    if (block->interval_bytes != last)
        *vec_add(&series->intervals) = (struct heap_interval){block->sample.time_ns, block->interval_bytes};
}

/* Without calls, for nobody knows whose it is; `left` is of the samples before, as they were rounded. */
static void add_rest(const struct heap_measure *measure, struct profile *profile, uint32_t series,
                     double left)
{
    const struct heap *heap = measure->heap;
    double rest = 0;
    struct profile_sample sample = {.stack = PROFILE_NONE};

    if (heap->blocks.count == 0)
        return;
    for (uint32_t i = 0; i <= heap->processes.count; i++)
        rest += rest_of(measure, &measure->fits[i]);
    sample.time_ns = heap->blocks.items[heap->blocks.count - 1].sample.time_ns;
    sample.thread = heap->blocks.items[0].sample.thread;
    sample.value = round_on(rest, &left);
    if (rest > 0 && sample.value > 0)
        profile_add_sample(profile, series, sample);
}

void heap_add_samples(const struct heap *heap, struct profile *profile, enum sampler_heap what,
                      uint32_t series_id)
{
    SCOPED(measure_done) struct heap_measure measure = {.heap = heap, .what = what};
    double rest = 0.5;

    measure_begin(&measure);
    for (size_t i = 0; i < heap->blocks.count; i++) {
        const struct heap_block *block = &heap->blocks.items[i];
        struct profile_sample sample = block->sample;

        if (!is_told(&measure, block))
            continue;
        note_interval(&profile->series.items[series_id], block);
        sample.value = round_on(value_of(&measure, block), &rest);
        if (block->end < STACK_END_COUNT)
            profile->series.items[series_id].ended_counts[block->end]++;
        profile_add_sample(profile, series_id, sample);
    }
    add_rest(&measure, profile, series_id, rest);
    if (what == SAMPLER_HEAP_BYTES)
        profile->series.items[series_id].happened_count += heap->all_bytes;
    if (what == SAMPLER_HEAP_COUNT)
        profile->series.items[series_id].happened_count += heap->all_count;
}
