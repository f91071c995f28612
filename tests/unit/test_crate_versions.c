#include "cmocka_all.h"

#include "delta/crate_versions.h"

static int set_up(void **state)
{
    static struct crate_versions versions;

    versions = (struct crate_versions){0};
    *state = &versions;
    return 0;
}

static int tear_down(void **state)
{
    crate_versions_done(*state);
    return 0;
}

static void add(struct crate_versions *versions, bool is_after, const char *const *list)
{
    for (; *list; list++)
        crate_versions_add(versions, SLICE("syn"), slice_of(*list), slice_of(*list), is_after);
}

/* NULL ends each list. */
static void finish(struct crate_versions *versions, const char *const *before, const char *const *after)
{
    crate_versions_done(versions);
    add(versions, false, before);
    add(versions, true, after);
    crate_versions_finish(versions);
}

#define LIST(...)                                                                                            \
    (const char *const[])                                                                                    \
    {                                                                                                        \
        __VA_ARGS__, NULL                                                                                    \
    }

/* What stands after in place of the version; "" for nothing. */
static void assert_pair(const struct crate_versions *versions, const char *before, const char *after)
{
    const struct crate_version *one = crate_versions_find(versions, SLICE("syn"), slice_of(before), false);
    const struct crate_version *other = NULL;

    assert_non_null(one);
    other = crate_versions_other(versions, one);
    assert_true(slice_is(other ? other->version : SLICE(""), after));
    assert_true(!other || crate_versions_other(versions, other) == one);
}

static void equal_versions_come_first(void **state)
{
    finish(*state, LIST("1.0.1", "2.0.0"), LIST("2.0.0", "2.0.1", "1.0.1"));
    assert_pair(*state, "1.0.1", "1.0.1");
    assert_pair(*state, "2.0.0", "2.0.0");
}

static void compatible_versions_come_next(void **state)
{
    finish(*state, LIST("0.2.9", "0.3.1"), LIST("0.2.10", "0.4.0", "1.0.0"));
    assert_pair(*state, "0.2.9", "0.2.10");
    assert_pair(*state, "0.3.1", "1.0.0");
    finish(*state, LIST("1.9.0", "2.0.0"), LIST("2.0.0", "1.10.0", "0.9.0"));
    assert_pair(*state, "1.9.0", "1.10.0");
    finish(*state, LIST("0.0.1", "0.0.3"), LIST("0.0.2", "0.0.3-pre", "0.1.0"));
    assert_pair(*state, "0.0.3", "0.0.3-pre");
}

static void the_rest_goes_from_the_highest_down(void **state)
{
    finish(*state, LIST("9.0.0", "10.0.0"), LIST("11.0.0"));
    assert_pair(*state, "10.0.0", "11.0.0");
    assert_pair(*state, "9.0.0", "");
}

static void a_version_that_is_not_known_takes_what_is_left(void **state)
{
    finish(*state, LIST(""), LIST("0.13.1", "0.22.1"));
    assert_pair(*state, "", "0.22.1");
    finish(*state, LIST("0.22.1", ""), LIST("0.13.1", "0.22.1", ""));
    assert_pair(*state, "", "");
}

static void no_version_is_that_of_a_hash(void **state)
{
    struct crate_versions *versions = *state;

    crate_versions_add(versions, SLICE("util"), SLICE(""), SLICE("util[1f2e]"), false);
    crate_versions_add(versions, SLICE("util"), SLICE(""), SLICE("util[3c4d]"), false);
    crate_versions_add(versions, SLICE("util"), SLICE("1.0.0"), SLICE("util@1.0.0"), true);
    crate_versions_add(versions, SLICE("util"), SLICE("2.0.0"), SLICE("util@2.0.0"), true);
    crate_versions_add(versions, SLICE("syn"), SLICE(""), SLICE("syn (version unknown)"), false);
    crate_versions_add(versions, SLICE("syn"), SLICE("1.0.0"), SLICE("syn@1.0.0"), true);
    crate_versions_add(versions, SLICE("syn"), SLICE("2.0.0"), SLICE("syn@2.0.0"), true);
    crate_versions_finish(versions);
    for (size_t i = 0; i < versions->items.count; i++)
        assert_null(crate_versions_other(versions, &versions->items.items[i]));
}

static void a_crate_of_one_version_on_each_side_needs_no_pairs(void **state)
{
    finish(*state, LIST("1.0.0", ""), LIST("2.0.0"));
    assert_null(crate_versions_find(*state, SLICE("syn"), SLICE("1.0.0"), false));
    assert_null(crate_versions_find(*state, SLICE("quote"), SLICE("1.0.0"), false));
    finish(*state, LIST("1.0.0"), LIST("2.0.0", "1.0.0"));
    assert_null(crate_versions_find(*state, SLICE("syn"), SLICE("2.0.0"), false));
}

/* As of std's copy, whose version nothing tells. */
static void a_version_that_is_shown_is_told_from_a_crate_of_which_a_hash_is_known(void **state)
{
    struct crate_versions *versions = *state;

    for (int is_after = 0; is_after < 2; is_after++) {
        const char *version = is_after ? "0.2.0" : "0.1.0";

        crate_versions_add(versions, SLICE("syn"), SLICE(""), SLICE("syn::parse"), is_after);
        crate_versions_add(versions, SLICE("syn"), slice_of(version),
                           is_after ? SLICE("<syn@0.2.0::Map>::find") : SLICE("<syn@0.1.0::Map>::find"),
                           is_after);
    }
    crate_versions_finish(versions);
    assert_pair(versions, "", "");
    assert_pair(versions, "0.1.0", "0.2.0");
    /* What one side alone has as a hash may be the other's version. */
    crate_versions_done(versions);
    crate_versions_add(versions, SLICE("syn"), SLICE("0.1.0"), SLICE("syn@0.1.0"), false);
    crate_versions_add(versions, SLICE("syn"), SLICE(""), SLICE("syn[1f2e]"), false);
    crate_versions_add(versions, SLICE("syn"), SLICE("0.2.0"), SLICE("syn"), true);
    crate_versions_finish(versions);
    assert_null(crate_versions_find(versions, SLICE("syn"), SLICE("0.1.0"), false));
}

static void other_crates_are_apart(void **state)
{
    struct crate_versions *versions = *state;

    crate_versions_add(versions, SLICE("quote"), SLICE("1.0.0"), SLICE("quote"), true);
    crate_versions_add(versions, SLICE("syn"), SLICE("1.0.0"), SLICE("syn 1"), false);
    crate_versions_add(versions, SLICE("syn"), SLICE("1.0.0"), SLICE("ignored"), false);
    crate_versions_add(versions, SLICE("syn"), SLICE("2.0.0"), SLICE("syn 2"), false);
    crate_versions_finish(versions);
    assert_pair(versions, "1.0.0", "");
    assert_pair(versions, "2.0.0", "");
    assert_true(slice_is(crate_versions_find(versions, SLICE("syn"), SLICE("1.0.0"), false)->label, "syn 1"));
    assert_null(crate_versions_find(versions, SLICE("quote"), SLICE("1.0.0"), true));
}

/* "name|pairs". */
static void assert_name(const struct crate_versions *versions, const char *text, bool is_after,
                        const char *expected)
{
    SCOPED(text_done) struct text name = {0};
    SCOPED(text_done) struct text pairs = {0};

    crate_versions_add_name(versions, slice_of(text), named_crate_of(slice_of(text)).version, is_after, &name,
                            &pairs);
    text_format(&name, "|%s", text_string(&pairs));
    assert_string_equal(text_string(&name), expected);
}

static void a_name_is_told_by_the_pairs_of_all_versions_in_it(void **state)
{
    finish(*state, LIST("1.0.1", "2.0.0"), LIST("1.0.1", "2.0.1"));
    assert_name(*state, "syn@2.0.0::<syn@2.0.0::A as syn@1.0.1::B>::b", false,
                "syn::<syn::A as syn::B>::b|1 0");
    assert_name(*state, "syn@2.0.1::<syn@2.0.1::A as syn@1.0.1::B>::b", true,
                "syn::<syn::A as syn::B>::b|1 0");
    assert_name(*state, "<str as syn@2.0.1::B>::b", true, "<str as syn::B>::b| 1");
    assert_name(*state, "syn 2.0.1", true, "syn|1");
    assert_name(*state, "quote@2.0.1::b", true, "quote@2.0.1::b|");
    assert_name(*state, "syn@9.0.0::b", true, "syn@9.0.0::b|");
    assert_name(*state, "", true, "|");
}

static void a_crate_of_the_package_of_its_name_needs_no_package(void **state)
{
    finish(*state, LIST("1.0.1"), LIST("1.0.1"));
    assert_name(*state, "syn (of syn)", true, "syn|");
    assert_name(*state, "syn_rs (of syn-rs)::parse", true, "syn_rs::parse|");
    assert_name(*state, "syn (of syn-cli)", true, "syn (of syn-cli)|");
    assert_name(*state, "syn (of syn", true, "syn (of syn|");
    assert_name(*state, "syn (of cli)", true, "syn (of cli)|");
    assert_name(*state, "f (of syn)", true, "f (of syn)|");
}

static void an_unknown_version_is_one_of_them_however_it_is_told(void **state)
{
    finish(*state, LIST("", "1.0.1", "2.0.0"), LIST("", "1.0.1", "2.0.0"));
    assert_name(*state, "syn", false, "syn|2");
    assert_name(*state, "syn (version unknown)", true, "syn|2");
}

static void assert_named(const char *text, const char *name, const char *version, const char *rest)
{
    struct named_crate named = named_crate_of(slice_of(text));

    assert_true(slice_is(named.name, name));
    assert_true(slice_is(named.version, version));
    assert_true(slice_is(named.rest, rest));
}

static void a_name_tells_its_crate_and_the_version_if_shown(void **state)
{
    (void)state;
    assert_named("syn", "syn", "", "");
    assert_named("syn 1.0.109", "syn", "1.0.109", "");
    assert_named("syn (version unknown)", "syn", "", "");
    assert_named("syn (version unknown) x", "syn", "", " (version unknown) x");
    assert_named("syn@1.0.0-rc.1+b::parse", "syn", "1.0.0-rc.1+b", "::parse");
    assert_named("<syn@2.0.1::Type as core::fmt::Debug>::fmt", "syn", "2.0.1",
                 "::Type as core::fmt::Debug>::fmt");
    assert_named("<_ as syn@2.0.1::Parse>::f", "syn", "2.0.1", "::Parse>::f");
    assert_named("app (bin)::main", "app", "", " (bin)::main");
    assert_named("syn 1 of 2", "syn", "", " 1 of 2");
    assert_named("hashbrown@std", "hashbrown@std", "", "");
    assert_named("<hashbrown@std::A as B>::f", "hashbrown@std", "", "::A as B>::f");
    assert_named("memcpy@stdio", "memcpy", "", "@stdio");
    assert_named("memcpy@GLIBC", "memcpy", "", "@GLIBC");
    assert_named("[padding]", "", "", "[padding]");
    assert_named("", "", "", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(equal_versions_come_first, set_up, tear_down),
        cmocka_unit_test_setup_teardown(compatible_versions_come_next, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_rest_goes_from_the_highest_down, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_version_that_is_not_known_takes_what_is_left, set_up, tear_down),
        cmocka_unit_test_setup_teardown(no_version_is_that_of_a_hash, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_crate_of_one_version_on_each_side_needs_no_pairs, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_version_that_is_shown_is_told_from_a_crate_of_which_a_hash_is_known,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(other_crates_are_apart, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_name_is_told_by_the_pairs_of_all_versions_in_it, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_crate_of_the_package_of_its_name_needs_no_package, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(an_unknown_version_is_one_of_them_however_it_is_told, set_up,
                                        tear_down),
        cmocka_unit_test(a_name_tells_its_crate_and_the_version_if_shown),
    };

    return cmocka_run_group_tests_name("crate_versions", tests, NULL, NULL);
}
