#include "view/narrow.h"

#include <string.h>

#include "base/memory.h"
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

/* --- Samples ------------------------------------------------------------------------------------- */

/* Which samples stay. */
struct choice {
    const bool *threads; /* by thread; NULL: all */
    struct time_range range;
};

/* Copies those that stay; false when the samples are damaged. */
static bool copy_chosen(const struct sample_store *samples, const struct choice *choice,
                        struct sample_store *out)
{
    struct sample_cursor cursor = sample_cursor_of(samples);
    struct profile_sample sample;
    uint64_t start_ns = 0;
    bool is_damaged = false;

    for (bool is_first = true; sample_cursor_next(&cursor, &sample); is_first = false) {
        uint64_t since_ns = 0;

        if (is_first)
            start_ns = sample.time_ns;
        since_ns = sample.time_ns - start_ns;
        if (since_ns >= choice->range.from_ns && since_ns < choice->range.to_ns &&
            (!choice->threads || choice->threads[sample.thread]))
            sample_store_add(out, sample);
    }
    is_damaged = cursor.is_damaged;
    sample_cursor_done(&cursor);
    return !is_damaged;
}

static int narrow(struct profile *profile, uint32_t series, const struct choice *choice, const char *option,
                  struct error *err)
{
    struct profile_series *of = &profile->series.items[series];
    struct sample_store part = {0};
    bool is_good = copy_chosen(&of->samples, choice, &part);

    if (!is_good || part.count == 0) {
        sample_store_done(&part);
        return is_good ? error_set(err, ERROR_MISSING, "no sample is left by %s", option)
                       : error_set(err, ERROR_FORMAT, "damaged: its samples");
    }
    sample_store_done(&of->samples);
    of->samples = part;
    /* How many of these were lost or cut is not known. */
    of->lost_count = 0;
    memset(of->ended_counts, 0, sizeof(of->ended_counts));
    return 0;
}

int narrow_to_threads(struct profile *profile, uint32_t series, const struct regex *names, struct error *err)
{
    SCOPED(memory_free_at) bool *threads = memory_new(profile->threads.count + 1, sizeof(bool));
    struct choice choice = {threads, {0, UINT64_MAX}};

    for (size_t i = 0; i < profile->threads.count; i++) {
        int matches = regex_matches(names, profile_text(profile, profile->threads.items[i].name), err);

        if (matches < 0)
            return -1;
        threads[i] = matches > 0;
    }
    return narrow(profile, series, &choice, "--thread", err);
}

int narrow_to_time(struct profile *profile, uint32_t series, struct time_range range, struct error *err)
{
    return narrow(profile, series, &(struct choice){NULL, range}, "--time", err);
}
