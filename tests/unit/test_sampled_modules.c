/* The modules that a profile gets of what was sampled. */
#include "cmocka_all.h"

#include <unistd.h>

#include "base/clock.h"
#include "collect/sampled_modules.h"
#include "proc/pid_namespace.h"

/* When it began that this process has the number, of a process that was recorded up to then. */
static uint64_t reused_unix_ns(uint64_t last_ns)
{
    struct sampled_modules sampled = {0};
    struct processes processes = {.is_past = true, .has_foreign_proc = true, .past.last_ns = last_ns};
    struct profile profile;
    uint64_t reused = 0;
    uint32_t module = 0;

    profile_init(&profile);
    module = sampled_modules_jit(&sampled, &profile, &processes, (uint32_t)getpid());
    reused = profile.modules.items[module].reused_unix_ns;
    profile_done(&profile);
    processes_done(&processes);
    sampled_modules_done(&sampled);
    return reused;
}

static void a_process_that_began_after_the_recording_is_another_one(void **state)
{
    const uint64_t minute_ns = 60000000000;
    uint64_t now_ns = clock_now_ns();

    (void)state;
    if (!pid_namespace_has_proc())
        skip();
    assert_int_equal(reused_unix_ns(now_ns), 0);
    assert_in_range(reused_unix_ns(1), clock_unix_ns(CLOCK_MONOTONIC, now_ns) - minute_ns,
                    clock_unix_ns(CLOCK_MONOTONIC, now_ns));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_process_that_began_after_the_recording_is_another_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
