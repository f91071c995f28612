/* What the kernel was asked for, by its functions in stacks. */
#include "cmocka_all.h"

#include "base/memory.h"
#include "profile/heap_events.h"
#include "profile_builder.h"
#include "view/system_calls.h"
#include "view/wait_rows.h"

static int set_up(void **state)
{
    static struct profile profile;

    profile_builder_init(&profile);
    *state = &profile;
    return 0;
}

static int tear_down(void **state)
{
    profile_done(*state);
    return 0;
}

static void samples_are_of_the_system_call_that_they_are_in(void **state)
{
    struct profile *profile = *state;
    SCOPED(memory_free_at) uint32_t *calls = NULL;
    SCOPED(text_done) struct text said = {0};
    struct sums_cursor cursor;
    struct sample_sum sum;

    assert_true(profile_builder_add_lines(
        profile,
        SLICE(
            "9|app|own app main\n"
            "8|app|own app main > c libc.so.6 syscall > kernel [kernel] do_syscall_64 > kernel [kernel] "
            "__x64_sys_futex > kernel [kernel] schedule\n"
            "7|app|own app main > kernel [kernel] el0_svc > kernel [kernel] __arm64_sys_futex\n"
            "6|app|own app main > kernel [kernel] do_syscall_64 > kernel [kernel] kernel_wait4 > kernel "
            "[kernel] do_wait\n"
            "5|app|own app main > kernel [kernel] asm_exc_page_fault > kernel [kernel] "
            "__x64_sys_in_a_fault\n"
            "4|app|own app main > kernel [kernel] do_syscall_64\n"
            "3|app|own app main > kernel [kernel] asm_sysvec_apic_timer_interrupt\n"
            "11|app|own app main > kernel [kernel] el0_svc > kernel [kernel] "
            "el0_svc_common.constprop.0 > kernel [kernel] invoke_syscall.constprop.0\n"
            "12|app|own app main > kernel [kernel] el0_svc > kernel [kernel] ksys_read.part.0 > kernel "
            "[kernel] ptrace_stop.part.0\n"
            "13|app|own app main > kernel [kernel] el0_svc > kernel [kernel] fput.part.0\n"
            "14|app|own app main > kernel [kernel] do_syscall_64 > kernel [kernel] do_writev > kernel "
            "[kernel] vfs_writev\n"
            "15|app|own app main > kernel [kernel] do_syscall_64 > kernel [kernel] __x64_sys_newfstat\n"
            "16|app|own app main > kernel [kernel] do_syscall_64 > kernel [kernel] exit_to_user_mode_loop > "
            "kernel [kernel] schedule > kernel [kernel] finish_task_switch.isra.0\n"
            "17|app|own app main > kernel [kernel] do_syscall_64 > kernel [kernel] exit_to_user_mode_loop > "
            "kernel [kernel] arch_do_signal_or_restart > kernel [kernel] do_group_exit\n"
            "18|app|own app main > kernel [kernel] do_syscall_64 > kernel [kernel] "
            "__pi___x86_indirect_thunk_rax\n"
            "2|app|kernel [kernel] ret_from_fork_asm > kernel [kernel] kthread > kernel [kernel] "
            "io_submit_sqes\n"
            "10|app|kernel [kernel] schedule\n"
            "1|app|\n")));
    calls = system_calls_of_stacks(profile);
    cursor = sums_cursor_of(&profile->series.items[0].samples.sums);
    while (sums_cursor_next(&cursor, &sum))
        if (sum.stack != PROFILE_NONE)
            text_format(&said, "%llu %.*s; ", (unsigned long long)sum.count,
                        SLICE_ARGUMENTS(system_call_name(profile, calls[sum.stack])));
    assert_string_equal(text_string(&said), "9 [program]; 8 futex; 7 futex; 4 [kernel]; 6 wait4; 5 "
                                            "[page fault]; 3 [interrupt]; 11 [kernel]; 12 [traced]; 13 "
                                            "fput.part.0; 14 writev; 15 fstat; 16 [return to program]; 17 "
                                            "exit_group; 18 [kernel]; 2 [kernel thread]; 10 [kernel]; ");
}

static void workers_of_io_uring_are_at_what_was_asked_for_or_idle(void **state)
{
    struct profile *profile = *state;
    SCOPED(memory_free_at) uint32_t *calls = NULL;
    SCOPED(text_done) struct text said = {0};
    struct sums_cursor cursor;
    struct sample_sum sum;

    assert_true(profile_builder_add_lines(
        profile,
        SLICE(
            "1|app|kernel [kernel] ret_from_fork_asm > kernel [kernel] ret_from_fork > kernel [kernel] "
            "io_wq_worker > kernel [kernel] schedule_timeout > kernel [kernel] schedule > kernel [kernel] "
            "finish_task_switch.isra.0\n"
            "2|app|kernel [kernel] ret_from_fork > kernel [kernel] io_wqe_worker > kernel [kernel] "
            "io_worker_handle_work > kernel [kernel] io_wq_submit_work > kernel [kernel] io_issue_sqe > "
            "kernel [kernel] __io_issue_sqe > kernel [kernel] io_fsync > kernel [kernel] "
            "asm_exc_page_fault > kernel [kernel] schedule_timeout > kernel [kernel] schedule\n"
            "3|app|kernel [kernel] ret_from_fork > kernel [kernel] io_wq_worker > kernel [kernel] "
            "io_worker_handle_work > kernel [kernel] __x86_indirect_thunk_rax\n"
            "4|app|kernel [kernel] ret_from_fork > kernel [kernel] io_sq_thread > kernel [kernel] "
            "schedule\n"
            "5|app|kernel [kernel] ret_from_fork > kernel [kernel] io_sq_thread > kernel [kernel] "
            "mutex_lock > kernel [kernel] schedule\n"
            "6|app|kernel [kernel] ret_from_fork > kernel [kernel] io_sq_thread > kernel [kernel] "
            "__io_sq_thread > kernel [kernel] io_submit_sqes > kernel [kernel] io_issue_sqe > kernel "
            "[kernel] io_read > kernel [kernel] ptrace_stop\n"
            "7|app|own app main > kernel [kernel] do_syscall_64 > kernel [kernel] __x64_sys_io_uring_enter > "
            "kernel [kernel] io_submit_sqes > kernel [kernel] io_issue_sqe > kernel [kernel] io_write\n"
            "8|app|kernel [kernel] filemap_read > kernel [kernel] io_submit_sqes\n"
            "9|app|kernel [kernel] ret_from_fork > kernel [kernel] io_sq_thread\n"
            "10|app|kernel [kernel] ret_from_fork > kernel [kernel] io_wqe_worker > kernel [kernel] "
            "io_worker_handle_work > kernel [kernel] io_wq_submit_work > kernel [kernel] io_issue_sqe > "
            "kernel [kernel] __x86_indirect_thunk_rax\n")));
    calls = system_calls_of_stacks(profile);
    cursor = sums_cursor_of(&profile->series.items[0].samples.sums);
    while (sums_cursor_next(&cursor, &sum))
        text_format(&said, "%llu %.*s; ", (unsigned long long)sum.count,
                    SLICE_ARGUMENTS(system_call_name(profile, calls[sum.stack])));
    assert_string_equal(text_string(&said),
                        "1 [idle io_uring worker]; 2 io_fsync; 3 [io_uring worker]; 9 [io_uring SQPOLL]; 4 "
                        "[idle io_uring SQPOLL]; 5 [io_uring SQPOLL]; 6 [traced]; 7 io_uring_enter; 8 "
                        "filemap_read; 10 [io_uring worker]; ");
}

static void waits_add_up_by_what_they_are_for(void **state)
{
    struct profile *profile = *state;
    SCOPED(rows_done) struct rows rows = {0};

    assert_true(profile_builder_add_lines(
        profile,
        SLICE("2|app|own app main > kernel [kernel] do_syscall_64 > kernel [kernel] __x64_sys_futex\n"
              "3|app|own app other > kernel [kernel] do_syscall_64 > kernel [kernel] __x64_sys_futex\n"
              "1|app|own app main > kernel [kernel] do_syscall_64 > kernel [kernel] __x64_sys_read\n"
              "7|app|\n")));
    wait_rows_fill(profile, 0, &rows);
    assert_int_equal(rows_count(&rows), 3);
    assert_true(slice_is(rows_at(&rows, 0)[3].text, "[no stack]"));
    assert_true(slice_is(rows_at(&rows, 1)[3].text, "futex"));
    assert_int_equal(rows_at(&rows, 1)[1].number,
                     5000000000); /* the builder's samples are of a second then */
    assert_int_equal(rows_at(&rows, 1)[2].number, 5);
    assert_true(slice_is(rows_at(&rows, 2)[3].text, "read"));
}

static void what_the_heaps_library_asks_for_is_the_recordings(void **state)
{
    struct profile *profile = *state;
    SCOPED(rows_done) struct rows rows = {0};

    profile->series.items[0].unit = profile_string(profile, SLICE("us"));
    assert_true(profile_builder_add_lines(
        profile, SLICE("3|app|own app main > c " HEAP_LIBRARY_NAME " malloc > c " HEAP_LIBRARY_NAME " pause\n"
                       "2|app|own app main > c " HEAP_LIBRARY_NAME " malloc > c libc.so.6 __libc_malloc > "
                       "kernel [kernel] do_syscall_64 > kernel [kernel] __x64_sys_brk\n"
                       "1|app|own app main > c " HEAP_LIBRARY_NAME " malloc > c libc.so.6 __libc_malloc\n")));
    profile_builder_set_library(profile, SLICE(HEAP_LIBRARY_NAME));
    wait_rows_fill(profile, 0, &rows);
    assert_int_equal(rows_count(&rows), 3);
    assert_true(slice_is(rows_at(&rows, 0)[3].text, "[heap recording]"));
    assert_int_equal(rows_at(&rows, 0)[2].number, 3);
    assert_true(slice_is(rows_at(&rows, 1)[3].text, "brk"));
    assert_true(slice_is(rows_at(&rows, 2)[3].text, "[program]"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(samples_are_of_the_system_call_that_they_are_in, set_up, tear_down),
        cmocka_unit_test_setup_teardown(workers_of_io_uring_are_at_what_was_asked_for_or_idle, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(what_the_heaps_library_asks_for_is_the_recordings, set_up, tear_down),
        cmocka_unit_test_setup_teardown(waits_add_up_by_what_they_are_for, set_up, tear_down),
    };

    return cmocka_run_group_tests_name("system_calls", tests, NULL, NULL);
}
