/* The processors of a machine. */
#ifndef TARGET_MACHINE_H
#define TARGET_MACHINE_H

#include "base/error.h"
#include "base/slice.h"

/* Zero-initialised is empty; to be released with vec_done. */
struct cpus {
    int *items;
    size_t count;
    size_t capacity;
};

/*
 * Reads "0-3,5", each once, in rising order. Returns 0, or -1 with ERROR_USAGE for what is no list of
 * processors.
 */
MUST_CHECK int machine_read_cpus(struct slice list, struct cpus *out, struct error *err);

#endif
