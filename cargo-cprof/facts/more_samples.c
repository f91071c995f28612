#include "facts/more_samples.h"

#include <math.h>

#include "facts/cpu_time.h"

/* More than few, as how many there are varies. */
static const double enough_samples = 200;

enum { PROPOSED_HZ = 4000 };

/* One run of what was recorded; times are in seconds, 0 where nobody knows. */
struct one_run {
    double samples;
    double frequency_hz;
    double cpu;
    double wall;
};

static struct one_run one_run_of(const struct profile *profile, const struct profile_series *series)
{
    double run_count = profile->run_count > 0 ? profile->run_count : 1;

    return (struct one_run){.samples = (double)series->samples.count / run_count,
                            .frequency_hz = series->frequency_hz,
                            .cpu = (double)cpu_time_ns(profile, series) / 1e9 / run_count,
                            .wall = (double)profile->wall_ns / 1e9 / run_count};
}

/* How many samples one thread alone has in this time: none in its first period. */
static double samples_by_time(const struct one_run *run, double frequency_hz)
{
    return run->cpu * frequency_hz - 1;
}

/*
 * Whether the time is that of many threads, of which most end within their first period, as those of short
 * tests do: it had far fewer samples than one thread would have.
 */
static bool is_of_short_threads(const struct one_run *run)
{
    const double clearly = 2;
    double by_time = samples_by_time(run, run->frequency_hz);

    return by_time >= clearly && run->samples < by_time / clearly;
}

/* How many samples a run has so often, at least. */
static double samples_at(const struct one_run *run, double frequency_hz)
{
    double times = frequency_hz / run->frequency_hz;

    if (is_of_short_threads(run))
        return fmax(run->samples, 1) * times;
    return fmax(samples_by_time(run, frequency_hz), run->samples * times);
}

/* How many runs have enough, to one digit, upwards; 0 where they would take too long. */
static uint64_t runs_at(const struct one_run *run, double frequency_hz)
{
    const double most_runs = 1000;
    const double most_seconds = 60;
    const double start_seconds = 0.01;
    /* The main thread's first period begins anew some way into it: half-way, in the mean of all runs. */
    double lost = is_of_short_threads(run) ? 0 : 0.5;
    double count = enough_samples / (samples_at(run, frequency_hz) - lost);
    double digit = 1;

    if (!(count > 0) || count > most_runs)
        return 0;
    while (digit * 10 <= count)
        digit *= 10;
    count = ceil(count / digit) * digit;
    return count * (run->wall + start_seconds) <= most_seconds ? (uint64_t)count : 0;
}

/*
 * "--runs 80 -F 4000". More often in any case: no run has a sample of its first period, and threads that it
 * starts are sampled at the same points of them each time.
 */
static void add_runs(struct text *text, const struct one_run *run)
{
    bool is_more_often = run->frequency_hz < PROPOSED_HZ;
    uint64_t run_count = runs_at(run, is_more_often ? PROPOSED_HZ : run->frequency_hz);

    if (run_count == 0)
        return;
    text_add_string(text, "--runs ");
    text_add_decimal(text, run_count);
    if (is_more_often)
        text_add_string(text, " -F 4000");
}

static bool is_enough_at_once(const struct one_run *run)
{
    return run->frequency_hz < PROPOSED_HZ && samples_at(run, PROPOSED_HZ) >= enough_samples;
}

void more_samples_add_options(struct text *text, const struct profile *profile,
                              const struct profile_series *series)
{
    struct one_run run = one_run_of(profile, series);

    if (series->frequency_hz == 0)
        return;
    if (is_enough_at_once(&run))
        text_add_string(text, "-F 4000");
    else
        add_runs(text, &run);
}

void more_samples_add(struct text *text, const struct profile *profile, const struct profile_series *series,
                      bool is_started)
{
    SCOPED(text_done) struct text options = {0};
    struct one_run run = one_run_of(profile, series);
    bool is_at_once = series->frequency_hz > 0 && is_enough_at_once(&run);

    if (is_at_once || is_started)
        more_samples_add_options(&options, profile, series);
    if (options.length == 0)
        return;
    text_format(text, ", or %s: %s", is_at_once ? "sample more often" : "many runs in one profile",
                text_string(&options));
}
