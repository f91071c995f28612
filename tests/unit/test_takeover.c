/* takeover busy: instead of the tests, what they record: 20,000 bytes of stack in use, until it is ended. */
#include "cmocka_all.h"

#include <signal.h>
#include <string.h>

#include "sampler/perf/takeover.h"
#include "sampler/sampler.h"
#include "target/launch.h"

enum {
    MOST_BYTES = 16384,
    FEWER_BYTES = 4096,
    IN_USE_BYTES = 20000,
    EVENT = 11,
    SPARE = 12,
    CHANGED_NS = 1000000,
    FAR_NS = 500000,
};

/* --- What counts ---------------------------------------------------------------------------------------- */

static bool is_told_twice(enum sampler_kind kind, uint64_t id, uint64_t time_ns, bool is_of_spare)
{
    struct event items[] = {{.id = EVENT}, {.id = SPARE, .is_spare = true}};
    const struct event_set set = {.items = {items, ARRAY_COUNT(items), ARRAY_COUNT(items)}};
    const struct takeover takeover = {.is_of_spare = is_of_spare, .changed_ns = CHANGED_NS};
    const struct sampler_event event = {.kind = kind, .time_ns = time_ns, .event_id = id};

    return takeover_is_told_twice(&takeover, &set, &event);
}

static void of_samples_those_count_of_who_was_in_charge(void **state)
{
    (void)state;
    assert_false(is_told_twice(SAMPLER_SAMPLE, EVENT, CHANGED_NS, true));
    assert_true(is_told_twice(SAMPLER_SAMPLE, SPARE, CHANGED_NS, true));
    assert_true(is_told_twice(SAMPLER_SAMPLE, EVENT, CHANGED_NS + 1, true));
    assert_false(is_told_twice(SAMPLER_SAMPLE, SPARE, CHANGED_NS + 1, true));
    assert_true(is_told_twice(SAMPLER_SAMPLE, EVENT, CHANGED_NS, false));
    assert_false(is_told_twice(SAMPLER_SAMPLE, SPARE, CHANGED_NS, false));
    assert_false(is_told_twice(SAMPLER_SAMPLE, EVENT, CHANGED_NS + 1, false));
    assert_true(is_told_twice(SAMPLER_SAMPLE, SPARE, CHANGED_NS + 1, false));
}

static void of_what_processes_do_both_count_around_the_change(void **state)
{
    (void)state;
    assert_false(is_told_twice(SAMPLER_MAPPING, EVENT, CHANGED_NS + 1, true));
    assert_false(is_told_twice(SAMPLER_MAPPING, SPARE, CHANGED_NS - 1, true));
    assert_true(is_told_twice(SAMPLER_MAPPING, EVENT, CHANGED_NS + FAR_NS, true));
    assert_true(is_told_twice(SAMPLER_MAPPING, SPARE, CHANGED_NS - FAR_NS, true));
    assert_false(is_told_twice(SAMPLER_MAPPING, SPARE, CHANGED_NS + FAR_NS, true));
}

static void what_was_lost_counts_whoever_tells(void **state)
{
    (void)state;
    assert_false(is_told_twice(SAMPLER_LOST, EVENT, CHANGED_NS + FAR_NS, true));
    assert_false(is_told_twice(SAMPLER_LOST, SPARE, CHANGED_NS - FAR_NS, true));
    assert_false(is_told_twice(SAMPLER_THROTTLED, SPARE, CHANGED_NS - FAR_NS, true));
}

static void before_any_change_all_counts(void **state)
{
    const struct event_set set = {0};
    const struct takeover takeover = {0};
    const struct sampler_event event = {.kind = SAMPLER_SAMPLE, .time_ns = 5, .event_id = SPARE};

    (void)state;
    assert_false(takeover_is_told_twice(&takeover, &set, &event));
}

/* --- Live ----------------------------------------------------------------------------------------------- */

/* On the stack itself: sanitizers may have a copy of it elsewhere, for its variables. */
__attribute__((no_sanitize("address"))) static _Noreturn void be_busy(void)
{
    volatile char in_use[IN_USE_BYTES] = {1};

    for (size_t i = 0;; i++)
        in_use[i % sizeof(in_use)]++;
}

struct recording {
    struct target target;
    struct sampler *sampler;
    size_t count;      /* of samples of the program itself */
    uint64_t taken_ns; /* what all samples stand for */
    size_t lengths[2]; /* how many of them have as many bytes of stack as either size allows */
};

static void take(struct recording *recording, bool to_the_end)
{
    struct sampler_event event;

    sampler_begin_round(recording->sampler, to_the_end);
    while (sampler_next(recording->sampler, &event)) {
        if (event.kind != SAMPLER_SAMPLE)
            continue;
        recording->count++;
        recording->taken_ns += event.sample.period;
        recording->lengths[0] += event.sample.stack.length == FEWER_BYTES;
        recording->lengths[1] += event.sample.stack.length == MOST_BYTES;
    }
}

/* Until there are so many samples more. */
static void take_more(struct recording *recording, size_t count)
{
    enum { STEP_US = 2000 };
    size_t wanted = recording->count + count;

    while (recording->count < wanted) {
        assert_true(sampler_wait(recording->sampler, -1, STEP_US));
        take(recording, false);
    }
}

/* False where the kernel refuses perf events. */
static bool start(struct recording *out)
{
    const char *const argv[] = {"/proc/self/exe", "busy", NULL};
    sigset_t signals;
    const struct launch launch = {.argv = argv, .signals = &signals};
    struct sampler_request request = {.scope = SAMPLER_HELD,
                                      .threads = &out->target.pid,
                                      .thread_count = 1,
                                      .frequency_hz = 2000,
                                      .most_stack_bytes = MOST_BYTES,
                                      .fewer_stack_bytes = FEWER_BYTES};
    struct error err = {0};

    sigemptyset(&signals);
    *out = (struct recording){.target = TARGET_NONE};
    assert_int_equal(target_launch(&launch, &out->target, &err), 0);
    if (sampler_open(&request, &out->sampler, &err) < 0) {
        assert_int_equal(err.kind, ERROR_DENIED);
        target_done(&out->target);
        return false;
    }
    assert_int_equal(sampler_fewer_stack_bytes(out->sampler), FEWER_BYTES);
    assert_int_equal(target_release(&out->target, "busy", &err), 0);
    return true;
}

static void change_copies(struct recording *recording)
{
    enum { PART = 300, CHANGES = 4 };
    size_t before[2];

    take_more(recording, PART);
    /* Before main the stack has less in it than either size, now and then just as much as the smaller one. */
    assert_true(recording->lengths[0] < PART / 10);
    for (int i = 0; i < CHANGES; i++) {
        bool fewer = i % 2 == 0;

        sampler_copy_fewer(recording->sampler, fewer);
        take(recording, false);
        memcpy(before, recording->lengths, sizeof(before));
        take_more(recording, PART);
        assert_int_equal(recording->lengths[fewer], before[fewer]);
        assert_true(recording->lengths[!fewer] - before[!fewer] > PART * 9 / 10);
    }
    assert_true(target_signal(&recording->target, SIGKILL));
    while (sampler_wait(recording->sampler, -1, INT64_MAX))
        take(recording, false);
    take(recording, true);
}

/* Whether none was lost, and samples stand for all the time that the kernel counted, but for one in a
 * hundred. */
static bool has_all(const struct recording *recording)
{
    struct sampler_counts counts = sampler_counts(recording->sampler, 0);

    if (counts.lost > 0)
        return false;
    assert_true(recording->taken_ns <= counts.happened / 100 * 101);
    /* Without the kernel's part its time is counted all the same. */
    return sampler_source(recording->sampler, 0).is_user_only ||
           recording->taken_ns >= counts.happened / 100 * 99;
}

/* Where a machine stops for a moment, ticks of its clock fall together: that is not so each time. */
static void copies_are_as_large_as_last_asked_for_and_no_sample_is_lost(void **state)
{
    enum { TRIES = 12 };
    bool is_whole = false;

    (void)state;
    for (int i = 0; i < TRIES && !is_whole; i++) {
        struct recording recording;

        if (!start(&recording))
            skip();
        change_copies(&recording);
        is_whole = has_all(&recording);
        target_wait(&recording.target);
        sampler_close(recording.sampler);
        target_done(&recording.target);
    }
    assert_true(is_whole);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_samples_those_count_of_who_was_in_charge),
        cmocka_unit_test(of_what_processes_do_both_count_around_the_change),
        cmocka_unit_test(what_was_lost_counts_whoever_tells),
        cmocka_unit_test(before_any_change_all_counts),
        cmocka_unit_test(copies_are_as_large_as_last_asked_for_and_no_sample_is_lost),
    };

    if (argc == 2 && strcmp(argv[1], "busy") == 0)
        be_busy();
    return cmocka_run_group_tests_name("takeover", tests, NULL, NULL);
}
