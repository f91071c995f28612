#include "changes/run_variances.h"

#include "base/memory.h"

void run_variances_done(struct run_variances *variances)
{
    free(variances->self);
    free(variances->total);
    *variances = (struct run_variances){0};
}

/* The samples of one run, as the only ones of series `to`. */
static void take_run(struct profile *profile, uint32_t from, uint32_t run, uint32_t to)
{
    struct sums_cursor cursor = sums_cursor_of(&profile->series.items[from].samples.sums);
    struct sample_sums *sums = &profile->series.items[to].samples.sums;
    struct sample_sum sum;

    sample_sums_done(sums);
    while (sums_cursor_next(&cursor, &sum))
        if (profile->threads.items[sum.thread].run == run)
            sample_sums_add(sums, sum);
    sample_sums_settle(sums);
}

/* Adds the square of how far a run's weight is from its part of that of all. */
static void add_square(double *sum, uint64_t weight, uint64_t of_all, double part)
{
    double distance = (double)weight - (double)of_all * part;

    *sum += distance * distance;
}

static void add_run(const struct profile *profile, const struct totals *run, const struct totals *all,
                    double part, struct run_variances *out)
{
    add_square(&out->without_stack, run->without_stack, all->without_stack, part);
    for (size_t i = 0; i < profile->functions.count; i++) {
        add_square(&out->self[i], run->functions[i].self, all->functions[i].self, part);
        add_square(&out->total[i], run->functions[i].total, all->functions[i].total, part);
    }
}

/* The variance of a sum is that of one run times their number. */
static void scale(const struct profile *profile, double runs, struct run_variances *out)
{
    double factor = runs / (runs - 1);

    out->without_stack *= factor;
    for (size_t i = 0; i < profile->functions.count; i++) {
        out->self[i] *= factor;
        out->total[i] *= factor;
    }
}

void run_variances_find(struct profile *profile, struct run_series of, const struct totals *totals,
                        struct run_variances *out)
{
    uint32_t series = profile_add_series(profile, (struct slice){0}, (struct slice){0}, 0);
    double runs = of.run_count;

    profile->series.items[series].heap = profile->series.items[of.series].heap;
    *out = (struct run_variances){
        .self = memory_new(profile->functions.count + 1, sizeof(double)),
        .total = memory_new(profile->functions.count + 1, sizeof(double)),
    };
    for (uint32_t run = 0; run < of.run_count; run++) {
        struct totals of_run;
        double part = 1 / runs;

        take_run(profile, of.series, run, series);
        totals_compute(profile, series, of.weight, &of_run);
        if (of.is_share && totals->whole > 0)
            part = (double)of_run.whole / (double)totals->whole;
        add_run(profile, &of_run, totals, part, out);
        totals_done(&of_run);
    }
    sample_sums_done(&profile->series.items[series].samples.sums);
    scale(profile, runs, out);
}
