/*
 * Where records are lost, what processes did may be among them: their memory is then read anew. That of many
 * takes time, which is what there is too little of where records are lost, so it is done once a second at
 * most.
 */
#ifndef COLLECT_CATCH_UP_H
#define COLLECT_CATCH_UP_H

#include <stdbool.h>
#include <stdint.h>

#include "process/modules.h"
#include "process/processes.h"

/* Zero-initialised: nothing was lost. */
struct catch_up {
    bool has_lost;
    uint64_t last_ns; /* when it was looked for, CLOCK_MONOTONIC */
};

/* Once a round. */
void catch_up_if_lost(struct catch_up *catch_up, struct processes *processes, struct modules *modules);

#endif
