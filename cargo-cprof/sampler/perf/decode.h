/*
 * The records of perf_event_open(2), "MMAP layout", in the form that sampler/perf/event.h asks for: samples
 * of DECODE_SAMPLE_TYPE, everything else followed by its thread, time, event and processor (sample_id_all).
 * The bytes may be anything: what does not fit the form is refused, nothing is read past the record.
 */
#ifndef SAMPLER_PERF_DECODE_H
#define SAMPLER_PERF_DECODE_H

#include <linux/perf_event.h>

#include "sampler/sampler.h"

#define DECODE_SAMPLE_TYPE                                                                                   \
    (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_CPU |                \
     PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER)

/* The registers to ask for: all that the DWARF of this machine may name and a sample can hold. */
extern const uint64_t decode_register_mask;

/* When the record was made, by the kernel's CLOCK_MONOTONIC; 0 for one that is too short to tell. */
uint64_t decode_time(struct slice record);

/*
 * Reads one record, header included. What it points to is borrowed from `record`. The time is as of
 * decode_time. Kinds of records that are of no use here are SAMPLER_OTHER. `fixed_period` is what each sample
 * stands for when the records do not tell (DECODE_SAMPLE_TYPE without PERF_SAMPLE_PERIOD), 0 when they do.
 * Returns false for bytes that are not of the form.
 */
bool decode_record(struct slice record, uint64_t fixed_period, struct sampler_event *out);

#endif
