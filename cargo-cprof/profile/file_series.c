#include "profile/file_columns.h"
#include "profile/file_tables.h"
#include "profile/totals.h"

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
    text_add_uleb128(out, series->samples.sums.count);
    text_add(out, text_slice(&series->samples.sums.packed));
    write_seconds(&series->samples, out);
}

static bool read_sums(struct bytes *bytes, const struct profile *profile, struct sample_store *out)
{
    struct sample_limits limits = {(uint32_t)profile->threads.count, (uint32_t)profile->stacks.count};
    size_t count = 0;

    return file_read_count(bytes, &count) && sample_sums_read(bytes, count, limits, out->count, &out->sums);
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
    series->heap = heap_event_of(profile_text(profile, series->event));
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
