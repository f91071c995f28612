#include "target/watched_time.h"

#include "base/clock.h"
#include "target/run_delay.h"

void watched_time_begin(struct watched_time *time, const struct pids *pids)
{
    time->pids = pids;
    time->cpu_ns.count = 0;
    for (size_t i = 0; i < pids->count; i++)
        *vec_add(&time->cpu_ns) = clock_cpu_ns_of_process(pids->items[i]);
    time->machine_delay_ns = run_delay_of_machine_ns();
}

bool watched_time_end(const struct watched_time *time, uint64_t *cpu_ns, uint64_t *machine_delay_ns)
{
    uint64_t sum_ns = 0;

    for (size_t i = 0; i < time->cpu_ns.count; i++) {
        uint64_t end_ns = clock_cpu_ns_of_process(time->pids->items[i]);

        /* A smaller one is that of another process, which got the number of one that has ended. */
        if (time->cpu_ns.items[i] == 0 || end_ns < time->cpu_ns.items[i])
            return false;
        sum_ns += end_ns - time->cpu_ns.items[i];
    }
    if (time->cpu_ns.count == 0)
        return false;
    *cpu_ns = sum_ns;
    *machine_delay_ns =
        time->machine_delay_ns ? run_delay_of_machine_ns() - time->machine_delay_ns : UINT64_MAX;
    return true;
}

void watched_time_done(struct watched_time *time)
{
    vec_done(&time->cpu_ns);
}
