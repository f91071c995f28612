/* A file of perf's of two events, made byte by byte. */
#ifndef PERF_DATA_FIXTURE_H
#define PERF_DATA_FIXTURE_H

#include "base/error.h"
#include "base/text.h"
#include "sampler/perf_data/perf_data.h"

enum {
    PERF_FIXTURE_ATTRIBUTES = sizeof(struct perf_event_attr),
    PERF_FIXTURE_HEADER = 104,
    FIRST_ID = 41,
    SECOND_ID = 42
};

/* The form of the first event: cpu-clock with its identifier, the thread, the time and the period. */
extern const struct perf_event_attr perf_fixture_usual;

/* To be released with perf_fixture_done. Zero-initialised is a file without records. */
struct perf_fixture {
    struct perf_event_attr second; /* beside the first; none: as that */
    struct text records;
    struct text features[PERF_DATA_FEATURE_COUNT]; /* those that are not empty are there */
    struct perf_data *data;
    struct error err;
};

void perf_fixture_done(struct perf_fixture *fixture);

void perf_fixture_add_number(struct text *text, uint64_t value);

/* A string of a feature's, filled up as perf does. */
void perf_fixture_add_string(struct text *text, const char *string);

/* What perf calls the two events. */
void perf_fixture_add_names(struct perf_fixture *fixture, const char *first, const char *second);

void perf_fixture_add_record(struct text *records, uint32_t type, uint16_t misc, struct slice body);

/* A sample of thread 8 of process 7; of any, the thread's number in the upper half. */
void perf_fixture_add_sample(struct text *records, uint64_t id, uint64_t time_ns, uint64_t period);
void perf_fixture_add_sample_of(struct text *records, uint64_t id, uint64_t time_ns, uint64_t period,
                                uint64_t pid_and_tid, uint16_t misc);

/* All but samples: thread 7, time and the first event's identifier behind the body. */
void perf_fixture_add_told(struct text *records, uint32_t type, uint16_t misc, struct slice body,
                           uint64_t time_ns);

/* Header, numbers, attributes, records, then the features' places and contents. */
void perf_fixture_write(const struct perf_fixture *fixture, struct text *file);

/* As perf_data_open, of these bytes and of what is written of the fixture; `file` is to be closed. */
int perf_fixture_open_bytes(struct perf_fixture *fixture, struct slice bytes, int *file);
int perf_fixture_open(struct perf_fixture *fixture, int *file);

#endif
