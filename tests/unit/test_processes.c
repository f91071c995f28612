#include "cmocka_all.h"

#include <linux/magic.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "collect/stack_end.h"
#include "proc/pid_namespace.h"
#include "process/processes.h"
#include "process/snapshot.h"

struct fixture {
    struct modules modules;
    struct processes processes;
};

static int set_up(void **state)
{
    *state = memory_new(1, sizeof(struct fixture));
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    processes_done(&f->processes);
    modules_done(&f->modules);
    free(f);
    return 0;
}

static void apply(struct fixture *f, struct sampler_event event)
{
    processes_apply(&f->processes, &f->modules, &event);
}

static void map(struct fixture *f, uint32_t pid, uint64_t start, const char *path)
{
    apply(f, (struct sampler_event){
                 .kind = SAMPLER_MAPPING,
                 .pid = pid,
                 .tid = pid,
                 .mapping = {.start_avma = start, .size_bytes = 0x1000, .path = slice_of(path)}});
}

static void fork_from(struct fixture *f, uint32_t pid, uint32_t tid, uint32_t parent_pid, uint32_t parent_tid)
{
    apply(f, (struct sampler_event){
                 .kind = SAMPLER_FORK, .pid = pid, .tid = tid, .fork = {parent_pid, parent_tid}});
}

static void name(struct fixture *f, uint32_t pid, uint32_t tid, const char *text, bool is_exec)
{
    apply(f, (struct sampler_event){
                 .kind = SAMPLER_NAME, .pid = pid, .tid = tid, .name = {slice_of(text), is_exec}});
}

static const char *path_at(struct fixture *f, uint32_t pid, uint64_t avma)
{
    const struct mapping *mapping = address_space_find(&processes_space(&f->processes, pid)->space, avma);

    if (!mapping)
        return "nothing";
    return mapping->module == MODULES_NONE ? "no file" : f->modules.items.items[mapping->module].path.data;
}

static const char *name_of(struct fixture *f, uint32_t pid, uint32_t tid)
{
    return processes_name(&f->processes, processes_thread(&f->processes, pid, tid)).data;
}

static void a_process_has_the_files_that_were_mapped(void **state)
{
    struct fixture *f = *state;

    map(f, 1, 0x1000, "/bin/a");
    map(f, 1, 0x2000, "//anon");
    map(f, 1, 0x3000, "[heap]");
    map(f, 1, 0x4000, "[vdso]");
    map(f, 2, 0x1000, "/bin/b");
    assert_string_equal(path_at(f, 1, 0x1000), "/bin/a");
    assert_string_equal(path_at(f, 1, 0x2000), "no file");
    assert_string_equal(path_at(f, 1, 0x3000), "no file");
    assert_string_equal(path_at(f, 1, 0x4000), "[vdso]");
    assert_string_equal(path_at(f, 2, 0x1000), "/bin/b");
    assert_string_equal(path_at(f, 3, 0x1000), "nothing");
}

static void a_fork_has_its_parents_memory_until_it_changes(void **state)
{
    struct fixture *f = *state;

    map(f, 1, 0x1000, "/bin/a");
    fork_from(f, 1, 5, 1, 1); /* a thread */
    assert_string_equal(path_at(f, 1, 0x1000), "/bin/a");
    fork_from(f, 2, 2, 1, 1);
    assert_string_equal(path_at(f, 2, 0x1000), "/bin/a");
    map(f, 2, 0x1000, "/bin/b");
    assert_string_equal(path_at(f, 2, 0x1000), "/bin/b");
    assert_string_equal(path_at(f, 1, 0x1000), "/bin/a");
}

static void an_exec_clears_the_memory_and_a_name_does_not(void **state)
{
    struct fixture *f = *state;

    map(f, 1, 0x1000, "/bin/a");
    name(f, 1, 1, "other", false);
    assert_string_equal(path_at(f, 1, 0x1000), "/bin/a");
    name(f, 1, 1, "other", true);
    assert_string_equal(path_at(f, 1, 0x1000), "nothing");
}

static void what_processes_outside_of_the_container_do_changes_nothing(void **state)
{
    struct fixture *f = *state;

    f->processes.is_contained = true;
    map(f, 0, 0x1000, "/bin/a");
    name(f, 0, 0, "theirs", true);
    fork_from(f, 0, 0, 0, 0);
    assert_string_equal(path_at(f, 0, 0x1000), "nothing");
    assert_string_equal(name_of(f, 0, 0), PID_NAMESPACE_OUTSIDE);
    assert_true(processes_is_outside(&f->processes, 0));
    assert_false(processes_is_outside(&f->processes, 1));
    fork_from(f, 1, 1, 0, 0); /* into the container */
    assert_string_equal(name_of(f, 1, 1), PID_NAMESPACE_OUTSIDE);
    name(f, 1, 1, "ours", true);
    assert_string_equal(name_of(f, 1, 1), "ours");
}

/* Threads in their last switch have no number. */
static void what_is_ending_is_its_processs(void **state)
{
    struct fixture *f = *state;
    const struct process_thread *first = processes_thread(&f->processes, 7, PROCESSES_NO_TID);

    assert_int_equal(first->pid, 7);
    assert_true(slice_is(processes_name(&f->processes, first), "[ending]"));
    assert_int_equal(processes_thread(&f->processes, 8, PROCESSES_NO_TID)->pid, 8);
    assert_int_equal(processes_thread(&f->processes, 7, PROCESSES_NO_TID)->pid, 7);
    assert_int_equal(f->processes.threads.count, 2);
}

static void where_there_is_no_outside_number_0_is_an_idle_processor(void **state)
{
    struct fixture *f = *state;

    assert_false(processes_is_outside(&f->processes, 0));
    assert_string_equal(name_of(f, 0, 0), "swapper");
}

static void assert_begun_now(struct fixture *f, uint32_t pid)
{
    const uint64_t minute_ns = 60000000000;
    uint64_t begun = processes_space(&f->processes, pid)->begun_unix_ns;
    uint64_t now = clock_unix_ns(CLOCK_MONOTONIC, clock_now_ns());

    assert_in_range(begun, now - minute_ns, now);
}

static void a_program_begins_with_a_fork_and_with_an_exec(void **state)
{
    struct fixture *f = *state;

    map(f, 1, 0x1000, "/bin/a");
    name(f, 1, 1, "other", false);
    assert_int_equal(processes_space(&f->processes, 1)->begun_unix_ns, 0);
    apply(f, (struct sampler_event){
                 .kind = SAMPLER_FORK, .time_ns = clock_now_ns(), .pid = 2, .tid = 2, .fork = {1, 1}});
    assert_begun_now(f, 2);
    apply(
        f,
        (struct sampler_event){
            .kind = SAMPLER_NAME, .time_ns = clock_now_ns(), .pid = 1, .tid = 1, .name = {SLICE("a"), true}});
    assert_begun_now(f, 1);
}

/* perf tells of processes that run already without a time. */
static void what_was_mapped_before_a_recording_was_so_as_that_began(void **state)
{
    struct fixture *f = *state;
    struct sampler_event event = {
        .kind = SAMPLER_MAPPING,
        .pid = 1,
        .tid = 1,
        .mapping = {.start_avma = 0x1000, .size_bytes = 0x1000, .path = SLICE("/bin/a")}};

    f->processes.is_past = f->processes.has_foreign_proc = true;
    f->processes.past = (struct past_times){.latest_shift_ns = 5, .first_ns = 1000, .last_ns = 2000};
    apply(f, event);
    event.mapping.path = SLICE("/bin/b");
    event.time_ns = 1500;
    apply(f, event);
    assert_int_equal(f->modules.items.items[0].seen.time_ns, 1005);
    assert_int_equal(f->modules.items.items[1].seen.time_ns, 1505);
}

static void a_program_of_the_past_began_no_earlier_than_is_known(void **state)
{
    struct fixture *f = *state;
    struct sampler_event exec = {
        .kind = SAMPLER_NAME, .time_ns = 1500, .pid = 1, .tid = 1, .name = {SLICE("a"), true}};

    f->processes.is_past = f->processes.has_foreign_proc = true;
    apply(f, exec);
    assert_int_equal(processes_space(&f->processes, 1)->begun_unix_ns, 0);
    f->processes.past = (struct past_times){.has_earliest = true, .earliest_shift_ns = (uint64_t)-100};
    apply(f, exec);
    assert_in_range(processes_space(&f->processes, 1)->begun_unix_ns,
                    clock_unix_ns(CLOCK_MONOTONIC, 1400) - 1000000000,
                    clock_unix_ns(CLOCK_MONOTONIC, 1400) + 1000000000);
}

/* As of a container, of whose files perf asks those of the machine that have their paths. */
static void the_build_id_of_a_path_is_not_that_of_another_file_than_was_there(void **state)
{
    struct fixture *f = *state;
    struct sampler_event event = {.kind = SAMPLER_MAPPING, .pid = 1, .tid = 1, .time_ns = clock_now_ns()};
    struct stat file;
    struct statfs system;
    bool tells_inodes = statfs("/bin/sh", &system) == 0 && system.f_type != OVERLAYFS_SUPER_MAGIC;

    assert_int_equal(stat("/bin/sh", &file), 0);
    f->processes.is_past = f->processes.has_foreign_proc = true;
    f->processes.past = (struct past_times){.has_earliest = true, .is_of_this_start = true};
    event.mapping = (struct sample_mapping){.start_avma = 0x1000,
                                            .size_bytes = 0x1000,
                                            .path = SLICE("/bin/sh"),
                                            .build_id = SLICE("id"),
                                            .is_of_path = true,
                                            .inode = file.st_ino};
    apply(f, event);
    assert_int_equal(f->modules.items.items[0].build_id.length, 2);
    event.mapping.inode++;
    event.mapping.is_of_path = false;
    apply(f, event);
    assert_int_equal(f->modules.items.count, 1);
    event.mapping.is_of_path = true;
    apply(f, event);
    assert_int_equal(f->modules.items.count, tells_inodes ? 2 : 1);
}

static void of_one_that_runs_already_the_system_tells_when_it_began(void **state)
{
    struct fixture *f = *state;

    snapshot_add_memory(&f->processes, &f->modules, (uint32_t)getpid());
    assert_begun_now(f, (uint32_t)getpid());
}

static void threads_of_the_kernel_are_told_from_programs(void **state)
{
    struct fixture *f = *state;

    assert_false(processes_is_kernel_thread(&f->processes, (uint32_t)getpid(), (uint32_t)getpid()));
    /* Of one that has ended only the name is left. */
    name(f, UINT32_MAX, UINT32_MAX, "iou-wrk-7", false);
    name(f, UINT32_MAX, UINT32_MAX - 1, "worker", false);
    assert_true(processes_is_kernel_thread(&f->processes, UINT32_MAX, UINT32_MAX));
    assert_false(processes_is_kernel_thread(&f->processes, UINT32_MAX, UINT32_MAX - 1));
}

static void a_layout_that_changed_has_another_generation(void **state)
{
    struct fixture *f = *state;
    uint32_t first = processes_space(&f->processes, 1)->generation;
    uint32_t second = 0;

    map(f, 1, 0x1000, "/bin/a");
    second = processes_space(&f->processes, 1)->generation;
    assert_int_not_equal(first, second);
    assert_int_equal(second, processes_space(&f->processes, 1)->generation);
    fork_from(f, 2, 2, 1, 1);
    assert_int_not_equal(processes_space(&f->processes, 2)->generation, second);
    assert_int_equal(processes_space(&f->processes, 1)->generation, second);
    name(f, 1, 1, "b", true);
    assert_int_not_equal(processes_space(&f->processes, 1)->generation, second);
}

static void a_thread_is_called_as_its_parent_until_it_has_a_name(void **state)
{
    struct fixture *f = *state;

    assert_string_equal(name_of(f, 1, 1), "");
    name(f, 1, 1, "crunch", true);
    fork_from(f, 1, 5, 1, 1);
    assert_string_equal(name_of(f, 1, 5), "crunch");
    name(f, 1, 5, "parser", false);
    assert_string_equal(name_of(f, 1, 5), "parser");
    assert_string_equal(name_of(f, 1, 1), "crunch");
}

static void a_thread_id_that_is_used_again_is_another_thread(void **state)
{
    struct fixture *f = *state;

    processes_thread(&f->processes, 1, 5)->mark = 77;
    assert_int_equal(processes_thread(&f->processes, 1, 5)->mark, 77);
    fork_from(f, 3, 5, 1, 1);
    assert_int_equal(processes_thread(&f->processes, 3, 5)->mark, THREAD_NO_MARK);
    assert_int_equal(processes_thread(&f->processes, 3, 5)->pid, 3);
}

static void of_a_process_that_may_not_be_read_code_may_be_anywhere(void **state)
{
    /* More than the kernel gives: of a process that there is the answer would be its own. */
    enum { DENIED = 5000007, CHILD };
    struct fixture *f = *state;
    const struct process_space *space = processes_space(&f->processes, DENIED);

    assert_false(processes_may_have_code(space, 0x5000));
    assert_int_equal(stack_end_without_rule(&f->modules, space, 0x5000), STACK_CUT_BAD);
    processes_set_denied(&f->processes, DENIED);
    map(f, DENIED, 0x1000, "/usr/lib/a.so");
    fork_from(f, CHILD, CHILD, DENIED, DENIED);
    for (uint32_t pid = DENIED; pid <= CHILD; pid++) {
        space = processes_space(&f->processes, pid);
        assert_true(processes_may_have_code(space, 0x5000));
        assert_int_equal(stack_end_without_rule(&f->modules, space, 0x5000), STACK_CUT_OTHERS);
        assert_int_equal(stack_end_without_rule(&f->modules, space, 0x1000), STACK_CUT_NO_FILE);
    }
    /* What comes after an exec is told as it comes. */
    name(f, CHILD, CHILD, "app", true);
    space = processes_space(&f->processes, CHILD);
    assert_false(processes_may_have_code(space, 0x5000));
    assert_int_equal(stack_end_without_rule(&f->modules, space, 0x5000), STACK_CUT_BAD);
}

static void what_was_lost_of_known_processes_is_found_again(void **state)
{
    struct fixture *f = *state;
    uint32_t pid = (uint32_t)getpid();
    uint64_t here = (uint64_t)(uintptr_t)what_was_lost_of_known_processes_is_found_again;
    const struct mapping *mapping = NULL;
    uint32_t generation = 0;
    size_t module_count = 0;
    char path[4096] = {0};

    assert_true(readlink("/proc/self/exe", path, sizeof(path) - 1) > 0);
    snapshot_catch_up(&f->processes, &f->modules);
    assert_int_equal(f->modules.items.count, 0);
    map(f, pid, here & ~(uint64_t)4095, "/usr/lib/another.so");
    snapshot_catch_up(&f->processes, &f->modules);
    mapping = address_space_find(&processes_space(&f->processes, pid)->space, here);
    assert_non_null(mapping);
    assert_true(slice_is(f->modules.items.items[mapping->module].path, path));

    /* What is known already, by a build id too, is no news. */
    generation = processes_space(&f->processes, pid)->generation;
    module_count = f->modules.items.count;
    snapshot_catch_up(&f->processes, &f->modules);
    assert_int_equal(processes_space(&f->processes, pid)->generation, generation);
    assert_int_equal(f->modules.items.count, module_count);
}

static void map_memory(struct fixture *f, uint64_t start, uint64_t size_bytes)
{
    apply(f, (struct sampler_event){
                 .kind = SAMPLER_MAPPING,
                 .pid = 7,
                 .tid = 7,
                 .mapping = {.start_avma = start, .size_bytes = size_bytes, .path = SLICE("//anon")}});
}

static const struct mapping *mapping_at(struct fixture *f, uint64_t avma)
{
    return address_space_find(&processes_space(&f->processes, 7)->space, avma);
}

/* Memory over the end of one file's code, what is behind it, and the start of another's. */
static void memory_where_code_of_a_file_was_may_be_a_copy_of_it(void **state)
{
    struct fixture *f = *state;

    map(f, 7, 0x1000, "/a");
    map(f, 7, 0x4000, "/b");
    for (int times = 0; times < 2; times++) { /* as it is made writable, and then executable again */
        map_memory(f, 0x1800, 0x3000);
        assert_string_equal(path_at(f, 7, 0x17ff), "/a");
        assert_string_equal(path_at(f, 7, 0x1800), "no file");
        assert_true(mapping_at(f, 0x1fff)->may_be_copy);
        assert_int_equal(mapping_at(f, 0x1fff)->original, 0);
        assert_int_equal(mapping_at(f, 0x1fff)->file_offset, 0x800);
        assert_false(mapping_at(f, 0x2000)->may_be_copy);
        assert_true(mapping_at(f, 0x4000)->may_be_copy);
        assert_int_equal(mapping_at(f, 0x4000)->original, 1);
        assert_int_equal(mapping_at(f, 0x4000)->file_offset, 0);
        assert_string_equal(path_at(f, 7, 0x4800), "/b");
    }
    map_memory(f, 0x6000, 0x1000);
    assert_false(mapping_at(f, 0x6000)->may_be_copy);
}

int main(void)
{
#define TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(a_process_has_the_files_that_were_mapped),
        TEST(memory_where_code_of_a_file_was_may_be_a_copy_of_it),
        TEST(a_fork_has_its_parents_memory_until_it_changes),
        TEST(an_exec_clears_the_memory_and_a_name_does_not),
        TEST(what_processes_outside_of_the_container_do_changes_nothing),
        TEST(what_is_ending_is_its_processs),
        TEST(where_there_is_no_outside_number_0_is_an_idle_processor),
        TEST(a_program_begins_with_a_fork_and_with_an_exec),
        TEST(what_was_mapped_before_a_recording_was_so_as_that_began),
        TEST(a_program_of_the_past_began_no_earlier_than_is_known),
        TEST(the_build_id_of_a_path_is_not_that_of_another_file_than_was_there),
        TEST(of_one_that_runs_already_the_system_tells_when_it_began),
        TEST(threads_of_the_kernel_are_told_from_programs),
        TEST(a_layout_that_changed_has_another_generation),
        TEST(of_a_process_that_may_not_be_read_code_may_be_anywhere),
        TEST(what_was_lost_of_known_processes_is_found_again),
        TEST(a_thread_is_called_as_its_parent_until_it_has_a_name),
        TEST(a_thread_id_that_is_used_again_is_another_thread),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
