#include "cmocka_all.h"

#include "content/attribution.h"

static int set_up(void **state)
{
    static struct measurement measurement;

    measurement = (struct measurement){0};
    *state = &measurement;
    return 0;
}

static int tear_down(void **state)
{
    measurement_done(*state);
    return 0;
}

/* A function of the crate; the version may be empty. */
static void add(struct measurement *m, const char *name, const char *version)
{
    struct crate_fact fact = {
        .name = slice_of(name), .version = slice_of(version), .kind = CRATE_KIND_DEPENDENCY};

    *vec_add(&m->items) = (struct measured){.crate_index = size_crates_add(&m->crates, &fact)};
}

static void assert_label(const struct measurement *m, size_t item, const char *label)
{
    assert_true(slice_is(m->items.items[item].label, label));
}

static void crates_that_share_a_name_are_told_apart_by_what_is_known_of_them(void **state)
{
    struct measurement *m = *state;

    add(m, "rand", "0.6.5");
    add(m, "rand", "0.8.5");
    add(m, "rand", "");
    add(m, "log", "0.4.0");
    attribution_give_labels(&(struct measure_request){0}, m);
    assert_label(m, 0, "rand@0.6.5");
    assert_label(m, 1, "rand@0.8.5");
    assert_label(m, 2, "rand (version unknown)");
    assert_label(m, 3, "");
}

static void add_of(struct measurement *m, const char *version, const char *origin)
{
    struct crate_fact fact = {
        .name = SLICE("util"), .version = slice_of(version), .origin = slice_of(origin)};

    *vec_add(&m->items) = (struct measured){.crate_index = size_crates_add(&m->crates, &fact)};
}

static void crates_of_one_version_are_told_apart_by_their_packages(void **state)
{
    struct measurement *m = *state;

    add_of(m, "0.1.0", "of util");
    add_of(m, "0.1.0", "of zed");
    add_of(m, "0.2.0", "of zed");
    add_of(m, "0.3.0", "");
    attribution_give_labels(&(struct measure_request){0}, m);
    assert_label(m, 0, "util (of util)");
    assert_label(m, 1, "util@0.1.0 (of zed)");
    assert_label(m, 2, "util@0.2.0 (of zed)");
    assert_label(m, 3, "util@0.3.0");
}

static void of_one_version_it_is_the_package_that_is_not_known(void **state)
{
    struct measurement *m = *state;

    add_of(m, "0.1.0", "of util");
    add_of(m, "0.1.0", "of zed");
    add_of(m, "", "");
    attribution_give_labels(&(struct measure_request){0}, m);
    assert_label(m, 0, "util (of util)");
    assert_label(m, 2, "util (package unknown)");
    /* Another version may be meant, too. */
    add_of(m, "0.2.0", "of zed");
    attribution_give_labels(&(struct measure_request){0}, m);
    assert_label(m, 2, "util (version unknown)");
}

static void a_name_that_only_one_has_bytes_under_will_do(void **state)
{
    struct measurement *m = *state;

    add(m, "rand", "0.6.5");
    add(m, "rand", "0.8.5");
    add(m, "rand", "");
    m->items.count = 1;
    attribution_give_labels(&(struct measure_request){0}, m);
    assert_label(m, 0, "");
}

static void what_may_be_of_either_says_so_where_it_is_all_there_is(void **state)
{
    struct measurement *m = *state;

    add(m, "rand", "0.6.5");
    add(m, "rand", "0.8.5");
    add(m, "rand", "");
    m->items.items[0] = m->items.items[2];
    m->items.count = 1;
    attribution_give_labels(&(struct measure_request){0}, m);
    assert_label(m, 0, "rand (version unknown)");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(crates_that_share_a_name_are_told_apart_by_what_is_known_of_them),
        TEST(crates_of_one_version_are_told_apart_by_their_packages),
        TEST(of_one_version_it_is_the_package_that_is_not_known),
        TEST(a_name_that_only_one_has_bytes_under_will_do),
        TEST(what_may_be_of_either_says_so_where_it_is_all_there_is),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
