/*
 * The kernel that a file of perf's was recorded on. Names are those that the running kernel tells, which are
 * right where it is the same one, built from the same sources: by its build id. At each start it and its
 * modules are elsewhere; the file tells where they were, so that addresses can be moved to where they are.
 */
#ifndef IMPORT_RECORDED_KERNEL_H
#define IMPORT_RECORDED_KERNEL_H

#include "base/text.h"
#include "base/vec.h"
#include "sampler/perf_data/perf_data.h"

/* A stretch of the kernel that was told. */
struct recorded_part {
    uint64_t start_avma;
    uint64_t end_avma;
    uint64_t moved;    /* to be added, modulo 2^64 */
    bool is_elsewhere; /* nothing runs that is the same */
};

/* To be set up with recorded_kernel_init and released with recorded_kernel_done. */
struct recorded_kernel {
    bool is_ours;
    char why[256]; /* it is not: for people */
    VEC(struct recorded_part) parts;
    VEC(uint64_t) calls; /* of the sample at hand */
    struct text modules; /* what the running kernel tells of them; empty until asked for */
};

void recorded_kernel_init(struct recorded_kernel *kernel, const struct perf_data_about *about);
void recorded_kernel_done(struct recorded_kernel *kernel);

/* Whether names of the running kernel are its names. */
bool recorded_kernel_is_ours(const struct recorded_kernel *kernel);

/* Moves the sample's addresses in the kernel; its calls there are borrowed until the next call. */
void recorded_kernel_move(struct recorded_kernel *kernel, const struct perf_data *data,
                          struct sample_raw *sample);

/*
 * Where a module is by now, told as "[ext4]" or by its file's path, by the list /proc/modules. False when it
 * is not there; `start` is 0 where that may not be seen.
 */
bool recorded_kernel_find_module(struct slice list, struct slice told, uint64_t *start);

#endif
