/*
 * The records of perf_event_open(2), "MMAP layout", as the kernel writes them to rings and perf to its files.
 * The bytes may be anything: what does not fit the form is refused, nothing is read past the record.
 */
#ifndef SAMPLER_PERF_DECODE_H
#define SAMPLER_PERF_DECODE_H

#include <linux/perf_event.h>

#include "sampler/sampler.h"

/* What sampler/perf/event.h asks for. */
#define DECODE_SAMPLE_TYPE                                                                                   \
    (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_CPU |                \
     PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER)

/* The registers to ask for: all that the DWARF of this machine may name and a sample can hold. */
extern const uint64_t decode_register_mask;

/* What the records of an event tell, and so where. */
struct decode_form {
    uint64_t sample_type;
    uint64_t read_format;
    uint64_t branch_sample_type;
    uint64_t registers;    /* of the program, by the kernel's numbers */
    uint64_t fixed_period; /* what each sample stands for where they do not tell; 0: they do */
    bool has_raw_waits;    /* samples are of waits: raw_wait */
    bool has_trailer;      /* all but samples tell their thread, time and event, too (sample_id_all) */
};

struct decode_form decode_form_of(const struct perf_event_attr *attributes);

/* Whose a record is, and when it was made. What it does not tell is 0. */
struct decode_stamp {
    uint64_t time_ns;
    uint64_t event_id;
    uint32_t pid;
    uint32_t tid;
};

/*
 * The number of the event that a record is of, 0 where it tells none, by the form of any event of the same
 * file: where events have different ones, all have it at the same place. False for a record that is too short
 * to tell.
 */
bool decode_event_id(struct slice record, const struct decode_form *form, uint64_t *out);

/* False for a record that is too short to tell. */
bool decode_stamp(struct slice record, const struct decode_form *form, struct decode_stamp *out);

/*
 * When a record of the form of DECODE_SAMPLE_TYPE, with a trailer, was made, by the kernel's CLOCK_MONOTONIC;
 * 0 for one that is too short to tell.
 */
uint64_t decode_time(struct slice record);

/*
 * Reads one record, header included. What it points to is borrowed from `record`. Kinds of records that are
 * of no use here are SAMPLER_OTHER.
 * Returns false for bytes that are not of the form.
 */
bool decode_record(struct slice record, const struct decode_form *form, struct sampler_event *out);

#endif
