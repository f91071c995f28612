/* What a first word is answered with that is no verb. */
#include "cmocka_all.h"

#include <string.h>

#include "unknown_words.h"

static void assert_hint(const char *word, const char *wanted)
{
    struct error err = {0};

    unknown_word_explain(word, &err);
    assert_string_equal(err.hint, wanted);
    assert_string_equal(err.message, "");
}

static void a_word_of_another_tool_is_answered_with_what_does_that_here(void **state)
{
    static const char *const words[] = {"annotate", "list",  "script", "stat", "top",  "trace", "import",
                                        "load",     "bench", "build",  "help", "run",  "test",  "mem",
                                        "lock",     "sched", "c2c",    "view", "serve"};

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(words); i++) {
        struct error err = {0};

        unknown_word_explain(words[i], &err);
        assert_non_null(strstr(err.hint, "cargo cprof"));
        assert_null(strstr(err.hint, "one of several programs"));
    }
}

static void what_is_recorded_here_by_another_name_is_told(void **state)
{
    static const struct {
        const char *word;
        const char *option;
    } known[] = {{"lock", "-e off-cpu"}, {"sched", "-e off-cpu"},   {"mem", "-e heap"},
                 {"c2c", "-e mem:0x"},   {"trace", "--by syscall"}, {"stat", "with -e EVENT"}};

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(known); i++) {
        struct error err = {0};

        unknown_word_explain(known[i].word, &err);
        if (!strstr(err.hint, known[i].option))
            fail_msg("%s: %s", known[i].word, err.hint);
    }
}

static void a_verb_that_stands_too_late_is_told_to_stand_first(void **state)
{
    (void)state;
    assert_hint("report", "a verb is the first word: cargo cprof report");
    assert_hint("diff", "a verb is the first word: cargo cprof diff");
}

static void a_misspelt_verb_is_answered_with_the_nearest(void **state)
{
    (void)state;
    assert_hint("reprot", "did you mean: cargo cprof report?");
    assert_hint("flamegrph", "did you mean: cargo cprof flamegraph?");
}

static void a_file_is_answered_with_the_verb_that_takes_it(void **state)
{
    (void)state;
    assert_hint("a.cprof",
                "what was recorded before: cargo cprof report a.cprof, or cargo cprof flamegraph a.cprof");
    assert_hint("/tmp/a.folded", "what was recorded before: cargo cprof report /tmp/a.folded, or cargo cprof "
                                 "flamegraph /tmp/a.folded");
    assert_hint("old/perf.data", "what was recorded before: cargo cprof report old/perf.data, or cargo cprof "
                                 "flamegraph old/perf.data");
    assert_hint("a.svg", "a picture already: open it in a browser");
    assert_hint("src/main.rs", "what cargo builds is recorded, not a file of it: cargo cprof [--bin NAME]");
    assert_hint("./app", "a program that is there already: cargo cprof exec ./app");
}

static void a_number_is_answered_with_how_processes_are_listed(void **state)
{
    (void)state;
    assert_hint("2506", "an argument of the program stands after `--`: -- 2506; several processes are one "
                        "value: --pid 12,34 or --pid \"$(pidof NAME)\"");
}

static void any_other_word_may_be_a_program_or_its_argument(void **state)
{
    (void)state;
    assert_hint("crunch",
                "one of several programs is --bin crunch, its arguments stand after `--`; any other "
                "program: cargo cprof exec crunch");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_recorded_here_by_another_name_is_told),
        cmocka_unit_test(a_word_of_another_tool_is_answered_with_what_does_that_here),
        cmocka_unit_test(a_verb_that_stands_too_late_is_told_to_stand_first),
        cmocka_unit_test(a_misspelt_verb_is_answered_with_the_nearest),
        cmocka_unit_test(a_file_is_answered_with_the_verb_that_takes_it),
        cmocka_unit_test(a_number_is_answered_with_how_processes_are_listed),
        cmocka_unit_test(any_other_word_may_be_a_program_or_its_argument),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
