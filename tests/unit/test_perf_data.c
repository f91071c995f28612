/* Files of perf's, made here byte by byte. */
#include "cmocka_all.h"

#include <string.h>

#include "base/file.h"
#include "perf_builder.h"
#include "perf_data_fixture.h"

static void records_come_in_the_order_of_time(void **state)
{
    static const uint64_t expected[] = {10, 20, 20, 30};
    SCOPED(perf_fixture_done) struct perf_fixture fixture = {0};
    SCOPED(file_close_descriptor) int file = -1;
    struct sampler_event event;
    size_t count = 0;

    (void)state;
    perf_fixture_add_sample(&fixture.records, FIRST_ID, 30, 1);
    perf_fixture_add_sample(&fixture.records, FIRST_ID, 20, 2);
    perf_fixture_add_sample(&fixture.records, SECOND_ID, 10, 3);
    perf_fixture_add_sample(&fixture.records, FIRST_ID, 20, 4); /* at the same time: as they stand */
    assert_int_equal(perf_fixture_open(&fixture, &file), 0);
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
    SCOPED(perf_fixture_done) struct perf_fixture fixture = {.second = perf_fixture_usual};
    SCOPED(file_close_descriptor) int file = -1;
    SCOPED(text_done) struct text body = {0};
    struct sampler_event event;

    (void)state;
    fixture.second.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID;
    fixture.second.freq = 0;
    fixture.second.sample_period = 3;
    perf_fixture_add_number(&body, SECOND_ID);
    perf_fixture_add_number(&body, UINT64_C(7) | UINT64_C(8) << 32);
    perf_fixture_add_record(&fixture.records, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, text_slice(&body));
    perf_fixture_add_sample(&fixture.records, FIRST_ID, 10, 1);
    assert_int_equal(perf_fixture_open(&fixture, &file), 0);
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
    SCOPED(perf_fixture_done) struct perf_fixture fixture = {0};
    SCOPED(file_close_descriptor) int file = -1;
    struct sampler_event event;

    (void)state;
    perf_fixture_add_sample(&fixture.records, SECOND_ID, 1, 1);
    assert_int_equal(perf_fixture_open(&fixture, &file), 0);
    assert_int_equal(perf_data_source_count(fixture.data), 1);
    assert_true(perf_data_next(fixture.data, &event));
    assert_int_equal(event.kind_index, 0);
}

/* HEADER_EVENT_DESC of both. */
static void events_have_perfs_names_without_how_precise_they_are(void **state)
{
    enum { OWN_TYPE = 20 }; /* of a part of the processor */
    static const struct {
        const char *told;
        const char *name;
        const char *unit;
        uint32_t type;
        uint64_t config;
    } cases[] = {
        {"cpu-clock:ppp", "cpu-clock", "ns", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK},
        {"cycles:P", "cycles", "cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
        {"cpu_core/cycles/", "cpu_core/cycles/", "events", OWN_TYPE, 0},
        {"probe:main", "probe:main", "events", PERF_TYPE_TRACEPOINT, 7},
        {"cpu-clock/freq=99,call-graph=no/", "cpu-clock", "ns", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK},
        {"cycles/period=5/ppp", "cycles", "cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
        {"my_clock", "my_clock", "ns", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK},
        {"offcpu-time", "offcpu-time", "nanoseconds", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_BPF_OUTPUT},
        {"", "cpu-clock", "ns", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        SCOPED(perf_fixture_done) struct perf_fixture fixture = {.second = perf_fixture_usual};
        SCOPED(file_close_descriptor) int file = -1;

        fixture.second.type = cases[i].type;
        fixture.second.config = cases[i].config;
        perf_fixture_add_sample(&fixture.records, SECOND_ID, 1, 1);
        perf_fixture_add_names(&fixture, "other", cases[i].told);
        assert_int_equal(perf_fixture_open(&fixture, &file), 0);
        assert_string_equal(perf_data_source(fixture.data, 0).event, cases[i].name);
        assert_string_equal(perf_data_source(fixture.data, 0).unit, cases[i].unit);
        assert_int_equal(perf_data_source(fixture.data, 0).frequency_hz, 99);
    }
}

static void two_events_of_one_name_are_told_apart(void **state)
{
    static const struct {
        const char *first;
        const char *second;
        const char *second_name;
    } cases[] = {
        {"cpu-clock", "cpu-clock/freq=99/", "cpu-clock/freq=99/"},
        {"cpu-clock", "cpu-clock", "cpu-clock#2"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        SCOPED(perf_fixture_done) struct perf_fixture fixture = {0};
        SCOPED(file_close_descriptor) int file = -1;

        perf_fixture_add_sample(&fixture.records, FIRST_ID, 1, 1);
        perf_fixture_add_sample(&fixture.records, SECOND_ID, 1, 1);
        perf_fixture_add_names(&fixture, cases[i].first, cases[i].second);
        assert_int_equal(perf_fixture_open(&fixture, &file), 0);
        assert_string_equal(perf_data_source(fixture.data, 0).event, "cpu-clock");
        assert_string_equal(perf_data_source(fixture.data, 1).event, cases[i].second_name);
    }
}

static void whose_part_it_is_stays_in_the_name(void **state)
{
    SCOPED(perf_fixture_done) struct perf_fixture fixture = {.second = perf_fixture_usual};
    SCOPED(file_close_descriptor) int file = -1;

    (void)state;
    fixture.second.exclude_kernel = 1;
    perf_fixture_add_sample(&fixture.records, SECOND_ID, 1, 1);
    assert_int_equal(perf_fixture_open(&fixture, &file), 0);
    assert_string_equal(perf_data_source(fixture.data, 0).event, "cpu-clock:u");
    assert_true(perf_data_source(fixture.data, 0).is_user_only);
}

static void what_was_run_is_told_without_perf(void **state)
{
    static const char *const words[] = {"perf", "record", "-g", "--", "./app", "-n", "5"};
    SCOPED(perf_fixture_done) struct perf_fixture fixture = {0};
    SCOPED(file_close_descriptor) int file = -1;
    struct text *command = &fixture.features[PERF_DATA_COMMAND];

    (void)state;
    perf_fixture_add_sample(&fixture.records, FIRST_ID, 1, 1);
    perf_builder_add_number(command, ARRAY_COUNT(words), 4);
    for (size_t i = 0; i < ARRAY_COUNT(words); i++)
        perf_fixture_add_string(command, words[i]);
    assert_int_equal(perf_fixture_open(&fixture, &file), 0);
    assert_true(slice_is(perf_data_about(fixture.data)->command, "./app -n 5"));
}

static void add_build_id(struct text *section, uint16_t misc, uint8_t length, const char *path)
{
    SCOPED(text_done) struct text body = {0};

    perf_builder_add_number(&body, UINT32_MAX, 4);
    text_add_string(&body, "abcdefghijklmnopqrst");
    perf_builder_add_number(&body, length, 4);
    text_add(&body, (struct slice){path, strlen(path) + 1});
    perf_fixture_add_record(section, 67, misc, text_slice(&body));
}

/* PERF_RECORD_MMAP2 without a build id. */
static void add_mapping_of(struct text *records, const char *path, uint32_t pid, uint16_t misc,
                           uint64_t start, struct perf_data_mapped file)
{
    SCOPED(text_done) struct text body = {0};

    perf_builder_add_number(&body, pid, 4);
    perf_builder_add_number(&body, pid, 4);
    perf_fixture_add_number(&body, start);
    perf_fixture_add_number(&body, 0x1000);
    perf_fixture_add_number(&body, start + 0x10);
    perf_fixture_add_number(&body, file.device);
    perf_fixture_add_number(&body, file.inode);
    perf_fixture_add_number(&body, file.generation);
    perf_fixture_add_number(&body, 0);
    text_add(&body, (struct slice){path, strlen(path) + 1});
    perf_fixture_add_told(records, PERF_RECORD_MMAP2, misc, text_slice(&body), 0);
}

static void add_mapping(struct text *records, const char *path, uint32_t pid, uint16_t misc, uint64_t start)
{
    add_mapping_of(records, path, pid, misc, start, (struct perf_data_mapped){.inode = 5});
}

static void files_have_the_build_ids_that_are_told_behind_the_records(void **state)
{
    SCOPED(perf_fixture_done) struct perf_fixture fixture = {0};
    SCOPED(file_close_descriptor) int file = -1;
    struct sampler_event event;

    (void)state;
    add_mapping(&fixture.records, "/bin/app", 7, PERF_RECORD_MISC_USER, 0x400000);
    add_mapping(&fixture.records, "/bin/short", 7, PERF_RECORD_MISC_USER, 0x500000);
    add_mapping(&fixture.records, "/bin/other", 7, PERF_RECORD_MISC_USER, 0x600000);
    perf_fixture_add_sample(&fixture.records, FIRST_ID, 1, 1);
    add_build_id(&fixture.features[PERF_DATA_BUILD_IDS], 0, 0, "/bin/app");
    add_build_id(&fixture.features[PERF_DATA_BUILD_IDS], 1 << 15, 8, "/bin/short");
    assert_int_equal(perf_fixture_open(&fixture, &file), 0);
    assert_true(perf_data_next(fixture.data, &event));
    assert_int_equal(event.kind, SAMPLER_MAPPING);
    assert_true(slice_is(event.mapping.build_id, "abcdefghijklmnopqrst"));
    assert_true(perf_data_next(fixture.data, &event));
    assert_true(slice_is(event.mapping.build_id, "abcdefgh"));
    assert_true(perf_data_next(fixture.data, &event));
    assert_int_equal(event.mapping.build_id.length, 0);
}

/* As of a program that was built anew, and run again, while perf recorded, and of containers. */
static void of_several_files_at_a_path_none_is_known_to_have_the_build_id(void **state)
{
    static const struct {
        const char *path;
        struct perf_data_mapped file;
        bool is_told;
    } cases[] = {
        {"/bin/app", {.inode = 5, .generation = 6}, false},
        {"/bin/app", {.inode = 5, .generation = 7}, false},
        {"/lib/c.so", {.inode = 5}, false},
        {"/lib/c.so", {.device = 1, .inode = 5}, false},
        {"/bin/one", {.inode = 5}, true}, /* of /proc, which has no generation */
        {"/bin/one", {.inode = 5, .generation = 7}, true},
        {"/bin/two", {.inode = 5}, false}, /* perf tells two */
    };
    SCOPED(perf_fixture_done) struct perf_fixture fixture = {0};
    SCOPED(file_close_descriptor) int file = -1;
    struct text *told = &fixture.features[PERF_DATA_BUILD_IDS];
    struct sampler_event event;

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        add_mapping_of(&fixture.records, cases[i].path, 7, PERF_RECORD_MISC_USER, 0x400000, cases[i].file);
        add_build_id(told, 0, 0, cases[i].path);
    }
    add_build_id(told, 1 << 15, 8, "/bin/two");
    perf_fixture_add_sample(&fixture.records, FIRST_ID, 3, 1);
    assert_int_equal(perf_fixture_open(&fixture, &file), 0);
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        assert_true(perf_data_next(fixture.data, &event));
        assert_int_equal(event.kind, SAMPLER_MAPPING);
        assert_int_equal(event.mapping.build_id.length > 0, cases[i].is_told);
    }
}

static void the_kernel_is_no_files_mapping(void **state)
{
    SCOPED(perf_fixture_done) struct perf_fixture fixture = {0};
    SCOPED(file_close_descriptor) int file = -1;
    struct sampler_event event;

    (void)state;
    add_mapping(&fixture.records, "[kernel.kallsyms]_text", UINT32_MAX, PERF_RECORD_MISC_KERNEL, 0x8000);
    perf_fixture_add_sample(&fixture.records, FIRST_ID, 1, 1);
    assert_int_equal(perf_fixture_open(&fixture, &file), 0);
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
    SCOPED(perf_fixture_done) struct perf_fixture fixture = {0};
    SCOPED(file_close_descriptor) int file = -1;
    SCOPED(text_done) struct text body = {0};
    struct sampler_event event;

    (void)state;
    perf_fixture_add_number(&body, UINT64_C(9) | UINT64_C(1) << 32);
    perf_fixture_add_number(&body, UINT64_C(9) | UINT64_C(1) << 32);
    perf_fixture_add_number(&body, 0);
    perf_fixture_add_told(&fixture.records, PERF_RECORD_FORK, PERF_RECORD_MISC_FORK_EXEC, text_slice(&body),
                          0);
    perf_fixture_add_told(&fixture.records, PERF_RECORD_FORK, 0, text_slice(&body), 5);
    perf_fixture_add_sample(&fixture.records, FIRST_ID, 9, 1);
    assert_int_equal(perf_fixture_open(&fixture, &file), 0);
    assert_true(perf_data_next(fixture.data, &event));
    assert_int_equal(event.kind, SAMPLER_FORK);
    assert_int_equal(event.time_ns, 5);
    assert_int_equal(event.pid, 9);
    assert_int_equal(event.fork.parent_pid, 1);
}

/* PERF_RECORD_LOST, of the ring that the first event shares with the second. */
static void add_lost(struct text *records, uint64_t count, uint64_t time_ns)
{
    SCOPED(text_done) struct text body = {0};

    perf_fixture_add_number(&body, FIRST_ID);
    perf_fixture_add_number(&body, count);
    perf_fixture_add_told(records, PERF_RECORD_LOST, 0, text_slice(&body), time_ns);
}

/* PERF_RECORD_LOST_SAMPLES, as perf makes it of what the kernel has counted for one event. */
static void add_lost_samples(struct text *records, uint64_t count, uint64_t id, uint16_t misc)
{
    enum { TIME_NS = 10 };
    SCOPED(text_done) struct text body = {0};

    perf_fixture_add_number(&body, count);
    perf_fixture_add_number(&body, UINT64_C(7) | UINT64_C(7) << 32);
    perf_fixture_add_number(&body, TIME_NS);
    perf_fixture_add_number(&body, id);
    perf_fixture_add_record(records, PERF_RECORD_LOST_SAMPLES, misc, text_slice(&body));
}

static void read_to_the_end(struct perf_fixture *fixture)
{
    struct sampler_event event;

    while (perf_data_next(fixture->data, &event))
        continue;
}

static void what_each_event_has_lost_is_its_own(void **state)
{
    SCOPED(perf_fixture_done) struct perf_fixture fixture = {0};
    SCOPED(file_close_descriptor) int file = -1;

    (void)state;
    add_lost(&fixture.records, 9, 3); /* of both, and one that was no sample */
    perf_fixture_add_sample(&fixture.records, FIRST_ID, 9, 1);
    perf_fixture_add_sample(&fixture.records, SECOND_ID, 9, 1);
    add_lost_samples(&fixture.records, 5, FIRST_ID, 0);
    add_lost_samples(&fixture.records, 3, SECOND_ID, 0);
    add_lost_samples(&fixture.records, 7, SECOND_ID, 1 << 15); /* nobody wanted these */
    assert_int_equal(perf_fixture_open(&fixture, &file), 0);
    read_to_the_end(&fixture);
    assert_int_equal(perf_data_lost_count(fixture.data, 0), 5);
    assert_int_equal(perf_data_lost_count(fixture.data, 1), 3);
}

/* As where perf was ended before it could ask the kernel, or the first event had nothing but the ring. */
static void what_a_ring_has_lost_counts_where_nothing_else_is_known(void **state)
{
    SCOPED(perf_fixture_done) struct perf_fixture fixture = {0};
    SCOPED(file_close_descriptor) int file = -1;

    (void)state;
    add_lost(&fixture.records, 9, 3);
    perf_fixture_add_sample(&fixture.records, SECOND_ID, 9, 1);
    assert_int_equal(perf_fixture_open(&fixture, &file), 0);
    read_to_the_end(&fixture);
    assert_int_equal(perf_data_lost_count(fixture.data, 0), 9);
}

static void samples_that_were_all_lost_are_told_to_be(void **state)
{
    SCOPED(perf_fixture_done) struct perf_fixture fixture = {0};
    SCOPED(file_close_descriptor) int file = -1;
    SCOPED(text_done) struct text count = {0};

    (void)state;
    perf_fixture_add_number(&count, 4);
    perf_fixture_add_told(&fixture.records, PERF_RECORD_LOST_SAMPLES, 0, text_slice(&count), 4);
    assert_int_equal(perf_fixture_open(&fixture, &file), -1);
    assert_non_null(strstr(fixture.err.message, "lost"));
}

static void a_file_without_samples_is_refused(void **state)
{
    SCOPED(perf_fixture_done) struct perf_fixture fixture = {0};
    SCOPED(file_close_descriptor) int file = -1;

    (void)state;
    assert_int_equal(perf_fixture_open(&fixture, &file), -1);
    assert_int_equal(fixture.err.kind, ERROR_FORMAT);
}

/* Whatever is missing at its end, what is there is read or refused, and said to be cut. */
static void a_file_that_was_cut_is_told_to_be(void **state)
{
    SCOPED(perf_fixture_done) struct perf_fixture whole = {.second = perf_fixture_usual};
    SCOPED(text_done) struct text bytes = {0};
    size_t read_count = 0;

    (void)state;
    for (uint64_t i = 1; i <= 3; i++)
        perf_fixture_add_sample(&whole.records, FIRST_ID, i, 1);
    perf_fixture_add_string(&whole.features[PERF_DATA_MACHINE], "");
    perf_fixture_write(&whole, &bytes);
    for (size_t length = 0; length < bytes.length; length++) {
        SCOPED(perf_fixture_done) struct perf_fixture cut = {0};
        SCOPED(file_close_descriptor) int file = -1;
        struct sampler_event event;

        if (perf_fixture_open_bytes(&cut, slice_range(text_slice(&bytes), 0, length), &file) < 0)
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
    SCOPED(perf_fixture_done) struct perf_fixture fixture = {.second = perf_fixture_usual};
    SCOPED(file_close_descriptor) int file = -1;
    SCOPED(text_done) struct text bytes = {0};
    uint64_t all = 0;

    (void)state;
    perf_fixture_add_sample(&fixture.records, FIRST_ID, 1, 1);
    perf_fixture_write(&fixture, &bytes);
    all = bytes.length - PERF_FIXTURE_HEADER;
    memcpy(bytes.data + PERF_FIXTURE_HEADER + 16 + PERF_FIXTURE_ATTRIBUTES + 8, &all, sizeof(all));
    memcpy(bytes.data + PERF_FIXTURE_HEADER + 16 + PERF_FIXTURE_ATTRIBUTES + 16 + PERF_FIXTURE_ATTRIBUTES + 8,
           &all, sizeof(all));
    assert_int_equal(perf_fixture_open_bytes(&fixture, text_slice(&bytes), &file), -1);
    assert_int_equal(fixture.err.kind, ERROR_FORMAT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_come_in_the_order_of_time),
        cmocka_unit_test(events_have_forms_of_their_own),
        cmocka_unit_test(an_event_without_samples_is_no_source),
        cmocka_unit_test(events_have_perfs_names_without_how_precise_they_are),
        cmocka_unit_test(two_events_of_one_name_are_told_apart),
        cmocka_unit_test(whose_part_it_is_stays_in_the_name),
        cmocka_unit_test(what_was_run_is_told_without_perf),
        cmocka_unit_test(files_have_the_build_ids_that_are_told_behind_the_records),
        cmocka_unit_test(of_several_files_at_a_path_none_is_known_to_have_the_build_id),
        cmocka_unit_test(the_kernel_is_no_files_mapping),
        cmocka_unit_test(a_process_from_before_is_not_forked),
        cmocka_unit_test(what_each_event_has_lost_is_its_own),
        cmocka_unit_test(what_a_ring_has_lost_counts_where_nothing_else_is_known),
        cmocka_unit_test(samples_that_were_all_lost_are_told_to_be),
        cmocka_unit_test(a_file_without_samples_is_refused),
        cmocka_unit_test(a_file_that_was_cut_is_told_to_be),
        cmocka_unit_test(numbers_of_one_event_may_not_stand_in_for_anothers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
