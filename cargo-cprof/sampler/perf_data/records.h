/*
 * The records of a file of perf's, in the order of time. They stand there as they were taken from the rings
 * of the processors, some seconds of one after some of another, packed where that was asked for. Of each no
 * more is kept in memory than where it is.
 */
#ifndef SAMPLER_PERF_DATA_RECORDS_H
#define SAMPLER_PERF_DATA_RECORDS_H

#include "base/pair_index.h"
#include "sampler/perf_data/header.h"

/* Where a record is, and when it was made. */
struct perf_data_place {
    uint64_t time_ns;
    uint64_t where; /* a bit for what was packed, 47 for the offset, 16 for the length */
};

/* To be released with records_done. */
struct perf_data_records {
    const struct perf_data_file *file; /* borrowed */
    int unpacked;                      /* a file of what was packed; -1: nothing was */
    VEC(struct perf_data_place) places;
    struct pair_index calls;    /* of samples, told later: by thread and number, */
    VEC(uint64_t) calls_places; /* and where that is, as of a place */
    size_t next;
    char *room;             /* owned: of a record, */
    char *calls_room;       /* and of one with calls; NULL: not needed yet */
    uint64_t first_ns;      /* of what tells its time; */
    uint64_t last_ns;       /* 0: nothing does */
    bool has_lost;          /* some tell that others found no room */
    uint64_t damaged_count; /* records that were of no form */
    bool is_cut;            /* the last one was not all there */
};

/*
 * Goes over all records once: what perf itself has put between them is added to `about`, where the kernel's
 * are is noted. Returns 0, or -1: ERROR_IO when the file cannot be read, or there is no room for what it
 * packs, ERROR_FORMAT when that is damaged, ERROR_MISSING without zstd. `out` is to be given to records_done
 * either way.
 */
MUST_CHECK int records_find(const struct perf_data_file *file, struct perf_data_range range,
                            struct perf_data_about *about, struct perf_data_records *out, struct error *err);

/*
 * The next one, valid until the next call, and when it was made, as it was understood when all were gone
 * over. False when there is none, or it cannot be read any more.
 */
bool records_next(struct perf_data_records *records, struct slice *record, uint64_t *time_ns);

/* The record that tells the thread's calls of this number; as records_next, false also where there is none.
 */
bool records_calls(struct perf_data_records *records, uint32_t thread, uint64_t number, struct slice *record);

void records_done(struct perf_data_records *records);

#endif
