#include "collect/catch_up.h"

#include "base/clock.h"
#include "process/snapshot.h"

void catch_up_if_lost(struct catch_up *catch_up, struct processes *processes, struct modules *modules)
{
    static const uint64_t pause_ns = 1000000000;
    uint64_t now_ns = clock_now_ns();

    if (!catch_up->has_lost || now_ns - catch_up->last_ns < pause_ns)
        return;
    *catch_up = (struct catch_up){.last_ns = now_ns};
    snapshot_catch_up(processes, modules);
}
