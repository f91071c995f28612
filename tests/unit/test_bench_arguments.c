#include "cmocka_all.h"

#include <string.h>

#include "built/bench_arguments.h"
#include "elf_builder.h"
#include "memory_file.h"

/* A program that holds the name of the option, as one with Criterion in it does: this one. */
static const char own[] = "/proc/self/exe";
static const char *const another = "/bin/true";

/* Volatile, so that the text is really in the program. */
static const char *volatile const held = "profile-time";

static bool adds(const char *path, const char *const *arguments, struct cargo_words *out)
{
    assert_non_null(held);
    vec_done(&out->items);
    return bench_arguments_add(arguments, bench_harness_of(path), out);
}

#define ADDS(path, ...) adds(path, (const char *const[]){"program", __VA_ARGS__, NULL}, &words)

static void assert_words(const struct cargo_words *words, const char *const *expected, size_t count)
{
    assert_int_equal(words->items.count, count);
    for (size_t i = 0; i < count; i++)
        assert_string_equal(words->items.items[i], expected[i]);
}

#define ASSERT_WORDS(...)                                                                                    \
    assert_words(&words, (const char *const[]){__VA_ARGS__},                                                 \
                 sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

static void it_is_told_once_that_it_is_a_benchmark(void **state)
{
    SCOPED(cargo_words_done) struct cargo_words words = {0};

    (void)state;
    assert_false(ADDS(another, "a", "--bench"));
    ASSERT_WORDS("program", "a", "--bench");
    assert_false(ADDS(another, "--bench", "a", "--bench"));
    ASSERT_WORDS("program", "--bench", "a");
}

static void criterion_is_asked_to_run_only(void **state)
{
    SCOPED(cargo_words_done) struct cargo_words words = {0};

    (void)state;
    assert_true(ADDS(own, "filter", "--bench"));
    ASSERT_WORDS("program", "filter", "--bench", "--profile-time", "5");
}

static void nothing_is_added_where_arguments_ask_for_something_else(void **state)
{
    static const char *const arguments[] = {"--profile-time",
                                            "--profile-time=3",
                                            "--save-baseline",
                                            "--baseline=main",
                                            "--baseline-lenient",
                                            "--load-baseline",
                                            "-smain",
                                            "-b",
                                            "--list",
                                            "--test",
                                            "--quick"};
    SCOPED(cargo_words_done) struct cargo_words words = {0};

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(arguments); i++)
        if (ADDS(own, arguments[i], "--bench"))
            fail_msg("added beside %s", arguments[i]);
    assert_true(ADDS(own, "--baselines", "--bench"));
}

static void a_program_that_cannot_be_read_is_not_criterions(void **state)
{
    SCOPED(cargo_words_done) struct cargo_words words = {0};

    (void)state;
    assert_false(ADDS("/not/there", "--bench"));
    assert_false(ADDS("/etc/passwd", "--bench"));
    ASSERT_WORDS("program", "--bench");
}

static void what_is_tried_or_listed_ends_when_that_is_done(void **state)
{
    (void)state;
    static const char *const tried[] = {"program", "--bench", "--test", NULL};
    static const char *const listed[] = {"program", "--list", NULL};
    static const char *const run[] = {"program", "--quick", "test", NULL};

    assert_true(bench_arguments_are_for_once(tried, BENCH_CRITERION));
    assert_false(bench_arguments_are_for_once(tried, BENCH_LIBTEST));
    assert_true(bench_arguments_are_for_once(listed, BENCH_CRITERION));
    assert_true(bench_arguments_are_for_once(listed, BENCH_LIBTEST));
    assert_false(bench_arguments_are_for_once(run, BENCH_CRITERION));
}

/* A program that has such text among its constants. */
static enum bench_harness harness_of(struct slice text)
{
    SCOPED(builder_done) struct elf_builder builder = builder_new(true, false, EM_X86_64, ET_DYN);
    struct memory_file file;
    enum bench_harness harness;

    builder_section(&builder, (struct built_section){
                                  .name = ".rodata", .type = SHT_PROGBITS, .flags = SHF_ALLOC, .data = text});
    file = memory_file_new(builder_finish(&builder));
    harness = bench_harness_of(file.path);
    memory_file_done(&file);
    return harness;
}

static void what_a_program_holds_tells_its_harness(void **state)
{
    (void)state;
    assert_int_equal(harness_of(SLICE("a\0--profile-time\0 ns/iter (+/- ")), BENCH_CRITERION);
    assert_int_equal(harness_of(SLICE("a\0 ns/iter (+/- b")), BENCH_LIBTEST);
    assert_int_equal(harness_of(SLICE("a\0DIVAN_MIN_TIMESECS")), BENCH_DIVAN);
    assert_int_equal(harness_of(SLICE("a\0DIVAN_MAX_TIME")), BENCH_OTHER);
}

static void divan_is_given_more_time_unless_it_is_said(void **state)
{
    static const char *const plain[] = {"--bench", "fast", NULL};
    static const char *const said[][3] = {
        {"--min-time", "1", NULL}, {"--min-time=1", NULL}, {"--max-time", "1", NULL}, {"--test", NULL}};

    (void)state;
    assert_non_null(strstr(bench_arguments_for_longer(plain, BENCH_DIVAN), "-- --min-time 5"));
    assert_null(bench_arguments_for_longer(plain, BENCH_OTHER));
    assert_null(bench_arguments_for_longer(plain, BENCH_CRITERION));
    for (size_t i = 0; i < ARRAY_COUNT(said); i++)
        assert_null(bench_arguments_for_longer(said[i], BENCH_DIVAN));
}

static void a_filter_is_told_from_options_and_their_values(void **state)
{
    static const char *const none[][4] = {
        {NULL}, {"--nocapture", NULL}, {"--test-threads", "1", NULL}, {"--skip", "a", "--exact", NULL}};
    static const char *const some[][4] = {{"fast", NULL},
                                          {"--exact", "fast", NULL},
                                          {"--test-threads=1", "fast", NULL},
                                          {"--skip", "a", "fast", NULL}};

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(none); i++)
        assert_null(bench_arguments_filter(none[i]));
    for (size_t i = 0; i < ARRAY_COUNT(some); i++)
        assert_string_equal(bench_arguments_filter(some[i]), "fast");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_told_once_that_it_is_a_benchmark),
        cmocka_unit_test(criterion_is_asked_to_run_only),
        cmocka_unit_test(nothing_is_added_where_arguments_ask_for_something_else),
        cmocka_unit_test(what_a_program_holds_tells_its_harness),
        cmocka_unit_test(divan_is_given_more_time_unless_it_is_said),
        cmocka_unit_test(a_program_that_cannot_be_read_is_not_criterions),
        cmocka_unit_test(what_is_tried_or_listed_ends_when_that_is_done),
        cmocka_unit_test(a_filter_is_told_from_options_and_their_values),
    };

    return cmocka_run_group_tests_name("bench_arguments", tests, NULL, NULL);
}
