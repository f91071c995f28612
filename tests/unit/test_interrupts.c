/* What becomes of signals that are taken. */
#include "cmocka_all.h"

#include <signal.h>
#include <unistd.h>

#include "target/interrupts.h"

struct fixture {
    struct interrupts interrupts;
    struct interrupt next;
};

static int set_up(void **state)
{
    static struct fixture fixture;

    fixture = (struct fixture){.interrupts.descriptor = -1};
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    interrupts_done(&f->interrupts);
    return 0;
}

static void take(struct fixture *f)
{
    struct error err = {0};

    assert_int_equal(interrupts_take(&f->interrupts, &err), 0);
    assert_false(interrupts_next(&f->interrupts, &f->next));
}

static void what_a_process_sends_is_not_from_the_terminal(void **state)
{
    struct fixture *f = *state;

    take(f);
    kill(getpid(), SIGINT);
    assert_true(interrupts_next(&f->interrupts, &f->next));
    assert_int_equal(f->next.signal, SIGINT);
    assert_false(f->next.is_from_terminal);
    assert_false(interrupts_next(&f->interrupts, &f->next));
}

static void an_interrupt_sent_to_who_ignores_it_is_told_as_a_request_to_end(void **state)
{
    struct fixture *f = *state;

    signal(SIGINT, SIG_IGN);
    take(f);
    kill(getpid(), SIGINT);
    assert_true(interrupts_next(&f->interrupts, &f->next));
    assert_int_equal(f->next.signal, SIGTERM);
}

static void a_hang_up_that_was_ignored_stays_so(void **state)
{
    struct fixture *f = *state;

    signal(SIGHUP, SIG_IGN);
    take(f);
    kill(getpid(), SIGHUP);
    assert_false(interrupts_next(&f->interrupts, &f->next));
    kill(getpid(), SIGTERM);
    assert_true(interrupts_next(&f->interrupts, &f->next));
    assert_int_equal(f->next.signal, SIGTERM);
}

static void (*disposition(int number))(int)
{
    struct sigaction action;

    sigaction(number, NULL, &action);
    return action.sa_handler;
}

static void one_of_each_signal_is_spared_and_not_the_next(void **state)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};

    (void)state;
    interrupts_spare_one();
    for (size_t i = 0; i < ARRAY_COUNT(signals); i++) {
        assert_false(disposition(signals[i]) == SIG_DFL);
        raise(signals[i]);
        assert_true(disposition(signals[i]) == SIG_DFL);
        signal(signals[i], SIG_IGN);
        interrupts_spare_one();
        assert_true(disposition(signals[i]) == SIG_IGN);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_a_process_sends_is_not_from_the_terminal),
        TEST(an_interrupt_sent_to_who_ignores_it_is_told_as_a_request_to_end),
        TEST(a_hang_up_that_was_ignored_stays_so),
        TEST(one_of_each_signal_is_spared_and_not_the_next),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
