#include "change_fixture.h"

#include "profile_builder.h"

/* The program's own C code, a crate of the same name as one of the two, and code without a name. */
static void fill(struct profile *profile, const char *program, uint64_t weight)
{
    SCOPED(text_done) struct text path = {0};

    profile->modules.items[0].kind = MODULE_EXECUTABLE;
    text_format(&path, "/bin/%s", program);
    profile->modules.items[0].path = profile_string(profile, text_slice(&path));
    profile->threads.items[0].name = profile_string(profile, slice_of(program));
    text_clear(&path);
    text_format(&path, "c %s main > own app_old work", program);
    profile_builder_add(profile, 0, text_slice(&path), weight);
    text_clear(&path);
    text_format(&path, "c %s main > [%s+0x40]", program, program);
    profile_builder_add(profile, 0, text_slice(&path), weight);
    for (size_t i = 0; i < profile->functions.count; i++) {
        struct profile_function *function = &profile->functions.items[i];

        if (function->why_unnamed == PROFILE_NO_STRING)
            continue;
        text_clear(&path);
        text_format(&path, "%s+0x%zx", program, i * weight);
        function->name = profile_string(profile, text_slice(&path));
        function->crate = profile_string(profile, slice_of(program));
    }
}

static void assert_threads(const struct change_fixture *f, const char *before, const char *after)
{
    const struct profile *joined = &f->changes.joined;

    assert_int_equal(joined->threads.count, 2);
    assert_true(slice_is(profile_text(joined, joined->threads.items[0].name), before));
    assert_true(slice_is(profile_text(joined, joined->threads.items[1].name), after));
}

static void a_program_under_two_names_is_one(void **state)
{
    static const enum joined_by ways[] = {JOINED_BY_FUNCTION, JOINED_BY_CRATE};
    struct change_fixture *f = *state;

    fill(&f->before, "app_old", 100);
    fill(&f->after, "a-program-of-a-newer-name", 100);
    f->after.threads.items[0].name = profile_string(&f->after, SLICE("a-program-of-a-"));
    for (size_t i = 0; i < ARRAY_COUNT(ways); i++) {
        change_fixture_compare(f, MEASURE_CPU, ways[i]);
        assert_changes(f, "");
        assert_threads(f, "a-program-of-a-", "a-program-of-a-");
    }
}

/* Nobody knows that a file was a program that could not be read, but that its process is called so. */
static void fill_unread(struct profile *profile, const char *program, const char *process)
{
    fill(profile, program, 100);
    profile->modules.items[0].kind = MODULE_LIBRARY;
    profile->threads.items[0].process_name = profile_string(profile, slice_of(process));
    for (size_t i = 0; i < profile->functions.count; i++) {
        SCOPED(text_done) struct text name = {0};

        if (profile->functions.items[i].why_unnamed == PROFILE_NO_STRING)
            continue;
        text_format(&name, "[%s]", program);
        profile->functions.items[i].name = profile_string(profile, text_slice(&name));
    }
}

static void code_of_programs_that_could_not_be_read_is_one(void **state)
{
    struct change_fixture *f = *state;

    fill_unread(&f->before, "app_old", "app_old");
    fill_unread(&f->after, "a-program-of-a-newer-name", "a-program-of-a-");
    change_fixture_compare(f, MEASURE_CPU, JOINED_BY_FUNCTION);
    assert_changes(f, "");
    f->after.threads.items[0].process_name = profile_string(&f->after, SLICE("other"));
    change_fixture_compare(f, MEASURE_CPU, JOINED_BY_FUNCTION);
    assert_non_null(change_fixture_find(f, "[app_old]"));
    assert_non_null(change_fixture_find(f, "[a-program-of-a-newer-name]"));
}

/* Names that only begin as the file is called are others. */
static void stubs_are_of_the_file_that_they_are_named_after(void **state)
{
    static const struct {
        const char *before, *after;
        bool is_one;
    } cases[] = {{"app_old [plt]", "app_new [plt]", true},
                 {"app_old [pltx", "app_new [pltx", false},
                 {"app_older", "app_newer", false},
                 {"[app_old]x", "[app_new]x", false},
                 {"[app_old", "[app_new", false}};
    struct change_fixture *f = *state;

    fill(&f->before, "app_old", 100);
    fill(&f->after, "app_new", 100);
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        for (size_t at = 0; at < f->before.functions.count; at++)
            if (f->before.functions.items[at].why_unnamed != PROFILE_NO_STRING) {
                f->before.functions.items[at].name = profile_string(&f->before, slice_of(cases[i].before));
                f->after.functions.items[at].name = profile_string(&f->after, slice_of(cases[i].after));
            }
        change_fixture_compare(f, MEASURE_CPU, JOINED_BY_FUNCTION);
        if ((change_fixture_find(f, cases[i].after) == NULL) != cases[i].is_one)
            fail_msg("%s", cases[i].before);
    }
}

static void what_has_one_name_on_both_sides_keeps_it(void **state)
{
    struct change_fixture *f = *state;

    fill(&f->before, "app_old", 100);
    profile_add_module(&f->before, MODULE_EXECUTABLE, SLICE("/bin/sh"), SLICE(""));
    fill(&f->after, "app_new", 100);
    profile_add_module(&f->after, MODULE_EXECUTABLE, SLICE("/usr/bin/app_old"), SLICE(""));
    change_fixture_compare(f, MEASURE_CPU, JOINED_BY_FUNCTION);
    assert_threads(f, "app_old", "app_new");
    assert_non_null(change_fixture_find(f, "main"));
}

static void threads_that_one_side_does_not_know_keep_no_calls_apart(void **state)
{
    struct change_fixture *f = *state;

    fill(&f->before, "app", 100);
    fill(&f->after, "app", 100);
    f->before.threads.items[0].name = PROFILE_NO_STRING;
    change_fixture_compare(f, MEASURE_CPU, JOINED_BY_FUNCTION);
    assert_threads(f, "", "");
}

/* A side that has only one of them does not tell which. */
static void versions_of_a_crate_are_one(void **state)
{
    static const enum joined_by ways[] = {JOINED_BY_FUNCTION, JOINED_BY_CRATE};
    struct change_fixture *f = *state;

    profile_builder_add(&f->before, 0, SLICE("own app main > dep dup@1.0.0 work"), 40);
    profile_builder_add(&f->before, 0, SLICE("own app main > dep dup@2.0.0 work"), 60);
    profile_builder_add(&f->after, 0, SLICE("own app main > dep dup work"), 100);
    for (size_t i = 0; i < ARRAY_COUNT(ways); i++) {
        change_fixture_compare(f, MEASURE_CPU, ways[i]);
        assert_changes(f, "");
    }
}

/* Folded stacks name no crate of what is not Rust, and nobody's code is not the program's. */
static void the_other_side_tells_whose_functions_of_folded_stacks_are(void **state)
{
    struct change_fixture *f = *state;

    f->before.modules.items[0].kind = MODULE_EXECUTABLE;
    f->after.modules.items[0].kind = MODULE_EXECUTABLE;
    f->after.modules.items[0].path = profile_string(&f->after, SLICE("/bin/app"));
    profile_builder_add(&f->before, 0, SLICE("own app main > c libc.so.6 malloc"), 60);
    profile_builder_add(&f->before, 0, SLICE("own app main > c libc.so.6 __read"), 40);
    profile_builder_add(&f->after, 0, SLICE("own app main > c libc.so.6 malloc"), 60);
    profile_builder_add(&f->after, 0, SLICE("own app main > c libc.so.6 read"), 40);
    for (size_t i = 0; i < f->before.functions.count; i++)
        if (f->before.functions.items[i].category == CATEGORY_OTHER)
            f->before.functions.items[i].crate = PROFILE_NO_STRING;
    f->before.series.items[0].unit = profile_string(&f->before, SLICE("samples"));
    change_fixture_compare(f, MEASURE_SHARE, JOINED_BY_CRATE);
    assert_null(change_fixture_find(f, "app"));
    assert_int_equal(change_fixture_find(f, "libc.so.6")->self.weights[JOINED_BEFORE], 60000000);
    assert_int_equal(change_fixture_find(f, "libc.so.6")->self.weights[JOINED_AFTER], 100);
    assert_int_equal(change_fixture_find(f, "[unknown]")->self.weights[JOINED_BEFORE], 40000000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_program_under_two_names_is_one, change_fixture_set_up,
                                        change_fixture_tear_down),
        cmocka_unit_test_setup_teardown(code_of_programs_that_could_not_be_read_is_one, change_fixture_set_up,
                                        change_fixture_tear_down),
        cmocka_unit_test_setup_teardown(stubs_are_of_the_file_that_they_are_named_after,
                                        change_fixture_set_up, change_fixture_tear_down),
        cmocka_unit_test_setup_teardown(what_has_one_name_on_both_sides_keeps_it, change_fixture_set_up,
                                        change_fixture_tear_down),
        cmocka_unit_test_setup_teardown(threads_that_one_side_does_not_know_keep_no_calls_apart,
                                        change_fixture_set_up, change_fixture_tear_down),
        cmocka_unit_test_setup_teardown(versions_of_a_crate_are_one, change_fixture_set_up,
                                        change_fixture_tear_down),
        cmocka_unit_test_setup_teardown(the_other_side_tells_whose_functions_of_folded_stacks_are,
                                        change_fixture_set_up, change_fixture_tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
