#include "cmocka_all.h"

#include "unwind/callers.h"

enum { FIRST = 1, COUNT = 4 };

/* The root last; what is kept and what it is compared with begin the same. */
struct fixture {
    struct unwind_frame frames[FIRST + COUNT];
    struct unwinder unwinder;
    struct callers kept;
};

static int set_up(void **state)
{
    static const struct unwind_frame frames[FIRST + COUNT] = {
        {.address = 0x100, .cfa = 0x7010}, {.address = 0x200, .cfa = 0x7020},
        {.address = 0x300, .cfa = 0x7030}, {.address = 0x400, .cfa = 0x7040},
        {.address = 0x500, .cfa = 0},
    };
    static struct fixture fixture;
    struct fixture *f = &fixture;

    *f = (struct fixture){.unwinder = {.frames = f->frames, .frame_count = FIRST + COUNT}};
    for (size_t i = 0; i < FIRST + COUNT; i++)
        f->frames[i] = frames[i];
    callers_keep(&f->kept, &f->unwinder, FIRST);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    callers_done(&f->kept);
    return 0;
}

static enum callers_difference compare(const struct fixture *f, bool is_complete)
{
    size_t outermost = 99;
    enum callers_difference difference =
        callers_compare(&f->kept, &f->unwinder, FIRST, is_complete, &outermost);

    assert_int_equal(outermost, difference == CALLERS_OTHER_CALLS ? 1 : 99);
    return difference;
}

static void frames_that_are_the_same_are(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(compare(f, true), CALLERS_SAME);
    assert_int_equal(compare(f, false), CALLERS_SAME);
    f->frames[0].address++; /* not compared */
    assert_int_equal(compare(f, true), CALLERS_SAME);
}

static void another_address_in_the_same_frame_is_another_call_and_the_outermost_is_told(void **state)
{
    struct fixture *f = *state;

    f->frames[FIRST].address++;
    f->frames[FIRST + 1].address++;
    assert_int_equal(compare(f, true), CALLERS_OTHER_CALLS);
    assert_int_equal(compare(f, false), CALLERS_OTHER_CALLS);
}

static void another_frame_or_number_of_frames_is_other_callers(void **state)
{
    struct fixture *f = *state;

    f->frames[FIRST + 1].cfa++;
    assert_int_equal(compare(f, true), CALLERS_OTHER);
    f->frames[FIRST + 1] = f->frames[FIRST + 2];
    f->frames[FIRST + 2] = f->frames[FIRST + 3];
    f->unwinder.frame_count--;
    assert_int_equal(compare(f, true), CALLERS_OTHER);
}

static void another_root_is_told(void **state)
{
    struct fixture *f = *state;

    f->frames[FIRST + 2].cfa++;
    assert_int_equal(compare(f, true), CALLERS_OTHER_ROOT);
    f->frames[FIRST + 2].cfa--;
    f->frames[FIRST + 3].address++;
    assert_int_equal(compare(f, true), CALLERS_OTHER_ROOT);
    f->unwinder.frame_count = FIRST;
    assert_int_equal(compare(f, true), CALLERS_OTHER_ROOT);
}

static void frames_that_are_not_complete_tell_nothing_further_out(void **state)
{
    struct fixture *f = *state;

    f->unwinder.frame_count = FIRST + 2;
    f->frames[FIRST + 1].cfa = 0;
    assert_int_equal(compare(f, false), CALLERS_SAME);
    f->frames[FIRST + 1].address++;
    assert_int_equal(compare(f, false), CALLERS_OTHER_CALLS);
    f->unwinder.frame_count = FIRST;
    assert_int_equal(compare(f, false), CALLERS_SAME);
}

static void what_was_kept_is_put_back(void **state)
{
    struct fixture *f = *state;

    f->frames[FIRST + 1].address = 7;
    f->unwinder.frame_count = FIRST + 2;
    callers_put_back(&f->kept, &f->unwinder, FIRST);
    assert_int_equal(f->unwinder.frame_count, FIRST + COUNT);
    assert_int_equal(compare(f, true), CALLERS_SAME);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(frames_that_are_the_same_are),
        TEST(another_address_in_the_same_frame_is_another_call_and_the_outermost_is_told),
        TEST(another_frame_or_number_of_frames_is_other_callers),
        TEST(another_root_is_told),
        TEST(frames_that_are_not_complete_tell_nothing_further_out),
        TEST(what_was_kept_is_put_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
