/* Records as the kernel writes them (perf_event_open(2)), in the form that sampler/perf/decode.h reads. */
#ifndef TESTS_PERF_BUILDER_H
#define TESTS_PERF_BUILDER_H

#include <linux/perf_event.h>
#include <stdint.h>

#include "base/text.h"
#include "sampler/perf/decode.h"

enum { PERF_BUILDER_EVENT_ID = 9 }; /* that all but samples are told by */

struct perf_builder_sample {
    uint64_t address;
    uint32_t pid, tid;
    uint64_t time_ns;
    uint64_t event_id;
    uint32_t cpu;
    uint64_t period;
    const uint64_t *calls; /* `call_count` of them, the marks between them included */
    size_t call_count;
    uint64_t abi;              /* PERF_SAMPLE_REGS_ABI_* */
    const uint64_t *registers; /* `register_count` of them, in the kernel's order */
    size_t register_count;
    struct slice room; /* the copy of the stack, with the part that was not filled */
    uint64_t copied_bytes;
};

/* The form of what is built here. */
extern const struct decode_form perf_builder_form;

void perf_builder_add_number(struct text *text, uint64_t number, size_t width);

/* `count` numbers of 8 bytes. */
void perf_builder_add_numbers(struct text *text, const uint64_t *numbers, size_t count);

/* A record of this type with this body, and for all but samples who (pid 11, tid 12), when and where. */
void perf_builder_add(struct text *ring, uint32_t type, uint16_t misc, struct slice body, uint64_t time_ns);

void perf_builder_add_sample(struct text *ring, const struct perf_builder_sample *sample);

/* PERF_RECORD_MMAP2 of process 11 with a build id of two bytes. */
void perf_builder_add_mapping(struct text *ring, uint64_t start, uint64_t size, uint64_t offset,
                              const char *path, uint64_t time_ns);

/* PERF_RECORD_FORK or _EXIT. */
void perf_builder_add_fork(struct text *ring, uint32_t type, const uint32_t ids[4], uint64_t time_ns);

#endif
