/* Files of perf's, made here byte by byte. */
#include "cmocka_all.h"

#include <string.h>
#include <sys/mman.h>

#include "base/file.h"
#include "perf_builder.h"
#include "sampler/perf_data/perf_data.h"

enum { ATTRIBUTES = sizeof(struct perf_event_attr), HEADER = 104, FIRST_ID = 41, SECOND_ID = 42 };

/* The form of both events: their identifier, the thread and the time. */
static const struct perf_event_attr usual = {
    .type = PERF_TYPE_SOFTWARE,
    .size = ATTRIBUTES,
    .config = PERF_COUNT_SW_CPU_CLOCK,
    .sample_freq = 99,
    .freq = 1,
    .sample_type =
        PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD,
    .sample_id_all = 1,
};

struct fixture {
    struct perf_event_attr second; /* beside `usual` */
    struct text records;
    struct text features[PERF_DATA_FEATURE_COUNT]; /* those that are not empty are there */
    struct perf_data *data;
    struct error err;
};

static void fixture_done(struct fixture *fixture)
{
    perf_data_close(fixture->data);
    text_done(&fixture->records);
    for (size_t i = 0; i < PERF_DATA_FEATURE_COUNT; i++)
        text_done(&fixture->features[i]);
}

static void number(struct text *text, uint64_t value)
{
    perf_builder_add_number(text, value, 8);
}

static void record(struct text *records, uint32_t type, uint16_t misc, struct slice body)
{
    perf_builder_add_number(records, type, 4);
    perf_builder_add_number(records, misc, 2);
    perf_builder_add_number(records, sizeof(struct perf_event_header) + body.length, 2);
    text_add(records, body);
}

static void sample(struct text *records, uint64_t id, uint64_t time_ns, uint64_t period)
{
    SCOPED(text_done) struct text body = {0};

    number(&body, id);
    number(&body, 0x401000);
    number(&body, UINT64_C(7) | UINT64_C(8) << 32);
    number(&body, time_ns);
    number(&body, period);
    record(records, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, text_slice(&body));
}

/* All but samples: thread 7, time and identifier behind the body. */
static void told(struct text *records, uint32_t type, uint16_t misc, struct slice body, uint64_t time_ns)
{
    SCOPED(text_done) struct text all = {0};

    text_add(&all, body);
    number(&all, UINT64_C(7) | UINT64_C(7) << 32);
    number(&all, time_ns);
    number(&all, FIRST_ID);
    record(records, type, misc, text_slice(&all));
}

static void add_string(struct text *text, const char *string)
{
    enum { LENGTH = 64 }; /* perf fills it up */
    char filled[LENGTH] = {0};

    memcpy(filled, string, strlen(string));
    perf_builder_add_number(text, LENGTH, 4);
    text_add(text, (struct slice){filled, LENGTH});
}

static void add_attributes(struct text *file, const struct perf_event_attr *attributes, uint64_t id_at)
{
    text_add(file, (struct slice){(const char *)attributes, ATTRIBUTES});
    number(file, id_at);
    number(file, sizeof(uint64_t));
}

/* Header, numbers, attributes, records, then the features' places and contents. */
static void write_file(const struct fixture *fixture, struct text *file)
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
    number(file, HEADER);
    number(file, ATTRIBUTES + 16);
    number(file, attributes_at);
    number(file, 2 * (ATTRIBUTES + 16));
    number(file, records_at);
    number(file, fixture->records.length);
    number(file, 0);
    number(file, 0);
    for (size_t i = 0; i < PERF_DATA_FEATURE_COUNT / 64; i++)
        number(file, bits[i]);
    number(file, FIRST_ID);
    number(file, SECOND_ID);
    add_attributes(file, &usual, HEADER);
    add_attributes(file, &fixture->second, HEADER + sizeof(uint64_t));
    text_add(file, text_slice(&fixture->records));
    features_at += count * 16;
    for (size_t i = 0; i < PERF_DATA_FEATURE_COUNT; i++) {
        if (fixture->features[i].length == 0)
            continue;
        number(file, features_at);
        number(file, fixture->features[i].length);
        features_at += fixture->features[i].length;
    }
    for (size_t i = 0; i < PERF_DATA_FEATURE_COUNT; i++)
        text_add(file, text_slice(&fixture->features[i]));
}

static int open_bytes(struct fixture *fixture, struct slice bytes, int *file)
{
    *file = memfd_create("perf.data", MFD_CLOEXEC);
    assert_int_equal(file_write(*file, bytes), 0);
    return perf_data_open(*file, "perf.data", &fixture->data, &fixture->err);
}

static int open_fixture(struct fixture *fixture, int *file)
{
    SCOPED(text_done) struct text bytes = {0};

    fixture->second = fixture->second.size ? fixture->second : usual;
    write_file(fixture, &bytes);
    return open_bytes(fixture, text_slice(&bytes), file);
}

static void records_come_in_the_order_of_time(void **state)
{
    static const uint64_t expected[] = {10, 20, 20, 30};
    SCOPED(fixture_done) struct fixture fixture = {0};
    SCOPED(file_close_descriptor) int file = -1;
    struct sampler_event event;
    size_t count = 0;

    (void)state;
    sample(&fixture.records, FIRST_ID, 30, 1);
    sample(&fixture.records, FIRST_ID, 20, 2);
    sample(&fixture.records, SECOND_ID, 10, 3);
    sample(&fixture.records, FIRST_ID, 20, 4); /* at the same time: as they stand */
    assert_int_equal(open_fixture(&fixture, &file), 0);
    assert_int_equal(perf_data_source_count(fixture.data), 2);
    for (; perf_data_next(fixture.data, &event); count++) {
        assert_int_equal(event.time_ns, expected[count]);
        assert_int_equal(event.kind_index, event.time_ns == 10);
        if (count == 2)
            assert_int_equal(event.sample.period, 4);
    }
    assert_int_equal(count, 4);
    assert_int_equal(perf_data_first_ns(fixture.data), 10);
    assert_int_equal(perf_data_last_ns(fixture.data), 30);
    assert_int_equal(perf_data_damaged_count(fixture.data), 0);
    assert_false(perf_data_is_cut(fixture.data));
}

/* As of -e cpu-clock/call-graph=dwarf/,page-faults/call-graph=no,period=1/: where the event's number stands
 * is the same in all. */
static void events_have_forms_of_their_own(void **state)
{
    SCOPED(fixture_done) struct fixture fixture = {.second = usual};
    SCOPED(file_close_descriptor) int file = -1;
    SCOPED(text_done) struct text body = {0};
    struct sampler_event event;

    (void)state;
    fixture.second.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID;
    fixture.second.freq = 0;
    fixture.second.sample_period = 3;
    number(&body, SECOND_ID);
    number(&body, UINT64_C(7) | UINT64_C(8) << 32);
    record(&fixture.records, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, text_slice(&body));
    sample(&fixture.records, FIRST_ID, 10, 1);
    assert_int_equal(open_fixture(&fixture, &file), 0);
    assert_int_equal(perf_data_source_count(fixture.data), 2);
    assert_true(perf_data_next(fixture.data, &event));
    assert_int_equal(event.kind_index, 1);
    assert_int_equal(event.tid, 8);
    assert_int_equal(event.sample.period, 3);
    assert_true(perf_data_next(fixture.data, &event));
    assert_int_equal(event.kind_index, 0);
    assert_int_equal(perf_data_damaged_count(fixture.data), 0);
}

static void an_event_without_samples_is_no_source(void **state)
{
    SCOPED(fixture_done) struct fixture fixture = {0};
    SCOPED(file_close_descriptor) int file = -1;
    struct sampler_event event;

    (void)state;
    sample(&fixture.records, SECOND_ID, 1, 1);
    assert_int_equal(open_fixture(&fixture, &file), 0);
    assert_int_equal(perf_data_source_count(fixture.data), 1);
    assert_true(perf_data_next(fixture.data, &event));
    assert_int_equal(event.kind_index, 0);
}

static void events_have_perfs_names_without_how_precise_they_are(void **state)
{
    static const struct {
        const char *told;
        const char *name;
        const char *unit;
    } cases[] = {
        {"cpu-clock:ppp", "cpu-clock", "ns"},
        {"cycles:P", "cycles", "cycles"},
        {"cpu_core/cycles/", "cpu_core/cycles/", "events"},
        {"probe:main", "probe:main", "events"},
        {"", "cpu-clock", "ns"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        SCOPED(fixture_done) struct fixture fixture = {0};
        SCOPED(file_close_descriptor) int file = -1;
        struct text *events = &fixture.features[PERF_DATA_EVENTS];

        sample(&fixture.records, FIRST_ID, 1, 1);
        perf_builder_add_number(events, 2, 4);
        perf_builder_add_number(events, ATTRIBUTES, 4);
        for (int event = 0; event < 2; event++) {
            text_add(events, (struct slice){(const char *)&usual, ATTRIBUTES});
            perf_builder_add_number(events, 1, 4);
            add_string(events, event == 0 ? cases[i].told : "other");
            number(events, event == 0 ? FIRST_ID : SECOND_ID);
        }
        assert_int_equal(open_fixture(&fixture, &file), 0);
        assert_string_equal(perf_data_source(fixture.data, 0).event, cases[i].name);
        assert_string_equal(perf_data_source(fixture.data, 0).unit, cases[i].unit);
        assert_int_equal(perf_data_source(fixture.data, 0).frequency_hz, 99);
    }
}

static void whose_part_it_is_stays_in_the_name(void **state)
{
    SCOPED(fixture_done) struct fixture fixture = {.second = usual};
    SCOPED(file_close_descriptor) int file = -1;

    (void)state;
    fixture.second.exclude_kernel = 1;
    sample(&fixture.records, SECOND_ID, 1, 1);
    assert_int_equal(open_fixture(&fixture, &file), 0);
    assert_string_equal(perf_data_source(fixture.data, 0).event, "cpu-clock:u");
    assert_true(perf_data_source(fixture.data, 0).is_user_only);
}

static void what_was_run_is_told_without_perf(void **state)
{
    static const char *const words[] = {"perf", "record", "-g", "--", "./app", "-n", "5"};
    SCOPED(fixture_done) struct fixture fixture = {0};
    SCOPED(file_close_descriptor) int file = -1;
    struct text *command = &fixture.features[PERF_DATA_COMMAND];

    (void)state;
    sample(&fixture.records, FIRST_ID, 1, 1);
    perf_builder_add_number(command, ARRAY_COUNT(words), 4);
    for (size_t i = 0; i < ARRAY_COUNT(words); i++)
        add_string(command, words[i]);
    assert_int_equal(open_fixture(&fixture, &file), 0);
    assert_true(slice_is(perf_data_about(fixture.data)->command, "./app -n 5"));
}

static void add_build_id(struct text *section, uint16_t misc, uint8_t length, const char *path)
{
    SCOPED(text_done) struct text body = {0};

    perf_builder_add_number(&body, UINT32_MAX, 4);
    text_add_string(&body, "abcdefghijklmnopqrst");
    perf_builder_add_number(&body, length, 4);
    text_add(&body, (struct slice){path, strlen(path) + 1});
    record(section, 67, misc, text_slice(&body));
}

/* PERF_RECORD_MMAP2 without a build id. */
static void add_mapping(struct text *records, const char *path, uint32_t pid, uint16_t misc, uint64_t start)
{
    SCOPED(text_done) struct text body = {0};

    perf_builder_add_number(&body, pid, 4);
    perf_builder_add_number(&body, pid, 4);
    number(&body, start);
    number(&body, 0x1000);
    number(&body, start + 0x10);
    number(&body, 0);
    number(&body, 5);
    number(&body, 0);
    number(&body, 0);
    text_add(&body, (struct slice){path, strlen(path) + 1});
    told(records, PERF_RECORD_MMAP2, misc, text_slice(&body), 0);
}

static void files_have_the_build_ids_that_are_told_behind_the_records(void **state)
{
    SCOPED(fixture_done) struct fixture fixture = {0};
    SCOPED(file_close_descriptor) int file = -1;
    struct sampler_event event;

    (void)state;
    add_mapping(&fixture.records, "/bin/app", 7, PERF_RECORD_MISC_USER, 0x400000);
    add_mapping(&fixture.records, "/bin/short", 7, PERF_RECORD_MISC_USER, 0x500000);
    add_mapping(&fixture.records, "/bin/other", 7, PERF_RECORD_MISC_USER, 0x600000);
    sample(&fixture.records, FIRST_ID, 1, 1);
    add_build_id(&fixture.features[PERF_DATA_BUILD_IDS], 0, 0, "/bin/app");
    add_build_id(&fixture.features[PERF_DATA_BUILD_IDS], 1 << 15, 8, "/bin/short");
    assert_int_equal(open_fixture(&fixture, &file), 0);
    assert_true(perf_data_next(fixture.data, &event));
    assert_int_equal(event.kind, SAMPLER_MAPPING);
    assert_true(slice_is(event.mapping.build_id, "abcdefghijklmnopqrst"));
    assert_true(perf_data_next(fixture.data, &event));
    assert_true(slice_is(event.mapping.build_id, "abcdefgh"));
    assert_true(perf_data_next(fixture.data, &event));
    assert_int_equal(event.mapping.build_id.length, 0);
}

static void the_kernel_is_no_files_mapping(void **state)
{
    SCOPED(fixture_done) struct fixture fixture = {0};
    SCOPED(file_close_descriptor) int file = -1;
    struct sampler_event event;

    (void)state;
    add_mapping(&fixture.records, "[kernel.kallsyms]_text", UINT32_MAX, PERF_RECORD_MISC_KERNEL, 0x8000);
    sample(&fixture.records, FIRST_ID, 1, 1);
    assert_int_equal(open_fixture(&fixture, &file), 0);
    assert_true(perf_data_next(fixture.data, &event));
    assert_int_equal(event.kind, SAMPLER_SAMPLE);
    assert_int_equal(perf_data_kernel_count(fixture.data), 1);
    assert_true(slice_is(perf_data_kernel_part(fixture.data, 0)->name, "[kernel.kallsyms]_text"));
    assert_int_equal(perf_data_kernel_part(fixture.data, 0)->start_avma, 0x8000);
    assert_int_equal(perf_data_kernel_part(fixture.data, 0)->symbol_avma, 0x8010);
}

/* It would have the memory of its parent, of which perf tells only what the process itself has. */
static void a_process_from_before_is_not_forked(void **state)
{
    SCOPED(fixture_done) struct fixture fixture = {0};
    SCOPED(file_close_descriptor) int file = -1;
    SCOPED(text_done) struct text body = {0};
    struct sampler_event event;

    (void)state;
    number(&body, UINT64_C(9) | UINT64_C(1) << 32);
    number(&body, UINT64_C(9) | UINT64_C(1) << 32);
    number(&body, 0);
    told(&fixture.records, PERF_RECORD_FORK, PERF_RECORD_MISC_FORK_EXEC, text_slice(&body), 0);
    told(&fixture.records, PERF_RECORD_FORK, 0, text_slice(&body), 5);
    sample(&fixture.records, FIRST_ID, 9, 1);
    assert_int_equal(open_fixture(&fixture, &file), 0);
    assert_true(perf_data_next(fixture.data, &event));
    assert_int_equal(event.kind, SAMPLER_FORK);
    assert_int_equal(event.time_ns, 5);
    assert_int_equal(event.pid, 9);
    assert_int_equal(event.fork.parent_pid, 1);
}

static void what_was_lost_is_not_counted_twice(void **state)
{
    SCOPED(fixture_done) struct fixture fixture = {0};
    SCOPED(file_close_descriptor) int file = -1;
    SCOPED(text_done) struct text ring = {0};
    SCOPED(text_done) struct text samples = {0};
    struct sampler_event event;

    (void)state;
    number(&ring, FIRST_ID);
    number(&ring, 5);
    number(&samples, 4);
    told(&fixture.records, PERF_RECORD_LOST, 0, text_slice(&ring), 3);
    told(&fixture.records, PERF_RECORD_LOST_SAMPLES, 0, text_slice(&samples), 4);
    sample(&fixture.records, FIRST_ID, 9, 1);
    assert_int_equal(open_fixture(&fixture, &file), 0);
    while (perf_data_next(fixture.data, &event))
        continue;
    assert_int_equal(perf_data_lost_count(fixture.data, 0), 5);
}

static void samples_that_were_all_lost_are_told_to_be(void **state)
{
    SCOPED(fixture_done) struct fixture fixture = {0};
    SCOPED(file_close_descriptor) int file = -1;
    SCOPED(text_done) struct text count = {0};

    (void)state;
    number(&count, 4);
    told(&fixture.records, PERF_RECORD_LOST_SAMPLES, 0, text_slice(&count), 4);
    assert_int_equal(open_fixture(&fixture, &file), -1);
    assert_non_null(strstr(fixture.err.message, "lost"));
}

static void a_file_without_samples_is_refused(void **state)
{
    SCOPED(fixture_done) struct fixture fixture = {0};
    SCOPED(file_close_descriptor) int file = -1;

    (void)state;
    assert_int_equal(open_fixture(&fixture, &file), -1);
    assert_int_equal(fixture.err.kind, ERROR_FORMAT);
}

/* Whatever is missing at its end, what is there is read or refused, and said to be cut. */
static void a_file_that_was_cut_is_told_to_be(void **state)
{
    SCOPED(fixture_done) struct fixture whole = {.second = usual};
    SCOPED(text_done) struct text bytes = {0};
    size_t read_count = 0;

    (void)state;
    for (uint64_t i = 1; i <= 3; i++)
        sample(&whole.records, FIRST_ID, i, 1);
    add_string(&whole.features[PERF_DATA_MACHINE], "");
    write_file(&whole, &bytes);
    for (size_t length = 0; length < bytes.length; length++) {
        SCOPED(fixture_done) struct fixture cut = {0};
        SCOPED(file_close_descriptor) int file = -1;
        struct sampler_event event;

        if (open_bytes(&cut, slice_range(text_slice(&bytes), 0, length), &file) < 0)
            continue;
        while (perf_data_next(cut.data, &event))
            continue;
        assert_true(perf_data_is_cut(cut.data));
        read_count++;
    }
    assert_true(read_count > 64);
}

static void numbers_of_one_event_may_not_stand_in_for_anothers(void **state)
{
    SCOPED(fixture_done) struct fixture fixture = {.second = usual};
    SCOPED(file_close_descriptor) int file = -1;
    SCOPED(text_done) struct text bytes = {0};
    uint64_t all = 0;

    (void)state;
    sample(&fixture.records, FIRST_ID, 1, 1);
    write_file(&fixture, &bytes);
    all = bytes.length - HEADER;
    memcpy(bytes.data + HEADER + 16 + ATTRIBUTES + 8, &all, sizeof(all));
    memcpy(bytes.data + HEADER + 16 + ATTRIBUTES + 16 + ATTRIBUTES + 8, &all, sizeof(all));
    assert_int_equal(open_bytes(&fixture, text_slice(&bytes), &file), -1);
    assert_int_equal(fixture.err.kind, ERROR_FORMAT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_come_in_the_order_of_time),
        cmocka_unit_test(events_have_forms_of_their_own),
        cmocka_unit_test(an_event_without_samples_is_no_source),
        cmocka_unit_test(events_have_perfs_names_without_how_precise_they_are),
        cmocka_unit_test(whose_part_it_is_stays_in_the_name),
        cmocka_unit_test(what_was_run_is_told_without_perf),
        cmocka_unit_test(files_have_the_build_ids_that_are_told_behind_the_records),
        cmocka_unit_test(the_kernel_is_no_files_mapping),
        cmocka_unit_test(a_process_from_before_is_not_forked),
        cmocka_unit_test(what_was_lost_is_not_counted_twice),
        cmocka_unit_test(samples_that_were_all_lost_are_told_to_be),
        cmocka_unit_test(a_file_without_samples_is_refused),
        cmocka_unit_test(a_file_that_was_cut_is_told_to_be),
        cmocka_unit_test(numbers_of_one_event_may_not_stand_in_for_anothers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
