#include "cmocka_all.h"

#include "perf_data_fixture.h"

#include <stdio.h>
#include <sys/mman.h>

#include "base/file.h"
#include "perf_builder.h"

enum { ATTRIBUTES = PERF_FIXTURE_ATTRIBUTES, HEADER = PERF_FIXTURE_HEADER };

const struct perf_event_attr perf_fixture_usual = {
    .type = PERF_TYPE_SOFTWARE,
    .size = ATTRIBUTES,
    .config = PERF_COUNT_SW_CPU_CLOCK,
    .sample_freq = 99,
    .freq = 1,
    .sample_type =
        PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD,
    .sample_id_all = 1,
};

void perf_fixture_done(struct perf_fixture *fixture)
{
    perf_data_close(fixture->data);
    text_done(&fixture->records);
    for (size_t i = 0; i < PERF_DATA_FEATURE_COUNT; i++)
        text_done(&fixture->features[i]);
}

void perf_fixture_add_number(struct text *text, uint64_t value)
{
    perf_builder_add_number(text, value, 8);
}

void perf_fixture_add_names(struct perf_fixture *fixture, const char *first, const char *second)
{
    struct text *events = &fixture->features[PERF_DATA_EVENTS];

    perf_builder_add_number(events, 2, 4);
    perf_builder_add_number(events, PERF_FIXTURE_ATTRIBUTES, 4);
    for (int event = 0; event < 2; event++) {
        text_add(events, (struct slice){(const char *)&perf_fixture_usual, PERF_FIXTURE_ATTRIBUTES});
        perf_builder_add_number(events, 1, 4);
        perf_fixture_add_string(events, event == 0 ? first : second);
        perf_fixture_add_number(events, event == 0 ? FIRST_ID : SECOND_ID);
    }
}

void perf_fixture_add_record(struct text *records, uint32_t type, uint16_t misc, struct slice body)
{
    perf_builder_add_number(records, type, 4);
    perf_builder_add_number(records, misc, 2);
    perf_builder_add_number(records, sizeof(struct perf_event_header) + body.length, 2);
    text_add(records, body);
}

void perf_fixture_add_sample(struct text *records, uint64_t id, uint64_t time_ns, uint64_t period)
{
    perf_fixture_add_sample_of(records, id, time_ns, period, UINT64_C(7) | UINT64_C(8) << 32,
                               PERF_RECORD_MISC_USER);
}

void perf_fixture_add_sample_of(struct text *records, uint64_t id, uint64_t time_ns, uint64_t period,
                                uint64_t pid_and_tid, uint16_t misc)
{
    SCOPED(text_done) struct text body = {0};

    perf_fixture_add_number(&body, id);
    perf_fixture_add_number(&body, 0x401000);
    perf_fixture_add_number(&body, pid_and_tid);
    perf_fixture_add_number(&body, time_ns);
    perf_fixture_add_number(&body, period);
    perf_fixture_add_record(records, PERF_RECORD_SAMPLE, misc, text_slice(&body));
}

void perf_fixture_add_told(struct text *records, uint32_t type, uint16_t misc, struct slice body,
                           uint64_t time_ns)
{
    SCOPED(text_done) struct text all = {0};

    text_add(&all, body);
    perf_fixture_add_number(&all, UINT64_C(7) | UINT64_C(7) << 32);
    perf_fixture_add_number(&all, time_ns);
    perf_fixture_add_number(&all, FIRST_ID);
    perf_fixture_add_record(records, type, misc, text_slice(&all));
}

void perf_fixture_add_string(struct text *text, const char *string)
{
    enum { LENGTH = 64 }; /* perf fills it up */
    char filled[LENGTH] = {0};

    snprintf(filled, sizeof(filled), "%s", string);
    perf_builder_add_number(text, LENGTH, 4);
    text_add(text, (struct slice){filled, LENGTH});
}

static void add_attributes(struct text *file, const struct perf_event_attr *attributes, uint64_t id_at)
{
    text_add(file, (struct slice){(const char *)attributes, ATTRIBUTES});
    perf_fixture_add_number(file, id_at);
    perf_fixture_add_number(file, sizeof(uint64_t));
}

void perf_fixture_write(const struct perf_fixture *fixture, struct text *file)
{
    uint64_t attributes_at = HEADER + 2 * sizeof(uint64_t);
    uint64_t records_at = attributes_at + 2 * (ATTRIBUTES + 16);
    uint64_t features_at = records_at + fixture->records.length;
    uint64_t count = 0;
    uint64_t bits[PERF_DATA_FEATURE_COUNT / 64] = {0};

    for (size_t i = 0; i < PERF_DATA_FEATURE_COUNT; i++)
        if (fixture->features[i].length > 0) {
            bits[i / 64] |= UINT64_C(1) << i % 64;
            count++;
        }
    text_add_string(file, "PERFILE2");
    perf_fixture_add_number(file, HEADER);
    perf_fixture_add_number(file, ATTRIBUTES + 16);
    perf_fixture_add_number(file, attributes_at);
    perf_fixture_add_number(file, 2 * (ATTRIBUTES + 16));
    perf_fixture_add_number(file, records_at);
    perf_fixture_add_number(file, fixture->records.length);
    perf_fixture_add_number(file, 0);
    perf_fixture_add_number(file, 0);
    for (size_t i = 0; i < PERF_DATA_FEATURE_COUNT / 64; i++)
        perf_fixture_add_number(file, bits[i]);
    perf_fixture_add_number(file, FIRST_ID);
    perf_fixture_add_number(file, SECOND_ID);
    add_attributes(file, &perf_fixture_usual, HEADER);
    add_attributes(file, &fixture->second, HEADER + sizeof(uint64_t));
    text_add(file, text_slice(&fixture->records));
    features_at += count * 16;
    for (size_t i = 0; i < PERF_DATA_FEATURE_COUNT; i++) {
        if (fixture->features[i].length == 0)
            continue;
        perf_fixture_add_number(file, features_at);
        perf_fixture_add_number(file, fixture->features[i].length);
        features_at += fixture->features[i].length;
    }
    for (size_t i = 0; i < PERF_DATA_FEATURE_COUNT; i++)
        text_add(file, text_slice(&fixture->features[i]));
}

int perf_fixture_open_bytes(struct perf_fixture *fixture, struct slice bytes, int *file)
{
    *file = memfd_create("perf.data", MFD_CLOEXEC);
    assert_int_equal(file_write(*file, bytes), 0);
    return perf_data_open(*file, "perf.data", &fixture->data, &fixture->err);
}

int perf_fixture_open(struct perf_fixture *fixture, int *file)
{
    SCOPED(text_done) struct text bytes = {0};

    fixture->second = fixture->second.size ? fixture->second : perf_fixture_usual;
    perf_fixture_write(fixture, &bytes);
    return perf_fixture_open_bytes(fixture, text_slice(&bytes), file);
}
