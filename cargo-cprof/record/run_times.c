#include "record/run_times.h"

#include <string.h>

#include "profile/totals.h"
#include "target/run_delay.h"

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

uint64_t run_times_counted_ns(struct sampler *sampler)
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
static uint64_t cpu_ns_of(uint64_t told_ns, uint64_t counted_ns)
{
    return counted_ns > told_ns + told_ns / 20 ? counted_ns : told_ns;
}

struct run_times run_times_read(const struct target *program, const struct descendants *descendants,
                                struct sampler *sampler)
{
    struct run_times times = {
        .cpu_ns = program->end.cpu_ns,
        .user_ns = program->end.all_user_ns,
        .counted_ns = run_times_counted_ns(sampler),
        .machine_delay_ns = run_delay_of_machine_ns(),
    };

    descendants_add_time(descendants, &times.cpu_ns, &times.user_ns);
    return times;
}

void run_times_add(struct profile *profile, const struct target_end *end, struct sampler *sampler,
                   size_t process_count)
{
    profile->cpu_ns += cpu_ns_of(end->cpu_ns, run_times_counted_ns(sampler));
    profile->user_ns += end->all_user_ns;
    weight_add(&profile->run_delay_ns, run_delay_of(profile, end, process_count));
}

/* None where the later figure is of less: a process has ended that nobody waited for. */
static uint64_t since(uint64_t from, uint64_t to)
{
    return to > from ? to - from : 0;
}

/* How long the threads waited is known from their start on alone. */
void run_times_add_part(struct profile *profile, const struct run_times *from, const struct run_times *to,
                        size_t process_count)
{
    profile->cpu_ns += cpu_ns_of(since(from->cpu_ns, to->cpu_ns), since(from->counted_ns, to->counted_ns));
    profile->user_ns += since(from->user_ns, to->user_ns);
    weight_add(&profile->run_delay_ns, process_count > 1 || to->machine_delay_ns == 0
                                           ? UINT64_MAX
                                           : since(from->machine_delay_ns, to->machine_delay_ns));
}
