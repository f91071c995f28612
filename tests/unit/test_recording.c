/* What the options about recording say. */
#include "cmocka_all.h"

#include <string.h>

#include "record/recording.h"

static const struct option_table *const tables[] = {&recording_options, &watching_options_with_letters, NULL};
static const struct command command = {.name = "sample", .takes_program = true, .tables = tables};

struct fixture {
    struct options options;
    struct recording recording;
    struct error err;
};

static int set_up(void **state)
{
    static struct fixture fixture;

    fixture = (struct fixture){0};
    *state = &fixture;
    return 0;
}

static void forget(struct fixture *f)
{
    recording_done(&f->recording);
    options_done(&f->options);
    f->err = (struct error){0};
}

static int tear_down(void **state)
{
    forget(*state);
    return 0;
}

static int read_words(struct fixture *f, const char *const *words)
{
    forget(f);
    assert_int_equal(options_parse(&command, words, &f->options, &f->err), 0);
    return recording_read(&f->options, &f->recording, &f->err);
}

#define READ(...) read_words(f, (const char *const[]){__VA_ARGS__, NULL})

static void what_is_not_given_is_as_usual(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(READ("true"), 0);
    assert_int_equal(f->recording.session.sampling.frequency_hz, 997);
    assert_int_equal(f->recording.session.sampling.period, 0);
    assert_int_equal(f->recording.session.duration_ns, 0);
    assert_int_equal(f->recording.session.run_count, 1);
    assert_int_equal(f->recording.session.sampling.event_count, 0);
    assert_false(recording_watches(&f->recording));
}

static void times_are_seconds_unless_they_say_so(void **state)
{
    struct fixture *f = *state;
    static const struct {
        const char *typed;
        uint64_t ns;
    } times[] = {
        {"30", 30000000000},  {"1.5", 1500000000},  {".5", 500000000},
        {"500ms", 500000000}, {"2m", 120000000000}, {"0.25s", 250000000},
        {"0.000000001", 1},   {"1.5ms", 1500000},   {"1.2345678901", 1234567890},
    };

    for (size_t i = 0; i < ARRAY_COUNT(times); i++) {
        assert_int_equal(READ("-d", times[i].typed), 0);
        assert_int_equal(f->recording.session.duration_ns, times[i].ns);
    }
}

static void a_delay_has_its_unit(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(READ("--delay", "500ms"), 0);
    assert_int_equal(f->recording.session.delay_ns, 500000000);
    assert_int_equal(READ("--delay", "0.5"), 0);
    assert_int_equal(f->recording.session.delay_ns, 500000000);
    assert_int_equal(READ("--delay", "500"), -1); /* perf's are milliseconds */
    assert_non_null(strstr(f->err.message, "500ms or 500s"));
}

static void what_is_no_time_is_refused(void **state)
{
    struct fixture *f = *state;
    static const char *const wrong[] = {"",  "0", "x",           "5h",          "5 s",
                                        "s", ".", "99999999999", "4294967295m", "0ms"};

    for (size_t i = 0; i < ARRAY_COUNT(wrong); i++) {
        assert_int_equal(READ("--duration", wrong[i]), -1);
        assert_int_equal(f->err.kind, ERROR_USAGE);
        assert_non_null(strstr(f->err.message, "a time is 30, 1.5, 500ms or 2m"));
    }
}

static void frequency_and_count_are_one_or_the_other(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(READ("-c", "10000"), 0);
    assert_int_equal(f->recording.session.sampling.period, 10000);
    assert_int_equal(READ("-c", "10000", "-F", "5"), -1);
    assert_int_equal(READ("-c", "0"), -1);
    assert_int_equal(READ("-c", "18446744073709551615"), -1);
    assert_int_equal(READ("-F", "0"), -1);
    assert_int_equal(READ("-F", "100001"), -1);
    assert_string_equal(f->err.message, "--freq 100001: samples a second are 1 to 100000, or max");
}

static void a_count_is_of_what_is_counted_and_of_time_where_nothing_else_is(void **state)
{
    struct fixture *f = *state;
    const struct sampler_request *sampling = &f->recording.session.sampling;

    assert_int_equal(READ("-c", "3", "-e", "page-faults,cpu-clock,cs"), 0);
    assert_int_equal(sampling->events[0].period, 3);
    assert_int_equal(sampling->events[1].period, 0);
    assert_int_equal(sampling->events[2].period, 3);
    assert_int_equal(sampling->frequency_hz, 997);
    assert_int_equal(READ("-c", "10000", "-e", "cpu-clock,task-clock"), 0);
    assert_int_equal(sampling->events[1].period, 10000);
    assert_int_equal(READ("-c", "9999", "-e", "cpu-clock,task-clock"), -1);
    assert_int_equal(READ("-c", "9999"), -1);
    assert_string_equal(f->err.message,
                        "--count 9999: of CPU time that is nanoseconds, and the kernel samples "
                        "each 10000 at most");
}

static void the_highest_frequency_is_asked_for_by_name(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(READ("-F", "max"), 0);
    assert_int_equal(f->recording.session.sampling.frequency_hz, SAMPLER_MOST_OFTEN);
    assert_int_equal(READ("-F", "maximum"), -1);
    assert_int_equal(f->err.kind, ERROR_USAGE);
}

static void what_is_counted_has_no_frequency(void **state)
{
    struct fixture *f = *state;
    const struct sampler_request *sampling = &f->recording.session.sampling;

    assert_int_equal(READ("-e", "page-faults,cs,cpu-clock", "-F", "99"), 0);
    assert_int_equal(sampling->events[0].period, 11);
    assert_int_equal(sampling->events[1].period, 1);
    assert_int_equal(sampling->events[2].period, 0);
    assert_int_equal(sampling->frequency_hz, 99);
    assert_int_equal(READ("-e", "mem:0x404028:w,cpu-clock", "-F", "99"), 0);
    assert_int_equal(sampling->events[0].period, 1);
    assert_int_equal(READ("-e", "page-faults,cs", "-F", "99"), -1);
    assert_string_equal(f->err.message, "--freq 99: page-faults is counted, not timed");
    assert_int_equal(READ("-e", "cache-misses", "-F", "99"), 0);
}

static void events_come_in_lists_and_one_by_one(void **state)
{
    struct fixture *f = *state;
    const struct sampler_request *sampling = &f->recording.session.sampling;

    assert_int_equal(READ("-e", "cpu-clock,page-faults:u", "--event", "cs"), 0);
    assert_int_equal(sampling->event_count, 3);
    assert_string_equal(sampling->events[0].name, "cpu-clock");
    assert_string_equal(sampling->events[1].name, "page-faults:u");
    assert_string_equal(sampling->events[2].unit, "context-switches");
    assert_int_equal(READ("-e", "cpu-clock,,cs"), -1);
    assert_int_equal(READ("-e", ""), -1);
}

static void processes_come_in_lists_and_one_by_one(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(READ("-p", "12,34", "--pid", "56"), 0);
    assert_int_equal(f->recording.session.pids.count, 3);
    assert_int_equal(f->recording.session.pids.items[2], 56);
    assert_true(recording_watches(&f->recording));
    assert_int_equal(READ("-p", "12 34, 56\n78 "), 0);
    assert_int_equal(f->recording.session.pids.count, 4);
    assert_int_equal(f->recording.session.pids.items[3], 78);
    assert_int_equal(READ("-p", "12 34x"), -1);
    assert_int_equal(READ("-p", "12,,34"), -1);
    assert_int_equal(READ("-p", " "), -1);
    assert_int_equal(READ("-p", "12,"), -1);
    assert_int_equal(READ("-p", "2147483648"), -1);
    assert_int_equal(READ("-p", "12", "-a"), -1);
    assert_int_equal(READ("-p", "12", "--runs", "2"), -1);
}

static void processors_are_told_each_once_and_in_order(void **state)
{
    struct fixture *f = *state;
    const struct sampler_request *sampling = &f->recording.session.sampling;

    assert_int_equal(READ("-C", "5,0-2,1"), 0);
    assert_true(f->recording.session.is_machine);
    assert_int_equal(sampling->cpu_count, 4);
    assert_int_equal(sampling->cpus[3], 5);
    assert_int_equal(READ("-C", "2-1"), -1);
    assert_int_equal(READ("-C", "8192"), -1);
    assert_int_equal(READ("-C", "1,"), -1);
    assert_int_equal(READ("-C", "0-"), -1);
    assert_int_equal(READ("-a", "-C", "0"), 0); /* of the whole machine these, as perf has it */
    assert_int_equal(sampling->cpu_count, 1);
}

static void the_kernels_part_is_wanted_refused_or_taken_where_allowed(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(READ("true"), 0);
    assert_int_equal(f->recording.session.sampling.kernel, SAMPLER_KERNEL_IF_ALLOWED);
    assert_int_equal(READ("--kernel"), 0);
    assert_int_equal(f->recording.session.sampling.kernel, SAMPLER_KERNEL_ALWAYS);
    assert_int_equal(READ("--no-kernel"), 0);
    assert_int_equal(f->recording.session.sampling.kernel, SAMPLER_KERNEL_NEVER);
    assert_int_equal(READ("--kernel", "--no-kernel"), -1);
}

static void stacks_are_copied_as_far_as_asked_for(void **state)
{
    struct fixture *f = *state;
    const struct sampler_request *sampling = &f->recording.session.sampling;
    static const struct {
        const char *typed;
        uint32_t bytes;
    } copies[] = {{"dwarf", 0},
                  {"dwarf,8192", 8192},
                  {"dwarf,65528", 65528},
                  {"dwarf,1025", 1032},
                  {"dwarf,65521", 65528}};

    for (size_t i = 0; i < ARRAY_COUNT(copies); i++) {
        assert_int_equal(READ("-g", "--call-graph", copies[i].typed), 0);
        assert_int_equal(sampling->stacks, SAMPLER_STACKS_COPIED);
        assert_int_equal(sampling->most_stack_bytes, copies[i].bytes);
    }
    assert_int_equal(READ("--call-graph", "dwarf,65529"), -1);
    assert_string_equal(f->err.message, "--call-graph dwarf,65529: bytes of each stack are 1024 to 65528");
    assert_int_equal(READ("--call-graph", "dwarf,1023"), -1);
    assert_int_equal(READ("--call-graph", "dwarf,8k"), -1);
    assert_int_equal(READ("--call-graph", "dwarf,"), -1);
}

static void frame_pointers_are_followed_as_far_as_asked_for(void **state)
{
    struct fixture *f = *state;
    const struct sampler_request *sampling = &f->recording.session.sampling;

    for (int i = 0; i < 2; i++) {
        assert_int_equal(i == 0 ? READ("--call-graph", "fp") : READ("--call-graph=fp,defer"), 0);
        assert_int_equal(sampling->stacks, SAMPLER_STACKS_FRAME_POINTERS);
        assert_int_equal(sampling->most_calls, 0);
    }
    assert_int_equal(READ("--call-graph=fp,127"), 0);
    assert_int_equal(sampling->most_calls, 127);
    assert_int_equal(READ("--call-graph", "fp,128"), -1);
    assert_string_equal(f->err.message, "--call-graph fp,128: calls of each stack are 1 to 127");
    assert_int_equal(READ("--call-graph", "fp,0"), -1);
    assert_int_equal(READ("--call-graph", "fp,x"), -1);
    assert_int_equal(READ("--call-graph", "none"), 0);
    assert_int_equal(sampling->stacks, SAMPLER_STACKS_NONE);
}

static void runs_are_one_or_more(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(READ("--runs", "3", "--ignore-status"), 0);
    assert_int_equal(f->recording.session.run_count, 3);
    assert_true(f->recording.session.runs_on && f->recording.ignores_status);
    assert_int_equal(READ("--runs", "0"), -1);
    assert_int_equal(READ("--runs", "100001"), -1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

static void waits_are_sampled_beside_what_is_sampled_anyway(void **state)
{
    struct fixture *f = *state;
    const struct sampler_request *sampling = &f->recording.session.sampling;

    assert_int_equal(READ("--off-cpu", "-F", "99"), 0);
    assert_int_equal(sampling->event_count, 2);
    assert_true(sampling->events[0].is_usual);
    assert_int_equal(sampling->events[0].period, 0);
    assert_true(sampling->events[1].is_waits);
    assert_int_equal(READ("-e", "page-faults", "--off-cpu", "-c", "7"), 0);
    assert_int_equal(sampling->event_count, 2);
    assert_int_equal(sampling->events[0].period, 7);
    assert_int_equal(sampling->events[1].period, 1); /* each is one */
    assert_int_equal(READ("-e", "off-cpu,page-faults", "--off-cpu"), 0);
    assert_int_equal(sampling->event_count, 2);
}

static void waits_take_no_rate_and_all_processors(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(READ("-e", "off-cpu", "-c", "7"), -1);
    assert_string_equal(f->err.message, "--count 7: of off-cpu each wait is sampled");
    assert_int_equal(READ("-e", "off-cpu", "-F", "99"), -1);
    assert_non_null(strstr(f->err.hint, "--off-cpu instead of -e off-cpu"));
    assert_int_equal(READ("--off-cpu", "--cpu", "0"), -1);
    assert_string_equal(f->err.hint, "--all-cpus watches all of them");
    assert_int_equal(READ("--off-cpu", "--all-cpus"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_is_not_given_is_as_usual),
        TEST(times_are_seconds_unless_they_say_so),
        TEST(a_delay_has_its_unit),
        TEST(what_is_no_time_is_refused),
        TEST(frequency_and_count_are_one_or_the_other),
        TEST(a_count_is_of_what_is_counted_and_of_time_where_nothing_else_is),
        TEST(the_highest_frequency_is_asked_for_by_name),
        TEST(what_is_counted_has_no_frequency),
        TEST(events_come_in_lists_and_one_by_one),
        TEST(processes_come_in_lists_and_one_by_one),
        TEST(processors_are_told_each_once_and_in_order),
        TEST(the_kernels_part_is_wanted_refused_or_taken_where_allowed),
        TEST(stacks_are_copied_as_far_as_asked_for),
        TEST(frame_pointers_are_followed_as_far_as_asked_for),
        TEST(runs_are_one_or_more),
        cmocka_unit_test_setup_teardown(waits_are_sampled_beside_what_is_sampled_anyway, set_up, tear_down),
        cmocka_unit_test_setup_teardown(waits_take_no_rate_and_all_processors, set_up, tear_down),
    };

    return cmocka_run_group_tests_name("recording", tests, NULL, NULL);
}
