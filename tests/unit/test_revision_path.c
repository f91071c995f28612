#include "cmocka_all.h"

#include "revision/revision_path.h"

#define CACHE "/home/me/.cache/" REVISION_CACHE_FOLDER "/"

static void assert_path(const char *path, const char *expected)
{
    SCOPED(text_done) struct text text = {0};

    assert_int_equal(revision_path_add(&text, slice_of(path)), expected != NULL);
    assert_string_equal(text_string(&text), expected ? expected : "");
}

static void a_file_of_a_checkout_is_that_of_the_repository(void **state)
{
    (void)state;
    assert_path(CACHE "app-0123456789abcdef/0/tree/src/main.rs", "app/src/main.rs");
    assert_path(CACHE "my-app-2-fedcba9876543210/12/tree/a/b.rs", "my-app-2/a/b.rs");
    assert_path(CACHE "app-0123456789abcdef/0/around/srv/app/src/main.rs", "/srv/app/src/main.rs");
}

static void any_other_path_is_left_alone(void **state)
{
    (void)state;
    assert_path("/home/me/app/tree/src/main.rs", NULL);
    assert_path("src/main.rs", NULL);
    assert_path("", NULL);
    assert_path(CACHE, NULL);
    assert_path(CACHE "app-0123456789abcdef/0/target/debug/build/a/out/b.rs", NULL);
    assert_path(CACHE "app-0123456789abcdef/0/tree", NULL);
    assert_path(CACHE "app-0123456789abcdef/x/tree/src/main.rs", NULL);
    assert_path(CACHE "app-0123456789abcdeg/0/tree/src/main.rs", NULL);
    assert_path(CACHE "app-123456789abcdef/0/tree/src/main.rs", NULL);
    assert_path(CACHE "-0123456789abcdef/0/tree/src/main.rs", NULL);
    assert_path(CACHE "app/0/tree/src/main.rs", NULL);
    assert_path("/elsewhere/revisions/app-0123456789abcdef/0/tree/src/main.rs", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_of_a_checkout_is_that_of_the_repository),
        cmocka_unit_test(any_other_path_is_left_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
