#include "cmocka_all.h"

#include "sampler/perf/denied.h"

static void assert_rights(const char *setting, enum sampler_scope scope, const char *expected)
{
    SCOPED(text_done) struct text hint = {0};

    denied_add_rights(slice_of(setting), scope, &hint);
    assert_string_equal(text_string(&hint), expected);
}

#define OWN                                                                                                  \
    "one's own programs take 2 or less, the kernel's part of them 1, set by `sudo sysctl "                   \
    "kernel.perf_event_paranoid=1`, or record as root: --root (compare: by sudo)"
#define WHOLE                                                                                                \
    "whole processors take 0, set by `sudo sysctl kernel.perf_event_paranoid=0`, or record as root: --root " \
    "(compare: by sudo)"
#define GIVE ", or give cargo-cprof the capabilities: `sudo setcap cap_perfmon,cap_syslog"
#define TO_US "+ep \"$(command -v cargo-cprof)\"`"

static void capabilities_are_told_where_they_are_enough(void **state)
{
    (void)state;
    assert_rights("2", SAMPLER_THREADS, "kernel.perf_event_paranoid is 2: " OWN GIVE TO_US);
    assert_rights("1", SAMPLER_MACHINE,
                  "kernel.perf_event_paranoid is 1: " WHOLE GIVE ",cap_sys_ptrace" TO_US);
    assert_rights("-1", SAMPLER_THREADS, "kernel.perf_event_paranoid is -1: " OWN GIVE TO_US);
    assert_rights("", SAMPLER_THREADS, "kernel.perf_event_paranoid is unknown: " OWN GIVE TO_US);
}

/* Debian's kernels let only CAP_SYS_ADMIN sample there. */
static void they_are_not_where_the_distributions_level_asks_for_more(void **state)
{
    (void)state;
    assert_rights("3", SAMPLER_THREADS, "kernel.perf_event_paranoid is 3: " OWN);
    assert_rights("4", SAMPLER_MACHINE, "kernel.perf_event_paranoid is 4: " WHOLE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(capabilities_are_told_where_they_are_enough),
        cmocka_unit_test(they_are_not_where_the_distributions_level_asks_for_more),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
