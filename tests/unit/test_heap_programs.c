/* Which programs of a recording told nothing of their memory. */
#include "cmocka_all.h"

#include "collect/heap/programs.h"

static struct heap_silent silent_of(struct heap_programs *programs, uint32_t opened_count)
{
    struct heap_silent silent = heap_programs_silent(programs, opened_count);

    heap_programs_done(programs);
    return silent;
}

static void begin_with_library(struct heap_programs *programs, uint32_t pid, struct slice name)
{
    heap_programs_begin(programs, pid, name);
    heap_programs_note_library(programs, pid);
}

static void those_without_the_library_are_named(void **state)
{
    struct heap_programs programs = {0};
    struct heap_silent silent;

    (void)state;
    begin_with_library(&programs, 1, SLICE("sh"));
    heap_programs_begin(&programs, 2, SLICE("cleared"));
    heap_programs_begin(&programs, 3, SLICE("cleared"));
    begin_with_library(&programs, 4, SLICE("told"));
    heap_programs_note_library(&programs, 5); /* a child of one of them */
    silent = silent_of(&programs, 2);
    assert_int_equal(silent.count, 2);
    assert_int_equal(silent.of_count, 4);
    assert_string_equal(silent.names[0], "cleared");
    assert_string_equal(silent.names[1], "");
    assert_false(silent.has_more_names);
}

static void what_a_process_becomes_counts_anew(void **state)
{
    struct heap_programs programs = {0};
    struct heap_silent silent;

    (void)state;
    begin_with_library(&programs, 1, SLICE("env"));
    heap_programs_begin(&programs, 1, SLICE("cleared"));
    heap_programs_begin(&programs, 1, SLICE("cleared")); /* told twice */
    silent = silent_of(&programs, 1);
    assert_int_equal(silent.count, 1);
    assert_int_equal(silent.of_count, 2);
}

static void of_those_that_have_it_in_vain_who_told_nothing_is_one(void **state)
{
    struct heap_programs programs = {0};
    struct heap_silent silent;

    (void)state;
    begin_with_library(&programs, 1, SLICE("setpriv"));
    heap_programs_note_told(&programs, 1);
    begin_with_library(&programs, 1, SLICE("other user"));
    silent = silent_of(&programs, 1);
    assert_int_equal(silent.count, 1);
    assert_string_equal(silent.names[0], "other user");
}

static void more_names_than_have_room_are_said_to_be_there(void **state)
{
    struct heap_programs programs = {0};
    struct heap_silent silent;

    (void)state;
    heap_programs_begin(&programs, 1, SLICE("a name that is too long for it"));
    heap_programs_begin(&programs, 2, SLICE("b"));
    heap_programs_begin(&programs, 3, SLICE("c"));
    heap_programs_begin(&programs, 4, SLICE("d"));
    silent = silent_of(&programs, 0);
    assert_string_equal(silent.names[0], "a name that is ");
    assert_string_equal(silent.names[2], "c");
    assert_true(silent.has_more_names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(those_without_the_library_are_named),
        cmocka_unit_test(what_a_process_becomes_counts_anew),
        cmocka_unit_test(of_those_that_have_it_in_vain_who_told_nothing_is_one),
        cmocka_unit_test(more_names_than_have_room_are_said_to_be_there),
    };

    return cmocka_run_group_tests_name("heap programs", tests, NULL, NULL);
}
