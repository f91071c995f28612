#include "facts/sampled_threads.h"

#include "base/units.h"
#include "facts/series_unit.h"

/* The threads that have samples, by their runs. Zero-initialised, to be released with counted_done. */
struct counted {
    struct pair_index threads; /* run and pid, tid */
    struct pair_index runs;    /* run, 0 */
    VEC(size_t) of_runs;       /* by id of the run: how many threads it has */
    bool tells_runs;           /* not all of one, so that runs are told at all */
};

static void counted_done(struct counted *counted)
{
    pair_index_done(&counted->threads);
    pair_index_done(&counted->runs);
    vec_done(&counted->of_runs);
}

static void count_of_run(struct counted *counted, uint32_t run)
{
    uint32_t id = pair_index_add(&counted->runs, run, 0);

    if (id == counted->of_runs.count)
        *vec_add(&counted->of_runs) = 0;
    counted->of_runs.items[id]++;
}

/* A thread that ran one program after the other has several entries. */
static void count_threads(const struct profile *profile, const struct profile_series *series,
                          struct counted *out)
{
    struct sums_cursor cursor = sums_cursor_of(&series->samples.sums);
    struct sample_sum sum;

    while (sums_cursor_next(&cursor, &sum)) {
        const struct profile_thread *thread = &profile->threads.items[sum.thread];
        size_t known = out->threads.pairs.count;
        uint64_t id = thread->tid ? thread->tid : PROFILE_NONE + UINT64_C(1) + sum.thread;

        pair_index_add(&out->threads, (uint64_t)thread->run << 32 | thread->pid, id);
        if (out->threads.pairs.count > known)
            count_of_run(out, thread->run);
        out->tells_runs = out->tells_runs || thread->run > 0;
    }
}

static size_t most_of(const struct counted *counted)
{
    size_t most = 0;

    for (size_t i = 0; i < counted->of_runs.count; i++)
        if (counted->of_runs.items[i] > most)
            most = counted->of_runs.items[i];
    return most;
}

static bool are_alike(const struct counted *counted, size_t run_count)
{
    for (size_t i = 1; i < counted->of_runs.count; i++)
        if (counted->of_runs.items[i] != counted->of_runs.items[0])
            return false;
    return counted->of_runs.count == run_count;
}

/* Whether an empty thread name alone says that threads are not known. */
static bool knows_threads(const struct profile *profile)
{
    return profile->threads.count != 1 || profile->threads.items[0].name != PROFILE_NO_STRING;
}

void sampled_threads_add(struct text *text, const struct profile *profile, uint32_t series)
{
    SCOPED(counted_done) struct counted counted = {0};
    size_t runs = 0;

    count_threads(profile, &profile->series.items[series], &counted);
    /* Of a part of a recording it is not known how many runs it is of, but which have samples. */
    runs = profile->run_count > 0 || !counted.tells_runs ? profile->run_count : counted.of_runs.count;
    if (runs > 1)
        text_format(text, ", %zu runs", runs);
    if (!knows_threads(profile))
        return;
    if (runs <= 1 || !counted.tells_runs) {
        text_add_string(text, ", ");
        units_add_things(text, counted.threads.pairs.count, "thread");
        text_add_string(text, runs > 1 ? " in all" : "");
    } else {
        text_add_string(text, are_alike(&counted, runs) ? " of " : " of up to ");
        units_add_things(text, most_of(&counted), "thread");
    }
    /* Beside the CPU time of all, of which more may not have waited. */
    text_add_string(text, series_is_of_waits(profile, series) ? " that waited" : "");
}
