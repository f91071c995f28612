#include "cmocka_all.h"

#include <string.h>

#include "cli/choices.h"
#include "cli/help.h"
#include "cli/real_options.h"

static const char *const format_names[] = {"table", "json", NULL};
static const char *const unit_names[] = {"bytes[,STEP]", "share", NULL};

static const char *const group_names[] = {"function", "crate", CHOICES_OTHERS_TOO, NULL};

static const struct option_spec specs[] = {
    {"top", 'n', OPTION_VALUE, "NUM", "Rows to show", NULL, NULL},
    {"format", 0, OPTION_VALUE, "KIND", "Shape of the result", format_names, NULL},
    {"unit", 'u', OPTION_VALUE, "UNIT", "What is counted", unit_names, NULL},
    {"message-format", 0, OPTION_VALUE, "KIND", NULL, NULL, "format"},
    {"wide", 'w', OPTION_FLAG, NULL, "Do not cut", NULL, NULL},
    {"verbose", 'v', OPTION_FLAG, NULL, "Say more", NULL, NULL},
    {"package", 'p', OPTION_MANY, "SPEC", "Package to build", NULL, NULL},
    {"bin", 0, OPTION_OPTIONAL, "NAME", "Binary to build", NULL, NULL},
    {"by", 0, OPTION_VALUE, "GROUPS", "Grouped by these", group_names, NULL},
};
static const struct option_table table = {"Options", specs, ARRAY_COUNT(specs)};
static const struct option_table *const tables[] = {&table, NULL};
static const char *const usages[] = {"[OPTIONS] [FILE]", NULL};
static const struct command_example examples[] = {{"cargo sample -n 3 --filter '^a'", "Show three rows"}};
static const struct command command = {
    .name = "sample",
    .summary = "A sample",
    .description = "First paragraph.\nSecond one.",
    .usages = usages,
    .positional = "FILE",
    .positional_help = "A file",
    .tables = tables,
    .examples = examples,
    .example_count = 1,
};

struct fixture {
    struct options options;
    struct error err;
};

static int set_up(void **state)
{
    static struct fixture fixture;

    fixture = (struct fixture){0};
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    options_done(&f->options);
    return 0;
}

#define PARSE(...) options_parse(&command, (const char *const[]){__VA_ARGS__, NULL}, &f->options, &f->err)

static void a_value_is_taken_in_every_form_cargo_takes(void **state)
{
    struct fixture *f = *state;
    const char *const forms[][3] = {
        {"--top", "5", NULL}, {"--top=5", NULL}, {"-n", "5", NULL}, {"-n5", NULL}, {"-n=5", NULL}};

    for (size_t i = 0; i < ARRAY_COUNT(forms); i++) {
        uint64_t top = 0;

        assert_int_equal(options_parse(&command, forms[i], &f->options, &f->err), 0);
        assert_int_equal(options_number(&f->options, "top", 20, &top, &f->err), 0);
        assert_int_equal(top, 5);
        options_done(&f->options);
    }
}

static void letters_stand_together_and_flags_are_counted(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(PARSE("-vwv", "-vn3"), 0);
    assert_int_equal(options_count(&f->options, "verbose"), 3);
    assert_true(options_has(&f->options, "wide"));
    assert_string_equal(options_value(&f->options, "top"), "3");
}

static void an_optional_value_may_be_missing(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(PARSE("--bin", "--wide", "--bin", "app", "--bin=other"), 0);
    assert_int_equal(f->options.uses.count, 4);
    assert_null(f->options.uses.items[0].value);
    assert_string_equal(f->options.uses.items[2].value, "app");
    assert_string_equal(f->options.uses.items[3].value, "other");
}

static void what_follows_two_dashes_is_not_read(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(PARSE("file", "--", "--nonsense", "-n"), 0);
    assert_int_equal(f->options.positionals.count, 1);
    assert_string_equal(f->options.program_arguments[0], "--nonsense");
    assert_string_equal(f->options.program_arguments[1], "-n");
    assert_null(f->options.program_arguments[2]);
}

static void of_a_command_that_runs_nothing_it_is_words(void **state)
{
    static const struct command reader = {
        .name = "reader", .positional = "FILE", .runs_nothing = true, .tables = tables};
    struct fixture *f = *state;
    const char *const words[] = {"one", "--", "-n", "--", NULL};

    assert_int_equal(options_parse(&reader, words, &f->options, &f->err), 0);
    assert_null(f->options.program_arguments);
    assert_int_equal(f->options.positionals.count, 3);
    assert_string_equal(f->options.positionals.items[1], "-n");
    assert_string_equal(f->options.positionals.items[2], "--");
}

static void no_two_dashes_are_told_from_nothing_after_them(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(PARSE("--wide"), 0);
    assert_null(f->options.program_arguments);
    options_done(&f->options);
    assert_int_equal(PARSE("--"), 0);
    assert_non_null(f->options.program_arguments);
}

static void a_spelling_from_habit_counts_as_the_option_it_means(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(PARSE("--message-format", "json"), 0);
    assert_int_equal(options_choice(&f->options, "format", 0), 1);
    assert_false(options_has(&f->options, "message-format"));
}

static void an_unknown_option_is_refused_with_the_nearest_one(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(PARSE("--tpo", "3"), -1);
    assert_int_equal(f->err.kind, ERROR_USAGE);
    assert_int_equal(f->err.exit_code, EXIT_CODE_USAGE);
    assert_string_equal(f->err.message, "unknown option --tpo");
    assert_string_equal(f->err.hint, "did you mean --top?");
}

static void an_abbreviation_is_an_unknown_option(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(PARSE("--verb"), -1);
    assert_string_equal(f->err.message, "unknown option --verb");
}

static void an_unknown_letter_is_refused(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(PARSE("-wx"), -1);
    assert_string_equal(f->err.message, "unknown option -x");
}

static void a_missing_value_is_refused(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(PARSE("--top"), -1);
    assert_string_equal(f->err.message, "--top needs a value: --top NUM");
}

static void a_value_that_looks_like_an_option_needs_an_equals_sign(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(PARSE("-p", "-w"), -1);
    assert_string_equal(f->err.hint, "a value that begins with \"-\" is written --package=-w");
    options_done(&f->options);
    assert_int_equal(PARSE("--package=-w"), 0);
    assert_string_equal(options_value(&f->options, "package"), "-w");
}

static void a_lone_dash_is_a_value_and_a_file(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(PARSE("-p", "-", "-"), 0);
    assert_string_equal(options_value(&f->options, "package"), "-");
    assert_string_equal(f->options.positionals.items[0], "-");
}

static void a_flag_takes_no_value(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(PARSE("--wide=yes"), -1);
    assert_string_equal(f->err.message, "--wide takes no value");
}

static void an_option_with_one_value_is_not_given_twice(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(PARSE("-n1", "--top=2"), -1);
    assert_string_equal(f->err.message, "--top is given twice");
}

static void a_value_that_is_no_choice_is_refused_with_the_choices(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(PARSE("--format", "yaml"), -1);
    assert_string_equal(f->err.message, "--format cannot be \"yaml\"");
    assert_string_equal(f->err.hint, "possible values: table, json");
}

static void of_choices_that_are_proposals_any_other_value_is_as_good(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(PARSE("--by", "crate,line"), 0);
    assert_string_equal(options_value(&f->options, "by"), "crate,line");
}

static void a_choice_that_may_be_followed_by_more_is_one_with_it_and_without(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(PARSE("--unit", "bytes,8"), 0);
    assert_int_equal(options_choice(&f->options, "unit", 1), 0);
    assert_string_equal(options_choice_details(&f->options, "unit"), "8");
    options_done(&f->options);
    assert_int_equal(PARSE("-ubytes"), 0);
    assert_int_equal(options_choice(&f->options, "unit", 1), 0);
    assert_null(options_choice_details(&f->options, "unit"));
    options_done(&f->options);
    assert_int_equal(PARSE("--unit=share"), 0);
    assert_int_equal(options_choice(&f->options, "unit", 0), 1);
    options_done(&f->options);
    assert_int_equal(PARSE("file"), 0);
    assert_null(options_choice_details(&f->options, "unit"));
}

static void a_choice_is_followed_by_nothing_else(void **state)
{
    struct fixture *f = *state;
    const char *const bad[] = {"--unit=share,8", "--unit=bytes8", "--unit=byte", "--unit=,8",
                               "--unit=bytes[,STEP]"};

    for (size_t i = 0; i < ARRAY_COUNT(bad); i++) {
        assert_int_equal(PARSE(bad[i]), -1);
        assert_string_equal(f->err.hint, "possible values: bytes[,STEP], share");
        options_done(&f->options);
    }
}

static void a_number_is_a_whole_number(void **state)
{
    struct fixture *f = *state;
    const char *const bad[] = {"--top=x", "--top=3x", "--top=", "--top=-1", "--top=99999999999999999999"};

    for (size_t i = 0; i < ARRAY_COUNT(bad); i++) {
        uint64_t top = 42;

        assert_int_equal(PARSE(bad[i]), 0);
        assert_int_equal(options_number(&f->options, "top", 20, &top, &f->err), -1);
        assert_int_equal(top, 42);
        options_done(&f->options);
    }
}

static void a_number_with_a_fraction_and_a_percentage_have_their_ends(void **state)
{
    struct fixture *f = *state;
    const char *const bad[] = {"--top=",      "--top=x",   "--top=-1", "--top=1e1",
                               "--top=100.1", "--top=5%%", "--top=%"};
    double number = 42;

    for (size_t i = 0; i < ARRAY_COUNT(bad); i++) {
        assert_int_equal(PARSE(bad[i]), 0);
        assert_int_equal(options_real(&f->options, "top", 100, &number, &f->err), -1);
        assert_int_equal(options_percent(&f->options, "top", &number, &f->err), -1);
        assert_int_equal(f->err.kind, ERROR_USAGE);
        options_done(&f->options);
    }
    assert_string_equal(f->err.message, "--top %: a percentage from 0 to 100, as in 5%");
    assert_true(number == 42);
    assert_int_equal(PARSE("--top=100"), 0);
    assert_int_equal(options_percent(&f->options, "top", &number, &f->err), 0);
    assert_true(number == 1);
    assert_int_equal(options_real(&f->options, "top", 100, &number, &f->err), 0);
    assert_true(number == 100);
    options_done(&f->options);
    assert_int_equal(PARSE("--top=0.5%"), 0);
    assert_int_equal(options_percent(&f->options, "top", &number, &f->err), 0);
    assert_true(number == 0.005);
    assert_int_equal(options_real(&f->options, "top", 100, &number, &f->err), -1);
    assert_string_equal(f->err.message, "--top 0.5%: a number from 0 to 100");
}

static void what_was_not_given_has_the_usual_value(void **state)
{
    struct fixture *f = *state;
    uint64_t top = 0;
    double usual = 0.25;

    assert_int_equal(PARSE("file"), 0);
    assert_int_equal(options_number(&f->options, "top", 20, &top, &f->err), 0);
    assert_int_equal(top, 20);
    assert_int_equal(options_real(&f->options, "top", 20, &usual, &f->err), 0);
    assert_int_equal(options_percent(&f->options, "top", &usual, &f->err), 0);
    assert_true(usual == 0.25);
    assert_int_equal(options_choice(&f->options, "format", 0), 0);
    assert_null(options_value(&f->options, "package"));
}

static bool is_verbose(const char *name)
{
    return strcmp(name, "verbose") == 0;
}

static void options_can_be_typed_again_as_they_were_meant(void **state)
{
    struct fixture *f = *state;
    SCOPED(text_done) struct text text = {0};

    assert_int_equal(PARSE("-vwn3", "--message-format", "json", "--bin", "-p=a b", "-p=-c", "FILE"), 0);
    options_add_typed(&text, &f->options, is_verbose);
    assert_string_equal(text_string(&text),
                        " --wide --top 3 --format json --bin --package 'a b' --package=-c");
    text_clear(&text);
    options_add_typed(&text, &f->options, NULL);
    assert_true(slice_starts_with(text_slice(&text), SLICE(" --verbose --wide ")));
}

static void a_word_is_refused_where_none_is_taken(void **state)
{
    struct fixture *f = *state;
    struct command strict = command;
    const char *const words[] = {"word", NULL};

    strict.positional = NULL;
    assert_int_equal(options_parse(&strict, words, &f->options, &f->err), -1);
    assert_string_equal(f->err.message, "unexpected argument \"word\"");
}

static void help_shows_what_is_meant_to_be_shown(void **state)
{
    SCOPED(text_done) struct text help = {0};

    (void)state;
    help_add(&help, &command, 80);
    assert_non_null(strstr(text_string(&help), "  cargo sample [OPTIONS] [FILE]\n"));
    assert_non_null(strstr(text_string(&help), "  -n, --top <NUM>"));
    assert_non_null(
        strstr(text_string(&help), "      --format <KIND>         Shape of the result [table, json]\n"));
    assert_non_null(strstr(text_string(&help), "\nSecond one.\n"));
    assert_null(strstr(text_string(&help), "message-format"));
}

static void every_generated_text_names_every_shown_option(void **state)
{
    (void)state;
    for (enum help_generated what = GENERATE_MAN; what <= GENERATE_FISH; what++) {
        SCOPED(text_done) struct text generated = {0};

        help_generate(&generated, &command, what);
        for (size_t i = 0; i < ARRAY_COUNT(specs); i++) {
            bool shown = strstr(text_string(&generated), specs[i].name) != NULL;

            assert_int_equal(shown, specs[i].help != NULL);
        }
    }
}

static void the_manual_page_has_what_help_has_ready_to_be_pasted(void **state)
{
    SCOPED(text_done) struct text page = {0};

    (void)state;
    help_generate(&page, &command, GENERATE_MAN);
    assert_non_null(strstr(text_string(&page), "\nShape of the result [table, json]\n"));
    assert_non_null(strstr(text_string(&page), ".SH ARGUMENTS\n.TP\n.B FILE\nA file\n"));
    assert_non_null(strstr(text_string(&page), ".B cargo sample \\-n 3 \\-\\-filter \\(aq\\(haa\\(aq\n"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_value_is_taken_in_every_form_cargo_takes),
        TEST(letters_stand_together_and_flags_are_counted),
        TEST(an_optional_value_may_be_missing),
        TEST(what_follows_two_dashes_is_not_read),
        TEST(of_a_command_that_runs_nothing_it_is_words),
        TEST(no_two_dashes_are_told_from_nothing_after_them),
        TEST(a_spelling_from_habit_counts_as_the_option_it_means),
        TEST(an_unknown_option_is_refused_with_the_nearest_one),
        TEST(an_abbreviation_is_an_unknown_option),
        TEST(an_unknown_letter_is_refused),
        TEST(a_missing_value_is_refused),
        TEST(a_value_that_looks_like_an_option_needs_an_equals_sign),
        TEST(a_lone_dash_is_a_value_and_a_file),
        TEST(a_flag_takes_no_value),
        TEST(an_option_with_one_value_is_not_given_twice),
        TEST(a_value_that_is_no_choice_is_refused_with_the_choices),
        TEST(of_choices_that_are_proposals_any_other_value_is_as_good),
        TEST(a_choice_that_may_be_followed_by_more_is_one_with_it_and_without),
        TEST(a_choice_is_followed_by_nothing_else),
        TEST(a_number_is_a_whole_number),
        TEST(a_number_with_a_fraction_and_a_percentage_have_their_ends),
        TEST(what_was_not_given_has_the_usual_value),
        TEST(options_can_be_typed_again_as_they_were_meant),
        TEST(a_word_is_refused_where_none_is_taken),
        TEST(help_shows_what_is_meant_to_be_shown),
        TEST(every_generated_text_names_every_shown_option),
        TEST(the_manual_page_has_what_help_has_ready_to_be_pasted),
    };

    return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
