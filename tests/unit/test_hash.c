#include "cmocka_all.h"

#include "base/hash.h"

/* The figures of RFC 9923. */
static void hashes_are_those_of_the_rfc(void **state)
{
    (void)state;
    assert_int_equal(hash_fnv1a_32((struct slice){0}), 0x811c9dc5);
    assert_int_equal(hash_fnv1a_32(SLICE("a")), 0xe40c292c);
    assert_int_equal(hash_fnv1a_32(SLICE("foobar")), 0xbf9cf968);
    assert_true(hash_fnv1a_64((struct slice){0}) == 0xcbf29ce484222325U);
    assert_true(hash_fnv1a_64(SLICE("a")) == 0xaf63dc4c8601ec8cU);
    assert_true(hash_fnv1a_64(SLICE("foobar")) == 0x85944171f73967e8U);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(hashes_are_those_of_the_rfc)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
