/* Acting as who called sudo. Each case is a process of its own, which ends with 0 when all was as it should.
 */
#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "proc/owner.h"

enum { SOMEBODY = 12345, GROUP = 23456 };

typedef bool case_fn(void);

static void run_case(case_fn *is_right)
{
    pid_t pid = 0;
    int status = 0;

    if (geteuid() != 0)
        skip();
    pid = fork();
    if (pid == 0) {
        setenv("SUDO_UID", "12345", 1);
        setenv("SUDO_GID", "23456", 1);
        /* Only the case is tested: what the parent has allocated is not looked for. */
        _exit(is_right() ? 0 : 1);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static bool has_ids(uid_t real, uid_t effective, uid_t saved)
{
    uid_t ids[3] = {0};

    return getresuid(&ids[0], &ids[1], &ids[2]) == 0 && ids[0] == real && ids[1] == effective &&
           ids[2] == saved;
}

static bool becomes_caller(void)
{
    struct error err = {0};

    return owner_become_caller(&err) == 0 && has_ids(SOMEBODY, SOMEBODY, 0) && getegid() == GROUP &&
           getgroups(0, NULL) == 0;
}

static bool raises_and_lowers(void)
{
    bool is_raised = false;

    if (!becomes_caller())
        return false;
    is_raised = owner_raise();
    if (!is_raised || !has_ids(SOMEBODY, 0, 0) || owner_raise())
        return false;
    owner_lower(is_raised);
    return has_ids(SOMEBODY, SOMEBODY, 0);
}

static bool gives_up(void)
{
    if (!becomes_caller() || !owner_raise())
        return false;
    owner_give_up();
    return has_ids(SOMEBODY, SOMEBODY, SOMEBODY) && setuid(0) < 0 && setgid(0) < 0 && !owner_raise();
}

static bool stays_raised(void)
{
    if (!becomes_caller())
        return false;
    owner_stay_raised();
    return has_ids(0, 0, 0) && getgid() == 0;
}

static bool is_refused_without_a_number(void)
{
    static const char *const wrong[] = {"", "-1", "4294967295", "root", "1 ", "99999999999"};
    struct error err = {0};

    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        setenv("SUDO_GID", wrong[i], 1);
        if (owner_become_caller(&err) == 0 || err.kind != ERROR_DENIED || !has_ids(0, 0, 0))
            return false;
    }
    unsetenv("SUDO_GID");
    return owner_become_caller(&err) < 0;
}

static bool is_nothing_without_sudo(void)
{
    struct error err = {0};
    bool is_raised = false;

    unsetenv("SUDO_UID");
    if (owner_become_caller(&err) < 0 || !has_ids(0, 0, 0))
        return false;
    is_raised = owner_raise();
    owner_lower(is_raised);
    owner_give_up();
    owner_stay_raised();
    return !is_raised && has_ids(0, 0, 0);
}

static void the_caller_is_who_sudo_says(void **state)
{
    (void)state;
    run_case(becomes_caller);
}

static void the_right_is_taken_for_a_while(void **state)
{
    (void)state;
    run_case(raises_and_lowers);
}

static void what_is_given_up_does_not_come_back(void **state)
{
    (void)state;
    run_case(gives_up);
}

static void a_program_may_keep_the_right(void **state)
{
    (void)state;
    run_case(stays_raised);
}

static void what_sudo_does_not_set_is_refused(void **state)
{
    (void)state;
    run_case(is_refused_without_a_number);
}

static void without_sudo_nothing_happens(void **state)
{
    (void)state;
    run_case(is_nothing_without_sudo);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_caller_is_who_sudo_says),
        cmocka_unit_test(the_right_is_taken_for_a_while),
        cmocka_unit_test(what_is_given_up_does_not_come_back),
        cmocka_unit_test(a_program_may_keep_the_right),
        cmocka_unit_test(what_sudo_does_not_set_is_refused),
        cmocka_unit_test(without_sudo_nothing_happens),
    };

    return cmocka_run_group_tests_name("owner", tests, NULL, NULL);
}
