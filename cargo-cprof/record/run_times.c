#include "record/run_times.h"

#include <string.h>

#include "profile/totals.h"

/* Whether any but a program's first thread has samples; one that ran several programs has several entries. */
static bool has_threads(const struct profile *profile)
{
    for (size_t i = 0; i < profile->threads.count; i++)
        if (profile->threads.items[i].tid != profile->threads.items[i].pid)
            return true;
    return false;
}

/*
 * Nobody tells of all threads together: that of several one was waiting is known of the machine alone. Of
 * several processes, which may outlive the program, not even that is known.
 */
static uint64_t run_delay_of(const struct profile *profile, const struct target_end *end,
                             size_t process_count)
{
    if (process_count > 1)
        return UINT64_MAX;
    return has_threads(profile) ? end->machine_delay_ns : end->run_delay_ns;
}

/* What a clock that was sampled has counted; 0: none was. */
static uint64_t counted_ns(struct sampler *sampler)
{
    uint64_t most_ns = 0;

    for (size_t i = 0; i < sampler_source_count(sampler); i++) {
        uint64_t happened = sampler_counts(sampler, i).happened;

        if (strcmp(sampler_source(sampler, i).unit, "ns") == 0 && happened > most_ns)
            most_ns = happened;
    }
    return most_ns;
}

/*
 * The system tells the time of processes that somebody waited for. Of children of whoever ignores SIGCHLD
 * nobody does (wait(2)): then the clock has counted clearly more.
 */
static uint64_t cpu_ns_of(const struct target_end *end, struct sampler *sampler)
{
    uint64_t counted = counted_ns(sampler);

    return counted > end->cpu_ns + end->cpu_ns / 20 ? counted : end->cpu_ns;
}

void run_times_add(struct profile *profile, const struct target_end *end, struct sampler *sampler,
                   size_t process_count)
{
    profile->cpu_ns += cpu_ns_of(end, sampler);
    profile->user_ns += end->user_ns;
    weight_add(&profile->run_delay_ns, run_delay_of(profile, end, process_count));
}
