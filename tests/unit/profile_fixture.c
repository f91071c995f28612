#include "profile_fixture.h"

int profile_fixture_set_up(void **state)
{
    static struct profile_fixture fixture;

    fixture = (struct profile_fixture){0};
    profile_builder_init(&fixture.profile);
    *state = &fixture;
    return 0;
}

int profile_fixture_tear_down(void **state)
{
    struct profile_fixture *f = *state;

    profile_done(&f->profile);
    return 0;
}
