/* A profile for a test to fill. */
#ifndef TESTS_PROFILE_FIXTURE_H
#define TESTS_PROFILE_FIXTURE_H

#include "cmocka_all.h"

#include "profile_builder.h"

struct profile_fixture {
    struct profile profile;
    struct error err;
};

/* For cmocka: a fresh struct profile_fixture as the state, its profile that of profile_builder_init. */
int profile_fixture_set_up(void **state);
int profile_fixture_tear_down(void **state);

#endif
