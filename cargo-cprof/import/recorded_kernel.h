/*
 * The kernel that a file of perf's was recorded on. Names are those that the running kernel tells, which are
 * right where it is the same one, built from the same sources: by its build id. At each start it and its
 * modules are elsewhere; the file tells where they were, so that addresses can be moved to where they are. Of
 * another kernel perf may have kept a list of names (import/kept_kernel.h), which is as good.
 */
#ifndef IMPORT_RECORDED_KERNEL_H
#define IMPORT_RECORDED_KERNEL_H

#include "base/text.h"
#include "base/vec.h"
#include "import/kept_kernel.h"
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
    char why[256];           /* nothing has its names: for people */
    struct kept_kernel kept; /* where it is not ours; empty: there is none */
    VEC(struct recorded_part) parts;
    VEC(uint64_t) calls; /* of the sample at hand */
    struct text modules; /* what the running kernel tells of them; empty until asked for */
};

/* `copies` is where perf keeps copies of files. */
void recorded_kernel_init(struct recorded_kernel *kernel, const struct perf_data_about *about,
                          struct slice copies);
void recorded_kernel_done(struct recorded_kernel *kernel);

/* The list that has its names; NULL: none has. */
const char *recorded_kernel_list(struct recorded_kernel *kernel);

/* Moves the sample's addresses in the kernel; its calls there are borrowed until the next call. */
void recorded_kernel_move(struct recorded_kernel *kernel, const struct perf_data *data,
                          struct sample_raw *sample);

/*
 * Where a module is by now, told as "[ext4]" or by its file's path, by the list /proc/modules. False when it
 * is not there; `start` is 0 where that may not be seen.
 */
bool recorded_kernel_find_module(struct slice list, struct slice told, uint64_t *start);

#endif
