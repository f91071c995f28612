#include "cmocka_all.h"

#include "cli/suggest.h"

static struct slice nearest_of(struct slice wanted, const char *const *candidates, size_t count)
{
    struct suggestion best = suggestion_for(wanted);

    for (size_t i = 0; i < count; i++)
        suggestion_consider(&best, slice_of(candidates[i]));
    return best.nearest;
}

static const char *const words[] = {"release", "profile", "package", "bin"};

static void a_slip_of_the_fingers_is_understood(void **state)
{
    (void)state;
    assert_true(slice_is(nearest_of(SLICE("relaese"), words, 4), "release"));
    assert_true(slice_is(nearest_of(SLICE("profil"), words, 4), "profile"));
    assert_true(slice_is(nearest_of(SLICE("bni"), words, 4), "bin"));
}

static void what_is_far_from_all_gets_no_offer(void **state)
{
    (void)state;
    assert_int_equal(nearest_of(SLICE("xyzzy"), words, 4).length, 0);
    assert_int_equal(nearest_of(SLICE("bone"), words, 4).length, 0);
    assert_int_equal(nearest_of(SLICE(""), words, 4).length, 0);
}

static void very_long_words_are_passed_over(void **state)
{
    char longest[200];
    struct slice word = {longest, sizeof(longest)};

    (void)state;
    for (size_t i = 0; i < sizeof(longest); i++)
        longest[i] = 'a';
    assert_int_equal(nearest_of(word, words, 4).length, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_slip_of_the_fingers_is_understood),
        cmocka_unit_test(what_is_far_from_all_gets_no_offer),
        cmocka_unit_test(very_long_words_are_passed_over),
    };

    return cmocka_run_group_tests_name("suggest", tests, NULL, NULL);
}
