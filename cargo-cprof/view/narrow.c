#include "view/narrow.h"

#include "base/scan.h"

/* --- Time ---------------------------------------------------------------------------------------- */

/* "1.5": up to nine digits behind the point count, others are passed over. */
static bool scan_seconds(struct scan *scan, uint64_t *ns)
{
    uint64_t whole = 0;
    uint64_t place = 100000000;

    if (!scan_decimal(scan, &whole) || whole > UINT64_MAX / 2000000000)
        return false;
    *ns = whole * 1000000000;
    /* Of "1..2" both points are the range's. */
    if (scan_peek(scan) != '.' || slice_starts_with(scan->rest, SLICE("..")))
        return true;
    scan_byte(scan, '.');
    for (char digit = scan_peek(scan); digit >= '0' && digit <= '9'; digit = scan_peek(scan)) {
        *ns += (uint64_t)(digit - '0') * place;
        place /= 10;
        scan_byte(scan, digit);
    }
    return true;
}

int time_range_read(struct slice text, struct time_range *out, struct error *err)
{
    struct scan scan = scan_of(text);
    struct time_range range = {0, UINT64_MAX};
    bool has_from = scan_seconds(&scan, &range.from_ns);
    bool is_range = scan_text(&scan, "..") || scan_byte(&scan, '-');
    bool has_to = is_range && !scan_at_end(&scan) && scan_seconds(&scan, &range.to_ns);

    if (!is_range || !scan_at_end(&scan) || (!has_from && !has_to) || range.from_ns >= range.to_ns) {
        error_hint(err, "give seconds since the first sample, as in 1.5..3, 2.. or ..10");
        return error_set(err, ERROR_USAGE, "--time %.*s: no range of time", SLICE_ARGUMENTS(text));
    }
    *out = range;
    return 0;
}

/* --- Sums ---------------------------------------------------------------------------------------- */

static uint64_t count_of(const struct sample_store *samples)
{
    uint64_t count = 0;

    for (size_t i = 0; i < samples->sums.count; i++)
        count += samples->sums.items[i].count;
    return count;
}

/* Takes over the sums of `part`, which is then empty. */
static int take_sums(struct profile *profile, uint32_t series, struct sample_store *part, const char *option,
                     struct error *err)
{
    struct sample_store *samples = &profile->series.items[series].samples;

    if (part->sums.count == 0) {
        sample_store_done(part);
        return error_set(err, ERROR_MISSING, "no sample is left by %s", option);
    }
    pair_index_done(&samples->sum_index);
    vec_done(&samples->sums);
    samples->sums.items = part->sums.items;
    samples->sums.count = part->sums.count;
    samples->sums.capacity = part->sums.capacity;
    samples->count = count_of(samples);
    part->sums.items = NULL;
    sample_store_done(part);
    return 0;
}

int narrow_to_threads(struct profile *profile, uint32_t series, const struct regex *names, struct error *err)
{
    const struct sample_store *samples = &profile->series.items[series].samples;
    struct sample_store part = {0};

    for (size_t i = 0; i < samples->sums.count; i++) {
        uint32_t thread = samples->sums.items[i].thread;
        int matches = regex_matches(names, profile_text(profile, profile->threads.items[thread].name), err);

        if (matches < 0) {
            sample_store_done(&part);
            return -1;
        }
        if (matches)
            *vec_add(&part.sums) = samples->sums.items[i];
    }
    return take_sums(profile, series, &part, "--thread", err);
}

int narrow_to_time(struct profile *profile, uint32_t series, struct time_range range, struct error *err)
{
    const struct sample_store *samples = &profile->series.items[series].samples;
    struct sample_cursor cursor = sample_cursor_of(samples);
    struct sample_store part = {0};
    struct profile_sample sample;
    uint64_t start_ns = 0;
    bool is_damaged = false;

    for (bool is_first = true; sample_cursor_next(&cursor, &sample); is_first = false) {
        if (is_first)
            start_ns = sample.time_ns;
        sample.time_ns -= start_ns;
        if (sample.time_ns >= range.from_ns && sample.time_ns < range.to_ns)
            sample_store_add(&part, sample);
    }
    is_damaged = cursor.is_damaged;
    sample_cursor_done(&cursor);
    if (is_damaged) {
        sample_store_done(&part);
        return error_set(err, ERROR_FORMAT, "damaged: its samples");
    }
    return take_sums(profile, series, &part, "--time", err);
}
