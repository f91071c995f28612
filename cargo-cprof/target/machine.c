#include "target/machine.h"

#include <stdbool.h>

#include "base/scan.h"
#include "base/vec.h"

enum { MOST_CPUS = 8192 }; /* the most that Linux can be built for (CONFIG_NR_CPUS) */

/* "5" or "0-3" */
static bool read_range(struct scan *scan, bool *is_chosen)
{
    uint64_t first = 0;
    uint64_t last = 0;

    if (!scan_decimal(scan, &first))
        return false;
    last = first;
    if (scan_byte(scan, '-') && !scan_decimal(scan, &last))
        return false;
    if (first > last || last >= MOST_CPUS)
        return false;
    for (uint64_t cpu = first; cpu <= last; cpu++)
        is_chosen[cpu] = true;
    return true;
}

int machine_read_cpus(struct slice list, struct cpus *out, struct error *err)
{
    bool is_chosen[MOST_CPUS] = {false};
    struct scan scan = scan_of(list);
    bool is_list = read_range(&scan, is_chosen);

    while (is_list && scan_byte(&scan, ','))
        is_list = read_range(&scan, is_chosen);
    if (!is_list || !scan_at_end(&scan))
        return error_set(err, ERROR_USAGE, "--cpu %.*s: numbers of processors, like 0-3,5",
                         SLICE_ARGUMENTS(list));
    for (int cpu = 0; cpu < MOST_CPUS; cpu++)
        if (is_chosen[cpu])
            *vec_add(out) = cpu;
    return 0;
}
