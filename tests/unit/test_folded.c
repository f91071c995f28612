#include "cmocka_all.h"

#include <stdlib.h>

#include "emit/folded.h"
#include "import/folded.h"
#include "profile/totals.h"

struct fixture {
    struct folded_import import;
    struct profile profile;
    struct error err;
};

static int set_up(void **state)
{
    static struct fixture fixture;

    fixture = (struct fixture){0};
    profile_init(&fixture.profile);
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    folded_import_done(&f->import);
    profile_done(&f->profile);
    return 0;
}

static int read_text(struct fixture *f, const char *text)
{
    folded_import_add(&f->import, slice_of(text));
    return folded_import_end_file(&f->import, &f->err) < 0
               ? -1
               : folded_import_finish(&f->import, &f->profile, &f->err);
}

/* What was read, written out again. */
static void assert_reads_as(struct fixture *f, const char *text, const char *expected)
{
    SCOPED(text_done) struct text written = {0};
    SCOPED(call_tree_done) struct call_tree tree = {0};

    assert_int_equal(read_text(f, text), 0);
    call_tree_make(&f->profile, 0, WEIGHT_VALUE, CALLS_BY_NAME, &tree);
    folded_add(&written, &f->profile, &tree);
    assert_string_equal(text_string(&written), expected);
}

static const struct profile_function *function(const struct fixture *f, const char *name)
{
    for (size_t i = 0; i < f->profile.functions.count; i++)
        if (slice_is(profile_text(&f->profile, f->profile.functions.items[i].name), name))
            return &f->profile.functions.items[i];
    fail_msg("no function %s", name);
    return NULL;
}

static void assert_whose(const struct fixture *f, const char *name, enum category category, const char *crate)
{
    assert_int_equal(function(f, name)->category, category);
    assert_true(slice_is(profile_text(&f->profile, function(f, name)->crate), crate));
}

static void the_same_path_on_several_lines_counts_together(void **state)
{
    assert_reads_as(*state, "app;main;a 1\napp;main;b 2\napp;main;a 40\n", "app;main;a 41\napp;main;b 2\n");
}

static void a_file_may_be_cut_anywhere(void **state)
{
    static const char text[] = "app;main;a 12\r\n\n  app;main;b\t7\napp 5";

    for (size_t step = 1; step < sizeof(text); step++) {
        struct fixture *f = NULL;
        struct slice rest = {text, sizeof(text) - 1};

        tear_down(state);
        set_up(state);
        f = *state;
        for (; rest.length > 0; rest = slice_range(rest, step, rest.length))
            folded_import_add(&f->import, slice_range(rest, 0, step));
        assert_reads_as(f, "", "app;[no stack] 5\napp;main;a 12\napp;main;b 7\n");
        assert_int_equal(f->import.line_count, 3);
    }
}

static void several_files_are_one_profile_and_need_no_line_end(void **state)
{
    struct fixture *f = *state;

    folded_import_add(&f->import, SLICE("app;a 1"));
    assert_int_equal(folded_import_end_file(&f->import, &f->err), 0);
    assert_reads_as(f, "app;a 2", "app;a 3\n");
}

static void lines_of_another_form_are_counted_and_left_out(void **state)
{
    struct fixture *f = *state;

    assert_reads_as(
        f,
        "# a comment\napp;a 1\n\n 12\nmain\napp;a x1\napp;a -1\napp;a 1.5.2\n99999999999999999999999 a\n"
        "app;a 1\napp;a 1\napp;a 1\napp;a 1\napp;a 1\napp;a 1\n",
        "app;a 7\n");
    assert_int_equal(f->import.line_count, 14);
    assert_int_equal(f->import.bad_count, 7);
    assert_int_equal(f->import.first_bad_number, 1);
}

static void fractions_are_left_out_and_counted(void **state)
{
    struct fixture *f = *state;

    assert_reads_as(f, "app;a 1.5\napp;a 2.\n", "app;a 3\n");
    assert_int_equal(f->import.fraction_count, 2);
}

static void nothing_is_refused(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(read_text(f, "\n\n"), -1);
    assert_int_equal(f->err.kind, ERROR_FORMAT);
    assert_string_equal(f->err.message, "no stacks: there is nothing in it");
    assert_int_equal(f->profile.series.count, 0);
}

static void a_text_some_of_whose_lines_end_in_a_number_is_refused(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(read_text(f, "[[package]]\nname = \"app\"\n\nversion = 4"), -1);
    assert_int_equal(f->err.kind, ERROR_FORMAT);
    assert_string_equal(f->err.message, "no folded stacks: 2 of 3 lines have another form");
    assert_int_equal(f->profile.series.count, 0);
}

static void each_file_is_to_hold_folded_stacks(void **state)
{
    struct fixture *f = *state;

    folded_import_add(&f->import, SLICE("app;a 1\napp;b 2\napp;c 3\n#\n"));
    assert_int_equal(folded_import_end_file(&f->import, &f->err), 0);
    folded_import_add(&f->import, SLICE("hello\nworld\n"));
    assert_int_equal(folded_import_end_file(&f->import, &f->err), -1);
    assert_string_equal(f->err.message, "no folded stacks: 2 of 2 lines have another form");
}

static void a_line_that_is_too_long_is_left_out_and_the_next_one_read(void **state)
{
    struct fixture *f = *state;
    SCOPED(text_done) struct text line = {0};

    text_add_repeated(&line, 'x', FOLDED_LINE_MOST_BYTES / 2 + 1);
    folded_import_add(&f->import, text_slice(&line));
    folded_import_add(&f->import, text_slice(&line));
    folded_import_add(&f->import, SLICE(" 5\napp;a 1"));
    assert_reads_as(f, "", "app;a 1\n");
    assert_int_equal(f->import.bad_count, 0);
    assert_int_equal(f->import.long_count, 1);
    assert_int_equal(f->import.first_long_number, 1);
    assert_int_equal(f->import.rest.length, 0);
}

static void a_file_of_lines_that_are_too_long_is_refused_for_that(void **state)
{
    struct fixture *f = *state;
    SCOPED(text_done) struct text line = {0};

    text_add_repeated(&line, 'x', FOLDED_LINE_MOST_BYTES + 1);
    folded_import_add(&f->import, SLICE("\n"));
    folded_import_add(&f->import, text_slice(&line));
    assert_int_equal(folded_import_end_file(&f->import, &f->err), -1);
    assert_int_equal(f->err.kind, ERROR_FORMAT);
    assert_string_equal(f->err.message, "no folded stacks: line 2 is longer than 16 MiB");
    assert_string_equal(f->err.hint, "");
}

static void lines_are_numbered_from_the_start_of_their_file(void **state)
{
    struct fixture *f = *state;

    folded_import_add(&f->import, SLICE("app;a 1\napp;a 1\n#\n"));
    assert_int_equal(folded_import_end_file(&f->import, &f->err), 0);
    assert_int_equal(f->import.first_bad_number, 3);
    folded_import_add(&f->import, SLICE("app;a 1\n#\n#\napp;a 1"));
    assert_int_equal(folded_import_end_file(&f->import, &f->err), 0);
    assert_int_equal(f->import.first_bad_number, 2);
    assert_int_equal(f->import.bad_count, 3);
    folded_import_add(&f->import, SLICE("app;a 1\n"));
    assert_int_equal(folded_import_end_file(&f->import, &f->err), 0);
    assert_int_equal(f->import.first_bad_number, 0);
}

static void lines_whose_counts_go_beyond_the_largest_sum_are_counted_and_left_out(void **state)
{
    struct fixture *f = *state;

    assert_reads_as(f, "app;a 9223372036854775805\napp;b 3\napp;b 2\napp;a 1\n",
                    "app;a 9223372036854775805\napp;b 2\n");
    assert_int_equal(f->import.beyond_count, 2);
    assert_int_equal(f->import.bad_count, 0);
}

static void a_count_that_is_too_large_alone_is_of_another_form(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(read_text(f, "app;a 9223372036854775808\n"), -1);
    assert_string_equal(f->err.message, "no folded stacks: 1 of 1 lines have another form");
}

static void of_two_counts_on_each_line_the_second_is_taken(void **state)
{
    assert_reads_as(*state, "app;a 3 5\napp;b 0 7\n", "app;a 5\napp;b 7\n");
}

static void files_with_one_count_and_with_two_are_taken_together(void **state)
{
    struct fixture *f = *state;

    folded_import_add(&f->import, SLICE("app;a 1\napp;b 2"));
    assert_int_equal(folded_import_end_file(&f->import, &f->err), 0);
    folded_import_add(&f->import, SLICE("app;a 3 5\napp;c 4 7"));
    assert_int_equal(folded_import_end_file(&f->import, &f->err), 0);
    assert_reads_as(f, "app;a 10\n", "app;a 16\napp;b 2\napp;c 7\n");
}

static void a_number_in_one_name_is_no_count(void **state)
{
    assert_reads_as(*state, "app;worker 3 5\napp;b 7\n", "app;b 7\napp;worker_3 5\n");
}

static void a_name_of_spaces_alone_is_none(void **state)
{
    assert_reads_as(*state, "app::main; ;read 7\n", "app::main;[unknown];read 7\n");
}

static void a_path_of_spaces_alone_is_read_again_as_it_is_written(void **state)
{
    struct fixture *f = *state;

    assert_reads_as(f, "; ; 77", "[unknown] 77\n");
    tear_down(state);
    set_up(state);
    assert_reads_as(f, "[unknown] 77\n", "[unknown] 77\n");
}

static void a_path_of_a_thread_alone_has_no_stack(void **state)
{
    struct fixture *f = *state;

    assert_reads_as(f, "app 2\napp;[no stack] 5\nt;a 1\n", "app;[no stack] 7\nt;a 1\n");
    assert_int_equal(f->profile.functions.count, 1);
}

static void first_names_are_threads_unless_they_are_functions(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(read_text(f, "app;main;a 1\nworker;b 1\n"), 0);
    assert_int_equal(f->profile.threads.count, 2);
    tear_down(state);
    set_up(state);
    assert_int_equal(read_text(f, "main;a 1\n"), 0);
    assert_int_equal(f->profile.threads.items[0].name, PROFILE_NO_STRING);
    tear_down(state);
    set_up(state);
    assert_int_equal(read_text(f, "app;a 1\ncore::fmt::write 2\n"), 0);
    assert_int_equal(f->profile.threads.count, 1);
    function(f, "app");
}

static void so_are_those_before_what_threads_begin_with(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(
        read_text(f, "tests::alpha;clone3;start_thread;a 1\nkid (x);_start;main 2\napp;[no stack] 3\n"), 0);
    assert_int_equal(f->profile.threads.count, 3);
    tear_down(state);
    set_up(state);
    /* From the innermost call on. */
    assert_int_equal(read_text(f, "app::main;_start 1\napp::a;app::main;_start 2\nb;app::main;_start 2\n"),
                     0);
    assert_int_equal(f->profile.threads.count, 1);
    tear_down(state);
    set_up(state);
    assert_int_equal(read_text(f, "_start;clone;a::b 1\n"), 0);
    assert_int_equal(f->profile.threads.count, 1);
    function(f, "_start");
}

static void array_types_have_their_own_sign_again(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(
        read_text(f,
                  "app;<[[u8: 4]: 3_usize] as app::X<[T: N]>>::f 1\napp;a::b [c: d, e:f] 1\napp;[a: b] 1\n"),
        0);
    assert_non_null(function(f, "<[[u8; 4]; 3_usize] as app::X<[T; N]>>::f"));
    assert_non_null(function(f, "a::b [c: d, e:f]"));
    assert_non_null(function(f, "[a: b]"));
}

static void names_tell_whose_code_it_is(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(
        read_text(f,
                  "t;app::main;<&mut alloc::vec::Vec<T> as app::X>::f;regex::find;memcpy;do_sys_read_[k] 1\n"
                  "t;app::main;_ZN4core3fmt5write17h0123456789abcdefE;[libc.so];<Foo<u8::X>>::g;libgcc_s.so."
                  "1+0x1f0 1\n"),
        0);
    assert_whose(f, "app::main", CATEGORY_OWN, "app");
    assert_whose(f, "<&mut alloc::vec::Vec<T> as app::X>::f", CATEGORY_STD, "alloc");
    assert_whose(f, "regex::find", CATEGORY_DEPENDENCY, "regex");
    assert_whose(f, "memcpy", CATEGORY_OTHER, "");
    assert_whose(f, "do_sys_read", CATEGORY_KERNEL, "[kernel]");
    assert_whose(f, "core::fmt::write", CATEGORY_STD, "core");
    assert_whose(f, "[libc.so]", CATEGORY_UNKNOWN, "");
    assert_whose(f, "<Foo<u8::X>>::g", CATEGORY_UNKNOWN, "");
    assert_int_equal(function(f, "memcpy")->why_unnamed, PROFILE_NO_STRING);
    assert_int_not_equal(function(f, "libgcc_s.so.1+0x1f0")->why_unnamed, PROFILE_NO_STRING);
}

static void inlined_calls_are_told_by_their_mark(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(read_text(f, "t;a;b_[i] 1\n"), 0);
    for (size_t i = 0; i < f->profile.frames.count; i++)
        assert_int_equal(f->profile.frames.items[i].is_inlined,
                         &f->profile.functions.items[f->profile.frames.items[i].function] ==
                             function(f, "b"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_same_path_on_several_lines_counts_together),
        TEST(a_file_may_be_cut_anywhere),
        TEST(several_files_are_one_profile_and_need_no_line_end),
        TEST(lines_of_another_form_are_counted_and_left_out),
        TEST(fractions_are_left_out_and_counted),
        TEST(nothing_is_refused),
        TEST(a_text_some_of_whose_lines_end_in_a_number_is_refused),
        TEST(each_file_is_to_hold_folded_stacks),
        TEST(a_line_that_is_too_long_is_left_out_and_the_next_one_read),
        TEST(a_file_of_lines_that_are_too_long_is_refused_for_that),
        TEST(lines_are_numbered_from_the_start_of_their_file),
        TEST(a_count_that_is_too_large_alone_is_of_another_form),
        TEST(lines_whose_counts_go_beyond_the_largest_sum_are_counted_and_left_out),
        TEST(of_two_counts_on_each_line_the_second_is_taken),
        TEST(files_with_one_count_and_with_two_are_taken_together),
        TEST(a_number_in_one_name_is_no_count),
        TEST(a_name_of_spaces_alone_is_none),
        TEST(a_path_of_spaces_alone_is_read_again_as_it_is_written),
        TEST(a_path_of_a_thread_alone_has_no_stack),
        TEST(first_names_are_threads_unless_they_are_functions),
        TEST(so_are_those_before_what_threads_begin_with),
        TEST(array_types_have_their_own_sign_again),
        TEST(names_tell_whose_code_it_is),
        TEST(inlined_calls_are_told_by_their_mark),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
