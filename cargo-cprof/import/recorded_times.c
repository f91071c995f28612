#include "import/recorded_times.h"

#include <sys/stat.h>

#include "base/clock.h"

#define SECOND_NS UINT64_C(1000000000)

/*
 * How far the kernel's usual clock may be from CLOCK_MONOTONIC, which is corrected by NTP as that is not:
 * both begin as the kernel starts, and neither goes on while the machine sleeps.
 */
static int64_t drift_ns(uint64_t since_start_ns)
{
    enum { MOST_SECONDS = 10, PART = 1000 };

    return (int64_t)(MOST_SECONDS * SECOND_NS + since_start_ns / PART);
}

static bool is_within(uint64_t shift_ns, uint64_t most_ns)
{
    return shift_ns + most_ns <= 2 * most_ns;
}

static const struct perf_event_attr *attributes_of(const struct perf_data *data)
{
    return &perf_data_about(data)->events.items[0].attributes;
}

static bool is_monotonic(const struct perf_data *data)
{
    const struct perf_event_attr *attributes = attributes_of(data);

    return attributes->use_clockid && attributes->clockid == CLOCK_MONOTONIC;
}

/* Whether records are by a clock that begins as the kernel starts. */
static bool is_since_start(const struct perf_data *data)
{
    const struct perf_event_attr *attributes = attributes_of(data);

    return !attributes->use_clockid || attributes->clockid == CLOCK_MONOTONIC ||
           attributes->clockid == CLOCK_MONOTONIC_RAW;
}

/*
 * What was written last is not from after the file's own time, which is late for one that was copied; nor is
 * what this machine has recorded since it was started later than its clock says, and what it has recorded
 * before that was earlier. Of another machine's recordings the files that ran are others, by their inodes.
 */
static struct past_times guess(const struct stat *status, uint64_t start_unix_ns,
                               const struct perf_data *data)
{
    enum { MOST_TO_WRITE_SECONDS = 60 };
    uint64_t last_ns = perf_data_last_ns(data);
    int64_t drift = drift_ns(last_ns);
    int64_t by_file = (int64_t)(clock_ns_of(status->st_mtim) - start_unix_ns - last_ns);
    struct past_times times = {.latest_shift_ns = (uint64_t)by_file};

    if (!is_since_start(data))
        return times;
    if (by_file > drift)
        times.latest_shift_ns = (uint64_t)drift;
    /* It is of this start, and was not copied. */
    times.has_earliest = by_file >= -drift && by_file <= drift + (int64_t)(MOST_TO_WRITE_SECONDS * SECOND_NS);
    times.earliest_shift_ns = (uint64_t)-drift;
    times.is_of_this_start = times.has_earliest;
    return times;
}

struct past_times recorded_times(int file, const struct perf_data *data)
{
    const struct perf_data_about *about = perf_data_about(data);
    uint64_t start_unix_ns = clock_unix_ns(CLOCK_MONOTONIC, 0);
    struct past_times times = {0};
    struct stat status;

    if (about->clock_ns > 0) {
        times.latest_shift_ns = about->clock_unix_ns - about->clock_ns - start_unix_ns;
        times.earliest_shift_ns = times.latest_shift_ns;
        times.has_earliest = true;
        times.is_of_this_start = is_since_start(data) && is_within(times.latest_shift_ns, SECOND_NS);
    } else if (fstat(file, &status) == 0) {
        times = guess(&status, start_unix_ns, data);
    }
    times.has_other_clock = !is_monotonic(data);
    times.first_ns = perf_data_first_ns(data);
    times.last_ns = perf_data_last_ns(data);
    return times;
}
