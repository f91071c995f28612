#include <stdlib.h>

#include "base/memory.h"
#include "profile/file_columns.h"
#include "profile/file_tables.h"
#include "profile/totals.h"

static int compare_sums(const void *left, const void *right, void *context)
{
    const struct sample_sum *sums = context;
    const struct sample_sum *a = &sums[*(const uint32_t *)left];
    const struct sample_sum *b = &sums[*(const uint32_t *)right];

    if (a->thread != b->thread)
        return a->thread < b->thread ? -1 : 1;
    /* No stack comes first: its id plus 1 is 0. */
    return a->stack == b->stack ? 0 : a->stack + 1 < b->stack + 1 ? -1 : 1;
}

/*
 * By thread and stack, so that steps are small and a reader sees that none stands twice. There may be
 * millions: their numbers are sorted and not they themselves.
 */
static void write_sums(const struct sample_store *samples, struct text *out)
{
    uint32_t count = (uint32_t)samples->sums.count;
    SCOPED(memory_free_at) uint32_t *order = memory_new(count, sizeof(*order));
    const struct sample_sum *before = NULL;

    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    if (count > 0)
        qsort_r(order, count, sizeof(*order), compare_sums, samples->sums.items);
    text_add_uleb128(out, count);
    for (uint32_t i = 0; i < count; i++) {
        const struct sample_sum *sum = &samples->sums.items[order[i]];
        bool is_same_thread = before && before->thread == sum->thread;

        text_add_uleb128(out, sum->thread - (before ? before->thread : 0));
        text_add_uleb128(out, sum->stack + 1 - (is_same_thread ? before->stack + 1 : 0));
        text_add_uleb128(out, sum->count);
        text_add_uleb128(out, sum->value);
        before = sum;
    }
}

static void write_seconds(const struct sample_store *samples, struct text *out)
{
    text_add_uleb128(out, samples->seconds.count);
    for (size_t i = 0; i < samples->seconds.count; i++) {
        text_add_uleb128(out, samples->seconds.items[i].second);
        text_add_uleb128(out, samples->seconds.items[i].count);
        text_add_uleb128(out, samples->seconds.items[i].value);
    }
}

void file_write_series(const struct profile_series *series, struct text *out)
{
    text_add_uleb128(out, series->event);
    text_add_uleb128(out, series->unit);
    text_add_uleb128(out, series->frequency_hz);
    text_add_uleb128(out, series->is_user_only);
    text_add_uleb128(out, series->lost_count);
    text_add_uleb128(out, STACK_END_COUNT);
    for (size_t i = 0; i < STACK_END_COUNT; i++)
        text_add_uleb128(out, series->ended_counts[i]);
    text_add_uleb128(out, series->samples.count);
    write_sums(&series->samples, out);
    write_seconds(&series->samples, out);
}

/* The next sum, which comes after `before`; false when it does not, or is of what is not there. */
static bool read_sum(struct bytes *bytes, const struct profile *profile, const struct sample_sum *before,
                     struct sample_sum *out)
{
    uint64_t thread_step = bytes_uleb128(bytes);
    uint64_t stack_step = bytes_uleb128(bytes);
    uint64_t stack = stack_step; /* the id plus 1 */

    if (bytes->failed || thread_step >= profile->threads.count || stack_step > profile->stacks.count)
        return false;
    if (before) {
        if (thread_step == 0 && stack_step == 0)
            return false;
        stack += thread_step == 0 ? (uint64_t)before->stack + 1 : 0;
        /* From no stack the step leads from 0. */
        if (thread_step == 0 && before->stack == PROFILE_NONE)
            stack = stack_step;
        thread_step += before->thread;
    }
    *out = (struct sample_sum){.thread = (uint32_t)thread_step, .stack = (uint32_t)stack - 1};
    out->count = bytes_uleb128(bytes);
    out->value = bytes_uleb128(bytes);
    return !bytes->failed && thread_step < profile->threads.count && stack <= profile->stacks.count;
}

static bool read_sums(struct bytes *bytes, const struct profile *profile, struct sample_store *out)
{
    size_t count = 0;
    uint64_t counted = 0;

    if (!file_read_count(bytes, &count))
        return false;
    for (size_t i = 0; i < count; i++) {
        struct sample_sum sum;

        if (!read_sum(bytes, profile, i ? &out->sums.items[i - 1] : NULL, &sum) ||
            __builtin_add_overflow(counted, sum.count, &counted))
            return false;
        *vec_add(&out->sums) = sum;
    }
    vec_trim(&out->sums);
    return counted == out->count;
}

static bool read_seconds(struct bytes *bytes, struct sample_store *out)
{
    size_t count = 0;
    uint64_t counted = 0;
    bool is_good = file_read_count(bytes, &count);

    for (size_t i = 0; is_good && i < count; i++) {
        struct sample_second second = {.second = bytes_uleb128(bytes)};

        second.count = bytes_uleb128(bytes);
        second.value = bytes_uleb128(bytes);
        is_good = !bytes->failed && !__builtin_add_overflow(counted, second.count, &counted) &&
                  (i == 0 || second.second > out->seconds.items[i - 1].second);
        *vec_add(&out->seconds) = second;
    }
    return is_good && counted == out->count;
}

bool file_read_series(struct bytes *bytes, struct profile *profile)
{
    enum { MOST_ENDS = 64 };
    struct profile_series *series = vec_add(&profile->series);
    uint32_t end_count = 0;

    *series = (struct profile_series){0};
    series->event = file_read_string(bytes, profile);
    series->unit = file_read_string(bytes, profile);
    series->frequency_hz = file_read_below(bytes, (size_t)UINT32_MAX + 1);
    series->is_user_only = file_read_below(bytes, 2) == 1;
    series->lost_count = bytes_uleb128(bytes);
    end_count = file_read_below(bytes, MOST_ENDS);
    /* A later writer may tell of more ways to be cut: the last one we know stands for them. */
    for (uint32_t i = 0; i < end_count; i++)
        weight_add(&series->ended_counts[i < STACK_END_COUNT ? i : STACK_END_COUNT - 1],
                   bytes_uleb128(bytes));
    series->samples.count = bytes_uleb128(bytes);
    return read_sums(bytes, profile, &series->samples) && read_seconds(bytes, &series->samples) &&
           file_is_at_end(bytes);
}
