/* Which command runs, with which of the words. */
#include "cmocka_all.h"

#include <string.h>

#include "cli/command.h"
#include "cli/help.h"
#include "memory_file.h"

enum { MAIN_RAN = 40, VERB_RAN = 50 };

static const struct option_spec verb_specs[] = {
    {"pid", 'p', OPTION_VALUE, "PID", "A process", NULL, NULL},
};
static const struct option_table verb_table = {"Verb", verb_specs, ARRAY_COUNT(verb_specs)};
static const struct option_table *const verb_tables[] = {&verb_table, &command_common_options, NULL};
static const struct option_table *const main_tables[] = {&command_common_options, NULL};
static const char *const usages[] = {"[OPTIONS] PROGRAM", NULL};

static const struct command verb_command = {
    .name = "sample",
    .verb = "run",
    .summary = "Runs what is named",
    .description = "",
    .usages = usages,
    .takes_program = true,
    .tables = verb_tables,
};

/* Ends with how many words are the program's. */
static int run_verb(const struct options *options, int *exit_code, struct error *err)
{
    (void)err;
    *exit_code = VERB_RAN;
    for (size_t i = 0; options->program_arguments && options->program_arguments[i]; i++)
        ++*exit_code;
    return 0;
}

static int run_main(const struct options *options, int *exit_code, struct error *err)
{
    (void)err;
    *exit_code = MAIN_RAN + (int)options->positionals.count;
    return 0;
}

static const struct command_verb verbs[] = {{&verb_command, run_verb}};

static const struct command command = {
    .name = "sample",
    .verbs = verbs,
    .verb_count = 1,
    .summary = "A sample",
    .description = "",
    .usages = usages,
    .positional = "FILE",
    .positional_help = "A file",
    .tables = main_tables,
};

/* The words as main() gets them. */
static int run_words(const char *const *words)
{
    enum { MOST_WORDS = 8 };
    char *copies[MOST_WORDS + 1] = {NULL};
    int count = 0;
    int code = 0;

    for (; words[count]; count++) {
        assert_true(count < MOST_WORDS);
        copies[count] = strdup(words[count]);
    }
    code = command_main(&command, run_main, count, copies);
    for (int i = 0; i < count; i++)
        free(copies[i]);
    return code;
}

#define RUN(...) run_words((const char *const[]){__VA_ARGS__, NULL})

static void the_word_that_cargo_puts_first_is_left_out(void **state)
{
    (void)state;
    assert_int_equal(RUN("cargo-sample"), MAIN_RAN);
    assert_int_equal(RUN("cargo-sample", "sample", "a"), MAIN_RAN + 1);
    assert_int_equal(RUN("cargo-sample", "a", "sample"), MAIN_RAN + 2);
}

static void a_verb_is_the_first_word_alone(void **state)
{
    (void)state;
    assert_int_equal(RUN("cargo-sample", "run"), VERB_RAN);
    assert_int_equal(RUN("cargo-sample", "sample", "run"), VERB_RAN);
    assert_int_equal(RUN("cargo-sample", "a", "run"), MAIN_RAN + 2);
    assert_int_equal(RUN("cargo-sample", "--color", "never", "run"), EXIT_CODE_USAGE);
    assert_int_equal(RUN("cargo-sample", "--color", "never", "./run"), MAIN_RAN + 1);
}

static void a_file_named_like_a_verb_is_told_by_its_folder(void **state)
{
    (void)state;
    assert_int_equal(RUN("cargo-sample", "./run"), MAIN_RAN + 1);
}

static void options_end_with_the_program(void **state)
{
    (void)state;
    assert_int_equal(RUN("cargo-sample", "run", "true", "-p", "--wrong"), VERB_RAN + 3);
    assert_int_equal(RUN("cargo-sample", "run", "-p", "1", "true", "--", "x"), VERB_RAN + 3);
    assert_int_equal(RUN("cargo-sample", "run", "-p", "1", "--", "true", "x"), VERB_RAN + 2);
    assert_int_equal(RUN("cargo-sample", "run", "-p", "1"), VERB_RAN);
}

static void an_option_of_the_verb_is_none_of_the_command(void **state)
{
    (void)state;
    assert_int_equal(RUN("cargo-sample", "-p", "1"), EXIT_CODE_USAGE);
    assert_int_equal(RUN("cargo-sample", "run", "--other"), EXIT_CODE_USAGE);
}

static void help_lists_the_verbs_and_a_verb_says_how_it_is_called(void **state)
{
    SCOPED(text_done) struct text help = {0};
    SCOPED(text_done) struct text verb_help = {0};

    (void)state;
    help_add(&help, &command, 0);
    assert_non_null(strstr(text_string(&help), "\n  run                         Runs what is named\n"));
    help_add(&verb_help, &verb_command, 0);
    assert_non_null(strstr(text_string(&verb_help), "  cargo sample run [OPTIONS] PROGRAM\n"));
}

static void help_is_asked_for_by_a_word_too(void **state)
{
    (void)state;
    assert_int_equal(RUN("cargo-sample", "help"), 0);
    assert_int_equal(RUN("cargo-sample", "sample", "help", "run"), 0);
    assert_int_equal(RUN("cargo-sample", "help", "else"), MAIN_RAN + 2);
    assert_int_equal(RUN("cargo-sample", "./help"), MAIN_RAN + 1);
    assert_int_equal(RUN("cargo-sample", "run", "help"), VERB_RAN + 1);
}

static void a_verb_has_a_manual_page_of_its_own(void **state)
{
    SCOPED(text_done) struct text page = {0};
    SCOPED(text_done) struct text whole = {0};

    (void)state;
    help_generate(&page, &verb_command, GENERATE_MAN);
    assert_non_null(strstr(text_string(&page), ".TH cargo-sample-run 1 "));
    assert_non_null(strstr(text_string(&page), ".B cargo sample run\n"));
    help_generate(&whole, &command, GENERATE_MAN);
    assert_non_null(strstr(text_string(&whole), ".BR cargo\\-sample\\-run (1)\nRuns what is named\n"));
    assert_null(strstr(text_string(&whole), "\\-\\-pid"));
}

static void completions_hold_the_verbs_and_their_options(void **state)
{
    (void)state;
    for (enum help_generated what = GENERATE_BASH; what <= GENERATE_FISH; what++) {
        SCOPED(text_done) struct text generated = {0};

        help_generate(&generated, &command, what);
        assert_non_null(strstr(text_string(&generated), "pid"));
        assert_non_null(strstr(text_string(&generated), "run"));
    }
}

/* Standard error goes to a file of its own until it is read. */
struct shown {
    struct memory_file file;
    int before;
};

static struct shown show_begin(void)
{
    struct shown shown = {memory_file_new(SLICE("")), dup(STDERR_FILENO)};

    assert_true(dup2(shown.file.descriptor, STDERR_FILENO) >= 0);
    return shown;
}

static void show_end(struct shown *shown, struct text *out)
{
    struct error err = {0};

    assert_true(dup2(shown->before, STDERR_FILENO) >= 0);
    close(shown->before);
    assert_int_equal(file_read(shown->file.path, SIZE_MAX, out, &err), 0);
    memory_file_done(&shown->file);
}

static void a_warning_is_told_to_its_end(void **state)
{
    struct options options = {.command = &command};
    SCOPED(text_done) struct text settings = {0};
    SCOPED(text_done) struct text read = {0};
    struct shown shown;

    (void)state;
    text_add_repeated(&settings, 'x', 5000);
    shown = show_begin();
    command_warn(&options, "settings differ: %s; that is all", text_string(&settings));
    show_end(&shown, &read);
    assert_true(slice_starts_with(text_slice(&read), SLICE("cargo-sample: warning: settings differ: xxx")));
    assert_true(slice_ends_with(text_slice(&read), SLICE("xxx; that is all\n")));
}

static void of_several_failures_each_is_told_with_what_to_do(void **state)
{
    static const struct error failures[] = {
        {.kind = ERROR_IO, .message = "a"},
        {.kind = ERROR_IO, .message = "b", .hint = "go"},
        {.kind = ERROR_IO, .message = "c", .hint = "go"},
        {.kind = ERROR_IO, .message = "d", .hint = "stay"},
    };
    struct options options = {.command = &command};
    SCOPED(text_done) struct text read = {0};
    struct error err = {0};
    struct shown shown = show_begin();

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(failures); i++)
        command_add_failure(&options, &err, &failures[i]);
    show_end(&shown, &read);
    assert_string_equal(text_string(&read), "cargo-sample: error: a\n"
                                            "cargo-sample: error: b\n"
                                            "cargo-sample: error: c\n"
                                            "cargo-sample: hint: go\n");
    assert_string_equal(err.message, "d");
    assert_string_equal(err.hint, "stay");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_word_that_cargo_puts_first_is_left_out),
        cmocka_unit_test(a_verb_is_the_first_word_alone),
        cmocka_unit_test(a_file_named_like_a_verb_is_told_by_its_folder),
        cmocka_unit_test(options_end_with_the_program),
        cmocka_unit_test(an_option_of_the_verb_is_none_of_the_command),
        cmocka_unit_test(help_lists_the_verbs_and_a_verb_says_how_it_is_called),
        cmocka_unit_test(help_is_asked_for_by_a_word_too),
        cmocka_unit_test(a_verb_has_a_manual_page_of_its_own),
        cmocka_unit_test(completions_hold_the_verbs_and_their_options),
        cmocka_unit_test(a_warning_is_told_to_its_end),
        cmocka_unit_test(of_several_failures_each_is_told_with_what_to_do),
    };

    return cmocka_run_group_tests_name("command", tests, NULL, NULL);
}
